//! Fully applied primitives: arguments are elaborated against the type scheme.
//!
//! Arrays come first, so that the parameters of functions have known types when their bodies are elaborated.

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Origin};
use crate::expr::{ArgKind, NatFun, Row, StaticArg};
use crate::nat::{Nat, NatVar, Obligation};

use super::advice;
use super::elaborate::Infer;
use super::scheme::{self, Instance, Scheme, SchemeParam, SchemeTy};
use super::solver::{Condition, Need, Range, Why};
use super::term::{TArg, TLambda, TPrim, Term, TermKind};
use super::ty::{Class, Ty};
use super::value::{Argument, Fun, Value};

/// What a primitive is applied to, and on whose behalf.
pub(super) struct Application<'a, 'b> {
    pub(super) row: &'static Row,
    pub(super) statics: Arc<[StaticArg]>,
    pub(super) args: &'b [Argument<'a>],
    pub(super) why: Why,
}

impl<'a> Infer<'a> {
    /// A primitive with all its arguments.
    pub(super) fn primitive(
        &mut self,
        row: &'static Row,
        args: &[Argument<'a>],
        origin: Origin,
        want: Option<&Ty>,
    ) -> Term {
        let origin = self.place(origin);
        let (given, args) = args.split_at(row.kinds.len());
        let statics: Option<Arc<[StaticArg]>> =
            row.kinds.iter().zip(given).map(|(kind, arg)| self.static_arg(row, *kind, arg)).collect();
        let Some(statics) = statics else { return Term::error(origin) };
        let rule = rule_text(row, &statics);
        let why = self.why(origin, &rule);
        let app = Application { row, statics, args, why };
        if scheme::is_dependent(row) {
            return self.dependent(&app);
        }
        if row.names[0] == "unzip" {
            return self.unzip(&app, want);
        }
        self.by_scheme(&app, &scheme::of(row), want)
    }

    /// As many arrays as the elements have parts: two where that is not known yet.
    fn unzip(&mut self, app: &Application<'a, '_>, want: Option<&Ty>) -> Term {
        let [arg] = app.args else { return Term::error(app.why.origin) };
        let value = self.argument(arg, None);
        let parts = match &value {
            Value::Data(term) => self.parts_of_elements(term.ty()),
            _ => None,
        };
        let args = &[Argument::Value(value, arg.origin())];
        let app = Application { row: app.row, statics: app.statics.clone(), args, why: app.why.clone() };
        let scheme = parts.map_or_else(|| scheme::of(app.row), scheme::unzip);
        self.by_scheme(&app, &scheme, want)
    }

    fn parts_of_elements(&self, ty: &Ty) -> Option<usize> {
        let Ty::Array(_, element) = self.solver.shallow(ty) else { return None };
        match self.solver.shallow(&element) {
            Ty::Tuple(parts) => Some(parts.len()),
            _ => None,
        }
    }

    /// A primitive by a scheme: its arguments are what that says.
    fn by_scheme(&mut self, app: &Application<'a, '_>, scheme: &Scheme, want: Option<&Ty>) -> Term {
        let (row, origin) = (app.row, app.why.origin);
        let mut instance = Instance::new(app.why.rule.clone(), origin);
        for (kind, arg) in row.kinds.iter().zip(app.statics.iter()) {
            if let (ArgKind::Nat(letter), StaticArg::Nat(nat)) = (kind, arg) {
                instance.set(letter, nat.clone());
            }
        }
        let result = instance.ty(&scheme.result, &mut self.solver);
        if let Some(want) = want {
            self.hint(&result, want);
        }
        if !self.static_args_fit(app) {
            return Term::error(origin);
        }
        let Some(args) = self.scheme_args(app, &scheme.params, &mut instance) else {
            return Term::error(origin);
        };
        self.further_needs(app, &instance);
        Term::new(TermKind::Prim(TPrim::Row(row, app.statics.clone()), args), result, origin)
    }

    /// Values first (the last one first, since pipes name it first), then functions. Nothing if one is wrong:
    /// what else would be said is of no use.
    fn scheme_args(
        &mut self,
        app: &Application<'a, '_>,
        params: &[SchemeParam],
        instance: &mut Instance,
    ) -> Option<Vec<TArg>> {
        let mut done: Vec<Option<TArg>> = params.iter().map(|_| None).collect();
        let forwards = is_symmetric(app.row);
        for step in 0..params.len() {
            let position = if forwards { step } else { params.len() - 1 - step };
            if let SchemeParam::Data(ty) = &params[position] {
                let ty = instance.ty(ty, &mut self.solver);
                let operand = self.operand(app, position, &ty);
                if operand.ty().is_error() {
                    return None;
                }
                done[position] = Some(TArg::Expr(operand));
            }
        }
        for (position, param) in params.iter().enumerate() {
            if let SchemeParam::Fun(params, result) = param {
                let params: Vec<Ty> = params.iter().map(|ty| instance.ty(ty, &mut self.solver)).collect();
                let result = instance.ty(result, &mut self.solver);
                let scope = self.scope.clone();
                self.enter_loop(app, instance);
                done[position] = Some(TArg::Fun(self.function(app, position, &[], &params, &result)));
                self.scope = scope;
            }
        }
        let args: Vec<TArg> = done.into_iter().flatten().collect();
        (!args.iter().any(|arg| arg.term().ty().is_error())).then_some(args)
    }

    /// The function of a loop is only called if there is an element: what it needs may use that.
    fn enter_loop(&mut self, app: &Application<'a, '_>, instance: &Instance) {
        let name = app.row.names[0];
        let is_loop = ["map", "reduce", "scan"].iter().any(|family| name.starts_with(family));
        if let (true, Some(len)) = (is_loop, instance.get(b'n')) {
            self.enter(NatVar::new("_"), Some(Range::Below(len.clone())));
        }
    }

    /// Whether the naturals given to a primitive can be right at all.
    fn static_args_fit(&mut self, app: &Application<'a, '_>) -> bool {
        let zero = |position: usize| match app.statics.get(position) {
            Some(StaticArg::Nat(nat)) => nat.is_zero(),
            _ => false,
        };
        let message = match app.row.names[0] {
            "split" | "asVector" | "vectorFromScalar" if zero(0) => "needs at least 1 element a piece",
            "slide" if zero(1) => "needs a step of at least 1",
            _ => return true,
        };
        let message = format!("`{}` {message}", app.why.who());
        self.report(Diagnostic::error(app.why.origin, message));
        false
    }

    pub(super) fn operand(&mut self, app: &Application<'a, '_>, position: usize, want: &Ty) -> Term {
        let arg = &app.args[position];
        let value = self.argument(arg, Some(want));
        let help = (is_whole_function(&value) && self.site.is_none()).then(|| order_help(app.row)).flatten();
        let term = self.expect_data_or(value, arg.origin(), help);
        let known = self.solver.shallow(want);
        let found = self.solver.shallow(term.ty());
        let open = matches!(found, Ty::Var(_)) && (self.site.is_some() || !self.is_literal(&found));
        // What is wrong with the array worked on, or between two arrays, is seen at the primitive.
        let beside = position + 1 < app.args.len() && !is_symmetric(app.row);
        if matches!(known, Ty::Array(..)) && !open && !beside && !matches!(found, Ty::Array(..) | Ty::Error) {
            return self.no_array(app, arg.origin(), &found);
        }
        let at = if beside && !arg.origin().is_none() { self.place(arg.origin()) } else { app.why.origin };
        self.coerce(term, want, at, &app.why)
    }

    /// Reports a value where the primitive works on an array.
    fn no_array(&mut self, app: &Application<'a, '_>, origin: Origin, found: &Ty) -> Term {
        let name = app.row.names[0];
        let message = format!("`{}` needs an array, found {}", self.subject(name), self.shown(found));
        let usage = || match self.site {
            None if app.args.len() > 2 => Some(format!("it is written `{}`", call_text(app.row))),
            _ => None,
        };
        let whole = self.solver.full(found);
        let of_helper = match (&self.site, found) {
            (Some((_, helper)), Ty::Scalar(_)) => Some(advice::number_for_array(helper)),
            _ => None,
        };
        let help =
            of_helper.or_else(|| advice::value_for_array(name, &whole).map(str::to_owned)).or_else(usage);
        let wrong = Diagnostic::error(self.place(origin), message);
        self.wrong(help.into_iter().fold(wrong, Diagnostic::help))
    }

    /// A function argument, written out as a lambda.
    pub(super) fn function(
        &mut self,
        app: &Application<'a, '_>,
        position: usize,
        nats: &[(NatVar, Range)],
        params: &[Ty],
        result: &Ty,
    ) -> TLambda {
        let arg = &app.args[position];
        let value = self.argument(arg, None);
        let defaults: &[&str] = match (app.row.names[0], params.len()) {
            ("generate", _) => &["i"],
            (_, 1) => &["x"],
            _ => &["acc", "x"],
        };
        let takes = self.takes(&value);
        // A plain lambda may name the naturals as well: `|i, row|`.
        let plain = !nats.is_empty() && takes == Some(nats.len() + params.len());
        if let Some(takes) = takes.filter(|takes| *takes > defaults.len() && !plain) {
            let help = match defaults.len() {
                1 => Some(advice::too_many_values(app.row.names[0], &value)),
                _ => advice::values_of_fold(app.row.names[0]),
            };
            let body = self.wrong_arity(app, takes, defaults.len(), help, arg.origin());
            return TLambda { nats: Vec::new(), params: Vec::new(), body };
        }
        let index = self.free_index_name();
        let defaults: &[&str] = if defaults == ["i"] { &[index] } else { defaults };
        let names = if plain { vec![defaults[0].to_owned()] } else { self.param_names(&value, defaults) };
        let scope = self.scope.clone();
        self.open();
        for (var, range) in nats {
            self.enter(var.clone(), Some(range.clone()));
        }
        let params: Vec<_> =
            names.iter().zip(params).map(|(name, ty)| self.param(name, ty.clone())).collect();
        let body = match value {
            Value::Fun(_) => {
                let given = nats.iter().filter(|_| plain || Self::takes_natural(&value));
                let given = given.map(|(var, _)| Term::nat(Nat::var(var), Ty::Nat, arg.origin()));
                let values: Vec<Argument> = given
                    .chain(params.iter().map(|param| param.term(arg.origin())))
                    .map(|term| Argument::Value(Value::Data(term), arg.origin()))
                    .collect();
                self.call(app, value, values, arg.origin(), result)
            }
            other => self.not_a_function(app, other, arg),
        };
        let at = self.place(body_origin(&body, arg.origin()));
        let why = self.why(at, &format!("the function given to `{}`", self.subject(app.row.names[0])));
        let body = self.coerce(body, result, at, &why);
        let body = self.close_term(body);
        self.scope = scope;
        TLambda { nats: nats.iter().map(|(var, _)| var.clone()).collect(), params, body }
    }

    /// A function that a primitive was given, applied to what the primitive gives it.
    fn call(
        &mut self,
        app: &Application<'a, '_>,
        function: Value<'a>,
        mut values: Vec<Argument<'a>>,
        origin: Origin,
        result: &Ty,
    ) -> Term {
        let given = values.len();
        let takes = self.takes(&function).unwrap_or(given).min(given);
        let rest = values.split_off(takes);
        let want = rest.is_empty().then_some(result);
        let mut value = self.apply(function, values, origin, want);
        match &value {
            _ if rest.is_empty() => {}
            Value::Data(term) if !term.ty().is_error() => {
                let help = advice::values_of_fold(app.row.names[0]);
                return self.wrong_arity(app, takes, given, help, origin);
            }
            _ => value = self.apply(value, rest, origin, Some(result)),
        }
        self.expect_data(value, origin)
    }

    fn wrong_arity(
        &mut self,
        app: &Application<'a, '_>,
        takes: usize,
        given: usize,
        help: Option<String>,
        origin: Origin,
    ) -> Term {
        let values = if takes == 1 { "value" } else { "values" };
        let who = self.subject(app.row.names[0]);
        let message = format!("this function takes {takes} {values}, `{who}` gives it {given}");
        let at = self.place(origin);
        self.wrong(help.into_iter().fold(Diagnostic::error(at, message), Diagnostic::help))
    }

    /// A customary name for an index that no index in scope has.
    pub(super) fn free_index_name(&self) -> &'static str {
        let taken = |text: &str| {
            let mut ranged = self.scope.as_deref();
            while let Some(entry) = ranged {
                if entry.var.text() == text {
                    return true;
                }
                ranged = entry.outer.as_deref();
            }
            false
        };
        ["i", "j", "k", "l"].into_iter().find(|text| !taken(text)).unwrap_or("i")
    }

