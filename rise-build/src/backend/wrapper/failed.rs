//! The functions of a kernel that could not be compiled: declared as usual, so that callers type-check beside
//! the error messages.

use proc_macro2::TokenStream;

use super::docs;
use super::results::Results;
use super::signature::{Notes, Signature};
use super::sizes::Sizes;
use super::spans::parse;

/// The public functions; none of them can be called, since the build fails.
pub fn failed(signature: &Signature) -> TokenStream {
    let sizes = Sizes::solve(signature);
    let results = Results::new(signature);
    let docs = docs::all(signature, &sizes, &Notes::default());
    let mut text = signature.public(&sizes, &results, &docs);
    for (name, result, outs) in [
        ("call", results.returned(signature), Vec::new()),
        ("write", "()".into(), results.inner_params(signature)),
    ] {
        let params = [outs, sizes.params(signature)].concat().join(", ");
        text.push_str(&format!(
            "{}\nfn {}({params}) -> {} {{ ::core::unreachable!() }}\n",
            super::results::ALLOW,
            signature.hidden(name),
            signature.fallible(&result)
        ));
    }
    parse(&text, &signature.spans, &|text| text.parse().ok()).unwrap_or_default()
}
