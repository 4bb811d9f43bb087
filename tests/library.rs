//! The files that ship with the compiler, each function against its formula.

use rise::rise;

rise! {
    use "rise/blas.rise";
    use "rise/nn.rise";
    use "rise/image.rise";
    use "rise/particles.rise";

    pub fn product<m: Nat, n: Nat, k: Nat>(a: [[f32; k]; m], b: [[f32; n]; k]) -> [[f32; n]; m] { matMul(a, b) }
    pub fn product_tn<m: Nat, n: Nat, k: Nat>(a: [[f32; m]; k], b: [[f32; n]; k]) -> [[f32; n]; m] { matMulTN(a, b) }
    pub fn product_nt<m: Nat, n: Nat, k: Nat>(a: [[f32; k]; m], b: [[f32; k]; n]) -> [[f32; n]; m] { matMulNT(a, b) }
    pub fn product_tt<m: Nat, n: Nat, k: Nat>(a: [[f32; m]; k], b: [[f32; k]; n]) -> [[f32; n]; m] { matMulTT(a, b) }
    pub fn scaled_product<m: Nat, n: Nat, k: Nat>(alpha: f32, a: [[f32; k]; m], b: [[f32; n]; k], beta: f32, c: [[f32; n]; m])
        -> [[f32; n]; m] { gemm(alpha, a, b, beta, c) }
    pub fn products<g: Nat, m: Nat, n: Nat, k: Nat>(a: [[[i32; k]; m]; g], b: [[[i32; n]; k]; g]) -> [[[i32; n]; m]; g] {
        batchedMatMul(a, b)
    }
    pub fn vectors<n: Nat>(alpha: f64, x: [f64; n], y: [f64; n]) -> ([f64; n], [f64; n], f64, f64) {
        (scal(alpha, x), axpy(alpha, x, y), asum(x), nrm2(y))
    }
    pub fn matrices<m: Nat, n: Nat>(a: [[f32; n]; m], x: [f32; n], y: [f32; m]) -> ([f32; m], [f32; n], [f32; m], [f32; n], [[f32; n]; m]) {
        (gemv(2.0, a, x, 3.0, y), matTVec(a, y), rowSums(a), columnSums(a), outer(y, x))
    }
    pub fn traced<n: Nat>(a: [[f32; n]; n]) -> f32 { trace(a) }

    fn weigh(w) { w[0] + 2.0 * w[1] + w[2] }
    pub fn smoothed<h: Nat, w: Nat>(x: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
        x |> map(|row| row |> padClamp(1, 1) |> slide(3, 1) |> map(weigh))
          |> padClamp(1, 1) |> slide(3, 1) |> map(|rows| transpose(rows) |> map(weigh))
    }

    pub fn soft<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m]; n] { map(softmax, x) }
    pub fn layer<b: Nat, i: Nat, o: Nat>(x: [[f32; i]; b], w: [[f32; o]; i], bias: [f32; o]) -> [[f32; o]; b] {
        map2D(relu, dense(w, bias, x))
    }
    pub fn line<n: Nat, i: Nat, o: Nat>(x: [[f32; i]; 2 * n + 5], filter: [[[f32; o]; i]; 3]) -> [[f32; o]; n + 1] {
        conv1D(2, 2, filter, x)
    }
    pub fn picture<h: Nat, w: Nat, i: Nat, o: Nat, kh: Nat, kw: Nat>(
        x: [[[f32; i]; w + kw]; h + kh], filter: [[[[f32; o]; i]; kw]; kh]
    ) -> [[[f32; o]; w + 1]; h + 1] where kh >= 1, kw >= 1 { conv2D(1, 1, filter, x) }
    pub fn depth<h: Nat, w: Nat, c: Nat>(x: [[[f32; c]; w + 3]; h + 3], filter: [[[f32; c]; 3]; 3]) -> [[[f32; c]; w + 1]; h + 1] {
        depthwise2D(1, 1, filter, x)
    }
    pub fn pooled<h: Nat, w: Nat, c: Nat>(x: [[[f32; c]; 2 * w + 2]; 2 * h + 2]) -> [[[f32; c]; w + 1]; h + 1] {
        maxPool2D(2, 2, x)
    }

    pub fn gauss<h: Nat, w: Nat>(x: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
        { let k = [1.0, 2.0, 1.0]; filterSeparable(k, k, x) }
    }
    pub fn gauss2<h: Nat, w: Nat>(x: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
        filter2D([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]], x)
    }
    pub fn edges<h: Nat, w: Nat>(x: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 { sobel(x) }
    pub fn closed<h: Nat, w: Nat>(x: [[u8; w]; h]) -> ([[u8; w]; h], [[u8; w]; h]) where h >= 1, w >= 1 {
        (erode(3, x), dilate(3, x))
    }
    pub fn j2d5pt<h: Nat, w: Nat>(x: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
        stencil5(|n, w, c, e, s| (5.0 * n + 12.0 * w + 15.0 * c + 12.0 * e + 5.0 * s) / 118.0, x)
    }
    pub fn heat<o: Nat, n: Nat, m: Nat>(u: [[[f32; m + 2]; n + 2]; o + 2]) -> [[[f32; m]; n]; o]
        where o >= 1, n >= 1, m >= 1
    {
        stencil7(|c, b, f, n, s, w, e| c + 0.125 * (n - 2.0 * c + s) + 0.125 * (w - 2.0 * c + e) + 0.125 * (f - 2.0 * c + b), u)
    }
    pub fn bodies<n: Nat>(m: [f32; n], p: [(f32, f32, f32); n], v: [(f32, f32, f32); n]) -> [((f32, f32, f32), (f32, f32, f32)); n] {
        nBody(500.0, 0.005, m, p, v)
    }
}

