//! The text of every stage of a kernel, for readers.

use std::fmt::Write as _;

use crate::expr::{Kernel, Proved};
use crate::machine::MACHINES;
use crate::rewrite::trace::{Stop, Trace};

/// The files of one kernel.
pub struct Dump {
    /// The name of the function, which is the name of the folder.
    pub kernel: String,
    /// Names and texts, in order of the stages.
    pub files: Vec<(String, String)>,
    wanted: bool,
    /// Which machine they are for, if there are files of others before.
    machine: usize,
}

impl Dump {
    /// No files; texts are made only if wanted.
    pub fn new(kernel: &str, wanted: bool) -> Self {
        Self { kernel: kernel.to_owned(), files: Vec::new(), wanted, machine: 0 }
    }

    /// The text of a stage.
    pub fn add(&mut self, file: &str, text: impl FnOnce() -> String) {
        if self.wanted {
            let name = match (self.machine, file.split_once('.')) {
                (1.., Some((stage, kind))) => format!("{stage}.{}.{kind}", MACHINES[self.machine].name),
                _ => file.to_owned(),
            };
            self.files.push((name, text()));
        }
    }

    /// No files yet of the stages for one of the machines; those of all but the first are named after it.
    #[must_use]
    pub fn for_machine(&self, machine: usize) -> Self {
        Self { kernel: self.kernel.clone(), files: Vec::new(), wanted: self.wanted, machine }
    }
}

/// What is declared, and what must hold: by proof, by the declarations, or by a check at entry.
pub fn obligations(kernel: &Kernel) -> String {
    let mut text = String::new();
    for declared in &kernel.declared {
        let _ = writeln!(text, "given     {declared}");
    }
    for proved in &kernel.proved {
        let how = if proved.declared { "declared" } else { "proved  " };
        let _ = writeln!(text, "{how}  {}{}  ({})", proved.obligation, ranges(proved), proved.rule);
    }
    for required in &kernel.obligations {
        let _ = writeln!(text, "checked   {}  ({})", required.obligation, required.rule);
    }
    for demand in &kernel.separable {
        let _ = writeln!(text, "checked   {} is separable  ({})", demand.shown, demand.rule);
    }
    text
}

/// For which values of the indices something holds.
fn ranges(proved: &Proved) -> String {
    let ranges = proved.indices.iter().map(|(index, bound)| format!("0 <= {index} < {bound}"));
    let ranges: Vec<String> = ranges.collect();
    if ranges.is_empty() { String::new() } else { format!(" for {}", ranges.join(", ")) }
}

/// The program after each step of the strategy, and why repetitions ended.
pub fn steps(trace: &Trace) -> String {
    let mut text = String::new();
    for (number, step) in trace.steps.iter().enumerate() {
        let _ = writeln!(text, "-- {}: {}", number + 1, step.name);
        for (stop, places) in counted(&step.stops) {
            let places = if places == 1 { String::new() } else { format!(" (at {places} places)") };
            let _ = writeln!(text, "   {stop}{places}");
        }
        for note in &step.notes {
            let _ = writeln!(text, "   {note}");
        }
        let _ = writeln!(text, "{}\n", step.body);
    }
    text
}

/// Each once, in order, with how often it is there.
fn counted(stops: &[Stop]) -> Vec<(&Stop, usize)> {
    let mut counted: Vec<(&Stop, usize)> = Vec::new();
    for stop in stops {
        match counted.iter_mut().find(|(known, _)| *known == stop) {
            Some((_, places)) => *places += 1,
            None => counted.push((stop, 1)),
        }
    }
    counted
}
