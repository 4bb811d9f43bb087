//! What crosses the border between a caller and a kernel: sizes, tuples, vectors, indices, errors, names.

#![forbid(unsafe_code)]
#![deny(missing_docs, warnings)]

use rise::{Array, Error, rise};

rise! {
    /// Every second element; `n` follows from `2n + 1`.
    pub fn evens<n: Nat>(x: [f32; 2 * n + 1]) -> [f32; n + 1] {
        x |> slide(1, 2) |> map(|w| w[0])
    }

    /// `n` follows from `y`, then `m` from `x`.
    pub fn later<n: Nat, m: Nat>(x: [i32; n + m], y: [i32; n]) -> ([i32; n], [i32; m]) {
        (zip(take(n, x), y) |> map(|(a, b)| a + b), drop(n, x) |> map(|a| a * 2))
    }

    /// A size that nothing determines.
    pub fn numbers<n: Nat>(from: i32) -> [i32; n] {
        generate(|i| from + i as i32)
    }

    /// Several results.
    pub fn both<n: Nat, m: Nat>(x: [[i32; m]; n]) -> (i32, [[i32; n]; m]) {
        (join(x) |> reduce(add, 0), transpose(x) |> map(map(|a| -a)))
    }

    /// A tuple of arrays and a scalar.
    pub fn tupled<n: Nat>(p: ([f32; n], (f32, [f32; n]))) -> [f32; n] {
        zip(p.0, p.1.1) |> map(|(a, b)| a + p.1.0 * b)
    }

    /// An array of tuples, there and back.
    pub fn swapped<n: Nat>(x: [(f32, i32); n]) -> [(i32, f32); n] {
        x |> map(|(a, b)| (b + 1, a * 2.0))
    }

    /// Indices in an array.
    pub fn picked<n: Nat, m: Nat>(at: [Idx[n]; m], x: [f64; n]) -> [f64; m] {
        gather(at, x) |> map(|a| a + 0.5)
    }

    /// One index.
    pub fn one<n: Nat>(i: Idx[n], x: [u8; n]) -> u8 {
        x[i]
    }

    /// An index in a tuple, and an index as result.
    pub fn found<n: Nat>(p: (Idx[n], i32), x: [i32; n]) -> (Idx[n], [Idx[n]; 2]) {
        let i = (x[p.0] + p.1) as Idx[n];
        (i, [p.0, i])
    }

    /// A natural as a value.
    pub fn times<k: Nat, n: Nat>(x: [u32; n]) -> [u32; n] {
        x |> map(|x| x * (k as u32))
    }

    /// Indices in tuples.
    pub fn edges<n: Nat, m: Nat>(e: [(Idx[n], f32); m], x: [f32; n]) -> [f32; m] {
        e |> map(|e| x[e.0] * e.1)
    }

    /// A small tuple of a vector.
    pub fn small(p: (Simd<i32, 4>, bool)) -> (bool, Simd<i32, 4>) {
        (!p.1, p.0 + p.0)
    }

    /// Short vectors.
    pub fn quads<n: Nat>(a: Simd<f32, 4>, x: [Simd<f32, 4>; n]) -> [Simd<f32, 4>; n] {
        x |> map(|v| v * a)
    }

    /// A demand on sizes.
    pub fn blocks<n: Nat>(x: [i32; n]) -> [[i32; 4]; n / 4] where n % 4 == 0 {
        x |> split(4) |> map(map(|a| a + 1))
    }

    /// Names that Rust keeps for itself, or that the wrapper uses.
    pub fn r#match<n: Nat>(r#type: i32, out: [i32; n]) -> [i32; n] {
        out |> map(|x| x + r#type)
    }

    /// Truth values.
    pub fn less<n: Nat>(x: [i32; n], flags: [bool; n]) -> [bool; n] {
        zip(x, flags) |> map(|(x, flag)| x < 3 && flag)
    }

    /// Whole numbers wrap, and nothing divides by zero.
    pub fn quotients<n: Nat>(a: [i32; n], b: [i32; n]) -> [(i32, i32); n] {
        zip(a, b) |> map(|(a, b)| (a / b, a % b))
    }

    /// A loop over more than there is memory.
    pub fn product<n: Nat, m: Nat>() -> u64 {
        generate(|i: Idx[n * m]| (i % 3) as u64) |> reduce(add, 0)
    }

    /// A size as a value, where no loop is as long.
    pub fn weight<n: Nat, m: Nat>(x: [f32; n]) -> f64 { (n * m * m) as f64 }

    pub(crate) fn hidden<n: Nat>(x: [f32; n]) -> f32 { x |> reduce(max, 0.0) }
}

