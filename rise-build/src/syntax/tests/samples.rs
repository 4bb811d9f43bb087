//! Whole programs, used by the round trip and by the mutilation tests.

/// Every program is free of mistakes and has a function `f`.
pub(super) const SAMPLES: &[&str] = &[
    "/// y = M · x
     pub fn f<n: Nat, m: Nat>(mat: [[f32; m]; n], x: [f32; m]) -> [f32; n] {
         mat |> 'rows: map(|row| zip(row, x) |> map(|(a, b)| a * b) |> 'dot: reduce(add, 0.0))
     }
     strategy rows_in_parallel = mapPar @ 'rows ; vectorize(16) @ 'dot ; lower;
     compile f to rust with rows_in_parallel;
     compile f to opencl with
         splitJoin(64) @ 'rows ;
         mapWorkGroup @ 'rows.outer ; mapLocal @ 'rows.inner ;
         fuseReduceMap @ everywhere ; lower
         as gemv_gpu;",
    "def f = depFun((n: Nat, m: Nat) => fun(M: Array[n, Array[m, f32]] => fun(x: Array[m, f32] =>
         M |> map(fun(row => zip(row)(x) |> map(fun(ax => fst(ax) * snd(ax))) |> reduce(add)(0.0f))))))",
    "def f = fun((A: N.K.f32, B: K.M.f32), A |> map(fun(arrow, B |> transpose |> map(fun(bcol,
         zip(arrow,bcol) |> map(mult) |> reduce(add,0))))))",
    "crate = my_rise;
     use \"rise/blas.rise\";
     extern fn hyp(x: f32, y: f32) -> f32 = f32::hypot;
     extern fn odd<n: Nat>(x: [f32; n]) -> f32 where n >= 1 = \"no path\";
     fn square<t: Data>(x: t) -> t { x * x }
     fn twice(g, x: f32) { g(g(x)) }
     pub fn f(x: f32) -> f32 { square(x) |> hyp(1.0) }"
        ,
    "pub(crate) fn f<n: Nat, k: Nat>(x: [f32; n * 2 ^ k]) -> [f32; n] where n % 32 == 0, 4 divides n, k <= 3 {
         x |> iterate(k, |l: Nat| |xs| xs |> split(2) |> map(|p| p[0] + p[1]))
     }",
    "pub fn f<n: Nat>(x: [(f32, (i32, bool)); n], i: [Idx[n]; 4]) -> ([f32; 4], i32) {
         let ys = x |> map(|(a, (b, c))| if c && b >= 0 { a } else if b == -1 { -a } else { 0.5 });
         let (_, total): (f32, i32) = (0.0, 7);
         (i |> map(|j| ys[j]), total as i32 % 3 | 1)
     }",
    "#[commutative]
     fn bigger(a: f32, b: f32) -> f32 { max(a, b) }
     pub fn f<n: Nat, h: Nat -> Nat>(x: DepArray[n, |i| [f32; h(i) + 1]], v: Simd<f32, 4>) -> [[f32; sum(i in 0..n, ceil_div(i, 2))]; n] {
         [[0.0; n]; 3] |> f::<n, (n), 3 * n, [f32; n]>(v, x.0.1) >> g
     }",
    "rule fuse<n: Nat, g: s -> t, h: t -> u>(xs: [s; n]): map(g) >> map(h) => map(g >> h) where n != 1, pure(g);
     strategy tiles(a: Nat, 'l, tail = peel, s: Strategy) =
         try(tile(a, a, tail = tail) @ ('l.outer, 'l.rest/'cols)) ; (s <+ id) @ body(function(outermost(isMap)))
         ; repeat(fuse ; reorder(['i, 'j.inner, 'k])) ; f(n / 2, |x| x + 1, 'k: reduce(add, 0.0), { map(g) }, \"text\");
     compile f to c(std = \"c99\", threads = 4) with versions { when n < 32 => direct ; when n == 1, m > 2 => one ; tiles(8) };
     pub fn f(x: f32) -> f32 { x }",
    "pub fn f<n: Nat>(a: [i64; n], b: [f64; n]) -> [f64; n] where n >= 1 {
         zip(a, b) |> map(|p| { let q = p.0 as f64 * p.1; if !(q < 0.0) { q - -1.5e3 } else { f64::INFINITY } })
             |> scan(|acc, v| (acc * 2.0 + v) / f64::MAX, i32::MIN as f64)
     }",
    "fn g(h: fn(f32, f32) -> f32, k: (n: Nat) => [f32; n] -> f32, x: [f32; _]) -> f32 { x |> reduce(h, 0f32) |> 'a: 'b: k }
     pub fn f(x: f32, y: u8) -> (f32, u8) { ((x + 1.0) ^ (y & 3), 2 * (x ^ 3), (2 * x) ^ 3, y ^ 1 as u8) }",
];
