//! Numbers that fill vectors.

use super::*;

#[test]
fn a_number_that_only_fills_vectors_fills_one() {
    let vectors = ValueType { lanes: 4, ..F };
    let run = |types: [ValueType; 2], alone: bool| {
        let mut test = Test::new(|_| Nat::lit(8));
        let p = Name::fresh("p");
        let number = || Box::new(Value::Var(p.clone()));
        let filled = |at: i64, ty: ValueType| {
            let access = Access { lanes: ty.lanes, ..Access::scalar(BufferId(1), Nat::lit(at)) };
            Stmt::Store(access, Value::Broadcast(ty, number()))
        };
        test.kernel.body =
            vec![Stmt::Let(p.clone(), F, load(0, 0)), filled(0, types[0]), filled(4, types[1])];
        test.kernel.body.extend(alone.then(|| store(1, 7, Value::Var(p.clone()))));
        test.run("spread")
    };
    assert_eq!(run([vectors; 2], false), "let p = f32x4(x[0])\ny[0 ..4] = p\ny[4 ..4] = p\n");
    let pair = ValueType { lanes: 2, ..F };
    for (types, alone) in [([vectors; 2], true), ([vectors, pair], false)] {
        let text = run(types, alone);
        assert!(text.starts_with("let p = x[0]\ny[0 ..4] = f32x4(p)\n"), "{text}");
    }
}
