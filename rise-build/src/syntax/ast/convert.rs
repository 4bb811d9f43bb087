//! Reading one form as another, once it is known which is wanted: an argument as a natural or as a type.

use super::{
    Arg, ArgValue, BinaryOp, Expr, ExprKind, Ident, LiteralValue, Nat, NatCall, NatKind, NatOp, Origin,
    Scalar, Strategy, StrategyKind, Type, TypeKind,
};

impl Expr {
    /// The expression read as a natural, with the binding of naturals (`2 * b ^ k` is `2 * (b ^ k)`).
    /// Fails with the part that cannot be one.
    pub fn to_nat(&self) -> Result<Nat, Origin> {
        let kind = match &self.kind {
            ExprKind::Name(name) => NatKind::Name(name.clone()),
            ExprKind::Literal(literal) => match (&literal.value, literal.suffix) {
                // What reads the natural says that it is too large.
                (LiteralValue::Int(value), None) => {
                    NatKind::Literal(u64::try_from(*value).unwrap_or(u64::MAX))
                }
                _ => return Err(self.origin),
            },
            ExprKind::Binary(..) => return self.flat_nat(),
            ExprKind::Call(func, args) => call_nat(func, args, self.origin)?,
            _ => return Err(self.origin),
        };
        Ok(Nat::new(kind, self.origin))
    }

    /// Regroups a chain of operators by the precedences of naturals.
    fn flat_nat(&self) -> Result<Nat, Origin> {
        let (mut operands, mut ops) = (Vec::new(), Vec::new());
        self.flatten(true, &mut operands, &mut ops)?;
        let mut operands = operands.into_iter();
        let first = operands.next().ok_or(self.origin)?;
        let mut rest = ops.into_iter().zip(operands).peekable();
        Ok(climb(first, 1, &mut rest))
    }

    fn flatten(&self, top: bool, operands: &mut Vec<Nat>, ops: &mut Vec<NatOp>) -> Result<(), Origin> {
        match &self.kind {
            ExprKind::Binary(op, at, left, right) if top || !self.parens => {
                let op = nat_op(*op).ok_or(*at)?;
                left.flatten(false, operands, ops)?;
                ops.push(op);
                right.flatten(false, operands, ops)
            }
            _ => {
                operands.push(self.to_nat()?);
                Ok(())
            }
        }
    }

    /// The expression read as a data type: `f32`, `t`, `(f32, i32)`.
    pub fn to_type(&self) -> Option<Type> {
        let kind = match &self.kind {
            ExprKind::Type(ty) => return Some(ty.clone()),
            ExprKind::Name(name) => named_type(name),
            ExprKind::Tuple(parts) => {
                TypeKind::Tuple(parts.iter().map(Expr::to_type).collect::<Option<_>>()?)
            }
            ExprKind::Repeat(element, length) => {
                TypeKind::Array(Box::new(element.to_type()?), length.clone())
            }
            _ => return None,
        };
        Some(Type::new(kind, self.origin))
    }
}

fn climb(
    mut left: Nat,
    least: u8,
    rest: &mut std::iter::Peekable<impl Iterator<Item = (NatOp, Nat)>>,
) -> Nat {
    while let Some((op, mut right)) = rest.next_if(|(op, _)| op.precedence() >= least) {
        let tighter = if op == NatOp::Pow { op.precedence() } else { op.precedence() + 1 };
        right = climb(right, tighter, rest);
        let origin = left.origin.to(right.origin);
        left = Nat::new(NatKind::Binary(op, Box::new(left), Box::new(right)), origin);
    }
    left
}

fn nat_op(op: BinaryOp) -> Option<NatOp> {
    match op {
        BinaryOp::Add => Some(NatOp::Add),
        BinaryOp::Sub => Some(NatOp::Sub),
        BinaryOp::Mul => Some(NatOp::Mul),
        BinaryOp::Div => Some(NatOp::Div),
        BinaryOp::Rem => Some(NatOp::Rem),
        BinaryOp::BitXor => Some(NatOp::Pow),
        _ => None,
    }
}

fn call_nat(func: &Expr, args: &[Expr], origin: Origin) -> Result<NatKind, Origin> {
    let ExprKind::Name(name) = &func.kind else { return Err(origin) };
    let args = args.iter().map(Expr::to_nat).collect::<Result<Vec<_>, _>>()?;
    Ok(match (NatCall::from_name(name.as_str()), args) {
        (Some(call), args) if args.len() == 2 => {
            let mut args = args.into_iter().map(Box::new);
            match (args.next(), args.next()) {
                (Some(a), Some(b)) => NatKind::Call(call, a, b),
                _ => NatKind::Error,
            }
        }
        (_, args) => NatKind::Apply(name.clone(), args),
    })
}

/// A scalar type, or a type variable.
pub(in crate::syntax) fn named_type(name: &Ident) -> TypeKind {
    match Scalar::from_name(name.as_str()) {
        Some(scalar) => TypeKind::Scalar(scalar),
        None => TypeKind::Name(name.clone()),
    }
}

impl Arg {
    /// The argument read as an expression, if it can be one.
    pub fn to_expr(&self) -> Option<Expr> {
        match &self.value {
            ArgValue::Expr(expr) => Some(expr.clone()),
            ArgValue::Strategy(strategy) => strategy.to_expr(),
            ArgValue::List(args) => {
                let parts = args.iter().map(Arg::to_expr).collect::<Option<_>>()?;
                Some(Expr::new(ExprKind::Array(parts), self.origin))
            }
            ArgValue::Labels(_) | ArgValue::Text(_) => None,
        }
    }

    /// The argument read as a natural, if it can be one.
    pub fn to_nat(&self) -> Option<Nat> {
        self.to_expr()?.to_nat().ok()
    }
}

impl Strategy {
    /// A name or a call of names read as an expression.
    pub fn to_expr(&self) -> Option<Expr> {
        match &self.kind {
            StrategyKind::Name(name) => Some(Expr::name(name.clone())),
            StrategyKind::Call(name, args) if args.iter().all(|arg| arg.name.is_none()) => {
                let args = args.iter().map(Arg::to_expr).collect::<Option<_>>()?;
                let func = Box::new(Expr::name(name.clone()));
                Some(Expr::new(ExprKind::Call(func, args), self.origin))
            }
            _ => None,
        }
    }
}