fn text<T>(result: Result<T, Error>) -> String {
    result.map_or_else(|error| error.to_string(), |_| "no error".into())
}

#[test]
fn sizes_are_found_and_checked() -> Result<(), Error> {
    assert_eq!(evens(&[1.0, 2.0, 3.0, 4.0, 5.0])?, [1.0, 3.0, 5.0]);
    assert_eq!(text(evens(&[1.0, 2.0])), "`x`: dimension 0 is 2, expected 2 * n + 1");
    assert_eq!(later(&[1, 2, 3], &[10, 20])?, (vec![11, 22], vec![6]));
    assert_eq!(text(later(&[1], &[10, 20])), "`x`: dimension 0 is 1, expected n + m");
    assert_eq!(numbers(4, 10)?, [10, 11, 12, 13]);
    assert!(text(numbers(usize::MAX, 10)).contains("too large"), "{}", text(numbers(usize::MAX, 10)));
    assert_eq!(product(3, 5)?, 15);
    assert_eq!(text(product(usize::MAX / 2, 8)), "a product of sizes is too large for this machine");
    assert_eq!(weight(3, &[0.0; 2])?, 18.0);
    assert_eq!(text(weight(1 << 32, &[0.0; 2])), "a product of sizes is too large for this machine");
    assert_eq!(text(blocks(&[0; 6])), "4 divides n does not hold: n = 6");
    assert_eq!(blocks(&[0, 1, 2, 3, 4, 5, 6, 7])?.shape(), [2, 4]);
    Ok(())
}

#[test]
fn several_results_come_as_a_tuple() -> Result<(), Error> {
    let (sum, turned) = both(&[[1, 2, 3], [4, 5, 6]])?;
    assert_eq!((sum, turned.shape(), turned.into_vec()), (21, [3, 2], vec![-1, -4, -2, -5, -3, -6]));
    let (mut sum, mut turned) = (0, [[0; 2]; 3]);
    both_into(&mut sum, &mut turned, &[[1, 2, 3], [4, 5, 6]])?;
    assert_eq!((sum, turned), (21, [[-1, -4], [-2, -5], [-3, -6]]));
    let mut wrong = [[0; 3]; 2];
    let error = text(both_into(&mut sum, &mut wrong, &[[1, 2, 3], [4, 5, 6]]));
    assert_eq!(error, "`out_1`: dimension 0 is 2, expected m = 3");
    Ok(())
}

#[test]
fn tuples_and_vectors_cross() -> Result<(), Error> {
    assert_eq!(tupled((&[1.0, 2.0], (10.0, &vec![1.0, 1.0])))?, [11.0, 12.0]);
    assert_eq!(text(tupled((&[1.0, 2.0], (10.0, &[1.0])))), "`p.1.1`: dimension 0 is 1, expected n = 2");
    assert_eq!(swapped(&[(0.5, 1), (1.5, 2)])?, [(2, 1.0), (3, 3.0)]);
    assert_eq!(
        quads([1.0, 2.0, 3.0, 4.0], &[[1.0; 4], [2.0; 4]])?,
        [[1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 6.0, 8.0]]
    );
    assert_eq!(less(&[1, 2, 3], &[true, false, true])?, [true, false, false]);
    Ok(())
}

#[test]
fn indices_are_checked_at_entry() -> Result<(), Error> {
    assert_eq!(picked(&[2, 0], &[1.0, 2.0, 3.0])?, [3.5, 1.5]);
    assert_eq!(
        text(picked(&[2, 3], &[1.0, 2.0, 3.0])),
        "`at`: element 1 is 3, expected an index less than 3"
    );
    assert_eq!(one(1, &[7, 8])?, 8);
    assert_eq!(text(one(2, &[7, 8])), "i < n does not hold: i = 2, n = 2");
    assert_eq!(text(one(0, &[])), "i < n does not hold: i = 0, n = 0");
    Ok(())
}

