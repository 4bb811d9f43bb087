//! Versions of foreign functions for vectors.

use crate::diagnostics::Diagnostic;
use crate::expr::ForeignVectors;
use crate::syntax::ast::{self, NatKind, Type, TypeKind};

/// The versions for vectors that stand beside a foreign function of scalars.
pub(super) fn versions(
    module: &ast::Module,
    of: &ast::ExternFn,
) -> Result<Vec<ForeignVectors>, Box<Diagnostic>> {
    let mut found: Vec<ForeignVectors> = Vec::new();
    for item in &module.items {
        let ast::Item::Extern(item) = item else { continue };
        if item.name != of.name || !item.is_of_vectors() {
            continue;
        }
        let Some(lanes) = lanes(of, item) else {
            let message = format!("this is no version of `{}` for vectors", of.name);
            let help = "it takes and returns `Simd<t, n>` for each `t` that the function of scalars takes and returns; `n` is one power of two";
            return Err(Box::new(
                Diagnostic::error(item.origin, message).label(of.origin, "the function").help(help),
            ));
        };
        if found.iter().any(|known| known.lanes == lanes) {
            let message = format!("there are two versions of `{}` for vectors of {lanes}", of.name);
            return Err(Box::new(Diagnostic::error(item.origin, message)));
        }
        let ast::ExternPath { rust, c, .. } = item.path.clone();
        found.push(ForeignVectors { lanes, rust, c });
    }
    found.sort_by_key(|version| std::cmp::Reverse(version.lanes));
    Ok(found)
}

/// The number of lanes, if all types are vectors of those of the function of scalars.
fn lanes(of: &ast::ExternFn, item: &ast::ExternFn) -> Option<u32> {
    let types = |item: &ast::ExternFn| {
        let params = item.params.iter().map(|param| param.ty.clone());
        params.chain([Some(item.result.clone())]).collect::<Option<Vec<Type>>>()
    };
    let (scalars, vectors) = (types(of)?, types(item)?);
    let all: Option<Vec<u32>> =
        scalars.iter().zip(&vectors).map(|(scalar, vector)| lanes_of(scalar, vector)).collect();
    let all = all.filter(|all| all.len() == vectors.len() && all.len() == scalars.len())?;
    let first = *all.first()?;
    (first.is_power_of_two() && first > 1 && all.iter().all(|lanes| *lanes == first)).then_some(first)
}

fn lanes_of(scalar: &Type, vector: &Type) -> Option<u32> {
    match (&scalar.kind, &vector.kind) {
        (TypeKind::Scalar(scalar), TypeKind::Simd(element, lanes)) => {
            let same = matches!(&element.kind, TypeKind::Scalar(element) if element == scalar);
            let NatKind::Literal(lanes) = &lanes.kind else { return None };
            u32::try_from(*lanes).ok().filter(|_| same)
        }
        _ => None,
    }
}
