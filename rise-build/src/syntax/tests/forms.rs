//! What each construct means: the printed tree, with parentheses where grouping is in question.

use super::super::ast::{ArgValue, ExprKind, Item, Kind, Nat, StrategyKind, Visibility};
use super::{expr, kernel, parsed, strategy, ty};

/// The expression with every operator in parentheses.
fn grouped(text: &str) -> String {
    fn show(expr: &super::Expr) -> String {
        match &expr.kind {
            ExprKind::Binary(op, _, a, b) => format!("({} {} {})", show(a), op.symbol(), show(b)),
            ExprKind::Unary(op, a) => format!("({}{})", op.symbol(), show(a)),
            ExprKind::Pipe(a, b) => format!("({} |> {})", show(a), show(b)),
            ExprKind::Compose(a, b) => format!("({} >> {})", show(a), show(b)),
            ExprKind::Cast(a, ty) => format!("({} as {ty})", show(a)),
            ExprKind::Label(label, a) => format!("({label}: {})", show(a)),
            ExprKind::Lambda(params, body) => {
                let params: Vec<String> = params.iter().map(|param| param.pattern.to_string()).collect();
                format!("(|{}| {})", params.join(", "), show(body))
            }
            ExprKind::Call(f, args) => {
                let args: Vec<String> = args.iter().map(show).collect();
                format!("{}({})", show(f), args.join(", "))
            }
            _ => expr.to_string(),
        }
    }
    show(&expr(text))
}

