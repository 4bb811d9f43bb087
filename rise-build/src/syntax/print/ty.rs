//! Types, kinds and kinded parameters.

use super::Printer;
use crate::syntax::ast::{KindArg, KindParam, Nat, NatKind, NatToData, Type, TypeKind};

impl Printer {
    pub(super) fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Fun(argument, result) => {
                self.data_type(argument);
                self.word(" -> ");
                self.ty(result);
            }
            TypeKind::DepFun(kinds, result) => {
                self.word("(");
                self.list(kinds, Self::kind_param);
                self.word(") => ");
                self.ty(result);
            }
            _ => self.data_type(ty),
        }
    }

    /// Function types in parentheses.
    pub(super) fn data_type(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Scalar(scalar) => self.word(scalar.name()),
            TypeKind::Array(element, length) => {
                self.word("[");
                self.ty(element);
                self.word("; ");
                self.nat(length);
                self.word("]");
            }
            TypeKind::Tuple(parts) => {
                self.word("(");
                self.list(parts, Self::ty);
                self.word(")");
            }
            TypeKind::Simd(element, width) => {
                self.word("Simd<");
                self.ty(element);
                self.word(", ");
                self.nat(width);
                self.word(">");
            }
            TypeKind::Idx(bound) => self.indexed("Idx", bound),
            TypeKind::DepArray(length, element) => self.dep_array(length, element),
            TypeKind::Name(name) => self.word(name.as_str()),
            TypeKind::Apply(name, args) => {
                self.word(name.as_str());
                self.word("(");
                self.list(args, Self::nat);
                self.word(")");
            }
            TypeKind::Fun(..) | TypeKind::DepFun(..) => self.grouped(true, |p| p.ty(ty)),
            TypeKind::Hole => self.word("_"),
            TypeKind::Error => self.word("<error>"),
        }
    }

    fn indexed(&mut self, name: &str, bound: &Nat) {
        self.word(name);
        self.word("[");
        self.nat(bound);
        self.word("]");
    }

    fn dep_array(&mut self, length: &Nat, element: &NatToData) {
        self.word("DepArray[");
        self.nat(length);
        match element {
            NatToData::Name(name) => self.word(&format!(", {name}]")),
            NatToData::Lambda(name, ty) => {
                self.word(&format!(", |{name}| "));
                self.ty(ty);
                self.word("]");
            }
        }
    }

    pub(super) fn kind_param(&mut self, param: &KindParam) {
        self.word(&format!("{}: {}", param.name, param.kind.name()));
    }

    /// `<n: Nat>`, or nothing.
    pub(super) fn kind_params(&mut self, params: &[KindParam]) {
        if !params.is_empty() {
            self.word("<");
            self.list(params, Self::kind_param);
            self.word(">");
        }
    }

    pub(super) fn kind_arg(&mut self, arg: &KindArg) {
        match arg {
            KindArg::Name(name) => self.word(name.as_str()),
            // Alone, a name would be read as one of unknown kind.
            KindArg::Nat(nat) => self.grouped(matches!(nat.kind, NatKind::Name(_)), |p| p.nat(nat)),
            KindArg::Type(ty) => self.data_type(ty),
            KindArg::Function(name, body) => {
                self.word(&format!("|{name}| "));
                self.kind_arg(body);
            }
            KindArg::Hole(_) => self.word("_"),
        }
    }
}
