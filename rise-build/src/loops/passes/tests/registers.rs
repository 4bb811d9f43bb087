//! Parts of registers, and where registers are declared.

use super::*;

fn vector(buffer: u32, at: i64, lanes: u32) -> Access {
    Access { lanes, ..Access::scalar(BufferId(buffer), Nat::lit(at)) }
}

/// Four ones.
fn ones() -> Value {
    Value::Broadcast(ValueType { lanes: 4, ..F }, Box::new(Value::Literal(float(1.0))))
}

#[test]
fn shorter_vectors_that_are_read_are_halves() {
    let halves = |at: i64| {
        let mut test = Test::new(|_| Nat::lit(4));
        let t = test.buffer("t", Nat::lit(8), Role::Stack);
        let half = |at: i64| Box::new(Value::Load(vector(2, at, 2)));
        let sum = Value::Binary(Binary::Add, ValueType { lanes: 2, ..F }, half(at), half(6));
        test.kernel.body = vec![
            Stmt::Alloc(t),
            Stmt::Store(vector(2, 0, 4), ones()),
            Stmt::Store(vector(2, 4, 4), ones()),
            Stmt::Store(vector(1, 0, 2), sum),
        ];
        test.run("registers")
    };
    let declared = "var t0: f32x4\nvar t1: f32x4\nt0 = f32x4(1.0)\nt1 = f32x4(1.0)\n";
    assert_eq!(halves(0), format!("{declared}y[0 ..2] = t0.lower + t1.upper\n"));
    assert_eq!(halves(4), format!("{declared}y[0 ..2] = t1.lower + t1.upper\n"));
    assert!(halves(1).starts_with("stack t: "), "they lie across halves");
}

#[test]
fn quarters_are_halves_of_halves() {
    let mut test = Test::new(|_| Nat::lit(2));
    let t = test.buffer("t", Nat::lit(8), Role::Stack);
    let ty = ValueType { lanes: 8, ..F };
    let ones = Value::Broadcast(ty, Box::new(Value::Literal(float(1.0))));
    test.kernel.body = vec![
        Stmt::Alloc(t),
        Stmt::Store(vector(2, 0, 8), ones),
        Stmt::Store(vector(1, 0, 2), Value::Load(vector(2, 4, 2))),
    ];
    assert_eq!(test.run("registers"), "var t: f32x8\nt = f32x8(1.0)\ny[0 ..2] = t.upper.lower\n");
}

#[test]
fn truth_values_have_halves_too() {
    let mut test = Test::new(|_| Nat::lit(1));
    let t = BufferId(test.kernel.buffers.len() as u32);
    test.kernel.buffers.push(Buffer::scalars("t", Scalar::Bool, Nat::lit(8), Role::Stack));
    let truth = |lanes: u32| ValueType { scalar: Scalar::Bool, lanes };
    let load = |at: i64| Box::new(Value::Load(vector(t.0, at, 4)));
    let either = Value::Binary(Binary::Or, truth(4), load(0), load(4));
    test.kernel.body = vec![
        Stmt::Alloc(t),
        Stmt::Store(
            vector(t.0, 0, 8),
            Value::Broadcast(truth(8), Box::new(Value::Literal(Literal::Bool(true)))),
        ),
        store(
            1,
            Nat::lit(0),
            Value::Cast(truth(1), Scalar::F32, Box::new(Value::Lane(truth(4), 3, Box::new(either)))),
        ),
    ];
    let text = test.run("registers");
    assert!(text.contains("t.lower") && text.contains("t.upper") && !text.contains("stack"), "{text}");
}

#[test]
fn halves_that_are_written_stay_in_memory() {
    let mut test = Test::new(|_| Nat::lit(8));
    let t = test.buffer("t", Nat::lit(8), Role::Stack);
    let whole = Value::Load(vector(2, 0, 8));
    test.kernel.body = vec![
        Stmt::Alloc(t),
        Stmt::Store(vector(2, 0, 4), ones()),
        Stmt::Store(vector(2, 4, 4), ones()),
        Stmt::Store(vector(1, 0, 8), whole),
    ];
    assert!(test.run("registers").starts_with("stack t: "));
}

/// `var a`, `var b`, and what is made of both.
fn declared(body: impl Fn(&Name, &Name, Nat) -> Block) -> String {
    let mut test = Test::new(|_| Nat::lit(2));
    let (a, b) = (Name::fresh("a"), Name::fresh("b"));
    let mut block = vec![Stmt::Var(a.clone(), F, None), Stmt::Var(b.clone(), F, None)];
    block.append(&mut body(&a, &b, test.n.clone()));
    test.kernel.body = block;
    test.run("declare")
}

fn number(value: f64) -> Value {
    Value::Literal(float(value))
}

/// `a` goes on as `b`, which may change, and `a` may be used once more.
fn goes_on(is_used: bool) -> String {
    declared(|a, b, n| {
        let add = vec![Stmt::Set(b.clone(), plus(Value::Var(b.clone()), number(2.0)))];
        let mut body = vec![
            Stmt::Set(a.clone(), number(1.0)),
            Stmt::Set(b.clone(), Value::Var(a.clone())),
            Stmt::If(Value::any(n), add, Block::new()),
            store(1, 0, Value::Var(b.clone())),
        ];
        body.extend(is_used.then(|| store(1, 1, Value::Var(a.clone()))));
        body
    })
}

#[test]
fn a_register_that_goes_on_as_another_is_that_other_unless_it_is_used_on() {
    assert_eq!(goes_on(false), "var a: f32 = 1.0\nif 0 < n\n  a = a + 2.0\ny[0] = a\n");
    let copied = goes_on(true);
    assert!(copied.starts_with("var a: f32 = 1.0\nvar b: f32 = a\n"), "{copied}");
}

#[test]
fn registers_that_inner_blocks_set_first_are_declared_before() {
    let text = declared(|a, b, n| {
        let set = |value: f64| {
            vec![Stmt::Set(a.clone(), number(value)), Stmt::Set(b.clone(), Value::Var(a.clone()))]
        };
        vec![Stmt::If(Value::any(n), set(1.0), set(2.0)), store(1, 0, Value::Var(b.clone()))]
    });
    assert!(text.starts_with("var a: f32\nvar b: f32\nif 0 < n\n  a = 1.0\n  b = a\n"), "{text}");
}

#[test]
fn what_a_loop_carries_is_no_other_register() {
    let text = declared(|a, b, n| {
        let body = |i: Nat| {
            vec![
                Stmt::Set(b.clone(), Value::Var(a.clone())),
                Stmt::Set(a.clone(), plus(Value::Var(b.clone()), Value::FromNat(Scalar::F32, i))),
            ]
        };
        vec![
            Stmt::Set(a.clone(), number(1.0)),
            looped(LoopKind::Seq, "i", n, body),
            store(1, 0, Value::Var(a.clone())),
        ]
    });
    assert!(text.contains("  b = a\n  a = b + (i) as f32\n"), "{text}");
}
