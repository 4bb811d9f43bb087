//! The reference of rules and recipes, printed from the tables that the compiler itself uses.

use std::fmt::Write as _;

use super::catalog::{FAMILIES, Row, Wants, rows};
use super::elsewhere;
use super::predicate::NAMED;
use super::recipes;
use super::strategy::Recipe;

/// How a rule is called.
fn usage(row: &Row) -> String {
    let args: Vec<&str> = row
        .wants
        .iter()
        .map(|wants| match wants {
            Wants::Nat => "n",
            Wants::Pieces => "n = 32",
            Wants::Dimension => "dimension = 0",
            Wants::Space => "space = Default",
            Wants::Library => "f",
        })
        .collect();
    if args.is_empty() { row.name.to_owned() } else { format!("{}({})", row.name, args.join(", ")) }
}

fn other_names(row: &Row) -> String {
    let names: Vec<String> = row.aliases.iter().map(|alias| format!("`{alias}`")).collect();
    if names.is_empty() { String::new() } else { format!(", also {}", names.join(", ")) }
}

const HEAD: &str = "\
# Rules and recipes

A strategy takes a program to another one that computes the same, step by step: `splitJoin(32) @ 'rows ; mapPar @ 'rows.outer ; lower`. Each step is a *rule*, an equation read from left to right, or a *recipe*, a composition of rules that works on labelled loops. A rule that does not apply is a compile error that says why.

This page is printed from the tables of the compiler (`RISE_BLESS=1 cargo test --test golden`). `cargo run -p rise-build --features cli --bin rise -- rules <name>` shows one entry.

In equations `f ≫ g` is first `f`, then `g`; `T` is `transpose`; `≈` marks rules that may change the rounding of floats.

";

const COMBINATORS: &str = "\
## Putting steps together

| | |
|---|---|
| `s ; t` | `s`, then `t` |
| `s <+ t` | `t` only if `s` fails |
| `id`, `fail`, `try(s)`, `not(s)` | nothing; fails; `s` or nothing; succeeds where `s` fails and changes nothing |
| `repeat(s)`, `repeat(n, s)` | as long as `s` succeeds; at most `n` times. A repetition without end is an error that says what is repeated; why another one ended stands in the story of the rewriting (`rise show … --stage 3 --step k`, `RISE_DUMP`) |
| `s @ 'l`, `s @ ('i, 'j)`, `s @ 'a/'b` | at the places with a label; at a nest; at `'b` inside `'a` |
| `s @ outermost(p)`, `s @ innermost(p)`, `s @ p` | at the first place where the predicate `p` holds, outside in or inside out; `s @ p` is `s @ outermost(p)` |
| `s @ every(p)`, `s @ every`, `s @ everywhere` | at all places where it succeeds: where `p` holds; anywhere, once; anywhere, until nothing changes |
| `topDown bottomUp all one some body function argument argument(n) position(n)` | the traversals of ELEVATE, as places or as functions, `s @ body(argument)` like `body(argument(s))`; `argument` alone is the array that a pattern works on |
| `versions { when n < 32 => s ; t }` | one version for sizes that meet the condition; the last step, `(t ; u)` where it has several, for the others |
| `registers`, `lanes(t)` | naturals, alone or in a formula, as in `vectorize(2 * lanes(f32))`: the vector registers of the machine, and how many numbers of type `t` one of them holds. A strategy with either is run for each instruction set, where bits may differ |
| `lower` | makes every choice that is still open, sequentially |
| `auto` | optimises without help |

Children stand in one order: arguments from left to right, a function's body where the function stands, a `let`'s value before its body.

A rule that turns one labelled pattern into two names them `'l.outer` and `'l.inner`; what a peeled loop leaves over is `'l.rest`. A label names all places that carry it; a step at a label acts on each of them or fails.

";

const OWN_RULES: &str = "\
## Rules and operators of your own

```rust,ignore
rise! {
    rule fused<n: Nat, r: Data, s: Data, t: Data>(f: r -> s, g: s -> t, xs: [r; n]):
        xs |> map(f) |> map(g) => xs |> map(|x| g(f(x)));

    rule pieces<m: Nat, n: Nat, s: Data, t: Data, f: s -> t>(xs: [s; n]):
        xs |> map(f) => xs |> split(m) |> map(map(f)) |> join
        where m divides n, m > 0;
}
```

