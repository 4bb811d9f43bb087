//! Items of all kinds, end to end.

#![forbid(unsafe_code)]
#![deny(missing_docs, warnings)]

extern crate rise as renamed;

use rise::{Error, rise};

fn halved(x: f32) -> f32 {
    x / 2.0
}

mod own {
    pub fn clamped(x: i32, most: i32) -> i32 {
        x.min(most)
    }
}

rise! {
    use "tests/files/shared.rise";

    extern fn halved(x: f32) -> f32;
    extern fn clamped(x: i32, most: i32) -> i32 = own::clamped;

    /// Items of a file, and a foreign function.
    pub fn halves<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| halved(square(x))) }

    /// A foreign function of two numbers.
    pub fn at_most<n: Nat>(most: i32, x: [i32; n]) -> [i32; n] { x |> map(|x| clamped(x, most)) }

    fn twice<t: Data>(f: t -> t, x: t) -> t { f(f(x)) }

    /// A helper that takes functions.
    pub fn fourth<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| twice(|y| y * y, x)) }

    /// The papers' notation.
    def dotted = depFun((n: Nat) => fun(a: Array[n, f32] => fun(b: Array[n, f32] =>
        zip(a)(b) |> map(mult) |> reduceSeq(add)(0.0f))));

    /// Choices by hand.
    pub fn by_hand<n: Nat>(x: [i32; n]) -> [i32; n] where n % 4 == 0 {
        x |> split(4) |> mapPar(mapSeqUnroll(|x| x + 1)) |> join
    }

    /// Branches and blocks.
    pub fn collatz<n: Nat>(x: [u64; n]) -> [u64; n] {
        x |> map(|x| {
            let half = x / 2;
            if x % 2 == 0 { half } else { 3 * x + 1 }
        })
    }

    /// Casts.
    pub fn casts<n: Nat>(x: [f64; n]) -> [(i8, u32, f32); n] {
        x |> map(|x| (x as i8, x as u32, x as f32))
    }

    /// Functions of one number.
    pub fn functions<n: Nat>(x: [f32; n]) -> [f32; n] {
        x |> map(|x| sqrt(abs(x)) + exp(ln(1.0 + x * x)) - sin(x) * cos(x) + tanh(x) + floor(x) + round(x))
    }

    /// Two rows of constants.
    pub fn weighted<n: Nat>(x: [[f32; 2]; n]) -> [[f32; 2]; n] {
        let m = [[1.0, 2.0], [3.0, 4.0]];
        x |> map(|v| m |> map(|row| dot(row, v)))
    }

    compile fourth to rust with lower as fourth_again;
}

mod elsewhere {
    rise::rise! {
        crate = renamed;

        /// Under another name of the library.
        pub fn negated<n: Nat>(x: [i16; n]) -> [i16; n] { x |> map(|x| -x) }
    }
}

/// Names that would be patterns if they were bound as they are.
mod constants {
    pub const N: usize = 3;
    pub static M: i32 = 4;
    pub struct A;

    rise::rise! {
        /// A size, a parameter, a variable and the names that generated code uses.
        pub fn with_constants<N: Nat>(A: [f32; N], M: f32, level: f32) -> [f32; N] {
            A |> map(|v| { let N = v * M; N + level })
        }

        compile with_constants to rust with lower as with_constants_lowered;
    }
}

#[test]
fn constants_of_the_module_do_not_matter() -> Result<(), Error> {
    assert_eq!((constants::N, constants::M, size_of::<constants::A>()), (3, 4, 0));
    assert_eq!(constants::with_constants(&[1.0, 2.0], 3.0, 0.5)?, [3.5, 6.5]);
    assert_eq!(constants::with_constants_lowered(&[1.0, 2.0], 3.0, 0.5)?, [3.5, 6.5]);
    Ok(())
}

#[test]
fn files_and_foreign_functions() -> Result<(), Error> {
    assert_eq!(halves(&[2.0, 4.0])?, [2.0, 8.0]);
    assert_eq!(at_most(3, &[2, 4])?, [2, 3]);
    assert_eq!(sum_of_squares(&[1.0, 2.0, 3.0])?, 14.0);
    Ok(())
}

