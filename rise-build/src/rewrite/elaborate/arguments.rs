//! Arguments of rules and recipes: naturals, labels, words, functions of libraries, strategies.

use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Origin};
use crate::machine::Asked;
use crate::nat::Nat;
use crate::rewrite::catalog::{Row, Wants};
use crate::rewrite::recipes::{self, support::Tail};
use crate::rewrite::strategy::{Recipe, Value};
use crate::syntax::ast::{self, ArgValue, StrategyKind as Syntax};
use crate::types::{DIVIDED_BY_ZERO, LARGEST, Scalar, TOO_LARGE, called, combined};

use super::{Elaborator, Result, counted, taken};

/// The length of pieces where none is given.
const PIECES: i64 = 32;

impl Elaborator<'_> {
    pub(super) fn count(&mut self, arg: &ast::Arg) -> Result<usize> {
        let count = self.nat(arg)?.as_const().and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| Diagnostic::error(arg.origin, "expected a number"))
    }

    pub(super) fn rule_args(&mut self, row: &Row, args: &[ast::Arg], origin: Origin) -> Result<Vec<Value>> {
        let least = row.wants.iter().filter(|wants| matches!(wants, Wants::Nat | Wants::Library)).count();
        if args.len() < least || args.len() > row.wants.len() {
            let takes = counted(row.wants.len(), "argument", "arguments");
            let wrong = taken(row.name, &takes, args.len(), origin);
            return Err(match recipes::lookup(&format!("{}By", row.name)) {
                Some(recipe) => wrong.help(format!("with a number it is `{}`", recipe.usage)),
                None => wrong.help(row.equation.to_owned()),
            });
        }
        let given = args.iter().zip(row.wants).map(|(arg, wants)| match wants {
            Wants::Nat | Wants::Pieces | Wants::Dimension => Ok(Value::Nat(self.nat(arg)?)),
            Wants::Space => match &arg.value {
                ArgValue::Strategy(ast::Strategy { kind: Syntax::Name(word), .. })
                    if matches!(word.as_str(), "Global" | "Local" | "Private" | "Default") =>
                {
                    Ok(Value::Word(word.text.clone()))
                }
                _ => Err(Diagnostic::error(arg.origin, "expected `Global`, `Local` or `Private`")),
            },
            Wants::Library => self.library(arg),
        });
        let mut values = given.collect::<Result<Vec<Value>>>()?;
        if values.is_empty() && row.wants == [Wants::Pieces] {
            values.push(Value::Nat(Nat::lit(PIECES)));
        }
        Ok(values)
    }

    pub(super) fn recipe_args(&mut self, recipe: &Recipe, args: &[ast::Arg]) -> Result<Vec<Value>> {
        let values = args.iter().map(|arg| self.value(arg)).collect::<Result<Vec<_>>>()?;
        are_taken(recipe, args, &values)?;
        Ok(values)
    }

    /// The `extern fn` with a name.
    fn library(&self, arg: &ast::Arg) -> Result<Value> {
        let ArgValue::Strategy(ast::Strategy { kind: Syntax::Name(name), .. }) = &arg.value else {
            return Err(Diagnostic::error(arg.origin, "expected the name of an `extern fn`"));
        };
        if let Some(Value::Library(library)) = self.variable(name.as_str()) {
            return Ok(Value::Library(library.clone()));
        }
        let item = self.module.items.iter().find_map(|item| match item {
            ast::Item::Extern(item) if item.name.text == name.text => Some(item),
            _ => None,
        });
        match item.map(crate::types::library) {
            Some(Ok(library)) => Ok(Value::Library(Arc::new(library))),
            Some(Err(wrong)) => Err(*wrong),
            None => Err(Diagnostic::error(arg.origin, format!("there is no `extern fn {name}`"))),
        }
    }

    pub(super) fn value(&mut self, arg: &ast::Arg) -> Result<Value> {
        let value = match &arg.value {
            ArgValue::Labels(path) => match self.paths(path).as_slice() {
                [path] => Value::Label(path.clone()),
                paths => Value::Labels(paths.to_vec()),
            },
            ArgValue::List(args) => {
                let mut paths = Vec::new();
                for arg in args {
                    match self.value(arg)? {
                        Value::Label(path) => paths.push(path),
                        Value::Labels(more) => paths.extend(more),
                        _ => return Err(Diagnostic::error(arg.origin, "expected a label")),
                    }
                }
                Value::Labels(paths)
            }
            ArgValue::Text(text) => Value::Text(text.as_str().into()),
            ArgValue::Expr(_) => Value::Nat(self.nat(arg)?),
            ArgValue::Strategy(ast::Strategy { kind: Syntax::Name(word), .. })
                if arg.name.as_ref().is_some_and(|name| name.as_str() == "tail")
                    && self.variable(word.as_str()).is_none() =>
            {
                Value::Word(word.text.clone())
            }
            ArgValue::Strategy(strategy) => self.word(arg, strategy)?,
        };
        Ok(match &arg.name {
            Some(name) => Value::Named(name.text.clone(), Box::new(value)),
            None => value,
        })
    }

    /// A name: a parameter, a size, a word that recipes know, or else a strategy.
    fn word(&mut self, arg: &ast::Arg, strategy: &ast::Strategy) -> Result<Value> {
        let (Syntax::Name(name) | Syntax::Call(name, _)) = &strategy.kind else {
            return Ok(Value::Strategy(Rc::new(self.strategy(strategy)?)));
        };
        let alone = matches!(strategy.kind, Syntax::Name(_));
        if let (true, Some(value)) = (alone, self.variable(name.as_str())) {
            return Ok(value.clone());
        }
        if alone && recipes::WORDS.contains(&name.as_str()) {
            return Ok(Value::Word(name.text.clone()));
        }
        if self.size(name.as_str()).is_some()
            || arg.to_nat().is_some_and(|nat| self.of_hardware(&nat).is_some())
        {
            return Ok(Value::Nat(self.nat(arg)?));
        }
        let found = self.strategy(strategy).map_err(|wrong| {
            match alone && !self.names().any(|known| known == name.as_str()) {
                true if name.as_str().starts_with(char::is_uppercase) => {
                    Diagnostic::error(arg.origin, format!("there is no memory `{name}`"))
                        .help("memories are `Global`, `Local` and `Private`")
                }
                true => {
                    let message = format!("there is no size and no strategy `{name}`");
                    Diagnostic { message, ..wrong }.help(format!("a label is written `'{name}`"))
                }
                false => wrong,
            }
        });
        Ok(Value::Strategy(Rc::new(found?)))
    }

    pub(super) fn nat(&mut self, arg: &ast::Arg) -> Result<Nat> {
        let Some(nat) = arg.to_nat() else {
            return Err(Diagnostic::error(arg.origin, "expected a natural"));
        };
        let value = self.natural(&nat)?;
        if value.is_overflow() { Err(too_large(nat.origin)) } else { Ok(value) }
    }

    /// The size of the kernel with this name.
    fn size(&self, name: &str) -> Option<Nat> {
        self.nats.iter().find(|var| var.text() == name).map(Nat::var)
    }

    /// What stands for a number of the machine: `registers` of vectors, and the `lanes(t)` that a register has.
    fn of_hardware(&self, nat: &ast::Nat) -> Option<Nat> {
        use ast::NatKind::{Apply, Name};
        let hardware = self.hardware?;
        let number = match &nat.kind {
            Name(name) if name.as_str() == "registers" => hardware.machine.registers,
            Apply(name, of) if name.as_str() == "lanes" => match of.as_slice() {
                [ast::Nat { kind: Name(scalar), .. }] => {
                    hardware.machine.bytes / i64::from(Scalar::from_name(scalar.as_str())?.bytes())
                }
                _ => return None,
            },
            _ => return None,
        };
        hardware.asked.set(Asked { registers: true, ..hardware.asked.get() });
        Some(Nat::lit(number))
    }

    pub(super) fn natural(&self, nat: &ast::Nat) -> Result<Nat> {
        use ast::NatKind;
        Ok(match &nat.kind {
            NatKind::Literal(value) => match i64::try_from(*value) {
                Ok(value) => Nat::lit(value),
                Err(_) => return Err(too_large(nat.origin)),
            },
            NatKind::Name(name) => match self.variable(name.as_str()) {
                Some(Value::Nat(value)) => value.clone(),
                Some(_) => return Err(Diagnostic::error(nat.origin, format!("`{name}` is no natural"))),
                None => self.size(name.as_str()).or_else(|| self.of_hardware(nat)).ok_or_else(|| {
                    Diagnostic::error(nat.origin, format!("the kernel has no size `{name}`"))
                })?,
            },
            NatKind::Binary(op, a, b) => {
                let by = b.origin;
                combined(*op, self.natural(a)?, self.natural(b)?).ok_or_else(|| divided_by_zero(by))?
            }
            NatKind::Call(call, a, b) => {
                let by = b.origin;
                called(*call, &self.natural(a)?, &self.natural(b)?).ok_or_else(|| divided_by_zero(by))?
            }
            _ => self.of_hardware(nat).ok_or_else(|| {
                Diagnostic::error(nat.origin, "expected a natural made of numbers and sizes")
            })?,
        })
    }
}

