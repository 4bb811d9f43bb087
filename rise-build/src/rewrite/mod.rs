//! Stage 3: rewriting a typed program by a strategy.
//!
//! In: a kernel in data-flow normal form. Out: a kernel of the same type and meaning. Nothing is changed
//! but by rules, and [`lower()`], the last step of most strategies, only makes choices that are still open.

pub mod catalog;
mod condition;
pub mod context;
pub mod elaborate;
mod elsewhere;
pub mod engine;
pub mod lower;
pub mod place;
pub mod predicate;
pub mod recipes;
pub mod reference;
pub mod rules;
pub mod strategy;
mod total;
pub mod trace;
pub mod user;
mod ways;

pub use elaborate::{check, natural};
pub use lower::lower;

#[cfg(test)]
mod tests;

use crate::diagnostics::{Diagnostic, Diagnostics, Origin};
use crate::dpia::functional::Target;
use crate::expr::{Expr, Kernel};
use crate::machine::{Asked, Machine};
use crate::syntax::ast;

use context::Context;
use engine::{Engine, Failure};
use strategy::{Strategy, StrategyKind};
use trace::Trace;

/// The kernel rewritten for a machine by a strategy, `auto` if none is given, and the story of it.
pub fn apply(
    kernel: &Kernel,
    strategy: Option<&ast::Strategy>,
    module: &ast::Module,
    target: Target,
    machine: &'static Machine,
) -> Result<(Kernel, Trace), Diagnostics> {
    let (strategy, asked) = match strategy {
        Some(strategy) if !elaborate::is_readable(strategy, module) => return Err(Diagnostics::new()),
        Some(strategy) => elaborate::elaborate(strategy, module, &kernel.nats, machine)?,
        None => (Strategy::new(StrategyKind::Auto), Asked::default()),
    };
    let mut context = Context::new(kernel, target).on(machine).under(user::laws(module).0);
    context.asked = asked;
    run_in(context, kernel, &strategy).map_err(|failure| report(&failure, kernel).into())
}

/// The kernel rewritten by a strategy that is elaborated already.
pub fn run(
    kernel: &Kernel,
    strategy: &Strategy,
    target: Target,
    machine: &'static Machine,
) -> Result<(Kernel, Trace), Box<Failure>> {
    run_in(Context::new(kernel, target).on(machine), kernel, strategy)
}

fn run_in(context: Context, kernel: &Kernel, strategy: &Strategy) -> Result<(Kernel, Trace), Box<Failure>> {
    let mut engine = Engine::new(context);
    // A single step is a sequence of one, so that it is recorded.
    let steps = match &strategy.kind {
        StrategyKind::Seq(_) => strategy.clone(),
        _ => Strategy { kind: StrategyKind::Seq(vec![strategy.clone()]), origin: strategy.origin },
    };
    let body = engine.run(&steps, &kernel.body)?;
    if let Some(reason) = &engine.context.exhausted {
        return Err(Failure::from(reason.clone()).at(strategy.origin).into());
    }
    engine.trace.asked = engine.context.asked;
    let mut kernel = Kernel { body, ..kernel.clone() };
    kernel.obligations.extend(engine.context.required);
    kernel.separable.extend(engine.context.separable);
    Ok((kernel, engine.trace))
}

/// The kernel under the default strategy.
pub fn auto(kernel: &Kernel, target: Target, machine: &'static Machine) -> Kernel {
    match run(kernel, &Strategy::new(StrategyKind::Auto), target, machine) {
        Ok((kernel, _)) => kernel,
        Err(_) => lower(kernel, target),
    }
}

/// How many characters of a term a message shows.
const SHOWN: usize = 160;

fn report(failure: &Failure, kernel: &Kernel) -> Diagnostic {
    let what =
        if failure.rule.is_empty() { "the strategy".to_owned() } else { format!("`{}`", failure.rule) };
    let origin = if failure.origin.is_none() { Origin::NONE } else { failure.origin };
    let mut diagnostic =
        Diagnostic::error(origin, format!("{what} does not apply to `{}`: {}", kernel.name, failure.reason));
    if let Some(at) = &failure.at {
        diagnostic = diagnostic.label(at.origin(), format!("tried on `{}` of type {}", shown(at), at.ty()));
    }
    if let Some(nearest) = &failure.nearest {
        diagnostic = match nearest.labels() {
            [] => diagnostic.label(nearest.origin(), format!("it would apply to `{}`", shown(nearest))),
            [label, ..] => diagnostic.help(format!("it would apply at {label}")),
        };
    }
    diagnostic
}

/// The beginning of a term in one line.
fn shown(term: &Expr) -> String {
    let line: String = place::without_here(term).to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < line.len() { format!("{shown} …") } else { shown }
}
