//! What users declare of their operators: `#[commutative]`, `#[associative]`.
//!
//! A declaration is a rule whose left side is the operator applied to its parameters: `f(a, b) => f(b, a)`. So it is
//! tried in the user's tests as any rule is, and an operator in a program is the declared one where that left side
//! matches it, at whatever types and sizes.

use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Diagnostics, Origin};
use crate::expr::{Kind, Lambda};
use crate::rewrite::context::Context;
use crate::syntax::ast;

use super::{UserRule, matching};

/// What can be declared of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// `f(f(a, b), c) = f(a, f(b, c))`
    Associative,
    /// `f(a, b) = f(b, a)`
    Commutative,
}

impl Property {
    /// The attribute.
    pub fn name(self) -> &'static str {
        match self {
            Property::Associative => "associative",
            Property::Commutative => "commutative",
        }
    }

    fn all() -> [Property; 2] {
        [Property::Associative, Property::Commutative]
    }
}

/// A declaration.
#[derive(Clone)]
pub struct Law {
    /// What is declared.
    pub property: Property,
    /// The operator on the left.
    operator: Rc<UserRule>,
    /// What is declared, as a rule.
    pub rule: Rc<UserRule>,
    /// The operator's name.
    pub name: ast::Ident,
    /// Nobody but the user knows what it computes.
    pub foreign: bool,
}

/// An item that may be an operator.
struct Item<'a> {
    name: &'a ast::Ident,
    attributes: &'a [ast::Attribute],
    kinds: &'a [ast::KindParam],
    params: &'a [ast::Param],
    obligations: &'a [ast::Obligation],
    foreign: bool,
}

fn items(module: &ast::Module) -> impl Iterator<Item = Item<'_>> {
    module.items.iter().filter_map(|item| match item {
        ast::Item::Kernel(ast::Kernel { name, attributes, kinds, params, obligations, .. }) => {
            Some(Item { name, attributes, kinds, params, obligations, foreign: false })
        }
        ast::Item::Extern(ast::ExternFn { name, attributes, kinds, params, obligations, .. }) => {
            Some(Item { name, attributes, kinds, params, obligations, foreign: true })
        }
        _ => None,
    })
}

/// All declarations of a module, and what is wrong with them.
pub fn laws(module: &ast::Module) -> (Vec<Law>, Diagnostics) {
    let (mut laws, mut diagnostics) = (Vec::new(), Diagnostics::new());
    for item in items(module) {
        for attribute in item.attributes {
            let name = attribute.name.as_str();
            let property = Property::all().into_iter().find(|property| property.name() == name);
            match property.map(|property| law(module, &item, property, attribute.name.origin)) {
                Some(Ok(law)) => laws.push(law),
                Some(Err(wrong)) => diagnostics.append(wrong),
                None => {}
            }
        }
    }
    (laws, diagnostics)
}

fn law(
    module: &ast::Module,
    item: &Item<'_>,
    property: Property,
    origin: Origin,
) -> Result<Law, Diagnostics> {
    let [first, second] = item.params else {
        let message = format!("`{}` is {} only as a function of two arguments", item.name, property.name());
        return Err(Diagnostic::error(origin, message).into());
    };
    let (Some(ty), Some(_)) = (&first.ty, &second.ty) else {
        let message = format!("the arguments of `{}` need types to be tried", item.name);
        return Err(Diagnostic::error(origin, message).into());
    };
    let names = ["a", "b", "c"].map(|text| ast::Ident { text: Arc::from(text), origin: item.name.origin });
    let is_size = |name: &ast::Ident| item.kinds.iter().any(|kind| kind.name == *name);
    if let Some(name) = names.iter().find(|name| is_size(name)) {
        let message = format!("rename the parameter `{name}`: the declaration speaks of values of that name");
        return Err(Diagnostic::error(origin, message).into());
    }
    let at = |kind| ast::Expr { kind, origin: item.name.origin, parens: false };
    let value = |position: usize| at(ast::ExprKind::Name(names[position].clone()));
    let apply =
        |a, b| at(ast::ExprKind::Call(Box::new(at(ast::ExprKind::Name(item.name.clone()))), vec![a, b]));
    let rule = |count: usize, pattern: ast::Expr, result: ast::Expr| {
        let param = |name: &ast::Ident| ast::Param {
            pattern: ast::Pattern { kind: ast::PatternKind::Name(name.clone()), origin: name.origin },
            ty: Some(ty.clone()),
        };
        let rule = ast::Rule {
            docs: Vec::new(),
            attributes: Vec::new(),
            name: item.name.clone(),
            kinds: item.kinds.to_vec(),
            params: names[..count].iter().map(param).collect(),
            pattern,
            result,
            obligations: item.obligations.to_vec(),
        };
        UserRule::new(module, &rule)
    };
    let applied = || apply(value(0), value(1));
    let operator = rule(2, applied(), applied()).map_err(|wrong| match first.ty == second.ty {
        true => wrong,
        false => {
            let message = format!("`{}` is {} only between values of one type", item.name, property.name());
            Diagnostic::error(origin, message).into()
        }
    })?;
    let rule = match property {
        Property::Commutative => rule(2, applied(), apply(value(1), value(0)))?,
        Property::Associative => {
            rule(3, apply(applied(), value(2)), apply(value(0), apply(value(1), value(2))))?
        }
    };
    Ok(Law { property, operator, rule, name: item.name.clone(), foreign: item.foreign })
}

impl Law {
    /// Whether the function is the operator.
    fn is_of(&self, f: &Lambda, context: &mut Context) -> bool {
        let before = context.asked();
        let found = matching::find(&self.operator.rule, &self.operator.sides, &[], &f.body, context);
        context.forgo(before);
        let is_param = |(at, value): (usize, &crate::expr::Expr)| matches!(value.kind(), Kind::Var(name) if f.params.get(at).is_some_and(|param| param.name == *name));
        f.params.len() == 2 && found.is_ok_and(|found| found.values.iter().enumerate().all(is_param))
    }
}

/// Whether somebody has declared it of the function.
pub fn declared(property: Property, f: &Lambda, context: &mut Context) -> bool {
    let laws = context.laws.clone();
    laws.iter().any(|law| law.property == property && law.is_of(f, context))
}
