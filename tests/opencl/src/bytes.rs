//! Values as bytes in the memory of a device.

use rise_build::backend::layout;
use rise_build::expr::{Literal, Value};
use rise_build::nat::{Nat, NatVar};
use rise_build::types::{DataType, Scalar};

/// Sizes by name.
pub type Sizes = [(NatVar, i128)];

/// The components of an argument that arrive one by one.
pub fn components<'v>(ty: &'v DataType, value: &'v Value) -> Vec<(&'v DataType, &'v Value)> {
    match (ty, value) {
        (DataType::Tuple(parts), Value::Tuple(values)) => {
            parts.iter().zip(values).flat_map(|(ty, value)| components(ty, value)).collect()
        }
        _ => vec![(ty, value)],
    }
}

/// The value of a natural that is no less than 0.
pub fn size(nat: &Nat, sizes: &Sizes) -> usize {
    let value = nat.eval(&|var| sizes.iter().rev().find(|(other, _)| other == var).map(|(_, size)| *size));
    usize::try_from(value.unwrap_or(0)).unwrap_or(0)
}

/// The bytes of all elements.
pub fn stored_size(ty: &DataType, sizes: &Sizes) -> usize {
    match ty {
        DataType::Array(len, element) | DataType::DepArray(len, _, element) => {
            size(len, sizes) * stored_size(element, sizes)
        }
        DataType::Scalar(scalar) => scalar.bytes() as usize,
        DataType::Vector(scalar, lanes) => (scalar.bytes() * lanes) as usize,
        DataType::Tuple(parts) => layout(parts).size as usize,
        DataType::Idx(_) | DataType::Nat => 4,
    }
}

/// Appends a value.
pub fn write(value: &Value, ty: &DataType, out: &mut Vec<u8>) {
    match (value, ty) {
        (Value::Array(values), DataType::Array(_, element) | DataType::DepArray(_, _, element)) => {
            values.iter().for_each(|value| write(value, element, out));
        }
        (Value::Scalar(value), _) => literal(*value, out),
        (Value::Nat(value), _) => out.extend((*value as u32).to_le_bytes()),
        (Value::Vector(lanes), _) => {
            lanes.iter().for_each(|lane| literal(*lane, out));
        }
        (Value::Tuple(values), DataType::Tuple(parts)) => {
            let (place, start) = (layout(parts), out.len());
            out.resize(start + place.size as usize, 0);
            for ((value, ty), offset) in values.iter().zip(&**parts).zip(place.offsets) {
                let mut bytes = Vec::new();
                write(value, ty, &mut bytes);
                let at = start + offset as usize;
                out[at..at + bytes.len()].copy_from_slice(&bytes);
            }
        }
        (value, ty) => panic!("{value:?} is no value of type {ty}"),
    }
}

fn literal(value: Literal, out: &mut Vec<u8>) {
    match value {
        Literal::Bool(value) => out.push(u8::from(value)),
        Literal::Int(value, scalar) => out.extend(&value.to_le_bytes()[..scalar.bytes() as usize]),
        Literal::Float(value, Scalar::F32) => out.extend((value as f32).to_le_bytes()),
        Literal::Float(value, _) => out.extend(value.to_le_bytes()),
    }
}

/// The value that begins with these bytes.
pub fn read(ty: &DataType, sizes: &Sizes, bytes: &[u8]) -> Value {
    match ty {
        DataType::Array(len, element) | DataType::DepArray(len, _, element) => {
            let each = stored_size(element, sizes);
            Value::Array((0..size(len, sizes)).map(|i| read(element, sizes, &bytes[i * each..])).collect())
        }
        DataType::Tuple(parts) => {
            let offsets = layout(parts).offsets;
            let part = |(ty, offset): (_, u32)| read(ty, sizes, &bytes[offset as usize..]);
            Value::Tuple(parts.iter().zip(offsets).map(part).collect())
        }
        DataType::Vector(scalar, lanes) => {
            let each = scalar.bytes() as usize;
            Value::Vector((0..*lanes as usize).map(|lane| number(*scalar, &bytes[lane * each..])).collect())
        }
        DataType::Scalar(scalar) => Value::Scalar(number(*scalar, bytes)),
        DataType::Idx(_) | DataType::Nat => Value::Nat(i128::from(u32::from_le_bytes(first(bytes)))),
    }
}

fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    *bytes.first_chunk().expect("memory is as large as its type")
}

fn number(scalar: Scalar, bytes: &[u8]) -> Literal {
    let int = |value: i128| Literal::Int(value, scalar);
    match scalar {
        Scalar::Bool => Literal::Bool(bytes[0] != 0),
        Scalar::I8 => int(i8::from_le_bytes(first(bytes)).into()),
        Scalar::U8 => int(bytes[0].into()),
        Scalar::I16 => int(i16::from_le_bytes(first(bytes)).into()),
        Scalar::U16 => int(u16::from_le_bytes(first(bytes)).into()),
        Scalar::I32 => int(i32::from_le_bytes(first(bytes)).into()),
        Scalar::U32 => int(u32::from_le_bytes(first(bytes)).into()),
        Scalar::I64 => int(i64::from_le_bytes(first(bytes)).into()),
        Scalar::U64 => int(u64::from_le_bytes(first(bytes)).into()),
        Scalar::F32 => Literal::Float(f32::from_le_bytes(first(bytes)).into(), scalar),
        Scalar::F64 => Literal::Float(f64::from_le_bytes(first(bytes)), scalar),
    }
}