    fn not_a_function(&mut self, app: &Application<'a, '_>, value: Value<'a>, arg: &Argument<'a>) -> Term {
        let origin = arg.origin();
        let term = self.expect_data(value, origin);
        if term.ty().is_error() {
            return term;
        }
        let found = match self.shown(term.ty()) {
            unknown if unknown == "`_`" => "a value".to_owned(),
            ty if ty.starts_with('`') => format!("a value of type {ty}"),
            literal => literal,
        };
        let at = self.place(origin);
        let who = self.subject(app.row.names[0]);
        let message = format!("`{who}` needs a function here, found {found}");
        let hidden = match arg {
            Argument::Ast(expr, _) => self.hidden(expr),
            Argument::Value(..) => None,
        };
        let help = hidden.or_else(|| advice::value_for_function(app.row.names[0]).map(str::to_owned));
        self.wrong(help.into_iter().fold(Diagnostic::error(at, message), Diagnostic::help))
    }

    /// Lets the wanted type decide element types that speak of indices, which are checked where made.
    fn hint(&mut self, result: &Ty, want: &Ty) {
        match (self.solver.shallow(result), self.solver.shallow(want)) {
            (var @ Ty::Var(_), want) if self.speaks_of_indices(&want) => {
                let why = self.why(Origin::NONE, "result");
                let _ = self.solver.unify(&var, &want, &why);
            }
            (Ty::Array(_, element), Ty::Array(_, want)) => self.hint(&element, &want),
            (Ty::Tuple(parts), Ty::Tuple(wants)) if parts.len() == wants.len() => {
                for (part, want) in parts.iter().zip(wants.iter()) {
                    self.hint(part, want);
                }
            }
            _ => {}
        }
    }

