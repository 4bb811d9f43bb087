//! Elaboration of expressions: what each form is worth.
//!
//! In: an expression and the names in scope. Out: a [`Value`]. What is wrong is reported once and becomes a
//! term of type [`Ty::Error`], which agrees with everything.

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Diagnostics, Origin};
use crate::expr::Primitive;
use crate::names::{Label, Name};
use crate::nat::{Nat, NatVar};
use crate::syntax::ast::{self, ExprKind};

use super::advice;
use super::natural::of_literals;
use super::operator::OperandCheck;
use super::prelude::Prelude;
use super::solver::{Range, Ranged, Scope, Solver, Why};
use super::term::{TArg, TLambda, TParam, TPrim, Term, TermKind};
use super::ty::{Class, Ty};
use super::value::{Argument, Env, Fun, Home, Value};

/// How deep terms may nest once helpers are inlined; what comes after has to fit a thread's stack.
pub(super) const DEEPEST: usize = 400;

/// How many terms may be elaborated for one kernel: helpers that call helpers twice double with each level.
const MOST_TERMS: u32 = 1 << 17;

/// How many uses of helpers inside helpers a message tells.
const MOST_CALLS_TOLD: usize = 3;

/// The message about a term that is too deep.
pub(super) fn too_deep(origin: Origin) -> Diagnostic {
    let message = format!("this is nested more than {DEEPEST} levels deep, helpers included");
    Diagnostic::limitation(origin, message).help("make several kernels of it")
}

fn too_large(origin: Origin) -> Diagnostic {
    let message = format!("with helpers written out this kernel has more than {MOST_TERMS} terms");
    Diagnostic::limitation(origin, message)
        .help("`let` computes a value once; helpers are written out at each use")
}

