//! Parts of different lengths: a flat index is looked up among the parts.

use crate::dpia::imperative::{Exp, View};
use crate::expr::{Compare, NatFun};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::super::super::ir::*;
use super::super::env::Env;
use super::super::{Lowering, Path, Small, Step};
use super::{array_len, layout, pop_index};

impl Lowering {
    /// `[i]` of the joined parts: nothing to look up where the parts came from one array.
    pub(super) fn dep_join(
        &mut self,
        parts: &Exp,
        ty: &DataType,
        env: &Env,
        mut path: Path,
        out: &mut Block,
    ) -> Small {
        if let Exp::View(View::Partition(..), operands) = parts {
            return self.read(&operands[0].0, env, path, out);
        }
        let i = pop_index(&mut path);
        let part = self.part_of(&i, &array_len(ty), &|part| layout::before_part(ty, part), out);
        path.extend([Step::Index(&i - &layout::before_part(ty, &part)), Step::Index(part)]);
        self.read(parts, env, path, out)
    }

    pub(super) fn partition_target(
        &mut self,
        parts: &Nat,
        lengths: &NatFun,
        env: &Env,
        path: &mut Path,
        out: &mut Block,
    ) {
        let i = pop_index(path);
        let length = env.nat(&lengths.body);
        let before = |part: &Nat| Nat::sum(&lengths.var, &Nat::lit(0), part, &length);
        let part = self.part_of(&i, parts, &before, out);
        path.extend([Step::Index(&i - &before(&part)), Step::Index(part)]);
    }

    /// The last part that begins at or before `i`: the one that holds element `i`.
    fn part_of(&mut self, i: &Nat, parts: &Nat, before: &dyn Fn(&Nat) -> Nat, out: &mut Block) -> Nat {
        let i = self.facts.simplify(i);
        let register = Name::fresh("part");
        let ty = ValueType::scalar(Scalar::U64);
        let var = NatVar::new("part");
        let begins = Value::CompareNat(Compare::Le, before(&Nat::var(&var)), i);
        let set = Stmt::Set(register.clone(), Value::FromNat(Scalar::U64, Nat::var(&var)));
        let body = vec![Stmt::If(begins, vec![set], Block::new())];
        out.push(Stmt::Var(register.clone(), ty, Some(Value::FromNat(Scalar::U64, Nat::lit(0)))));
        out.push(Stmt::For(Loop { var, count: parts.clone(), kind: LoopKind::Seq, body }));
        self.name_natural(Value::Var(register), &DataType::Idx(parts.clone()), out)
    }
}
