//! Every basic program at every size, against references in `f64` written from the formulas. The file that this module
//! is part of says where the `kernels` come from, what they are compiled to, and what `inputs` are.

use super::kernels::*;
use super::{inputs, integers, target};

/// Says what is run and compares.
struct Case {
    name: &'static str,
    exact: bool,
}

impl Case {
    fn check(&self, size: &str, found: &[f32], reference: &[f64]) {
        assert_eq!(found.len(), reference.len(), "{} at {size}: length", self.name);
        for (position, (found, reference)) in found.iter().zip(reference).enumerate() {
            let close = if self.exact {
                f64::from(*found) == *reference
            } else {
                (f64::from(*found) - reference).abs() <= 1e-4 * (1.0 + reference.abs())
            };
            assert!(close, "{} at {size}: element {position} is {found}, not {reference}", self.name);
        }
        self.ran(size);
    }

    /// Compares some elements alone, where a reference for all of them takes too long.
    fn check_some(&self, size: &str, found: &[f32], len: usize, reference: impl Fn(usize) -> f64) {
        assert_eq!(found.len(), len, "{} at {size}: length", self.name);
        let some = (0..len).step_by(len / 997 + 1);
        let (found, reference): (Vec<f32>, Vec<f64>) = some.map(|at| (found[at], reference(at))).unzip();
        self.check(size, &found, &reference);
    }

    fn check_integers(&self, size: &str, found: &[i32], reference: &[i32]) {
        assert_eq!(found, reference, "{} at {size}", self.name);
        self.ran(size);
    }

    fn ran(&self, size: &str) {
        println!("{:<24} {size:<16} {}", self.name, target());
    }
}

fn exact(name: &'static str) -> Case {
    Case { name, exact: true }
}

fn close(name: &'static str) -> Case {
    Case { name, exact: false }
}

/// Runs all of them.
pub fn run() {
    vectors();
    permutations();
    reductions();
    matrices();
    stencils();
    points();
}

fn vectors() {
    for n in [0, 1, 5, 7, 31, 1000, 1021, 1024] {
        let (x, y) = (inputs(n, 0), inputs(n + 3, 5));
        let reference: Vec<f64> = x.iter().map(|x| 3.0 * f64::from(*x)).collect();
        exact("O1 scal").check(&format!("{n}"), &scal(3.0, &x).unwrap(), &reference);
        let reference: Vec<f64> = (0..n).map(|i| f64::from(x[i]) + f64::from(y[i + 3])).collect();
        exact("O2 shifted_add").check(&format!("{n}"), &shifted_add(&x, &y).unwrap(), &reference);
    }
}

fn permutations() {
    for n in [0, 1, 7, 128] {
        let x = integers(n, 2);
        let reference: Vec<i32> = x.iter().rev().copied().collect();
        exact("O3 reverse").check_integers(&format!("{n}"), &reverse(&x).unwrap(), &reference);
        exact("O3 reverse_written").check_integers(
            &format!("{n}"),
            &reverse_written(&x).unwrap(),
            &reference,
        );
    }
    for (n, s) in [(128, 4), (12, 3), (0, 3), (35, 7), (7, 1)] {
        let x = integers(n, 2);
        let source = |i: usize| i / (n / s) + s * (i % (n / s));
        let reference: Vec<i32> = (0..n).map(|i| x[source(i)]).collect();
        exact("O3 strided").check_integers(&format!("{n}/{s}"), &strided(s, &x).unwrap(), &reference);
        let mut reference = vec![0; n];
        (0..n).for_each(|i| reference[source(i)] = x[i]);
        exact("O3 strided_back").check_integers(
            &format!("{n}/{s}"),
            &strided_back(s, &x).unwrap(),
            &reference,
        );
    }
    assert!(strided(5, &integers(12, 0)).is_err(), "5 does not divide 12");
    for (r, c) in [(9, 6), (37, 53), (512, 256), (1, 1), (0, 3)] {
        let a = inputs(r * c, 1);
        let reference: Vec<f64> = (0..r * c).map(|at| f64::from(a[at % r * c + at / r]) + 1.0).collect();
        exact("O4 transposed").check(&format!("{r}x{c}"), &transposed((&a, [r, c])).unwrap(), &reference);
        exact("O4 transposed_written").check(
            &format!("{r}x{c}"),
            &transposed_written((&a, [r, c])).unwrap(),
            &reference,
        );
    }
}

