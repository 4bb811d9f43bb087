//! Vectors of every width on every instruction set, against scalars.

use super::*;

/// How many vectors each function is tried on.
const ROUNDS: usize = 24;

/// The lanes of a vector. (What follows is generic over their type alone, to be compiled once for all widths.)
fn lanes<V: Simd>(v: V) -> Vec<V::Elem> {
    (0..V::LANES).map(|i| v.lane(i)).collect()
}

#[track_caller]
fn compare<T: Sample>(what: &str, got: &[T], expected: &[T], args: &[&[T]]) {
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        let args = args.iter().map(|a| a[i]).collect::<Vec<_>>();
        assert!(got.same(*expected), "{what}{args:?} is {got:?}, expected {expected:?}, in lane {i}");
    }
}

fn compare_1<T: Sample>(what: &str, got: &[T], f: fn(T) -> T, a: &[T]) {
    compare(what, got, &a.iter().map(|a| f(*a)).collect::<Vec<_>>(), &[a]);
}

fn compare_2<T: Sample>(what: &str, got: &[T], f: fn(T, T) -> T, a: &[T], b: &[T]) {
    compare(what, got, &a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect::<Vec<_>>(), &[a, b]);
}

/// The name of a vector's function, with that vector's type.
macro_rules! name {
    ($v:ident $name:ident) => {
        concat!(stringify!($name), " of ").to_owned() + std::any::type_name::<$v>() + " "
    };
}

/// `$trait::$name` of one or two vectors, and of their lanes.
macro_rules! lanewise {
    ($v:ident $t:ty: $($trait:ident $a:ident $b:ident: $($one:ident)* , $($two:ident)*;)*) => {$(
        $(compare_1(&name!($v $one), &lanes($trait::$one($a)), <$t as $trait>::$one, &lanes($a));)*
        $(compare_2(&name!($v $two), &lanes($trait::$two($a, $b)), <$t as $trait>::$two, &lanes($a), &lanes($b));)*
    )*};
}

fn check_simd<V: Simd<Elem: Sample>>() {
    let values = &mut Values::new(1);
    for _ in 0..ROUNDS {
        let (a, b): (V, V) = (values.vector(), values.vector());
        let x = lanes(a);
        lanewise! { V V::Elem: Simd a b: neg abs, add sub mul div rem min max; }
        check_comparisons(a, b);
        check_comparisons(a, a);
        check_memory(a);
        check_shuffles(a, b);
        let (lower, upper) = a.halves();
        compare("join", &lanes(V::join(lower, upper)), &x, &[]);
        compare("lower half", &lanes(lower), &x[..V::Half::LANES], &[]);
        compare("upper half", &lanes(upper), &x[V::LANES - V::Half::LANES..], &[]);
        compare("splat", &lanes(V::splat(x[0])), &vec![x[0]; V::LANES], &[]);
    }
    compare("iota", &lanes(V::iota()), &(0..V::LANES).map(Element::from_usize).collect::<Vec<_>>(), &[]);
    check_folds::<V>(values);
}

fn check_comparisons<V: Simd<Elem: Sample>>(a: V, b: V) {
    let (x, y) = (lanes(a), lanes(b));
    let both = |f: fn(&V::Elem, &V::Elem) -> bool| {
        x.iter().zip(&y).enumerate().map(|(i, (x, y))| u64::from(f(x, y)) << i).sum::<u64>()
    };
    let name = std::any::type_name::<V>();
    assert_eq!(a.eq(b).bits(), both(|x, y| x == y), "eq of {name}");
    assert_eq!(a.ne(b).bits(), both(|x, y| x != y), "ne of {name}");
    assert_eq!(a.lt(b).bits(), both(|x, y| x < y), "lt of {name}");
    assert_eq!(a.le(b).bits(), both(|x, y| x <= y), "le of {name}");
    assert_eq!(a.gt(b).bits(), both(|x, y| x > y), "gt of {name}");
    assert_eq!(a.ge(b).bits(), both(|x, y| x >= y), "ge of {name}");
    let select = V::select(a.ge(b), a, b);
    compare_2(&name!(V select), &lanes(select), |x, y| if x >= y { x } else { y }, &x, &y);
    compare_2(&name!(V if_lt), &lanes(a.if_lt(b, b, a)), |x, y| if x < y { y } else { x }, &x, &y);
    compare_2(&name!(V if_le), &lanes(a.if_le(b, b, a)), |x, y| if x <= y { y } else { x }, &x, &y);
    compare_2(&name!(V if_eq), &lanes(a.if_eq(b, b, a)), |x, y| if x == y { y } else { x }, &x, &y);
}

