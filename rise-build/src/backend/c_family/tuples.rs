//! Tuples as structs.

use crate::types::{DataType, Scalar};

use super::Words;

/// The name of the struct that a tuple is: `tuple_f32_i32`.
pub(super) fn tuple(parts: &[DataType]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("_{}", tuple_part(part))).collect();
    format!("tuple{}", parts.concat())
}

fn tuple_part(ty: &DataType) -> String {
    match ty {
        DataType::Scalar(scalar) => scalar.name().to_owned(),
        DataType::Vector(scalar, lanes) => format!("{scalar}x{lanes}"),
        DataType::Idx(_) => "idx".to_owned(),
        DataType::Nat => "nat".to_owned(),
        DataType::Tuple(parts) => format!("{}_end", tuple(parts)),
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => tuple_part(element),
    }
}

/// How a tuple lies in memory.
pub struct Layout {
    /// Bytes from one to the next.
    pub size: u32,
    /// What it is aligned to.
    pub align: u32,
    /// Where each component begins.
    pub offsets: Vec<u32>,
    /// The components in order of their offsets.
    pub order: Vec<usize>,
}

/// As rustc lays tuples out: the last component stays last; of the others the more aligned come first (arrays
/// count as their size), and of equally aligned ones those with unused bit patterns. Rust does not promise this,
/// so generated code asserts it.
pub fn layout(parts: &[DataType]) -> Layout {
    let extents: Vec<Extent> = parts.iter().map(extent).collect();
    let align = extents.iter().map(|part| part.align).max().unwrap_or(1);
    let any_niche = extents.iter().any(|part| part.niche);
    let mut order: Vec<usize> = (0..parts.len()).collect();
    let movable = order.len().saturating_sub(1);
    order[..movable].sort_by_key(|at| {
        let Extent { size, align: own, niche } = extents[*at];
        let group = own.max(size).trailing_zeros();
        let group = if any_niche { group.min(align.trailing_zeros()) } else { group };
        (std::cmp::Reverse(group), !niche)
    });
    let (mut end, mut offsets) = (0_u32, vec![0; parts.len()]);
    for at in &order {
        offsets[*at] = end.next_multiple_of(extents[*at].align);
        end = offsets[*at] + extents[*at].size;
    }
    Layout { size: end.next_multiple_of(align), align, offsets, order }
}

/// What a component takes.
#[derive(Clone, Copy)]
struct Extent {
    size: u32,
    align: u32,
    /// Whether some of its bit patterns mean nothing.
    niche: bool,
}

fn extent(ty: &DataType) -> Extent {
    let scalars = |scalar: &Scalar, lanes: u32| Extent {
        size: scalar.bytes() * lanes,
        align: scalar.bytes(),
        niche: *scalar == Scalar::Bool,
    };
    match ty {
        DataType::Scalar(scalar) => scalars(scalar, 1),
        DataType::Vector(scalar, lanes) => scalars(scalar, *lanes),
        DataType::Idx(_) => scalars(&Scalar::U32, 1),
        DataType::Nat => scalars(&Scalar::U64, 1),
        DataType::Tuple(parts) => {
            let Layout { size, align, .. } = layout(parts);
            Extent { size, align, niche: parts.iter().any(|part| extent(part).niche) }
        }
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => extent(element),
    }
}

/// The structs that a tuple needs, inner ones first.
///
/// Components lie as rustc lays them out.
pub fn tuple_definitions(parts: &[DataType], words: &Words, out: &mut Vec<(String, String)>) {
    let name = tuple(parts);
    if out.iter().any(|(known, _)| *known == name) {
        return;
    }
    let mut fields = String::new();
    for at in layout(parts).order {
        if let DataType::Tuple(parts) = &parts[at] {
            tuple_definitions(parts, words, out);
        }
        let (ty, lanes) = field(&parts[at], words);
        fields.push_str(&format!("    {ty} _{at}{lanes};\n"));
    }
    out.push((name.clone(), format!("typedef struct {{\n{fields}}} {name};\n")));
}

fn field(ty: &DataType, words: &Words) -> (String, String) {
    match ty {
        DataType::Scalar(ty) => ((words.stored)(*ty).to_owned(), String::new()),
        DataType::Vector(ty, lanes) => ((words.stored)(*ty).to_owned(), format!("[{lanes}]")),
        DataType::Idx(_) => (words.index.to_owned(), String::new()),
        DataType::Nat => (words.natural.to_owned(), String::new()),
        DataType::Tuple(parts) => (tuple(parts), String::new()),
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => field(element, words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nat::Nat;

    const WORDS: Words = Words {
        stored: |scalar| if scalar == Scalar::U8 { "uchar" } else { "float" },
        index: "uint",
        natural: "ulong",
        least: ["", ""],
        long: ["", ""],
        ulong: ["", ""],
    };

    #[test]
    fn tuples_lie_as_in_rust() {
        macro_rules! same {
            ($($ty:ty => $($at:tt),*;)*) => {$(
                let parts = parse(stringify!($ty));
                let found = layout(parts.as_tuple().unwrap());
                assert_eq!(found.offsets, [$(std::mem::offset_of!($ty, $at) as u32),*], stringify!($ty));
                assert_eq!(found.size as usize, size_of::<$ty>(), stringify!($ty));
            )*};
        }
        same! {
            (f32, f32) => 0, 1;
            (i32, i64) => 0, 1;
            (i64, i32) => 0, 1;
            (bool, f64) => 0, 1;
            (u8, i32, i64) => 0, 1, 2;
            (u8, i64, i32) => 0, 1, 2;
            (i64, u8, i32, i16) => 0, 1, 2, 3;
            (u8, bool, u8) => 0, 1, 2;
            (u8, bool, i32, i16) => 0, 1, 2, 3;
            (i8, (i32, i64)) => 0, 1;
            ((i32, i64), u8, (bool, i16)) => 0, 1, 2;
            (u8, [f32; 4], f64) => 0, 1, 2;
            (i32, [u8; 8], bool, u8) => 0, 1, 2, 3;
        }
    }

    /// A type as Rust prints it.
    fn parse(text: &str) -> DataType {
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            let mut parts = vec![String::new()];
            let mut depth = 0;
            for c in inner.chars() {
                depth += match c {
                    '(' | '[' => 1,
                    ')' | ']' => -1,
                    _ => 0,
                };
                match (c, depth) {
                    (',', 0) => parts.push(String::new()),
                    (c, _) => parts.last_mut().unwrap().push(c),
                }
            }
            return DataType::Tuple(parts.iter().map(|part| parse(part)).collect());
        }
        match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            Some(inner) => {
                let (scalar, lanes) = inner.split_once(';').unwrap();
                DataType::Vector(Scalar::from_name(scalar).unwrap(), lanes.trim().parse().unwrap())
            }
            None => DataType::Scalar(Scalar::from_name(text).unwrap()),
        }
    }

    #[test]
    fn tuples_are_structs() {
        let inner = DataType::pair(DataType::Scalar(Scalar::F32), DataType::Idx(Nat::lit(3)));
        let mut out = Vec::new();
        tuple_definitions(&[inner, DataType::Vector(Scalar::U8, 4)], &WORDS, &mut out);
        assert_eq!(out[0].1, "typedef struct {\n    float _0;\n    uint _1;\n} tuple_f32_idx;\n");
        assert!(out[1].1.contains("uchar _1[4];"), "{}", out[1].1);
    }
}
