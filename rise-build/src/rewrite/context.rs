//! What a rule may know and ask for: the sizes in scope, what is known about them, new obligations.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use crate::diagnostics::Origin;
use crate::dpia::functional::Target;
use crate::expr::{Expr, Kernel, Kind, Lambda, Param, Primitive, Required, Separable, TypeError};
use crate::machine::{Asked, Machine};
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar, Obligation};
use crate::rewrite::user::Law;
use crate::types::DataType;

/// Why a rule does not apply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// A clause that can stand behind "because".
    pub text: Cow<'static, str>,
    /// Whether the pattern matched, so that only a side condition is in the way.
    pub matched: bool,
}

impl Reason {
    /// The expression is not what the rule is about.
    pub const fn mismatch(text: &'static str) -> Self {
        Reason { text: Cow::Borrowed(text), matched: false }
    }

    /// The expression is, but a side condition does not hold.
    pub fn refused(text: impl Into<Cow<'static, str>>) -> Self {
        Reason { text: text.into(), matched: true }
    }
}

impl From<TypeError> for Reason {
    fn from(error: TypeError) -> Self {
        Reason::refused(error.0)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What is known around the place where a rule is applied.
pub struct Context {
    /// What the kernel is compiled to.
    pub target: Target,
    /// The kernel as it was written.
    pub kernel: Kernel,
    /// Obligations that rules asked for.
    pub required: Vec<Required>,
    /// What rules demand of the values of parameters.
    pub separable: Vec<Separable>,
    /// What else there is to say of the current step.
    pub notes: Vec<String>,
    /// The parameters of the kernel.
    pub params: Vec<Name>,
    /// What steps the current rule is part of, for obligations.
    pub rule: String,
    /// Where the current step was written.
    pub origin: Origin,
    /// How deep in the kernel's body the place stands.
    pub below: usize,
    /// How often rules of the user were applied.
    pub applied: usize,
    /// Why nothing more is done: a repetition went on for too long.
    pub exhausted: Option<Reason>,
    /// What is declared of operators.
    pub laws: Rc<[Law]>,
    machine: &'static Machine,
    /// What was asked of it.
    pub asked: Asked,
    facts: Facts,
    /// Variables between the kernel and the place, with their bounds where they have any.
    binders: Vec<(NatVar, Option<Nat>)>,
}

impl Context {
    /// The context of a kernel's body.
    pub fn new(kernel: &Kernel, target: Target) -> Self {
        Context {
            target,
            kernel: kernel.clone(),
            required: Vec::new(),
            separable: Vec::new(),
            notes: Vec::new(),
            params: kernel.params.iter().map(|param| param.name.clone()).collect(),
            rule: String::new(),
            origin: Origin::NONE,
            below: 0,
            applied: 0,
            exhausted: None,
            laws: Rc::from([]),
            machine: Machine::BEST,
            asked: Asked::default(),
            facts: kernel.facts(),
            binders: Vec::new(),
        }
    }

    /// The same for code that runs on this machine.
    #[must_use]
    pub fn on(self, machine: &'static Machine) -> Self {
        Context { machine, ..self }
    }

    /// The same where operators are declared to have properties.
    #[must_use]
    pub fn under(self, laws: Vec<Law>) -> Self {
        Context { laws: laws.into(), ..self }
    }

    /// What the code will run on, with its registers. Whoever asks has the kernel compiled once for each machine that has
    /// others.
    pub fn machine(&mut self) -> &'static Machine {
        self.asked.registers = true;
        self.machine
    }

    /// Whether it has lanes for numbers of 8 and 16 bits, as all have that C compilers know. Whoever asks has the kernel
    /// compiled once with and once without.
    pub fn has_small(&mut self) -> bool {
        self.asked.small |= self.target == Target::Rust;
        self.would_have_small()
    }

    /// The same for who will [ask](Context::has_small) if it matters.
    pub fn would_have_small(&self) -> bool {
        self.target != Target::Rust || self.machine.has_small
    }

    /// Everything known here.
    pub fn facts(&self) -> Facts {
        let mut facts = self.facts.clone();
        for required in &self.required {
            required.obligation.assume(&mut facts);
        }
        for (var, bound) in &self.binders {
            match bound {
                Some(bound) => facts.range(var, &Nat::lit(0), bound),
                None => facts.size(var),
            }
        }
        facts
    }

    /// Demands a condition: proved, or recorded as an obligation of the kernel.
    pub fn require(&mut self, obligation: Obligation) -> Result<(), Reason> {
        let facts = self.facts();
        if obligation.prove(&facts) {
            return Ok(());
        }
        let local = |var: &NatVar| self.binders.iter().any(|(binder, _)| binder == var);
        if obligation.vars().iter().any(local) {
            return Err(Reason::refused(format!("`{obligation}` cannot be proved inside the loop")));
        }
        if let (Some(a), Some(b)) = (obligation.sides().0.as_const(), obligation.sides().1.as_const()) {
            return Err(Reason::refused(falsehood(&obligation, a, b)));
        }
        self.required.push(Required { obligation, rule: self.rule.clone() });
        Ok(())
    }

    /// Demands that a matrix of floats, a parameter or a component of one, is a column times a row.
    pub fn require_separable(&mut self, matrix: &Expr) -> Result<(), Reason> {
        let Some(shown) = self.parameter(matrix) else {
            let text = "the weights are neither written out nor a parameter, so nothing can check that they are separable";
            return Err(Reason::refused(text));
        };
        if self.separable.iter().all(|known| known.shown != shown) {
            self.separable.push(Separable { value: matrix.clone(), shown, rule: self.rule.clone() });
        }
        Ok(())
    }

    /// A parameter of the kernel, or a component of one, as users write it.
    fn parameter(&self, expr: &Expr) -> Option<String> {
        match expr.kind() {
            Kind::Var(name) if self.params.contains(name) => Some(name.text().to_owned()),
            Kind::Prim(Primitive::Proj(at), args) => {
                Some(format!("{}.{at}", self.parameter(args[0].expr())?))
            }
            _ => None,
        }
    }

    /// Says what readers of the story should know of the step.
    pub fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// How much has been asked for and said; for [`Context::forgo`].
    pub fn asked(&self) -> [usize; 3] {
        [self.required.len(), self.separable.len(), self.notes.len()]
    }

    /// Asks for and says no more than before.
    pub fn forgo(&mut self, [required, separable, notes]: [usize; 3]) {
        self.required.truncate(required);
        self.separable.truncate(separable);
        self.notes.truncate(notes);
    }

    /// Takes in conditions that hold from now on; for [`Context::forget`] what was known before.
    pub fn knowing(&mut self, known: &[Obligation]) -> Facts {
        let before = self.facts.clone();
        known.iter().for_each(|known| known.assume(&mut self.facts));
        before
    }

    /// Knows again what was known before.
    pub fn forget(&mut self, before: Facts) {
        self.facts = before;
    }

    /// How many binders there are; for [`Context::leave`].
    pub fn depth(&self) -> usize {
        self.binders.len()
    }

    /// Goes under a function.
    pub fn enter(&mut self, lambda: &Lambda) {
        self.binders.extend(lambda.nats.iter().map(|nat| (nat.clone(), None)));
        lambda.params.iter().for_each(|param| self.enter_param(param));
    }

    /// Goes under one variable.
    pub fn enter_param(&mut self, param: &Param) {
        if let Some(nat) = &param.nat {
            let bound = match &param.ty {
                DataType::Idx(bound) => Some(bound.clone()),
                _ => None,
            };
            self.binders.push((nat.clone(), bound));
        }
    }

    /// Comes back to where there were `depth` binders.
    pub fn leave(&mut self, depth: usize) {
        self.binders.truncate(depth);
    }
}

/// A condition on constants that does not hold.
fn falsehood(obligation: &Obligation, a: i64, b: i64) -> String {
    match obligation {
        Obligation::Divides(..) => format!("{a} does not divide {b}"),
        Obligation::Lt(..) if a == 0 && b == 0 => "a size must be at least 1 here, not 0".to_owned(),
        _ => format!("it needs {obligation}, which is false"),
    }
}
