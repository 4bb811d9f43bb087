//! What the outside of a kernel needs to know, and its public functions.

use proc_macro2::Span;

use crate::backend::text::Text;
use crate::expr::{self, Required};
use crate::nat::{Nat, NatVar, Obligation};
use crate::types::DataType;

use super::docs::{self, Docs};
use super::leaf::{Leaf, leaves, tree};
use super::results::Results;
use super::sizes::Sizes;

/// The declaration of a kernel, as far as callers see it.
#[derive(Clone)]
pub struct Signature {
    /// The name of the function.
    pub name: String,
    /// `pub` or `pub(crate)`.
    pub visibility: String,
    /// The user's documentation, one string a line.
    pub docs: Vec<String>,
    /// Attributes to be carried over, each without `#[]`.
    pub attributes: Vec<String>,
    /// Size parameters in order.
    pub nats: Vec<NatVar>,
    /// Value parameters: name, type, and the natural that it is.
    pub params: Vec<(String, DataType, Option<NatVar>)>,
    /// The result.
    pub result: DataType,
    /// What `where` promises; checked.
    pub declared: Vec<Obligation>,
    /// What must hold besides; checked unless it follows.
    pub obligations: Vec<Required>,
    /// Matrices that must be a column times a row, as they are shown, with the rules that need it.
    pub separable: Vec<(String, String)>,
    /// Numbers of iterations; each must fit into index arithmetic.
    pub counts: Vec<Nat>,
    /// Whether results have to be cleared before the kernel runs, since it may leave parts of them alone.
    pub clears: bool,
    /// Whether the runner is told at last if results may be written past the caches.
    pub past: bool,
    /// The name of the facade in the user's crate.
    pub facade: String,
    /// The places of names that the user wrote.
    pub spans: Vec<(String, Span)>,
}

/// What the documentation shows of a compilation.
#[derive(Clone, Default)]
pub struct Notes {
    /// The strategy.
    pub strategy: Option<String>,
    /// The loop nest.
    pub loops: Option<String>,
}

impl Signature {
    /// The signature of a typed kernel, without what only the syntax tree knows.
    pub fn of(kernel: &expr::Kernel) -> Self {
        let params = kernel.params.iter();
        Self {
            name: kernel.name.clone(),
            visibility: "pub".into(),
            docs: Vec::new(),
            attributes: Vec::new(),
            nats: kernel.nats.clone(),
            params: params.map(|p| (p.name.text().to_owned(), p.ty.clone(), p.nat.clone())).collect(),
            result: kernel.body.ty().clone(),
            declared: kernel.declared.clone(),
            obligations: kernel.obligations.clone(),
            separable: kernel
                .separable
                .iter()
                .map(|demand| (demand.shown.clone(), demand.rule.clone()))
                .collect(),
            counts: Vec::new(),
            clears: false,
            past: false,
            facade: "rise".into(),
            spans: Vec::new(),
        }
    }

    /// Takes in what another version of the same kernel asks for.
    pub fn also(&mut self, other: Self) {
        for required in other.obligations {
            if !self.obligations.iter().any(|own| own.obligation == required.obligation) {
                self.obligations.push(required);
            }
        }
        for count in other.counts {
            if !self.counts.contains(&count) {
                self.counts.push(count);
            }
        }
        self.clears |= other.clears;
        self.past |= other.past;
    }

    /// The name of the runner.
    pub fn runner(&self) -> String {
        self.hidden("run")
    }

    /// The name of the function that launches the kernel on memory of a device.
    pub fn launcher(&self) -> String {
        self.hidden("launch")
    }

    /// The name of a function that users do not see.
    pub(in crate::backend) fn hidden(&self, what: &str) -> String {
        format!("__rise_{}_{what}", plain(&self.name))
    }

    /// The name with something appended.
    pub(super) fn derived(&self, suffix: &str) -> String {
        format!("{}_{suffix}", plain(&self.name))
    }

    /// The path of the runtime.
    pub fn runtime(&self) -> String {
        format!("::{}::private", self.facade)
    }

    /// The path of the error.
    pub fn error(&self) -> String {
        format!("::{}::Error", self.facade)
    }

    pub(super) fn fallible(&self, ty: &str) -> String {
        format!("::core::result::Result<{ty}, {}>", self.error())
    }

