//! Kernels that wait for memory, beside loops by hand on the same bytes and copies; and particles.

use std::hint::black_box;

use rise::rise;
use rise_bench::streams as by_hand;
use rise_bench::timing::Contender;

use super::{numbers, report};

rise! {
    pub fn copied<n: Nat>(x: [f32; n]) -> [f32; n] { x }

    pub fn dot<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 { zip(x, y) |> map(mult) |> reduce(add, 0.0) }

    pub fn asum<n: Nat>(x: [f32; n]) -> f32 { x |> map(|x| abs(x)) |> reduce(add, 0.0) }

    pub fn axpy<n: Nat>(a: f32, x: [f32; n], y: [f32; n]) -> [f32; n] {
        zip(x, y) |> map(|(x, y)| a * x + y)
    }

    pub fn chain<n: Nat>(x: [f32; n]) -> [f32; n] {
        x |> map(|x| sqrt(abs(x))) |> map(|x| 2.0 * x - 1.0) |> map(|x| max(x, 0.0))
    }

    pub fn softmax<n: Nat, m: Nat>(x: [[f32; m + 1]; n]) -> [[f32; m + 1]; n] {
        x |> map(|row| {
            let greatest = row |> reduce(max, row[0]);
            let powers = row |> map(|x| exp(x - greatest)) |> toMem;
            let total = powers |> reduce(add, 0.0);
            powers |> map(|p| p / total)
        })
    }

    pub fn row_sums<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; n] { a |> map(|row| row |> reduce(add, 0.0)) }

    pub fn column_sums<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; m] {
        transpose(a) |> map(|column| column |> reduce(add, 0.0))
    }

    pub fn transposed<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [[f32; n]; m] { transpose(a) }

    fn zip3(x, y, z) { zip(x, zip(y, z)) }

    /// What pulls at each of the bodies.
    pub fn pulls<n: Nat>(m: [f32; n], x: [f32; n], y: [f32; n], z: [f32; n]) -> [(f32, (f32, f32)); n] {
        zip3(x, y, z) |> map(|(px, (py, pz))|
            zip(m, zip3(x, y, z))
            |> map(|(m, (qx, (qy, qz)))| {
                let dx = qx - px;
                let dy = qy - py;
                let dz = qz - pz;
                let squared = dx * dx + dy * dy + dz * dz + 500.0;
                let pull = m / (squared * sqrt(squared));
                (pull * dx, (pull * dy, pull * dz))
            })
            |> reduce(|(ax, (ay, az)), (bx, (by, bz))| (ax + bx, (ay + by, az + bz)), (0.0, (0.0, 0.0))))
    }
}

/// All of them.
pub fn all(single: bool) {
    for kib in [4, 64, 1024, 16 << 10, 64 << 10] {
        let len = kib * 256;
        [len, len + 1].into_iter().for_each(|len| vectors(len, single));
    }
    for n in [512, 513, 2048, 4096, 4097] {
        matrices(n, single);
    }
    if single {
        bodies(4096);
    }
}

/// Loops by hand, one through the cache and one past it, where this CPU runs them.
fn both<'a>(one: impl FnMut() + 'a, past: impl FnMut() + 'a) -> Vec<Contender<'a>> {
    match by_hand::is_there() {
        true => vec![Contender::new("by hand", one), Contender::new("by hand, past the cache", past)],
        false => Vec::new(),
    }
}

fn by_one<'a>(run: impl FnMut() + 'a) -> Option<Contender<'a>> {
    by_hand::is_there().then(|| Contender::new("by hand", run))
}

/// Numbers that begin at the same place of a page in all buffers, and not with a line, as allocators give them: loads
/// that follow stores to the same place of another page wait for them.
struct Placed {
    memory: Vec<f32>,
    start: usize,
    len: usize,
}

impl Placed {
    fn new(len: usize) -> Self {
        let mut memory = vec![0.0; len + 1024];
        let start = (memory.as_ptr().align_offset(4096) + 260) % 1024;
        memory[start..start + len].copy_from_slice(&numbers(len));
        Self { memory, start, len }
    }

    fn all(&self) -> &[f32] {
        &self.memory[self.start..][..self.len]
    }

    fn all_mut(&mut self) -> &mut [f32] {
        &mut self.memory[self.start..][..self.len]
    }
}

