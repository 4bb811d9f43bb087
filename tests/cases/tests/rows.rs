//! `auto` cuts rows into vectors, peels borders and makes tasks of long rows: at lengths around all the places
//! where it cuts, it gives the bits of `lower`.

use rise::rise;

rise! {
    /// Five points that are not symmetric, clamped.
    pub fn windows<n: Nat>(x: [f32; n]) -> [f32; n] {
        x |> padClamp(3, 1) |> slide(5, 1) |> map(|w| w[0] + 2.0 * w[1] - 3.0 * w[3] + 5.0 * w[4])
    }
    compile windows to rust with lower as windows_lowered;

    /// Guarded instead of clamped.
    pub fn guarded<n: Nat>(x: [f64; n]) -> [f64; n] {
        x |> padCst(1, 2, 7.0) |> slide(4, 1) |> map(|w| w[0] - w[1] + 2.0 * w[3])
    }
    compile guarded to rust with lower as guarded_lowered;

    /// Rows with their neighbours.
    pub fn gradient<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] {
        a |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|w| w[0][0] - w[2][2] + 3.0 * w[1][2])
    }
    compile gradient to rust with lower as gradient_lowered;

    /// Rows that lie one after the other.
    pub fn mixed<h: Nat, w: Nat>(a: [[(f32, i32); w]; h], b: [[f32; w]; h]) -> [[f32; w]; h] {
        zip2D(a, b) |> map2D(|((x, n), y)| x * y + (n as f32))
    }
    compile mixed to rust with lower as mixed_lowered;

    pub fn column_sums<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [f32; w] {
        transpose(a) |> map(|column| column |> reduce(add, 0.0))
    }
    compile column_sums to rust with lower as column_sums_lowered;

    /// Tiles, what is left over of rows and columns, and products of a single row.
    pub fn product<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
        a |> map(|row| transpose(b) |> map(|column| zip(row, column) |> map(mult) |> reduce(add, 0.0)))
    }
    compile product to rust with lower as product_lowered;

    /// Columns in pairs with what is added to them.
    pub fn layer<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k], bias: [f32; m]) -> [[f32; m]; n] {
        a |> map(|row| zip(transpose(b), bias) |> map(|(column, c)|
            max((zip(row, column) |> map(mult) |> reduce(add, 0.0)) + c, 0.0)))
    }
    compile layer to rust with lower as layer_lowered;

    /// A product and what is added to it, element by element.
    pub fn scaled<n: Nat, k: Nat, m: Nat>(s: f32, a: [[f32; k]; n], b: [[f32; m]; k], c: [[f32; m]; n]) -> [[f32; m]; n] {
        zip(a, c) |> map(|(row, cs)| zip(transpose(b), cs) |> map(|(column, x)| s * dot(row, column) - 3.0 * x))
    }
    compile scaled to rust with lower as scaled_lowered;

    /// Two products in one sum, and a matrix that lies the other way.
    pub fn twice<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k], c: [[f32; m]; n]) -> [[f32; n]; m] {
        generate(|j| generate(|i| c[i][j] + sum(generate(|l| a[i][l] * b[l][j] - b[l][j] * (a[i][l] + 2.0)))))
    }
    compile twice to rust with lower as twice_lowered;

    /// Narrow integers, widened in the product.
    pub fn widened<n: Nat, k: Nat, m: Nat>(a: [[u8; k]; n], b: [[i8; m]; k]) -> [[i32; m]; n] {
        generate(|i| generate(|j| sum(generate(|l| (a[i][l] as i32) * (b[l][j] as i32)))))
    }
    compile widened to rust with lower as widened_lowered;

    /// A product of a product whose rows were changed.
    pub fn chain<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; k]; n] {
        product_of(product_of(a, b) |> map(|row| row |> map(|x| x - reduce(max, 0.0, row))), transpose(b))
    }
    compile chain to rust with lower as chain_lowered;
    fn product_of(a, b) { a |> map(|row| transpose(b) |> map(|column| dot(row, column))) }

    /// Windows by indices: what a fold reads lies as close as its neighbours in the row.
    pub fn window_sums<n: Nat, m: Nat, k: Nat>(x: [[f32; m + k]; n + k], f: [[f32; k]; k]) -> [[f32; m]; n] {
        generate(|i| generate(|j| sum(generate(|d| sum(generate(|e| x[i + d][j + e] * f[d][e]))))))
    }
    compile window_sums to rust with lower as window_sums_lowered;

    /// The same of rows, and of each with all others.
    pub fn filtered<n: Nat, k: Nat>(x: [f32; n + k], f: [f32; k]) -> ([f32; n + 1], [f32; k]) {
        (
            slide(k, 1, x) |> map(|w| dot(w, f)),
            f |> map(|y| x |> map(|x| abs(x - y)) |> reduce(add, 0.0)),
        )
    }
    compile filtered to rust with lower as filtered_lowered;

    /// Both at once, along rows and down columns.
    pub fn moments<h: Nat, w: Nat>(a: [[f32; w]; h]) -> ([(f32, f32); h], [[f32; w]; h]) {
        (
            a |> map(|row| row |> map(|x| (x, x * x)) |> reduce(|(s, g), (x, y)| (s + x, max(g, y)), (0.0, 1.0))),
            transpose(a) |> map(|column| column |> scan(add, 1.0)) |> transpose,
        )
    }
    compile moments to rust with lower as moments_lowered;
}

