//! The twelve benchmarks of the papers, each beside a kernel written by hand: the same algorithm, the same memory,
//! the same device.

use rise::Error;
use rise::opencl::{Buffer, Device};
use rise_runtime::opencl::{Arg, Element, Memory, Program, Run, Work};

use crate::papers;

/// A benchmark.
pub struct Benchmark {
    /// Its number and name.
    pub name: &'static str,
    /// Sizes for tests.
    pub small: &'static [usize],
    /// Sizes that take a while.
    pub large: &'static [usize],
    /// Runs both, so many times each.
    pub run: fn(&Device, &[usize], usize) -> Result<Outcome, Error>,
}

/// What became of both.
pub struct Outcome {
    /// Least nanoseconds on the device.
    pub ours: u64,
    /// The same for the kernel written by hand.
    pub by_hand: u64,
    /// How far the results are apart, relative to their size.
    pub worst: f64,
}

static BY_HAND: Program = Program { source: include_str!("by_hand.cl"), doubles: false, local: 0 };

/// All of them.
pub fn benchmarks() -> Vec<Benchmark> {
    let new = |name, small, large, run| Benchmark { name, small, large, run };
    vec![
        new("L1 nbody", &[512], &[16384], nbody),
        new("L1 nbody, tiled", &[512], &[16384], nbody_tiled),
        new("L1 nbody, vectors", &[512], &[16384], nbody_vectors),
        new("L2 molecules", &[1024, 128], &[12288, 128], molecules),
        new("L3 kmeans", &[1024, 5, 34], &[204_800, 5, 34], kmeans),
        new("L4 nearest", &[512], &[8_388_608], nearest),
        new("L5 mri-q", &[512, 256], &[32768, 2048], mri_q),
        new("L6 convolution", &[48], &[4096], convolution),
        new("L7 atax", &[37, 53], &[4096, 4096], atax),
        new("L8 gemv", &[100, 37], &[4096, 4096], gemv),
        new("L9 gesummv", &[37, 37], &[4096, 4096], gesummv),
        new("L10 mm, AMD", &[64, 128, 128], &[1024, 1024, 1024], mm_amd),
        new("L11 mm, NVIDIA", &[64, 128, 128], &[1024, 1024, 1024], mm_nvidia),
        new("L12 sgemm", &[130, 9, 66], &[1024, 1024, 1024], sgemm),
    ]
}

/// Numbers from 0 to 1 that repeat late.
fn numbers(len: usize, seed: usize) -> Vec<f32> {
    (0..len).map(|i| ((i + 1) as f64 * 0.618_033_988_749 + seed as f64 * 0.37).fract() as f32).collect()
}

fn points(len: usize, seed: usize) -> Vec<(f32, f32, f32)> {
    let (x, y, z) = (numbers(len, seed), numbers(len, seed + 3), numbers(len * 2, seed + 5));
    (0..len).map(|i| (50.0 * x[i], 50.0 * y[i] + 3.0 * z[len + i], 50.0 * z[2 * i / 3])).collect()
}

fn vector(device: &Device, len: usize, seed: usize) -> Result<Buffer<f32, 1>, Error> {
    Buffer::from_view(device, &numbers(len, seed))
}

fn matrix(device: &Device, shape: [usize; 2], seed: usize) -> Result<Buffer<f32, 2>, Error> {
    Buffer::from_view(device, (&numbers(shape[0] * shape[1], seed), shape))
}

/// What short kernels are measured for, besides a number of rounds.
const ENOUGH: u64 = 400_000_000;

/// The least times of both, called in turn after a call that does not count; short kernels of several rounds get more.
fn compete(
    rounds: usize,
    mut ours: impl FnMut() -> Result<(), Error>,
    mut by_hand: impl FnMut() -> Result<(), Error>,
) -> Result<[u64; 2], Error> {
    let (mut least, mut round, mut spent) = ([u64::MAX; 2], 0, 0);
    while round <= rounds || rounds > 1 && spent < ENOUGH && round < 100 {
        let (first, second) = (Run::timed(&mut ours), Run::timed(&mut by_hand));
        first.0.and(second.0)?;
        if round > 0 {
            least = [least[0].min(first.1), least[1].min(second.1)];
        }
        round += 1;
        spent += first.1 + second.1;
    }
    Ok(least)
}

