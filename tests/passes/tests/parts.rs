//! Several results of one map: each in its own layout, together, in parallel; and several maps that make one.

use rise::rise;
use rise_passes::levels::everywhere;

rise! {
    /// A butterfly of four.
    pub fn butterfly<n: Nat>(re: [[f32; n]; 4], im: [[f32; n]; 4]) -> ([[f32; n]; 4], [[f32; n]; 4]) {
        let both = generate(|i| {
            let a = re[0][i] + re[2][i]; let b = re[0][i] - re[2][i];
            let c = im[0][i] + im[2][i]; let d = im[0][i] - im[2][i];
            let e = re[1][i] + re[3][i]; let f = re[1][i] - re[3][i];
            let g = im[1][i] + im[3][i]; let h = im[1][i] - im[3][i];
            ([a + e, b + h, a - e, b - h], [c + g, d - f, c - g, d + f])
        }) |> unzip;
        (transpose(both.0), transpose(both.1))
    }
    compile butterfly to rust with lower as butterfly_lowered;
    compile butterfly to c with auto as butterfly_c;

    /// Two halves of one result from both halves of what is read, of rows and of one.
    pub fn halves<n: Nat>(x: [i32; 2 * n]) -> [i32; 2 * n] {
        concat(zip(take(n, x), drop(n, x)) |> map(|(a, b)| a + b), zip(take(n, x), drop(n, x)) |> map(|(a, b)| a - 2 * b))
    }
    compile halves to rust with lower as halves_lowered;
    compile halves to c with auto as halves_c;
    pub fn rows<h: Nat, n: Nat>(x: [[i32; 2 * n]; h]) -> [[i32; 2 * n]; h] {
        x |> map(|r| concat(zip(take(n, r), drop(n, r)) |> map(|(a, b)| a + b), zip(take(n, r), drop(n, r)) |> map(|(a, b)| a - 2 * b)))
    }
    compile rows to openmp with auto as rows_c;

    /// In parts of parts, of different types.
    pub fn three<n: Nat>(x: [f32; n], y: [i64; n]) -> ([f32; n], ([i64; n], [bool; n])) {
        let all = zip(x, y) |> map(|(x, y)| if x > 0.0 { (x * 2.0, (y, true)) } else { (0.0 - x, (y + 1, y > 3)) });
        let parts = unzip(all);
        (parts.0, unzip(parts.1))
    }
    compile three to rust with lower as three_lowered;
    compile three to c with auto as three_c;

    /// What takes loops.
    pub fn moments<n: Nat, m: Nat>(x: [[f64; m]; n]) -> ([f64; n], [[f64; m]; n]) {
        let both = x |> map(|row| { let total = row |> reduce(max, 0.0); (total, row |> map(|x| x - total)) }) |> unzip;
        (both.0, both.1)
    }
    compile moments to rust with lower as moments_lowered;
    compile moments to c with auto as moments_c;

    /// One part twice, the other never.
    pub fn first<n: Nat>(x: [i32; n], y: [i32; n]) -> ([i32; n], i32) {
        let parts = zip(x, y) |> map(|(x, y)| (x * y + 1, x - y)) |> unzip;
        (parts.0, parts.0 |> reduce(add, 0))
    }
    compile first to rust with lower as first_lowered;

    /// Rows of different lengths.
    pub fn triangle<n: Nat>(x: [f64; n * (n + 1) / 2]) -> [f64; n * (n + 1) / 2] {
        x |> partition(n, |i| i + 1)
          |> depMap(|i, row| { let most = row |> reduce(max, 0.0); row |> map(|x| x - most) })
          |> depJoin
    }
    compile triangle to rust with lower as triangle_lowered;
    compile triangle to openmp with auto as triangle_c;

    /// Where rows begin is a sum that has no other form.
    pub fn uneven<n: Nat>(x: [i32; 3 * n]) -> [i32; 3 * n] {
        x |> partition(2 * n, |i| 1 + i % 2) |> depMap(|i, row| { let most = row |> reduce(max, 0); row |> map(|x| x - most) }) |> depJoin
    }
    compile uneven to rust with lower as uneven_lowered;
    compile uneven to c with auto as uneven_c;

    pub fn doubled<n: Nat>(x: [i32; 2 ^ n - 1]) -> [i32; 2 ^ n - 1] {
        x |> partition(n, |i| 2 ^ i) |> depMap(|i, row| row |> map(|x| x + (i as i32))) |> depJoin
    }
    compile doubled to rust with lower as doubled_lowered;
    compile doubled to c with auto as doubled_c;

    /// The deepest fall.
    pub fn fall<n: Nat>(x: [f64; n]) -> f64 {
        zip(x |> scan(max, 0.0), x) |> map(|(most, x)| most - x) |> reduce(max, 0.0)
    }
    compile fall to rust with lower as fall_lowered;
    compile fall to c with auto as fall_c;
}