rise! {
    /// Sums of all rectangles that begin in a corner: scans of rows, several at once, and then of columns.
    pub fn integral<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] {
        a |> map(|row| row |> scan(add, 0.0)) |> transpose |> map(|column| column |> scan(add, 0.0)) |> transpose
    }
    compile integral to rust with lower as integral_lowered;

    /// Scans that differ from row to row.
    pub fn decayed<h: Nat, w: Nat>(a: [[f32; w]; h], by: [f32; h]) -> [[f32; w]; h] {
        zip(a, by) |> map(|(row, b)| row |> scan(|acc, x| b * acc + x, b))
    }
    compile decayed to rust with lower as decayed_lowered;

    /// Neighbours on a ring, and those two apart, which may be the same element.
    pub fn ring<n: Nat>(x: [f32; n]) -> [f32; n] {
        generate(|i| x[(i + 1) % n] - 2.0 * x[(i + n - 1) % n] + 3.0 * x[(i + 2) % n])
    }
    compile ring to rust with lower as ring_lowered;

    /// Neighbours on a torus, in numbers and in bytes.
    pub fn torus<h: Nat, w: Nat>(a: [[f32; w]; h]) -> ([[f32; w]; h], [[u8; w]; h]) where 1 <= h, 1 <= w {
        let bytes = a |> map2D(|x| (x as i32) as u8);
        (
            generate(|i| generate(|j| a[(i + 1) % h][j] - 2.0 * a[i][(j + w - 1) % w] + a[(i + h - 1) % h][(j + 1) % w])),
            generate(|i| generate(|j| sum(generate(|k: Idx[3]| sum(generate(|l: Idx[3]|
                bytes[(i + k + h - 1) % h][(j + l + w - 1) % w])))))),
        )
    }
    compile torus to rust with lower as torus_lowered;

    /// Parts of the sum of the row, and of that of the first row.
    pub fn parts<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] {
        a |> map(|row| row |> map(|x| 4.0 * x - sum(row) + sum(a[0])))
    }
    compile parts to rust with lower as parts_lowered;

    /// Neighbours where the last one is its own.
    pub fn ends<n: Nat>(x: [f32; n]) -> [f32; n] {
        generate(|i| x[min(i + 1, n - 1)] - 2.0 * x[max(i, 2) - 2])
    }
    compile ends to rust with lower as ends_lowered;
}

fn numbers(len: usize) -> Vec<f32> {
    (0..len).map(|i| ((7 * i + 3) % 17) as f32 - 8.0).collect()
}

#[test]
fn rows_of_all_lengths() -> Result<(), rise::Error> {
    let long = [4080, 4095, 4096, 4097, 4111, 8191, 8192, 8193, 8210, 12288, 12300, 16384, 16386, 32770];
    for n in (1..70).chain(long) {
        let x = numbers(n);
        let wide: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        assert_eq!(windows(&x)?, windows_lowered(&x)?, "{n}");
        assert_eq!(ring(&x)?, ring_lowered(&x)?, "{n}");
        assert_eq!(ends(&x)?, ends_lowered(&x)?, "{n}");
        assert_eq!(guarded(&wide)?, guarded_lowered(&wide)?, "{n}");
    }
    Ok(())
}

