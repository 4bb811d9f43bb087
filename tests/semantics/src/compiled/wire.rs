//! Values as the bytes that a batch reads and writes.
//!
//! A value is taken apart into the components that the runner takes one by one. An array is the number of its
//! elements, all dimensions flattened, and then these; naturals are 8 bytes, indices in memory 4.

use rise_build::expr::{Literal, Value};
use rise_build::nat::{Nat, NatVar};
use rise_build::types::{DataType, Scalar};

/// Sizes by name.
pub type Sizes = [(NatVar, i128)];

/// The components of a parameter or result.
pub fn components(ty: &DataType) -> Vec<DataType> {
    match ty.as_tuple() {
        Some(parts) => parts.iter().flat_map(components).collect(),
        None => vec![ty.clone()],
    }
}

/// Appends an argument.
pub fn argument(value: &Value, ty: &DataType, out: &mut Vec<u8>) {
    match (ty, value) {
        (DataType::Tuple(parts), Value::Tuple(values)) => {
            parts.iter().zip(values).for_each(|(ty, value)| argument(value, ty, out));
        }
        (DataType::Array(..), value) => {
            let mut elements = Vec::new();
            flat(value, ty, &mut elements);
            natural(elements.len() as u64, out);
            elements.into_iter().for_each(|(value, ty)| element(value, ty, out));
        }
        (DataType::Idx(_) | DataType::Nat, Value::Nat(value)) => natural(*value as u64, out),
        (ty, value) => element(value, ty, out),
    }
}

/// Appends a natural.
pub fn natural(value: u64, out: &mut Vec<u8>) {
    out.extend(value.to_le_bytes());
}

fn flat<'v>(value: &'v Value, ty: &'v DataType, out: &mut Vec<(&'v Value, &'v DataType)>) {
    match (ty, value) {
        (DataType::Array(_, inner), Value::Array(values)) => {
            values.iter().for_each(|value| flat(value, inner, out));
        }
        _ => out.push((value, ty)),
    }
}

fn element(value: &Value, ty: &DataType, out: &mut Vec<u8>) {
    match (value, ty) {
        (Value::Scalar(value), _) => literal(*value, out),
        (Value::Nat(value), _) => out.extend((*value as u32).to_le_bytes()),
        (Value::Vector(lanes), _) => lanes.iter().for_each(|lane| literal(*lane, out)),
        (Value::Tuple(values), DataType::Tuple(parts)) => {
            values.iter().zip(&**parts).for_each(|(value, ty)| element(value, ty, out));
        }
        (value, ty) => panic!("{value:?} is no element of type {ty}"),
    }
}

fn literal(value: Literal, out: &mut Vec<u8>) {
    match value {
        Literal::Bool(value) => out.push(u8::from(value)),
        Literal::Int(value, scalar) => out.extend(&value.to_le_bytes()[..bytes(scalar)]),
        Literal::Float(value, Scalar::F32) => out.extend((value as f32).to_le_bytes()),
        Literal::Float(value, _) => out.extend(value.to_le_bytes()),
    }
}

fn bytes(scalar: Scalar) -> usize {
    match scalar {
        Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
        Scalar::I16 | Scalar::U16 => 2,
        Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
        Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
    }
}

/// The number of elements of a component.
pub fn elements(ty: &DataType, sizes: &Sizes) -> u64 {
    match ty {
        DataType::Array(len, element) => size(len, sizes) as u64 * elements(element, sizes),
        _ => 1,
    }
}

fn size(nat: &Nat, sizes: &Sizes) -> usize {
    let value = nat.eval(&|var| sizes.iter().find(|(other, _)| other == var).map(|(_, size)| *size));
    usize::try_from(value.unwrap_or(0)).unwrap_or(0)
}

/// The value of a type whose elements stand one after the other.
pub fn result(ty: &DataType, sizes: &Sizes, input: &mut &[u8]) -> Value {
    match ty {
        DataType::Array(len, element) => {
            Value::Array((0..size(len, sizes)).map(|_| result(element, sizes, input)).collect())
        }
        DataType::Tuple(parts) => Value::Tuple(parts.iter().map(|ty| result(ty, sizes, input)).collect()),
        DataType::Vector(scalar, lanes) => Value::Vector((0..*lanes).map(|_| read(*scalar, input)).collect()),
        DataType::Scalar(scalar) => Value::Scalar(read(*scalar, input)),
        _ => Value::Nat(i128::from(u32::from_le_bytes(taken(input)))),
    }
}

fn taken<const N: usize>(input: &mut &[u8]) -> [u8; N] {
    let (first, rest) = input.split_first_chunk::<N>().expect("the batch writes whole results");
    *input = rest;
    *first
}

fn read(scalar: Scalar, input: &mut &[u8]) -> Literal {
    let int = |value: i128| Literal::Int(value, scalar);
    match scalar {
        Scalar::Bool => Literal::Bool(taken::<1>(input) != [0]),
        Scalar::I8 => int(i8::from_le_bytes(taken(input)).into()),
        Scalar::U8 => int(u8::from_le_bytes(taken(input)).into()),
        Scalar::I16 => int(i16::from_le_bytes(taken(input)).into()),
        Scalar::U16 => int(u16::from_le_bytes(taken(input)).into()),
        Scalar::I32 => int(i32::from_le_bytes(taken(input)).into()),
        Scalar::U32 => int(u32::from_le_bytes(taken(input)).into()),
        Scalar::I64 => int(i64::from_le_bytes(taken(input)).into()),
        Scalar::U64 => int(u64::from_le_bytes(taken(input)).into()),
        Scalar::F32 => Literal::Float(f32::from_le_bytes(taken(input)).into(), scalar),
        Scalar::F64 => Literal::Float(f64::from_le_bytes(taken(input)), scalar),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Numbers, same, value};

    #[test]
    fn results_are_read_as_arguments_are_written() {
        let n = NatVar::new("n");
        let scalars = DataType::pair(DataType::Scalar(Scalar::F32), DataType::Scalar(Scalar::I16));
        let ty = DataType::array(Nat::var(&n), DataType::array(Nat::lit(3), scalars));
        let sizes = [(n, 5)];
        let value = value(&ty, &sizes, &mut Numbers::new(3));
        let mut bytes = Vec::new();
        argument(&value, &ty, &mut bytes);
        assert_eq!(elements(&ty, &sizes), 15);
        assert_eq!(bytes.len(), 8 + 15 * 6);
        let mut rest = &bytes[8..];
        assert!(same(&value, &result(&ty, &sizes, &mut rest)));
        assert!(rest.is_empty());
    }
}