fn check_memory<V: Simd<Elem: Sample>>(a: V) {
    let (n, x) = (V::LANES, lanes(a));
    let source = x.repeat(4);
    let every = |start: usize, step: isize| {
        (0..n).map(|i| source[start.wrapping_add_signed(i as isize * step)]).collect::<Vec<_>>()
    };
    let mut out = vec![V::Elem::ZERO; 3 * n];
    // SAFETY: everything lies within the vectors, which have room for at least three.
    unsafe {
        compare("load", &lanes(V::load(source.as_ptr().add(1))), &every(1, 1), &[]);
        compare("gather", &lanes(V::gather(source.as_ptr().add(1), 2)), &every(1, 2), &[]);
        compare("gather", &lanes(V::gather(source.as_ptr().add(n), -1)), &every(n, -1), &[]);
        a.store(out.as_mut_ptr().add(1));
        compare("store", &out[1..=n], &x, &[]);
        a.scatter(out.as_mut_ptr(), 3);
        compare("scatter", &out.iter().step_by(3).copied().collect::<Vec<_>>(), &x, &[]);
        for count in 0..=n {
            let zeros = vec![V::Elem::ZERO; n - count];
            let part = lanes(V::load_partial(source.as_ptr(), count));
            compare("load_partial", &part, &[&x[..count], &zeros].concat(), &[]);
            out.fill(V::Elem::ZERO);
            a.store_partial(out.as_mut_ptr(), count);
            compare("store_partial", &out[..n], &part, &[]);
        }
        // Also bounds beyond the last lane.
        for bound in 0..n + 2 {
            let (in_lanes, zeros) = (bound.min(n), vec![V::Elem::ZERO; n]);
            out.fill(V::Elem::ZERO);
            a.store_until(out.as_mut_ptr().add(n + 1), bound);
            compare("store_until", &out[n + 1..=2 * n], &[&x[..in_lanes], &zeros[in_lanes..]].concat(), &[]);
            out.fill(V::Elem::ZERO);
            a.store_from(out.as_mut_ptr().add(n + 1), bound);
            compare("store_from", &out[n + 1..=2 * n], &[&zeros[..in_lanes], &x[in_lanes..]].concat(), &[]);
            assert!(out[..=n].iter().chain(&out[2 * n + 1..]).all(|zero| *zero == V::Elem::ZERO));
        }
        compare("load_ahead", &lanes(V::load_ahead(source.as_ptr(), true)), &x, &[]);
        // Some of these places are aligned and some are not.
        let mut past = vec![V::Elem::ZERO; 3 * n];
        for start in 0..=2 * n {
            past.fill(V::Elem::ZERO);
            a.stream(past.as_mut_ptr().add(start));
            crate::memory::fence();
            compare("stream", &past[start..start + n], &x, &[]);
            assert!(past[..start].iter().chain(&past[start + n..]).all(|zero| *zero == V::Elem::ZERO));
        }
    }
    compare("from_lanes", &lanes(V::from_lanes(&x)), &x, &[]);
    let mut replaced = x.clone();
    replaced[n / 2] = V::Elem::ONE;
    compare("with_lane", &lanes(a.with_lane(n / 2, V::Elem::ONE)), &replaced, &[]);
}

