//! Types and kinds.

use proc_macro2::Delimiter;

use super::parser::{Parsed, Parser};
use crate::syntax::ast::{
    Ident, Kind, KindArg, KindParam, Nat, NatKind, NatToData, Scalar, Type, TypeKind, named_type,
};
use crate::syntax::token::TokenKind;

impl Parser {
    /// A type, function types included.
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.deeper(Self::function_type)
    }

    fn function_type(&mut self) -> Parsed<Type> {
        let start = self.mark();
        if self.is_open(0, Delimiter::Parenthesis) && self.group_names_components() {
            self.inside(|p| p.skip_until(|_| false));
            let help = "write the types alone, `(f32, f32)`: components are `.0`, `.1`";
            return Err(self.wrong(start, "components of a tuple have no names", help));
        }
        if self.is_open(0, Delimiter::Parenthesis) && self.group_declares_kind() {
            let kinds = self.inside(|p| p.comma_list(Self::kind_param, broken_kind));
            if !(self.eat_op("=>") || self.eat_op("->")) {
                return Err(self.expected("`=>` and the type that depends on it"));
            }
            let result = Box::new(self.ty()?);
            return Ok(Type::new(TypeKind::DepFun(kinds, result), self.origin(start)));
        }
        if self.is_word(0, "impl") && (self.is_word(1, "Fn") || self.is_word(1, "FnMut")) {
            self.bump();
        }
        if (self.is_word(0, "fn") || self.is_word(0, "Fn")) && self.is_open(1, Delimiter::Parenthesis) {
            return self.rust_function_type();
        }
        let argument = self.data_type()?;
        if !self.eat_op("->") {
            return Ok(argument);
        }
        let result = self.ty()?;
        Ok(Type::new(TypeKind::Fun(Box::new(argument), Box::new(result)), self.origin(start)))
    }

    /// Whether the group that opens here holds `n: Nat`.
    fn group_declares_kind(&self) -> bool {
        self.is_ident(1) && self.is_char(2, ':') && self.op(2) == ":"
    }

    /// Whether the group that opens here holds `x: f32`, as a tuple of other languages.
    fn group_names_components(&self) -> bool {
        let is_type = Scalar::from_name(self.text(3)).is_some() || self.is_open(3, Delimiter::Bracket);
        self.group_declares_kind() && is_type
    }

    /// `fn(r, s) -> t`
    fn rust_function_type(&mut self) -> Parsed<Type> {
        let start = self.mark();
        self.bump();
        let args = self.inside(|p| p.comma_list(Self::ty, Type::error));
        self.need_op("->")?;
        let mut result = self.ty()?;
        for arg in args.into_iter().rev() {
            result = Type::new(TypeKind::Fun(Box::new(arg), Box::new(result)), self.origin(start));
        }
        Ok(result)
    }

    /// A type that is no function type, unless it stands in parentheses.
    pub(super) fn data_type(&mut self) -> Parsed<Type> {
        self.deeper(|p| {
            let start = p.mark();
            if p.at_dotted_array() {
                return p.dotted_array();
            }
            let kind = if p.is_open(0, Delimiter::Bracket) {
                p.bracket_type()?
            } else if p.is_open(0, Delimiter::Parenthesis) {
                p.tuple_type()?
            } else if p.eat_word("_") {
                TypeKind::Hole
            } else if p.is_ident(0) {
                p.named_type()?
            } else {
                return Err(p.no_type());
            };
            let ty = Type::new(kind, p.origin(start));
            Ok(if p.is_open(0, Delimiter::Bracket) { p.lengths_behind(start, ty) } else { ty })
        })
    }

    /// `f32[n][m]` and `[f32; n][m]`, as C and others write them. It is told of once, and read as it is meant.
    fn lengths_behind(&mut self, start: usize, first: Type) -> Type {
        let (mut element, mut lengths) = (first, Vec::new());
        if let TypeKind::Array(inner, length) = element.kind {
            (element, lengths) = (*inner, vec![length]);
        }
        while self.is_open(0, Delimiter::Bracket) {
            lengths.push(self.inside(|p| p.or_skip(Self::nat, Nat::error, |_| false)));
        }
        self.rows_inside(start, element, lengths)
    }

    /// An array of arrays whose lengths stand side by side.
    fn rows_inside(&mut self, start: usize, element: Type, lengths: Vec<Nat>) -> Type {
        let ty = self.nested(start, element, lengths);
        self.wrong(
            start,
            "the type of the elements stands inside the brackets, with one length",
            &format!("write `{ty}`"),
        );
        ty
    }

    /// Arrays of these lengths, the outermost first.
    fn nested(&self, start: usize, element: Type, lengths: Vec<Nat>) -> Type {
        lengths.into_iter().rev().fold(element, |element, length| {
            Type::new(TypeKind::Array(Box::new(element), length), self.origin(start))
        })
    }

    fn no_type(&mut self) -> super::parser::Reported {
        if self.is_char(0, '&') {
            let help = match self.is_word(1, "mut") {
                true => "what a kernel computes is its result: `-> [f32; n]`",
                false => {
                    "write the plain type, `[f32; n]`: the Rust function borrows what it reads by itself"
                }
            };
            return self.expected_help("a type", help);
        }
        self.expected("a type")
    }

    /// `N.M.f32`: a natural and a dot.
    fn at_dotted_array(&self) -> bool {
        let behind = match self.kind(0) {
            _ if self.is_open(0, Delimiter::Parenthesis) => self.behind_group(0),
            _ if self.is_ident(0) && self.is_open(1, Delimiter::Parenthesis) => self.behind_group(1),
            _ if self.is_ident(0) || self.text(0).starts_with(|ch: char| ch.is_ascii_digit()) => 1,
            _ => return false,
        };
        self.op(behind) == "."
    }

    fn dotted_array(&mut self) -> Parsed<Type> {
        let start = self.mark();
        let length = self.nat_atom()?;
        self.bump();
        let element = Box::new(self.data_type()?);
        Ok(Type::new(TypeKind::Array(element, length), self.origin(start)))
    }

    /// `[t; n]`
    fn bracket_type(&mut self) -> Parsed<TypeKind> {
        if self.has_length_first() {
            return self.length_first();
        }
        let start = self.mark();
        let (element, lengths) = self.inside(|p| {
            let element = p.or_skip(Self::ty, Type::error, |p| p.is_char(0, ';'));
            let comma = p.is_char(0, ',') && Scalar::from_name(p.text(1)).is_none();
            if !p.at_end() && !p.is_char(0, ';') {
                p.expected_help("`;` and the length of the array", &format!("write `[{element}; n]`"));
                if !comma {
                    p.skip_until(|_| false);
                    return (element, vec![Nat::error(p.here())]);
                }
            }
            let ends = p.eat_char(';') || comma && p.eat_char(',');
            (element, if ends { p.lengths_inside() } else { Vec::new() })
        });
        if lengths.len() > 1 {
            return Ok(self.rows_inside(start, element, lengths).kind);
        }
        let length = lengths.into_iter().next().unwrap_or_else(|| {
            let help = "write `[f32; n]`, with `n` a natural, as in `<n: Nat>`";
            self.wrong(start, "an array type tells its length", help);
            Nat::error(self.origin(start))
        });
        Ok(TypeKind::Array(Box::new(element), length))
    }

    /// The length of an array, or wrongly several: `n, m`, `n; m`.
    fn lengths_inside(&mut self) -> Vec<Nat> {
        let another = |p: &Self| p.is_char(0, ',') || p.is_char(0, ';');
        let mut lengths = vec![self.or_skip(Self::nat, Nat::error, another)];
        while another(self) && self.kind(1) != TokenKind::End {
            self.bump();
            lengths.push(self.or_skip(Self::nat, Nat::error, another));
        }
        lengths
    }

    /// Whether an element type stands behind the brackets, as in `[n]f32`.
    fn has_length_first(&self) -> bool {
        let behind = self.behind_group(0);
        let is_array = (1..behind).any(|ahead| self.is_char(ahead, ';'));
        !is_array && self.is_open(behind, Delimiter::Bracket)
            || Scalar::from_name(self.text(behind)).is_some()
    }

    /// `[n][m]f32`, which other languages write. It is told of once, and read as it is meant.
    fn length_first(&mut self) -> Parsed<TypeKind> {
        let start = self.mark();
        let mut lengths = Vec::new();
        while self.is_open(0, Delimiter::Bracket) && self.has_length_first() {
            lengths.push(self.inside(|p| p.or_skip(Self::nat, Nat::error, |_| false)));
        }
        let element = self.data_type()?;
        let ty = self.nested(start, element, lengths);
        self.wrong(start, "the length of an array stands behind its elements", &format!("write `{ty}`"));
        Ok(ty.kind)
    }

    /// Reads, or puts an error node and goes on where `stop` says.
    fn or_skip<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
        broken: impl FnOnce(crate::diagnostics::Origin) -> T,
        stop: impl Fn(&Self) -> bool,
    ) -> T {
        let start = self.mark();
        read(self).unwrap_or_else(|_| {
            self.skip_until(stop);
            broken(self.origin(start))
        })
    }

    /// `(s, t)`, `(t)`
    fn tuple_type(&mut self) -> Parsed<TypeKind> {
        let start = self.mark();
        let mut parts = self.inside(|p| p.comma_list(Self::ty, Type::error));
        match (parts.len(), parts.pop()) {
            (1, Some(only)) => Ok(only.kind),
            (_, Some(last)) => {
                parts.push(last);
                Ok(TypeKind::Tuple(parts))
            }
            _ => Err(self.wrong(start, "RISE has no unit type", "a kernel gives a value")),
        }
    }

    fn named_type(&mut self) -> Parsed<TypeKind> {
        let start = self.mark();
        let name = self.ident("a type")?;
        match name.as_str() {
            "Array" => self.array_type(start),
            "Tuple" => {
                let parts = self.type_args(start, Self::comma_types)?;
                Ok(TypeKind::Tuple(parts))
            }
            "Simd" | "Vec" if self.is_char(0, '<') || self.is_open(0, Delimiter::Bracket) => {
                self.simd_type(start, &name)
            }
            "Idx" => Ok(TypeKind::Idx(self.type_args(start, Self::nat)?)),
            "DepArray" => self.dep_array_type(start),
            "usize" | "isize" => {
                let help = "an index is an `Idx[n]`; sizes are naturals, declared as `<n: Nat>`";
                Err(self.wrong(start, &format!("RISE has no type `{name}`"), help))
            }
            "i128" | "u128" | "f16" | "bf16" | "f128" | "char" | "str" | "String" | "Vec" => {
                Err(self.wrong(start, &format!("RISE has no type `{name}`"), Scalar::THERE_ARE))
            }
            _ if self.op(0) == "::" => {
                self.skip_until(|p| !p.is_ident(0) && p.op(0) != "::" && !p.is_char(0, ':'));
                if self.is_char(0, '<') {
                    self.angle_group();
                }
                let help = "arrays are `[f32; n]`, tuples `(f32, f32)`";
                Err(self.wrong(start, "RISE has no types with paths", help))
            }
            _ if self.is_open(0, Delimiter::Parenthesis) => {
                let args = self.inside(|p| p.comma_list(Self::nat, Nat::error));
                Ok(TypeKind::Apply(name, args))
            }
            _ if self.is_char(0, '<') && self.op(0) == "<" && Scalar::from_name(name.as_str()).is_none() => {
                self.angle_group();
                Err(self.wrong(
                    start,
                    &format!("RISE has no generic type `{name}<…>`"),
                    "arrays are `[f32; n]`, vectors `Simd<f32, 4>`",
                ))
            }
            _ => Ok(named_type(&name)),
        }
    }

    /// Arguments of a type in `[ ]` or `< >`.
    fn type_args<T>(&mut self, start: usize, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.is_open(0, Delimiter::Bracket) {
            return self.inside(|p| {
                let args = read(p);
                if args.is_err() {
                    p.skip_until(|_| false);
                }
                args
            });
        }
        if !self.eat_char('<') {
            let written = ["Array[n, t]", "Tuple[s, t]", "Idx[n]", "Simd<t, n>", "DepArray[n, |i| t]"];
            let name = self.passed();
            let help =
                written.iter().find(|text| text.starts_with(name)).map(|text| format!("write `{text}`"));
            self.wrong(start, "this type wants arguments", &help.unwrap_or_default());
            return Err(super::parser::Reported);
        }
        let args = read(self);
        if args.is_err() {
            self.skip_until(|p| p.is_char(0, '>'));
        }
        if !self.eat_char('>') {
            return Err(self.expected("`>`"));
        }
        args
    }

    fn comma_types(&mut self) -> Parsed<Vec<Type>> {
        let mut parts = vec![self.ty()?];
        while self.eat_char(',') && !self.at_end() && !self.is_char(0, '>') {
            parts.push(self.ty()?);
        }
        if parts.len() < 2 {
            return Err(self.expected("`,` and the type of the second component"));
        }
        Ok(parts)
    }

    /// `Array[n, t]`
    fn array_type(&mut self, start: usize) -> Parsed<TypeKind> {
        self.type_args(start, |p| {
            if Scalar::from_name(p.text(0)).is_some() && p.op(1) == "," {
                return Err(
                    p.expected_help("the length of the array", "the length stands first: `Array[n, f32]`")
                );
            }
            let length = p.nat()?;
            p.need_op(",")?;
            Ok(TypeKind::Array(Box::new(p.ty()?), length))
        })
    }

    /// `Simd<t, n>`
    fn simd_type(&mut self, start: usize, name: &Ident) -> Parsed<TypeKind> {
        if name.as_str() == "Vec" {
            self.angle_group();
            return Err(self.wrong(
                start,
                "RISE has no type `Vec`",
                "write `[f32; n]`, with `n` a natural, as in `<n: Nat>`",
            ));
        }
        self.type_args(start, |p| {
            let element = p.ty()?;
            p.need_op(",")?;
            Ok(TypeKind::Simd(Box::new(element), p.nat()?))
        })
    }

    /// `DepArray[n, |i| t]`, `DepArray[n, g]`
    fn dep_array_type(&mut self, start: usize) -> Parsed<TypeKind> {
        self.type_args(start, |p| {
            let length = p.nat()?;
            p.need_op(",")?;
            if !p.eat_char('|') {
                return Ok(TypeKind::DepArray(length, NatToData::Name(p.ident("`|i|` and a type")?)));
            }
            let name = p.ident("the variable that stands for the position")?;
            if !p.eat_char('|') {
                return Err(p.expected("`|`"));
            }
            Ok(TypeKind::DepArray(length, NatToData::Lambda(name, Box::new(p.ty()?))))
        })
    }

    /// Passes a balanced `<…>`.
    pub(super) fn angle_group(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            if self.is_char(0, '<') {
                depth += 1;
            } else if self.op(0) == "->" || self.op(0) == "=>" {
                self.bump();
            } else if self.is_char(0, '>') {
                depth = depth.saturating_sub(1);
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    // Kinds.

    /// Whether a kind is written there.
    pub(super) fn at_kind(&self, ahead: usize) -> bool {
        self.is_ident(ahead) && kind_named(self.text(ahead)).is_some()
    }

    /// `Nat`, `Data`, `AddrSpace`, `Nat -> Nat`, `Nat -> Data`
    pub(super) fn kind_of_param(&mut self) -> Parsed<Kind> {
        let start = self.mark();
        let Some(kind) = kind_named(self.text(0)).filter(|_| self.is_ident(0)) else {
            let help = match self.text(0) {
                "usize" | "u32" | "u64" | "i32" | "i64" | "int" => "sizes are naturals: write `Nat`",
                _ => "kinds are `Nat`, `Data`, `AddrSpace`, `Nat -> Nat` and `Nat -> Data`",
            };
            return Err(self.expected_help("a kind", help));
        };
        self.bump();
        if kind != Kind::Nat || !self.eat_op("->") {
            return Ok(kind);
        }
        match kind_named(self.text(0)) {
            Some(Kind::Nat) => {
                self.bump();
                Ok(Kind::NatToNat)
            }
            Some(Kind::Data) => {
                self.bump();
                Ok(Kind::NatToData)
            }
            _ => {
                self.bump();
                Err(self.wrong(
                    start,
                    "a function of naturals gives a natural or a data type",
                    "write `Nat -> Nat` or `Nat -> Data`",
                ))
            }
        }
    }

    /// `n: Nat`
    pub(super) fn kind_param(&mut self) -> Parsed<KindParam> {
        let name = self.ident("the name of a natural, data type or address space")?;
        if !self.eat_op(":") {
            return Err(self.expected_help("`:` and a kind", &format!("write `{name}: Nat`")));
        }
        let kind = self.kind_of_param().unwrap_or_else(|_| {
            self.skip_until(|p| p.is_char(0, ',') || p.op(0) == "=>");
            Kind::Nat
        });
        Ok(KindParam { name, kind })
    }

    /// An argument of `f::<…>`.
    pub(super) fn kind_arg(&mut self) -> Parsed<KindArg> {
        let start = self.mark();
        if self.eat_word("_") {
            return Ok(KindArg::Hole(self.origin(start)));
        }
        if self.eat_char('|') {
            let name = self.ident("a name for the natural")?;
            if !self.eat_char('|') {
                return Err(self.expected("`|`"));
            }
            return Ok(KindArg::Function(name, Box::new(self.kind_arg()?)));
        }
        let bare = self.is_ident(0) && (self.is_char(1, ',') || self.is_char(1, '>'));
        if bare && Scalar::from_name(self.text(0)).is_none() {
            return Ok(KindArg::Name(self.ident("an argument")?));
        }
        let known = ["Array", "Tuple", "Simd", "Idx", "DepArray"].contains(&self.text(0));
        if known
            || self.at_dotted_array()
            || self.is_open(0, Delimiter::Bracket)
            || Scalar::from_name(self.text(0)).is_some()
        {
            return Ok(KindArg::Type(self.data_type()?));
        }
        if self.is_open(0, Delimiter::Parenthesis) && self.tuple_at(0) {
            return Ok(KindArg::Type(self.data_type()?));
        }
        Ok(KindArg::Nat(self.nat()?))
    }
}

/// What stands for a kinded parameter that could not be read.
pub(super) fn broken_kind(origin: crate::diagnostics::Origin) -> KindParam {
    KindParam { name: Ident::new("_", origin), kind: Kind::Nat }
}

fn kind_named(name: &str) -> Option<Kind> {
    match name {
        "Nat" => Some(Kind::Nat),
        "Data" | "DataType" => Some(Kind::Data),
        "AddrSpace" | "AddrSp" => Some(Kind::AddrSpace),
        _ => None,
    }
}

/// Naturals that occur in a type, from left to right, bound ones left out.
pub(super) fn free_nats(ty: &Type, bound: &mut Vec<Ident>, found: &mut Vec<Ident>) {
    match &ty.kind {
        TypeKind::Array(element, length) | TypeKind::Simd(element, length) => {
            nat_names(length, bound, found);
            free_nats(element, bound, found);
        }
        TypeKind::Tuple(parts) => parts.iter().for_each(|part| free_nats(part, bound, found)),
        TypeKind::Idx(length) => nat_names(length, bound, found),
        TypeKind::DepArray(length, element) => {
            nat_names(length, bound, found);
            if let NatToData::Lambda(name, element) = element {
                bound.push(name.clone());
                free_nats(element, bound, found);
                bound.pop();
            }
        }
        TypeKind::Apply(_, args) => args.iter().for_each(|arg| nat_names(arg, bound, found)),
        TypeKind::Fun(argument, result) => {
            free_nats(argument, bound, found);
            free_nats(result, bound, found);
        }
        TypeKind::DepFun(kinds, result) => {
            let outer = bound.len();
            bound.extend(kinds.iter().map(|param| param.name.clone()));
            free_nats(result, bound, found);
            bound.truncate(outer);
        }
        TypeKind::Scalar(_) | TypeKind::Name(_) | TypeKind::Hole | TypeKind::Error => {}
    }
}

fn nat_names(nat: &Nat, bound: &mut Vec<Ident>, found: &mut Vec<Ident>) {
    match &nat.kind {
        NatKind::Name(name) => {
            if !bound.contains(name) && !found.contains(name) {
                found.push(name.clone());
            }
        }
        NatKind::Binary(_, a, b) | NatKind::Call(_, a, b) => {
            nat_names(a, bound, found);
            nat_names(b, bound, found);
        }
        NatKind::Apply(_, args) => args.iter().for_each(|arg| nat_names(arg, bound, found)),
        NatKind::Sum { name, from, to, body } => {
            nat_names(from, bound, found);
            nat_names(to, bound, found);
            bound.push(name.clone());
            nat_names(body, bound, found);
            bound.pop();
        }
        NatKind::Literal(_) | NatKind::Hole | NatKind::Error => {}
    }
}
