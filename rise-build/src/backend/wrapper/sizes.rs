//! How sizes follow from the shapes of the arguments, and what is checked at entry.

use std::collections::BTreeSet;

use crate::backend::text::Text;
use crate::nat::{Atom, Facts, Nat, NatVar};
use crate::types::DataType;

use super::formula::Formulas;
use super::leaf::{Form, Leaf};
use super::signature::Signature;

/// A dimension of an argument.
struct Dimension {
    leaf: usize,
    at: usize,
    nat: Nat,
}

/// How one natural is found.
struct Step {
    var: NatVar,
    dimension: usize,
    factor: i64,
    rest: Nat,
}

/// The order in which sizes are found, and the dimensions that are only checked.
pub struct Sizes {
    /// Naturals that no dimension determines: `usize` parameters in front.
    pub leading: Vec<NatVar>,
    leaves: Vec<Leaf>,
    dimensions: Vec<Dimension>,
    steps: Vec<Step>,
    checks: Vec<usize>,
    /// Whether arrays are buffers of a device.
    device: bool,
}

impl Sizes {
    /// Left to right, to a fixpoint: `c * v + e` with `e` known determines `v`.
    pub fn solve(signature: &Signature) -> Self {
        let leaves = signature.leaves();
        let dimensions = dimensions(&leaves);
        let mut known: Vec<NatVar> = leaves.iter().filter_map(|leaf| given(&leaf.form)).collect();
        let mut open: Vec<usize> = (0..dimensions.len()).collect();
        let mut steps = Vec::new();
        loop {
            let found = open.iter().enumerate().find_map(|(position, dimension)| {
                let step = determines(&dimensions[*dimension].nat, *dimension, &known, &signature.nats)?;
                Some((position, step))
            });
            let Some((position, step)) = found else { break };
            open.remove(position);
            known.push(step.var.clone());
            steps.push(step);
        }
        let leading = signature.nats.iter().filter(|nat| !known.contains(nat)).cloned().collect();
        Self { leading, leaves, dimensions, steps, checks: open, device: false }
    }

    /// The same for arrays on a device.
    #[must_use]
    pub fn on_device(self) -> Self {
        Self { device: true, ..self }
    }

    /// The name of the function that finds the sizes.
    pub fn name(&self, signature: &Signature) -> String {
        signature.hidden(if self.device { "sizes_on" } else { "sizes" })
    }

    /// Dimensions as text: `mat.shape()[1]`, and which size they determine.
    pub fn determined(&self) -> Vec<(String, String)> {
        let steps = self.steps.iter().map(|step| {
            let dimension = &self.dimensions[step.dimension];
            let place = format!("dimension {} of `{}`", dimension.at, self.leaves[dimension.leaf].shown);
            (step.var.text().to_owned(), place)
        });
        steps.collect()
    }

    /// The identifier of a natural inside the generated functions.
    pub fn ident(signature: &Signature, var: &NatVar) -> String {
        if let Some(at) = signature.nats.iter().position(|nat| nat == var) {
            return format!("n{at}");
        }
        let at = signature.params.iter().position(|(.., nat)| nat.as_ref() == Some(var));
        at.map_or_else(|| var.text().to_owned(), |at| format!("p{at}_nat"))
    }

    /// `leading sizes, arguments` as parameters of a generated function.
    pub fn params(&self, signature: &Signature) -> Vec<String> {
        let leading = self.leading.iter().map(|var| format!("{}: usize", Self::ident(signature, var)));
        let leaves = self.leaves.iter().map(|leaf| {
            let ty = match &leaf.form {
                Form::Array(shape, _) if self.device => {
                    let (facade, element) = (&signature.facade, leaf.form.element());
                    format!("&::{facade}::opencl::Buffer<{element}, {}>", shape.len())
                }
                Form::Array(shape, _) => {
                    format!("::{}::View<'_, {}, {}>", signature.facade, leaf.form.element(), shape.len())
                }
                form => form.element(),
            };
            format!("{}: {ty}", leaf.ident)
        });
        leading.chain(leaves).collect()
    }

    /// The same as values.
    pub fn values(&self, signature: &Signature) -> Vec<String> {
        let leading = self.leading.iter().map(|var| Self::ident(signature, var));
        leading.chain(self.leaves.iter().map(|leaf| leaf.ident.clone())).collect()
    }