#[test]
fn helpers_and_both_notations() -> Result<(), Error> {
    assert_eq!(fourth(&[2.0])?, [16.0]);
    assert_eq!(fourth_again(&[3.0])?, [81.0]);
    assert_eq!(dotted(&[1.0, 2.0], &[3.0, 4.0])?, 11.0);
    assert_eq!(by_hand(&[1, 2, 3, 4, 5, 6, 7, 8])?, [2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(weighted(&[[1.0, 1.0], [1.0, 0.0]])?.into_vec(), [3.0, 7.0, 1.0, 3.0]);
    assert_eq!(elsewhere::negated(&[1, i16::MIN])?, [-1, i16::MIN]);
    Ok(())
}

#[test]
fn scalars_mean_what_rust_means() -> Result<(), Error> {
    assert_eq!(collatz(&[6, 7])?, [3, 22]);
    let found = casts(&[-1.5, 300.0, f64::NAN])?;
    assert_eq!(found[..2], [(-1, 0, -1.5), (127, 300, 300.0)]);
    assert!((found[2].0, found[2].1) == (0, 0) && found[2].2.is_nan());
    for x in [-2.5_f32, 0.0, 0.5, 3.25] {
        let expected =
            x.abs().sqrt() + (1.0 + x * x).ln().exp() - x.sin() * x.cos() + x.tanh() + x.floor() + x.round();
        let found = functions(&[x])?[0];
        assert!((expected - found).abs() <= 1e-5 * expected.abs().max(1.0), "{x}: {expected} {found}");
    }
    Ok(())
}

rise! {
    /// Two maps in one.
    rule fused<n: Nat, r: Data, s: Data, t: Data>(f: r -> s, g: s -> t, xs: [r; n]):
        xs |> map(f) |> map(g) => xs |> map(|x| g(f(x)));

    rule pieces<m: Nat, n: Nat, s: Data, t: Data, f: s -> t>(xs: [s; n]):
        xs |> map(f) => xs |> split(m) |> map(map(f)) |> join
        where m divides n, m > 0;

    rule from_the_left<n: Nat, t: Data, f: t -> t -> t>(z: t, xs: [t; n]):
        xs |> reduce(f, z) => xs |> reduceSeq(f, z);

    /// Rewritten by rules of this block.
    pub fn by_own_rules<n: Nat>(x: [f32; n]) -> [f32; n] {
        x |> map(|x| x + 1.0) |> 'second: map(|x| x * 2.0)
    }

    compile by_own_rules to rust with fused @ 'second ; pieces(4) @ outermost(isMap) ; lower;
}

#[test]
fn rules_of_the_block() -> Result<(), Error> {
    assert_eq!(by_own_rules(&[1.0, 2.0, 3.0, 4.0])?, [4.0, 6.0, 8.0, 10.0]);
    assert!(by_own_rules(&[1.0, 2.0, 3.0]).is_err());
    Ok(())
}

rise! {
    /// Small sizes without vectors.
    pub fn by_size<n: Nat>(a: f32, x: [f32; n]) -> [f32; n] { x |> 'x: map(|x| a * x) }

    compile by_size to rust with
        versions { when n < 8 => lower ; when 16 divides n => split(16, tail = exact) @ 'x ; mapVec @ 'x.inner ; vectorize(4, tail = mask) @ 'x } ;
        lower;

    /// The last vector overlaps the one before.
    pub fn shifted<n: Nat>(a: f32, x: [f32; n + 8]) -> [f32; n + 8] { x |> 'x: map(|x| a * x) }

    compile shifted to rust with vectorize(8, tail = shift) @ 'x ; lower;

    /// Padded with what the sum does not notice.
    pub fn masked<n: Nat>(x: [f32; n]) -> f32 { x |> 'x: reduce(add, 0.0) }

    compile masked to rust with split(8, tail = mask) @ 'x ; lower;
}

#[test]
fn versions_and_tails() -> Result<(), Error> {
    for n in [1, 3, 7, 8, 15, 16, 17, 32, 100] {
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let twice: Vec<f32> = x.iter().map(|x| 2.0 * x).collect();
        assert_eq!(by_size(2.0, &x)?, twice);
        assert_eq!(masked(&x)?, x.iter().sum::<f32>());
        if n >= 8 {
            assert_eq!(shifted(2.0, &x)?, twice);
        }
    }
    Ok(())
}

rise! {
    /// Steps of a smoothing filter.
    pub fn smoothed<n: Nat, steps: Nat>(x: [i32; n]) -> [i32; n] {
        x |> iterate(steps, |y| y |> padClamp(1, 1) |> slide(3, 1) |> map(|w| (w[0] + 2 * w[1] + w[2]) / 4))
    }

    /// Three steps of the same in two dimensions, and what is left of each value.
    pub fn smoothed_image<h: Nat, w: Nat>(x: [[i32; w]; h]) -> [[i32; w]; h] where 1 <= h, 1 <= w {
        x |> iterate(3, |y| y |> padClamp2D(1, 1) |> slide2D(3, 1)
          |> map2D(|n| n[0][1] + n[1][0] - n[1][1] + n[1][2] + n[2][1]))
    }

    compile smoothed_image to rust with lower as smoothed_image_lowered;

    /// A matrix applied several times, and a wave that goes round: steps that speak of arrays of their length.
    pub fn applied<n: Nat, steps: Nat>(a: [[i32; n]; n], x: [i32; n], y: [i32; n]) -> ([i32; n], [i32; n]) {
        (
            x |> iterate(steps, |v| a |> map(|row| dot(row, v))),
            x |> iterate(steps, |v| generate(|i| v[(i + 1) % n] + y[i])),
        )
    }

    compile applied to rust with lower as applied_lowered;
}

#[test]
fn steps_speak_of_arrays_of_their_length() -> Result<(), rise::Error> {
    for (n, steps) in [(0, 3), (1, 2), (5, 0), (5, 1), (20, 4), (33, 3)] {
        let numbers = |from: i32, count: usize| (0..count as i32).map(|i| (from + 7 * i) % 5 - 2).collect();
        let [a, x, y]: [Vec<i32>; 3] = [numbers(0, n * n), numbers(1, n), numbers(3, n)];
        let (mut product, mut wave) = (x.clone(), x.clone());
        for _ in 0..steps {
            product =
                a.chunks(n.max(1)).map(|row| row.iter().zip(&product).map(|(a, v)| a * v).sum()).collect();
            wave = (0..n).map(|i| wave[(i + 1) % n] + y[i]).collect();
        }
        let expected = (product, wave);
        assert_eq!(applied(steps, (&a, [n, n]), &x, &y)?, expected, "{n} {steps}");
        assert_eq!(applied_lowered(steps, (&a, [n, n]), &x, &y)?, expected, "{n} {steps}");
    }
    Ok(())
}

/// The formula of `smoothed_image`, once.
fn smoothed_once(x: &[i32], h: usize, w: usize) -> Vec<i32> {
    let at = |i: usize, j: usize| x[i.min(h - 1) * w + j.min(w - 1)];
    let around = |i: usize, j: usize| {
        at(i.saturating_sub(1), j) + at(i, j.saturating_sub(1)) - at(i, j) + at(i, j + 1) + at(i + 1, j)
    };
    (0..h * w).map(|at| around(at / w, at % w)).collect()
}

#[test]
fn steps_of_filters() -> Result<(), Error> {
    for (n, steps) in [(1, 0), (1, 3), (2, 1), (17, 2), (18, 5), (9001, 3), (9002, 4)] {
        let x: Vec<i32> = (0..n).map(|i| (i * 7919 % 1001) as i32).collect();
        let mut expected = x.clone();
        for _ in 0..steps {
            let y = expected.clone();
            let at = |i: usize| y[i.min(n - 1)];
            expected = (0..n).map(|i| (at(i.saturating_sub(1)) + 2 * at(i) + at(i + 1)) / 4).collect();
        }
        assert_eq!(smoothed(steps, &x)?, expected, "{n} elements, {steps} steps");
    }
    assert_eq!(
        smoothed(1, &[0; 0]).unwrap_err().to_string(),
        "1 <= n (needed by `padClamp(1, 1)`) does not hold: n = 0"
    );
    for (h, w) in [(1, 1), (1, 5), (6, 1), (3, 17), (19, 35), (40, 131)] {
        let x: Vec<i32> = (0..h * w).map(|i| (i * 31 % 97) as i32).collect();
        let expected = (0..3).fold(x.clone(), |x, _| smoothed_once(&x, h, w));
        assert_eq!(smoothed_image((&x, [h, w]))?.into_vec(), expected, "{h} by {w}");
        assert_eq!(smoothed_image_lowered((&x, [h, w]))?.into_vec(), expected, "{h} by {w}");
    }
    Ok(())
}

rise! {
    /// Pieces of four, of which nobody wants all.
    pub fn cropped<n: Nat>(x: [i32; 4 * n]) -> ([i32; 4 * n - 3], [i32; 4 * n - 3], [[i32; 2]; n]) where n >= 1 {
        let doubled = |x| x |> split(4) |> mapSeq(mapSeq(|x| 2 * x));
        (doubled(x) |> join |> take(4 * n - 3), doubled(x) |> join |> drop(3), doubled(x) |> map(|p| p |> drop(1) |> take(2)))
    }

    compile cropped to rust with id;

    /// Tiles that reach over the edge on both sides.
    pub fn tiled<n: Nat, m: Nat>(x: [[i32; m]; n]) -> [[i32; m]; n] {
        x |> 'i: map(|row| row |> 'j: map(|x| 2 * x))
    }

    compile tiled to rust with tile(4, 8, tail = mask) @ ('i, 'j) ; mapVec @ 'j.inner ; parallel @ 'i.outer ; lower;
}

#[test]
fn what_nobody_wants_of_pieces_is_not_stored() -> Result<(), Error> {
    for n in [1, 2, 5] {
        let x: Vec<i32> = (0..4 * n).collect();
        let all: Vec<i32> = x.iter().map(|x| 2 * x).collect();
        let (front, back, middle) = cropped(&x)?;
        assert_eq!((&front[..], &back[..]), (&all[..all.len() - 3], &all[3..]));
        let expected: Vec<i32> = all.chunks(4).flat_map(|piece| piece[1..3].to_vec()).collect();
        assert_eq!(middle.into_vec(), expected);
    }
    for (n, m) in [(0, 3), (1, 1), (4, 8), (5, 7), (3, 17), (9, 16)] {
        let x: Vec<i32> = (0..n * m).map(|x| x as i32).collect();
        let expected: Vec<i32> = x.iter().map(|x| 2 * x).collect();
        assert_eq!(tiled((&x, [n, m]))?.into_vec(), expected, "{n} by {m}");
    }
    Ok(())
}
