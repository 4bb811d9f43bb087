//! Printing a tree and reading it again gives an equal tree.

use super::samples::SAMPLES;
use super::{expr, faults, parsed, strategy, ty};

#[test]
fn programs_survive_printing() {
    for text in SAMPLES {
        let module = parsed(text);
        let printed = module.to_string();
        assert_eq!(parsed(&printed), module, "{printed}");
        assert_eq!(parsed(&printed).to_string(), printed);
    }
}

#[test]
fn the_print_is_a_canonical_text() {
    let module = parsed(SAMPLES[0]);
    assert_eq!(
        module.to_string(),
        "/// y = M · x\n\
         pub fn f<n: Nat, m: Nat>(mat: [[f32; m]; n], x: [f32; m]) -> [f32; n] \
         { mat |> 'rows: map(|row| zip(row, x) |> map(|(a, b)| a * b) |> 'dot: reduce(add, 0.0)) }\n\n\
         strategy rows_in_parallel = mapPar @ 'rows ; vectorize(16) @ 'dot ; lower;\n\n\
         compile f to rust with rows_in_parallel;\n\n\
         compile f to opencl with splitJoin(64) @ 'rows ; mapWorkGroup @ 'rows.outer ; mapLocal @ 'rows.inner ; \
         fuseReduceMap @ everywhere ; lower as gemv_gpu;\n"
    );
}

/// A small deterministic generator, so that failures repeat.
struct Choices(u64);

impl Choices {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 {
            return ["x", "n", "1", "2.5", "0.0f32", "true", "p.0.1", "f(x)"][self.below(8) as usize]
                .to_string();
        }
        let mut part = || self.expr(depth - 1);
        let (a, b, c) = (part(), part(), part());
        match self.below(20) {
            0 => format!("({a}) + ({b})"),
            1 => format!("({a}) ^ ({b})"),
            2 => format!("({a}) < ({b})"),
            3 => format!("({a}) |> ({b})"),
            4 => format!("({a}) >> ({b})"),
            5 => format!("|x, (y, _)| {a}"),
            6 => format!("({a})({b}, {c})"),
            7 => format!("-({a})"),
            8 => format!("'l: ({a})"),
            9 => format!("({a})[{b}]"),
            10 => format!("({a}).1"),
            11 => format!("({a}) as [f32; n]"),
            12 => format!("if {a} {{ {b} }} else {{ {c} }}"),
            13 => format!("{{ let y = {a}; {b} }}"),
            14 => format!("({a}, {b})"),
            15 => format!("[{a}, {b}]"),
            16 => format!("depFun((m: Nat) => {a})"),
            17 => format!("({a}) * ({b}) - ({c})"),
            18 => format!("!({a}) && ({b})"),
            _ => format!("[{a}; n]"),
        }
    }

    fn strategy(&mut self, depth: u32) -> String {
        if depth == 0 {
            return ["a", "split(3)", "b(n, 'l)", "c(k = n + 1)"][self.below(4) as usize].to_string();
        }
        let (a, b) = (self.strategy(depth - 1), self.strategy(depth - 1));
        match self.below(7) {
            0 => format!("({a}) ; ({b})"),
            1 => format!("({a}) <+ ({b})"),
            2 => format!("({a}) @ 'l"),
            3 => format!("({a}) @ outermost({b})"),
            4 => format!("try({a}, {b})"),
            5 => format!("versions {{ when n < 3 => {a} ; {b} }}"),
            _ => format!("f([{a}, 'l], {})", self.expr(2)),
        }
    }
}

#[test]
fn random_expressions_survive_printing() {
    for seed in 0..400 {
        let text = Choices(seed).expr(1 + (seed % 4) as u32);
        let tree = expr(&text);
        assert_eq!(expr(&tree.to_string()), tree, "{text}\n{tree}");
        if let Ok(nat) = tree.to_nat() {
            assert_eq!(expr(&tree.to_string()).to_nat().ok(), Some(nat), "{text}\n{tree}");
        }
    }
}

#[test]
fn random_strategies_survive_printing() {
    for seed in 0..300 {
        let text = Choices(seed).strategy(1 + (seed % 4) as u32);
        let tree = strategy(&text);
        assert_eq!(strategy(&tree.to_string()), tree, "{text}\n{tree}");
    }
}

#[test]
fn types_survive_printing() {
    for text in
        ["((s -> t) -> u) -> v", "[(f32, Simd<i8, n ^ 2>); (n - 1) * 2]", "(n: Nat, f: Nat -> Data) => f(n)"]
    {
        let tree = ty(text);
        assert_eq!(ty(&tree.to_string()), tree);
    }
}

#[test]
fn printing_what_was_not_understood_is_possible() {
    let (module, diagnostics) =
        faults("pub fn f(x: [f32]) -> { x |> } strategy s = ; compile f to rust with ;");
    assert!(!diagnostics.is_empty());
    assert!(module.to_string().contains("<error>"));
}
