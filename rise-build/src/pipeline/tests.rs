//! Long and deep programs: each is compiled or refused with a message, in the stack that rustc gives a macro.

use proc_macro2::{TokenStream, TokenTree};

use super::{Options, Output, compile};

/// What rustc runs macros in, less what rustc itself may have used.
const STACK: usize = 7 << 20;

fn compiled(text: String) -> Output {
    let load = |path: &str| Err(format!("{path}: there are no files"));
    compile(text.parse().expect("Rust tokens"), &Options::new(&load))
}

/// The messages, each to its first line's end; none where the program is compiled.
fn messages(text: String) -> Vec<String> {
    let run = move || {
        let output = compiled(text);
        let tokens = output.tokens.to_string();
        let errors = tokens.split("compile_error").skip(1);
        let errors = errors.map(|error| error.split('"').nth(1).unwrap_or_default().to_owned());
        if output.failed { errors.collect() } else { Vec::new() }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread starts");
    thread.join().expect("the compiler does not panic")
}

fn kernel(body: &str, strategy: &str) -> String {
    format!(
        "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] where 1 <= n {{ {body} }} compile f to rust with {strategy};"
    )
}

fn pipe(stage: &str, count: usize) -> String {
    format!("x{}", format!(" |> {stage}").repeat(count))
}

/// Each helper calls the one before it, inside operators.
fn helpers(count: usize) -> String {
    let calls =
        (1..=count).map(|at| format!("fn h{at}(x: f32) -> f32 {{ ((h{}(x) + 1.0) * 2.0 - 1.0) }} ", at - 1));
    format!("fn h0(x: f32) -> f32 {{ x }} {}", calls.collect::<String>())
}

#[test]
fn long_programs_are_compiled() {
    for strategy in ["lower", "auto"] {
        for body in [
            pipe("map(|x| x + 1.0)", 300),
            pipe("padClamp(1, 1) |> drop(1) |> take(n)", 60),
            pipe("padClamp(1, 1) |> slide(3, 1) |> map(|w| w[0] + w[2])", 12),
            pipe("map(|x| if x < 1.0 { x * 2.0 } else { x + 1.0 })", 100),
            format!("x |> map(|x| {})", pipe("(|x| if x < 1.0 { x * x } else { x + x })", 100)),
            format!("x |> map(|x| {{ {} x }})", "let x = x * x; ".repeat(250)),
            format!("x |> map(|x| x{})", " + x".repeat(300)),
            format!("x |> map(|x| {}x{})", "(1.0 + ".repeat(50), ")".repeat(50)),
        ] {
            let found = messages(kernel(&body, strategy));
            assert!(found.is_empty(), "{strategy}: {found:?}\n{body}");
        }
    }
    let twice = "fn h<n: Nat>(x: [f32; n]) -> [f32; n + n % 3] { generate(|i| i as f32) } ";
    let text = format!("{twice} pub fn f<n: Nat>(x: [f32; n]) -> f32 {{ {} |> sum }}", pipe("h", 40));
    assert_eq!(messages(text), [""; 0]);
    assert_eq!(messages(helpers(60) + &kernel("x |> map(h60)", "auto")), [""; 0]);
}

#[test]
fn deep_programs_are_refused() {
    let parens = |count: usize| format!("{}x{}", "(1.0 + ".repeat(count), ")".repeat(count));
    let chains = (0..40).fold("x".to_owned(), |inner, _| format!("({inner}{})", " + x".repeat(100)));
    let calls = (0..1000).fold("x".to_owned(), |inner, _| format!("map(|x| x + 1.0)({inner})"));
    let sizes = (0..60).fold("n".to_owned(), |inner, _| format!("max({inner} / 2 + 1, n)"));
    for text in [
        kernel(&format!("x |> map(|x| {})", parens(1000)), "auto"),
        kernel(&format!("x |> map(|x| {chains})"), "auto"),
        kernel(&calls, "auto"),
        kernel(&pipe("map(|x| x + 1.0)", 1000), "auto"),
        helpers(1000) + &kernel("x |> map(h1000)", "auto"),
        kernel(&format!("x |> map(|x| {})", "if x < 1.0 { 1.0 } else ".repeat(500) + "{ x }"), "auto"),
        kernel(&format!("x |> map(|x| {}x)", "-".repeat(1000)), "auto"),
        format!("pub fn f<n: Nat>(x: [f32; n]) -> [f32; {sizes}{sizes}] {{ x }}"),
        kernel("x |> map(|x| (|g| g(g))(|g| g(g)))", "auto"),
    ] {
        let found = messages(text.clone());
        assert!(!found.is_empty(), "{}", &text[..200.min(text.len())]);
        assert!(found.iter().all(|message| !message.contains("bug")), "{found:?}");
    }
}

/// The loops of a program.
fn loops(text: &str) -> String {
    let load = |path: &str| Err(format!("{path}: there are no files"));
    let options = Options { dump: true, ..Options::new(&load) };
    let (dumps, wrong) = super::explain(text.parse().expect("Rust tokens"), &options, "test", text);
    assert_eq!(wrong, "");
    let files = dumps.iter().flat_map(|dump| &dump.files);
    files.filter(|(name, _)| name == "6-loops.txt").map(|(_, text)| text.as_str()).collect()
}

#[test]
fn nested_choices_stay_vectors() {
    let program = |count: usize| {
        let nest = (0..count).fold("x".to_owned(), |nest, at| match at % 3 {
            0 => format!("if x < {at}.0 {{ x * {at}.5 }} else {{ {nest} }}"),
            1 => format!("if x > {at}.0 {{ {nest} }} else {{ x + {at}.5 }}"),
            _ => format!("{{ let y = x - {at}.0; if y < 1.0 {{ y * y }} else {{ {nest} }} }}"),
        });
        loops(&format!("pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {{ x |> map(|x| {nest}) }}"))
    };
    for count in [5, 20, 40] {
        let loops = program(count);
        assert!(!loops.contains(".lane("), "{count}\n{loops}");
        let lines = loops.lines().count();
        assert!(lines < 50 + 20 * count, "{count}: {lines}");
    }
}

#[test]
fn loops_of_a_choice_run_where_they_are_chosen() {
    let text = loops(
        "pub fn f<n: Nat, m: Nat>(c: bool, x: [[f32; m]; n]) -> f32 {
            (if c { x |> map(sum) } else { x |> map(reduce(max, 0.0)) }) |> reduceSeq(add, 0.0)
        }
        compile f to rust with lower;",
    );
    assert!(text.contains("if c\n") && !text.contains("select("), "{text}");
}