/// The outcome, with results of `f32` compared.
fn outcome<T: Element, const R: usize>(
    [ours, by_hand]: [u64; 2],
    first: &Buffer<T, R>,
    second: &Buffer<T, R>,
) -> Result<Outcome, Error> {
    let (a, b) = (floats(first.memory())?, floats(second.memory())?);
    let apart = |(a, b): (&f32, &f32)| f64::from((a - b).abs()) / (1.0 + f64::from(a.abs()));
    let worst =
        a.iter().zip(&b).map(apart).fold(0.0, |worst, apart| if apart <= worst { worst } else { apart });
    Ok(Outcome { ours, by_hand, worst })
}

fn floats(memory: &Memory) -> Result<Vec<f32>, Error> {
    let mut all = vec![0.0_f32; memory.bytes() / 4];
    // SAFETY: there is room for all of it.
    unsafe { memory.read(all.as_mut_ptr().cast(), all.len() * 4)? };
    Ok(all)
}

/// So many work-items.
fn items(x: usize, y: usize) -> Work {
    Work::Items([x, y, 1])
}

macro_rules! hand {
    ($run:ident, $name:literal, $work:expr; $out:expr $(, $buffer:expr)*; $($value:expr),*) => {{
        let args = [
            Arg::Memory($out.memory()),
            $(Arg::Memory($buffer.memory()),)*
            $(Arg::of(&$value),)*
        ];
        // SAFETY: the arguments are those of the kernel in `by_hand.cl`.
        unsafe { $run.launch($name, $work, &args) }
    }};
}

type Body = ((f32, f32, f32), (f32, f32, f32));

fn bodies(device: &Device, sizes: &[usize], rounds: usize, tiled: bool) -> Result<Outcome, Error> {
    let (n, run) = (sizes[0], Run::new(device, &BY_HAND)?);
    let (p, v) = (Buffer::from_view(device, &points(n, 0))?, Buffer::from_view(device, &points(n, 7))?);
    let m = vector(device, n, 2)?;
    let (mut out, other) = (Buffer::<Body, 1>::new(device, [n])?, Buffer::<Body, 1>::new(device, [n])?);
    let len = n as u64;
    let groups = Work::Exactly([n / 128, 1, 1], [128, 1, 1]);
    let times = compete(
        rounds,
        || match tiled {
            true => papers::nbody_tiled_on(device, &mut out, &p, &v, &m),
            false => papers::nbody_on(device, &mut out, &p, &v, &m),
        },
        || match tiled {
            true => hand!(run, c"nbody_tiled", groups; other, p, v, m; len),
            false => hand!(run, c"nbody", items(n, 1); other, p, v, m; len),
        },
    )?;
    outcome(times, &out, &other)
}

fn nbody(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    bodies(device, sizes, rounds, false)
}

fn nbody_tiled(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    bodies(device, sizes, rounds, true)
}

fn nbody_vectors(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let (n, run) = (sizes[0], Run::new(device, &BY_HAND)?);
    let lanes = |seed| points(n, seed).into_iter().map(|(x, y, z)| [x, y, z, 0.0]).collect::<Vec<_>>();
    let (p, v) = (Buffer::from_view(device, &lanes(0))?, Buffer::from_view(device, &lanes(7))?);
    let m = vector(device, n, 2)?;
    let mut out = Buffer::<([f32; 4], [f32; 4]), 1>::new(device, [n])?;
    let other = Buffer::<([f32; 4], [f32; 4]), 1>::new(device, [n])?;
    let len = n as u64;
    let times = compete(
        rounds,
        || papers::nbody_vectors_on(device, &mut out, &p, &v, &m),
        || hand!(run, c"nbody_vectors", items(n, 1); other, p, v, m; len),
    )?;
    outcome(times, &out, &other)
}

fn molecules(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let ([n, m], run) = ([sizes[0], sizes[1]], Run::new(device, &BY_HAND)?);
    let x = Buffer::from_view(device, &points(n, 0))?;
    let near: Vec<u32> = (0..n * m).map(|at| ((at % n + 1 + at / n * 7 % (n - 1)) % n) as u32).collect();
    let near = Buffer::from_view(device, (&near, [m, n]))?;
    let (mut out, other) = (Buffer::new(device, [n])?, Buffer::<(f32, f32, f32), 1>::new(device, [n])?);
    let lens = [n as u64, m as u64];
    let times = compete(
        rounds,
        || papers::molecules_on(device, &mut out, &x, &near),
        || hand!(run, c"molecules", items(n, 1); other, x, near; lens[0], lens[1]),
    )?;
    outcome(times, &out, &other)
}