/// The state of elaborating one kernel.
pub(super) struct Infer<'a> {
    pub(super) module: &'a ast::Module,
    pub(super) prelude: &'a Prelude,
    pub(super) solver: Solver,
    pub(super) diagnostics: Diagnostics,
    /// Bindings that wait to be put around what is elaborated now; one list for each open block.
    pub(super) lets: Vec<Vec<(TParam, Term)>>,
    /// Index variables in scope.
    pub(super) scope: Scope,
    /// The kernel's size parameters.
    pub(super) sizes: Vec<NatVar>,
    /// Naturals that a `def` of the papers uses without binding them; none where that is a mistake.
    pub(super) free: Option<Vec<NatVar>>,
    /// How many terms are being elaborated, one inside the other.
    depth: usize,
    /// How many terms may still be elaborated.
    terms_left: u32,
    /// Where a helper of the prelude is used, and its name; its own places mean nothing to the user.
    pub(super) site: Option<(Origin, &'a str)>,
    /// The uses of the user's helpers that are elaborated now, outermost first.
    pub(super) calls: Vec<(Origin, &'a str)>,
    /// A helper calls itself, or terms are too deep: nothing more is worth doing.
    pub(super) aborted: bool,
    /// It has been told that a type, a natural or a file could not be read: what stays open may be open for that
    /// reason.
    pub(super) told: bool,
    /// Where a pipe ends that was meant to end before an operator or a cast.
    piped: Option<&'a ast::Expr>,
    /// Where numbers alone made a power.
    pub(super) powers_of_numbers: Vec<Origin>,
    /// Operands whose type was not known when the operator was met.
    pub(super) operands: Vec<OperandCheck<'a>>,
}

impl<'a> Infer<'a> {
    pub(super) fn new(module: &'a ast::Module, prelude: &'a Prelude) -> Self {
        Infer {
            module,
            prelude,
            solver: Solver::default(),
            diagnostics: Diagnostics::new(),
            lets: vec![Vec::new()],
            scope: None,
            sizes: Vec::new(),
            free: None,
            depth: 0,
            terms_left: MOST_TERMS,
            site: None,
            powers_of_numbers: Vec::new(),
            calls: Vec::new(),
            aborted: false,
            told: false,
            piped: None,
            operands: Vec::new(),
        }
    }

    /// The place to report for something written at `origin`.
    pub(super) fn place(&self, origin: Origin) -> Origin {
        self.site.map_or(origin, |(site, _)| site)
    }

    pub(super) fn report(&mut self, mut diagnostic: Diagnostic) {
        if self.aborted {
            return;
        }
        for (origin, helper) in self.calls.iter().rev().take(MOST_CALLS_TOLD) {
            diagnostic = diagnostic.label(*origin, format!("in this use of `{helper}`"));
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports and gives the term that stands for what is wrong.
    pub(super) fn wrong(&mut self, diagnostic: Diagnostic) -> Term {
        let origin = diagnostic.origin;
        self.report(diagnostic);
        Term::error(origin)
    }

    pub(super) fn why(&self, origin: Origin, rule: &str) -> Why {
        let helper = self.site.map(|(_, helper)| Arc::from(helper));
        Why { origin: self.place(origin), rule: Arc::from(rule), helper, scope: self.scope.clone() }
    }

    /// What is called `name` here, as the user knows it: the helper of the prelude that it is a part of.
    pub(super) fn subject<'b>(&self, name: &'b str) -> &'b str
    where
        'a: 'b,
    {
        self.site.map_or(name, |(_, helper)| helper)
    }

    /// What an expression is worth; `want` is the type that the context would like, if it is a value.
    pub(super) fn eval(&mut self, expr: &'a ast::Expr, env: &Env<'a>, want: Option<&Ty>) -> Value<'a> {
        if self.depth >= DEEPEST {
            self.report(too_deep(self.place(expr.origin)));
            self.aborted = true;
        }
        if self.terms_left == 0 && !self.aborted {
            self.report(too_large(self.place(expr.origin)));
            self.aborted = true;
        }
        if self.aborted {
            return Value::Data(Term::error(expr.origin));
        }
        self.terms_left -= 1;
        self.depth += 1;
        let value = self.eval_here(expr, env, want);
        self.depth -= 1;
        value
    }

    fn eval_here(&mut self, expr: &'a ast::Expr, env: &Env<'a>, want: Option<&Ty>) -> Value<'a> {
        let origin = self.place(expr.origin);
        let term = match &expr.kind {
            ExprKind::Name(name) => return self.name(name, env),
            ExprKind::Lambda(params, body) => {
                return Value::Fun(Arc::new(Fun::Lambda { params, body, env: env.clone() }));
            }
            ExprKind::DepLambda(kinds, body) => {
                return Value::Fun(Arc::new(Fun::DepLambda { kinds, body, env: env.clone() }));
            }
            ExprKind::Call(_, args) if args.iter().any(|arg| matches!(arg.kind, ExprKind::Error)) => {
                self.unread(origin)
            }
            ExprKind::Call(function, args) => {
                let hidden = self.hidden(function);
                let function = self.eval(function, env, None);
                let args = args.iter().map(|arg| Argument::Ast(arg, env.clone())).collect();
                return self.apply_named(function, hidden, args, origin, want);
            }
            ExprKind::Pipe(value, function) => {
                let at = self.place(function.origin);
                let hidden = self.hidden(function).or_else(|| advice::piped_call(function));
                let around = std::mem::replace(&mut self.piped, advice::end_of_pipe(function));
                let function = self.eval(function, env, None);
                self.piped = around;
                let args = vec![Argument::Ast(value, env.clone())];
                return self.apply_named(function, hidden, args, at, want);
            }
            ExprKind::Compose(first, second) => {
                let first = self.composed(first, env);
                if matches!(first, Value::Data(_)) {
                    return first;
                }
                let second = self.composed(second, env);
                if matches!(second, Value::Data(_)) {
                    return second;
                }
                return Value::Fun(Arc::new(Fun::Compose(first, second)));
            }
            ExprKind::Instantiate(function, kinds) => return self.instantiate(function, kinds, env),
            ExprKind::Block(block) => return self.block(block, env, want),
            ExprKind::Label(label, body) => {
                let value = self.eval(body, env, want);
                return self.label(label, value);
            }
            ExprKind::Type(ty) => return Value::Type(self.data_type(ty, env)),
            ExprKind::Literal(literal) => self.literal(literal, origin),
            ExprKind::Array(parts) => self.array(parts, env, want, origin),
            ExprKind::Repeat(element, len) => self.repeat(element, len, env, want, origin),
            ExprKind::Tuple(parts) => self.tuple(parts, env, want, origin),
            ExprKind::If(condition, then, otherwise) => {
                self.conditional([condition, then, otherwise], env, want, origin)
            }
            ExprKind::Field(tuple, position) => {
                let evaluated = self.eval(tuple, env, None);
                let tuple = self.end_of_pipe(evaluated, tuple, result_origin(tuple));
                self.project(tuple, *position as usize, None, origin)
            }
            ExprKind::Member(value, name, args) => self.member(value, name, args.as_deref(), env),
            ExprKind::Index(array, index) => self.index(array, index, env, origin),
            ExprKind::Cast(value, ty) => self.cast(value, ty, env, origin),
            ExprKind::Unary(op, operand) => self.unary_ast(*op, operand, env, want, origin),
            ExprKind::Binary(..) => self.binary_ast(expr, env, want),
            ExprKind::Error => self.unread(origin),
        };
        Value::Data(term)
    }

    /// What the parser has told of.
    fn unread(&mut self, origin: Origin) -> Term {
        self.aborted |= self.diagnostics.is_empty();
        Term::error(origin)
    }

    /// An operand of `>>`; no value is one.
    fn composed(&mut self, expr: &'a ast::Expr, env: &Env<'a>) -> Value<'a> {
        let value = self.eval(expr, env, None);
        if let Value::Data(term) = &value
            && !term.ty().is_error()
        {
            let found = self.shown(&self.solver.full(term.ty()));
            let message = format!("`>>` composes functions, found {found}");
            let help = match self.is_integer(term.ty()) {
                true => "shifts are functions: `shl(a, b)`, `shr(a, b)`",
                false => "a value is piped into a function: `x |> f`",
            };
            let diagnostic = Diagnostic::error(self.place(expr.origin), message);
            return Value::Data(self.wrong(diagnostic.help(help)));
        }
        value
    }

    fn is_integer(&self, ty: &Ty) -> bool {
        match self.solver.shallow(ty) {
            Ty::Scalar(scalar) => scalar.is_integer(),
            Ty::Nat | Ty::Idx(_) => true,
            ty => self.solver.class(&ty) == Some(Class::Integer),
        }
    }

    /// The value of an expression that must be one.
    pub(super) fn data(&mut self, expr: &'a ast::Expr, env: &Env<'a>, want: Option<&Ty>) -> Term {
        let value = self.eval(expr, env, want);
        self.expect_data(value, result_origin(expr))
    }

    /// The term of a value that must be one.
    pub(super) fn expect_data(&mut self, value: Value<'a>, origin: Origin) -> Term {
        self.expect_data_or(value, origin, None)
    }

    /// The same, with what helps where the value is a function and more is known of it than that.
    pub(super) fn expect_data_or(&mut self, value: Value<'a>, origin: Origin, help: Option<String>) -> Term {
        let origin = self.place(origin);
        let what = match value {
            Value::Data(term) => return term,
            Value::Fun(fun) => {
                let message = match self.lacking(&fun) {
                    Some((name, missing)) => {
                        format!("expected a value, found a function: `{name}` lacks {}", arguments(missing))
                    }
                    None => "expected a value, found a function".to_owned(),
                };
                return self
                    .wrong(Diagnostic::error(origin, message).help(advice::unwanted_function(&fun, help)));
            }
            Value::Type(ty) => format!("the type `{ty}`"),
            Value::NatFun(_) => "a function of naturals".to_owned(),
            Value::NatToData(..) => "a function from naturals to types".to_owned(),
            Value::Space(_) => "an address space".to_owned(),
        };
        self.wrong(Diagnostic::error(origin, format!("expected a value, found {what}")))
    }

    /// An operand of an operator.
    pub(super) fn operand_data(
        &mut self,
        op: ast::BinaryOp,
        expr: &'a ast::Expr,
        env: &Env<'a>,
        want: Option<&Ty>,
    ) -> Term {
        let value = self.eval(expr, env, want);
        let missing = match &value {
            Value::Fun(fun) => self.lacking(fun).map(|(_, missing)| missing),
            _ => None,
        };
        match (missing, op) {
            (Some(2), ast::BinaryOp::BitOr) => {
                let help = "arguments stand in parentheses: `map(|x| x + 1.0)`".to_owned();
                self.expect_data_or(value, expr.origin, Some(help))
            }
            (Some(1), ast::BinaryOp::BitOr) => {
                self.expect_data_or(value, expr.origin, Some("a pipe is written `|>`, not `|`".to_owned()))
            }
            _ => self.end_of_pipe(value, expr, expr.origin),
        }
    }

    /// The value of an operand or of what is cast, which may be where a pipe was to end.
    pub(super) fn end_of_pipe(&mut self, value: Value<'a>, expr: &'a ast::Expr, origin: Origin) -> Term {
        let is_end = self.piped.is_some_and(|end| std::ptr::eq(end, expr));
        let lacks_one = |value: &Value| matches!(value, Value::Fun(fun) if self.lacking(fun).is_some_and(|(_, missing)| missing == 1));
        let help = "`|>` binds loosest: with operators, `as`, `.0` or `[i]` behind it a pipe needs parentheses, `(x |> f) + y`";
        let help = (is_end && lacks_one(&value)).then(|| help.to_owned());
        self.expect_data_or(value, origin, help)
    }

    /// The value of an argument.
    pub(super) fn argument(&mut self, arg: &Argument<'a>, want: Option<&Ty>) -> Value<'a> {
        match arg {
            Argument::Ast(expr, env) => self.at_home(env.within.home, |infer| infer.eval(expr, env, want)),
            Argument::Value(value, _) => value.clone(),
        }
    }

    /// Runs with the places of the module that a term was written in.
    pub(super) fn at_home<T>(&mut self, home: Home, run: impl FnOnce(&mut Self) -> T) -> T {
        let site = self.site;
        if home == Home::User {
            self.site = None;
        }
        let result = run(self);
        self.site = site;
        result
    }

    /// The term of an argument that must be a value of the wanted type.
    pub(super) fn argument_as(&mut self, arg: &Argument<'a>, want: &Ty, why: &Why) -> Term {
        let value = self.argument(arg, Some(want));
        let term = self.expect_data(value, arg.origin());
        let origin = self.place(arg.origin());
        self.coerce(term, want, origin, why)
    }

    fn block(&mut self, block: &'a ast::Block, env: &Env<'a>, want: Option<&Ty>) -> Value<'a> {
        self.open();
        let mut env = env.clone();
        for binding in &block.lets {
            let arg = Argument::Ast(&binding.value, env.clone());
            let value = self.annotated(&arg, binding.ty.as_ref(), &env, "let");
            env = self.bind(&binding.pattern, value, binding.value.origin, &env);
        }
        let value = self.eval(&block.value, &env, want);
        self.close(value)
    }

    fn tuple(&mut self, parts: &'a [ast::Expr], env: &Env<'a>, want: Option<&Ty>, origin: Origin) -> Term {
        let want = want.map(|want| self.solver.shallow(want));
        let wants: &[Ty] = match &want {
            Some(Ty::Tuple(wants)) if wants.len() == parts.len() => wants,
            _ => &[],
        };
        let terms: Vec<Term> = parts
            .iter()
            .enumerate()
            .map(|(position, part)| {
                let term = self.data(part, env, wants.get(position));
                self.as_wanted(term, wants.get(position))
            })
            .collect();
        Self::make_tuple(terms, origin)
    }

    pub(super) fn make_tuple(terms: Vec<Term>, origin: Origin) -> Term {
        let ty = Ty::Tuple(terms.iter().map(|term| term.ty().clone()).collect());
        Term::prim(Primitive::Tuple, terms, ty, origin)
    }

    fn array(&mut self, parts: &'a [ast::Expr], env: &Env<'a>, want: Option<&Ty>, origin: Origin) -> Term {
        // Where numbers stand for rows, it is the whole array that does not fit.
        let are_numbers = matches!(parts, [ast::Expr { kind: ExprKind::Literal(_), .. }, ..]);
        let element = match want.map(|want| self.solver.shallow(want)) {
            Some(Ty::Array(_, element)) if !(are_numbers && matches!(*element, Ty::Array(..))) => {
                (*element).clone()
            }
            _ => self.solver.fresh(Class::Any),
        };
        if parts.is_empty() {
            return self.wrong(Diagnostic::error(origin, "an array literal has at least one element"));
        }
        let why = self.why(origin, "array literal");
        let mut terms: Vec<Term> = Vec::with_capacity(parts.len());
        for part in parts {
            let term = self.data(part, env, Some(&element));
            // Of elements that do not fit the first one is told of.
            let told = terms.last().is_some_and(|term| term.ty().is_error());
            let at = self.place(part.origin);
            terms.push(if told { Term::error(at) } else { self.coerce(term, &element, at, &why) });
        }
        let ty = Ty::array(Nat::from(terms.len()), element);
        Term::prim(Primitive::MakeArray, terms, ty, origin)
    }

    fn repeat(
        &mut self,
        element: &'a ast::Expr,
        len: &'a ast::Nat,
        env: &Env<'a>,
        want: Option<&Ty>,
        origin: Origin,
    ) -> Term {
        let wanted = match want.map(|want| self.solver.shallow(want)) {
            Some(Ty::Array(_, element)) => Some((*element).clone()),
            _ => None,
        };
        let len = self.natural(len, env);
        let term = self.data(element, env, wanted.as_ref());
        let body = self.share(term, "element");
        let (name, nat) = (Name::fresh("i"), Some(NatVar::new("i")));
        let param = TParam { name, nat, ty: Ty::Idx(len.clone()) };
        let ty = Ty::array(len, body.ty().clone());
        let lambda = TLambda { nats: Vec::new(), params: vec![param], body };
        Term::new(TermKind::Prim(TPrim::Known(Primitive::Generate), vec![TArg::Fun(lambda)]), ty, origin)
    }

    /// A component of a tuple, of `len` components if the use says so.
    pub(super) fn project(
        &mut self,
        tuple: Term,
        position: usize,
        len: Option<usize>,
        origin: Origin,
    ) -> Term {
        if let Some(parts) = tuple.as_tuple()
            && len.is_none_or(|len| len == parts.len())
            && let Some(part) = parts.get(position)
        {
            return part.clone();
        }
        let ty = self.solver.shallow(tuple.ty());
        let parts: Arc<[Ty]> = match (&ty, len) {
            (Ty::Error, _) => return Term::error(origin),
            (Ty::Tuple(parts), None) if position < parts.len() => parts.clone(),
            (Ty::Tuple(parts), Some(len)) if parts.len() == len => parts.clone(),
            (Ty::Var(_), Some(len)) if self.solver.class(&ty) == Some(Class::Any) => {
                let parts: Arc<[Ty]> = (0..len).map(|_| self.solver.fresh(Class::Any)).collect();
                let why = self.why(origin, "pattern");
                let _ = self.solver.unify(&ty, &Ty::Tuple(parts.clone()), &why);
                parts
            }
            _ => return self.no_component(&ty, position, len, origin),
        };
        let part = parts[position].clone();
        Term::prim(Primitive::Proj(position), vec![tuple], part, origin)
    }

    fn no_component(&mut self, ty: &Ty, position: usize, len: Option<usize>, origin: Origin) -> Term {
        let found = self.solver.full(ty);
        let message = match len {
            Some(len) => format!("this pattern takes a tuple of {len}, found {}", self.shown(&found)),
            None if !matches!(found, Ty::Tuple(_)) => match self.site {
                Some((_, helper)) if matches!(found, Ty::Var(_)) => format!("`{helper}` takes a pair"),
                Some((_, helper)) => format!("`{helper}` takes a pair, found `{found}`"),
                None => format!("only tuples have components, found `{found}`"),
            },
            None => format!("`{found}` has no component {position}"),
        };
        let diagnostic = Diagnostic::error(origin, message);
        let diagnostic = match &found {
            Ty::Array(..) => advice::parts(&found).into_iter().fold(diagnostic, Diagnostic::help),
            Ty::Tuple(_) if len.is_some() => {
                advice::pattern_of(&found).into_iter().fold(diagnostic, |diagnostic, (pattern, names)| {
                    diagnostic.help(match Some(names) == len {
                        true => format!("tuples in a tuple are patterns in a pattern: `|{pattern}|`"),
                        false => format!("all components have a name, or `_`: `|{pattern}|`"),
                    })
                })
            }
            Ty::Scalar(_) | Ty::Var(_) if len.is_some() => {
                diagnostic.help("two values are `|a, b|`, the components of one pair `|(a, b)|`")
            }
            _ if self.subject("") == "mult" => diagnostic.help("the product of two numbers is `mul`"),
            _ => diagnostic,
        };
        self.wrong(diagnostic)
    }

    // Bindings.

    /// Opens a block: bindings made from now on belong to it.
    pub(super) fn open(&mut self) {
        self.lets.push(Vec::new());
    }

    /// Closes a block: its bindings are put around a value, or handed on where a function is the result.
    pub(super) fn close(&mut self, value: Value<'a>) -> Value<'a> {
        let lets = self.lets.pop().unwrap_or_default();
        match value {
            Value::Data(term) => Value::Data(wrap(lets, term)),
            other => {
                if let Some(outer) = self.lets.last_mut() {
                    outer.extend(lets);
                }
                other
            }
        }
    }

    /// Closes a block around a term.
    pub(super) fn close_term(&mut self, term: Term) -> Term {
        let lets = self.lets.pop().unwrap_or_default();
        wrap(lets, term)
    }

    /// The term as something that may be repeated: bound by a `let` unless it costs nothing.
    pub(super) fn share(&mut self, term: Term, text: &str) -> Term {
        if term.is_trivial() {
            return term;
        }
        let param = self.param(text, term.ty().clone());
        let shared = param.term(term.origin());
        self.add_let(param, term);
        shared
    }

    pub(super) fn add_let(&mut self, param: TParam, value: Term) {
        if let Some(lets) = self.lets.last_mut() {
            lets.push((param, value));
        }
    }

    /// A fresh variable; one with a face in naturals is in scope from now on.
    pub(super) fn param(&mut self, text: &str, ty: Ty) -> TParam {
        let (nat, bound) = match self.solver.shallow(&ty) {
            Ty::Nat => (Some(NatVar::new(text)), None),
            Ty::Idx(bound) => (Some(NatVar::new(text)), Some(bound)),
            _ => (None, None),
        };
        if let Some(var) = &nat {
            self.enter(var.clone(), bound.map(Range::Below));
        }
        TParam { name: Name::fresh(text), nat, ty }
    }

    /// Brings an index variable into scope.
    pub(super) fn enter(&mut self, var: NatVar, range: Option<Range>) {
        self.scope = Some(Arc::new(Ranged { var, range, outer: self.scope.clone() }));
    }

    /// Names the components of a value by a pattern.
    pub(super) fn bind(
        &mut self,
        pattern: &'a ast::Pattern,
        value: Value<'a>,
        origin: Origin,
        env: &Env<'a>,
    ) -> Env<'a> {
        match (&pattern.kind, value) {
            (ast::PatternKind::Name(name), Value::Data(term)) => {
                // An index gets a face in naturals at once, so that all its uses have the same one.
                let is_index = matches!(self.solver.shallow(term.ty()), Ty::Idx(_) | Ty::Nat);
                let shared = match term.kind() {
                    TermKind::Nat(_) | TermKind::Literal(_) => term,
                    // It may be a natural yet.
                    _ if of_literals(&term).is_some() => term,
                    _ if is_index => self.name_index(&term, name.as_str()),
                    _ => self.share(term, name.as_str()),
                };
                env.with(&name.text, Value::Data(shared))
            }
            (ast::PatternKind::Name(name), value) => env.with(&name.text, value),
            (ast::PatternKind::Tuple(parts), value) => {
                let term = self.expect_data(value, origin);
                let whole = match term.as_tuple() {
                    Some(_) => term,
                    None => self.share(term, &pattern_text(pattern)),
                };
                let at = self.place(pattern.origin);
                parts.iter().enumerate().fold(env.clone(), |env, (position, part)| {
                    let component = self.project(whole.clone(), position, Some(parts.len()), at);
                    self.bind(part, Value::Data(component), origin, &env)
                })
            }
            (ast::PatternKind::Wild | ast::PatternKind::Error, _) => env.clone(),
        }
    }

    // Labels.

    fn label(&mut self, label: &'a ast::Label, value: Value<'a>) -> Value<'a> {
        let name = Label::new(label.as_str());
        match value {
            Value::Fun(fun) => Value::Fun(Arc::new(Fun::Labelled(name, fun))),
            Value::Data(term) => Value::Data(self.put_label(&name, term, label.origin)),
            other => other,
        }
    }

    pub(super) fn put_label(&mut self, label: &Label, term: Term, origin: Origin) -> Term {
        match term.kind() {
            TermKind::Error => term,
            TermKind::Prim(..) | TermKind::Let(..) => term.edit(|node| node.labels.push(label.clone())),
            TermKind::Conform(inner) => {
                let inner = self.put_label(label, inner.clone(), origin);
                term.edit(|node| node.kind = TermKind::Conform(inner))
            }
            TermKind::Var(_) | TermKind::Nat(_) | TermKind::Literal(_) => {
                let message = format!("the label `{label}` names no pattern");
                let origin = self.place(origin);
                self.wrong(
                    Diagnostic::error(origin, message)
                        .help("a label stands before a primitive: `'rows: map(f)`, `xs |> 'rows: map(f)`"),
                )
            }
        }
    }
}

fn wrap(lets: Vec<(TParam, Term)>, term: Term) -> Term {
    lets.into_iter().rev().fold(term, |body, (param, value)| {
        let (ty, origin) = (body.ty().clone(), body.origin());
        Term::new(TermKind::Let(param, value, body), ty, origin)
    })
}

/// A readable name for a value that a pattern takes apart.
pub(super) fn pattern_text(pattern: &ast::Pattern) -> String {
    let names: Vec<&str> = pattern.names().into_iter().map(ast::Ident::as_str).collect();
    match names.as_slice() {
        [] => "x".to_owned(),
        // `if` and `as` are no names.
        names if names.iter().all(|name| name.len() == 1) && !matches!(names, ["i", "f"] | ["a", "s"]) => {
            names.concat()
        }
        names => names.join("_"),
    }
}

/// `1 argument`, `2 arguments`.
pub(super) fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}

/// What of an expression gives its result: a block's value, a pipe's last step.
pub(super) fn result_origin(body: &ast::Expr) -> Origin {
    match &body.kind {
        ast::ExprKind::Block(block) => result_origin(&block.value),
        ast::ExprKind::Pipe(_, last) => last.origin,
        _ => body.origin,
    }
}
