//! Values as expressions.

use super::*;

#[test]
fn vectors_are_values_of_the_instruction_set() {
    let text = text(&scaled(LoopKind::Seq, 8));
    assert!(text.contains("type F32x8<S> = V<S, f32, 8>;"), "{text}");
    assert!(text.contains("let i_end = n / 8;"), "{text}");
    assert!(
        text.contains(
            "Simd::store(Simd::add(Simd::mul(<F32x8<S>>::splat(a), <F32x8<S>>::load(x.add(i * 8)))"
        ),
        "{text}"
    );
}

/// `out[i] = f(x[i])` for all `i`, vectors first, and again of what they leave over.
fn of_each(function: &dyn Fn(ValueType, Value) -> Value) -> String {
    let mut kernel = scaled(LoopKind::Seq, 8);
    let store = |lanes, index: &Nat| {
        let ty = ValueType { scalar: Scalar::F32, lanes };
        Stmt::Store(access(1, index, lanes), function(ty, Value::Load(access(0, index, lanes))))
    };
    let looped = |lanes: u32| {
        let i = NatVar::new("i");
        let body = vec![store(lanes, &Nat::var(&i))];
        Stmt::For(Loop { var: i, count: Nat::lit(3), kind: LoopKind::Seq, body })
    };
    kernel.body = vec![store(8, &Nat::lit(0)), looped(8), looped(1)];
    text(&kernel)
}

#[test]
fn formulas_stand_in_loops_over_vectors_and_are_called_elsewhere() {
    let unary = |op, ty, value| Value::Unary(op, ty, Box::new(value));
    let exp = of_each(&|ty, x| unary(Unary::Exp, ty, x));
    assert_eq!(exp.matches("Float::exp(").count(), 1, "{exp}");
    assert_eq!(exp.matches("Float::exp_by_call(").count(), 2, "{exp}");
    // Of a power a part.
    let pow = of_each(&|ty, x| binary(Binary::Pow, ty, x.clone(), x));
    assert_eq!(pow.matches("Float::pow_in_part(").count(), 1, "{pow}");
    assert_eq!(pow.matches("Float::pow_by_call(").count(), 2, "{pow}");
    // Not where there are many.
    let many = of_each(&|ty, x| (0..4).fold(x, |x, _| unary(Unary::Exp, ty, x)));
    assert!(!many.contains("Float::exp("), "{many}");
}

#[test]
fn lanes_are_listed_and_replaced() {
    let mut kernel = scaled(LoopKind::Seq, 1);
    let v = Name::fresh("v");
    let zero = || Value::Literal(Literal::small(0, Scalar::F32));
    let lane = |lane| Value::Lane(F32X8, lane, Box::new(Value::Var(v.clone())));
    let equal = Value::Lanes(F32X8, (0..8).map(|_| zero()).collect());
    let mixed = Value::Lanes(F32X8, (0..8).map(|at| if at % 2 == 0 { zero() } else { lane(at) }).collect());
    let replaced = Value::Lanes(F32X8, (0..8).map(|at| if at == 0 { zero() } else { lane(at) }).collect());
    kernel.body = vec![
        Stmt::Var(v.clone(), F32X8, Some(equal)),
        Stmt::Set(v.clone(), mixed),
        Stmt::Set(v.clone(), replaced),
    ];
    let text = text(&kernel);
    assert!(text.contains("let mut v: F32x8<S> = <F32x8<S>>::splat(0.0f32);"), "{text}");
    assert!(text.contains("v = <F32x8<S>>::from_lanes(&[0.0f32, Simd::lane(v, 1), 0.0f32,"), "{text}");
    assert!(text.contains("v = Simd::with_lane(v, 0, 0.0f32);"), "{text}");
}

#[test]
fn a_choice_by_a_comparison_as_wide_makes_no_mask() {
    let [a, b] = ["p", "q"].map(Name::fresh);
    let select = |op: Compare| {
        let of = |name: &Name| Box::new(Value::Broadcast(F32X8, Box::new(Value::Var(name.clone()))));
        let by = Value::Compare(op, F32X8, of(&a), of(&b));
        let mut kernel = scaled(LoopKind::Seq, 8);
        let value = Value::Select(F32X8, Box::new([by, *of(&a), *of(&b)]));
        kernel.body = vec![
            Stmt::Let(a.clone(), F32, Value::Literal(Literal::small(1, Scalar::F32))),
            Stmt::Let(b.clone(), F32, Value::Literal(Literal::small(2, Scalar::F32))),
            Stmt::Let(Name::fresh("v"), F32X8, value),
        ];
        text(&kernel).replace("<F32x8<S>>::splat", "").replace(['(', ')'], " ")
    };
    for (op, choice) in [
        (Compare::Lt, "lt  p ,  q ,  p ,  q"),
        (Compare::Gt, "lt  q ,  p ,  p ,  q"),
        (Compare::Le, "le  p ,  q ,  p ,  q"),
        (Compare::Ge, "le  q ,  p ,  p ,  q"),
        (Compare::Eq, "eq  p ,  q ,  p ,  q"),
        (Compare::Ne, "eq  p ,  q ,  q ,  p"),
    ] {
        assert!(select(op).contains(&format!("Simd::if_{choice}")), "{}", select(op));
    }
}

