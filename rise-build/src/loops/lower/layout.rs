//! How values of a type lie in memory: which leaves a type has, and where in a leaf's buffer an element is.
//!
//! In: types and indices. Out: flat offsets in elements, row-major. Temporaries have one buffer for each
//! leaf, so a *leaf type* holds no tuple.

use std::sync::Arc;

use crate::nat::Nat;
use crate::types::{DataType, Scalar};

use super::bug;

/// The leaf types of a type, in order: tuples are pulled outwards through arrays and taken apart.
pub(super) fn leaves(ty: &DataType) -> Vec<DataType> {
    match ty {
        DataType::Tuple(parts) => parts.iter().flat_map(leaves).collect(),
        DataType::Array(len, element) => {
            leaves(element).into_iter().map(|leaf| DataType::array(len.clone(), leaf)).collect()
        }
        DataType::DepArray(len, var, element) => leaves(element)
            .into_iter()
            .map(|leaf| DataType::DepArray(len.clone(), var.clone(), Arc::new(leaf)))
            .collect(),
        small => vec![small.clone()],
    }
}

/// The paths of a small type's leaves, in order.
pub(super) fn leaf_paths(ty: &DataType) -> Vec<Vec<usize>> {
    let DataType::Tuple(parts) = ty else { return vec![Vec::new()] };
    let below = |(position, part)| {
        leaf_paths(part).into_iter().map(move |mut path| {
            path.insert(0, position);
            path
        })
    };
    parts.iter().enumerate().flat_map(below).collect()
}

/// The parts of a parameter or result: only tuples outside of arrays are taken apart.
pub(super) fn parts(ty: &DataType) -> Vec<DataType> {
    match ty {
        DataType::Tuple(components) => components.iter().flat_map(parts).collect(),
        other => vec![other.clone()],
    }
}

/// Number of elements of a leaf type, or of an array whose elements are tuples of small types.
pub(super) fn size(ty: &DataType) -> Nat {
    match ty {
        DataType::Array(len, element) => len * &size(element),
        DataType::DepArray(len, var, element) => Nat::sum(var, &Nat::lit(0), len, &size(element)),
        DataType::Vector(_, lanes) => Nat::from(*lanes),
        _ => Nat::lit(1),
    }
}

/// Number of elements before element `index` of an array.
pub(super) fn skip(ty: &DataType, index: &Nat) -> Nat {
    match ty {
        DataType::Array(_, element) => index * &size(element),
        DataType::DepArray(_, var, element) => Nat::sum(var, &Nat::lit(0), index, &size(element)),
        other => bug(format_args!("{other} is indexed")),
    }
}

/// The type of element `index` of an array.
pub(super) fn element(ty: &DataType, index: &Nat) -> DataType {
    match ty {
        DataType::Array(_, element) => (**element).clone(),
        DataType::DepArray(_, var, element) => element.subst(var, index),
        other => bug(format_args!("{other} is indexed")),
    }
}

/// The scalar in which a leaf without arrays is held, and its lanes; naturals are `u64`.
pub(super) fn held(ty: &DataType) -> (Scalar, u32) {
    match ty {
        DataType::Scalar(scalar) => (*scalar, 1),
        DataType::Vector(scalar, lanes) => (*scalar, *lanes),
        DataType::Nat | DataType::Idx(_) => (Scalar::U64, 1),
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => held(element),
        DataType::Tuple(_) => bug(format_args!("the tuple {ty} is held in one register")),
    }
}

/// Whether a leaf holds naturals.
pub(super) fn is_natural(ty: &DataType) -> bool {
    match ty {
        DataType::Nat | DataType::Idx(_) => true,
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => is_natural(element),
        _ => false,
    }
}
