//! Every primitive goes through both stages of DPIA, in every position in which it has a meaning there, and
//! computes what the interpreter says.

use std::sync::Arc;

use rise_build::backend::{c, rust};
use rise_build::dpia::functional::{self, Target, from_expr};
use rise_build::dpia::imperative::{self, translate};
use rise_build::expr::*;
use rise_build::loops::{self, ByMachine, passes};
use rise_build::machine::Machine;
use rise_build::nat::{Nat, NatVar};
use rise_build::rewrite::lower;
use rise_build::types::{DataType, Scalar};
use rise_semantics::imperative::{complete, execute};
use rise_semantics::values::{Numbers, arguments, rebuilt, same};

const LEN: i64 = 12;

fn f32() -> DataType {
    DataType::Scalar(Scalar::F32)
}

fn lit(n: i64) -> Nat {
    Nat::lit(n)
}

/// Kernel parameters to build examples from.
struct Inputs {
    xs: Param,
    rows: Param,
    indices: Param,
    ints: Param,
    flag: Param,
    at: Param,
}

impl Inputs {
    fn new() -> Self {
        let array = |len, element| DataType::array(lit(len), element);
        Self {
            xs: Param::fresh("xs", array(LEN, f32())),
            rows: Param::fresh("rows", array(3, array(LEN, f32()))),
            indices: Param::fresh("indices", array(5, DataType::Idx(lit(LEN)))),
            ints: Param::fresh("ints", array(LEN, DataType::Scalar(Scalar::I32))),
            flag: Param::fresh("flag", DataType::Scalar(Scalar::Bool)),
            at: Param::fresh("at", DataType::Idx(lit(LEN))),
        }
    }

    fn params(&self) -> Vec<Param> {
        [&self.xs, &self.rows, &self.indices, &self.ints, &self.flag, &self.at].map(Clone::clone).to_vec()
    }

    fn x(&self) -> Expr {
        call(Primitive::Idx, [self.at.expr(), self.xs.expr()])
    }

    fn kernel(&self, body: Expr) -> Kernel {
        Kernel {
            name: "walk".into(),
            nats: Vec::new(),
            params: self.params(),
            body,
            declared: Vec::new(),
            obligations: Vec::new(),
            proved: Vec::new(),
            separable: Vec::new(),
        }
    }
}

fn add(a: Expr, b: Expr) -> Expr {
    binary(Binary::Add, a, b)
}

fn doubled(x: Expr) -> Expr {
    add(x.clone(), x)
}

fn sum_step() -> Lambda {
    lambda2(["acc", "x"], [f32(), f32()], add)
}

fn one() -> Expr {
    literal(Literal::small(1, Scalar::F32))
}

fn position(param: &str) -> NatVar {
    NatVar::new(param)
}

fn partitioned(inputs: &Inputs) -> Expr {
    let i = position("i");
    let lengths = NatFun { body: Nat::var(&i) * lit(2), var: i };
    call(Primitive::Partition(lit(4), lengths), [inputs.xs.expr()])
}

fn dep_mapped(inputs: &Inputs, form: MapForm) -> Expr {
    let i = position("i");
    let part = Param::fresh("part", DataType::array(Nat::var(&i) * lit(2), f32()));
    let body = map_with(MapForm::Seq, "x", part.expr(), doubled);
    let fun = Lambda { nats: vec![i], params: vec![part], body };
    prim(Primitive::DepMap(form), vec![fun.into(), partitioned(inputs).into()])
}

/// What is written: elements made by a loop.
fn made(xs: Expr) -> Expr {
    map_with(MapForm::Seq, "x", xs, doubled)
}

