//! Every rule of the catalogue on random programs that match it, and on near misses that it must refuse.
//!
//! The left sides are in `left_sides.txt`. Each stands under a binder whose variable the random functions use; what
//! the rule makes of it is run by the interpreter, and as compiled Rust, and must give the same bits.

mod compiled;
mod left;

use std::collections::BTreeMap;

use rise_build::diagnostics::Session;
use rise_build::rewrite::catalog::rows;
use rise_build::rewrite::user::Numbers;
use rise_semantics::cases;

use left::{attempt, left_sides};

#[test]
fn every_rule_keeps_the_meaning_of_what_it_matches() {
    let _session = Session::start();
    let wanted = cases(200);
    let sides = left_sides();
    let mut tried: BTreeMap<&str, u32> = rows().map(|row| (row.name, 0)).collect();
    let (mut failures, mut programs, mut misses) = (Vec::new(), 0u32, 0u32);
    for left in &sides {
        let same = sides.iter().filter(|other| other.row.name == left.row.name && !other.miss).count() as u32;
        let share = if left.miss { 8 } else { wanted.div_ceil(same) };
        let mut done = 0;
        for seed in 0..u64::from(share) * 6 {
            if done == share {
                break;
            }
            match attempt(left, &mut Numbers::new(seed)) {
                Ok(Some(_)) => done += 1,
                Ok(None) => done += u32::from(left.miss),
                Err(text) => {
                    failures.push(text);
                    break;
                }
            }
        }
        match left.miss {
            true => misses += done,
            false => {
                programs += done;
                *tried.entry(left.row.name).or_default() += done;
            }
        }
    }
    println!("{} rules, {programs} programs, {misses} near misses, {} failures", tried.len(), failures.len());
    let rare: Vec<String> = tried
        .iter()
        .filter(|(_, count)| **count < wanted)
        .map(|(name, count)| format!("{name}: {count} of {wanted}"))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(rare.is_empty(), "not tried often enough:\n{}", rare.join("\n"));
}