fn check_shuffles<V: Simd<Elem: Sample>>(a: V, b: V) {
    let (n, x, y) = (V::LANES, lanes(a), lanes(b));
    // As long as the widest stride reaches and no longer, so that reading beyond would be found.
    let source = x.iter().chain(&y).copied().cycle().take(4 * n).collect::<Vec<_>>();
    let every = |from: usize, stride: isize| {
        (0..n).map(|i| source[from.wrapping_add_signed(i as isize * stride)]).collect::<Vec<_>>()
    };
    let mut alternating = x.iter().zip(&y).flat_map(|(x, y)| [*x, *y]).collect::<Vec<_>>();
    let (lower, upper) = a.interleave(b);
    if n == 1 {
        alternating = vec![x[0], y[0]];
    }
    compare("interleave", &[lanes(lower), lanes(upper)].concat(), &alternating, &[]);
    let from = source.as_ptr();
    // SAFETY: `4·(n − 1)` and all before it are within the vector.
    unsafe {
        compare("gather_by", &lanes(V::gather_by::<-1>(from.add(n - 1))), &every(n - 1, -1), &[]);
        compare("gather_by", &lanes(V::gather_by::<0>(from)), &every(0, 0), &[]);
        compare("gather_by", &lanes(V::gather_by::<1>(from)), &every(0, 1), &[]);
        compare("gather_by", &lanes(V::gather_by::<2>(from)), &every(0, 2), &[]);
        compare("gather_by", &lanes(V::gather_by::<3>(from)), &every(0, 3), &[]);
        compare("gather_by", &lanes(V::gather_by::<4>(from)), &every(0, 4), &[]);
        compare("gather_by", &lanes(V::gather_by::<-2>(from.add(2 * n))), &every(2 * n, -2), &[]);
    }
}

fn check_transposed<V: Simd<Elem: Sample>, const N: usize>() {
    let source = (0..N * N).map(Element::from_usize).collect::<Vec<V::Elem>>();
    let mut out = vec![V::Elem::ZERO; N * N];
    // SAFETY: both hold `N` rows of `N`.
    unsafe { shuffle::transpose_tile::<V>(source.as_ptr(), N as isize, out.as_mut_ptr(), N as isize) };
    let expected = (0..N * N).map(|i| source[i % N * N + i / N]).collect::<Vec<_>>();
    compare("transposed", &out, &expected, &[]);
    out.fill(V::Elem::ZERO);
    // SAFETY: as above.
    unsafe { shuffle::transpose_by_call::<V>(source.as_ptr(), N as isize, out.as_mut_ptr(), N as isize) };
    compare("transposed by a call", &out, &expected, &[]);
    let (last, stride) = ((N - 1) * N, -(N as isize));
    // SAFETY: both hold `N` rows of `N`, the last of which is the first here.
    unsafe { shuffle::transpose_tile::<V>(source[last..].as_ptr(), stride, out.as_mut_ptr(), N as isize) };
    let expected = (0..N * N).map(|i| source[(N - 1 - i % N) * N + i / N]).collect::<Vec<_>>();
    compare("transposed, bottom to top", &out, &expected, &[]);
    // SAFETY: as above.
    unsafe { shuffle::transpose_tile::<V>(source.as_ptr(), N as isize, out[last..].as_mut_ptr(), stride) };
    let expected = (0..N * N).map(|i| source[i % N * N + N - 1 - i / N]).collect::<Vec<_>>();
    compare("transposed, to bottom to top", &out, &expected, &[]);
    let mut past = vec![V::Elem::ZERO; N * N + 64];
    let line = past.as_ptr().align_offset(64);
    // SAFETY: as above.
    unsafe {
        shuffle::transpose_past::<V>(source.as_ptr(), N as isize, past[line..].as_mut_ptr(), N as isize);
    };
    crate::memory::fence();
    let expected = (0..N * N).map(|i| source[i % N * N + i / N]).collect::<Vec<_>>();
    compare("transposed, past the cache", &past[line..line + N * N], &expected, &[]);
}