#[test]
fn what_opencl_needs_is_asked_for_at_the_target() {
    fn columns(tokens: TokenStream, name: &str, found: &mut Vec<usize>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => columns(group.stream(), name, found),
                TokenTree::Ident(ident) if ident == name => found.push(ident.span().start().column),
                _ => {}
            }
        }
    }
    let text = "pub fn f(x: f32) -> f32 { x } compile f to opencl with auto as gpu;";
    let mut found = Vec::new();
    columns(compiled(text.into()).tokens, "__opencl", &mut found);
    assert_eq!(found, [text.find("opencl").expect("a target")]);
}

#[test]
fn functions_beside_kernels_have_their_names_alone() {
    let kernel = |name: &str| format!("pub fn {name}(x: [f32; 4]) -> [f32; 4] {{ x |> map(|v| v + 1.0) }} ");
    let wrong = |more: &str| messages(kernel("f") + more);
    for (more, name) in [
        (kernel("f_into"), "f_into"),
        (kernel("f_variant"), "f_variant"),
        ("compile f to rust with lower as f_into;".to_owned(), "f_into"),
        ("compile f to opencl as g; compile f to rust as g_on;".to_owned(), "g_on"),
    ] {
        let found = wrong(&more);
        let makes = format!("makes a function `{name}` as well");
        assert!(found.len() == 1 && found[0].contains(&makes), "{more}: {found:?}");
    }
    for more in [kernel("f_on"), kernel("f_into_"), kernel("into"), kernel("g_into")] {
        assert!(wrong(&more).is_empty(), "{more}: {:?}", wrong(&more));
    }
}

#[test]
fn what_is_wrong_without_a_strategy_is_told_in_the_programs_names() {
    for strategy in ["auto", "lower", "id ; lower"] {
        let text = kernel("x |> mapSeq(|v| v + 1.0) |> mapSeq(|v| v * 2.0)", strategy);
        let found = messages(text);
        assert!(
            found.len() == 1 && found[0].starts_with("`mapSeq` has to be written to memory"),
            "{found:?}"
        );
    }
}

#[test]
fn stages_with_borders_grow_linearly() {
    let loops_of = |stages: usize| {
        let one =
            "|> padClamp(1, 1) |> slide(3, 1) |> map(|w| if w[0] < w[1] { w[1] - w[2] } else { w[2] + 1.0 })";
        let text = loops(&format!(
            "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] where n >= 1 {{ x {} }}",
            one.repeat(stages)
        ));
        text.lines().filter(|line| line.trim_start().starts_with("for ")).count()
    };
    let (two, four, six) = (loops_of(2), loops_of(4), loops_of(6));
    assert_eq!(six - four, four - two);
    // All blocks between, the first one, the last one, and what fills none: vectors, and what is too short for them.
    assert!(four - two <= 16, "{two} {four} {six}");
}
