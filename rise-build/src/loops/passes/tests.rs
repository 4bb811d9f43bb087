//! Each pass on a small kernel: the loops before and after, as text, and the same results.

use crate::expr::{Binary, Compare, Literal, Value as Data};
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::super::{check, execute, ir::*, walk};
use super::{Options, PASSES, TooLarge};

mod abreast;
mod ahead;
mod bands;
mod blocks;
mod borders;
mod choose;
mod items;
mod jam;
mod lend;
mod memory;
mod neighbours;
mod nests;
mod places;
mod registers;
mod repeat;
mod rest;
mod returned;
mod rounds;
mod spread;
mod squares;
mod strips;
mod together;

const F: ValueType = ValueType { scalar: Scalar::F32, lanes: 1 };

/// `x: [f32; n]` is buffer 0, the result `y` of the given length buffer 1; temporaries follow.
struct Test {
    kernel: Kernel,
    n: Nat,
}

impl Test {
    fn new(len: impl Fn(&Nat) -> Nat) -> Self {
        let n = NatVar::new("n");
        let mut facts = Facts::new();
        facts.size(&n);
        let size = Nat::var(&n);
        let array = |len: &Nat| DataType::array(len.clone(), DataType::Scalar(Scalar::F32));
        let out = len(&size);
        let param = Param { name: "x".into(), ty: array(&size), parts: vec![Part::Buffer(BufferId(0))] };
        let mut test = Self {
            n: size.clone(),
            kernel: Kernel {
                name: "test".into(),
                nats: vec![n],
                params: vec![param],
                outputs: vec![Output { ty: array(&out), buffer: BufferId(1) }],
                buffers: Vec::new(),
                body: Block::new(),
                facts,
                work: WorkSizes::default(),
            },
        };
        test.buffer("x", size, Role::Input);
        test.buffer("y", out, Role::Output);
        test
    }

    fn buffer(&mut self, name: &str, len: Nat, role: Role) -> BufferId {
        self.kernel.buffers.push(Buffer::scalars(name, Scalar::F32, len, role));
        BufferId(self.kernel.buffers.len() as u32 - 1)
    }

    /// Runs one pass and gives the body as text.
    fn run(&mut self, name: &str) -> String {
        self.run_for(name, &[0, 1, 2, 3, 8, 13])
    }

    /// The same, held against the loops before for these sizes.
    fn run_for(&mut self, name: &str, sizes: &[i128]) -> String {
        let before = self.kernel.clone();
        for pass in PASSES.iter().filter(|pass| pass.name == name).take(1) {
            (pass.run)(&mut self.kernel, &Options::CPU).unwrap();
        }
        for &size in sizes {
            let args = [Data::Array((0..size).map(|i| Data::Scalar(float(i as f64 + 0.5))).collect())];
            let expected = execute(&before, &[size], &args);
            assert_eq!(execute(&self.kernel, &[size], &args), expected, "{before}\n{}", self.kernel);
        }
        assert!(check(&self.kernel).wrong.is_empty(), "{:?}\n{}", check(&self.kernel).wrong, self.kernel);
        let text = self.kernel.to_string();
        let lines = text.lines().skip(1).map(|line| line.strip_prefix("  ").unwrap_or(line));
        lines.flat_map(|line| [line, "\n"]).collect()
    }
}

fn float(value: f64) -> Literal {
    Literal::Float(value, Scalar::F32)
}

fn load(buffer: u32, index: impl Into<Nat>) -> Value {
    Value::Load(Access::scalar(BufferId(buffer), index.into()))
}

fn store(buffer: u32, index: impl Into<Nat>, value: Value) -> Stmt {
    Stmt::Store(Access::scalar(BufferId(buffer), index.into()), value)
}

fn plus(a: Value, b: Value) -> Value {
    Value::Binary(Binary::Add, F, Box::new(a), Box::new(b))
}

fn looped(kind: LoopKind, name: &str, count: impl Into<Nat>, body: impl FnOnce(Nat) -> Block) -> Stmt {
    let var = NatVar::new(name);
    let body = body(Nat::var(&var));
    Stmt::For(Loop { var, count: count.into(), kind, body })
}