/// A slant of the transpose of a matrix whose rows are as far apart as those of the result, and one that is written past the
/// cache, where lines begin as its rows do.
fn check_slanted<V: Simd<Elem: Sample>, const N: usize>() {
    let (columns, apart) = (4 * N + 1, 64 + 1);
    let source = (0..columns * apart).map(|i| Element::from_usize(i % 100)).collect::<Vec<V::Elem>>();
    let mut out = vec![V::Elem::ZERO; 2 * N * apart + 64];
    let line = out.as_ptr().align_offset(64);
    // Beginning in this row and column of the matrix.
    let [row, column] = [2 * N + 1, 2];
    let mut expected = out.clone();
    for i in 0..2 * N {
        for j in 0..N {
            expected[line + i * apart + 2 * N + j - i] = source[(row + j - i) * apart + column + i];
        }
    }
    for past in [false, true] {
        out.fill(V::Elem::ZERO);
        let (from, to) = (&source[row * apart + column], &raw mut out[line + 2 * N]);
        let (from, apart) = (&raw const *from, apart as isize);
        // SAFETY: rows from `row - 2N + 1` to `row + N - 1` are there, and all that is written.
        unsafe {
            match past {
                false => shuffle::transpose_slant::<V>(from, apart, to, apart),
                true => shuffle::transpose_slant_past::<V>(from, apart, to, apart),
            }
        }
        crate::memory::fence();
        compare("slanted", &out, &expected, &[]);
    }
}

fn transpositions<S: Isa>() {
    check_slanted::<V<S, f64, 8>, 8>();
    check_slanted::<V<S, f32, 16>, 16>();
    check_slanted::<V<S, i32, 16>, 16>();
    check_slanted::<V<S, u64, 8>, 8>();
    check_slanted::<V<S, f32, 4>, 4>();
    check_transposed::<V<S, f64, 2>, 2>();
    check_transposed::<V<S, f32, 4>, 4>();
    check_transposed::<V<S, f64, 8>, 8>();
    check_transposed::<V<S, f32, 16>, 16>();
    check_transposed::<V<S, u8, 16>, 16>();
    check_transposed::<V<S, u16, 16>, 16>();
    check_transposed::<V<S, i32, 8>, 8>();
}

#[test]
fn squares_are_transposed() {
    on_each_isa!(transpositions);
}

/// Folds of whole numbers, of which no order rounds or overflows in a way of its own: small ones, or any integers.
fn check_folds<V: Simd<Elem: Sample>>(values: &mut Values) {
    let all = (0..V::LANES).map(|_| V::Elem::exact(values.bits())).collect::<Vec<_>>();
    let v = V::from_lanes(&all);
    let fold = |f: fn(V::Elem, V::Elem) -> V::Elem| all[1..].iter().fold(all[0], |a, b| f(a, *b));
    assert!(v.reduce_add().same(fold(Simd::add)));
    assert!(v.reduce_mul().same(fold(Simd::mul)));
    assert!(v.reduce_min().same(fold(Simd::min)));
    assert!(v.reduce_max().same(fold(Simd::max)));
}

fn check_gather<V: Simd<Elem: Sample>, I: Simd<Elem = u32, Mask = V::Mask>>() {
    let values = &mut Values::new(5);
    let source = (0..1000).map(|_| values.next()).collect::<Vec<V::Elem>>();
    let indices = (0..I::LANES).map(|_| values.bits() as u32 % 1000).collect::<Vec<_>>();
    // SAFETY: all indices are within the vector.
    let got = unsafe { V::gather_at(source.as_ptr(), I::from_lanes(&indices)) };
    compare("gather_at", &lanes(got), &indices.iter().map(|i| source[*i as usize]).collect::<Vec<_>>(), &[]);
}

fn check_int<T: Sample + Int<LowerHalf = T>, V: Int<Elem = T>>() {
    check_simd::<V>();
    let values = &mut Values::new(2);
    for _ in 0..ROUNDS {
        let (a, b): (V, V) = (values.vector(), values.vector());
        lanewise! { V T: Int a b: not, and or xor shl shr; }
    }
}