fn reductions() {
    for n in [0, 1, 16, 1000, 1009, 16384] {
        let (x, y) = (inputs(n, 0), inputs(n, 11));
        let reference: f64 = x.iter().zip(&y).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
        exact("O5 dot_product").check(&format!("{n}"), &[dot_product(&x, &y).unwrap()], &[reference]);
    }
    for n in [0, 2048, 8192] {
        let x = inputs(n, 3);
        let reference: f64 = x.iter().map(|x| f64::from(x.abs())).sum();
        exact("O6 asum").check(&format!("{n}"), &[asum(&x).unwrap()], &[reference]);
    }
    let error = asum(&inputs(1000, 0)).expect_err("128 does not divide 1000").to_string();
    assert!(error.contains("128") && error.contains("1000"), "{error}");
    for n in [0, 1, 8, 1000] {
        let x = integers(n, 0);
        let sums = |from: i32| {
            x.iter()
                .scan(from, |sum, x| {
                    *sum += x;
                    Some(*sum)
                })
                .collect::<Vec<i32>>()
        };
        exact("O7 prefix_sums").check_integers(&format!("{n}"), &prefix_sums(&x).unwrap(), &sums(0));
        let mut reference = vec![5];
        reference.extend(sums(5));
        reference.truncate(n);
        exact("O7 prefix_sums_from_5").check_integers(
            &format!("{n}"),
            &prefix_sums_from_5(&x).unwrap(),
            &reference,
        );
    }
}

fn matrices() {
    for (m, n) in [(128, 128), (100, 37), (1024, 1024), (1, 1), (3, 0), (0, 3)] {
        let (a, x, y) = (inputs(m * n, 0), inputs(n, 4), inputs(m, 9));
        let row = |i: usize| (0..n).map(|j| f64::from(a[i * n + j]) * f64::from(x[j])).sum::<f64>();
        let reference: Vec<f64> = (0..m).map(|i| 2.0 * row(i) + 3.0 * f64::from(y[i])).collect();
        let found = gemv((&a, [m, n]), &x, &y, 2.0, 3.0).unwrap();
        exact("O8 gemv").check(&format!("{m}x{n}"), &found, &reference);
    }
    for (o, n, m) in [(64, 128, 128), (1, 1, 1), (17, 13, 29), (0, 2, 3), (5, 0, 3)] {
        let (at, b) = (inputs(o * n, 0), inputs(o * m, 6));
        let element = |i: usize, j: usize| {
            (0..o).map(|k| f64::from(at[k * n + i]) * f64::from(b[k * m + j])).sum::<f64>()
        };
        let reference: Vec<f64> = (0..n * m).map(|at| element(at / m, at % m)).collect();
        let found = matmul((&at, [o, n]), (&b, [o, m])).unwrap();
        exact("O9 matmul").check(&format!("{n}x{o}x{m}"), &found, &reference);
    }
    let (n, a, b) = (1024, inputs(1024 * 1024, 0), inputs(1024 * 1024, 6));
    let found = matmul((&a, [n, n]), (&b, [n, n])).unwrap();
    exact("O9 matmul").check_some("1024x1024x1024", &found, n * n, |at| {
        (0..n).map(|k| f64::from(a[k * n + at / n]) * f64::from(b[k * n + at % n])).sum()
    });
}

/// Reads a matrix with clamped indices.
fn clamped(a: &[f32], [h, w]: [usize; 2], i: isize, j: isize) -> f64 {
    let (i, j) = (i.clamp(0, h as isize - 1) as usize, j.clamp(0, w as isize - 1) as usize);
    f64::from(a[i * w + j])
}

