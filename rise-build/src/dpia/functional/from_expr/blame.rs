//! The messages of access inference.

use crate::diagnostics::Diagnostic;
use crate::expr::{Expr, Kind, Primitive};

use super::super::{LoopForm, Target};
use super::{Builder, Made};

impl Builder {
    /// RISE & Shine, listing 5: written, but read.
    pub(super) fn blame_memory(&mut self, expr: &Expr) -> Made {
        let what = name(expr);
        let mut help = format!("needs memory: put `{}` around this {what}", self.suggested_memory());
        if matches!(expr.as_prim(), Some((Primitive::Scan(_), _))) {
            help +=
                ", or `>> toMem` behind it where it is a function; `scan` leaves the choice to the strategy";
        }
        self.report(
            Diagnostic::error(
                expr.origin(),
                format!("{what} has to be written to memory before it can be read here"),
            )
            .help(help),
        )
    }

    /// Memory that those around share, and no others.
    fn suggested_memory(&self) -> &'static str {
        let inside = |holds: &dyn Fn(&LoopForm) -> bool| self.nest.iter().any(holds);
        match self.target {
            Target::Rust | Target::C | Target::OpenMp => "toMem(…)",
            Target::OpenCl if inside(&|form| matches!(form, LoopForm::Local(_) | LoopForm::Global(_))) => {
                "toMem(Private)"
            }
            Target::OpenCl if inside(&|form| matches!(form, LoopForm::WorkGroup(_))) => "toMem(Local)",
            Target::OpenCl => "toMem(Global)",
        }
    }

    /// Read, but the result is to be written.
    pub(super) fn blame_copy(&mut self, expr: &Expr) -> Made {
        let what = name(expr);
        self.report(
            Diagnostic::error(
                expr.origin(),
                format!("the program does not say how to write the result of {what}, of type {}", expr.ty()),
            )
            .help("say how to copy it: `|> mapSeq(|x| x)`, or another form of `map`"),
        )
    }

    /// A plain map whose result is to be written.
    pub(super) fn blame_map(&mut self, expr: &Expr) -> Made {
        self.report(
            Diagnostic::error(expr.origin(), "the program does not say how this `map` writes its result")
                .help("choose a form: `mapSeq`, `mapPar`, …, or end the strategy with `lower`"),
        )
    }

    /// An implementation that is still open.
    pub(super) fn blame_open(&mut self, expr: &Expr, choices: &str) -> Made {
        let what = name(expr);
        self.report(
            Diagnostic::error(expr.origin(), format!("the choice how to compute {what} was left open"))
                .help(format!("use {choices}, or end the strategy with `lower`")),
        )
    }

    /// A computation inside a function that only moves what others write.
    pub(super) fn blame_layout(&mut self, expr: &Expr) -> Made {
        self.report(
            Diagnostic::error(
                expr.origin(),
                format!("{} is still to be written here and cannot be read", name(expr)),
            )
            .help("a `map` over something that is written can only change its layout; use `mapSeq` over `toMem(…)`"),
        )
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Made {
        self.diagnostics.push(diagnostic);
        None
    }
}

/// How a message calls a term.
fn name(expr: &Expr) -> String {
    match expr.kind() {
        Kind::Var(name) => format!("`{name}`"),
        Kind::Literal(_) | Kind::Nat(_) => "this constant".into(),
        Kind::Let(..) => "this block".into(),
        Kind::Prim(primitive, _) => format!("`{primitive}`"),
    }
}