#[test]
fn marked_loops_are_written_out() {
    let mut test = Test::new(|_| Nat::lit(3));
    test.kernel.body =
        vec![looped(LoopKind::Unroll, "i", 3, |i| vec![store(1, i.clone(), Value::FromNat(Scalar::F32, i))])];
    assert_eq!(test.run("unroll"), "y[0] = (0) as f32\ny[1] = (1) as f32\ny[2] = (2) as f32\n");
}

#[test]
fn short_loops_that_divide_are_written_out() {
    let mut test = Test::new(|_| Nat::lit(4));
    test.kernel.body = vec![looped(LoopKind::Seq, "i", 4, |i| {
        let two = Nat::lit(2);
        vec![store(1, i.rem(&two) * 2 + i.div(&two), Value::Literal(float(1.0)))]
    })];
    assert_eq!(test.run("unroll"), "y[0] = 1.0\ny[2] = 1.0\ny[1] = 1.0\ny[3] = 1.0\n");
}

#[test]
fn too_many_copies_are_an_error() {
    let mut test = Test::new(|_| Nat::lit(1_000_000));
    test.kernel.body = vec![
        Stmt::Comment("'rows".into()),
        looped(LoopKind::Unroll, "i", 1_000_000, |i| vec![store(1, i, Value::Literal(float(1.0)))]),
    ];
    let error = super::run(&mut test.kernel, &Options::CPU);
    let name = "'rows (loop over i)".to_owned();
    assert_eq!(error, Err(TooLarge { name, copies: 1_000_000, size: 2_000_000 }));
}

#[test]
fn lanes_become_vectors() {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", n.div(&Nat::lit(4)), |i| {
        vec![looped(LoopKind::Vec, "lane", 4, |lane| {
            let name = Name::fresh("a");
            let value = plus(load(0, &i * 4 + &lane), load(0, i.clone()));
            vec![
                Stmt::Let(name.clone(), F, value),
                store(1, &i * 4 + &lane, plus(Value::Var(name), Value::FromNat(Scalar::F32, lane))),
            ]
        })]
    })];
    let expected = "\
for i in 0..n / 4
  let a = x[4 * i ..4] + f32x4(x[i])
  y[4 * i ..4] = a + ramp(0, 1)
";
    assert_eq!(test.run("vectorize"), expected);
}

#[test]
fn lanes_that_lie_side_by_side_are_made_vectors_before_they_are_copied() {
    let mut test = Test::new(|_| Nat::lit(12));
    let lanes = |place: &dyn Fn(&Nat) -> Nat, to: Nat| {
        let value = |lane: &Nat| plus(load(0, place(lane)), Value::Literal(float(1.0)));
        looped(LoopKind::Vec, "lane", 4, |lane| vec![store(1, to + &lane, value(&lane))])
    };
    let enough = Value::CompareNat(Compare::Ge, test.n.clone(), Nat::lit(13));
    let copied = looped(LoopKind::Unroll, "i", 2, |i| {
        vec![lanes(&|lane| &i * 4 + lane, &i * 4), lanes(&|lane| lane * 2, Nat::lit(8))]
    });
    let not_copied = lanes(&|lane| lane.clone(), Nat::lit(0));
    test.kernel.body = vec![Stmt::If(enough, vec![copied, not_copied], Vec::new())];
    let expected = "\
if n >= 13
  for unrolled i in 0..2
    y[4 * i ..4] = x[4 * i ..4] + f32x4(1.0)
    for lanes lane in 0..4
      y[lane + 8] = x[2 * lane] + 1.0
  for lanes lane in 0..4
    y[lane] = x[lane] + 1.0
";
    assert_eq!(test.run("vectorize what is copied"), expected);
}

