//! The left sides of `left_sides.txt`, filled in at random and rewritten.

use std::rc::Rc;

use rise_build::diagnostics::Origin;
use rise_build::dpia::functional::Target;
use rise_build::expr::{
    Expr, Kernel, Kind, Lambda, Literal, MapForm, Param, Primitive, Value as Data, call, check, interpret,
    let_in, prim,
};
use rise_build::nat::{Nat, NatVar};
use rise_build::rewrite::catalog::{Row, Wants, lookup};
use rise_build::rewrite::context::{Context, Reason};
use rise_build::rewrite::engine::{Engine, Failure};
use rise_build::rewrite::strategy::Value;
use rise_build::rewrite::user::{Instance, Numbers, UserRule};
use rise_build::syntax::{self, ast};
use rise_build::types::{DataType, Scalar};
use rise_semantics::values::{library, refines};

const LEFT_SIDES: &str = include_str!("left_sides.txt");

/// A left side of a rule.
pub struct Left {
    /// The rule.
    pub row: &'static Row,
    /// The rule must refuse it.
    pub miss: bool,
    text: String,
    rule: Rc<UserRule>,
}

/// All left sides, in order.
pub fn left_sides() -> Vec<Left> {
    let lines = LEFT_SIDES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    // Rules that are not there are not tried.
    lines.filter_map(left_side).collect()
}

fn left_side(line: &str) -> Option<Left> {
    let mut parts = line.splitn(3, " | ");
    let (name, header, side) = (parts.next()?, parts.next().expect(line), parts.next().expect(line));
    let row = lookup(name.trim_start_matches('!')).unwrap_or_else(|| panic!("no rule: {line}"));
    let declared: Vec<&str> = header.split(", ").filter_map(|param| param.split(':').next()).collect();
    let mentions = |letter: &char| {
        let text = format!(" {header} {side} ");
        let alone = |c: char| !c.is_alphanumeric() && c != '_';
        text.split(alone).any(|word| word == letter.to_string()) && !declared.contains(&&*letter.to_string())
    };
    let nats = ['k', 'l', 'm', 'n'].into_iter().filter(mentions).map(|nat| format!("{nat}: Nat"));
    let types = ['r', 's', 't', 'u'].into_iter().filter(mentions).map(|ty| format!("{ty}: Data"));
    let kinds: Vec<String> = nats.chain(types).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!("<{}>", kinds.join(", ")) };
    let text = format!("rule left{kinds}({header}): {side} => {side};");
    let (module, wrong) = syntax::parse(text.parse().expect("tokens"));
    assert!(wrong.is_empty(), "{text}\n{wrong:?}");
    let [ast::Item::Rule(item)] = module.items.as_slice() else { panic!("{text}") };
    let rule = UserRule::new(&module, item).unwrap_or_else(|wrong| panic!("{text}\n{wrong:?}"));
    Some(Left { row, miss: name.starts_with('!'), text: text.clone(), rule })
}

/// The left side under a binder, that of a map or of a `let`: the kernel, and the side in it.
fn kernel(left: &Left, numbers: &mut Numbers) -> Option<(Instance, Kernel)> {
    let outer = Param::fresh("x", DataType::Scalar(Scalar::I32));
    let instance = Instance::random(&left.rule, &[outer.expr()], numbers)?;
    let all = Param::fresh("all", DataType::array(Nat::lit(2), outer.ty.clone()));
    let side = instance.left.clone();
    let body = match numbers.below(4) {
        0 => {
            let first = Expr::new(Kind::Nat(Nat::lit(0)), DataType::Idx(Nat::lit(2)), Origin::NONE);
            let_in(outer, call(Primitive::Idx, [first, all.expr()]), side)
        }
        _ => {
            let f = Lambda { nats: Vec::new(), params: vec![outer], body: side };
            prim(Primitive::Map(MapForm::Plain), vec![f.into(), all.expr().into()])
        }
    };
    let typed = left.rule.typed();
    let mut params = instance.params.clone();
    params.push(all);
    let kernel = Kernel {
        name: "left".into(),
        nats: typed.nats.clone(),
        params,
        body,
        declared: Vec::new(),
        obligations: typed.given.clone(),
        proved: Vec::new(),
        separable: Vec::new(),
    };
    Some((instance, kernel))
}

fn arguments(row: &Row, nats: &[NatVar], numbers: &mut Numbers) -> Vec<Value> {
    let literal = |numbers: &mut Numbers| Nat::lit([1, 2, 3, 4][numbers.below(4) as usize]);
    let value = |wants: &Wants| match wants {
        // A size of the program, or a constant.
        Wants::Nat | Wants::Pieces => match (nats.last(), numbers.below(4)) {
            (Some(nat), 0) => Value::Nat(Nat::var(nat)),
            _ => Value::Nat(literal(numbers)),
        },
        Wants::Dimension => Value::Nat(Nat::lit(numbers.below(3) as i64)),
        Wants::Space => Value::Word("Private".into()),
        Wants::Library => library(),
    };
    row.wants.iter().map(value).collect()
}

