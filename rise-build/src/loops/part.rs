//! What a store of some lanes means.

use crate::expr::Compare;
use crate::names::Name;
use crate::nat::Nat;
use crate::types::Scalar;

use super::ir::*;

impl StorePart {
    /// The same lane by lane, each by a choice.
    pub fn by_lanes(&self, scalar: Scalar) -> Block {
        let (name, lanes) = (Name::fresh("part"), self.to.lanes);
        let ty = ValueType { scalar, lanes };
        let stores = (0..lanes).map(|lane| {
            let to = Access { index: &self.to.index + i64::from(lane), lanes: 1, ..self.to.clone() };
            let value = Value::Lane(ty, lane, Box::new(Value::Var(name.clone())));
            Stmt::If(self.part.has(lane), vec![Stmt::Store(to, value)], Block::new())
        });
        let all = Stmt::Let(name.clone(), ty, self.value.clone());
        vec![Stmt::Block([all].into_iter().chain(stores).collect())]
    }
}

impl LanesPart {
    /// The bound.
    pub fn bound(&self) -> &Nat {
        let (Self::Until(bound) | Self::From(bound)) = self;
        bound
    }

    /// The bound, to be changed.
    pub fn bound_mut(&mut self) -> &mut Nat {
        let (Self::Until(bound) | Self::From(bound)) = self;
        bound
    }

    /// Whether the lane is one of them.
    fn has(&self, lane: u32) -> Value {
        match self {
            Self::Until(end) => Value::CompareNat(Compare::Lt, Nat::from(lane), end.clone()),
            Self::From(start) => Value::CompareNat(Compare::Le, start.clone(), Nat::from(lane)),
        }
    }
}