#[test]
fn strided_lanes_are_gathered_and_others_loaded_one_by_one() {
    let mut test = Test::new(|_| Nat::lit(2));
    let n = test.n.clone();
    test.kernel.body = vec![Stmt::If(
        Value::CompareNat(Compare::Ge, n, Nat::lit(5)),
        vec![looped(LoopKind::Vec, "lane", 2, |lane| {
            let square = load(0, &lane * &lane);
            vec![store(1, lane.clone(), plus(load(0, lane * 3), square))]
        })],
        Vec::new(),
    )];
    let expected = "if n >= 5\n  y[0 ..2] = gather(x[0], stride 3, 2) + lanes(x[0], x[1])\n";
    assert_eq!(test.run("vectorize"), expected);
}

#[test]
fn lanes_that_disagree_go_one_by_one() {
    let mut test = Test::new(|_| Nat::lit(2));
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Vec, "lane", 2, |lane| {
        let guard = Value::CompareNat(Compare::Lt, lane.clone(), n);
        let body = vec![store(1, lane.clone(), load(0, lane.clone()))];
        vec![Stmt::If(guard, body, vec![store(1, lane, Value::Literal(float(0.0)))])]
    })];
    let expected = "\
if 1 < n
  y[0 ..2] = x[0 ..2]
else
  if 0 >= n
    y[0 ..2] = f32x2(0.0)
  else
    if 0 < n
      y[0] = x[0]
    else
      y[0] = 0.0
    if 1 < n
      y[1] = x[1]
    else
      y[1] = 0.0
";
    assert_eq!(test.run("vectorize"), expected);
}

#[test]
fn values_that_depend_on_the_lane_are_selected() {
    let mut test = Test::new(|_| Nat::lit(4));
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Vec, "lane", 4, |lane| {
        let name = Name::fresh("r");
        let set = |value: f64| vec![Stmt::Set(name.clone(), Value::Literal(float(value)))];
        let guard = Value::CompareNat(Compare::Lt, lane.clone(), n);
        vec![
            Stmt::Var(name.clone(), F, None),
            Stmt::If(guard, set(1.0), set(2.0)),
            store(1, lane, Value::Var(name)),
        ]
    })];
    let text = test.run("vectorize");
    assert!(text.contains("let mask = ramp(0, 1) < i32x4((min(4, n)) as i32)"), "{text}");
    assert!(text.contains("= select(mask, r2, r3)"), "{text}");
}

#[test]
fn sums_over_lanes_stay_loops() {
    let mut test = Test::new(|_| Nat::lit(1));
    test.kernel.body = vec![
        store(1, 0, Value::Literal(float(0.0))),
        looped(LoopKind::Vec, "lane", 4, |_| vec![store(1, 0, Value::Literal(float(1.0)))]),
    ];
    let body = test.kernel.body.clone();
    super::vectorize::run(&mut test.kernel, &Options::CPU).unwrap();
    assert!(test.kernel.to_string().contains("for lane in 0..4"), "{} {body:?}", test.kernel);
}

#[test]
fn arrays_of_vectors_become_registers() {
    let mut test = Test::new(|_| Nat::lit(4));
    let t = test.buffer("t", Nat::lit(4), Role::Stack);
    let whole = |buffer: u32| Access { lanes: 4, ..Access::scalar(BufferId(buffer), Nat::lit(0)) };
    let ones = Value::Broadcast(ValueType { lanes: 4, ..F }, Box::new(Value::Literal(float(1.0))));
    test.kernel.body = vec![
        Stmt::Alloc(t),
        Stmt::Store(whole(2), ones),
        store(2, 1, Value::Literal(float(5.0))),
        Stmt::Store(whole(1), Value::Load(whole(2))),
    ];
    let expected = "\
var t: f32x4 = f32x4(0.0)
t = f32x4(1.0)
t = lanes(t.lane(0), 5.0, t.lane(2), t.lane(3))
y[0 ..4] = t
";
    assert_eq!(test.run("registers"), expected);
}