fn stencils() {
    for n in [1, 2, 3, 1001] {
        let x = inputs(n, 0);
        let at = |i: isize| clamped(&x, [1, n], 0, i);
        let reference: Vec<f64> =
            (0..n as isize).map(|i| (at(i - 1) + 2.0 * at(i) + at(i + 1)) / 4.0).collect();
        exact("O10 binomial").check(&format!("{n}"), &binomial(&x).unwrap(), &reference);
    }
    for (h, w) in [(1, 1), (3, 3), (20, 80), (41, 33), (130, 70)] {
        let a = inputs(h * w, 0);
        let at = |i: isize, j: isize| clamped(&a, [h, w], i, j);
        let places: Vec<(isize, isize)> =
            (0..h as isize).flat_map(|i| (0..w as isize).map(move |j| (i, j))).collect();
        let star = |(i, j): (isize, isize)| {
            (5.0 * at(i - 1, j)
                + 12.0 * at(i, j - 1)
                + 15.0 * at(i, j)
                + 12.0 * at(i, j + 1)
                + 5.0 * at(i + 1, j))
                / 118.0
        };
        let reference: Vec<f64> = places.iter().copied().map(star).collect();
        let size = format!("{h}x{w}");
        close("O11 j2d5pt").check(&size, &j2d5pt((&a, [h, w])).unwrap(), &reference);
        let blurred = |(i, j): (isize, isize)| {
            let weight = |d: isize| if d == 0 { 2.0 } else { 1.0 };
            (-1..=1)
                .flat_map(|d| (-1..=1).map(move |e| (d, e)))
                .map(|(d, e)| weight(d) * weight(e) * at(i + d, j + e))
                .sum::<f64>()
                / 16.0
        };
        let reference: Vec<f64> = places.iter().copied().map(blurred).collect();
        exact("O12 binomial2D").check(&size, &binomial2D((&a, [h, w])).unwrap(), &reference);
        exact("O12 factorised").check(&size, &binomial2D_factorised((&a, [h, w])).unwrap(), &reference);
        exact("O12 separated").check(&size, &binomial2D_separated((&a, [h, w])).unwrap(), &reference);
    }
    let (h, w) = (4096, 4096);
    let a = inputs(h * w, 0);
    let at = |i: isize, j: isize| clamped(&a, [h, w], i, j);
    close("O11 j2d5pt").check_some("4096x4096", &j2d5pt((&a, [h, w])).unwrap(), h * w, |place| {
        let (i, j) = ((place / w) as isize, (place % w) as isize);
        let sides = 12.0 * (at(i, j - 1) + at(i, j + 1)) + 5.0 * (at(i - 1, j) + at(i + 1, j));
        (sides + 15.0 * at(i, j)) / 118.0
    });
    for [o, n, m] in [[3, 3, 3], [8, 9, 10], [64, 64, 64]] {
        let u = inputs(o * n * m, 0);
        let at = |i: usize, j: usize, k: usize| f64::from(u[(i * n + j) * m + k]);
        let mut reference = Vec::new();
        for (i, j, k) in
            (1..o - 1).flat_map(|i| (1..n - 1).flat_map(move |j| (1..m - 1).map(move |k| (i, j, k))))
        {
            let c = at(i, j, k);
            let second = |before: f64, after: f64| 0.125 * (before - 2.0 * c + after);
            reference.push(
                c + second(at(i, j - 1, k), at(i, j + 1, k))
                    + second(at(i, j, k - 1), at(i, j, k + 1))
                    + second(at(i - 1, j, k), at(i + 1, j, k)),
            );
        }
        exact("O13 heat3d").check(&format!("{o}x{n}x{m}"), &heat3d((&u, [o, n, m])).unwrap(), &reference);
    }
}

fn points() {
    for n in [0, 1, 512, 1000] {
        let (lats, lngs) = (inputs(n, 0), inputs(n, 8));
        let pairs: Vec<(f32, f32)> = lats.iter().copied().zip(lngs.iter().copied()).collect();
        let distance = |(lat, lng): &(f32, f32)| (1.5 - f64::from(*lat)).hypot(-2.0 - f64::from(*lng));
        let reference: Vec<f64> = pairs.iter().map(distance).collect();
        close("O14 distances").check(&format!("{n}"), &distances(&pairs, 1.5, -2.0).unwrap(), &reference);
        close("O14 distances_of_two").check(
            &format!("{n}"),
            &distances_of_two(&lats, &lngs, 1.5, -2.0).unwrap(),
            &reference,
        );
    }
    for (p, c, f) in [(1024, 5, 34), (3, 1, 1), (17, 4, 0), (100, 7, 3)] {
        let (features, clusters) = (inputs(f * p, 0), inputs(c * f, 5));
        let distance = |j: usize, k: usize| {
            (0..f).map(|d| (features[d * p + j] - clusters[k * f + d]).powi(2)).sum::<f32>()
        };
        let nearest = |j: usize| {
            (0..c)
                .fold(
                    (f32::MAX, 0),
                    |best, k| if distance(j, k) < best.0 { (distance(j, k), k) } else { best },
                )
                .1
        };
        let reference: Vec<i32> = (0..p).map(|j| nearest(j) as i32).collect();
        let found = nearest_cluster((&features, [f, p]), (&clusters, [c, f])).unwrap();
        exact("O15 nearest_cluster").check_integers(&format!("p={p} c={c} f={f}"), &found, &reference);
    }
}
