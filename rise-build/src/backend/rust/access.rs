//! Reading and writing memory: elements, components of tuples, vectors side by side or at a distance.

use crate::loops::{Access, Cache, Element, LanesPart, Role, Shape, StorePart, Transpose, Value, ValueType};
use crate::nat::Nat;
use crate::types::{DataType, Scalar};

use crate::backend::nat::Tight;

use super::emit::Emitter;
use super::value::{Level, kind};

/// The distances of elements that loads and shuffles fetch, where all between them can be read.
const SHUFFLED: std::ops::RangeInclusive<i64> = -1..=4;

impl Emitter<'_> {
    /// A pointer to the component that the access begins with.
    pub(super) fn pointer(&mut self, access: &Access) {
        let base = self.pointer_name(access.buffer);
        let buffer = self.kernel.buffer(access.buffer);
        let zero = access.index.is_zero();
        if access.path.is_empty() {
            self.out.put(&base);
            if !zero {
                self.out.put(".add(");
                self.nat(&access.index, Tight::Not);
                self.out.put(")");
            }
            return;
        }
        let read_only = matches!(buffer.role, Role::Input | Role::Constant);
        self.out.put(if read_only { "(&raw const " } else { "(&raw mut " });
        self.place(access);
        self.out.put(")");
        if matches!(component(&buffer.element, &access.path), Some(DataType::Vector(..))) {
            self.out.put(".cast()");
        }
    }

    /// Asks for the line of an element that may lie beyond the buffer, or before it.
    pub fn ask(&mut self, access: &Access, cache: Cache) {
        let (ask, end) = match cache {
            Cache::First => ("ask", ");"),
            Cache::Second => ("ask_by_room", ", is_roomy);"),
        };
        self.asks_for_room += usize::from(cache == Cache::Second);
        let base = self.pointer_name(access.buffer);
        self.out.begin();
        self.out.put(&format!("{ask}({base}, "));
        match self.known.nonneg(&access.index) {
            true => self.nat(&access.index, Tight::Not),
            false => {
                self.out.put("(");
                self.nat_writer().signed(&access.index, Tight::Not);
                self.out.put(") as usize");
            }
        }
        self.out.end(end);
    }

    /// The element itself, as a place.
    pub fn place(&mut self, access: &Access) {
        let base = self.pointer_name(access.buffer);
        self.grouped(!access.path.is_empty(), |e| {
            e.out.put("*");
            e.out.put(&base);
            if !access.index.is_zero() {
                e.out.put(".add(");
                e.nat(&access.index, Tight::Not);
                e.out.put(")");
            }
        });
        for step in &access.path {
            self.out.put(&format!(".{step}"));
        }
    }

    /// Whether the elements that a vector access covers lie side by side.
    fn is_contiguous(&self, access: &Access) -> bool {
        let element = &self.kernel.buffer(access.buffer).element;
        access.path.is_empty() || matches!(component(element, &access.path), Some(DataType::Vector(..)))
    }

    fn scalar_of(&self, access: &Access) -> Scalar {
        match &self.kernel.buffer(access.buffer).element {
            Element::Scalar(scalar) => *scalar,
            Element::Index => Scalar::U32,
            element @ Element::Tuple(_) => {
                component(element, &access.path).and_then(DataType::scalar).unwrap_or(Scalar::U32)
            }
        }
    }

    pub fn load(&mut self, access: &Access, level: Level) {
        if access.lanes == 1 {
            return self.grouped(level > Level::Product, |e| e.place(access));
        }
        if !self.is_contiguous(access) {
            return self.gather(access, &Nat::lit(1), access.lanes);
        }
        let ty = ValueType { scalar: self.scalar_of(access), lanes: access.lanes };
        let vector = self.vector(ty);
        // Masks are small.
        let is_ahead = access.streams && ty.scalar != Scalar::Bool;
        self.asks_for_room += usize::from(is_ahead);
        let (load, end) = if is_ahead { ("load_ahead", ", is_roomy)") } else { ("load", ")") };
        self.out.put(&format!("{vector}::{load}("));
        self.pointer(access);
        self.out.put(end);
    }

    pub fn gather(&mut self, access: &Access, stride: &Nat, lanes: u32) {
        let ty = ValueType { scalar: self.scalar_of(access), lanes };
        if let Some(numbers) = self.numbers(access) {
            let vector = self.vector(ty);
            let distance = stride * numbers;
            // What lies between the caller's elements has been written as well.
            let is_whole = matches!(self.kernel.buffer(access.buffer).role, Role::Input | Role::Constant);
            let known = distance.as_const().filter(|distance| is_whole && SHUFFLED.contains(distance));
            if let Some(distance) = known {
                self.out.put(&format!("{vector}::gather_by::<{distance}>("));
                self.pointer(access);
                return self.out.put(")");
            }
            self.out.put(&format!("{vector}::gather("));
            self.pointer(access);
            self.out.put(", ");
            self.nat_writer().signed(&distance, Tight::Not);
            return self.out.put(")");
        }
        let lane = |lane: u32| {
            let index = &access.index + stride * i64::from(lane);
            Value::Load(Access { index, lanes: 1, ..access.clone() })
        };
        let lanes: Vec<Value> = (0..lanes).map(lane).collect();
        self.lanes(ty, &lanes);
    }

    /// How many numbers an element of the buffer is, if all are of one type, so that they lie one behind the other.
    fn numbers(&self, access: &Access) -> Option<i64> {
        fn count(ty: &DataType, scalar: Scalar) -> Option<i64> {
            match ty {
                DataType::Scalar(other) => (*other == scalar).then_some(1),
                DataType::Tuple(parts) => parts.iter().map(|part| count(part, scalar)).sum(),
                _ => None,
            }
        }
        match &self.kernel.buffer(access.buffer).element {
            Element::Tuple(parts) => parts.iter().map(|part| count(part, self.scalar_of(access))).sum(),
            _ => Some(1),
        }
    }

    /// Remembers where there are writes past the cache.
    fn streamed(&mut self, access: &Access) {
        if access.streams && !self.streams.contains(&self.large) {
            self.streams.push(self.large.clone());
        }
    }

    /// The statement that writes a value.
    pub fn store(&mut self, access: &Access, value: &Value) {
        if access.lanes > 1 && self.is_contiguous(access) {
            let ty = ValueType { scalar: self.scalar_of(access), lanes: access.lanes };
            self.streamed(access);
            let store = if access.streams { "stream" } else { "store" };
            self.out.put(&format!("{}::{store}(", kind(ty)));
            self.value(value, Level::Any);
            self.out.put(", ");
            self.pointer(access);
            return self.out.put(");");
        }
        if access.lanes > 1 {
            return self.store_lanes(access, value);
        }
        self.place(access);
        self.out.put(" = ");
        if self.is_index(access) {
            self.nat_value(value, Level::Product);
            self.out.put(" as u32");
        } else if let Value::Nat(nat) = value {
            self.from_nat(self.scalar_of(access), nat, Level::Any);
        } else {
            self.value(value, Level::Any);
        }
        self.out.put(";");
    }

    /// The statement that writes some lanes of a value.
    pub fn store_part(&mut self, StorePart { to, value, part }: &StorePart) {
        let ty = ValueType { scalar: self.scalar_of(to), lanes: to.lanes };
        let store = match part {
            LanesPart::Until(_) => "store_until",
            LanesPart::From(_) => "store_from",
        };
        self.out.begin();
        self.out.put(&format!("{}::{store}(", kind(ty)));
        self.value(value, Level::Any);
        self.out.put(", ");
        self.pointer(to);
        self.out.put(", ");
        self.nat(part.bound(), Tight::Not);
        self.out.end(");");
    }

    /// How far it is to where vectors lie in one line of the cache.
    pub fn to_line(&mut self, access: &Access, count: &Nat) {
        self.out.put("private::to_line(");
        self.pointer(access);
        self.out.put(&format!(", {}, ", access.lanes));
        self.nat(count, Tight::Not);
        self.out.put(")");
    }

    /// Copies a square or a slant through registers.
    pub fn transpose(&mut self, transpose: &Transpose) {
        let Transpose { from, to, strides, side, shape } = transpose;
        self.streamed(to);
        let function = match (shape, to.streams) {
            (Shape::Square, false) if self.is_a_copy(transpose) => "transpose_by_call",
            (Shape::Square, false) => "transpose_tile",
            (Shape::Square, true) => "transpose_past",
            (Shape::Slant, false) => "transpose_slant",
            (Shape::Slant, true) => "transpose_slant_past",
        };
        let ty = ValueType { scalar: self.scalar_of(from), lanes: *side };
        self.vectors.insert((ty.scalar, ty.lanes));
        self.out.begin();
        let vector = self.register(ty);
        self.out.put(&format!("private::{function}::<{vector}>("));
        for (position, (access, stride)) in [from, to].into_iter().zip(strides).enumerate() {
            self.out.put(if position == 0 { "" } else { ", " });
            self.pointer(access);
            self.out.put(", ");
            self.nat_writer().signed(stride, Tight::Not);
        }
        self.out.end(");");
    }

    /// Whether it copies to a temporary what is not at hand: it is read so often that a call takes no time beside that.
    fn is_a_copy(&self, Transpose { from, to, .. }: &Transpose) -> bool {
        let role = |access: &Access| self.kernel.buffer(access.buffer).role;
        role(to) == Role::Heap && role(from) != Role::Stack
    }

    fn store_lanes(&mut self, access: &Access, value: &Value) {
        let ty = ValueType { scalar: self.scalar_of(access), lanes: access.lanes };
        let lanes = self.names.local("lanes");
        self.out.put(&format!("let {lanes} = "));
        self.value(value, Level::Any);
        self.out.put(";");
        for lane in 0..access.lanes {
            self.out.put(" ");
            let index = &access.index + i64::from(lane);
            self.place(&Access { index, lanes: 1, ..access.clone() });
            self.out.put(&format!(" = {}::lane({lanes}, {lane});", kind(ty)));
        }
    }

    /// Whether an element is an index of the caller's, a `u32`.
    fn is_index(&self, access: &Access) -> bool {
        match &self.kernel.buffer(access.buffer).element {
            Element::Index => true,
            Element::Scalar(_) => false,
            element @ Element::Tuple(_) => {
                matches!(component(element, &access.path), Some(DataType::Idx(_) | DataType::Nat))
            }
        }
    }
}

/// The component of a tuple element that a path leads to.
fn component<'t>(element: &'t Element, path: &[usize]) -> Option<&'t DataType> {
    let Element::Tuple(parts) = element else { return None };
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(parts.get(*first)?, |ty, step| ty.as_tuple()?.get(*step))
}
