//! What can be said about a syntax tree without types: nothing is declared twice, kernels say
//! their result, targets exist. Names are resolved later, when imported files are there.

use std::collections::BTreeMap;

use super::ast::{
    Arg, Attribute, CARRIED, Compile, Expr, ExprKind, ExternFn, Ident, Item, Kernel, KindParam, Module,
    Notation, Param, TypeKind, UNDERSTOOD,
};
use super::walk::walk;
use crate::diagnostics::{Diagnostic, Diagnostics, suggest};

/// What a kernel can be compiled to.
const TARGETS: [&str; 4] = ["rust", "c", "openmp", "opencl"];

/// Reports what is wrong with the module as a whole.
pub(super) fn check(module: &Module, diagnostics: &mut Diagnostics) {
    let mut scopes = Scopes::default();
    for (index, item) in module.items.iter().enumerate() {
        check_attributes(item, diagnostics);
        match item {
            Item::Kernel(kernel) => {
                scopes.declare(Space::Function, &kernel.name, diagnostics);
                check_kernel(kernel, diagnostics);
            }
            Item::Extern(function) => {
                // Versions for vectors stand beside the function itself.
                if !function.is_of_vectors() {
                    scopes.declare(Space::Function, &function.name, diagnostics);
                }
                check_extern(function, diagnostics);
            }
            Item::Strategy(item) => {
                scopes.declare(Space::Strategy, &item.name, diagnostics);
                distinct(item.params.iter().map(|param| &param.name), diagnostics);
            }
            Item::Rule(rule) => {
                scopes.declare(Space::Strategy, &rule.name, diagnostics);
                distinct(names(&rule.kinds, &rule.params), diagnostics);
                check_expr(&rule.pattern, diagnostics);
                check_expr(&rule.result, diagnostics);
            }
            Item::Compile(compile) => check_compile(compile, &mut scopes, diagnostics),
            Item::Crate(name) if index > 0 => {
                let error = Diagnostic::error(name.origin, "`crate = …` stands first in its block");
                diagnostics.push(error.help("move it before all other items"));
            }
            Item::Crate(_) | Item::Import(_) => {}
        }
    }
}

/// An attribute that did nothing would be taken for one that does something.
fn check_attributes(item: &Item, diagnostics: &mut Diagnostics) {
    let (attributes, carried): (&[Attribute], &[&str]) = match item {
        Item::Kernel(kernel) if kernel.is_kernel() => (&kernel.attributes, &CARRIED),
        Item::Kernel(helper) => (&helper.attributes, &["allow", "warn", "deny", "expect"]),
        Item::Extern(function) => (&function.attributes, &["allow", "warn", "deny", "expect"]),
        // The parser refuses those of other items.
        _ => return,
    };
    for attribute in attributes {
        let name = attribute.name.as_str();
        if !carried.contains(&name) && !UNDERSTOOD.contains(&name) {
            let message = format!("the attribute `{name}` means nothing here");
            let help = match suggest(name, carried.iter().chain(&UNDERSTOOD).copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "the functions of a kernel carry {}",
                    CARRIED.map(|name| format!("`{name}`")).join(", ")
                ),
            };
            diagnostics.push(Diagnostic::error(attribute.name.origin, message).help(help));
        }
    }
}

/// Which names may not meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Space {
    Function,
    Strategy,
    Compiled,
}

#[derive(Default)]
struct Scopes(BTreeMap<(Space, String), Ident>);

impl Scopes {
    fn declare(&mut self, space: Space, name: &Ident, diagnostics: &mut Diagnostics) {
        let Some(first) = self.0.insert((space, name.text.to_string()), name.clone()) else { return };
        let message = match space {
            Space::Function => format!("`{name}` is defined twice"),
            Space::Strategy => format!("the strategy `{name}` is defined twice"),
            Space::Compiled => format!("two compilations make a function `{name}`"),
        };
        let error = Diagnostic::error(name.origin, message).label(first.origin, "the first one is here");
        diagnostics.push(match space {
            Space::Compiled => error.help("give one of them a name of its own with `as`"),
            _ => error,
        });
    }
}

fn check_compile(compile: &Compile, scopes: &mut Scopes, diagnostics: &mut Diagnostics) {
    let name = compile.alias.as_ref().unwrap_or(&compile.kernel);
    scopes.declare(Space::Compiled, name, diagnostics);
    let named = |arg: &Arg| arg.name.clone();
    let options: Vec<Ident> = compile.target.options.iter().filter_map(named).collect();
    distinct(options.iter(), diagnostics);
    let target = &compile.target.name;
    if !TARGETS.contains(&target.as_str()) {
        let error = Diagnostic::error(target.origin, format!("there is no target `{target}`"));
        diagnostics.push(match suggest(target.as_str(), TARGETS) {
            Some(near) => error.help(format!("is `{near}` meant?")),
            None => error.help("targets are `rust`, `c`, `openmp` and, for devices, `opencl`"),
        });
    }
}

/// No function and no binding inside may bind a name twice at once.
fn check_expr(expr: &Expr, diagnostics: &mut Diagnostics) {
    walk(expr, &mut |expr| match &expr.kind {
        ExprKind::Lambda(params, _) => distinct(names(&[], params), diagnostics),
        ExprKind::DepLambda(kinds, _) => distinct(names(kinds, &[]), diagnostics),
        ExprKind::Block(block) => {
            for binding in &block.lets {
                distinct(binding.pattern.names().into_iter(), diagnostics);
            }
        }
        _ => {}
    });
}

fn check_kernel(kernel: &Kernel, diagnostics: &mut Diagnostics) {
    distinct(names(&kernel.kinds, &kernel.params), diagnostics);
    check_expr(&kernel.body, diagnostics);
    let unread = |param: &Param| param.ty.as_ref().is_some_and(|ty| ty.kind == TypeKind::Error);
    // What cannot be read among the parameters may have been meant for the result.
    let unread = kernel.params.iter().any(unread);
    if kernel.is_kernel() && kernel.notation == Notation::Rust && kernel.result.is_none() && !unread {
        let message = format!("the kernel `{}` does not say its result type", kernel.name);
        let help = "write `-> [f32; n]`, or whatever it gives, behind the parameters";
        diagnostics.push(Diagnostic::error(kernel.origin, message).help(help));
    }
}

fn check_extern(function: &ExternFn, diagnostics: &mut Diagnostics) {
    distinct(names(&function.kinds, &function.params), diagnostics);
}

fn names<'a>(kinds: &'a [KindParam], params: &'a [Param]) -> impl Iterator<Item = &'a Ident> {
    kinds.iter().map(|param| &param.name).chain(params.iter().flat_map(|param| param.pattern.names()))
}

fn distinct<'a>(names: impl Iterator<Item = &'a Ident>, diagnostics: &mut Diagnostics) {
    let mut seen: Vec<&Ident> = Vec::new();
    for name in names.filter(|name| name.as_str() != "_") {
        match seen.iter().find(|first| **first == name) {
            Some(first) => {
                let error = Diagnostic::error(name.origin, format!("`{name}` is declared twice"));
                diagnostics.push(error.label(first.origin, "the first one is here"));
            }
            None => seen.push(name),
        }
    }
}