fn kmeans(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let ([p, c, f], run) = ([sizes[0], sizes[1], sizes[2]], Run::new(device, &BY_HAND)?);
    let (features, clusters) = (matrix(device, [f, p], 0)?, matrix(device, [c, f], 1)?);
    let (mut out, other) = (Buffer::<i32, 1>::new(device, [p])?, Buffer::<i32, 1>::new(device, [p])?);
    let lens = [f as u64, p as u64, c as u64];
    let times = compete(
        rounds,
        || papers::kmeans_on(device, &mut out, &features, &clusters),
        || hand!(run, c"kmeans", items(p, 1); other, features, clusters; lens[0], lens[1], lens[2]),
    )?;
    let differ = out.read()?.iter().zip(other.read()?).filter(|(a, b)| *a != b).count();
    Ok(Outcome { ours: times[0], by_hand: times[1], worst: differ as f64 })
}

fn nearest(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let (n, run) = (sizes[0], Run::new(device, &BY_HAND)?);
    let points: Vec<(f32, f32)> = numbers(n, 0).into_iter().zip(numbers(n, 4)).collect();
    let points = Buffer::from_view(device, &points)?;
    let (mut out, other) = (Buffer::new(device, [n])?, Buffer::<f32, 1>::new(device, [n])?);
    let (a, b, len) = (1.5_f32, -2.0_f32, n as u64);
    let times = compete(
        rounds,
        || papers::nearest_on(device, &mut out, &points, a, b),
        || hand!(run, c"nearest", items(n, 1); other, points; a, b, len),
    )?;
    outcome(times, &out, &other)
}

fn mri_q(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let ([x, k], run) = ([sizes[0], sizes[1]], Run::new(device, &BY_HAND)?);
    let (re, im) = (vector(device, k, 1)?, vector(device, k, 2)?);
    let mut phi = Buffer::new(device, [k])?;
    papers::mri_phi_on(device, &mut phi, &re, &im)?;
    let at: Vec<(f32, f32, f32)> =
        points(x, 0).into_iter().map(|(x, y, z)| (x * 0.02, y * 0.02, z * 0.02)).collect();
    let waves: Vec<(f32, f32, f32)> =
        points(k, 5).into_iter().map(|(x, y, z)| (x * 0.02, y * 0.02, z * 0.02)).collect();
    let (at, waves) = (Buffer::from_view(device, &at)?, Buffer::from_view(device, &waves)?);
    let start = Buffer::<(f32, f32), 1>::new(device, [x])?;
    let (mut out, other) = (Buffer::new(device, [x])?, Buffer::<(f32, f32), 1>::new(device, [x])?);
    let lens = [x as u64, k as u64];
    let times = compete(
        rounds,
        || papers::mri_q_on(device, &mut out, &at, &start, &waves, &phi),
        || hand!(run, c"mri_q", items(x, 1); other, at, start, waves, phi; lens[0], lens[1]),
    )?;
    outcome(times, &out, &other)
}

fn convolution(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let (n, run) = (sizes[0], Run::new(device, &BY_HAND)?);
    let (a, weights) = (matrix(device, [n, n], 0)?, vector(device, 17, 3)?);
    let between = Buffer::<f32, 2>::new(device, [n, n])?;
    let (mut out, other) = (Buffer::new(device, [n, n])?, Buffer::<f32, 2>::new(device, [n, n])?);
    let len = n as u64;
    let times = compete(
        rounds,
        || papers::convolution_on(device, &mut out, &a, &weights),
        || {
            hand!(run, c"rows", items(n, n); between, a, weights; len, len)?;
            hand!(run, c"columns", items(n, n); other, between, weights; len, len)
        },
    )?;
    outcome(times, &out, &other)
}

fn atax(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let ([m, n], run) = ([sizes[0], sizes[1]], Run::new(device, &BY_HAND)?);
    let (a, x) = (matrix(device, [m, n], 0)?, vector(device, n, 3)?);
    let between = Buffer::<f32, 1>::new(device, [m])?;
    let (mut out, other) = (Buffer::new(device, [n])?, Buffer::<f32, 1>::new(device, [n])?);
    let lens = [m as u64, n as u64];
    let times = compete(
        rounds,
        || papers::atax_on(device, &mut out, &a, &x),
        || {
            hand!(run, c"times", items(m, 1); between, a, x; lens[0], lens[1])?;
            hand!(run, c"transposed_times", items(n, 1); other, a, between; lens[0], lens[1])
        },
    )?;
    outcome(times, &out, &other)
}

