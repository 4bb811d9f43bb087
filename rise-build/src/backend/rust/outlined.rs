//! Long branches become functions of their own: what compilers do to a function takes them more than twice as long when
//! there is twice as much of it.

use std::collections::BTreeSet;

use crate::loops::{Block, Loop, LoopKind, Stmt, walk};

use super::captured::Way;
use super::emit::{Argument, Emitter};

/// Branches of more statements are long.
const LONG: usize = 1000;

/// Whether a branch is long beside its parallel loops, which are functions anyhow, and may be a function: it has loops,
/// beside which a call takes no time, and changes nothing that is declared outside but memory.
pub fn is_long(block: &Block) -> bool {
    length(block) > LONG && has_loops(block) && changes_its_own(block)
}

/// The number of statements beside those of parallel loops.
pub fn length(block: &Block) -> usize {
    block.iter().map(|stmt| 1 + inside(stmt).into_iter().map(length).sum::<usize>()).sum()
}

/// The blocks in a statement that are part of the same function.
fn inside(stmt: &Stmt) -> Vec<&Block> {
    match stmt {
        Stmt::For(Loop { kind: LoopKind::Par, .. }) => Vec::new(),
        Stmt::For(inner) => vec![&inner.body],
        Stmt::If(_, then, otherwise) => vec![then, otherwise],
        Stmt::Block(block) => vec![block],
        _ => Vec::new(),
    }
}

/// Whether there are loops anywhere in it.
pub fn has_loops(block: &Block) -> bool {
    block.iter().any(|stmt| matches!(stmt, Stmt::For(_)) || inside(stmt).into_iter().any(has_loops))
}

fn changes_its_own(block: &Block) -> bool {
    let (mut declared, mut changed) = (BTreeSet::new(), BTreeSet::new());
    let mut exchanges = false;
    walk::stmts(block, &mut |stmt| match stmt {
        Stmt::Var(name, ..) => drop(declared.insert(name.clone())),
        Stmt::Set(name, _) => drop(changed.insert(name.clone())),
        Stmt::Swap(..) => exchanges = true,
        _ => {}
    });
    !exchanges && changed.is_subset(&declared)
}

impl Emitter<'_> {
    /// A call of the function that the branch becomes.
    pub fn outlined(&mut self, block: &Block) {
        let captured = self.captured(block, None);
        let name = self.names.fresh("branch");
        let function = self.function_of(&name, true, None, &captured, |e| e.block(block));
        self.functions.push_str(&function.text);
        let mut values: Vec<String> = self.is_shared.then(|| "share".to_owned()).into_iter().collect();
        values.extend(captured.iter().map(|(arg, way)| passed_on(arg, way)));
        self.choose("S::LEVEL", &function.instances, &values.join(", "));
    }
}

/// What is captured, as an argument: vectors lie behind pointers.
pub fn passed_on(arg: &Argument, way: &Way) -> String {
    match way {
        Way::Copy | Way::Slice(_) | Way::Pointer => arg.ident.clone(),
        Way::Vector(ty) => format!("(&raw const {}).cast::<{}>()", arg.ident, ty.scalar),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::rust;
    use crate::nat::{Nat, NatVar};
    use crate::pipeline::units;

    /// The text of a kernel for each matrix of many, and whether branches of it are functions.
    fn of_each(body: &str) -> (String, bool) {
        let source = format!(
            "pub fn kernel<b: Nat, n: Nat, m: Nat, k: Nat>(x: [[[f32; k]; n]; b], y: [[[f32; k]; m]; b])
                -> [[[f32; m]; n]; b] {{ zip(x, y) |> map(|(x, y)| {body}) }}
            compile kernel to openmp with auto;"
        );
        let mut units = units(source.parse().unwrap(), &|_| Err("no files here".into()));
        let text = rust::emit(&units.compiled.remove(0).loops, "run", "rise");
        let found = text.contains("mod branch");
        (text, found)
    }

    #[test]
    fn branches_of_many_statements_are_functions() {
        let (text, found) =
            of_each("x |> map(|x| { let z = y |> map(|y| dot(x, y)); let t = sum(z); z |> map(|z| z / t) })");
        assert!(found, "{} lines", text.lines().count());
        let (text, found) = of_each("x |> map(|x| y |> map(|y| 1.0))");
        assert!(!found, "{text}");
    }

    #[test]
    fn what_changes_outside_stays_there() {
        let name = crate::names::Name::fresh("sum");
        let zero = || crate::loops::Value::Literal(crate::expr::Literal::zero(crate::types::Scalar::F32));
        let set = || Stmt::Set(name.clone(), zero());
        let ty = crate::loops::ValueType::scalar(crate::types::Scalar::F32);
        let repeated = |stmt: &Stmt| {
            Stmt::For(Loop {
                var: NatVar::new("i"),
                count: Nat::lit(9),
                kind: LoopKind::Seq,
                body: vec![stmt.clone(); LONG],
            })
        };
        assert!(!is_long(&vec![repeated(&set())]));
        assert!(is_long(&vec![Stmt::Var(name.clone(), ty, Some(zero())), repeated(&set())]));
        assert!(!is_long(&vec![Stmt::Var(name.clone(), ty, Some(zero())); 2 * LONG]));
    }
}