/// Small integers, whose sums are exact.
fn inputs(len: usize, from: usize) -> Vec<f32> {
    (from..from + len).map(|i| ((7 * i + 3) % 17) as f32 - 8.0).collect()
}

/// `f` of all rows and columns, row by row.
fn table(rows: usize, columns: usize, f: impl Fn(usize, usize) -> f32) -> Vec<f32> {
    (0..rows * columns).map(|at| f(at / columns, at % columns)).collect()
}

fn close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() <= 1e-4 * (1.0 + y.abs()), "{x} is not {y}");
    }
}

#[test]
fn products_in_all_transpositions() {
    for (m, n, k) in [(1, 1, 1), (1, 7, 5), (3, 0, 2), (2, 3, 0), (37, 29, 31), (64, 48, 40)] {
        let (a, b, c) = (inputs(m * k, 0), inputs(k * n, 5), inputs(m * n, 2));
        let dot =
            |x: &dyn Fn(usize) -> f32, y: &dyn Fn(usize) -> f32| (0..k).map(|i| x(i) * y(i)).sum::<f32>();
        let nn = table(m, n, |i, j| dot(&|l| a[i * k + l], &|l| b[l * n + j]));
        let tn = table(m, n, |i, j| dot(&|l| a[l * m + i], &|l| b[l * n + j]));
        let nt = table(m, n, |i, j| dot(&|l| a[i * k + l], &|l| b[j * k + l]));
        let tt = table(m, n, |i, j| dot(&|l| a[l * m + i], &|l| b[j * k + l]));
        assert_eq!(*product((&a, [m, k]), (&b, [k, n])).unwrap(), nn[..]);
        assert_eq!(*product_tn((&a, [k, m]), (&b, [k, n])).unwrap(), tn[..]);
        assert_eq!(*product_nt((&a, [m, k]), (&b, [n, k])).unwrap(), nt[..]);
        assert_eq!(*product_tt((&a, [k, m]), (&b, [n, k])).unwrap(), tt[..]);
        let scaled = table(m, n, |i, j| 2.0 * nn[i * n + j] + 3.0 * c[i * n + j]);
        assert_eq!(*scaled_product(2.0, (&a, [m, k]), (&b, [k, n]), 3.0, (&c, [m, n])).unwrap(), scaled[..]);
    }
}

#[test]
fn batches_of_products() {
    let a: Vec<i32> = (0..2 * 3 * 4).collect();
    let b: Vec<i32> = (0..2 * 4 * 5).map(|i| i % 7 - 3).collect();
    let found = products((&a, [2, 3, 4]), (&b, [2, 4, 5])).unwrap();
    let expected = |g: usize, i: usize, j: usize| {
        (0..4).map(|k| a[g * 12 + i * 4 + k] * b[g * 20 + k * 5 + j]).sum::<i32>()
    };
    assert_eq!(found.to_vec(), (0..30).map(|at| expected(at / 15, at / 5 % 3, at % 5)).collect::<Vec<_>>());
}

#[test]
fn vectors_and_matrices() {
    let (x, y) = (vec![1.0, -2.0, 3.0], vec![2.0, 4.0, 4.0]);
    let (scaled, added, total, norm) = vectors(2.0, &x, &y).unwrap();
    assert_eq!((scaled, added, total, norm), (vec![2.0, -4.0, 6.0], vec![4.0, 0.0, 10.0], 6.0, 6.0));
    let (m, n) = (23, 41);
    let (a, x, y) = (inputs(m * n, 0), inputs(n, 3), inputs(m, 9));
    let (general, transposed, rows, columns, products) = matrices((&a, [m, n]), &x, &y).unwrap();
    let row = |i: usize, f: &dyn Fn(usize) -> f32| (0..n).map(|j| a[i * n + j] * f(j)).sum::<f32>();
    let column = |j: usize, f: &dyn Fn(usize) -> f32| (0..m).map(|i| a[i * n + j] * f(i)).sum::<f32>();
    assert_eq!(general, table(m, 1, |i, _| 2.0 * row(i, &|j| x[j]) + 3.0 * y[i]));
    assert_eq!(transposed, table(n, 1, |j, _| column(j, &|i| y[i])));
    assert_eq!(rows, table(m, 1, |i, _| row(i, &|_| 1.0)));
    assert_eq!(columns, table(n, 1, |j, _| column(j, &|_| 1.0)));
    assert_eq!(*products, table(m, n, |i, j| y[i] * x[j])[..]);
    assert_eq!(traced(&[[1.0, 2.0], [3.0, 4.0]]).unwrap(), 5.0);
}