#[test]
fn scalar_loops_over_arrays_of_vectors_are_widened() {
    let mut test = Test::new(|_| Nat::lit(8));
    let t = test.buffer("t", Nat::lit(8), Role::Stack);
    let half = |buffer: u32, at: i64| Access { lanes: 4, ..Access::scalar(BufferId(buffer), Nat::lit(at)) };
    test.kernel.body = vec![
        Stmt::Alloc(t),
        looped(LoopKind::Seq, "i", 8, |i| vec![store(2, i, Value::Literal(float(2.0)))]),
        Stmt::Store(half(1, 0), Value::Load(half(2, 0))),
        Stmt::Store(half(1, 4), Value::Load(half(2, 4))),
    ];
    let text = test.run("widen");
    assert!(text.contains("for i in 0..2\n  for lanes lane in 0..4\n    t[4 * i + lane] = 2.0"), "{text}");
}

#[test]
fn accumulators_in_memory_are_held_in_registers() {
    let mut test = Test::new(|_| Nat::lit(2));
    let n = test.n.clone();
    let add = |i: &Nat, at: i64| store(1, at, plus(load(1, at), load(0, i.clone())));
    let sum = looped(LoopKind::Seq, "i", n, |i| vec![add(&i, 0), add(&i, 1)]);
    test.kernel.body =
        vec![store(1, 0, Value::Literal(float(0.0))), store(1, 1, Value::Literal(float(1.0))), sum];
    let expected = "\
y[0] = 0.0
y[1] = 1.0
if 0 < n
  var y_held: f32 = y[0]
  var y_held2: f32 = y[1]
  for i in 0..n
    y_held = y_held + x[i]
    y_held2 = y_held2 + x[i]
  y[0] = y_held
  y[1] = y_held2
";
    assert_eq!(test.run("promote"), expected);
}

#[test]
fn what_may_overlap_stays_in_memory() {
    let mut test = Test::new(|n| n + 2);
    let n = test.n.clone();
    let zero = looped(LoopKind::Seq, "i", &n + 2, |i| vec![store(1, i, Value::Literal(float(0.0)))]);
    let sum = looped(LoopKind::Seq, "i", n, |i| vec![store(1, 0, plus(load(1, 0), load(1, i)))]);
    test.kernel.body = vec![zero, sum];
    assert!(test.run("promote").contains("y[0] = y[0] + y[i]"));
}

#[test]
fn repeated_loads_are_shared_until_a_write() {
    let mut test = Test::new(|_| Nat::lit(3));
    let t = test.buffer("t", Nat::lit(1), Role::Stack);
    test.kernel.body = vec![
        Stmt::Alloc(t),
        store(2, 0, Value::Literal(float(1.0))),
        store(1, 0, load(2, 0)),
        store(1, 1, load(2, 0)),
        store(2, 0, Value::Literal(float(2.0))),
        store(1, 2, load(2, 0)),
    ];
    let expected = "\
stack t: [f32; 1]
t[0] = 1.0
let t_value = t[0]
y[0] = t_value
y[1] = t_value
t[0] = 2.0
y[2] = t[0]
";
    assert_eq!(test.run("share"), expected);
}

#[test]
fn nothing_useless_is_left() {
    let mut test = Test::new(|_| Nat::lit(1));
    let t = test.buffer("t", Nat::lit(1), Role::Stack);
    let (a, b) = (Name::fresh("a"), Name::fresh("b"));
    let n = test.n.clone();
    let never = Value::CompareNat(Compare::Lt, &n + 1, n);
    test.kernel.body = vec![
        Stmt::Alloc(t),
        Stmt::Let(a.clone(), F, Value::Literal(float(1.0))),
        Stmt::Let(b, F, Value::Var(a.clone())),
        store(2, 0, Value::Var(a.clone())),
        Stmt::If(never, vec![store(1, 0, Value::Var(a.clone()))], Vec::new()),
        store(1, 0, plus(Value::Var(a.clone()), Value::Var(a))),
    ];
    assert_eq!(test.run("simplify"), "y[0] = 2.0\n");
}

