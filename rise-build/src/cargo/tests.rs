//! What is found in sources.

use super::clang::check;
use super::documentation::{code_blocks, string_value};
use super::package::target_paths;
use super::scan::{markdown, rust};

fn texts(source: &str) -> Vec<String> {
    rust(source).blocks.iter().map(ToString::to_string).collect()
}

#[test]
fn blocks_are_found_wherever_a_macro_may_be_called() {
    assert_eq!(texts("rise! { a } mod m { fn f() { let x = rise!(b); rise::rise![c]; } }"), ["a", "b", "c"]);
    assert_eq!(texts("use rise::{rise as kernels}; kernels! { a } other! { rise! { b } }"), ["a", "b"]);
    assert!(texts("fn rise() {} const X: &str = \"rise! { a }\"; // rise! { b }").is_empty());
    assert!(texts("rise! { a ").is_empty());
}

#[test]
fn examples_of_the_documentation_are_searched() {
    let source = "/// Text.\n///\n/// ```\n/// # use rise::rise;\n/// rise! { a }\n/// ```\n/// ```text\n/// rise! { b }\n/// ```\nfn f() {}\n\
                  mod m {\n    //! ```rust,no_run\n    //! # rise! { c }\n    //! ```\n}\n";
    assert_eq!(texts(source), ["a", "c"]);
    assert_eq!(markdown("~~~\nrise! { d }\n~~~\n").blocks.len(), 1);
}

#[test]
fn included_files_are_followed() {
    let found =
        rust("#![doc = include_str!(\"../README.md\")]\n#[path = \"other.rs\"] mod x; include!(\"y.rs\");");
    assert_eq!(found.texts, ["../README.md"]);
    assert_eq!(found.included, ["other.rs", "y.rs"]);
    assert_eq!(
        target_paths("[[bin]]\nname = \"a\"\npath = \"bin/a.rs\"\n[dependencies]\nb = { path = \"b\" }"),
        ["bin/a.rs"]
    );
}

#[test]
fn strings_are_read_as_rust_reads_them() {
    assert_eq!(
        string_value("\"a\\n\\u{e9}\\x41\\\\\"").as_deref(),
        Some("a\né A\\".replace(' ', "").as_str())
    );
    assert_eq!(string_value("r#\"a\"b\"#").as_deref(), Some("a\"b"));
    assert_eq!(code_blocks("````\n```\nx\n````\n"), ["```\nx\n"]);
    assert_eq!(code_blocks("```\n## x\n#[y]\n```\n"), ["# x\n#[y]\n"]);
}

#[test]
fn kernels_for_devices_are_checked_where_clang_is() {
    let folder = std::env::temp_dir().join(format!("rise-clang-{}", std::process::id()));
    let program = |text: &str| vec![("k".to_owned(), text.to_owned())];
    let fine = program("kernel void k(global float *x) { x[get_global_id(0)] = 1.0f; }\n");
    let wrong = program("kernel void k(global float *x) { x = no_such_function(); }\n");
    assert_eq!(check("clang", &fine, &folder), Ok(()));
    assert_eq!(check("/nowhere/clang", &wrong, &folder), Ok(()), "a missing clang is no error");
    let there = std::process::Command::new("clang").arg("--version").output().is_ok();
    match check("clang", &wrong, &folder) {
        Err(said) => assert!(said.contains("no_such_function"), "{said}"),
        Ok(()) => assert!(!there && std::env::var_os("RISE_TEST_ALL").is_none(), "clang has not refused it"),
    }
    std::fs::remove_dir_all(folder).expect("the folder was made here");
}

#[test]
fn a_file_that_is_not_there_ends_the_build() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let named = |file: &str| super::builder::Builder::new().file(file).readable(root);
    assert_eq!(named("src/lib.rs"), Ok(()));
    let said = named("src/nowhere.rs").expect_err("there is no such file");
    assert!(said.contains("src/nowhere.rs") && said.contains("relative to the package"), "{said}");
}
