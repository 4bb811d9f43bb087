//! Fields and methods, which other languages have: what is written in RISE.

use crate::diagnostics::{Diagnostic, suggest};
use crate::library;
use crate::syntax::ast;

use super::advice;
use super::elaborate::Infer;
use super::foreign_names;
use super::term::Term;
use super::ty::Ty;
use super::value::{Env, Operator, Value};

impl<'a> Infer<'a> {
    /// `e.f`, `e.f(a)`
    pub(super) fn member(
        &mut self,
        value: &'a ast::Expr,
        name: &'a ast::Ident,
        args: Option<&'a [ast::Expr]>,
        env: &Env<'a>,
    ) -> Term {
        let at = self.place(name.origin);
        let value = match self.eval(value, env, None) {
            // In a chain of methods the first one is told of.
            Value::Data(term) if term.ty().is_error() => return Term::error(at),
            Value::Data(term) => Some(self.solver.full(term.ty())),
            _ => None,
        };
        let diagnostic = match args {
            // It may be that of a `struct`.
            None if self.module.lacks_items() => {
                self.told = true;
                return Term::error(at);
            }
            None => {
                let message = format!("RISE has no fields with names, such as `.{name}`");
                Diagnostic::error(at, message).help(self.field_help(name.as_str(), value.as_ref(), env))
            }
            Some(args) => {
                let message = format!("RISE has no methods, such as `.{name}(…)`");
                Diagnostic::error(at, message).help(self.method_help(name.as_str(), args.len(), env))
            }
        };
        self.wrong(diagnostic)
    }

    fn field_help(&self, name: &str, of: Option<&Ty>, env: &Env<'a>) -> String {
        if self.is_function(name, env) {
            return format!("write `{name}(x)` or `x |> {name}`");
        }
        let parts = of.and_then(advice::parts).unwrap_or("components of a tuple are `.0`, `.1`, …");
        foreign_names::instead(name).unwrap_or_else(|| parts.to_owned())
    }

    fn method_help(&self, name: &str, args: usize, env: &Env<'a>) -> String {
        match self.function_meant(name, env) {
            Some(function) if args == 0 => format!("write `{function}(x)` or `x |> {function}`"),
            // It works on what comes first, not last.
            Some(function) if Operator::from_name(function).is_some() => format!("write `{function}(x, …)`"),
            Some(function) => format!("write `x |> {function}(…)` or `{function}(…, x)`"),
            None => foreign_names::instead(name)
                .or_else(|| library::file_of(name).map(|file| format!("it is in `use \"{file}\";`")))
                .unwrap_or_else(|| {
                    format!("functions are called as `f(x)` or `x |> f`, and there is none named `{name}`")
                }),
        }
    }

    fn is_function(&self, name: &str, env: &Env<'a>) -> bool {
        self.user_item(name, env).is_some() || self.is_builtin(name)
    }

    /// The function of that name, or the one that is called so elsewhere, or the nearest.
    fn function_meant<'n>(&'n self, name: &'n str, env: &'n Env<'a>) -> Option<&'n str> {
        if self.is_function(name, env) {
            return Some(name);
        }
        if foreign_names::instead(name).is_some() || library::file_of(name).is_some() {
            return None;
        }
        foreign_names::ours(name)
            .filter(|ours| self.is_builtin(ours))
            .or_else(|| suggest(name, self.functions()))
    }
}