    /// The leaves of the parameters.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The names of all sizes, in order.
    pub fn all(signature: &Signature) -> String {
        let all: Vec<String> = signature.nats.iter().map(|var| Self::ident(signature, var)).collect();
        all.join(", ")
    }

    /// The function that finds all sizes and checks everything.
    pub fn function(&self, signature: &Signature) -> String {
        let mut text = Text::default();
        let (name, count) = (self.name(signature), signature.nats.len());
        let result = signature.fallible(&format!("[usize; {count}]"));
        text.line(super::results::HIDDEN);
        text.line(super::results::ALLOW);
        text.open(&format!("fn {name}({}) -> {result} {{", self.params(signature).join(", ")));
        self.body(signature, &mut text);
        text.line(&format!("::core::result::Result::Ok([{}])", Self::all(signature)));
        text.close("}");
        text.finish()
    }

    fn body(&self, signature: &Signature, text: &mut Text) {
        let runtime = signature.runtime();
        let ident = |var: &NatVar| Self::ident(signature, var);
        let formulas = Formulas { runtime: &runtime, ident: &ident };
        for leaf in &self.leaves {
            if let Form::Array(..) = leaf.form {
                text.line(&format!("{}.check({:?})?;", leaf.ident, leaf.shown));
                let what = format!("the shape of `{}`", leaf.shown);
                text.line(&format!("{runtime}::elements(&{}.shape(), {what:?})?;", leaf.ident));
            }
        }
        self.leaves.iter().for_each(|leaf| bind_natural(leaf, &formulas, text));
        self.steps.iter().for_each(|step| self.find(step, signature, &formulas, text));
        self.checks.iter().for_each(|check| self.check(*check, &formulas, text));
        check_obligations(signature, &formulas, text);
        check_counts(signature, &formulas, text);
        let data = if self.device { "read()?" } else { "data()" };
        self.leaves.iter().for_each(|leaf| check_indices(leaf, data, signature, &formulas, text));
        for (shown, rule) in &signature.separable {
            let matrices = self.leaves.iter().filter(|leaf| leaf.shown == *shown);
            matrices.for_each(|leaf| check_separable(leaf, data, rule, &formulas, text));
        }
    }

    fn got(&self, dimension: &Dimension) -> String {
        format!("{}.shape()[{}]", self.leaves[dimension.leaf].ident, dimension.at)
    }

    fn find(&self, step: &Step, signature: &Signature, formulas: &Formulas, text: &mut Text) {
        let dimension = &self.dimensions[step.dimension];
        let (got, var) = (self.got(dimension), (formulas.ident)(&step.var));
        if step.factor == 1 && step.rest.is_zero() {
            return text.line(&format!("let {var} = {got};"));
        }
        let solved = format!("{}.solve({got}, {})", formulas.size(&step.rest), step.factor);
        text.open(&format!("let ::core::option::Option::Some({var}) = {solved} else {{"));
        let (shown, formula) = (&self.leaves[dimension.leaf].shown, dimension.nat.to_string());
        let error =
            format!("{}::shape_form({shown:?}, {}, {formula:?}, {got})", signature.error(), dimension.at);
        text.line(&format!("return ::core::result::Result::Err({error});"));
        text.close("};");
    }

    fn check(&self, check: usize, formulas: &Formulas, text: &mut Text) {
        let dimension = &self.dimensions[check];
        let leaf = &self.leaves[dimension.leaf];
        let (expected, got) = (formulas.size(&dimension.nat), self.got(dimension));
        check_dimension(formulas.runtime, &leaf.shown, dimension.at, &dimension.nat, &expected, &got, text);
    }
}

/// The line that checks one dimension.
pub fn check_dimension(
    runtime: &str,
    shown: &str,
    at: usize,
    nat: &Nat,
    expected: &str,
    got: &str,
    text: &mut Text,
) {
    let formula = nat.to_string();
    text.line(&format!("{runtime}::check_dimension({shown:?}, {at}, {formula:?}, {expected}, {got})?;"));
}