    fn speaks_of_indices(&self, ty: &Ty) -> bool {
        match self.solver.shallow(ty) {
            Ty::Idx(_) | Ty::Nat => true,
            Ty::Array(_, element) => self.speaks_of_indices(&element),
            Ty::Tuple(parts) => parts.iter().any(|part| self.speaks_of_indices(part)),
            _ => false,
        }
    }

    /// What a primitive needs besides agreement of types.
    fn further_needs(&mut self, app: &Application<'a, '_>, instance: &Instance) {
        let one = Nat::lit(1);
        let at_least_one = |letter: u8| instance.get(letter).map(|n| Obligation::Le(one.clone(), n.clone()));
        let needs: Vec<Option<Obligation>> = match app.row.names[0] {
            "split" => vec![at_least_one(b'n')],
            "slide" => vec![at_least_one(b'b')],
            "padClamp" => vec![at_least_one(b'n')],
            "circularBuffer" | "rotateValues" => vec![at_least_one(b'b')],
            _ => Vec::new(),
        };
        for obligation in needs.into_iter().flatten() {
            self.solver.need(obligation, &app.why);
        }
        let constant = match app.row.names[0] {
            "mapSeqUnroll" | "mapVec" | "reduceSeqUnroll" => instance.get(b'n'),
            "rotateValues" => instance.get(b'b'),
            _ => None,
        };
        if let Some(nat) = constant {
            self.demand(Condition::Constant(nat.clone()), &app.why);
        }
        if let ("asVector" | "vectorFromScalar", Some(nat)) = (app.row.names[0], instance.get(b'n')) {
            self.demand(Condition::Width(nat.clone()), &app.why);
        }
        if let [StaticArg::NatFun(f), StaticArg::NatFun(g)] = &*app.statics
            && let Some(n) = instance.get(b'n')
        {
            self.demand(Condition::Inverse(Arc::new((f.clone(), g.clone())), n.clone()), &app.why);
        }
    }

