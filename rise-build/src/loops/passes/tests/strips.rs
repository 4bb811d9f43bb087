//! Long loops over lanes that go through more than the cache holds.

use super::*;

/// Each element with one that lies `n` further, in `2 n` elements of which the result has half.
fn pairs() -> Test {
    let mut test = Test::new(|n| n.div(&Nat::lit(2)));
    let half = test.n.div(&Nat::lit(2));
    test.kernel.body = vec![looped(LoopKind::Vec, "i", half.clone(), |i| {
        vec![store(1, i.clone(), plus(load(0, i.clone()), load(0, i + &half)))]
    })];
    test
}

#[test]
fn what_is_read_foremost_is_asked_for_early() {
    let text = pairs().run("strip");
    // In the single vectors and in both loops for large memory; never the element that another row was ahead of.
    assert_eq!(text.matches("stream x[").count(), 6, "{text}");
    assert_eq!(text.matches("+ stream x[").count(), 6, "{text}");
}

#[test]
fn long_rows_are_written_past_the_cache_but_for_their_ends() {
    let mut test = pairs();
    let before = test.kernel.clone();
    let text = test.run("strip");
    let past: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("stream y[")).collect();
    assert_eq!(past.len(), 1, "{text}");
    assert!(past[0].contains("+ 16 *") && past[0].contains("+ 16]"), "{text}");
    // On both sides of each border: of a vector, of what is worth aligning, of the cache, and of long rows.
    for size in [31, 32, 33, 96, 510, 513, 544, 1022, 1024, 1025, 1056, 1090] {
        let args = [Data::Array((0..size).map(|i| Data::Scalar(float(i as f64 + 0.5))).collect())];
        let expected = execute(&before, &[size], &args);
        assert_eq!(execute(&test.kernel, &[size], &args), expected, "{size}\n{}", test.kernel);
    }
}

#[test]
fn what_is_read_again_stays_in_the_cache() {
    let mut test = pairs();
    let n = test.n.div(&Nat::lit(2));
    test.kernel.body.push(looped(LoopKind::Seq, "i", n, |i| {
        vec![store(1, i.clone(), plus(load(1, i.clone()), load(1, i)))]
    }));
    assert!(!test.run("strip").contains("stream"));
}