fn dimensions(leaves: &[Leaf]) -> Vec<Dimension> {
    let mut dimensions = Vec::new();
    for (leaf, form) in leaves.iter().map(|leaf| &leaf.form).enumerate() {
        if let Form::Array(shape, _) = form {
            let all = shape.iter().enumerate().map(|(at, nat)| Dimension { leaf, at, nat: nat.clone() });
            dimensions.extend(all);
        }
    }
    dimensions
}

/// The natural that a parameter brings with it.
fn given(form: &Form) -> Option<NatVar> {
    match form {
        Form::Index(_, var) | Form::Nat(var) => var.clone(),
        _ => None,
    }
}

fn determines(nat: &Nat, dimension: usize, known: &[NatVar], wanted: &[NatVar]) -> Option<Step> {
    let vars = nat.vars();
    let mut unknown = vars.iter().filter(|var| !known.contains(var));
    let (Some(var), None) = (unknown.next(), unknown.next()) else { return None };
    let (factor, rest) = nat.affine_in(var)?;
    let factor = factor.as_const().filter(|factor| *factor >= 1)?;
    wanted.contains(var).then(|| Step { var: var.clone(), dimension, factor, rest })
}

fn bind_natural(leaf: &Leaf, formulas: &Formulas, text: &mut Text) {
    if let Some(var) = given(&leaf.form) {
        text.line(&format!("let {} = {} as usize;", (formulas.ident)(&var), leaf.ident));
    }
}

fn check_obligations(signature: &Signature, formulas: &Formulas, text: &mut Text) {
    let mut facts = Facts::new();
    signature.nats.iter().for_each(|nat| facts.size(nat));
    let mut require = |text_of: String, obligation: &crate::nat::Obligation, facts: &mut Facts| {
        if obligation.prove(facts) {
            return;
        }
        text.open(&format!("if !{} {{", formulas.holds(obligation)));
        let error =
            format!("{}::obligation({text_of:?}, {})", signature.error(), formulas.values(obligation));
        text.line(&format!("return ::core::result::Result::Err({error});"));
        text.close("}");
        obligation.assume(facts);
    };
    for obligation in &signature.declared {
        require(obligation.to_string(), obligation, &mut facts);
    }
    for required in &signature.obligations {
        let obligation = &required.obligation;
        let message = match required.rule.is_empty() {
            true => obligation.to_string(),
            false => format!("{obligation} (needed by `{}`)", required.rule),
        };
        require(message, obligation, &mut facts);
    }
}

/// Products may be too large even where no array is.
fn check_counts(signature: &Signature, formulas: &Formulas, text: &mut Text) {
    let mut products: Vec<Nat> = Vec::new();
    for count in &signature.counts {
        if count.vars().iter().all(|var| signature.nats.contains(var)) {
            collect_products(count, &mut products);
        }
    }
    let vars: BTreeSet<NatVar> = products.iter().flat_map(Nat::vars).collect();
    let vars: Vec<String> = vars.iter().map(formulas.ident).collect();
    let small = |width: u32| (1..width).rev().find(|bits| products.iter().all(|nat| fits(nat, *bits, width)));
    // The machine that the code is for need not be this one.
    let (wide, narrow) = (small(62).filter(|_| !vars.is_empty()), small(30).unwrap_or(0));
    if let Some(wide) = wide {
        let bits = format!("if usize::BITS < 64 {{ {narrow} }} else {{ {wide} }}");
        text.open(&format!("if ({}) >> ({bits}) != 0 {{", vars.join(" | ")));
    }
    for product in &products {
        text.line(&format!("{}.fits(\"a product of sizes\")?;", formulas.size(product)));
    }
    if wide.is_some() {
        text.close("}");
    }
}

/// Whether the natural, and all that it is computed from, has fewer bits than `width` where no size has more than
/// `bits`. (Then it is not computed at the entry: that would take longer than a kernel on few elements.)
fn fits(nat: &Nat, bits: u32, width: u32) -> bool {
    greatest(nat, bits).is_some_and(|greatest| greatest < 1 << width)
}