#[test]
fn indices_and_naturals_are_values() -> Result<(), Error> {
    assert_eq!(found((1, 1), &[0, 1, 2])?, (2, vec![1, 2]));
    assert_eq!(found((1, 100), &[0, 1, 2])?, (2, vec![1, 2]));
    assert_eq!(text(found((3, 0), &[0, 1, 2])), "p.0 < n does not hold: p.0 = 3, n = 3");
    assert_eq!(times(3, &[1, 2])?, [3, 6]);
    assert_eq!(edges(&[(1, 2.0), (0, 3.0)], &[10.0, 20.0])?, [40.0, 30.0]);
    let error = text(edges(&[(1, 2.0), (2, 3.0)], &[10.0, 20.0]));
    assert_eq!(error, "`e`: element 1 is 2, expected an index less than 2");
    assert_eq!(small(([1, 2, 3, 4], false))?, (true, [2, 4, 6, 8]));
    Ok(())
}

#[test]
fn arithmetic_is_total() -> Result<(), Error> {
    let found = quotients(&[7, 7, i32::MIN, -7], &[2, 0, -1, 2])?;
    assert_eq!(found, [(3, 1), (0, 7), (i32::MIN, 0), (-3, -1)]);
    assert_eq!(numbers(2, i32::MAX)?, [i32::MAX, i32::MIN]);
    Ok(())
}

