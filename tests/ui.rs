//! One mistake a file: the message stands under the guilty token, and nothing else is reported.
//!
//! `TRYBUILD=overwrite` writes the messages anew; read them before they are committed.

#[test]
fn mistakes_are_reported_where_they_are() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("tests/ui/*.rs");
    tests.compile_fail("tests/ui/mapping/*.rs");
}
