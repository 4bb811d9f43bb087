//! Gather and scatter: an index that is itself read.

use crate::dpia::imperative::Exp;
use crate::types::DataType;

use super::super::super::ir::*;
use super::super::env::Env;
use super::super::{Lowering, Path, Small, Step};
use super::pop_index;

impl Lowering {
    pub(super) fn gather(
        &mut self,
        indices: &(Exp, DataType),
        array: &Exp,
        env: &Env,
        mut path: Path,
        out: &mut Block,
    ) -> Small {
        let i = pop_index(&mut path);
        let index = self.read(&indices.0, env, vec![Step::Index(i)], out);
        let index = self.as_natural(index, out);
        path.push(Step::Index(index));
        self.read(array, env, path, out)
    }

    pub(super) fn scatter_target(&mut self, indices: &Exp, env: &Env, path: &mut Path, out: &mut Block) {
        let i = pop_index(path);
        let index = self.read(indices, env, vec![Step::Index(i)], out);
        let index = self.as_natural(index, out);
        path.push(Step::Index(index));
    }
}