#[test]
fn names_of_all_kinds() -> Result<(), Error> {
    assert_eq!(r#match(1, &[1, 2])?, [2, 3]);
    let mut result = [0; 2];
    match_into(&mut result, 1, &[1, 2])?;
    assert_eq!(result, [2, 3]);
    assert!(["baseline", "avx2", "avx512"].contains(&match_variant()?));
    assert_eq!(hidden(&[1.0, 5.0, 2.0])?, 5.0);
    Ok(())
}

#[test]
fn views_come_from_many_things() -> Result<(), Error> {
    let array = Array::from_vec(vec![1, 2, 3, 4, 5, 6], [2, 3])?;
    let flat = [1, 2, 3, 4, 5, 6];
    let rows = vec![[1, 2, 3], [4, 5, 6]];
    let expected = both(&array)?;
    assert_eq!(both((&flat[..], [2, 3]))?, expected);
    assert_eq!(both(&rows)?, expected);
    assert_eq!(text(both((&flat[..5], [2, 3]))), "`x`: a slice of length 5 does not have the shape [2, 3]");
    Ok(())
}

#[test]
fn kernels_live_in_functions_and_modules() -> Result<(), Error> {
    mod inner {
        rise::rise! { /// Twice.
        pub fn twice<n: Nat>(x: [i32; n]) -> [i32; n] { x |> map(|x| x + x) } }
    }
    rise! { /// Thrice.
    pub fn thrice<n: Nat>(x: [i32; n]) -> [i32; n] { x |> map(|x| 3 * x) } }
    macro_rules! scaled {
        ($name:ident, $x:ident, $by:literal) => {
            rise! { /// Scaled.
            pub fn $name<n: Nat>($x: [i32; n]) -> [i32; n] { $x |> map(|a| a * $by) } }
        };
    }
    scaled!(times5, values, 5);
    assert_eq!((inner::twice(&[1])?, thrice(&[1])?, times5(&[1])?), (vec![2], vec![3], vec![5]));
    Ok(())
}

mod large {
    rise::rise! {
        fn sums<m: Nat>(y: f32) -> f32 {
            { let t: [f32; m] = generate(|i| y + (i as f32)); t |> toMem |> scan(add, 0.0) |> toMem |> sum }
        }
        pub fn temporary<n: Nat, m: Nat>(x: [f32; n]) -> [f32; n] { x |> mapPar(sums::<m>) }
        pub fn huge_result<n: Nat>(k: f32) -> [f32; n * n * 4294967296] { generate(|i| k) }
        pub fn huge_temporary<n: Nat>(k: f32) -> f32 {
            { let y: [[[f32; 4294967296]; n]; n] = generate(|i| generate(|j| generate(|l| k)));
              y |> toMem |> join |> join |> slide(1, 1) |> map(|w| w[0]) |> sum }
        }
    }
}

#[test]
fn memory_that_is_refused_is_an_error() {
    let x = [1.0; 100];
    assert_eq!(large::temporary(3, &x[..2]).unwrap(), [10.0, 10.0]);
    for m in [1 << 50, 1 << 60, 1 << 62, usize::MAX] {
        assert!(large::temporary(m, &x).is_err(), "{m}");
    }
    assert!(large::temporary(1 << 62, &x[..0]).unwrap().is_empty());
}

#[test]
fn sizes_that_overflow_are_errors() {
    for n in [1 << 16, 1 << 20, 1 << 31, usize::MAX] {
        assert!(large::huge_result(n, 1.0).is_err(), "{n}");
        assert!(large::huge_temporary(n, 1.0).is_err(), "{n}");
    }
    assert!(large::huge_result(0, 1.0).unwrap().is_empty());
}

mod empty {
    rise::rise! {
        pub fn total(x: [f32; 0]) -> f32 { x |> sum }
        pub fn doubled(x: [f32; 0]) -> [f32; 0] { x |> map(|y| y * 2.0) }
        pub fn rows<n: Nat>(x: [[f32; 0]; n]) -> [f32; n] { x |> map(sum) }
        pub fn turned<n: Nat, m: Nat>(x: [[f32; n]; m]) -> [[f32; m]; n] { x |> transpose |> map(map(|y| y + 1.0)) }
        pub fn joined<n: Nat, m: Nat>(x: [[f32; n]; m]) -> [f32; n * m] { x |> join |> scan(add, 0.0) }
        pub fn halved<n: Nat, k: Nat>(x: [f32; n * 2 ^ k]) -> [f32; n] {
            x |> iterate(k, |x| x |> split(2) |> map(sum))
        }
    }
}

#[test]
fn sizes_may_be_zero() {
    let none: &[f32] = &[];
    assert_eq!(empty::total(none).unwrap(), 0.0);
    assert!(empty::doubled(none).unwrap().is_empty());
    assert_eq!(empty::rows((none, [4, 0])).unwrap(), [0.0; 4]);
    for (m, n) in [(0, 3), (3, 0), (0, 0)] {
        assert_eq!(empty::turned((none, [m, n])).unwrap().shape(), [n, m]);
        assert!(empty::joined((none, [m, n])).unwrap().is_empty());
    }
    // The power alone is none that an integer holds.
    assert!(empty::halved(0, 70, none).unwrap().is_empty());
}

mod rows {
    rise::rise! {
        pub fn sums<n: Nat, m: Nat>(x: [[f32; m + 2]; n]) -> [[f32; m]; n] {
            x |> map(|row| row |> slide(3, 1) |> map(|w| w[0] + w[1] + w[2]))
        }
        pub fn turned<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; n]; m] { transpose(x) }
        pub fn turned_doubles<n: Nat, m: Nat>(x: [[f64; m]; n]) -> [[f64; n]; m] { transpose(x) }
        pub fn turned_bytes<n: Nat, m: Nat>(x: [[u8; m]; n]) -> [[u8; n]; m] { transpose(x) }
        pub fn turned_words<n: Nat, m: Nat>(x: [[i16; m]; n]) -> [[i16; n]; m] { transpose(x) }
        pub fn bytes<n: Nat, m: Nat>(x: [[u8; m + 2]; n]) -> [[u8; m]; n] {
            x |> map(|row| row |> slide(3, 1) |> map(|w| w[0] + w[1] + w[2]))
        }
        pub fn words<n: Nat, m: Nat>(x: [[i16; m + 2]; n]) -> [[i16; m]; n] {
            x |> map(|row| row |> slide(3, 1) |> map(|w| w[0] + w[1] + w[2]))
        }
        pub fn doubles<n: Nat, m: Nat>(x: [[f64; m + 2]; n]) -> [[f64; m]; n] {
            x |> map(|row| row |> slide(3, 1) |> map(|w| w[0] + w[1] + w[2]))
        }
        pub fn halves<o: Nat, n: Nat, m: Nat>(
            x: [[[f32; m + 2]; n + 2]; o + 2]
        ) -> ([[[f32; m]; n]; o], [[[u64; m]; n]; o]) {
            let sums = x |> slide3D(3, 1) |> map3D(|w| (w[0][1][1] + w[2][1][1], w[1][0][1] + w[1][1][2]));
            (sums |> map3D(|(a, b)| a), sums |> map3D(|(a, b)| b as u64))
        }
    }
}

