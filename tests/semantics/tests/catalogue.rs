//! Every rule of the catalogue on random programs that match it, and on near misses that it must refuse.
//!
//! The left sides are in `catalogue.txt`. Each stands under a binder whose variable the random functions use; what
//! the rule makes of it is run by the interpreter and must give the same bits.

use std::collections::BTreeMap;
use std::rc::Rc;

use rise_build::diagnostics::Session;
use rise_build::dpia::functional::Target;
use rise_build::expr::{
    Expr, Kernel, Lambda, MapForm, Param, Primitive, Value as Data, check, interpret, prim,
};
use rise_build::nat::{Nat, NatVar};
use rise_build::rewrite::catalog::{Row, Wants, lookup, rows};
use rise_build::rewrite::context::{Context, Reason};
use rise_build::rewrite::engine::{Engine, Failure};
use rise_build::rewrite::strategy::Value;
use rise_build::rewrite::user::{Instance, Numbers, UserRule};
use rise_build::syntax::{self, ast};
use rise_build::types::{DataType, Scalar};
use rise_semantics::cases;
use rise_semantics::values::{library, same};

const LEFT_SIDES: &str = include_str!("catalogue.txt");

/// A left side of a rule.
struct Left {
    row: &'static Row,
    /// The rule must refuse it.
    miss: bool,
    text: String,
    rule: Rc<UserRule>,
}

fn left_sides() -> Vec<Left> {
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

/// The left side under a binder: the kernel, and the side in it.
fn kernel(left: &Left, numbers: &mut Numbers) -> Option<(Instance, Kernel)> {
    let outer = Param::fresh("x", DataType::Scalar(Scalar::I32));
    let instance = Instance::random(&left.rule, &[outer.expr()], numbers)?;
    let all = Param::fresh("all", DataType::array(Nat::lit(2), outer.ty.clone()));
    let f = Lambda { nats: Vec::new(), params: vec![outer], body: instance.left.clone() };
    let body = prim(Primitive::Map(MapForm::Plain), vec![f.into(), all.expr().into()]);
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

/// Equal, but that what had no value may have any; nothing loses its value.
fn refines(before: &Data, after: &Data) -> bool {
    match (before, after) {
        (Data::Undefined, _) => true,
        (_, Data::Undefined) => false,
        (Data::Array(a), Data::Array(b)) | (Data::Tuple(a), Data::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| refines(a, b))
        }
        (a, b) => same(a, b),
    }
}

/// Tries one program: whether the rule applied, and what is wrong with that.
fn attempt(left: &Left, numbers: &mut Numbers) -> Result<bool, String> {
    let Some((instance, before)) = kernel(left, numbers) else { return Ok(false) };
    let values = arguments(left.row, &before.nats, numbers);
    // With other arguments what is known of the sizes may not suffice to compare types.
    let constant = values.iter().all(|value| value.as_nat().is_none_or(|nat| nat.as_const().is_some()));
    let Ok(after) = applied(&before, &instance.left, left.row, values) else { return Ok(false) };
    let told = |what: &str| format!("{}: {what}\n{}\n{before}\n{after}", left.row.name, left.text);
    if left.miss {
        return Err(told("is not refused"));
    }
    if constant {
        check(&after).map_err(|wrong| told(&wrong))?;
    }
    let Some(sizes) = sizes(&after, numbers) else { return Ok(false) };
    let env: Vec<(NatVar, i128)> = before.nats.iter().cloned().zip(sizes.iter().copied()).collect();
    let mut args = instance.arguments(&env, numbers);
    args.push(Data::Array(vec![scalar(numbers), scalar(numbers)]));
    // There may be no index below 0.
    let Ok(old) = interpret(&before, &sizes, &args) else { return Ok(false) };
    let new = interpret(&after, &sizes, &args);
    let new = new.map_err(|failure| told(&format!("at {sizes:?}: {failure}")))?;
    match refines(&old, &new) {
        true => Ok(true),
        false => Err(told(&format!("at {sizes:?} with {args:?}:\n{old:?}\n{new:?}"))),
    }
}

fn scalar(numbers: &mut Numbers) -> Data {
    let value = i128::from(numbers.below(9)) - 4;
    Data::Scalar(rise_build::expr::Literal::Int(value, Scalar::I32))
}

#[test]
fn every_rule_keeps_the_meaning_of_what_it_matches() {
    let _session = Session::start();
    let wanted = cases(200);
    let sides = left_sides();
    let mut tried: BTreeMap<&str, u32> = rows().map(|row| (row.name, 0)).collect();
    let (mut failures, mut programs, mut misses) = (Vec::new(), 0u32, 0u32);
    for left in &sides {
        let same = sides.iter().filter(|other| other.row.name == left.row.name && !other.miss).count() as u32;
        let share = if left.miss { 8 } else { wanted.div_ceil(same) };
        let mut done = 0;
        for seed in 0..u64::from(share) * 6 {
            if done == share {
                break;
            }
            match attempt(left, &mut Numbers::new(seed)) {
                Ok(true) => done += 1,
                Ok(false) => done += u32::from(left.miss),
                Err(text) => {
                    failures.push(text);
                    break;
                }
            }
        }
        match left.miss {
            true => misses += done,
            false => {
                programs += done;
                *tried.entry(left.row.name).or_default() += done;
            }
        }
    }
    println!("{} rules, {programs} programs, {misses} near misses, {} failures", tried.len(), failures.len());
    let rare: Vec<String> = tried
        .iter()
        .filter(|(_, count)| **count < wanted)
        .map(|(name, count)| format!("{name}: {count} of {wanted}"))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(rare.is_empty(), "not tried often enough:\n{}", rare.join("\n"));
}
