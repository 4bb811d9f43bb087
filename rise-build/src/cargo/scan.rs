//! Finds the `rise!` blocks in Rust sources, by tokens.
//!
//! Wherever a macro of that name is called, in items, in functions, in other macros' arguments, or in an
//! example of the documentation, its tokens are found. What only a macro's expansion contains is not.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::documentation::{code_blocks, string_value};

/// What a source contains.
#[derive(Default)]
pub struct Sources {
    /// The tokens of each block.
    pub blocks: Vec<TokenStream>,
    /// Rust files that it includes by path, as written.
    pub included: Vec<String>,
    /// Texts that its documentation includes, as written.
    pub texts: Vec<String>,
}

/// The blocks of a Rust file; none if it is no Rust.
pub fn rust(source: &str) -> Sources {
    let mut found = Sources::default();
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    if let Ok(tokens) = source.parse::<TokenStream>() {
        let names = names(&tokens);
        found.walk(tokens, &names);
    }
    found
}

/// The blocks in the examples of a Markdown file.
pub fn markdown(text: &str) -> Sources {
    let mut found = Sources::default();
    found.examples(text);
    found
}

/// The names under which a file calls the macro: `rise`, and `kernels` after `use rise::rise as kernels`.
fn names(tokens: &TokenStream) -> Vec<String> {
    let mut names = vec!["rise".to_owned()];
    collect_names(tokens.clone(), &mut names);
    names
}

fn collect_names(tokens: TokenStream, names: &mut Vec<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => collect_names(group.stream(), names),
            TokenTree::Ident(ident) if ident == "as" => {
                let before = at.checked_sub(1).and_then(|at| trees.get(at));
                if let (Some(TokenTree::Ident(old)), Some(TokenTree::Ident(new))) =
                    (before, trees.get(at + 1))
                    && old == "rise"
                {
                    names.push(new.to_string());
                }
            }
            _ => {}
        }
    }
}

impl Sources {
    fn walk(&mut self, tokens: TokenStream, names: &[String]) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut documentation = String::new();
        let mut at = 0;
        while let Some(tree) = trees.get(at) {
            if let Some((line, length)) = self.attribute(&trees[at..]) {
                documentation.push_str(&line);
                at += length;
                continue;
            }
            self.examples(&std::mem::take(&mut documentation));
            match tree {
                TokenTree::Ident(name) if names.iter().any(|known| name == known) => {
                    if let Some(block) = macro_arguments(&trees[at..]) {
                        self.blocks.push(block);
                        at += 2;
                    }
                }
                TokenTree::Ident(name) if name == "include" => {
                    let path = macro_arguments(&trees[at..]).and_then(single_string);
                    self.included.extend(path);
                }
                TokenTree::Group(group) => self.walk(group.stream(), names),
                _ => {}
            }
            at += 1;
        }
        self.examples(&documentation);
    }

    /// `#[doc = "…"]` as a line of documentation, and other attributes as none; with the number of tokens.
    fn attribute(&mut self, trees: &[TokenTree]) -> Option<(String, usize)> {
        let (TokenTree::Punct(hash), rest) = trees.split_first()? else { return None };
        if hash.as_char() != '#' {
            return None;
        }
        let inner = matches!(rest.first(), Some(TokenTree::Punct(mark)) if mark.as_char() == '!');
        let TokenTree::Group(group) = rest.get(usize::from(inner))? else { return None };
        if group.delimiter() != Delimiter::Bracket {
            return None;
        }
        let parts: Vec<TokenTree> = group.stream().into_iter().collect();
        let name = parts.first().map(ToString::to_string).unwrap_or_default();
        let line = match (name.as_str(), parts.get(2)) {
            ("doc", Some(TokenTree::Literal(text))) => {
                string_value(&text.to_string()).map(|line| line + "\n")
            }
            ("doc", Some(TokenTree::Ident(_))) => {
                self.texts.extend(parts.get(2..).and_then(macro_arguments).and_then(single_string));
                None
            }
            ("path", Some(TokenTree::Literal(text))) => {
                self.included.extend(string_value(&text.to_string()));
                None
            }
            _ => None,
        };
        Some((line.unwrap_or_default(), 2 + usize::from(inner)))
    }

    fn examples(&mut self, documentation: &str) {
        for code in code_blocks(documentation) {
            if let Ok(tokens) = code.parse::<TokenStream>() {
                let names = names(&tokens);
                self.walk(tokens, &names);
            }
        }
    }
}

/// `name ! { … }`: what is between the braces.
fn macro_arguments(trees: &[TokenTree]) -> Option<TokenStream> {
    match trees {
        [TokenTree::Ident(_), TokenTree::Punct(mark), TokenTree::Group(group), ..]
            if mark.as_char() == '!' =>
        {
            Some(group.stream())
        }
        _ => None,
    }
}

fn single_string(tokens: TokenStream) -> Option<String> {
    match tokens.into_iter().next()? {
        TokenTree::Literal(text) => string_value(&text.to_string()),
        _ => None,
    }
}