    /// What is passed on, in order.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut out = Vec::new();
        for (at, (name, ty, nat)) in self.params.iter().enumerate() {
            leaves(&param_ident(name), plain(name), &format!("p{at}"), ty, nat.as_ref(), &mut out);
        }
        out
    }

    /// The components of the result, in order.
    pub fn result_leaves(&self) -> Vec<Leaf> {
        Results::new(self).into_leaves()
    }

    /// The parameter list as users see it; `lifetime` tells whether views occur.
    fn user_params(&self, lifetime: &mut bool) -> Vec<String> {
        let mut params = Vec::new();
        for (name, ty, _) in &self.params {
            let ty = tree(ty, &mut |leaf| match rank(leaf) {
                0 => crate::backend::rust::stored(leaf),
                rank => {
                    *lifetime = true;
                    let element = crate::backend::rust::stored(leaf);
                    format!("impl ::core::convert::Into<::{}::View<'a, {element}, {rank}>>", self.facade)
                }
            });
            params.push(format!("{}: {ty}", param_ident(name)));
        }
        params
    }

    /// The three functions of the kernel.
    pub(super) fn public(&self, sizes: &Sizes, results: &Results, docs: &Docs) -> String {
        let values: Vec<String> = self.leaves().iter().map(converted).collect();
        let leading: Vec<String> = sizes.leading.iter().map(|var| param_ident(var.text())).collect();
        let sized: Vec<String> = leading.iter().map(|ident| format!("{ident}: usize")).collect();
        let mut lifetime = false;
        let params = self.user_params(&mut lifetime);
        let result = self.fallible(&results.returned(self));
        let mut text = Text::default();
        let call = format!("{}({})", self.hidden("call"), join(&[&leading, &values]));
        self.function(
            &mut text,
            &docs.call,
            &user_ident(&self.name),
            lifetime,
            &[&sized, &params],
            &result,
            &call,
        );
        let (outs, out_values) = results.user_params(self, &mut lifetime);
        let into = self.derived("into");
        let call = format!("{}({})", self.hidden("write"), join(&[&out_values, &leading, &values]));
        self.function(
            &mut text,
            &docs.write,
            &into,
            lifetime,
            &[&outs, &sized, &params],
            &self.fallible("()"),
            &call,
        );
        let call = format!("{}::variant()", self.runtime());
        let variant = self.derived("variant");
        self.function(&mut text, &docs.variant, &variant, false, &[], &self.fallible("&'static str"), &call);
        text.finish()
    }

    #[allow(clippy::too_many_arguments)]
    fn function(
        &self,
        text: &mut Text,
        docs: &[String],
        name: &str,
        lifetime: bool,
        params: &[&[String]],
        result: &str,
        body: &str,
    ) {
        text.line(&docs::attribute(docs));
        for attribute in &self.attributes {
            text.line(&format!("#[{attribute}]"));
        }
        text.line("#[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]");
        let lifetime = if lifetime { "<'a>" } else { "" };
        text.open(&format!("{} fn {name}{lifetime}({}) -> {result} {{", self.visibility, join(params)));
        text.line(body);
        text.close("}");
    }
}

/// A parameter's component as it is passed on.
fn converted(leaf: &Leaf) -> String {
    match &leaf.form {
        super::leaf::Form::Array(..) => format!("::core::convert::Into::into({})", leaf.path),
        _ => leaf.path.clone(),
    }
}

fn join(lists: &[&[String]]) -> String {
    lists.concat().join(", ")
}

/// The number of dimensions.
pub(super) fn rank(ty: &DataType) -> usize {
    ty.as_array().map_or(0, |(_, element)| 1 + rank(element))
}

/// Without `r#`.
pub(super) fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// The name as an identifier of the user's.
pub(super) fn user_ident(name: &str) -> String {
    match name {
        "self" | "Self" | "super" | "crate" => format!("{name}_"),
        _ if crate::backend::rust::is_keyword(name) => format!("r#{name}"),
        _ => name.to_owned(),
    }
}

/// The name as the identifier of a parameter. One that begins with a capital letter gets a `_`: it would be a
/// pattern where the user's module has a constant of that name.
pub(super) fn param_ident(name: &str) -> String {
    if name.starts_with(char::is_uppercase) { format!("{name}_") } else { user_ident(name) }
}
