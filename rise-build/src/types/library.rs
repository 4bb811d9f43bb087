//! What an `extern fn` over arrays may be: the product of two matrices.

use crate::diagnostics::Diagnostic;
use crate::expr::Library;
use crate::syntax::ast::{self, NatKind, TypeKind};

/// Whether arrays are passed or returned.
pub(super) fn is_about_arrays(item: &ast::ExternFn) -> bool {
    let mut types = item.params.iter().filter_map(|param| param.ty.as_ref()).chain([&item.result]);
    types.any(|ty| matches!(ty.kind, TypeKind::Array(..)))
}

/// The function of a library that an `extern fn` declares.
pub fn library(item: &ast::ExternFn) -> Result<Library, Box<Diagnostic>> {
    let params: Vec<_> = item.params.iter().map(|param| param.ty.as_ref().and_then(matrix)).collect();
    let fits = match (params.as_slice(), matrix(&item.result)) {
        ([Some([n, k, s]), Some([l, m, t])], Some([rows, columns, scalar])) => {
            let distinct = n != k && k != m && n != m;
            let float = scalar == "f32" || scalar == "f64";
            (n, k, m) == (&rows, l, &columns) && s == t && *t == scalar && distinct && float
        }
        _ => false,
    };
    if !fits {
        let message = format!("`{}` is no function that kernels can call", item.name);
        return Err(Box::new(Diagnostic::error(item.origin, message).help(
            "a foreign function takes and returns scalars; one over arrays is a product of matrices: `extern fn sgemm<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] = cblas_sgemm;`",
        )));
    }
    let rust = item.path.rust.clone().filter(|path| path.contains("::"));
    Ok(Library { name: item.name.to_string(), rust, c: item.path.c.clone() })
}

/// Rows, columns and elements of `[[t; columns]; rows]`.
fn matrix(ty: &ast::Type) -> Option<[String; 3]> {
    let TypeKind::Array(row, rows) = &ty.kind else { return None };
    let TypeKind::Array(element, columns) = &row.kind else { return None };
    let name = |nat: &ast::Nat| match &nat.kind {
        NatKind::Name(name) => Some(name.to_string()),
        _ => None,
    };
    match &element.kind {
        TypeKind::Scalar(scalar) => Some([name(rows)?, name(columns)?, scalar.name().to_owned()]),
        _ => None,
    }
}