#[test]
fn memory_is_allocated_once_and_shared() {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    let (s, t) = (test.buffer("s", n.clone(), Role::Heap), test.buffer("t", n.clone(), Role::Heap));
    let copy = |from: u32, to: u32, i: &Nat| {
        let i = i.clone();
        looped(LoopKind::Seq, "j", n.clone(), move |j| {
            vec![store(to, j.clone(), plus(load(from, j), load(0, i)))]
        })
    };
    test.kernel.body = vec![looped(LoopKind::Seq, "i", n.clone(), |i| {
        vec![Stmt::Alloc(s), copy(0, 2, &i), copy(2, 1, &i), Stmt::Alloc(t), copy(0, 3, &i), copy(3, 1, &i)]
    })];
    let text = test.run("memory");
    assert!(text.starts_with("heap s: [f32; n]\nfor i in 0..n\n"), "{text}");
    assert!(!text.contains("t[") && !text.contains("heap t"), "{text}");
}

#[test]
fn memory_of_a_parallel_iteration_stays_inside() {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    let t = test.buffer("t", n.clone(), Role::Heap);
    test.kernel.body = vec![looped(LoopKind::Par, "i", n, |i| {
        vec![Stmt::Alloc(t), store(2, 0, load(0, i.clone())), store(1, i, load(2, 0))]
    })];
    assert!(test.run("memory").starts_with("for parallel i in 0..n\n  heap t"));
}

#[test]
fn registers_that_pass_values_on_disappear() {
    let mut test = Test::new(|_| Nat::lit(1));
    let n = test.n.clone();
    let (acc, next) = (Name::fresh("acc"), Name::fresh("next"));
    let zero = Value::Literal(float(0.0));
    test.kernel.body = vec![
        Stmt::Var(acc.clone(), F, Some(zero.clone())),
        Stmt::Var(next.clone(), F, Some(zero)),
        looped(LoopKind::Seq, "i", n, |i| {
            vec![
                Stmt::Set(next.clone(), plus(Value::Var(acc.clone()), load(0, i))),
                Stmt::Set(acc.clone(), Value::Var(next.clone())),
            ]
        }),
        store(1, 0, Value::Var(acc)),
    ];
    assert!(test.run("coalesce").contains("for i in 0..n\n  acc = acc + x[i]\ny[0] = acc"));
}

#[test]
fn values_used_once_move_to_their_use_but_not_past_writes() {
    let mut test = Test::new(|_| Nat::lit(3));
    let t = test.buffer("t", Nat::lit(1), Role::Stack);
    let (a, b) = (Name::fresh("a"), Name::fresh("b"));
    test.kernel.body = vec![
        Stmt::Alloc(t),
        store(2, 0, Value::Literal(float(1.0))),
        Stmt::Let(a.clone(), F, load(2, 0)),
        Stmt::Let(b.clone(), F, load(2, 0)),
        store(1, 0, Value::Var(b)),
        store(2, 0, Value::Literal(float(2.0))),
        store(1, 1, Value::Var(a)),
        store(1, 2, load(2, 0)),
    ];
    let expected = "\
stack t: [f32; 1]
t[0] = 1.0
y[0] = t[0]
let a = t[0]
t[0] = 2.0
y[1] = a
y[2] = t[0]
";
    assert_eq!(test.run("inline"), expected);
}

/// Six sums of vectors over all of `x`, each stored.
fn six_sums() -> Test {
    sums_of(6, |n| n.clone(), |_, i, _| i.clone())
}

