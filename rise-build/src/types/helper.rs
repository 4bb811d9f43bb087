//! Names and helpers: what a name stands for, and a helper's body with its parameters bound.

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Origin, Place, suggest};
use crate::expr::{AddressSpace, TABLE, lookup};
use crate::library;
use crate::syntax::ast;

use super::Scalar;
use super::elaborate::{Infer, arguments};
use super::foreign_names;
use super::term::Term;
use super::ty::{Class, Ty};
use super::value::{Argument, Env, Fun, Home, KindValue, Operator, Sig, Value, Within};

impl<'a> Infer<'a> {
    /// What a name stands for.
    pub(super) fn name(&mut self, name: &'a ast::Ident, env: &Env<'a>) -> Value<'a> {
        let text = name.as_str();
        if let Some(value) = env.get(text) {
            return match value.clone() {
                // A use is where the name stands, not where it was bound.
                Value::Data(term) => {
                    let origin = self.place(name.origin);
                    Value::Data(term.edit(|node| node.origin = origin))
                }
                other => other,
            };
        }
        if env.within.home != Home::Prelude
            && let Some(value) = self.user_item(text, env)
        {
            return self.constant(value, name.origin);
        }
        if let Some(row) = lookup(text) {
            return Value::Fun(Arc::new(Fun::Prim { row, args: Arc::from([]) }));
        }
        if let Some(op) = Operator::from_name(text) {
            return Value::Fun(Arc::new(Fun::Operator { op, args: Arc::from([]) }));
        }
        if let Some(space) = address_space(text) {
            return Value::Space(space);
        }
        let prelude = self.prelude;
        if let Some(item) = prelude.get(text) {
            let within = Within { home: Home::Prelude, ..env.within.clone() };
            let kinds = Arc::from([]);
            return Value::Fun(Arc::new(Fun::Item { item, within, kinds, args: Arc::from([]) }));
        }
        if self.module.lacks_items() {
            self.told = true;
            return Value::Data(Term::error(name.origin));
        }
        let diagnostic = self.unknown_name(text, name.origin, env);
        // Once is enough.
        if self.diagnostics.iter().any(|told| told.message == diagnostic.message) {
            return Value::Data(Term::error(name.origin));
        }
        Value::Data(self.wrong(diagnostic))
    }

    pub(super) fn user_item(&self, text: &str, env: &Env<'a>) -> Option<Value<'a>> {
        let module = self.module;
        module.items.iter().find_map(|item| match item {
            // In its own body a name that RISE has means what it means in RISE: there is no recursion.
            ast::Item::Kernel(item) if env.within.is_body_of(item) && self.is_builtin(text) => None,
            ast::Item::Kernel(item) if item.name.as_str() == text => {
                let home = if ships(item) { Home::Shipped } else { Home::User };
                let within = Within { home, ..env.within.clone() };
                let (kinds, args) = (Arc::from([]), Arc::from([]));
                Some(Value::Fun(Arc::new(Fun::Item { item, within, kinds, args })))
            }
            ast::Item::Extern(item) if item.name.as_str() == text && !item.is_of_vectors() => {
                Some(Value::Fun(Arc::new(Fun::Foreign { item, args: Arc::from([]) })))
            }
            _ => None,
        })
    }

    pub(super) fn is_builtin(&self, name: &str) -> bool {
        lookup(name).is_some() || Operator::from_name(name).is_some() || self.prelude.get(name).is_some()
    }

    /// What to say where the expression is a value: that its name is one that RISE has for a function.
    pub(super) fn hidden(&self, expr: &ast::Expr) -> Option<String> {
        let ast::ExprKind::Name(name) = &expr.kind else { return None };
        self.is_builtin(name.as_str()).then(|| {
            format!("this `{name}` hides the function of RISE that has the same name: give it another name")
        })
    }

    /// A `def` without parameters is its body.
    fn constant(&mut self, value: Value<'a>, origin: Origin) -> Value<'a> {
        match &value {
            Value::Fun(fun) => match &**fun {
                Fun::Item { item, .. }
                    if item.params.is_empty() && item.notation == ast::Notation::Papers =>
                {
                    self.apply(value, Vec::new(), origin, None)
                }
                _ => value,
            },
            _ => value,
        }
    }

    /// The message for a name that nobody knows.
    pub(super) fn unknown_name(&self, text: &str, origin: Origin, env: &Env<'a>) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.place(origin), format!("unknown name `{text}`"));
        let candidates = env.names().into_iter().chain(self.functions());
        if let Some(file) = library::file_of(text) {
            return diagnostic.help(format!("it is in `use \"{file}\";`"));
        }
        if let Some(help) = foreign_names::instead(text) {
            return diagnostic.help(help);
        }
        if let Some(ty) = Scalar::meant(text).map(Scalar::name) {
            return diagnostic.help(format!("a number is converted by `x as {ty}`"));
        }
        if let Some(near) = foreign_names::ours(text).or_else(|| suggest(text, candidates)) {
            return diagnostic.help(format!("did you mean `{near}`?"));
        }
        let shipped =
            suggest(text, library::functions()).and_then(|near| Some((near, library::file_of(near)?)));
        match shipped {
            Some((near, file)) => diagnostic.help(format!("did you mean `{near}`, of `use \"{file}\";`?")),
            None if text.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_') => diagnostic
                .help("constants of Rust are not seen here: write the number, or take it as a parameter"),
            None if text.starts_with(char::is_uppercase) => {
                diagnostic.help("address spaces are `Global`, `Local` and `Private`")
            }
            None => diagnostic,
        }
    }

    /// The names of all functions, the user's first.
    pub(super) fn functions(&self) -> impl Iterator<Item = &str> {
        let items = self.module.items.iter().filter_map(|item| match item {
            ast::Item::Kernel(item) => Some(item.name.as_str()),
            ast::Item::Extern(item) => Some(item.name.as_str()),
            _ => None,
        });
        items
            .chain(TABLE.iter().flat_map(|row| row.names.iter().copied()))
            .chain(OPERATORS.iter().copied())
            .chain(self.prelude.names())
    }

    /// The message for a size that nobody knows.
    pub(super) fn unknown_size(&self, text: &str, origin: Origin, env: &Env<'a>) -> Diagnostic {
        let diagnostic = Diagnostic::error(self.place(origin), format!("unknown name `{text}`"));
        diagnostic.help(match suggest(text, env.names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("sizes are declared behind the function's name: `<{text}: Nat>`"),
        })
    }

    /// `f::<n, t>`
    pub(super) fn instantiate(
        &mut self,
        function: &'a ast::Expr,
        kinds: &'a [ast::KindArg],
        env: &Env<'a>,
    ) -> Value<'a> {
        let value = self.eval(function, env, None);
        let given: Vec<KindValue<'a>> = kinds.iter().map(|kind| self.kind_arg(kind, env)).collect();
        let Value::Fun(fun) = &value else { return value };
        match &**fun {
            Fun::Item { item, within, args, .. } => {
                if given.len() > item.kinds.len() {
                    return Value::Data(self.superfluous_kinds(item.name.as_str(), item.kinds.len(), kinds));
                }
                let kinds = given.into();
                Value::Fun(Arc::new(Fun::Item { item, within: within.clone(), kinds, args: args.clone() }))
            }
            Fun::Prim { row, .. } if given.len() > row.kinds.len() => {
                Value::Data(self.superfluous_kinds(row.names[0], row.kinds.len(), kinds))
            }
            Fun::Operator { op, .. } => Value::Data(self.superfluous_kinds(op.name(), 0, kinds)),
            Fun::Foreign { item, .. } => Value::Data(self.superfluous_kinds(item.name.as_str(), 0, kinds)),
            Fun::Prim { .. } | Fun::DepLambda { .. } => {
                let args = given
                    .into_iter()
                    .flatten()
                    .map(|value| Argument::Value(value, function.origin))
                    .collect();
                self.apply(value, args, function.origin, None)
            }
            _ => {
                let message = "this function takes no arguments between `<` and `>`";
                Value::Data(self.wrong(Diagnostic::error(self.place(function.origin), message)))
            }
        }
    }

    /// Reports the first of the arguments between `<` and `>` beyond those that a function takes.
    fn superfluous_kinds(&mut self, name: &str, takes: usize, given: &[ast::KindArg]) -> Term {
        let origin = given.get(takes).map_or(Origin::NONE, ast::KindArg::origin);
        let (message, help) = match takes {
            0 => (
                format!("`{name}` takes no arguments between `<` and `>`"),
                format!("write `{name}` alone: types and sizes are inferred"),
            ),
            _ => (
                format!("`{name}` takes {} between `<` and `>`, {} given", arguments(takes), given.len()),
                "types and sizes that are left out are inferred".to_owned(),
            ),
        };
        self.wrong(Diagnostic::error(self.place(origin), message).help(help))
    }

    /// A helper's body with its parameters bound.
    pub(super) fn inline(
        &mut self,
        item: &'a ast::Kernel,
        within: &Within<'a>,
        kinds: &[KindValue<'a>],
        args: &[Argument<'a>],
        origin: Origin,
        want: Option<&Ty>,
    ) -> Value<'a> {
        let name = item.name.as_str();
        if within.is_inside(item) {
            let message = format!("`{name}` calls itself");
            let diagnostic = Diagnostic::error(self.place(origin), message)
                .help("RISE has no recursion; loops are `map`, `reduce`, `scan` and `iterate`");
            self.report(diagnostic);
            self.aborted = true;
            return Value::Data(Term::error(origin));
        }
        self.open();
        let site = self.site;
        let mut env = Env::new(within.body(item));
        for (position, kind) in item.kinds.iter().enumerate() {
            let value = match kinds.get(position).cloned().flatten() {
                Some(value) => self.check_kind(value, kind.kind, origin),
                None => self.fresh_kind(kind, item, origin),
            };
            env = env.with(&kind.name.text, value);
        }
        for (param, arg) in item.params.iter().zip(args) {
            let value = self.annotated(arg, param.ty.as_ref(), &env, name);
            env = self.bind(&param.pattern, value, arg.origin(), &env);
        }
        let user = within.home == Home::User;
        if !user && self.site.is_none() {
            self.site = Some((origin, name));
        }
        if user {
            self.calls.push((origin, name));
        }
        self.helper_obligations(item, &env, origin);
        let value = match &item.result {
            None => self.eval(&item.body, &env, want),
            Some(ty) => {
                let sig = Arc::new(self.signature(ty, &env));
                let wanted = match &*sig {
                    Sig::Data(ty) => Some(ty.clone()),
                    _ => None,
                };
                let value = self.eval(&item.body, &env, wanted.as_ref());
                self.ascribe(value, &sig, item.body.origin, name)
            }
        };
        self.site = site;
        if user {
            self.calls.pop();
        }
        self.close(value)
    }

    fn fresh_kind(&mut self, kind: &'a ast::KindParam, item: &ast::Kernel, origin: Origin) -> Value<'a> {
        let origin = self.place(origin);
        match kind.kind {
            ast::Kind::Nat => {
                let what: Arc<str> = Arc::from(format!("the size `{}` of `{}`", kind.name, item.name));
                let nat = self.solver.fresh_nat(&what, origin);
                Value::Data(Term::nat(nat, Ty::Nat, origin))
            }
            ast::Kind::Data => Value::Type(self.solver.fresh(Class::Any)),
            ast::Kind::AddrSpace => Value::Space(AddressSpace::Default),
            ast::Kind::NatToNat | ast::Kind::NatToData => {
                let message = format!("`{}` of `{}` cannot be inferred", kind.name, item.name);
                let body = if kind.kind == ast::Kind::NatToNat { "2 * i" } else { "[f32; i]" };
                let help = format!("give it: `{}::<|i| {body}>(…)`", item.name);
                Value::Data(self.wrong(Diagnostic::error(origin, message).help(help)))
            }
        }
    }
}

/// Scalar functions that are offered for misspelt names.
const OPERATORS: [&str; 24] = [
    "abs", "sqrt", "rsqrt", "exp", "ln", "sin", "cos", "tan", "tanh", "floor", "ceil", "round", "add", "sub",
    "mul", "div", "rem", "min", "max", "pow", "mul_add", "fma", "shl", "shr",
];

fn address_space(text: &str) -> Option<AddressSpace> {
    match text {
        "Global" => Some(AddressSpace::Global),
        "Local" => Some(AddressSpace::Local),
        "Private" => Some(AddressSpace::Private),
        _ => None,
    }
}

/// Whether the item is one of a file that ships.
fn ships(item: &ast::Kernel) -> bool {
    matches!(item.name.origin.place(), Place::File(place) if library::ships(&place.file.path))
}