/// The kernel after the rule has been applied to the left side, or somewhere in it.
fn applied(kernel: &Kernel, side: &Expr, row: &'static Row, values: Vec<Value>) -> Result<Kernel, Failure> {
    let rule = row.with(values);
    let mut engine = Engine::new(Context::new(kernel, Target::Rust));
    let body = engine.top_down(&kernel.body, &mut |engine, node| match node.same(side) {
        true => engine.top_down(node, &mut |engine, node| engine.rule(&rule, node)),
        false => Err(Reason::mismatch("not here").into()),
    })?;
    let mut after = Kernel { body, ..kernel.clone() };
    after.obligations.extend(engine.context.required);
    Ok(after)
}

/// Sizes for which all conditions hold; small ones, 0 and 1 among them.
fn sizes(kernel: &Kernel, numbers: &mut Numbers) -> Option<Vec<i128>> {
    (0..80).find_map(|_| {
        let sizes: Vec<i128> = kernel.nats.iter().map(|_| i128::from(numbers.below(9))).collect();
        let value = |var: &NatVar| kernel.nats.iter().position(|nat| nat == var).map(|at| sizes[at]);
        let hold = kernel.obligations.iter().all(|needed| needed.obligation.eval(&value) == Ok(true));
        hold.then_some(sizes)
    })
}

/// A program before and after a rule, and what it gives.
pub struct Trial {
    /// With the left side.
    pub before: Kernel,
    /// With what the rule makes of it.
    pub after: Kernel,
    /// Sizes at which all conditions hold.
    pub sizes: Vec<i128>,
    /// Arguments of these sizes.
    pub args: Vec<Data>,
    /// What the left side gives.
    pub expected: Data,
}

/// A program to which the rule applied, if it did; or what is wrong with that.
pub fn attempt(left: &Left, numbers: &mut Numbers) -> Result<Option<Trial>, String> {
    let Some((instance, before)) = kernel(left, numbers) else { return Ok(None) };
    let values = arguments(left.row, &before.nats, numbers);
    // With other arguments what is known of the sizes may not suffice to compare types.
    let constant = values.iter().all(|value| value.as_nat().is_none_or(|nat| nat.as_const().is_some()));
    let Ok(after) = applied(&before, &instance.left, left.row, values) else { return Ok(None) };
    let told = |what: &str| format!("{}: {what}\n{}\n{before}\n{after}", left.row.name, left.text);
    if left.miss {
        return Err(told("is not refused"));
    }
    if constant {
        check(&after).map_err(|wrong| told(&wrong))?;
    }
    let Some(sizes) = sizes(&after, numbers) else { return Ok(None) };
    let env: Vec<(NatVar, i128)> = before.nats.iter().cloned().zip(sizes.iter().copied()).collect();
    // There is no argument that is an index below 0.
    let named = |var: &NatVar| env.iter().find(|(other, _)| other == var).map(|(_, size)| *size);
    let size = |nat: &Nat| nat.eval(&named).ok();
    if !before.params.iter().all(|param| has_values(&param.ty, &size)) {
        return Ok(None);
    }
    let mut args = instance.arguments(&env, numbers);
    args.push(Data::Array(vec![scalar(numbers), scalar(numbers)]));
    // There may be no index below 0.
    let Ok(expected) = interpret(&before, &sizes, &args) else { return Ok(None) };
    let found = interpret(&after, &sizes, &args);
    let found = found.map_err(|failure| told(&format!("at {sizes:?}: {failure}")))?;
    match refines(&expected, &found) {
        true => Ok(Some(Trial { before, after, sizes, args, expected })),
        false => Err(told(&format!("at {sizes:?} with {args:?}:\n{expected:?}\n{found:?}"))),
    }
}

/// Whether there is anything of the type at these sizes.
fn has_values(ty: &DataType, size: &dyn Fn(&Nat) -> Option<i128>) -> bool {
    match ty {
        DataType::Idx(bound) => size(bound).is_some_and(|bound| bound > 0),
        DataType::Array(len, element) => size(len) == Some(0) || has_values(element, size),
        DataType::Tuple(parts) => parts.iter().all(|part| has_values(part, size)),
        _ => true,
    }
}

fn scalar(numbers: &mut Numbers) -> Data {
    let value = i128::from(numbers.below(9)) - 4;
    Data::Scalar(Literal::Int(value, Scalar::I32))
}
