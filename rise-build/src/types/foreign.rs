//! Foreign functions: what they may take and give, and their calls.

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Diagnostics, Origin};
use crate::expr::Primitive;
use crate::syntax::ast::{self, TypeKind};

use super::elaborate::Infer;
use super::library::{is_about_arrays, library};
use super::term::{TArg, TForeign, TPrim, Term, TermKind};
use super::ty::Ty;
use super::value::{Argument, Env, Home, Value, Within};
use super::vectors::versions;

/// What is wrong with the foreign functions of a module, whether they are called or not.
pub fn check_foreign(module: &ast::Module) -> Diagnostics {
    let functions = module.items.iter().filter_map(|item| match item {
        ast::Item::Extern(item) => Some(item),
        _ => None,
    });
    let mut diagnostics = Diagnostics::new();
    for item in functions {
        let fits = if is_about_arrays(item) {
            library(item).map(drop)
        } else if item.is_of_vectors() {
            of_vectors(module, item)
        } else {
            of_scalars(item).and_then(|()| versions(module, item).map(drop))
        };
        if let Err(wrong) = fits {
            diagnostics.push(*wrong);
        }
    }
    diagnostics
}

/// A version for vectors stands beside the function of scalars, which looks at it.
fn of_vectors(module: &ast::Module, item: &ast::ExternFn) -> Result<(), Box<Diagnostic>> {
    let is_scalar = |other: &ast::Item| match other {
        ast::Item::Extern(other) => other.name == item.name && !other.is_of_vectors(),
        _ => false,
    };
    if module.items.iter().any(is_scalar) {
        return Ok(());
    }
    let message = format!("there is no function of scalars `{}` that this computes for vectors", item.name);
    let help = format!("declare it as well: `extern fn {}(x: f32) -> f32 = …;`", item.name);
    Err(Box::new(Diagnostic::error(item.origin, message).help(help)))
}

fn of_scalars(item: &ast::ExternFn) -> Result<(), Box<Diagnostic>> {
    let types = item.params.iter().filter_map(|param| param.ty.as_ref()).chain([&item.result]);
    for ty in types {
        if !matches!(ty.kind, TypeKind::Scalar(_) | TypeKind::Error) {
            let message = match &ty.kind {
                TypeKind::Name(name) if is_unknown(name, item) => format!("unknown type `{name}`"),
                _ => format!("`{}` takes and returns scalars, as all foreign functions do", item.name),
            };
            let help = "pass components one by one, indices converted by `as u32`; of several results make several functions";
            return Err(Box::new(Diagnostic::error(ty.origin, message).help(help)));
        }
    }
    Ok(())
}

fn is_unknown(name: &ast::Ident, item: &ast::ExternFn) -> bool {
    name.as_str() != "Nat" && item.kinds.iter().all(|kind| kind.name != *name)
}

impl<'a> Infer<'a> {
    /// A foreign function with all its arguments.
    pub(super) fn foreign(&mut self, item: &'a ast::ExternFn, args: &[Argument<'a>], origin: Origin) -> Term {
        let origin = self.place(origin);
        if !is_about_arrays(item) && of_scalars(item).is_err() {
            // It is told of where the function is declared.
            self.told = true;
            return Term::error(origin);
        }
        let mut env = Env::new(Within::new(Home::User));
        for kind in &item.kinds {
            let value = match kind.kind {
                ast::Kind::Nat => {
                    let what: Arc<str> = Arc::from(format!("the size `{}` of `{}`", kind.name, item.name));
                    Value::Data(Term::nat(self.solver.fresh_nat(&what, origin), Ty::Nat, origin))
                }
                _ => Value::Type(self.fresh_any()),
            };
            env = env.with(&kind.name.text, value);
        }
        let mut terms = Vec::new();
        let mut types = Vec::new();
        for (param, arg) in item.params.iter().zip(args) {
            let ty = match &param.ty {
                Some(ty) => self.data_type(ty, &env),
                None => self.fresh_any(),
            };
            let why = self.why(origin, item.name.as_str());
            terms.push(TArg::Expr(self.argument_as(arg, &ty, &why)));
            types.push(ty);
        }
        let result = self.data_type(&item.result, &env);
        if is_about_arrays(item) {
            return match library(item) {
                Ok(library) => {
                    let prim = TPrim::Known(Primitive::Product(Arc::new(library)));
                    Term::new(TermKind::Prim(prim, terms), result, origin)
                }
                Err(wrong) => self.wrong(*wrong),
            };
        }
        let vectors = match versions(self.module, item) {
            Ok(vectors) => vectors,
            Err(wrong) => return self.wrong(*wrong),
        };
        let prim = TPrim::Foreign(Arc::new(TForeign {
            name: item.name.to_string(),
            rust: item.path.rust.clone(),
            c: item.path.c.clone(),
            vectors,
            params: types,
            result: result.clone(),
        }));
        Term::new(TermKind::Prim(prim, terms), result, origin)
    }
}
