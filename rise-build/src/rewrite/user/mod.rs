//! Users' rules: `rule name<…>: left => right where …;`.
//!
//! In: a rule that stage 2 has typed. Out: something that is used as a rule of the catalogue is. The left side is
//! matched ([`matching`]), the right side built from what was found ([`build`]), and in the user's tests both
//! sides are held against each other by the interpreter ([`trial()`]).

mod build;
mod laws;
mod matching;
mod operators;
mod trial;

use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostics::Diagnostics;
use crate::expr::Expr;
use crate::nat::Nat;
use crate::syntax::ast;
use crate::types::{DataType, Rule, Scalar, Sides, infer_rule};

use super::context::{Context, Reason};
use super::strategy::{Applied, Value};

pub use laws::{Law, Property, declared, laws};
pub use operators::is_refuted;
pub use trial::{Instance, LARGEST as LARGEST_SIZE, Numbers, Verdict, trial};

/// A rule that is ready for use.
pub struct UserRule {
    rule: Rule,
    /// The sides at some types, which is enough for matching: forms do not depend on types.
    sides: Sides,
}

impl UserRule {
    /// The rule, typed.
    pub fn new(module: &ast::Module, item: &ast::Rule) -> Result<Rc<Self>, Diagnostics> {
        let rule = infer_rule(module, item)?;
        let any = vec![DataType::Scalar(Scalar::F32); rule.types.len()];
        let sides = rule.at(&any)?;
        Ok(Rc::new(Self { rule, sides }))
    }

    /// The rule with its types.
    pub fn typed(&self) -> &Rule {
        &self.rule
    }

    /// The names of the naturals that it takes as arguments.
    pub fn arguments(&self) -> Vec<String> {
        self.rule.arguments.iter().map(ToString::to_string).collect()
    }

    /// The rule with arguments.
    pub fn with(self: &Rc<Self>, values: Vec<Nat>) -> Applied {
        let texts: Vec<String> = values.iter().map(|nat| Value::Nat(nat.clone()).text()).collect();
        let name = match texts.is_empty() {
            true => self.rule.name.clone(),
            false => format!("{}({})", self.rule.name, texts.join(", ")),
        };
        let rule = self.clone();
        Applied {
            name: Arc::from(name),
            run: Rc::new(move |expr, context| rule.apply(expr, &values, context)),
        }
    }

    fn apply(&self, expr: &Expr, values: &[Nat], context: &mut Context) -> Result<Expr, Reason> {
        let found = matching::find(&self.rule, &self.sides, values, expr, context)?;
        let result = build::build(&self.rule, &found, expr, context)?;
        context.applied += 1;
        let depth = DEEPEST.saturating_sub(context.below);
        if context.applied > MOST || !is_small(&result, depth, &mut LARGEST.clone()) {
            let text = format!("it applies to its own results for ever: {} times so far", context.applied);
            let reason = Reason::refused(text);
            context.exhausted = Some(reason.clone());
            return Err(reason);
        }
        Ok(result)
    }
}

/// How deep a program may become by users' rules.
const DEEPEST: usize = 120;

/// How many nodes a result of a user's rule may have.
const LARGEST: usize = 4_000;

/// How often users' rules may be applied to one kernel.
const MOST: usize = 1_000;

/// Whether the term is at most so deep and has at most so many nodes.
fn is_small(expr: &Expr, depth: usize, nodes: &mut usize) -> bool {
    if depth == 0 || *nodes == 0 {
        return false;
    }
    *nodes -= 1;
    expr.children().into_iter().all(|child| is_small(child, depth - 1, nodes))
}