A rule speaks of naturals, types, functions and values. Both sides have one type. The left side has all values and functions of the rule; a function is read off a place where it is applied to variables that the left side binds. Naturals that the left side leaves open are arguments: `pieces(4) @ 'rows`. The `where` clause holds relations of naturals, which are proved or checked at the kernel's entry, and `associative(f)`, `commutative(f)`, `neutral(f, z)`, which hold for operators that the compiler knows, alone or component by component of a tuple, and for those that are declared to have the property; `associative(f)` holds where the left side has `reduce(f, …)`.

```rust,ignore
rise! {
    #[commutative]
    fn longer(a: f32, b: f32) -> f32 { sqrt(a * a + b * b) }

    pub fn norm<n: Nat>(xs: [f32; n]) -> f32 { xs |> 'all: reduce(longer, 0.0) }
    compile norm to rust with vectorize(16) @ 'all ; lower;
}
```

`reduce` declares its operator associative, and nothing more. `#[commutative]` above a function of two arguments of one type lets rules take elements in another order, as lanes do; the operator is known by its body, so `reduce(|a, b| longer(a, b), 0.0)` is the same. `#[associative]` is there for the condition `associative(f)` and to have it tried.

`cargo test` in your crate runs a test for each rule, `rule_fused_holds`, and for each declaration, `longer_is_commutative`: both sides are held against each other on random functions, sizes and values by the interpreter, up to the rounding of floats, which are finite there; integers overflow now and then. It runs while the tests are built, and nothing of it is in any other build.

";

/// The whole reference as Markdown.
pub fn markdown() -> String {
    let mut text = HEAD.to_owned();
    text.push_str(COMBINATORS);
    text.push_str("## Recipes\n\n| | |\n|---|---|\n");
    for recipe in recipes::ALL {
        let _ = writeln!(text, "| `{}` | {} |", recipe.usage, recipe.sentence);
    }
    text.push_str("\n## Predicates\n\n");
    let names: Vec<String> = NAMED.iter().map(|(name, _)| format!("`{name}`")).collect();
    let _ = writeln!(
        text,
        "{}, `mapNest(n)`, `isApplied(p)`, `isNot(p)`; every `isX` holds at a pattern with all its arguments.\n",
        names.join(", ")
    );
    text.push_str(OWN_RULES);
    text.push_str("## Names from elsewhere\n\nStrategies of the papers and of Shine that have no name here:\n\n| there | here |\n|---|---|\n");
    for (names, instead) in elsewhere::NAMES {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(text, "| {} | {instead} |", names.join(", "));
    }
    text.push('\n');
    let _ = writeln!(text, "## The {} rules\n", rows().count());
    for family in FAMILIES {
        let _ = writeln!(text, "### {}\n", family.title);
        for row in family.rows {
            let _ = writeln!(text, "#### `{}`{}\n", usage(row), other_names(row));
            let [before, after] = row.example;
            let _ = writeln!(
                text,
                "{}\n\n```text\n{}\n```\n```text\n  {before}\n→ {after}\n```\n",
                row.sentence, row.equation
            );
        }
    }
    format!("{}\n", text.trim_end())
}

/// One rule or recipe as plain text.
pub fn entry(name: &str) -> Option<String> {
    if let Some(recipe) = recipes::lookup(name) {
        let Recipe { usage, sentence, .. } = recipe;
        return Some(format!("{usage}\n  {sentence}\n"));
    }
    let row = super::catalog::lookup(name)?;
    let [before, after] = row.example;
    let names = other_names(row).replace('`', "");
    Some(format!(
        "{}{names}\n  {}\n\n  {}\n\n    {before}\n  → {after}\n",
        usage(row),
        row.sentence,
        row.equation
    ))
}

/// The names of all recipes and rules, with what they say, a line each.
pub fn index() -> String {
    let mut text = String::from("Recipes\n");
    for recipe in recipes::ALL {
        let _ = writeln!(text, "  {:<24} {}", recipe.name, recipe.usage);
    }
    for family in FAMILIES {
        let _ = writeln!(text, "\n{}", family.title);
        for row in family.rows {
            let _ = writeln!(text, "  {:<24} {}", usage(row), row.equation);
        }
    }
    text
}

/// The rule or recipe whose name is nearest to what was written.
pub fn nearest(name: &str) -> Option<&'static str> {
    let rows = rows().flat_map(|row| std::iter::once(&row.name).chain(row.aliases).copied());
    crate::diagnostics::suggest(name, recipes::ALL.iter().map(|recipe| recipe.name).chain(rows))
}