/// So many sums of vectors over a count of elements, each at its place, which is told the length of `x`, the position
/// and which sum it is.
fn sums_of(sums: i64, count: impl Fn(&Nat) -> Nat, place: impl Fn(&Nat, &Nat, i64) -> Nat) -> Test {
    let mut test = Test::new(|_| Nat::lit(4 * sums));
    let ty = ValueType { lanes: 4, ..F };
    let names: Vec<Name> = (0..sums).map(|_| Name::fresh("s")).collect();
    let zero = || Value::Broadcast(ty, Box::new(Value::Literal(float(0.0))));
    let mut body: Block = names.iter().map(|name| Stmt::Var(name.clone(), ty, Some(zero()))).collect();
    body.push(looped(LoopKind::Seq, "i", count(&test.n), |i| {
        let element = |at| Box::new(Value::Broadcast(ty, Box::new(load(0, place(&test.n, &i, at)))));
        let sum =
            |name: &Name, at| Value::Binary(Binary::Add, ty, Box::new(Value::Var(name.clone())), element(at));
        (0..).zip(&names).map(|(at, name)| Stmt::Set(name.clone(), sum(name, at))).collect()
    }));
    for (at, name) in names.iter().enumerate() {
        let access = Access { lanes: 4, ..Access::scalar(BufferId(1), Nat::lit(4 * at as i64)) };
        body.push(Stmt::Store(access, Value::Var(name.clone())));
    }
    test.kernel.body = body;
    test
}

#[test]
fn folds_of_many_vectors_take_several_elements_at_once() {
    let text = six_sums().run("several");
    let loops: Vec<&str> = text.lines().filter(|line| line.starts_with("for")).collect();
    assert_eq!(loops, ["for i in 0..n / 4", "for i in 0..n - 4 * (n / 4)"], "{text}");
    assert_eq!(text.matches(" + f32x4(x[").count(), 6 * 4 + 6, "{text}");
}

#[test]
fn loops_of_one_iteration_at_most_are_conditions() {
    let text = |count: fn(&Nat) -> Nat| {
        let mut test = Test::new(Nat::clone);
        let n = test.n.clone();
        let first = |i: &Nat| Access::scalar(BufferId(1), i * 8);
        test.kernel.body =
            vec![looped(LoopKind::Seq, "i", count(&n), |i| vec![Stmt::Store(first(&i), load(0, i))])];
        test.run_for("several", &[0, 3, 7, 8, 15, 16, 23, 24])
    };
    let once = text(|n| n.div(&Nat::lit(8)) - n.div(&Nat::lit(16)) * 2);
    assert!(once.contains("if 0 < n / 8 - 2 * (n / 16)") && once.contains("[0] = x[0]"), "{once}");
    assert!(text(|n| n.div(&Nat::lit(8))).contains("for i in 0..n / 8"));
    assert!(text(|n| n.div(&Nat::lit(8)) - n.div(&Nat::lit(24)) * 3).contains("for i in"), "up to two");
}

#[test]
fn few_rows_share_the_register_of_their_address() {
    let row = |n: &Nat, at: i64| n.div(&Nat::lit(8)) * (at % 3 + 1);
    let text = sums_of(6, |n| n.div(&Nat::lit(3)), |n, i, at| row(n, at) + i).run("several");
    let bases: Vec<&str> = text.lines().filter(|line| line.contains("apart")).collect();
    assert_eq!(bases, ["let at = apart(n / 8)", "let at2 = apart(3 * (n / 8))"], "{text}");
    for place in ["x[4 * i + at]", "x[4 * i + at + n / 8]", "x[4 * i + at2 + 3]"] {
        assert_eq!(text.matches(place).count(), 2, "{place}\n{text}");
    }
}

#[test]
fn many_rows_are_read_from_few_places_on() {
    let vector = |buffer: u32, index: Nat| Access { lanes: 4, ..Access::scalar(BufferId(buffer), index) };
    let places = |rows: i64| {
        let mut test = Test::new(|n| n.div(&Nat::lit(80)) * 4);
        let n = test.n.clone();
        let row = |k: i64| n.div(&Nat::lit(80)) * (k % 9) * 4 + n.div(&Nat::lit(3)) * (k / 9);
        test.kernel.body = vec![looped(LoopKind::Seq, "i", n.div(&Nat::lit(80)), |i| {
            let read = |k: i64| Value::Load(vector(0, &i * 4 + row(k)));
            let ty = ValueType { lanes: 4, ..F };
            let add = |a, b| Value::Binary(Binary::Add, ty, Box::new(a), Box::new(b));
            vec![Stmt::Store(vector(1, &i * 4), (1..rows).map(read).fold(read(0), add))]
        })];
        let text = test.run_for("several", &[0, 79, 80, 163]);
        text.lines().filter(|line| line.contains("apart")).map(|line| line.trim().to_owned()).collect()
    };
    let none: Vec<String> = places(15);
    assert!(none.is_empty(), "{none:?}");
    let few: Vec<String> = places(16);
    let expected = [
        "let at = apart(4 * i)",
        "let at2 = apart(at + 12 * (n / 80))",
        "let at3 = apart(at2 + 12 * (n / 80))",
    ];
    assert_eq!(few[..3], expected);
    assert_eq!(few.len(), 3 + 3 + 1, "{few:?}");
}