/// A bound for what is computed from sizes of so many bits.
fn greatest(nat: &Nat, bits: u32) -> Option<u64> {
    let of_atom = |atom: &Atom| match atom {
        Atom::Var(_) => Some(1 << bits),
        Atom::Div(a, b) | Atom::Mod(a, b) | Atom::Min(a, b) | Atom::Max(a, b) => {
            Some(greatest(a, bits)?.max(greatest(b, bits)?))
        }
        Atom::Pow(..) | Atom::Sum(_) => None,
    };
    nat.terms().try_fold(0u64, |sum, (coeff, factors)| {
        let term = factors.iter().try_fold(coeff.unsigned_abs(), |term, (atom, power)| {
            term.checked_mul(of_atom(atom)?.checked_pow(*power)?)
        });
        sum.checked_add(term?)
    })
}

/// A natural, and those inside of it, whose machine arithmetic may overflow.
fn collect_products(nat: &Nat, products: &mut Vec<Nat>) {
    let mut large = false;
    for (coeff, factors) in nat.terms() {
        let degree: u32 = factors.iter().map(|(_, power)| *power).sum();
        large |= degree > 1 || (degree == 1 && coeff > 1);
        for (atom, _) in factors {
            match atom {
                Atom::Var(_) => {}
                Atom::Pow(..) | Atom::Sum(_) => large = true,
                Atom::Div(a, b) | Atom::Mod(a, b) | Atom::Min(a, b) | Atom::Max(a, b) => {
                    collect_products(a, products);
                    collect_products(b, products);
                }
            }
        }
    }
    if large && !products.contains(nat) {
        products.push(nat.clone());
    }
}

fn check_indices(leaf: &Leaf, data: &str, signature: &Signature, formulas: &Formulas, text: &mut Text) {
    let error = signature.error();
    let (runtime, ident, shown) = (formulas.runtime, &leaf.ident, &leaf.shown);
    match &leaf.form {
        Form::Array(_, DataType::Idx(bound)) => {
            let bound = bound_of(bound, formulas);
            text.line(&format!("{runtime}::check_indices({shown:?}, &{ident}.{data}, {bound})?;"));
        }
        Form::Array(_, element @ DataType::Tuple(_)) => {
            let mut paths = Vec::new();
            index_paths(element, String::new(), &mut paths);
            for (path, bound) in paths {
                text.line(&format!("let bound = {};", bound_of(&bound, formulas)));
                text.open(&format!("for (position, element) in {ident}.{data}.iter().enumerate() {{"));
                text.open(&format!("if element{path} as usize >= bound {{"));
                let error = format!("{error}::index({shown:?}, position, element{path} as usize, bound)");
                text.line(&format!("return ::core::result::Result::Err({error});"));
                text.close("}");
                text.close("}");
            }
        }
        Form::Index(bound, _) => {
            text.open(&format!(
                "if !{runtime}::Size::from({ident} as usize).less({}) {{",
                formulas.size(bound)
            ));
            let rule = format!("{shown} < {bound}");
            let mut values = vec![format!("({shown:?}, {ident} as usize)")];
            values.extend(
                bound.vars().iter().map(|var| format!("({:?}, {})", var.text(), (formulas.ident)(var))),
            );
            let error = format!("{error}::obligation({rule:?}, &[{}])", values.join(", "));
            text.line(&format!("return ::core::result::Result::Err({error});"));
            text.close("}");
        }
        _ => {}
    }
}

fn check_separable(leaf: &Leaf, data: &str, rule: &str, formulas: &Formulas, text: &mut Text) {
    let (runtime, ident, shown) = (formulas.runtime, &leaf.ident, &leaf.shown);
    text.line(&format!(
        "{runtime}::check_separable({shown:?}, {rule:?}, &{ident}.{data}, {ident}.shape()[1])?;"
    ));
}

fn bound_of(bound: &Nat, formulas: &Formulas) -> String {
    match bound.as_var() {
        Some(var) => (formulas.ident)(var),
        None => format!("{}.get().unwrap_or(0)", formulas.size(bound)),
    }
}

/// Where indices stand in an element.
fn index_paths(ty: &DataType, path: String, out: &mut Vec<(String, Nat)>) {
    match ty {
        DataType::Idx(bound) => out.push((path, bound.clone())),
        DataType::Tuple(parts) => {
            for (at, part) in parts.iter().enumerate() {
                index_paths(part, format!("{path}.{at}"), out);
            }
        }
        _ => {}
    }
}