    pub(super) fn demand(&mut self, condition: Condition, why: &Why) {
        self.solver.needs.push(Need { condition, why: why.clone() });
    }

    /// An explicit argument that is part of the primitive.
    fn static_arg(&mut self, row: &'static Row, kind: ArgKind, arg: &Argument<'a>) -> Option<StaticArg> {
        match kind {
            ArgKind::Nat(_) => {
                let nat = self.natural_argument(arg, row.names[0])?;
                Some(StaticArg::Nat(self.solver.nat(&nat)))
            }
            ArgKind::NatFun(_) => self.nat_fun_argument(arg, row.names[0]).map(StaticArg::NatFun),
            ArgKind::Space => match Self::space_argument(arg) {
                Some(space) => Some(StaticArg::Space(space)),
                None => {
                    let at = self.place(arg.origin());
                    self.report(Diagnostic::error(
                        at,
                        "expected an address space: `Global`, `Local` or `Private`",
                    ));
                    None
                }
            },
            ArgKind::Dimension => {
                let nat = self.natural_argument(arg, row.names[0])?;
                match nat.as_const() {
                    Some(dimension @ 0..=2) => Some(StaticArg::Dimension(dimension as u8)),
                    _ => {
                        let at = self.place(arg.origin());
                        self.report(Diagnostic::error(at, "a dimension is 0, 1 or 2"));
                        None
                    }
                }
            }
        }
    }

