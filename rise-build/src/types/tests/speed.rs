//! Inference is fast enough for a macro at opt-level 0.

use std::time::{Duration, Instant};

use super::infer;
use crate::diagnostics::Session;

const GEMV: &str = "pub fn gemv<m: Nat, n: Nat>(a: [[f32; n]; m], x: [f32; n], y: [f32; m], alpha: f32, beta: f32) -> [f32; m] {
    zip(a, y) |> map(|(row, y)| alpha * (zip(row, x) |> map(mult) |> reduce(add, 0.0)) + beta * y)
}";

#[test]
fn a_kernel_takes_milliseconds() {
    let _session = Session::start();
    let best = (0..20).map(|_| time(GEMV)).min().unwrap_or_default();
    assert!(best.as_millis() < 10, "parsing, inferring and checking took {best:?}");
}

fn time(text: &str) -> Duration {
    let start = Instant::now();
    infer(text);
    start.elapsed()
}

/// A chain of `n` steps, each of which is a helper applied to a helper's function.
fn chain(n: usize) -> String {
    let steps = " |> map(step(1.5)) |> padClamp(1, 1) |> slide(3, 1) |> map(|w| if w[0] < w[1] { w[1] } else { w[2] })".repeat(n);
    format!(
        "fn step(c: f32, x: f32) -> f32 {{ x * c + 1 }} pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {{ x{steps} }}"
    )
}

#[test]
fn time_grows_with_the_program() {
    let _session = Session::start();
    let (short, long) = (chain(4), chain(16));
    // Other work may get in between, so one attempt that is not disturbed is enough.
    let linear = (0..40).any(|_| time(&long) < time(&short) * 8);
    assert!(linear, "4 times as much takes more than 8 times as long");
}