fn gemv(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let ([m, n], run) = ([sizes[0], sizes[1]], Run::new(device, &BY_HAND)?);
    let (a, x, y) = (matrix(device, [m, n], 0)?, vector(device, n, 3)?, vector(device, m, 4)?);
    let (mut out, other) = (Buffer::new(device, [m])?, Buffer::<f32, 1>::new(device, [m])?);
    let (alpha, beta, lens) = (1.5_f32, 0.5_f32, [m as u64, n as u64]);
    let times = compete(
        rounds,
        || papers::gemv_on(device, &mut out, &a, &x, &y, alpha, beta),
        || hand!(run, c"gemv", items(m, 1); other, a, x, y; alpha, beta, lens[0], lens[1]),
    )?;
    outcome(times, &out, &other)
}

fn gesummv(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let ([m, n], run) = ([sizes[0], sizes[1]], Run::new(device, &BY_HAND)?);
    let (a, b, x) = (matrix(device, [m, n], 0)?, matrix(device, [m, n], 1)?, vector(device, n, 4)?);
    let (mut out, other) = (Buffer::new(device, [m])?, Buffer::<f32, 1>::new(device, [m])?);
    let (alpha, beta, lens) = (1.5_f32, 0.5_f32, [m as u64, n as u64]);
    let times = compete(
        rounds,
        || papers::gesummv_on(device, &mut out, &a, &b, &x, alpha, beta),
        || hand!(run, c"gesummv", items(m, 1); other, a, b, x; alpha, beta, lens[0], lens[1]),
    )?;
    outcome(times, &out, &other)
}

fn mm_amd(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let ([o, n, m], run) = ([sizes[0], sizes[1], sizes[2]], Run::new(device, &BY_HAND)?);
    let (at, b) = (matrix(device, [o, n], 0)?, matrix(device, [o, m], 1)?);
    let (mut out, other) = (Buffer::new(device, [n, m])?, Buffer::<f32, 2>::new(device, [n, m])?);
    let lens = [o as u64, n as u64, m as u64];
    let times = compete(
        rounds,
        || papers::mm_amd_on(device, &mut out, &at, &b),
        || hand!(run, c"mm_amd", items(m / 4, n / 8); other, at, b; lens[0], lens[1], lens[2]),
    )?;
    outcome(times, &out, &other)
}

fn mm_nvidia(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let ([o, n, m], run) = ([sizes[0], sizes[1], sizes[2]], Run::new(device, &BY_HAND)?);
    let (at, b) = (matrix(device, [o, n], 0)?, matrix(device, [o, m], 1)?);
    let (mut out, other) = (Buffer::new(device, [n, m])?, Buffer::<f32, 2>::new(device, [n, m])?);
    let lens = [o as u64, n as u64, m as u64];
    let groups = Work::Exactly([m / 128, n / 64, 1], [32, 8, 1]);
    let times = compete(
        rounds,
        || papers::mm_nvidia_on(device, &mut out, &at, &b),
        || hand!(run, c"mm_nvidia", groups; other, at, b; lens[0], lens[1], lens[2]),
    )?;
    outcome(times, &out, &other)
}

fn sgemm(device: &Device, sizes: &[usize], rounds: usize) -> Result<Outcome, Error> {
    let ([n, k, m], run) = ([sizes[0], sizes[1], sizes[2]], Run::new(device, &BY_HAND)?);
    let (a, b, c) = (matrix(device, [n, k], 0)?, matrix(device, [k, m], 1)?, matrix(device, [n, m], 2)?);
    let (mut out, other) = (Buffer::new(device, [n, m])?, Buffer::<f32, 2>::new(device, [n, m])?);
    let (alpha, beta, lens) = (1.5_f32, 0.5_f32, [n as u64, k as u64, m as u64]);
    let times = compete(
        rounds,
        || papers::sgemm_on(device, &mut out, &a, &b, &c, alpha, beta),
        || hand!(run, c"sgemm", items(m, n); other, a, b, c; alpha, beta, lens[0], lens[1], lens[2]),
    )?;
    outcome(times, &out, &other)
}