/// Examples of a primitive: one whose operands are read, and one whose operands are written, where it has
/// any.
fn examples(primitive: Primitive, inputs: &Inputs) -> Vec<Expr> {
    use Primitive::*;
    let xs = || inputs.xs.expr();
    let both = |make: &dyn Fn(Expr) -> Expr| vec![make(xs()), make(made(xs()))];
    match primitive.clone() {
        Unary(op) => {
            let float = op.accepts(Scalar::F32);
            let operand = if float { inputs.x() } else { inputs.flag.expr() };
            vec![call(primitive, [operand])]
        }
        Binary(op) => match op.accepts(Scalar::F32) {
            true => vec![call(primitive, [inputs.x(), one()])],
            false => {
                let int = call(Idx, [inputs.at.expr(), inputs.ints.expr()]);
                vec![call(primitive, [int.clone(), int])]
            }
        },
        Compare(_) => {
            vec![
                call(primitive.clone(), [inputs.x(), one()]),
                call(primitive, [inputs.at.expr(), nat(lit(3))]),
            ]
        }
        MulAdd | Fma => vec![call(primitive, [inputs.x(), one(), inputs.x()])],
        Cast(_) => vec![call(primitive.clone(), [inputs.x()]), call(primitive, [inputs.at.expr()])],
        Select => vec![
            call(Select, [inputs.flag.expr(), xs(), inputs.xs.expr()]),
            call(Select, [inputs.flag.expr(), made(xs()), made(xs())]),
            call(Select, [inputs.flag.expr(), one(), inputs.x()]),
        ],
        Foreign(_) => Vec::new(),
        Product(_) => {
            let rows = || inputs.rows.expr();
            let doubled_rows =
                map_with(MapForm::Plain, "row", rows(), |row| map_with(MapForm::Plain, "x", row, doubled));
            vec![
                call(primitive.clone(), [rows(), transpose(rows())]),
                call(primitive, [transpose(doubled_rows), rows()]),
            ]
        }
        Tuple => vec![pair(one(), inputs.x()), pair(xs(), one()), pair(made(xs()), one())],
        Proj(k) => vec![proj(k, pair(xs(), one())), proj(0, pair(made(xs()), one()))],
        Zip => vec![zip(xs(), xs()), zip(made(xs()), made(xs()))],
        Unzip => both(&|xs| call(Unzip, [zip(xs.clone(), xs)])),
        Map(form) => {
            vec![map_with(form, "x", xs(), doubled), map_with(form, "c", split(lit(4), made(xs())), |c| c)]
        }
        Reduce(form) => vec![reduce(form, sum_step(), one(), xs())],
        Scan(_) => vec![prim(primitive, vec![sum_step().into(), one().into(), xs().into()])],
        Iterate(_) => {
            let l = position("l");
            let long = Param::fresh("long", DataType::array(Nat::var(&l) * lit(2), f32()));
            let at = |i| {
                Expr::new(Kind::Nat(lit(i)), DataType::Idx(lit(2)), rise_build::diagnostics::Origin::NONE)
            };
            let body = map_with(MapForm::Seq, "p", split(lit(2), long.expr()), |p| {
                add(call(Idx, [at(0), p.clone()]), call(Idx, [at(1), p]))
            });
            let fun = Lambda { nats: vec![l], params: vec![long], body };
            vec![prim(primitive, vec![fun.into(), xs().into()])]
        }
        Generate => {
            let fun = lambda("i", DataType::Idx(lit(LEN)), |i| call(Cast(f32()), [i]));
            vec![prim(Generate, vec![fun.into()])]
        }
        MakeArray => vec![
            call(MakeArray, [one(), inputs.x()]),
            call(MakeArray, [xs(), xs()]),
            call(MakeArray, [made(xs()), made(xs())]),
        ],
        Idx => vec![inputs.x(), {
            let at =
                Expr::new(Kind::Nat(lit(1)), DataType::Idx(lit(3)), rise_build::diagnostics::Origin::NONE);
            call(Idx, [at, inputs.rows.expr()])
        }],
        Update => {
            let at =
                Expr::new(Kind::Nat(lit(1)), DataType::Idx(lit(LEN)), rise_build::diagnostics::Origin::NONE);
            vec![prim(Update, vec![lambda("x", f32(), doubled).into(), at.into(), xs().into()])]
        }
        ToMem(_) => both(&|xs| call(primitive.clone(), [xs])),
        Split(_) | Slide(..) | Take(_) | Drop(_) | PadClamp(..) | PadEmpty(_) | Reorder(..) | AsVector(_) => {
            both(&|xs| call(primitive.clone(), [xs]))
        }
        Join => both(&|xs| join(split(lit(4), xs))),
        Transpose => {
            let nest = map_with(MapForm::Seq, "row", inputs.rows.expr(), made);
            vec![transpose(inputs.rows.expr()), transpose(nest)]
        }
        Concat => vec![call(Concat, [xs(), xs()]), call(Concat, [made(xs()), made(xs())])],
        PadCst(..) => both(&|xs| call(primitive.clone(), [one(), xs])),
        Gather => vec![call(Gather, [inputs.indices.expr(), xs()])],
        Scatter => {
            let reversed = lambda("i", DataType::Idx(lit(LEN)), |i| {
                let Kind::Nat(i) = i.kind() else { panic!("an index is a natural") };
                let kind = Kind::Nat(lit(LEN - 1) - i);
                Expr::new(kind, DataType::Idx(lit(LEN)), rise_build::diagnostics::Origin::NONE)
            });
            let indices = prim(Generate, vec![reversed.into()]);
            vec![call(Scatter, [indices.clone(), xs()]), call(Scatter, [indices, made(xs())])]
        }
        AsScalar => both(&|xs| call(AsScalar, [call(AsVector(4), [xs])])),
        VectorFromScalar(_) => vec![call(primitive, [inputs.x()])],
        CircularBuffer(..) | RotateValues(_) => {
            vec![prim(primitive, vec![lambda("x", f32(), doubled).into(), xs().into()])]
        }
        DepMap(form) => vec![dep_mapped(inputs, form)],
        Partition(..) => vec![partitioned(inputs)],
        DepZip => vec![call(DepZip, [partitioned(inputs), partitioned(inputs)])],
        DepJoin => {
            vec![call(DepJoin, [partitioned(inputs)]), call(DepJoin, [dep_mapped(inputs, MapForm::Seq)])]
        }
    }
}