#[test]
fn folds_of_many_vectors_take_one_element_at_once_from_bases_of_rows() {
    let row = |n: &Nat, at: i64| n.div(&Nat::lit(8)) * (at % 3 + 1);
    let loops = |sums: i64| {
        let text = sums_of(sums, |n| n.div(&Nat::lit(3)), |n, i, at| row(n, at) + i).run("several");
        (text.matches("for i in").count(), text.matches("x[").count(), text.matches("apart").count())
    };
    assert_eq!(loops(7), (2, 7 * 4 + 7, 2));
    assert_eq!(loops(8), (1, 8, 2));
}

#[test]
fn small_folds_are_left_to_the_compiler() {
    let mut test = six_sums();
    if let Some(Stmt::For(looped)) = test.kernel.body.iter_mut().find(|stmt| matches!(stmt, Stmt::For(_))) {
        looped.body.truncate(5);
    }
    let text = test.run("several");
    assert_eq!(text.matches("for i in").count(), 1, "{text}");
}

/// Sums of vectors of four with those `step` and twice as many elements further on, side by side.
fn windows_of_vectors(step: i64) -> Test {
    let mut test = Test::new(|n| n.div(&Nat::lit(4)) * 4);
    let ty = ValueType { lanes: 4, ..F };
    let count = Nat::max(&(test.n.div(&Nat::lit(4)) * 4), &Nat::lit(2 * step)) - 2 * step;
    let vector = |index: Nat| Access { lanes: 4, ..Access::scalar(BufferId(0), index) };
    let zero = looped(LoopKind::Seq, "i", test.n.div(&Nat::lit(4)) * 4, |i| {
        vec![store(1, i, Value::Literal(float(0.0)))]
    });
    test.kernel.body = vec![
        zero,
        looped(LoopKind::Seq, "j", count.div(&Nat::lit(4)), |j| {
            let [a, b, c] = [0, step, 2 * step].map(|step| Value::Load(vector(&j * 4 + step)));
            let plus = |a, b| Value::Binary(Binary::Add, ty, Box::new(a), Box::new(b));
            let to = Access { buffer: BufferId(1), ..vector(j * 4) };
            vec![Stmt::Store(to, plus(plus(a, b), c))]
        }),
    ];
    test
}

#[test]
fn windows_along_vectors_take_several_at_once() {
    let mut test = windows_of_vectors(4);
    let before = test.kernel.clone();
    let text = test.run("several");
    assert_eq!(text.matches(" + x[").count(), 2 * (4 + 1), "{text}");
    // Four iterations read six vectors.
    let shared = test.run("share");
    let block = shared.split("for j in").nth(1).unwrap_or_default();
    assert_eq!(block.matches("x[").count(), 6, "{shared}");
    for size in [20, 24, 27, 28, 40, 61] {
        let args = [Data::Array((0..size).map(|i| Data::Scalar(float(i as f64 + 0.5))).collect())];
        let expected = execute(&before, &[size], &args);
        assert_eq!(execute(&test.kernel, &[size], &args), expected, "{size}\n{}", test.kernel);
    }
}

#[test]
fn what_no_other_iteration_reads_is_no_reason_to_take_several() {
    let text = windows_of_vectors(2).run("several");
    assert_eq!(text.matches(" + x[").count(), 2, "{text}");
}