#[test]
fn results_may_begin_anywhere() {
    // The last ones are larger than what caches take, and of an odd length, so that rows begin everywhere in lines.
    for (n, m) in [(0, 5), (1, 1), (7, 31), (5, 517), (9001, 1021), (40_009, 263)] {
        let x: Vec<f32> = (0..n * (m + 2)).map(|i| (7 * i % 17) as f32).collect();
        for start in [0, 1, 13] {
            let mut out = vec![-1.0; start + n * m + 1];
            rows::sums_into((&mut out[start..start + n * m], [n, m]), (&x, [n, m + 2])).unwrap();
            let right = |i: usize| {
                let at = i / m * (m + 2) + i % m;
                out[start + i] == x[at] + x[at + 1] + x[at + 2]
            };
            assert!((0..n * m).all(right), "{n} {m} {start}");
            let around = out[..start].iter().chain(&out[start + n * m..]);
            assert!(around.copied().all(|x| x == -1.0), "{n} {m} {start}");
        }
    }
}

#[test]
fn rows_of_any_type_begin_and_end_anywhere_in_lines() {
    // Larger than what caches take, with rows of at least four vectors, of which some begin with a line.
    macro_rules! check {
        ($name:ident $t:ty: $($n:literal $m:literal)*) => {$(
            let (n, m) = ($n, $m);
            let x: Vec<$t> = (0..n * (m + 2)).map(|i| (7 * i % 17) as $t).collect();
            for start in [0, 1, 11] {
                let mut out = vec![99 as $t; start + n * m + 1];
                rows::$name((&mut out[start..start + n * m], [n, m]), (&x, [n, m + 2])).unwrap();
                let right = |i: usize| {
                    let at = i / m * (m + 2) + i % m;
                    out[start + i] == x[at] + x[at + 1] + x[at + 2]
                };
                assert!((0..n * m).all(right), "{n} {m} {start}");
                let around = out[..start].iter().chain(&out[start + n * m..]);
                assert!(around.copied().all(|x| x == 99 as $t), "{n} {m} {start}");
            }
        )*};
    }
    check!(sums_into f32: 45_001 65 40_001 79);
    check!(bytes_into u8: 44_001 257);
    check!(words_into i16: 44_001 131);
    check!(doubles_into f64: 44_001 33);
    let [o, n, m] = [29, 511, 67];
    let x: Vec<f32> = (0..(o + 2) * (n + 2) * (m + 2)).map(|i| (7 * i % 17) as f32).collect();
    let (a, b) = rows::halves((&x, [o + 2, n + 2, m + 2])).unwrap();
    for i in 0..o * n * m {
        let [z, y, c] = [i / m / n, i / m % n, i % m];
        let at = |z: usize, y: usize, c: usize| x[(z * (n + 2) + y) * (m + 2) + c];
        assert_eq!(a[i], at(z, y + 1, c + 1) + at(z + 2, y + 1, c + 1), "{z} {y} {c}");
        assert_eq!(b[i], (at(z + 1, y, c + 1) + at(z + 1, y + 1, c + 2)) as u64, "{z} {y} {c}");
    }
}

