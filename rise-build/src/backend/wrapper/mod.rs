//! The safe functions around a kernel, the same for every target.
//!
//! In: a [`Signature`] and the text of a runner. Out: the tokens of `name`, `name_into` and `name_variant`,
//! which read the sizes off the arguments, check all that was not proved, provide memory and call the runner.
//! Identifiers that the user wrote keep their spans; all else has the span of the macro call. How the runner
//! works is not known here.

mod device;
mod docs;
mod failed;
mod fallback;
mod formula;
mod leaf;
mod results;
mod signature;
mod sizes;
mod spans;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use self::results::Results;
use self::sizes::Sizes;
use self::spans::{Lex, parse};

pub use self::device::on_device;
pub use self::failed::failed;
pub use self::fallback::from_syntax;
pub use self::formula::Formulas;
pub use self::leaf::{Form, Leaf};
pub use self::signature::{Notes, Signature};

/// All items of a kernel but the one that [`Signature::runner`] names.
///
/// The error is a bug of whoever wrote the text, with that text.
pub fn emit(signature: &Signature, notes: &Notes, lex: Lex) -> Result<TokenStream, String> {
    let sizes = Sizes::solve(signature);
    let results = Results::new(signature);
    let public = signature.public(&sizes, &results, &docs::all(signature, &sizes, notes));
    let mut tokens = parse(&public, &signature.spans, lex)?;
    let inner =
        [sizes.function(signature), results.call(signature, &sizes), results.write(signature, &sizes)];
    tokens.extend(parse(&inner.concat(), &[], lex)?);
    Ok(tokens)
}