/// Copies a readable value.
fn copied(e: Expr) -> Expr {
    match e.ty().clone() {
        DataType::Array(..) => map_with(MapForm::Seq, "x", e, copied),
        DataType::DepArray(_, var, element) => {
            let i = NatVar::new("i");
            let part = Param::fresh("part", element.subst(&var, &Nat::var(&i)));
            let body = copied(part.expr());
            let fun = Lambda { nats: vec![i], params: vec![part], body };
            prim(Primitive::DepMap(MapForm::Seq), vec![fun.into(), e.into()])
        }
        DataType::Tuple(parts) => {
            call(Primitive::Tuple, (0..parts.len()).map(|k| copied(proj(k, e.clone()))).collect::<Vec<_>>())
        }
        _ => e,
    }
}

/// The positions: written, read, in memory, in a loop, under a choice, in a `let`.
fn positions(e: &Expr, inputs: &Inputs) -> Vec<(&'static str, Expr)> {
    let memory = to_mem(AddressSpace::Default, e.clone());
    let in_loop = |e: &Expr| map_with(MapForm::Seq, "row", inputs.rows.expr(), |_| e.clone());
    let param = Param::fresh("shared", e.ty().clone());
    vec![
        ("written", e.clone()),
        ("read", copied(e.clone())),
        ("in memory", copied(memory)),
        ("written in a loop", in_loop(e)),
        ("read in a loop", in_loop(&copied(e.clone()))),
        ("chosen", call(Primitive::Select, [inputs.flag.expr(), e.clone(), copied(e.clone())])),
        (
            "shared",
            let_in(
                param.clone(),
                e.clone(),
                call(Primitive::Tuple, [copied(param.expr()), copied(param.expr())]),
            ),
        ),
    ]
}

/// Whether both stages take a kernel; if so, it computes the right thing.
fn goes_through(kernel: &Kernel, what: &str) -> bool {
    let Ok(phrase) = from_expr(kernel, Target::Rust) else { return false };
    assert_eq!(functional::check(&phrase), [""; 0], "{what}\n{phrase}");
    let commands = translate(&phrase);
    assert_eq!(imperative::check(&commands), [""; 0], "{what}\n{commands}");
    let args = arguments(kernel, &[], &mut Numbers::new(3));
    let expected =
        interpret(kernel, &[], &args).unwrap_or_else(|failure| panic!("{what}: {failure}\n{kernel}"));
    let found = execute(&commands, kernel.body.ty(), &[], &args);
    assert!(
        same(&expected, &found) && complete(&expected, &found),
        "{what}\n{expected:?}\n{found:?}\n{kernel}\n{commands}"
    );
    true
}

fn static_arg(kind: ArgKind) -> StaticArg {
    match kind {
        ArgKind::Nat("k") => StaticArg::Nat(lit(2)),
        ArgKind::Nat(_) => StaticArg::Nat(lit(4)),
        ArgKind::NatFun(_) => {
            let var = NatVar::new("i");
            StaticArg::NatFun(NatFun { body: lit(LEN - 1) - Nat::var(&var), var })
        }
        ArgKind::Dimension => StaticArg::Dimension(0),
        ArgKind::Space => StaticArg::Space(AddressSpace::Default),
    }
}