fn check_float<T: Sample + Float<LowerHalf = T>, V: Float<Elem = T>>() {
    check_simd::<V>();
    let values = &mut Values::new(3);
    for _ in 0..ROUNDS {
        let (a, b, c): (V, V, V) = (values.vector(), values.vector(), values.vector());
        let (x, y) = (lanes(a), lanes(b));
        lanewise! { V T: Float a b: sqrt floor ceil trunc round rsqrt, ; }
        let fused = x.iter().zip(&y).zip(lanes(c)).map(|((x, y), z)| T::fma(*x, *y, z)).collect::<Vec<_>>();
        compare(&name!(V fma), &lanes(a.fma(b, c)), &fused, &[&x, &y, &lanes(c)]);
        compare("bits", &lanes(V::from_bits(a.to_bits())), &x, &[]);
    }
}

fn check_cast<A: Simd<Elem: Sample>, B: Simd<Elem: Sample, Mask = A::Mask>>() {
    let values = &mut Values::new(4);
    for _ in 0..ROUNDS {
        let a: A = values.vector();
        compare_casts(std::any::type_name::<A>(), &lanes(a), &lanes(a.cast::<B>()));
    }
}

fn compare_casts<T: Sample, U: Sample>(of: &str, from: &[T], to: &[U]) {
    for (from, got) in from.iter().zip(to) {
        let expected = from.as_element::<U>();
        let to = std::any::type_name::<U>();
        assert!(got.same(expected), "{from:?} as {to} is {got:?}, expected {expected:?} ({of})");
    }
}

fn check_mask<M: Mask>() {
    let values = &mut Values::new(6);
    let all = if M::LANES == 64 { u64::MAX } else { (1 << M::LANES) - 1 };
    assert_eq!((M::splat(true).bits(), M::splat(false).bits()), (all, 0));
    for count in 0..=M::LANES {
        assert_eq!(M::first(count).bits().count_ones() as usize, count);
        assert_eq!(M::first(count).not().bits(), all & !M::first(count).bits());
    }
    for _ in 0..ROUNDS {
        let (a, b) = (values.bits() & all, values.bits() & all);
        let (x, y) = (M::from_bits(a), M::from_bits(b | !all));
        assert_eq!((x.bits(), x.and(y).bits(), x.or(y).bits()), (a, a & b, a | b));
        assert_eq!((x.xor(y).bits(), x.not().bits()), (a ^ b, all & !a));
        assert_eq!(M::select(x, y, x).bits(), a & b);
        assert_eq!((x.any(), x.all()), (a != 0, a == all));
        assert!((0..M::LANES).all(|i| x.lane(i) == (a >> i & 1 != 0)));
        let (lower, upper) = x.halves();
        assert_eq!(M::join(lower, upper).bits(), a);
        let bools = (0..2 * M::LANES).map(|i| a >> (i / 2) & 1 != 0).collect::<Vec<_>>();
        let mut out = vec![false; M::LANES];
        // SAFETY: as many truth values as are read and written.
        unsafe {
            assert_eq!(M::gather(bools.as_ptr(), 2).bits(), a);
            x.store(out.as_mut_ptr());
            assert!((0..M::LANES).all(|i| out[i] == x.lane(i)));
            assert_eq!(M::load(out.as_ptr()).bits(), a);
        }
    }
    assert!(M::splat(true).all() && !M::splat(false).any());
}

fn check_half<M: Mask, H: Mask>() {
    let values = &mut Values::new(7);
    for _ in 0..ROUNDS {
        let mask = M::from_bits(values.bits());
        let (lower, upper) = mask.halves();
        assert_eq!(mask.half::<H>(false).bits(), lower.bits());
        assert_eq!(mask.half::<H>(true).bits(), upper.bits());
    }
}

fn masks<S: Isa>() {
    check_half::<V<S, bool, 4>, V<S, bool, 2>>();
    check_half::<V<S, bool, 8>, V<S, bool, 4>>();
    check_half::<V<S, bool, 16>, V<S, bool, 8>>();
    check_half::<V<S, bool, 32>, V<S, bool, 16>>();
    check_half::<V<S, bool, 64>, V<S, bool, 32>>();
    check_mask::<V<S, bool, 1>>();
    check_mask::<V<S, bool, 2>>();
    check_mask::<V<S, bool, 4>>();
    check_mask::<V<S, bool, 8>>();
    check_mask::<V<S, bool, 16>>();
    check_mask::<V<S, bool, 32>>();
    check_mask::<V<S, bool, 64>>();
}