    pub(super) fn fresh_any(&mut self) -> Ty {
        self.solver.fresh(Class::Any)
    }
}

/// Whether it is a function that nothing was given to yet: one that lacks an argument stands where it belongs.
fn is_whole_function(value: &Value<'_>) -> bool {
    match value {
        Value::Fun(fun) => match &**fun {
            Fun::Item { args, .. } | Fun::Prim { args, .. } => args.is_empty(),
            _ => true,
        },
        _ => false,
    }
}

/// What to do where a function stands in the place of a value, if the primitive takes functions elsewhere.
fn order_help(row: &'static Row) -> Option<String> {
    if let Some(advice) = advice::function_for_array(row.names[0]) {
        return Some(advice.to_owned());
    }
    let takes_functions = scheme::is_dependent(row)
        || scheme::of(row).params.iter().any(|param| matches!(param, SchemeParam::Fun(..)));
    takes_functions.then(|| format!("functions come first, the array worked on last: `{}`", call_text(row)))
}

/// How a primitive is called: `padClamp(a, b, xs)`, with the letters of its sentence.
pub(super) fn call_text(row: &'static Row) -> String {
    let kinds = row.kinds.iter().filter_map(|kind| match kind {
        ArgKind::Nat(letter) | ArgKind::NatFun(letter) => Some((*letter).to_owned()),
        ArgKind::Dimension | ArgKind::Space => None,
    });
    let args: Vec<String> = kinds.chain(values_text(row)).collect();
    format!("{}({})", row.names[0], args.join(", "))
}

fn values_text(row: &'static Row) -> Vec<String> {
    if scheme::is_dependent(row) {
        let texts: &[&str] = match (row.names[0], scheme::arity(row)) {
            ("depZip", _) => &["xs", "ys"],
            (_, 1) => &["xs"],
            _ => &["f", "xs"],
        };
        return texts.iter().map(|text| (*text).to_owned()).collect();
    }
    let scheme = scheme::of(row);
    let (mut functions, mut arrays) = ("fgh".chars(), "xyz".chars());
    let texts = scheme.params.iter().filter_map(|param| match param {
        SchemeParam::Fun(..) => functions.next().map(String::from),
        SchemeParam::Data(SchemeTy::Array(..)) => arrays.next().map(|array| format!("{array}s")),
        SchemeParam::Data(_) => Some("value".to_owned()),
    });
    texts.collect()
}

/// Whether all arrays are of one kind to the primitive.
fn is_symmetric(row: &Row) -> bool {
    matches!(row.names[0], "zip" | "concat")
}

fn body_origin(body: &Term, function: Origin) -> Origin {
    if body.origin().is_none() { function } else { body.origin() }
}

/// The primitive as the user knows it, for messages: `split(32)`.
fn rule_text(row: &Row, statics: &[StaticArg]) -> String {
    let shown: Vec<String> = statics
        .iter()
        .filter_map(|arg| match arg {
            StaticArg::Nat(nat) => Some(nat.to_string()),
            StaticArg::NatFun(NatFun { var, body }) => Some(format!("|{var}| {body}")),
            StaticArg::Dimension(_) | StaticArg::Space(_) => None,
        })
        .collect();
    if shown.is_empty() { row.names[0].to_owned() } else { format!("{}({})", row.names[0], shown.join(", ")) }
}
