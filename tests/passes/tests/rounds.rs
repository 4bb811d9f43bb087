//! Indices that go round: rows from a place on, and what repeats along them.

use rise::rise;
use rise_passes::levels::everywhere;

rise! {
    pub fn rolled<n: Nat, k: Nat>(x: [f32; n], y: [f32; n]) -> [f32; n] where n >= 1 {
        generate(|i| x[(i + k) % n] + y[i])
    }
    compile rolled to rust with lower as rolled_lowered;
    compile rolled to c with auto as rolled_c;

    pub fn ring<n: Nat>(x: [u8; n]) -> [u8; n] where n >= 1 {
        generate(|i| (x[(i + n - 1) % n] | x[i]) ^ x[(i + 1) % n])
    }
    compile ring to rust with lower as ring_lowered;
    compile ring to c with auto as ring_c;

    pub fn tiled<n: Nat, m: Nat>(x: [f64; n], k: [f64; m]) -> [f64; n] where m >= 1 {
        generate(|i| x[i] * k[i % m] + (i / m) as f64)
    }
    compile tiled to rust with lower as tiled_lowered;
    compile tiled to c with auto as tiled_c;

    pub fn keyed<n: Nat>(x: [u8; n], k: [u8; 13]) -> [u8; n] { generate(|i| x[i] ^ k[i % 13]) }
    compile keyed to rust with lower as keyed_lowered;
    compile keyed to c with auto as keyed_c;

    /// Two of different lengths, one of which starts in between.
    pub fn both<n: Nat, a: Nat, b: Nat>(x: [i32; a], y: [i32; b]) -> [i32; n] where a >= 1, b >= 1 {
        generate(|i: Idx[n]| x[(i + 5) % a] - y[i % b])
    }
    compile both to rust with lower as both_lowered;
    compile both to c with auto as both_c;

    pub fn total<n: Nat, m: Nat>(x: [i32; n], k: [i32; m]) -> i32 where m >= 1 {
        sum(generate(|i| x[i] * k[i % m]))
    }
    compile total to rust with lower as total_lowered;
}

/// Around the lengths of vectors, and around those of pieces of parallel loops.
const LENGTHS: [usize; 17] = [1, 2, 3, 7, 8, 13, 15, 16, 17, 31, 33, 64, 100, 257, 16383, 16384, 50001];

/// For all lengths, on every instruction set that the CPU has.
fn lengths(test: impl Fn(usize)) {
    everywhere(|| LENGTHS.iter().for_each(|n| test(*n)));
}

fn numbers<T>(len: usize, of: impl Fn(usize) -> T) -> Vec<T> {
    (0..len).map(|i| of((7919 * i) % 1001)).collect()
}

#[test]
fn rows_from_a_place_on() {
    lengths(|n| {
        let (x, y) = (numbers(n, |i| i as f32), numbers(n, |i| i as f32 * 0.5));
        for k in [0, 1, n / 3, n - 1, n, 3 * n + 5] {
            let expected = rolled_lowered(k, &x, &y).unwrap();
            assert_eq!(rolled(k, &x, &y).unwrap(), expected, "{n} from {k}");
            assert_eq!(rolled_c(k, &x, &y).unwrap(), expected, "{n} from {k} in C");
        }
    });
}

#[test]
fn neighbours_in_a_ring() {
    lengths(|n| {
        let x = numbers(n, |i| (i % 256) as u8);
        let expected = ring_lowered(&x).unwrap();
        assert_eq!(ring(&x).unwrap(), expected, "{n}");
        assert_eq!(ring_c(&x).unwrap(), expected, "{n} in C");
    });
}

#[test]
fn what_repeats() {
    lengths(|n| {
        let x = numbers(n, |i| i as f64);
        for m in [1, 2, 3, 7, 8, 13, 16, 100, 1000] {
            let k = numbers(m, |i| i as f64 - 0.5);
            let expected = tiled_lowered(&x, &k).unwrap();
            assert_eq!(tiled(&x, &k).unwrap(), expected, "{m} along {n}");
            assert_eq!(tiled_c(&x, &k).unwrap(), expected, "{m} along {n} in C");
            let (x, k) = (numbers(n, |i| i as i32), numbers(m, |i| i as i32 - 500));
            assert_eq!(total(&x, &k).unwrap(), total_lowered(&x, &k).unwrap(), "sum of {m} along {n}");
        }
        let (x, k) = (numbers(n, |i| (i % 256) as u8), numbers(13, |i| (i % 256) as u8));
        let expected = keyed_lowered(&x, &k).unwrap();
        assert_eq!(keyed(&x, &k).unwrap(), expected, "{n}");
        assert_eq!(keyed_c(&x, &k).unwrap(), expected, "{n} in C");
    });
}

#[test]
fn two_that_repeat() {
    lengths(|n| {
        for (a, b) in [(1, 1), (1, 40), (3, 5), (16, 9), (n, n), (50, 2 * n), (1000, 999)] {
            let (x, y) = (numbers(a, |i| i as i32), numbers(b, |i| 3 * i as i32));
            let expected = both_lowered(n, &x, &y).unwrap();
            assert_eq!(both(n, &x, &y).unwrap(), expected, "{a} and {b} along {n}");
            assert_eq!(both_c(n, &x, &y).unwrap(), expected, "{a} and {b} along {n} in C");
        }
    });
}