#[test]
fn matrices_of_any_size_are_transposed() {
    // The last ones have rows that crowd in the cache, or begin with lines of it, or neither, and are larger than what
    // caches take.
    let crowded = [(513, 513), (513, 4609), (4609, 513)];
    let large = [(1288, 1530), (1531, 1287)];
    for (n, m) in
        [(0, 5), (1, 1), (15, 17), (16, 16), (67, 33), (130, 655), (655, 130), (20, 2081), (2081, 20)]
            .into_iter()
            .chain(crowded)
            .chain(large)
    {
        let is_turned = |y: &[f64], x: &[f64]| (0..n * m).all(|i| y[i % m * n + i / m] == x[i]);
        macro_rules! check {
            ($($turned:ident $ty:ident)*) => {$(
                let x: Vec<$ty> = (0..n * m).map(|i| (i % (1 << 24)) as $ty).collect();
                let y = rows::$turned((&x, [n, m])).unwrap();
                let [y, x] = [&y[..], &x[..]].map(|z| z.iter().map(|z| *z as f64).collect::<Vec<_>>());
                assert!(is_turned(&y, &x), "{} {n} {m}", stringify!($ty));
            )*};
        }
        check! { turned f32 turned_doubles f64 turned_bytes u8 turned_words i16 }
    }
}

#[test]
fn rows_that_begin_one_element_after_lines_are_transposed() {
    // In slants, of which some rows are left over, also in arrays that caches do not take.
    for (n, m) in [(257, 257), (273, 289), (305, 545), (577, 337), (801, 1265)] {
        let (x, at) = (0..n * m).map(|i| (7 * i % (1 << 24)) as f32).collect::<Vec<_>>().placed(5);
        let (doubles, at_doubles) = x[at..].iter().map(|x| f64::from(*x)).collect::<Vec<_>>().placed(3);
        for start in 0..16 {
            macro_rules! check {
                ($turned:ident $x:expr) => {{
                    let x = &$x[..n * m];
                    let (mut out, line) = vec![-1.0; n * m + 17].placed(0);
                    let end = line + start + n * m;
                    rows::$turned((&mut out[line + start..end], [m, n]), (x, [n, m])).unwrap();
                    let right = |i: usize| out[line + start + i % m * n + i / m] == x[i];
                    assert!((0..n * m).all(right), "{n} {m} {start}");
                    let around = out[..line + start].iter().chain(&out[end..]);
                    assert!(around.copied().all(|x| x == -1.0), "{n} {m} {start}");
                }};
            }
            check!(turned_into x[at..]);
            check!(turned_doubles_into doubles[at_doubles..]);
        }
    }
}

/// Numbers that begin so many elements after a line of the cache, between others.
trait Placed<T> {
    fn placed(self, after: usize) -> (Vec<T>, usize);
}

impl<T: Copy> Placed<T> for Vec<T> {
    fn placed(self, after: usize) -> (Vec<T>, usize) {
        let Some(other) = self.first().copied() else { return (self, 0) };
        let mut out = vec![other; self.len() + 64];
        let at = out.as_ptr().align_offset(64) + after;
        out[at..at + self.len()].copy_from_slice(&self);
        (out, at)
    }
}

mod weights {
    rise::rise! {
        /// A convolution whose weights only the caller knows, in two passes.
        pub fn convolved<h: Nat, w: Nat>(image: [[f32; w]; h], weights: [[f32; 3]; 3]) -> [[f32; w]; h]
        where h >= 1, w >= 1 {
            image |> padClamp2D(1, 1) |> slide2D(3, 1) |> map(|row| row |> map(|nbh|
                zip(join(weights), join(nbh)) |> map(|(a, b)| a * b) |> 'sum: reduce(add, 0.0)))
        }

        compile convolved to rust with separate @ 'sum ; lower as in_two_passes;
    }
}

#[test]
fn weights_that_are_not_separable_are_an_error_of_the_call() {
    let image: Vec<f32> = (0..35).map(|i| (7 * i % 11) as f32).collect();
    let image = (&image, [5, 7]);
    let sobel = [[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]];
    assert_eq!(weights::in_two_passes(image, &sobel), weights::convolved(image, &sobel));
    let laplace = [[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]];
    let error = weights::in_two_passes(image, &laplace).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`weights` is not separable, which `separate` needs: element [0][0] is 0, a column times a row has -0.25 there"
    );
    assert!(weights::convolved(image, &laplace).is_ok());
}