#[test]
fn matrices_of_all_shapes() -> Result<(), rise::Error> {
    let shapes =
        (1..40).flat_map(|w| [1, 2, 5, 8].map(|h| [h, w])).chain([[3, 1365], [64, 64], [33, 257], [2, 5000]]);
    for shape in shapes {
        let [h, w] = shape;
        let a = numbers(h * w);
        let pairs: Vec<(f32, i32)> = a.iter().map(|x| (x + 1.0, *x as i32)).collect();
        assert_eq!(gradient((&a, shape))?, gradient_lowered((&a, shape))?, "{shape:?}");
        assert_eq!(column_sums((&a, shape))?, column_sums_lowered((&a, shape))?, "{shape:?}");
        let by: Vec<f32> = numbers(h).iter().map(|x| (x / 8.0).round()).collect();
        assert_eq!(parts((&a, shape))?, parts_lowered((&a, shape))?, "{shape:?}");
        assert_eq!(torus((&a, shape))?, torus_lowered((&a, shape))?, "{shape:?}");
        assert_eq!(integral((&a, shape))?, integral_lowered((&a, shape))?, "{shape:?}");
        assert_eq!(decayed((&a, shape), &by)?, decayed_lowered((&a, shape), &by)?, "{shape:?}");
        assert_eq!(moments((&a, shape))?, moments_lowered((&a, shape))?, "{shape:?}");
        let (pairs, a) = ((&pairs, shape), (&a, shape));
        assert_eq!(mixed(pairs, a)?, mixed_lowered(pairs, a)?, "{shape:?}");
    }
    Ok(())
}

#[test]
fn windows_of_all_sizes() -> Result<(), rise::Error> {
    let sizes = [0, 1, 2, 7, 15, 16, 17, 33, 63, 64, 65, 100, 131];
    for k in sizes {
        for m in sizes {
            let (x, f) = (numbers(m + k), numbers(k));
            if k > 0 {
                assert_eq!(filtered(&x, &f)?, filtered_lowered(&x, &f)?, "{m} {k}");
            }
            for n in [0, 1, 3] {
                let (x, f) = (numbers((n + k) * (m + k)), numbers(k * k));
                let (x, f) = ((&x, [n + k, m + k]), (&f, [k, k]));
                assert_eq!(window_sums(x, f)?, window_sums_lowered(x, f)?, "{n} {m} {k}");
            }
        }
    }
    Ok(())
}

#[test]
fn products_of_all_shapes() -> Result<(), rise::Error> {
    let columns =
        [0, 1, 4, 5, 15, 16, 17, 20, 21, 31, 32, 47, 64, 127, 128, 129, 131, 160, 175, 250, 255, 300];
    for (n, k) in [(0, 3), (1, 5), (7, 3), (8, 1), (9, 0), (16, 16), (19, 7), (26, 37)] {
        for m in columns {
            let (a, b, bias) = (numbers(n * k), numbers(k * m), numbers(m));
            let bytes: Vec<u8> = a.iter().map(|x| (x * 31.0) as u8).collect();
            let signed: Vec<i8> = b.iter().map(|x| (x * 15.0) as i8).collect();
            let (bytes, signed) = ((&bytes, [n, k]), (&signed, [k, m]));
            assert_eq!(widened(bytes, signed)?, widened_lowered(bytes, signed)?, "{n} {k} {m}");
            let (a, b) = ((&a, [n, k]), (&b, [k, m]));
            assert_eq!(chain(a, b)?, chain_lowered(a, b)?, "{n} {k} {m}");
            assert_eq!(product(a, b)?, product_lowered(a, b)?, "{n} {k} {m}");
            let c = numbers(n * m);
            let c = (&c, [n, m]);
            assert_eq!(scaled(2.0, a, b, c)?, scaled_lowered(2.0, a, b, c)?, "{n} {k} {m}");
            assert_eq!(twice(a, b, c)?, twice_lowered(a, b, c)?, "{n} {k} {m}");
            assert_eq!(layer(a, b, &bias)?, layer_lowered(a, b, &bias)?, "{n} {k} {m}");
        }
    }
    Ok(())
}

/// Fewer panels than threads, each with work enough for several.
#[test]
fn products_that_threads_share() -> Result<(), rise::Error> {
    for [n, k, m] in
        [[96, 100, 128], [131, 64, 100], [127, 131, 129], [200, 150, 64], [160, 97, 250], [35, 401, 90]]
    {
        let (a, b, bias) = (numbers(n * k), numbers(k * m), numbers(m));
        let (a, b) = ((&a, [n, k]), (&b, [k, m]));
        let c = numbers(n * m);
        let c = (&c, [n, m]);
        let expected = (product_lowered(a, b)?, layer_lowered(a, b, &bias)?, scaled_lowered(2.0, a, b, c)?);
        for threads in [2, 3, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
            let run = || Ok::<_, rise::Error>((product(a, b)?, layer(a, b, &bias)?, scaled(2.0, a, b, c)?));
            let found = pool.install(run)?;
            assert_eq!(found, expected, "{n} {k} {m} on {threads} threads");
        }
    }
    Ok(())
}
