//! Several sums and products of integers at once in C, and rules that are applied several times in one step.

use rise::rise;
use rise_passes::levels::everywhere;

rise! {
    /// What lies in even places and in odd ones, added.
    pub fn sums<n: Nat>(x: [i32; 2 * n]) -> i32 {
        let p = x |> split(2) |> reduceSeq(|(a, b), r| (a + r[0], b + r[1]), (0, 0));
        p.0 + p.1
    }
    compile sums to c with lower as sums_c;
    compile sums to c with auto as sums_auto;

    /// The product in two lanes.
    pub fn product<n: Nat>(x: [i8; n]) -> i8 { x |> 'r: reduce(mul, 1) }
    compile product to c with lanesPeel(2) @ 'r ; lower as product_c;

    /// Differences in four lanes, as long as there are four.
    pub fn differences<n: Nat>(x: [[i16; 4]; n]) -> i16 {
        let d = x |> reduceSeq(|d, r| [d[0] - r[0], d[1] - r[1], d[2] - r[2], d[3] - r[3]], [0, 0, 0, 0]);
        d[0] + d[1] + d[2] + d[3]
    }
    compile differences to c with lower as differences_c;

    rule half(a: i32, b: i32): a - b * 2 => a - b - b;
    pub fn less(x: i32, y: i32, z: i32) -> i32 { x - (y + 1) * 2 - (z + 1) * 2 }
    compile less to rust with half @ everywhere ; lower as less_by_halves;
}

#[test]
fn compilers_lose_none_of_several_sums() {
    everywhere(|| {
        for n in [0, 1, 3, 4, 8, 16, 33, 100] {
            let x: Vec<i32> = (0..2 * n).map(|i| i * i % 23).collect();
            assert_eq!(sums_c(&x).unwrap(), x.iter().sum::<i32>(), "{n}");
            assert_eq!(sums_auto(&x).unwrap(), x.iter().sum::<i32>(), "{n}");
            let x: Vec<i8> = (0..n as i8).map(|i| i % 50 * 2 + 1).collect();
            let wanted = x.iter().fold(1i8, |a, b| a.wrapping_mul(*b));
            assert_eq!(product_c(&x).unwrap(), wanted, "{n}");
            let x: Vec<i16> = (0..4 * n as i16).map(|i| i % 100 * 7 % 23).collect();
            let wanted = x.iter().fold(0i16, |a, b| a.wrapping_sub(*b));
            assert_eq!(differences_c((&x[..], [n as usize, 4])).unwrap(), wanted, "{n}");
        }
    });
}

#[test]
fn rules_bind_anew_each_time() {
    for (x, y, z) in [(100, 1, 2), (7, -3, 11)] {
        assert_eq!(less_by_halves(x, y, z).unwrap(), x - (y + 1) * 2 - (z + 1) * 2);
    }
}