const LENGTHS: [usize; 12] = [0, 1, 3, 8, 15, 16, 17, 33, 100, 1000, 16384, 40001];

/// For all lengths, on every instruction set that the CPU has.
fn lengths(test: impl Fn(usize)) {
    everywhere(|| LENGTHS.iter().for_each(|n| test(*n)));
}

fn numbers<T>(len: usize, of: impl Fn(i32) -> T) -> Vec<T> {
    (0..len).map(|i| of(((7919 * i) % 1001) as i32 - 500)).collect()
}

#[test]
fn both_have_their_layout() {
    lengths(|n| {
        let (re, im) = (numbers(4 * n, |i| i as f32), numbers(4 * n, |i| i as f32 * 0.5));
        let (re, im) = ((&re[..], [4, n]), (&im[..], [4, n]));
        let expected = butterfly_lowered(re, im).unwrap();
        assert_eq!(butterfly(re, im).unwrap(), expected, "{n}");
        assert_eq!(butterfly_c(re, im).unwrap(), expected, "{n} in C");
    });
}

#[test]
fn parts_of_parts() {
    lengths(|n| {
        let (x, y) = (numbers(n, |i| i as f32), numbers(n, i64::from));
        let expected = three_lowered(&x, &y).unwrap();
        assert_eq!(three(&x, &y).unwrap(), expected, "{n}");
        assert_eq!(three_c(&x, &y).unwrap(), expected, "{n} in C");
    });
}

#[test]
fn what_takes_loops_and_what_is_used_twice() {
    lengths(|n| {
        for m in [1, 7, 20] {
            let x = numbers(n * m, f64::from);
            let expected = moments_lowered((&x[..], [n, m])).unwrap();
            assert_eq!(moments((&x[..], [n, m])).unwrap(), expected, "{n} by {m}");
            assert_eq!(moments_c((&x[..], [n, m])).unwrap(), expected, "{n} by {m} in C");
        }
        let (x, y) = (numbers(n, |i| i), numbers(n, |i| i + 3));
        assert_eq!(first(&x, &y).unwrap(), first_lowered(&x, &y).unwrap(), "{n}");
    });
}

#[test]
fn halves_are_made_of_both_halves() {
    lengths(|n| {
        let x = numbers(2 * n, |i| i);
        let (a, b) = x.split_at(n);
        let half = |f: fn(i32, i32) -> i32| a.iter().zip(b).map(move |(a, b)| f(*a, *b));
        let expected: Vec<i32> = half(|a, b| a + b).chain(half(|a, b| a - 2 * b)).collect();
        for found in [halves(&x), halves_lowered(&x), halves_c(&x)] {
            assert_eq!(found.unwrap(), expected, "{n}");
        }
        let (x, expected) = (x.repeat(3), expected.repeat(3));
        for found in [rows((&x[..], [3, 2 * n])), rows_c((&x[..], [3, 2 * n]))] {
            assert_eq!(found.unwrap().into_vec(), expected, "rows of {n}");
        }
    });
}

#[test]
fn rows_of_different_lengths() {
    for n in [0, 1, 2, 9, 40, 200] {
        let x = numbers(n * (n + 1) / 2, f64::from);
        let expected = triangle_lowered(n, &x).unwrap();
        assert_eq!(triangle(n, &x).unwrap(), expected, "{n}");
        assert_eq!(triangle_c(n, &x).unwrap(), expected, "{n} in C");
    }
}

#[test]
fn what_was_greatest_so_far() {
    lengths(|n| {
        let x = numbers(n, f64::from);
        let expected = fall_lowered(&x).unwrap();
        assert_eq!([fall(&x).unwrap(), fall_c(&x).unwrap()], [expected; 2], "{n}");
    });
}

#[test]
fn rows_that_begin_at_sums() {
    for n in [0, 1, 2, 7, 50] {
        let x = numbers(3 * n, |i| i);
        let each = |row: &[i32]| {
            let most = row.iter().fold(0, |most, x| most.max(*x));
            row.iter().map(|x| x - most).collect::<Vec<_>>()
        };
        let expected: Vec<i32> =
            x.chunks(3).flat_map(|rows| [each(&rows[..1]), each(&rows[1..])].concat()).collect();
        for found in [uneven(&x), uneven_lowered(&x), uneven_c(&x)] {
            assert_eq!(*found.unwrap(), expected, "{n}");
        }
    }
    for n in [0_usize, 1, 2, 6, 9] {
        let x = numbers((1 << n) - 1, |i| i);
        let expected: Vec<i32> = x.iter().enumerate().map(|(at, x)| x + (at + 1).ilog2() as i32).collect();
        for found in [doubled(n, &x), doubled_lowered(n, &x), doubled_c(n, &x)] {
            assert_eq!(*found.unwrap(), expected, "{n}");
        }
    }
}