fn all_primitives() -> Vec<Primitive> {
    let rows = TABLE.iter().map(|row| {
        let args: Vec<StaticArg> = row.kinds.iter().map(|kind| static_arg(*kind)).collect();
        (row.make)(&args)
    });
    let scalars = Unary::ALL.iter().map(|op| Primitive::Unary(*op));
    let scalars = scalars.chain(Binary::ALL.iter().map(|op| Primitive::Binary(*op)));
    let scalars = scalars.chain(Compare::ALL.iter().map(|op| Primitive::Compare(*op)));
    let others = [
        Primitive::MulAdd,
        Primitive::Fma,
        Primitive::Cast(DataType::Scalar(Scalar::I32)),
        Primitive::Select,
        Primitive::Tuple,
        Primitive::Proj(0),
        Primitive::MakeArray,
        Primitive::Product(Arc::new(Library {
            name: "sgemm".into(),
            rust: Some("gemm::gemm".into()),
            c: None,
        })),
    ];
    rows.chain(scalars).chain(others).collect()
}

#[test]
fn every_primitive_goes_through_in_every_position() {
    let mut table = String::new();
    for primitive in all_primitives() {
        let inputs = Inputs::new();
        for (number, example) in examples(primitive.clone(), &inputs).into_iter().enumerate() {
            let places = positions(&example, &inputs);
            let fine: Vec<&str> = places
                .into_iter()
                .filter(|(place, body)| {
                    goes_through(&inputs.kernel(body.clone()), &format!("{primitive} {number} {place}"))
                })
                .map(|(place, _)| place)
                .collect();
            table += &format!("{primitive} {number}: {}\n", fine.join(", "));
        }
    }
    assert_eq!(table, include_str!("walk.txt"));
}

/// Without the forms of loops that the examples choose.
fn plain(e: &Expr) -> Expr {
    let e = map_children(e, &mut plain);
    e.edit(|node| {
        let Kind::Prim(primitive, _) = &mut node.kind else { return };
        match primitive {
            Primitive::Map(form) | Primitive::DepMap(form) => *form = MapForm::Plain,
            Primitive::Reduce(form) => *form = ReduceForm::Plain,
            Primitive::Scan(form) => *form = ScanForm::Plain,
            _ => {}
        }
    })
}

/// Whether all stages take a kernel that is lowered; if so, its loops compute the right thing after every pass,
/// and can be written down for every target of CPUs.
fn runs_lowered(kernel: &Kernel, what: &str) -> bool {
    let Ok(phrase) = from_expr(&lower(kernel, Target::Rust), Target::Rust) else { return false };
    let mut loops = loops::lower(&translate(&phrase));
    let args = arguments(kernel, &[], &mut Numbers::new(3));
    let expected = interpret(kernel, &[], &args).unwrap_or_else(|failure| panic!("{what}: {failure}"));
    for pass in passes::PASSES {
        (pass.run)(&mut loops, &passes::Options::CPU).unwrap_or_else(|large| panic!("{what}: {large}"));
        assert_eq!(loops::check(&loops).wrong, [""; 0], "{what} after {}\n{loops}", pass.name);
        let found = loops::execute(&loops, &[], &args).unwrap_or_else(|fault| panic!("{what}: {fault}"));
        let found = rebuilt(kernel.body.ty(), found);
        assert!(same(&expected, &found), "{what} after {}\n{expected:?}\n{found:?}\n{loops}", pass.name);
    }
    let text = rust::emit(&ByMachine::new(Machine::BEST, loops.clone()), "walk", "rise");
    assert!(
        ["use walk::run as walk;", "unsafe fn walk("].iter().any(|way| text.contains(way)),
        "{what}\n{text}"
    );
    for openmp in [false, true] {
        let settings = c::Settings { isa: c::Isa::Avx2, openmp };
        assert!(c::emit(&loops, "walk", &settings).contains("walk"), "{what}");
    }
    true
}

#[test]
fn every_primitive_is_lowered_in_every_position() {
    let mut refused = Vec::new();
    let steps = [0, 1, 2].map(|k| Primitive::Iterate(lit(k)));
    for primitive in all_primitives().into_iter().chain(steps) {
        let inputs = Inputs::new();
        for (number, example) in examples(primitive.clone(), &inputs).into_iter().enumerate() {
            for (place, body) in positions(&example, &inputs) {
                let what = format!("{primitive} {number} {place}");
                // No caller has memory for arrays of tuples of arrays, and nobody may read what has no value.
                let has_value = !matches!(primitive, Primitive::PadEmpty(_)) || place.starts_with("written");
                let has_meaning = has_value && !body.ty().has_apart_elements();
                if has_meaning && !runs_lowered(&inputs.kernel(plain(&body)), &what) {
                    refused.push(what);
                }
            }
        }
    }
    assert_eq!(refused, [""; 0]);
}
