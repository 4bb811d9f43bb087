//! What is computed in the memory of a result.

use super::*;

/// `t[i] = x[i] + x[i]`, then what `between` does, then `y[i] = t[i + shift]` so often.
fn stored(between: impl FnOnce(Nat) -> Block, shift: i64, count: impl Fn(&Nat) -> Nat) -> Test {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    let t = test.buffer("t", n.clone(), Role::Heap);
    let twice = |i: Nat| vec![store(t.0, i.clone(), plus(load(0, i.clone()), load(0, i)))];
    let back = looped(LoopKind::Par, "i", count(&n), |i| vec![store(1, i.clone(), load(t.0, i + shift))]);
    test.kernel.body = vec![Stmt::Alloc(t), looped(LoopKind::Seq, "i", n.clone(), twice)];
    test.kernel.body.extend(between(n));
    test.kernel.body.push(back);
    test
}

fn run(mut test: Test) -> String {
    test.run("compute what is returned")
}

#[test]
fn what_is_copied_to_a_result_is_computed_there() {
    let text = run(stored(|_| Block::new(), 0, Nat::clone));
    assert_eq!(text, "for i in 0..n\n  y[i] = x[i] + x[i]\n");
    // Read and written again before.
    let again = |n: Nat| {
        vec![looped(LoopKind::Seq, "j", n, |j| {
            vec![store(2, j.clone(), plus(load(2, j.clone()), load(0, j)))]
        })]
    };
    let text = run(stored(again, 0, Nat::clone));
    assert!(text.ends_with("for j in 0..n\n  y[j] = y[j] + x[j]\n") && !text.contains("t["), "{text}");
}

#[test]
fn what_is_copied_otherwise_stays() {
    let changed = |n: Nat| {
        vec![looped(LoopKind::Seq, "j", n, |j| {
            vec![store(1, j.clone(), load(0, j.clone())), store(2, j.clone(), load(1, j))]
        })]
    };
    let tests = [
        // The result is used before.
        stored(changed, 0, Nat::clone),
        // A part, from elsewhere.
        stored(|_| Block::new(), 1, |n| Nat::max(n, &Nat::lit(1)) - 1),
    ];
    for mut test in tests {
        let before = test.kernel.to_string();
        // (The second leaves an element without a value.)
        test.run_for("compute what is returned", &[]);
        assert_eq!(test.kernel.to_string(), before);
    }
    let mut test = stored(|_| Block::new(), 0, Nat::clone);
    let n = test.n.clone();
    test.kernel.body.push(looped(LoopKind::Seq, "k", n, |k| vec![store(2, k.clone(), load(0, k))]));
    let text = run(test);
    assert!(text.contains("y[i] = t[i]"), "{text}");
}