#[test]
fn layers() {
    let (n, m) = (5, 19);
    let x: Vec<f32> = inputs(n * m, 1);
    let powers = |i: usize, j: usize| x[i * m + j].exp();
    let expected = table(n, m, |i, j| powers(i, j) / (0..m).map(|j| powers(i, j)).sum::<f32>());
    close(&soft((&x, [n, m])).unwrap(), &expected);

    let (b, i, o) = (3, 11, 7);
    let (x, w, bias) = (inputs(b * i, 0), inputs(i * o, 4), inputs(o, 2));
    let value = |r: usize, c: usize| (0..i).map(|k| x[r * i + k] * w[k * o + c]).sum::<f32>() + bias[c];
    assert_eq!(
        *layer((&x, [b, i]), (&w, [i, o]), &bias).unwrap(),
        table(b, o, |r, c| value(r, c).max(0.0))[..]
    );
}

#[test]
fn convolutions() {
    let (n, i, o) = (6, 3, 4);
    let (x, f) = (inputs((2 * n + 5) * i, 0), inputs(3 * i * o, 1));
    let tap = |p: usize, c: usize, t: usize, k: usize| x[(2 * p + 2 * t) * i + k] * f[(t * i + k) * o + c];
    let expected = table(n + 1, o, |p, c| (0..3 * i).map(|tk| tap(p, c, tk / i, tk % i)).sum());
    assert_eq!(*line((&x, [2 * n + 5, i]), (&f, [3, i, o])).unwrap(), expected[..]);

    // Windows that fill no tile, channels that do not, and both with something left over.
    let (kh, kw) = (3, 2);
    for (h, w, o) in [(5, 20, 4), (1, 2, 67), (2, 8, 32), (4, 12, 50)] {
        let (rows, columns) = (h + kh, w + kw);
        let (x, f) = (inputs(rows * columns * i, 0), inputs(kh * kw * i * o, 1));
        let at = |y: usize, z: usize, k: usize| x[(y * columns + z) * i + k];
        let sum = |y: usize, z: usize, c: usize| {
            let taps = (0..kh * kw * i).map(|t| (t / i / kw, t / i % kw, t % i));
            taps.map(|(dy, dz, k)| at(y + dy, z + dz, k) * f[((dy * kw + dz) * i + k) * o + c]).sum::<f32>()
        };
        let found = picture((&x, [rows, columns, i]), (&f, [kh, kw, i, o])).unwrap();
        assert_eq!(*found, table((h + 1) * (w + 1), o, |p, c| sum(p / (w + 1), p % (w + 1), c))[..]);
    }

    let (h, w) = (5, 20);
    let c = 8;
    let (x, f) = (inputs((h + 3) * (w + 3) * c, 0), inputs(9 * c, 1));
    let sum = |y: usize, z: usize, k: usize| {
        (0..9).map(|t| x[((y + t / 3) * (w + 3) + z + t % 3) * c + k] * f[t * c + k]).sum::<f32>()
    };
    let found = depth((&x, [h + 3, w + 3, c]), (&f, [3, 3, c])).unwrap();
    assert_eq!(*found, table((h + 1) * (w + 1), c, |p, k| sum(p / (w + 1), p % (w + 1), k))[..]);

    let (h, w) = (3, 4);
    let x = inputs(4 * h * w * c, 0);
    let most = |y: usize, z: usize, k: usize| {
        (0..4).map(|t| x[((2 * y + t / 2) * 2 * w + 2 * z + t % 2) * c + k]).fold(f32::MIN, f32::max)
    };
    let found = pooled((&x, [2 * h, 2 * w, c])).unwrap();
    assert_eq!(*found, table(h * w, c, |p, k| most(p / w, p % w, k))[..]);
}

