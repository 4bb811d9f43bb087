//! Maps of scans, whose steps wait for the steps before.
//!
//! In: any term. Out: the same, where scans along columns go row by row over one accumulator a column, and other scans
//! whose steps take long go [`ROWS`] at once, which do not wait for each other. Each is scanned in its own order.

use crate::expr::{Arg, Binary, Expr, Primitive, ScanForm};
use crate::nat::Nat;
use crate::rewrite::engine::{Engine, Outcome};
use crate::rewrite::rules::lowering;
use crate::rewrite::rules::nest::lift_scan;
use crate::rewrite::rules::split::split_peel;
use crate::rewrite::rules::support::{len, plain_map};
use crate::types::Scalar;

use super::columns::is_apart;
use super::strides::{Known, descend};

/// Scans that go at once: an addition takes as long as four can be begun in.
const ROWS: i64 = 4;

/// Processors begin with the next row before they end a shorter one.
const LONG: i64 = 16;

/// All such maps inside.
pub fn everywhere(engine: &mut Engine, body: &Expr) -> Expr {
    Finder { known: Known::default(), engine }.expr(body)
}

/// Scalar scans in a map.
enum Scans {
    /// Along columns.
    Apart,
    /// Along rows, or of what is computed.
    Rows,
}

/// Whether the next step begins later than processors could begin it: floats take several steps, and products of integers.
fn waits(step: &Expr) -> bool {
    let is_float = step.ty().scalar().is_some_and(Scalar::is_float);
    is_float
        || step.any(&|node| {
            let primitive = node.as_prim().map(|(primitive, _)| primitive);
            matches!(primitive, Some(Primitive::Binary(Binary::Mul | Binary::Div | Binary::Rem)))
        })
}

struct Finder<'e> {
    known: Known,
    engine: &'e mut Engine,
}

impl Finder<'_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        let found = self.scans(expr);
        let inside = descend(self, |finder| &mut finder.known, expr, Self::expr);
        let turned = match found {
            Some(Scans::Apart) => lift_scan(&inside, &self.engine.context).map_err(Into::into),
            Some(Scans::Rows) => self.at_once(&inside),
            None => return inside,
        };
        turned.unwrap_or(inside)
    }

    fn scans(&mut self, expr: &Expr) -> Option<Scans> {
        let map = plain_map(expr).ok()?;
        let (Primitive::Scan(form), [Arg::Fun(f), _, Arg::Expr(xs)]) = map.f.body.as_prim()? else {
            return None;
        };
        if !f.body.ty().is_numbers() || f.body.ty().scalar().is_some_and(|scalar| scalar.bytes() < 4) {
            return None;
        }
        let least =
            |xs: &Expr, count: i64| len(xs).is_ok_and(|len| len.as_const().is_none_or(|len| len >= count));
        match is_apart(&mut self.known, map, f, xs) {
            true => Some(Scans::Apart),
            false => {
                let open = *form == ScanForm::Plain && f.body.ty().scalar().is_some() && waits(&f.body);
                (open && least(map.xs, ROWS) && least(xs, LONG)).then_some(Scans::Rows)
            }
        }
    }

    fn at_once(&mut self, expr: &Expr) -> Outcome {
        let pieces = split_peel(expr, &Nat::lit(ROWS), &mut self.engine.context)?;
        self.engine.top_down(&pieces, &mut |engine, node| {
            let at_once = lift_scan(node, &engine.context)?;
            engine.top_down(&at_once, &mut |_, step| Ok(lowering::unroll(step)?))
        })
    }
}
