//! Paths of foreign functions stand in the generated code as if it was the user's, so that what rustc says of a path
//! or of a signature stands under the path.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::syntax::ast;

use super::job::at;

/// The names of a path with the spans that the user gave them.
type Path = Vec<(String, Span)>;

/// The tokens, those of paths and of the arguments behind them under the user's spans.
pub fn placed(tokens: TokenStream, module: &ast::Module) -> TokenStream {
    let paths: Vec<Path> = module.items.iter().filter_map(path).collect();
    match paths.is_empty() {
        true => tokens,
        false => inside(tokens, &paths),
    }
}

fn path(item: &ast::Item) -> Option<Path> {
    let ast::Item::Extern(item) = item else { return None };
    let names = item.path.rust.as_deref()?.split("::").filter(|name| !name.is_empty());
    Some(names.map(str::to_owned).zip(item.path.segments.iter().map(|place| place.span())).collect())
}

fn inside(tokens: TokenStream, paths: &[Path]) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    for tree in &mut trees {
        if let TokenTree::Group(group) = tree {
            let mut moved = Group::new(group.delimiter(), inside(group.stream(), paths));
            moved.set_span(group.span());
            *tree = moved.into();
        }
    }
    for start in 0..trees.len() {
        if let Some(path) = paths.iter().find(|path| begins_with(&trees[start..], path)) {
            place(&mut trees[start..], path);
        }
    }
    trees.into_iter().collect()
}

/// Whether a call of the path begins here: its names with `::` between them, then arguments.
fn begins_with(trees: &[TokenTree], path: &Path) -> bool {
    let mut names = path.iter().enumerate().map(|(at, (name, _))| (3 * at, name));
    names.all(|(at, name)| matches!(trees.get(at), Some(TokenTree::Ident(ident)) if ident == name))
        && (1..path.len()).all(|at| matches!(trees.get(3 * at - 1), Some(TokenTree::Punct(_))))
        && matches!(trees.get(3 * path.len() - 2), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
}

fn place(trees: &mut [TokenTree], path: &Path) {
    let behind = 3 * path.len() - 2;
    for (position, tree) in trees.iter_mut().enumerate().take(behind) {
        tree.set_span(path[position / 3].1);
    }
    if let (Some(tree), Some((_, span))) = (trees.get_mut(behind), path.last()) {
        let moved = at(tree.clone().into(), *span);
        moved.into_iter().for_each(|group| *tree = group);
    }
}