fn too_large(origin: Origin) -> Diagnostic {
    Diagnostic::error(origin, TOO_LARGE).help(LARGEST)
}

fn divided_by_zero(by: Origin) -> Diagnostic {
    Diagnostic::error(by, DIVIDED_BY_ZERO)
}

/// The option of the recipe that an argument is for, be it that it has its name or a word of it.
fn option_of<'v>(recipe: &Recipe, value: &'v Value) -> Option<&'v str> {
    match value {
        Value::Named(name, _) => Some(name),
        Value::Word(word) if Tail::named(word).is_some() && recipe.options().contains(&"tail") => {
            Some("tail")
        }
        _ => None,
    }
}

/// Whether the recipe is written with such arguments.
fn are_taken(recipe: &Recipe, args: &[ast::Arg], values: &[Value]) -> Result<()> {
    let (most, options) = (recipe.most_arguments(), recipe.options());
    let (mut given, mut told) = (0, Vec::new());
    let usage = || format!("it is written `{}`", recipe.usage);
    for (arg, value) in args.iter().zip(values) {
        if let Some(option) = option_of(recipe, value) {
            if told.contains(&option) {
                let message = format!("`{option}` is given twice");
                return Err(Diagnostic::error(arg.origin, message).help(usage()));
            }
            told.push(option);
        }
        let wrong = match value {
            Value::Named(name, _) if !options.contains(&&**name) => {
                format!("`{}` has no option `{name}`", recipe.name)
            }
            Value::Named(name, value)
                if &**name == "tail" && value.as_word().and_then(Tail::named).is_none() =>
            {
                let help = "there are `exact`, `peel`, `pad`, `shift` and `mask`";
                return Err(Diagnostic::error(arg.origin, "this is no tail policy").help(help));
            }
            // A word may stand for the option that has it.
            Value::Word(_) if !options.is_empty() => continue,
            Value::Named(..) => continue,
            _ => {
                given += 1;
                match most.filter(|most| given > *most) {
                    Some(0) => format!("`{}` takes no argument", recipe.name),
                    Some(most) => {
                        format!(
                            "`{}` takes {} and no more",
                            recipe.name,
                            counted(most, "argument", "arguments")
                        )
                    }
                    None if matches!(value, Value::Label(_) | Value::Labels(_)) && !recipe.takes_labels() => {
                        format!(
                            "`{}` takes no label as an argument: where it works stands behind `@`",
                            recipe.name
                        )
                    }
                    None => continue,
                }
            }
        };
        return Err(Diagnostic::error(arg.origin, wrong).help(usage()));
    }
    Ok(())
}
