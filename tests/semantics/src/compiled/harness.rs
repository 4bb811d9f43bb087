// What every batch of random programs has: reading of tasks, and writing of results.

use std::io::{Read, Write};

/// A small value in the caller's memory.
trait Wire: Sized {
    fn get(io: &mut Io) -> Self;
    fn put(&self, out: &mut Vec<u8>);
    fn filler() -> Self;
    fn is_filler(&self) -> bool;
}

macro_rules! wire {
    ($($ty:ident)*) => { $(impl Wire for $ty {
        fn get(io: &mut Io) -> Self { $ty::from_le_bytes(io.taken()) }
        fn put(&self, out: &mut Vec<u8>) { out.extend(self.to_le_bytes()) }
        fn filler() -> Self { $ty::from_le_bytes([0xa5; size_of::<$ty>()]) }
        fn is_filler(&self) -> bool { self.to_le_bytes() == [0xa5; size_of::<$ty>()] }
    })* };
}
wire!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl Wire for bool {
    fn get(io: &mut Io) -> Self { io.taken::<1>() != [0] }
    fn put(&self, out: &mut Vec<u8>) { out.push(u8::from(*self)) }
    fn filler() -> Self { true }
    fn is_filler(&self) -> bool { *self }
}

macro_rules! wire_tuple {
    ($($name:ident $at:tt),*) => { impl<$($name: Wire),*> Wire for ($($name,)*) {
        fn get(io: &mut Io) -> Self { ($($name::get(io),)*) }
        fn put(&self, out: &mut Vec<u8>) { $(self.$at.put(out);)* }
        fn filler() -> Self { ($($name::filler(),)*) }
        fn is_filler(&self) -> bool { $(self.$at.is_filler())&&* }
    } };
}
wire_tuple!(A 0, B 1);
wire_tuple!(A 0, B 1, C 2);
wire_tuple!(A 0, B 1, C 2, D 3);

impl<T: Wire, const N: usize> Wire for [T; N] {
    fn get(io: &mut Io) -> Self { std::array::from_fn(|_| T::get(io)) }
    fn put(&self, out: &mut Vec<u8>) { self.iter().for_each(|lane| lane.put(out)) }
    fn filler() -> Self { std::array::from_fn(|_| T::filler()) }
    fn is_filler(&self) -> bool { self.iter().all(T::is_filler) }
}

/// Memory for a result between guards that nobody may change.
struct Guarded<T>(Vec<T>);

const GUARD: usize = 16;

impl<T> Guarded<T> {
    fn start(&mut self) -> *mut T { unsafe { self.0.as_mut_ptr().add(GUARD) } }
}

struct Io {
    input: std::vec::IntoIter<u8>,
    output: Vec<u8>,
}

impl Io {
    fn taken<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.input.next().expect("tasks are complete"))
    }
    fn natural(&mut self) -> usize { u64::from_le_bytes(self.taken()) as usize }
    fn value<T: Wire>(&mut self) -> T { T::get(self) }
    fn array<T: Wire>(&mut self) -> Vec<T> {
        let len = self.natural();
        // No room behind the end, so that a tool that watches memory sees what is read there.
        let mut array = Vec::with_capacity(len);
        (0..len).for_each(|_| array.push(T::get(self)));
        array
    }
    fn room<T: Wire>(&mut self) -> Guarded<T> {
        let len = self.natural() + 2 * GUARD;
        Guarded((0..len).map(|_| T::filler()).collect())
    }
    fn write<T: Wire>(&mut self, array: Guarded<T>) -> Result<(), String> {
        let inner = GUARD..array.0.len() - GUARD;
        if !array.0[..inner.start].iter().chain(&array.0[inner.end..]).all(T::is_filler) {
            return Err("wrote outside the result".into());
        }
        array.0[inner].iter().for_each(|element| element.put(&mut self.output));
        Ok(())
    }
}

/// Stands for the crate that products are handed to.
mod gemm {
    pub enum Parallelism { Rayon(usize) }

    #[allow(clippy::too_many_arguments)]
    pub unsafe fn gemm<T: Copy + std::ops::Add<Output = T> + std::ops::Mul<Output = T>>(
        m: usize, n: usize, k: usize,
        out: *mut T, out_column: isize, out_row: isize, read_out: bool,
        a: *const T, a_column: isize, a_row: isize,
        b: *const T, b_column: isize, b_row: isize,
        keep: T, add: T, _: bool, _: bool, _: bool, _: Parallelism,
    ) {
        assert!(!read_out, "products are written, not added");
        for i in 0..m as isize {
            for j in 0..n as isize {
                // Nothing is kept of what is there.
                let product = |l: isize| unsafe {
                    *a.offset(i * a_row + l * a_column) * *b.offset(l * b_row + j * b_column)
                };
                let sum = (0..k as isize).fold(keep, |sum, l| sum + add * product(l));
                unsafe { *out.offset(i * out_row + j * out_column) = sum };
            }
        }
    }
}

/// Runs all tasks: for each the number of its program, then sizes, arguments and lengths of results.
fn serve(call: fn(usize, &mut Io) -> Result<(), String>) {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).expect("tasks can be read");
    let mut stdout = std::io::stdout().lock();
    let mut io = Io { input: bytes.into_iter(), output: Vec::new() };
    while io.input.len() > 0 {
        let program = io.natural();
        let len = io.natural();
        let rest = io.input.as_slice()[len..].to_vec();
        io.output.clear();
        let (state, answer) = match call(program, &mut io) {
            Ok(()) => (0u8, std::mem::take(&mut io.output)),
            Err(error) => (1, error.into_bytes()),
        };
        io.input = rest.into_iter();
        stdout.write_all(&[state]).expect("results can be written");
        stdout.write_all(&(answer.len() as u64).to_le_bytes()).expect("results can be written");
        stdout.write_all(&answer).expect("results can be written");
        stdout.flush().expect("results can be written");
    }
}
