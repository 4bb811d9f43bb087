//! One kernel from signature to typed expression.

use crate::diagnostics::{Diagnostic, Diagnostics, Origin};
use crate::expr::{Kernel, Param};
use crate::nat::{Facts, Nat, NatVar};
use crate::syntax::ast;

use super::advice;
use super::data_type::DataType;
use super::elaborate::{DEEPEST, Infer, pattern_text, result_origin, too_deep};
use super::finish::Finish;
use super::obligation::refuted;
use super::prelude::Prelude;
use super::term::{TParam, Term};
use super::ty::Ty;
use super::value::{Env, Home, Sig, Value, Within};

/// All kernels of a module that are right, in order of declaration, and what is wrong with the others.
pub fn infer(module: &ast::Module) -> (Vec<Kernel>, Diagnostics) {
    let mut kernels = Vec::new();
    let mut diagnostics = Diagnostics::new();
    for item in &module.items {
        let ast::Item::Kernel(item) = item else { continue };
        if item.is_kernel() {
            match infer_kernel(module, item) {
                Ok(kernel) => kernels.push(kernel),
                Err(wrong) => diagnostics.append(wrong),
            }
        }
    }
    (kernels, diagnostics)
}

/// One kernel, with the helpers of its module inlined. The messages are empty where the parser has said already
/// what is wrong.
pub fn infer_kernel(module: &ast::Module, item: &ast::Kernel) -> Result<Kernel, Diagnostics> {
    let prelude = Prelude::new();
    let mut infer = Infer::new(module, &prelude);
    infer.kernel(item).ok_or(infer.diagnostics)
}

/// That sizes are no less than 0, and nothing more.
fn sizes_alone(sizes: &[NatVar]) -> Facts {
    let mut facts = Facts::new();
    sizes.iter().for_each(|size| facts.size(size));
    facts
}

/// The signature of a kernel.
struct Signature<'a> {
    env: Env<'a>,
    nats: Vec<NatVar>,
    params: Vec<TParam>,
    facts: Facts,
    declared: Vec<crate::nat::Obligation>,
}

impl<'a> Infer<'a> {
    fn kernel(&mut self, item: &'a ast::Kernel) -> Option<Kernel> {
        // What a name means that stands for a size and a value nobody knows; the parser has said so.
        let is_size = |name: &ast::Ident| item.kinds.iter().any(|kind| kind.name == *name);
        if item.params.iter().flat_map(|param| param.pattern.names()).any(is_size) {
            return None;
        }
        let mut signature = self.kernel_signature(item);
        if !self.diagnostics.is_empty() {
            return None;
        }
        self.sizes.clone_from(&signature.nats);
        self.free = (item.notation == ast::Notation::Papers).then(Vec::new);
        let body = self.kernel_body(item, &signature.env);
        for free in self.free.take().into_iter().flatten() {
            signature.facts.size(&free);
            signature.nats.push(free);
        }
        self.conclude();
        if !self.diagnostics.is_empty() || self.aborted || self.told {
            return None;
        }
        let mut facts = signature.facts;
        let sizes = sizes_alone(&signature.nats);
        let (obligations, proved) = self.discharge(&mut facts, &sizes, &signature.declared);
        if !self.diagnostics.is_empty() {
            return None;
        }
        let mut finish = Finish::new(&self.solver, &body);
        let params: Vec<Param> = signature
            .params
            .iter()
            .map(|param| Param {
                name: param.name.clone(),
                nat: param.nat.clone(),
                ty: finish.ty(&param.ty, item.origin),
            })
            .collect();
        let body = finish.expr(&body);
        let (wrong, broken) = (finish.diagnostics, finish.broken);
        self.diagnostics.append(wrong);
        for (param, written) in params.iter().zip(&item.params) {
            let origin = written.ty.as_ref().map_or(written.pattern.origin, |ty| ty.origin);
            self.crosses_the_boundary(&param.ty, origin);
        }
        self.crosses_the_boundary(body.ty(), item.result.as_ref().map_or(item.origin, |ty| ty.origin));
        if body.is_deeper_than(DEEPEST) {
            self.report(too_deep(item.name.origin));
        }
        (self.diagnostics.is_empty() && !broken).then(|| Kernel {
            name: item.name.to_string(),
            nats: signature.nats,
            params,
            body,
            declared: signature.declared,
            obligations,
            proved,
            separable: Vec::new(),
        })
    }

