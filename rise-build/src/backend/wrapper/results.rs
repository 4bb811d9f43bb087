//! Memory for results, and the two functions that provide it.

use crate::backend::text::Text;
use crate::nat::NatVar;

use super::formula::Formulas;
use super::leaf::{Form, Leaf, leaves, tree};
use super::signature::{Signature, rank};
use super::sizes::{Sizes, check_dimension};

/// Lints that hidden functions do not answer to.
pub const ALLOW: &str = "#[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]";

/// What stands before functions between those of the user and the runner: inside of the caller views are registers,
/// where passed on in memory they would be read back in other pieces than they were written in.
pub const HIDDEN: &str = "#[doc(hidden)]\n#[inline]";

/// The components of the result.
pub struct Results {
    leaves: Vec<Leaf>,
}

impl Results {
    /// The components in order.
    pub fn new(signature: &Signature) -> Self {
        let mut out = Vec::new();
        let base = free_name(signature);
        leaves(&base, &base, "out", &signature.result, None, &mut out);
        if out.len() > 1 {
            for (at, leaf) in out.iter_mut().enumerate() {
                leaf.path = format!("{base}_{at}");
                leaf.shown.clone_from(&leaf.path);
            }
        }
        Self { leaves: out }
    }

    /// The components.
    pub fn into_leaves(self) -> Vec<Leaf> {
        self.leaves
    }

    /// The type of the result as it is returned.
    pub fn returned(&self, signature: &Signature) -> String {
        tree(&signature.result, &mut |ty| {
            let element = crate::backend::rust::stored(ty);
            match rank(ty) {
                0 => element,
                1 => format!("::{}::private::Vec<{element}>", signature.facade),
                rank => format!("::{}::Array<{element}, {rank}>", signature.facade),
            }
        })
    }

    /// The results as parameters in front, and as they are passed on.
    pub fn user_params(&self, signature: &Signature, lifetime: &mut bool) -> (Vec<String>, Vec<String>) {
        let mut params = Vec::new();
        let mut values = Vec::new();
        for leaf in &self.leaves {
            let element = leaf.form.element();
            match &leaf.form {
                Form::Array(shape, _) => {
                    *lifetime = true;
                    let view = format!("::{}::ViewMut<'a, {element}, {}>", signature.facade, shape.len());
                    params.push(format!("{}: impl ::core::convert::Into<{view}>", leaf.path));
                    values.push(format!("::core::convert::Into::into({})", leaf.path));
                }
                _ => {
                    params.push(format!("{}: &mut {element}", leaf.path));
                    values.push(leaf.path.clone());
                }
            }
        }
        (params, values)
    }

    /// The results as parameters of the hidden function.
    pub fn inner_params(&self, signature: &Signature) -> Vec<String> {
        self.leaves.iter().map(|leaf| written(leaf, signature)).collect()
    }

    /// The names of the results as parameters.
    pub fn names(&self) -> Vec<&str> {
        self.leaves.iter().map(|leaf| leaf.path.as_str()).collect()
    }

    /// The function that makes new memory.
    pub fn call(&self, signature: &Signature, sizes: &Sizes) -> String {
        let mut text = Text::default();
        let result = signature.fallible(&self.returned(signature));
        text.line(HIDDEN);
        text.line(ALLOW);
        text.open(&format!(
            "fn {}({}) -> {result} {{",
            signature.hidden("call"),
            sizes.params(signature).join(", ")
        ));
        let (runtime, ident) = (signature.runtime(), |var: &NatVar| Sizes::ident(signature, var));
        let formulas = Formulas { runtime: &runtime, ident: &ident };
        find_sizes(signature, sizes, &mut text);
        self.leaves.iter().for_each(|leaf| make(leaf, &formulas, &mut text));
        text.open("unsafe {");
        let outs: Vec<String> =
            self.leaves.iter().map(|leaf| cleared_pointer(leaf, signature, true, &mut text)).collect();
        text.line(&format!("{}?;", run(signature, sizes, &outs, &self.settled(signature))));
        let mut leaves = self.leaves.iter();
        let value = tree(&signature.result, &mut |_| {
            leaves.next().map(|leaf| finish(leaf, signature)).unwrap_or_default()
        });
        text.line(&format!("::core::result::Result::Ok({value})"));
        text.close("}");
        text.close("}");
        text.finish()
    }

    /// Whether the system need not clear what is allocated here; all results, since most kernels have but one.
    fn settled(&self, signature: &Signature) -> String {
        let arrays = self.leaves.iter().filter(|leaf| matches!(leaf.form, Form::Array(..)));
        let each = arrays.map(|leaf| format!("{}::is_settled(&{})", signature.runtime(), leaf.ident));
        each.reduce(|all, each| format!("{all} && {each}")).unwrap_or_else(|| "true".into())
    }

    /// The function that writes to memory of the caller's.
    pub fn write(&self, signature: &Signature, sizes: &Sizes) -> String {
        let mut text = Text::default();
        let mut params = self.inner_params(signature);
        params.extend(sizes.params(signature));
        let result = signature.fallible("()");
        text.line(HIDDEN);
        text.line(ALLOW);
        text.open(&format!("fn {}({}) -> {result} {{", signature.hidden("write"), params.join(", ")));
        let (runtime, ident) = (signature.runtime(), |var: &NatVar| Sizes::ident(signature, var));
        let formulas = Formulas { runtime: &runtime, ident: &ident };
        find_sizes(signature, sizes, &mut text);
        self.leaves.iter().for_each(|leaf| check_out(leaf, &formulas, &mut text));
        text.open("unsafe {");
        let outs: Vec<String> =
            self.leaves.iter().map(|leaf| cleared_pointer(leaf, signature, false, &mut text)).collect();
        // Who keeps memory for results uses it again.
        text.line(&run(signature, sizes, &outs, "true"));
        text.close("}");
        text.close("}");
        text.finish()
    }
}