fn operations_of<S: Width<N>, const N: usize>() {
    check_float::<f32, V<S, f32, N>>();
    check_float::<f64, V<S, f64, N>>();
    check_int::<i8, V<S, i8, N>>();
    check_int::<i16, V<S, i16, N>>();
    check_int::<i32, V<S, i32, N>>();
    check_int::<i64, V<S, i64, N>>();
    check_int::<u8, V<S, u8, N>>();
    check_int::<u16, V<S, u16, N>>();
    check_int::<u32, V<S, u32, N>>();
    check_int::<u64, V<S, u64, N>>();
    check_gather::<V<S, f32, N>, V<S, u32, N>>();
    check_gather::<V<S, f64, N>, V<S, u32, N>>();
    check_gather::<V<S, i32, N>, V<S, u32, N>>();
    check_gather::<V<S, u64, N>, V<S, u32, N>>();
    check_gather::<V<S, u8, N>, V<S, u32, N>>();
}

fn casts_from<S: Width<N>, const N: usize, A: Simd<Elem: Sample, Mask = <S as Width<N>>::Mask>>() {
    check_cast::<A, V<S, f32, N>>();
    check_cast::<A, V<S, f64, N>>();
    check_cast::<A, V<S, i8, N>>();
    check_cast::<A, V<S, i16, N>>();
    check_cast::<A, V<S, i32, N>>();
    check_cast::<A, V<S, i64, N>>();
    check_cast::<A, V<S, u8, N>>();
    check_cast::<A, V<S, u16, N>>();
    check_cast::<A, V<S, u32, N>>();
    check_cast::<A, V<S, u64, N>>();
}

fn casts_of<S: Width<N>, const N: usize>() {
    casts_from::<S, N, V<S, f32, N>>();
    casts_from::<S, N, V<S, f64, N>>();
    casts_from::<S, N, V<S, i8, N>>();
    casts_from::<S, N, V<S, i16, N>>();
    casts_from::<S, N, V<S, i32, N>>();
    casts_from::<S, N, V<S, i64, N>>();
    casts_from::<S, N, V<S, u8, N>>();
    casts_from::<S, N, V<S, u16, N>>();
    casts_from::<S, N, V<S, u32, N>>();
    casts_from::<S, N, V<S, u64, N>>();
}

/// All types at the widths of most registers; beyond, those that have a register of that width somewhere, and some
/// that are always two halves.
fn operations<S: Isa>() {
    check_float::<f64, V<S, f64, 2>>();
    check_int::<i64, V<S, i64, 2>>();
    check_int::<u8, V<S, u8, 2>>();
    operations_of::<S, 4>();
    operations_of::<S, 8>();
    operations_of::<S, 16>();
    check_int::<i16, V<S, i16, 32>>();
    check_int::<u16, V<S, u16, 32>>();
    check_int::<i8, V<S, i8, 32>>();
    check_int::<u8, V<S, u8, 32>>();
    check_int::<i8, V<S, i8, 64>>();
    check_int::<u8, V<S, u8, 64>>();
    check_float::<f32, V<S, f32, 64>>();
}

/// All pairs of types at the widths that convert in registers, and some beyond.
fn casts<S: Isa>() {
    casts_of::<S, 4>();
    casts_of::<S, 8>();
    casts_of::<S, 16>();
    casts_from::<S, 2, V<S, f64, 2>>();
    casts_from::<S, 32, V<S, u8, 32>>();
}

#[test]
fn masks_are_lanes_of_truth() {
    on_each_isa!(masks);
}

#[test]
fn vectors_do_in_each_lane_what_scalars_do() {
    on_each_isa!(operations);
}

#[test]
fn casts_are_those_of_scalars() {
    on_each_isa!(casts);
}
