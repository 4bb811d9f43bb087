//! Interleaved timing. Machines are noisy and drift, so contenders take turns and only ratios within a
//! round are compared.

use std::time::Instant;

/// Somebody who does the work of a row.
pub struct Contender<'a> {
    /// Who.
    pub name: &'static str,
    /// Does it once.
    pub run: Box<dyn FnMut() + 'a>,
}

impl<'a> Contender<'a> {
    /// A contender that does the work by `run`.
    pub fn new(name: &'static str, run: impl FnMut() + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// What was measured for one contender.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Who.
    pub name: &'static str,
    /// Median seconds for the work.
    pub seconds: f64,
    /// Median over rounds of the first contender's speed over this one's: above 1 the first is faster.
    pub first_over_this: f64,
}

/// Seconds that one sample takes at least.
const SAMPLE: f64 = 2e-3;

/// Seconds after which no more than these rounds are begun.
const LONG: (f64, usize) = (15.0, 3);

/// Measures all contenders in turn, `rounds` times, or less often if that takes long, each round starting with
/// another one.
pub fn compare(mut contenders: Vec<Contender<'_>>, rounds: usize) -> Vec<Measured> {
    let repeats: Vec<usize> = contenders.iter_mut().map(calibrate).collect();
    let mut samples = vec![Vec::with_capacity(rounds); contenders.len()];
    let start = Instant::now();
    for round in 0..rounds {
        if round >= LONG.1 && start.elapsed().as_secs_f64() > LONG.0 {
            break;
        }
        for turn in 0..contenders.len() {
            let who = (round + turn) % contenders.len();
            samples[who].push(sample(&mut contenders[who], repeats[who]));
        }
    }
    let first = samples[0].clone();
    contenders
        .iter()
        .zip(samples)
        .map(|(contender, samples)| {
            let ratios = samples.iter().zip(&first).map(|(this, first)| this / first).collect();
            Measured { name: contender.name, seconds: median(samples), first_over_this: median(ratios) }
        })
        .collect()
}

fn sample(contender: &mut Contender<'_>, repeats: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        (contender.run)();
    }
    start.elapsed().as_secs_f64() / repeats as f64
}

/// How often the work is repeated in a sample, after warming up.
fn calibrate(contender: &mut Contender<'_>) -> usize {
    (contender.run)();
    let once = sample(contender, 1).max(1e-9);
    ((SAMPLE / once).ceil() as usize).clamp(1, 1_000_000)
}

/// The middle value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
