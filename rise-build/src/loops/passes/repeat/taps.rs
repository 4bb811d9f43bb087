//! Short loops inside of lanes, as over the taps of a window, written out.

use crate::nat::Nat;

use super::super::super::ir::*;
use super::super::copy::Copier;
use super::super::transpose::only_loop;
use super::is_straight;

/// Statements of loops that are written out.
const TAPS: i64 = 32;

/// A nest with short loops of known length inside of its lanes written out, if there are some.
pub(super) fn without_taps(outer: &Loop, buffers: &mut Vec<Buffer>) -> Option<Loop> {
    let body = match outer.kind {
        LoopKind::Vec => written_out(&outer.body, buffers)?,
        _ => vec![Stmt::For(without_taps(only_loop(&outer.body)?, buffers)?)],
    };
    Some(Loop { body, ..outer.clone() })
}

fn written_out(body: &[Stmt], buffers: &mut Vec<Buffer>) -> Option<Block> {
    let mut out = Block::new();
    let mut found = false;
    for stmt in body {
        match stmt {
            Stmt::For(Loop { var, count, kind: LoopKind::Seq, body }) if is_straight(body) => {
                let count = count.as_const().filter(|count| count * body.len() as i64 <= TAPS)?;
                found = true;
                for at in 0..count {
                    out.append(&mut Copier::new(buffers).with(var, Nat::lit(at)).copy(body));
                }
            }
            other => out.push(other.clone()),
        }
    }
    found.then_some(out)
}
