//! Statements.

use crate::expr::Literal;
use crate::loops::{Block, Lend, Loop, LoopKind, Stmt, Value, ValueType};
use crate::names::Name;
use crate::nat::Nat;

use super::elementary::may_stand_in;
use super::emit::Emitter;
use super::literal::literal;
use super::outlined::is_long;
use super::value::Level;
use crate::backend::nat::Tight;

/// So many registers are declared together, and fewer each for itself.
const FEW: usize = 4;

impl Emitter<'_> {
    /// Statements in order; what they declare ends with them.
    pub fn block(&mut self, block: &Block) {
        let depth = self.known.depth();
        let mut rest = &block[..];
        while let [stmt, others @ ..] = rest {
            let alike = alike(rest);
            if alike < FEW {
                self.stmt(stmt);
                rest = others;
            } else {
                self.registers_alike(&rest[..alike]);
                rest = &rest[alike..];
            }
        }
        self.known.pop_to(depth);
    }

    /// Registers that begin with the same vector, which is said once.
    fn registers_alike(&mut self, vars: &[Stmt]) {
        let start = self.names.local("start");
        let mut names = Vec::with_capacity(vars.len());
        for stmt in vars {
            let Stmt::Var(name, ty, Some(value)) = stmt else { continue };
            if names.is_empty() {
                self.assign(&format!("let {start} = "), value);
            }
            self.registers.insert(name.clone(), *ty);
            names.push(format!("mut {}", self.names.value(name)));
        }
        let starts = vec![start.as_str(); names.len()];
        self.out.line(&format!("let ({}) = ({});", names.join(", "), starts.join(", ")));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Comment(text) => text.lines().for_each(|line| self.out.comment(line)),
            Stmt::For(inner) if inner.kind == LoopKind::Par => self.parallel(inner),
            Stmt::For(inner) => self.sequential(inner),
            Stmt::Let(name, ty, value) => {
                let start = self.typed("let", name, *ty, is_said_by(value));
                self.assign(&start, value);
            }
            Stmt::LetNat(var, value) => {
                let ident = self.names.nat(var);
                self.out.begin();
                match value {
                    // Made of others, whose type it has.
                    Value::Nat(nat) | Value::Apart(nat) if nat.as_const().is_none() => {
                        self.out.put(&format!("let {ident} = "));
                    }
                    Value::ToLine(..) => self.out.put(&format!("let {ident} = ")),
                    _ => self.out.put(&format!("let {ident}: usize = ")),
                }
                match value {
                    Value::Nat(nat) => self.nat(nat, Tight::Not),
                    value => self.nat_value(value, Level::Any),
                }
                self.out.end(";");
                self.known.define(var, value);
            }
            Stmt::Var(name, ty, value) => {
                let start = self.typed("let mut", name, *ty, value.as_ref().is_none_or(is_said_by));
                match value {
                    Some(value) => self.assign(&start, value),
                    None => self.zero(&start, *ty),
                }
            }
            Stmt::Set(name, value) => {
                let ident = self.names.value(name);
                self.assign(&format!("{ident} = "), value);
            }
            Stmt::Store(access, value) => {
                self.out.begin();
                self.store(access, value);
                self.out.end("");
            }
            Stmt::Alloc(id) => self.declare(*id),
            Stmt::If(condition, then, otherwise) => self.branch(condition, then, otherwise),
            Stmt::Block(block) => {
                self.out.open("{");
                self.block(block);
                self.out.close("}");
            }
            // The CPU has one memory and no groups.
            Stmt::Barrier { .. } => {}
            Stmt::Product(product) => self.product(product),
            Stmt::Transpose(transpose) => self.transpose(transpose),
            Stmt::StorePart(store) => self.store_part(store),
            Stmt::Ask(access, cache) => self.ask(access, *cache),
            Stmt::Lend(lend) => self.lend(lend),
            Stmt::Swap(a, b) => {
                let (a, b) = (self.pointer_name(*a), self.pointer_name(*b));
                self.out.line(&format!("::core::mem::swap(&mut {a}, &mut {b});"));
            }
        }
    }

    /// What lies behind the copied rows need not be memory where there are none.
    fn lend(&mut self, lend: &Lend) {
        let [rows, copy, from] = [lend.rows, lend.copy, lend.from.buffer].map(|id| self.pointer_name(id));
        self.out.begin();
        self.out.put(&format!("let {rows} = if "));
        self.value(&lend.is_copy, Level::Any);
        self.out.put(&format!(" {{ {copy} }} else {{ {from}.wrapping_add("));
        self.nat(&lend.from.index, Tight::Not);
        self.out.end(").cast_mut() };");
    }

    /// The beginning of a declaration, with the type of a register unless that `is_said` by what it begins with.
    fn typed(&mut self, keyword: &str, name: &Name, ty: ValueType, is_said: bool) -> String {
        self.registers.insert(name.clone(), ty);
        let ident = self.names.value(name);
        match ty.lanes > 1 && is_said {
            true => format!("{keyword} {ident} = "),
            false => format!("{keyword} {ident}: {} = ", self.register(ty)),
        }
    }

    fn assign(&mut self, start: &str, value: &Value) {
        self.out.begin();
        self.out.put(start);
        self.value(value, Level::Any);
        self.out.end(";");
    }

    /// Rust wants every register to have a value; this one is never read.
    fn zero(&mut self, start: &str, ty: ValueType) {
        let zero = literal(Literal::zero(ty.scalar));
        let zero = if ty.lanes == 1 { zero } else { format!("{}::splat({zero})", self.vector(ty)) };
        self.out.line(&format!("{start}{zero};"));
    }

    fn branch(&mut self, condition: &Value, then: &Block, otherwise: &Block) {
        let outside = self.large.clone();
        if let Value::Large(bytes) | Value::Past(bytes) = condition {
            // At the end of the function only the program's sizes are in scope.
            let sizes = &self.kernel.nats;
            self.large = bytes.vars().iter().all(|var| sizes.contains(var)).then(|| bytes.clone());
        }
        self.only_if(condition, |e| {
            e.known_where(condition, true, then);
            e.large = outside;
            if !otherwise.is_empty() {
                e.out.reopen("} else {");
                e.known_where(condition, false, otherwise);
            }
        });
    }

    /// What is written by the function runs where the condition holds.
    pub fn only_if(&mut self, condition: &Value, inside: impl FnOnce(&mut Self)) {
        self.out.begin();
        self.out.put("if ");
        self.value(condition, Level::Any);
        self.out.end_open(" {");
        inside(self);
        self.out.close("}");
    }

    /// A block in which a condition holds, or does not.
    fn known_where(&mut self, condition: &Value, holds: bool, block: &Block) {
        let depth = self.known.depth();
        self.known.assume(condition, holds);
        match is_long(block) {
            true => self.outlined(block),
            false => self.block(block),
        }
        self.known.pop_to(depth);
    }

    fn sequential(&mut self, inner: &Loop) {
        let ident = self.names.nat(&inner.var);
        let end = self.operand(&format!("{ident}_end"), &inner.count);
        // The end says which type it is, unless that is a literal, too.
        let ty = if inner.count.as_const().is_some() { "usize" } else { "" };
        self.out.line(&format!("let mut {ident} = 0{ty};"));
        self.out.open(&format!("while {ident} < {end} {{"));
        self.iteration(inner);
        self.out.line(&format!("{ident} += 1;"));
        self.out.close("}");
    }

    /// The body of a loop with its variable in scope.
    pub fn iteration(&mut self, inner: &Loop) {
        let depth = self.known.depth();
        self.known.push(&inner.var, Some(&inner.count));
        let outside = std::mem::replace(&mut self.formulas.in_place, may_stand_in(inner));
        self.loops += 1;
        self.block(&inner.body);
        self.loops -= 1;
        self.formulas.in_place = outside;
        self.known.pop_to(depth);
    }

    /// A natural as an operand; one that is not at hand is computed before, under this name.
    pub fn operand(&mut self, name: &str, nat: &Nat) -> String {
        if let Some(value) = nat.as_const() {
            return value.to_string();
        }
        if let Some(var) = nat.as_var() {
            return self.names.nat(var);
        }
        let ident = self.names.local(name);
        self.out.begin();
        self.out.put(&format!("let {ident} = "));
        self.nat(nat, Tight::Not);
        self.out.end(";");
        ident
    }
}

/// How many statements, from the first on, are registers that begin with the same vector of one literal.
fn alike(stmts: &[Stmt]) -> usize {
    let start = |stmt: &Stmt| match stmt {
        Stmt::Var(_, ty, Some(value @ Value::Broadcast(_, number)))
            if matches!(**number, Value::Literal(_)) =>
        {
            Some((*ty, value.clone()))
        }
        _ => None,
    };
    let Some(first) = stmts.first().and_then(start) else { return 0 };
    stmts.iter().take_while(|stmt| start(stmt).as_ref() == Some(&first)).count()
}

/// Whether a vector's text begins with its type.
fn is_said_by(value: &Value) -> bool {
    matches!(value, Value::Load(_) | Value::Gather(..) | Value::Broadcast(..))
}