    /// Whether callers have memory in that form: elements of arrays hold no arrays but as further dimensions.
    fn crosses_the_boundary(&mut self, ty: &DataType, origin: Origin) {
        if ty.has_apart_elements() {
            let message = format!("an array of tuples that hold arrays, as a parameter or result: `{ty}`");
            let help =
                "pass a tuple of arrays: `([[f32; m]; n], [f32; n])` instead of `[([f32; m], f32); n]`";
            self.report(Diagnostic::limitation(origin, message).help(help));
        }
    }

    fn kernel_signature(&mut self, item: &'a ast::Kernel) -> Signature<'a> {
        let mut env = Env::new(Within::new(Home::User).body(item));
        let mut nats = Vec::new();
        let mut facts = Facts::new();
        for kind in &item.kinds {
            if kind.kind == ast::Kind::Nat {
                let var = NatVar::new(kind.name.as_str());
                facts.size(&var);
                let value = Value::Data(Term::nat(Nat::var(&var), Ty::Nat, kind.name.origin));
                env = env.with(&kind.name.text, value);
                nats.push(var);
            } else {
                let message = format!(
                    "a kernel has naturals as parameters alone; `{}` is of kind {}",
                    kind.name,
                    kind.kind.name()
                );
                let help = "without `pub` this is a helper, which may have parameters of every kind";
                let term = self.wrong(Diagnostic::error(kind.name.origin, message).help(help));
                env = env.with(&kind.name.text, Value::Data(term));
            }
        }
        let mut declared = Vec::new();
        let any = facts.clone();
        for written in &item.obligations {
            if let Some(obligation) = self.declared(written, &env) {
                if refuted(&obligation, &facts) {
                    let others = if refuted(&obligation, &any) { "" } else { " and what is asked before it" };
                    let message = format!("no sizes satisfy {obligation}{others}");
                    self.report(Diagnostic::error(written.origin, message));
                }
                obligation.assume(&mut facts);
                declared.push(obligation);
            }
        }
        let mut params = Vec::new();
        for param in &item.params {
            let ty = match &param.ty {
                Some(ty) if matches!(ty.kind, ast::TypeKind::Fun(..) | ast::TypeKind::DepFun(..)) => {
                    let diagnostic = Diagnostic::error(ty.origin, "a kernel takes values, not functions")
                        .help("without `pub` this is a helper, which may take functions");
                    self.report(diagnostic);
                    Ty::Error
                }
                Some(ty) => self.data_type(ty, &env),
                None => {
                    let message = "a kernel's parameter needs a type";
                    self.report(Diagnostic::error(param.pattern.origin, message));
                    Ty::Error
                }
            };
            if matches!(ty, Ty::Nat) {
                let message = "a natural is declared between `<` and `>`, not as a parameter";
                let help = format!("`pub fn {}<{}: Nat>(…)`", item.name, pattern_text(&param.pattern));
                self.report(Diagnostic::error(param.pattern.origin, message).help(help));
            }
            let bound = self.param(&pattern_text(&param.pattern), ty);
            let term = bound.term(param.pattern.origin);
            env = self.bind(&param.pattern, Value::Data(term), param.pattern.origin, &env);
            params.push(bound);
        }
        Signature { env, nats, params, facts, declared }
    }

    fn kernel_body(&mut self, item: &'a ast::Kernel, env: &Env<'a>) -> Term {
        let Some(ty) = &item.result else {
            let body = self.data(&item.body, env, None);
            return self.close_term(body);
        };
        let Sig::Data(want) = self.signature(ty, env) else {
            let message = "a kernel returns a value, not a function";
            return self.wrong(Diagnostic::error(ty.origin, message));
        };
        let body = self.data(&item.body, env, Some(&want));
        let why = self.why(result_origin(&item.body), "result");
        let body = self.coerce(body, &want, why.origin, &why);
        self.close_term(body)
    }

    /// Decides what is open and reports what cannot be decided.
    pub(super) fn conclude(&mut self) {
        self.solver.use_hints();
        self.solver.default_literals();
        self.check_operands();
        for (a, b, why) in std::mem::take(&mut self.solver.contradictions) {
            let message = format!("{} needs equal sizes, found {a} and {b}", why.quoted());
            self.report(Diagnostic::error(why.origin, message));
        }
        if !self.diagnostics.is_empty() || self.told {
            return;
        }
        let undecided: Vec<Diagnostic> = self
            .solver
            .undecided()
            .map(|(_, origin, what)| {
                Diagnostic::error(origin, format!("{} cannot be determined", advice::length_of(what)))
                    .help(advice::unknown_length(what))
            })
            .collect();
        for diagnostic in undecided {
            if !self.diagnostics.iter().any(|old| old.origin.same(diagnostic.origin)) {
                self.report(diagnostic);
            }
        }
    }
}
