//! What was measured, as text, as a table for machines, and as a plot.

use std::fmt::Write as _;
use std::path::Path;

use crate::ceilings;

/// Ours beside one peer.
#[derive(Clone, Debug)]
pub struct Row {
    /// What is computed.
    pub workload: String,
    /// On how much.
    pub size: String,
    /// `1` or `all`.
    pub threads: &'static str,
    /// Of ours, in the unit.
    pub speed: f64,
    /// Of the speed.
    pub unit: &'static str,
    /// Beside whom.
    pub peer: &'static str,
    /// Our speed over the peer's.
    pub ratio: f64,
}

impl Row {
    /// One line of text.
    pub fn text(&self) -> String {
        let Row { workload, size, threads, speed, unit, peer, ratio } = self;
        format!("{workload:<16} {size:<14} {threads:<3} {speed:>8.1} {unit:<8} {peer:<28} {ratio:>5.2}")
    }
}

/// The processor's name and its number of threads.
pub fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} with {threads} threads", name.unwrap_or("unknown processor"))
}

/// Ourselves on one thread, as a peer.
pub const ONE_THREAD: &str = "rise, one thread";

/// What was measured on all threads beside the same on one.
pub fn over_one_thread(rows: &[Row]) -> Vec<Row> {
    let is_same = |a: &Row, b: &Row| (&a.workload, &a.size, a.unit) == (&b.workload, &b.size, b.unit);
    let mut found: Vec<Row> = Vec::new();
    for row in rows.iter().filter(|row| row.threads == "all") {
        let single = rows.iter().find(|single| single.threads == "1" && is_same(single, row));
        if let Some(single) = single.filter(|_| !found.iter().any(|found| is_same(found, row))) {
            found.push(Row { peer: ONE_THREAD, ratio: row.speed / single.speed, ..row.clone() });
        }
    }
    found
}

/// Tab-separated values, the machine first.
pub fn table(rows: &[Row]) -> String {
    let mut out = format!("# {}\nworkload\tsize\tthreads\tspeed\tunit\tpeer\tratio\n", machine());
    for Row { workload, size, threads, speed, unit, peer, ratio } in rows {
        let _ = writeln!(out, "{workload}\t{size}\t{threads}\t{speed:.2}\t{unit}\t{peer}\t{ratio:.3}");
    }
    out
}

const HEIGHT: usize = 16;
const LEFT: f64 = 330.0;
const ONE: f64 = 160.0;
const GREATEST: f64 = 2.0;

/// A bar for the best peer of each workload, and a line where both are equally fast. What no program can reach is no
/// peer, and nor are we.
pub fn plot(rows: &[Row]) -> String {
    let mut best: Vec<&Row> = Vec::new();
    for row in rows.iter().filter(|row| ![ceilings::IN_REGISTERS, ONE_THREAD].contains(&row.peer)) {
        let same = |other: &Row| {
            (&other.workload, &other.size, other.threads) == (&row.workload, &row.size, row.threads)
        };
        match best.iter().position(|other| same(other)) {
            Some(at) if row.ratio < best[at].ratio => best[at] = row,
            Some(_) => {}
            None => best.push(row),
        }
    }
    let height = (best.len() + 2) * HEIGHT;
    let width = LEFT + ONE * GREATEST + 60.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <text x=\"4\" y=\"12\">Speed over that of the best peer; {}</text>\n",
        machine()
    );
    for (line, row) in best.iter().enumerate() {
        let top = (line + 1) * HEIGHT;
        let (bar, y) = (row.ratio.min(GREATEST) * ONE, top + 12);
        let colour = if row.ratio >= 1.0 { "#4a8" } else { "#c74" };
        let _ = writeln!(
            out,
            "<text x=\"4\" y=\"{y}\">{} {}, {} thr., {}</text>\
             <rect x=\"{LEFT}\" y=\"{}\" width=\"{bar:.1}\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{y}\">{:.2}</text>",
            row.workload,
            row.size,
            row.threads,
            row.peer,
            top + 2,
            LEFT + bar + 4.0,
            row.ratio,
        );
    }
    let x = LEFT + ONE;
    let _ = writeln!(out, "<path d=\"M{x} {HEIGHT}V{height}\" stroke=\"black\"/>\n</svg>");
    out
}

/// Writes `cpu.tsv` and `cpu.svg` into the folder.
pub fn write(rows: &[Row], folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("cpu.tsv"), table(rows))?;
    std::fs::write(folder.join("cpu.svg"), plot(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_stand_beside_one() {
        let row = |size: &str, threads, speed, peer| {
            let (workload, size) = ("copy".to_owned(), size.to_owned());
            Row { workload, size, threads, speed, unit: "GB/s", peer, ratio: 1.0 }
        };
        let rows = [
            row("4 KiB", "1", 10.0, "by hand"),
            row("8 KiB", "1", 20.0, "by hand"),
            row("8 KiB", "all", 50.0, "by hand"),
            row("8 KiB", "all", 50.0, "memcpy"),
            row("9 KiB", "all", 70.0, "memcpy"),
        ];
        let found = over_one_thread(&rows);
        assert_eq!(found.iter().map(|row| (&*row.size, row.ratio)).collect::<Vec<_>>(), [("8 KiB", 2.5)]);
        assert!(!plot(&found).contains("8 KiB"));
    }
}
