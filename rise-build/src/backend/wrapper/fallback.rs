//! The signature of a kernel whose types could not be inferred, from its declaration alone.

use std::sync::Arc;

use crate::nat::{Nat, NatVar};
use crate::syntax::ast;
use crate::types::{DataType, Scalar};

use super::signature::Signature;

/// The signature as declared, if all of it can be read.
pub fn from_syntax(kernel: &ast::Kernel) -> Option<Signature> {
    let nats: Vec<NatVar> = kernel
        .kinds
        .iter()
        .filter(|kind| kind.kind == ast::Kind::Nat)
        .map(|kind| NatVar::new(kind.name.as_str()))
        .collect();
    let mut params = Vec::new();
    for (at, param) in kernel.params.iter().enumerate() {
        let name = match &param.pattern.kind {
            ast::PatternKind::Name(name) => name.as_str().to_owned(),
            _ => format!("arg{at}"),
        };
        let ty = data_type(param.ty.as_ref()?, &nats)?;
        let natural = matches!(ty, DataType::Nat | DataType::Idx(_)).then(|| NatVar::new(&name));
        params.push((name, ty, natural));
    }
    Some(Signature {
        name: kernel.name.as_str().to_owned(),
        visibility: "pub".into(),
        docs: kernel.docs.clone(),
        attributes: Vec::new(),
        result: data_type(kernel.result.as_ref()?, &nats)?,
        nats,
        params,
        declared: Vec::new(),
        obligations: Vec::new(),
        separable: Vec::new(),
        counts: Vec::new(),
        clears: false,
        past: false,
        facade: "rise".into(),
        spans: Vec::new(),
    })
}

fn data_type(ty: &ast::Type, nats: &[NatVar]) -> Option<DataType> {
    Some(match &ty.kind {
        ast::TypeKind::Scalar(scalar) => DataType::Scalar(Scalar::from_name(scalar.name())?),
        ast::TypeKind::Array(element, len) => DataType::array(natural(len, nats)?, data_type(element, nats)?),
        ast::TypeKind::Tuple(parts) => {
            let parts: Option<Arc<[DataType]>> = parts.iter().map(|part| data_type(part, nats)).collect();
            DataType::Tuple(parts?)
        }
        ast::TypeKind::Simd(element, lanes) => {
            let lanes = natural(lanes, nats)?.as_const().and_then(|lanes| u32::try_from(lanes).ok())?;
            DataType::Vector(data_type(element, nats)?.scalar()?, lanes)
        }
        ast::TypeKind::Idx(bound) => DataType::Idx(natural(bound, nats)?),
        ast::TypeKind::Name(name) if name.as_str() == "Nat" => DataType::Nat,
        _ => return None,
    })
}

fn natural(nat: &ast::Nat, nats: &[NatVar]) -> Option<Nat> {
    Some(match &nat.kind {
        ast::NatKind::Literal(value) => Nat::lit(i64::try_from(*value).ok()?),
        ast::NatKind::Name(name) => Nat::var(nats.iter().find(|var| var.text() == name.as_str())?),
        ast::NatKind::Binary(op, a, b) => {
            let (a, b) = (natural(a, nats)?, natural(b, nats)?);
            match op {
                ast::NatOp::Add => a + b,
                ast::NatOp::Sub => a - b,
                ast::NatOp::Mul => a * b,
                ast::NatOp::Div => a.div(&b),
                ast::NatOp::Rem => a.rem(&b),
                ast::NatOp::Pow => a.pow(&b),
            }
        }
        ast::NatKind::Call(call, a, b) => {
            let (a, b) = (natural(a, nats)?, natural(b, nats)?);
            match call {
                ast::NatCall::Min => Nat::min(&a, &b),
                ast::NatCall::Max => Nat::max(&a, &b),
                ast::NatCall::CeilDiv => a.ceil_div(&b),
            }
        }
        _ => return None,
    })
}