/// Rows go in strips of sixteen.
#[test]
fn windows_over_computed_rows() {
    for (h, w) in [(1, 1), (3, 5), (16, 4), (17, 40), (33, 18), (50, 67)] {
        let x = inputs(h * w, 0);
        let near = |i: usize, by: usize, most: usize| (i + by).saturating_sub(1).min(most - 1);
        let weight = |t: usize| if t == 1 { 2.0 } else { 1.0 };
        let expected = table(h, w, |i, j| {
            let taps = (0..9).map(|t| (t / 3, t % 3));
            taps.map(|(r, c)| weight(r) * weight(c) * x[near(i, r, h) * w + near(j, c, w)]).sum()
        });
        assert_eq!(*smoothed((&x, [h, w])).unwrap(), expected[..], "{h} by {w}");
    }
}

#[test]
fn filters_and_stencils() {
    for (h, w) in [(1, 1), (3, 3), (17, 40), (5, 1)] {
        let x = inputs(h * w, 0);
        let at = |i: isize, j: isize| {
            x[i.clamp(0, h as isize - 1) as usize * w + j.clamp(0, w as isize - 1) as usize]
        };
        let near = |i: usize, j: usize| {
            move |t: usize| (i as isize + t as isize / 3 - 1, j as isize + t as isize % 3 - 1)
        };
        let window = |i: usize, j: usize| {
            std::array::from_fn::<f32, 9, _>(|t| {
                let (i, j) = near(i, j)(t);
                at(i, j)
            })
        };
        let weighted = |i, j| {
            window(i, j).iter().zip([1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0]).map(|(x, w)| x * w).sum()
        };
        assert_eq!(*gauss((&x, [h, w])).unwrap(), table(h, w, weighted)[..]);
        assert_eq!(*gauss2((&x, [h, w])).unwrap(), table(h, w, weighted)[..]);
        let steep = |i, j| {
            let v = window(i, j);
            let dx = (v[2] + 2.0 * v[5] + v[8]) - (v[0] + 2.0 * v[3] + v[6]);
            let dy = (v[6] + 2.0 * v[7] + v[8]) - (v[0] + 2.0 * v[1] + v[2]);
            (dx * dx + dy * dy).sqrt()
        };
        assert_eq!(*edges((&x, [h, w])).unwrap(), table(h, w, steep)[..]);
        let five = |i, j| {
            let v = window(i, j);
            (5.0 * v[1] + 12.0 * v[3] + 15.0 * v[4] + 12.0 * v[5] + 5.0 * v[7]) / 118.0
        };
        close(&j2d5pt((&x, [h, w])).unwrap(), &table(h, w, five));
        let bytes: Vec<u8> = x.iter().map(|x| (x + 8.0) as u8).collect();
        let (least, most) = closed((&bytes, [h, w])).unwrap();
        assert_eq!(
            least.to_vec(),
            table(h, w, |i, j| window(i, j).into_iter().fold(f32::MAX, f32::min) + 8.0)
                .iter()
                .map(|x| *x as u8)
                .collect::<Vec<_>>()
        );
        assert_eq!(
            most.to_vec(),
            table(h, w, |i, j| window(i, j).into_iter().fold(f32::MIN, f32::max) + 8.0)
                .iter()
                .map(|x| *x as u8)
                .collect::<Vec<_>>()
        );
    }
    let (o, n, m) = (2, 3, 20);
    let u = inputs((o + 2) * (n + 2) * (m + 2), 0);
    let at = |z: usize, y: usize, x: usize| u[(z * (n + 2) + y) * (m + 2) + x];
    let expected = table(o * n, m, |zy, x| {
        let (z, y, x) = (zy / n + 1, zy % n + 1, x + 1);
        let c = at(z, y, x);
        let second = |a: f32, b: f32| 0.125 * (a - 2.0 * c + b);
        c + second(at(z, y - 1, x), at(z, y + 1, x))
            + second(at(z, y, x - 1), at(z, y, x + 1))
            + second(at(z - 1, y, x), at(z + 1, y, x))
    });
    close(&heat((&u, [o + 2, n + 2, m + 2])).unwrap(), &expected);
}

#[test]
fn particles_attract() {
    let p = [(0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (0.0, 20.0, 5.0)];
    let (m, v) = ([1.0, 2.0, 3.0], [(1.0, 0.0, 0.0); 3]);
    let found = bodies(&m, &p, &v).unwrap();
    for (i, ((x, _, _), (vx, _, _))) in found.iter().enumerate() {
        let a: f32 = (0..3)
            .map(|j| {
                let (dx, dy, dz) = (p[j].0 - p[i].0, p[j].1 - p[i].1, p[j].2 - p[i].2);
                let r: f32 = dx * dx + dy * dy + dz * dz + 500.0;
                m[j] * dx / r.powf(1.5)
            })
            .sum();
        close(&[*x, *vx], &[p[i].0 + 0.005 * v[i].0 + 0.5 * 0.005 * 0.005 * a, v[i].0 + 0.005 * a]);
    }
    assert!(bodies(&[], &[], &[]).unwrap().is_empty());
}