fn vectors(len: usize, single: bool) {
    let [x, y, mut out, mut to, mut other, mut past] = [(); 6].map(|()| Placed::new(len));
    let (x, y, mut sum) = (x.all(), y.all(), 0.0);
    let [out, to, other, past] = [&mut out, &mut to, &mut other, &mut past].map(Placed::all_mut);
    let bytes = 4.0 * len as f64;
    let size = format!("{} KiB{}", len / 256, if len.is_multiple_of(256) { "" } else { " + 4 B" });

    let mut rows = vec![Contender::new("rise", || copied_into(&mut *out, x).expect("the lengths agree"))];
    rows.push(Contender::new("copy_from_slice", || to.copy_from_slice(black_box(x))));
    rows.extend(both(|| by_hand::copy(x, other, false), || by_hand::copy(x, past, true)));
    report("stream copy", &size, single, 2.0 * bytes, "GB/s", rows);

    let mut rows =
        vec![Contender::new("rise", || axpy_into(&mut *out, 2.0, x, y).expect("the lengths agree"))];
    rows.extend(both(|| by_hand::axpy(2.0, x, y, other, false), || by_hand::axpy(2.0, x, y, past, true)));
    report("stream axpy", &size, single, 3.0 * bytes, "GB/s", rows);

    let mut rows = vec![Contender::new("rise", || chain_into(&mut *out, x).expect("the lengths agree"))];
    rows.extend(both(|| by_hand::chain(x, other, false), || by_hand::chain(x, past, true)));
    report("stream chain", &size, single, 2.0 * bytes, "GB/s", rows);

    let mut rows = vec![Contender::new("rise", || dot_into(&mut sum, x, y).expect("the lengths agree"))];
    rows.extend(by_one(|| {
        black_box(by_hand::dot(x, y));
    }));
    report("stream dot", &size, single, 2.0 * bytes, "GB/s", rows);

    let mut rows = vec![Contender::new("rise", || asum_into(&mut sum, x).expect("a vector"))];
    rows.extend(by_one(|| {
        black_box(by_hand::asum(x));
    }));
    report("stream asum", &size, single, bytes, "GB/s", rows);
}

fn matrices(n: usize, single: bool) {
    let a = numbers(n * n);
    let (mut out, mut to) = (vec![0.0; n * n], vec![0.0; n * n]);
    let (mut row, mut other) = (vec![0.0; n], vec![0.0; n]);
    let bytes = 4.0 * (n * n) as f64;
    let (shape, size) = ([n, n], format!("{n}x{n}"));
    let a = &a[..];

    let mut rows = vec![Contender::new("rise", || row_sums_into(&mut row, (a, shape)).expect("shapes"))];
    rows.extend(by_one(|| by_hand::row_sums(a, n, &mut other)));
    report("stream row sums", &size, single, bytes, "GB/s", rows);

    let mut rows = vec![Contender::new("rise", || column_sums_into(&mut row, (a, shape)).expect("shapes"))];
    rows.extend(by_one(|| by_hand::column_sums(a, n, &mut other)));
    report("stream column sums", &size, single, bytes, "GB/s", rows);

    if n.is_multiple_of(16) {
        let rows =
            vec![Contender::new("rise", || softmax_into((&mut out, shape), (a, shape)).expect("shapes"))];
        let by_hand = by_one(|| by_hand::softmax(a, n, &mut to));
        let rows = rows.into_iter().chain(by_hand).collect();
        report("stream softmax", &size, single, 2.0 * bytes, "GB/s", rows);
    }

    let rows = vec![
        Contender::new("rise", || transposed_into((&mut out, shape), (a, shape)).expect("shapes")),
        Contender::new("copy_from_slice", || to.copy_from_slice(black_box(a))),
    ];
    report("stream transpose", &size, single, 2.0 * bytes, "GB/s", rows);
}

fn bodies(n: usize) {
    let [m, x, y, z] = [1, 2, 3, 4].map(|k| (0..n).map(|i| ((k * i + 3) % 17) as f32).collect::<Vec<_>>());
    let (mut ours, mut theirs) = (vec![(0.0, (0.0, 0.0)); n], vec![(0.0, (0.0, 0.0)); n]);
    let mut rows =
        vec![Contender::new("rise", || pulls_into(&mut ours, &m, &x, &y, &z).expect("the lengths agree"))];
    rows.extend(by_one(|| by_hand::pulls([&m, &x, &y, &z], &mut theirs)));
    report("stream n-body", &n.to_string(), true, 20.0 * (n as f64).powi(2), "GFLOP/s", rows);
}