#[test]
fn casts_name_the_vector_for_one_instruction_set_and_for_several() {
    let [avx512, avx2, _] = MACHINES else { panic!("another test is due") };
    let mut kernel = scaled(LoopKind::Seq, 8);
    let from = ValueType { scalar: Scalar::I32, lanes: 8 };
    let ints = Value::Lanes(from, vec![Value::Literal(Literal::small(1, Scalar::I32)); 8]);
    kernel.body = vec![
        Stmt::Let(Name::fresh("cast"), F32X8, Value::Cast(from, Scalar::F32, Box::new(ints))),
        Stmt::Let(Name::fresh("ramp"), F32X8, Value::Ramp(F32X8, Nat::lit(0), Nat::lit(1))),
    ];
    let mut loops = ByMachine::new(avx512, kernel);
    loops.push(avx2, scaled(LoopKind::Seq, 8));
    let one = emit(&loops, "run", "rise");
    let several = text(loops.best());
    for (text, vector) in [(one, "F32x8"), (several, "F32x8<S>")] {
        assert_eq!(text.matches(&format!("Simd::cast::<{vector}>(")).count(), 2, "{text}");
    }
}

#[test]
fn sides_that_may_be_negative_are_compared_with_their_signs() {
    let mut kernel = scaled(LoopKind::Seq, 1);
    let n = Nat::var(&kernel.nats[0]);
    // What is left over of -n in pieces of 64, which is not negative, though its parts are.
    let below = &Nat::lit(0) - &n;
    let left = &below - below.div(&Nat::lit(64)) * 64;
    let enough = Value::CompareNat(Compare::Ge, left, Nat::lit(32));
    kernel.body = vec![Stmt::If(enough, Vec::new(), Vec::new())];
    let text = text(&kernel);
    let condition = text.lines().find(|line| line.trim().starts_with("if ")).unwrap_or_default();
    assert!(condition.contains("isize") && !condition.contains("as usize"), "{condition}");
}

#[test]
fn small_lanes_are_folded_by_one_operation() {
    let v = Name::fresh("v");
    let folded = |scalar: Scalar, op: Binary, order: [u32; 8]| {
        let ty = ValueType { scalar, lanes: 8 };
        let lane = |at: u32| Value::Lane(ty, at, Box::new(Value::Var(v.clone())));
        let mut values: Vec<Value> = order.map(lane).to_vec();
        while values.len() > 1 {
            let both =
                |pair: &[Value]| binary(op, ValueType::scalar(scalar), pair[0].clone(), pair[1].clone());
            values = values.chunks(2).map(both).collect();
        }
        let mut kernel = scaled(LoopKind::Seq, 8);
        let vector = Value::Broadcast(ty, Box::new(Value::Literal(Literal::small(1, scalar))));
        kernel.body = vec![
            Stmt::Let(v.clone(), ty, vector),
            Stmt::Let(Name::fresh("all"), ValueType::scalar(scalar), values.remove(0)),
        ];
        text(&kernel)
    };
    let by_halves = [0, 4, 2, 6, 1, 5, 3, 7];
    for scalar in [Scalar::I8, Scalar::U8, Scalar::I16, Scalar::U16] {
        assert!(folded(scalar, Binary::Max, by_halves).contains("= Simd::reduce_max(v);"), "{scalar}");
    }
    assert!(folded(Scalar::I16, Binary::Add, by_halves).contains("= Simd::reduce_add(v);"));
    for other in [
        folded(Scalar::I32, Binary::Max, by_halves),
        folded(Scalar::I16, Binary::Sub, by_halves),
        folded(Scalar::I16, Binary::Max, [0, 1, 2, 3, 4, 5, 6, 7]),
        folded(Scalar::I16, Binary::Max, [0, 4, 2, 6, 1, 5, 3, 3]),
    ] {
        assert!(!other.contains("reduce_") && other.contains("Simd::lane(v, 3)"), "{other}");
    }
}