#[test]
fn operators_bind_in_the_documented_order() {
    for (text, expected) in [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a % b / c", "((a % b) / c)"),
        ("-a as i32 * b", "(((-a) as i32) * b)"),
        ("-a.0", "(-a.0)"),
        ("!a && b || c", "(((!a) && b) || c)"),
        ("a & b == c", "((a & b) == c)"),
        ("a | b ^ c & d", "(a | (b ^ (c & d)))"),
        ("a + 1 < b && c >= d", "(((a + 1) < b) && (c >= d))"),
        ("a |> f |> g", "((a |> f) |> g)"),
        ("a |> f >> g |> h", "((a |> (f >> g)) |> h)"),
        ("f >> g >> h", "((f >> g) >> h)"),
        ("a + b |> f", "((a + b) |> f)"),
        ("x as f32 < y", "((x as f32) < y)"),
        ("x as f32 as i64", "((x as f32) as i64)"),
        ("a < -b", "(a < (-b))"),
        ("a<-b", "(a < (-b))"),
        ("a - -b", "(a - (-b))"),
        ("(a + b) * c", "((a + b) * c)"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn lambdas_extend_as_far_as_possible() {
    for (text, expected) in [
        ("|x| x + 1 |> f", "(|x| ((x + 1) |> f))"),
        ("a |> |x| x |> g", "(a |> (|x| (x |> g)))"),
        ("(|x| x)(a)", "(|x| x)(a)"),
        ("map(|(a, _)| a * 2)", "map((|(a, _)| (a * 2)))"),
        ("|x||y|x-y", "(|x| (|y| (x - y)))"),
        ("|x: f32, y: [f32; 3]| x", "(|x, y| x)"),
        ("f >> |x| -x", "(f >> (|x| (-x)))"),
        ("|x|-x", "(|x| (-x))"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn labels_bind_to_the_postfix_expression_after_them() {
    for (text, expected) in [
        ("a |> 'rows: map(f) |> g", "((a |> ('rows: map(f))) |> g)"),
        ("'k: reduce(add, 0.0)(x) + 1", "(('k: reduce(add, 0.0)(x)) + 1)"),
        ("'rows.outer: map('rows.inner: map(f))", "('rows.outer: map(('rows.inner: map(f))))"),
        ("a |>'a:map(f)", "(a |> ('a: map(f)))"),
    ] {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn postfix_forms() {
    for text in [
        "f(a)(b)(c, d)",
        "p.0.1",
        "p.0.1.2",
        "a[i][j + 1]",
        "zip(a, b)[0].1",
        "f::<n, 32, f32, _>(x)",
        "f::<(n), n + 1, [f32; n], (f32, i32)>(x)",
        "f::<|i| 2 * i, |i| [f32; i], |i| i, |i| f32>(x)",
        "(a, (b, c))",
        "[a, b, [c]]",
        "[0.0; n + 1]",
        "if a < b { a } else { b }",
        "if c { a } else { if d { b } else { e } }",
        "{ let (a, b): (f32, i32) = p; let c = a; c }",
        "map(|x| { let y = x * x; y + 1 })",
        "f32::INFINITY",
        "-f64::INFINITY",
        "Array[n, f32]",
        "e as Idx[n]",
    ] {
        assert_eq!(expr(text).to_string(), text);
    }
}

#[test]
fn other_spellings() {
    for (text, printed) in [
        ("if c { a } else if d { b } else { e }", "if c { a } else { if d { b } else { e } }"),
        ("{ a }", "a"),
        ("f(a, b,)", "f(a, b)"),
        ("[a, b,]", "[a, b]"),
        ("(a,b,)", "(a, b)"),
        ("1_000u64 + 0x10 + 1.5e3", "1000u64 + 16 + 1.5e3"),
        ("i32::MIN", "-2147483648i32"),
        ("u8::MAX", "255u8"),
        ("|n: Nat, x| x", "|n: Nat| |x| x"),
        ("|x, n: Nat, m: Nat| x", "|x| |n: Nat, m: Nat| x"),
        ("x as n.m.f32", "x as [[f32; m]; n]"),
    ] {
        assert_eq!(expr(text).to_string(), printed, "{text}");
    }
}

#[test]
fn types() {
    for (text, printed) in [
        ("f32", "f32"),
        ("[[f32; m]; n]", "[[f32; m]; n]"),
        ("Array[n, Array[m, f32]]", "[[f32; m]; n]"),
        ("N.M.f32", "[[f32; M]; N]"),
        ("1024.1024.f32", "[[f32; 1024]; 1024]"),
        ("N.4.8.(f32, i32)", "[[[(f32, i32); 8]; 4]; N]"),
        ("(n + 1).f32", "[f32; n + 1]"),
        ("min(n, m).f32", "[f32; min(n, m)]"),
        ("Tuple[f32, i32]", "(f32, i32)"),
        ("(f32, i32, bool)", "(f32, i32, bool)"),
        ("(f32)", "f32"),
        ("Simd<f32, 2 * w>", "Simd<f32, 2 * w>"),
        ("Simd<Simd<f32, 4>, 4>", "Simd<Simd<f32, 4>, 4>"),
        ("Idx[n - 1]", "Idx[n - 1]"),
        ("t", "t"),
        ("g(n + 1)", "g(n + 1)"),
        ("DepArray[n, |i| [f32; i + 1]]", "DepArray[n, |i| [f32; i + 1]]"),
        ("DepArray[n, g]", "DepArray[n, g]"),
        ("s -> t -> u", "s -> t -> u"),
        ("(s -> t) -> [s; n] -> [t; n]", "(s -> t) -> [s; n] -> [t; n]"),
        ("fn(s, t) -> u", "s -> t -> u"),
        ("impl Fn(f32) -> f32", "f32 -> f32"),
        ("(s, t) -> u", "(s, t) -> u"),
        ("(l: Nat) => [t; l * b] -> [t; l]", "(l: Nat) => [t; l * b] -> [t; l]"),
        ("[_; n]", "[_; n]"),
    ] {
        assert_eq!(ty(text).to_string(), printed, "{text}");
    }
}

#[test]
fn naturals_bind_as_in_mathematics() {
    for (text, printed) in [
        ("2 * b ^ k + 1", "2 * b ^ k + 1"),
        ("(2 * b) ^ k", "(2 * b) ^ k"),
        ("a ^ b ^ c", "a ^ b ^ c"),
        ("(a ^ b) ^ c", "(a ^ b) ^ c"),
        ("a - (b - c)", "a - (b - c)"),
        ("a / b % c", "a / b % c"),
        ("ceilDiv(n, 32)", "ceil_div(n, 32)"),
        ("sum(i in 0..n, i * i)", "sum(i in 0..n, i * i)"),
        ("max(f(n), 3)", "max(f(n), 3)"),
        ("_", "_"),
    ] {
        assert_eq!(ty(&format!("[f32; {text}]")).to_string(), format!("[f32; {printed}]"), "{text}");
    }
}

#[test]
fn arguments_can_be_read_as_naturals() {
    let nat = |text: &str| -> Option<Nat> { expr(text).to_nat().ok() };
    for (text, printed) in [
        ("n - 1", "n - 1"),
        ("2 * b ^ k", "2 * b ^ k"),
        ("(2 * b) ^ k", "(2 * b) ^ k"),
        ("a ^ b * c + 1", "a ^ b * c + 1"),
        ("a ^ b ^ c", "a ^ b ^ c"),
        ("ceil_div(n + 1, min(4, m))", "ceil_div(n + 1, min(4, m))"),
        ("f(n)", "f(n)"),
    ] {
        assert_eq!(nat(text).map(|nat| nat.to_string()).as_deref(), Some(printed), "{text}");
        let as_type = ty(&format!("[f32; {printed}]")).to_string();
        assert_eq!(as_type, format!("[f32; {printed}]"));
    }
    for text in ["1.0", "1u8", "a < b", "-a", "|x| x", "a && b"] {
        assert_eq!(nat(text), None, "{text}");
    }
}

#[test]
fn arguments_can_be_read_as_types() {
    for text in ["f32", "[[f32; m]; n]", "(f32, t)"] {
        assert_eq!(expr(text).to_type().map(|ty| ty.to_string()).as_deref(), Some(text));
    }
    assert_eq!(expr("a + b").to_type(), None);
}

#[test]
fn strategies() {
    for (text, printed) in [
        ("a ; b <+ c @ 'rows", "a ; b <+ c @ 'rows"),
        ("(a ; b) <+ c", "(a ; b) <+ c"),
        ("(a <+ b) @ 'x @ everywhere", "(a <+ b) @ 'x @ everywhere"),
        ("a ~@~ outermost(isMap) ~;~ b", "a @ outermost(isMap) ; b"),
        ("split(32, tail = peel) @ 'rows.outer", "split(32, tail = peel) @ 'rows.outer"),
        ("tile(16, 32) @ ('rows, 'cols)", "tile(16, 32) @ ('rows, 'cols)"),
        ("s @ 'rows.rest/'cols", "s @ 'rows.rest/'cols"),
        ("reorder(['a, 'b, 'c.inner])", "reorder(['a, 'b, 'c.inner])"),
        ("repeat(a ; b)", "repeat(a ; b)"),
        ("split(n / 2, 4)(x)", "split(n / 2, 4, x)"),
        ("s @ body(function(position(1)))", "s @ body(function(position(1)))"),
        ("unfold(|x| x + 1)", "unfold(|x| x + 1)"),
        ("fill(0.0, -1)", "fill(0.0, -1)"),
        ("pick((a, b), (c ; d), (n + 1))", "pick((a, b), c ; d, (n + 1))"),
        ("vectorize(lanes(f32))", "vectorize(lanes(f32))"),
        ("isa(\"avx2\")", "isa(\"avx2\")"),
        ("a ;; b ;", "a ; b"),
        (
            "versions { when n < 32, m >= 2 => a ; b ; when n == 1 => c ; d }",
            "versions { when n < 32, m >= 2 => a ; b ; when n == 1 => c ; d }",
        ),
    ] {
        assert_eq!(strategy(text).to_string(), printed, "{text}");
    }
}

#[test]
fn arguments_of_strategies_keep_their_shape() {
    let StrategyKind::Call(_, args) = strategy("f(b, n / 2, lanes(f32), a ; b, 'l, ['a, 3], (x))").kind
    else {
        panic!("a call")
    };
    let shapes: Vec<&str> = args
        .iter()
        .map(|arg| match &arg.value {
            ArgValue::Strategy(_) => "strategy",
            ArgValue::Expr(_) => "expr",
            ArgValue::Labels(_) => "labels",
            ArgValue::List(_) => "list",
            ArgValue::Text(_) => "text",
        })
        .collect();
    assert_eq!(shapes, ["strategy", "expr", "strategy", "strategy", "labels", "list", "strategy"]);
    assert_eq!(args[0].to_nat().map(|nat| nat.to_string()).as_deref(), Some("b"));
    assert_eq!(args[1].to_nat().map(|nat| nat.to_string()).as_deref(), Some("n / 2"));
    assert_eq!(args[2].to_expr().map(|expr| expr.to_string()).as_deref(), Some("lanes(f32)"));
    assert_eq!(args[3].to_expr(), None);
}

#[test]
fn a_semicolon_ends_the_item_when_an_item_follows() {
    let module = parsed(
        "strategy a = b ; c ;\ncompile k to rust with a ; d\n as k2;\nstrategy e = f;\ncompile k to c with e ;\n\
         /// docs\npub fn k(x: f32) -> f32 { x }",
    );
    assert_eq!(module.items.len(), 5);
    let Item::Compile(compile) = &module.items[1] else { panic!() };
    assert_eq!(compile.strategy.as_ref().map(ToString::to_string).as_deref(), Some("a ; d"));
    assert_eq!(compile.alias.as_ref().map(ToString::to_string).as_deref(), Some("k2"));
}

#[test]
fn signatures() {
    let found = kernel(parsed(
        "/// y = M · x\n/// second\n#[commutative]\npub(crate) fn f<n: Nat, t: DataType, a: AddrSp, g: Nat -> Nat, h: Nat -> Data>\
         (mat: [[f32; m]; n], (x, y): (f32, f32)) -> [f32; n] where n % 32 == 0, n >= 3 && 4 divides m { mat }",
    ));
    assert_eq!(found.docs, [" y = M · x", " second"]);
    assert!(found.attributes[0].name.as_str() == "commutative" && found.is_kernel());
    assert_eq!(found.visibility, Visibility::Restricted("crate".into()));
    let kinds: Vec<Kind> = found.kinds.iter().map(|param| param.kind).collect();
    assert_eq!(kinds, [Kind::Nat, Kind::Data, Kind::AddrSpace, Kind::NatToNat, Kind::NatToData]);
    let obligations: Vec<String> = found.obligations.iter().map(ToString::to_string).collect();
    assert_eq!(obligations, ["n % 32 == 0", "n >= 3", "4 divides m"]);
}

#[test]
fn every_item() {
    let module = parsed(
        "crate = my_rise;\nuse \"rise/blas.rise\";\nextern fn hyp(x: f32, y: f32) -> f32 = f32::hypot;\n\
         extern fn sgemm(x: f32) -> f32 = \"cblas_sgemm\";\nextern fn plain(x: f32) -> f32;\n\
         rule fuse<n: Nat, f: s -> t>(xs: [s; n]): map(f) >> join => join >> map(map(f)) where n > 1, pure(f);\n\
         strategy b(n: Nat, 'l, tail = peel) = split(n) @ l;\ncompile k to opencl(device = gpu, 2);\n\
         fn helper(f: f32 -> f32) { f }",
    );
    let names: Vec<&str> = module
        .items
        .iter()
        .map(|item| match item {
            Item::Crate(_) => "crate",
            Item::Import(_) => "use",
            Item::Kernel(_) => "fn",
            Item::Extern(_) => "extern",
            Item::Strategy(_) => "strategy",
            Item::Rule(_) => "rule",
            Item::Compile(_) => "compile",
        })
        .collect();
    assert_eq!(names, ["crate", "use", "extern", "extern", "extern", "rule", "strategy", "compile", "fn"]);
    let Item::Rule(rule) = &module.items[5] else { panic!() };
    assert_eq!((rule.kinds.len(), rule.params.len(), rule.obligations.len()), (1, 2, 2));
    let Item::Extern(plain) = &module.items[4] else { panic!() };
    assert_eq!(plain.path.rust.as_deref(), Some("plain"));
    assert_eq!(plain.path.c.as_deref(), Some("plain"));
}