/// `out`, unless a parameter is called so.
fn free_name(signature: &Signature) -> String {
    let taken = |name: &str| {
        let params = signature.params.iter().map(|(param, ..)| param.as_str());
        params
            .chain(signature.nats.iter().map(NatVar::text))
            .any(|param| param == name || param.starts_with("out_"))
    };
    ["out", "result", "output"].into_iter().find(|name| !taken(name)).unwrap_or("the_result").to_owned()
}

fn find_sizes(signature: &Signature, sizes: &Sizes, text: &mut Text) {
    let values = sizes.values(signature).join(", ");
    text.line(&format!("let [{}] = {}({values})?;", Sizes::all(signature), signature.hidden("sizes")));
    for leaf in sizes.leaves() {
        if let Form::Index(_, Some(var)) | Form::Nat(Some(var)) = &leaf.form {
            text.line(&format!("let {} = {} as usize;", Sizes::ident(signature, var), leaf.ident));
        }
    }
}

fn make(leaf: &Leaf, formulas: &Formulas, text: &mut Text) {
    let (ident, runtime, element) = (&leaf.ident, formulas.runtime, leaf.form.element());
    match &leaf.form {
        Form::Array(shape, _) => {
            let dimensions: Vec<String> =
                shape.iter().map(|nat| formulas.checked(nat, "the shape of the result")).collect();
            text.line(&format!("let {ident}_shape = [{}];", dimensions.join(", ")));
            text.line(&format!(
                "let {ident}_len = {runtime}::elements(&{ident}_shape, \"the shape of the result\")?;"
            ));
            text.line(&format!("let mut {ident} = {runtime}::uninit_vec::<{element}>({ident}_len)?;"));
        }
        _ => text.line(&format!("let mut {ident} = ::core::mem::MaybeUninit::<{element}>::uninit();")),
    }
}

/// The pointer that the runner gets, cleared if asked for; `owned` is memory made here.
fn cleared_pointer(leaf: &Leaf, signature: &Signature, owned: bool, text: &mut Text) -> String {
    let ident = &leaf.ident;
    let array = matches!(leaf.form, Form::Array(..));
    let pointer =
        if array || owned { format!("{ident}.as_mut_ptr()") } else { format!("(&raw mut *{ident})") };
    if owned && signature.clears {
        let count = if array { format!("{ident}_len") } else { "1".into() };
        text.line(&format!("{pointer}.write_bytes(0, {count});"));
    }
    match leaf.form.lanes_of() {
        Some(scalar) => format!("{pointer}.cast::<{scalar}>()"),
        None => pointer,
    }
}

fn run(signature: &Signature, sizes: &Sizes, outs: &[String], settled: &str) -> String {
    let mut args: Vec<String> = signature.nats.iter().map(|var| Sizes::ident(signature, var)).collect();
    args.extend(sizes.leaves().iter().map(|leaf| match (&leaf.form, leaf.form.lanes_of()) {
        (Form::Array(..), Some(scalar)) => format!("{}.as_ptr().cast::<{scalar}>()", leaf.ident),
        (Form::Array(..), None) => format!("{}.as_ptr()", leaf.ident),
        (Form::Index(..), _) => format!("{} as usize", leaf.ident),
        _ => leaf.ident.clone(),
    }));
    args.extend(outs.iter().cloned());
    args.extend(signature.past.then(|| settled.to_owned()));
    format!("{}({})", signature.runner(), args.join(", "))
}

fn finish(leaf: &Leaf, signature: &Signature) -> String {
    let (ident, runtime) = (&leaf.ident, signature.runtime());
    match &leaf.form {
        Form::Array(shape, _) => {
            let data = format!("{runtime}::assume_len({ident}, {ident}_len)");
            match shape.len() {
                1 => data,
                _ => format!("::{}::Array::from_vec({data}, {ident}_shape)?", signature.facade),
            }
        }
        _ => format!("{ident}.assume_init()"),
    }
}

fn written(leaf: &Leaf, signature: &Signature) -> String {
    let (ident, element) = (&leaf.ident, leaf.form.element());
    match &leaf.form {
        Form::Array(shape, _) => {
            format!("mut {ident}: ::{}::ViewMut<'_, {element}, {}>", signature.facade, shape.len())
        }
        _ => format!("{ident}: &mut {element}"),
    }
}

fn check_out(leaf: &Leaf, formulas: &Formulas, text: &mut Text) {
    if let Form::Array(shape, _) = &leaf.form {
        text.line(&format!("{}.check({:?})?;", leaf.ident, leaf.shown));
        for (at, nat) in shape.iter().enumerate() {
            let (expected, got) = (formulas.size(nat), format!("{}.shape()[{at}]", leaf.ident));
            check_dimension(formulas.runtime, &leaf.shown, at, nat, &expected, &got, text);
        }
    }
}
