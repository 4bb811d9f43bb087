//! The door: tokens in, tokens out.
//!
//! What touches the machine is here: the files that `use "path.rise";` names are read, and the stages of each
//! kernel are written below the folder in `RISE_DUMP`. All else is the compiler's.

#![warn(clippy::print_stdout)]

use std::env;
use std::fs;
use std::path::PathBuf;

use rise_build::pipeline::{Dump, Options, compile, rule_tests};

/// Compiles the items of the block; see the documentation of the crate `rise`.
#[proc_macro]
pub fn rise(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let folder = env::var_os("RISE_DUMP").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let options = Options {
        check: env::var_os("RISE_CHECK").is_some_and(|value| value == "1"),
        dump: folder.is_some(),
        load: &load,
        // The compiler's own lexer alone: `proc_macro2` would read all text by its own first.
        lex: &|text| text.parse::<proc_macro::TokenStream>().ok().map(Into::into),
    };
    let output = compile(tokens.into(), &options);
    let written =
        folder.map_or(Ok(()), |folder| output.dumps.iter().try_for_each(|dump| write(&folder, dump)));
    let mut tokens = proc_macro::TokenStream::from(output.tokens);
    if let Err(error) = written {
        let message = format!("RISE_DUMP: cannot write the stages of a kernel: {error}");
        tokens.extend(format!("::core::compile_error!({message:?});").parse::<proc_macro::TokenStream>());
    }
    tokens
}

/// The tests of the rules of a block, which [`rise!`] leaves behind under `cfg(test)`.
#[doc(hidden)]
#[proc_macro]
pub fn __rule_tests(tokens: proc_macro::TokenStream) -> proc_macro::TokenStream {
    rule_tests(tokens.into(), &load).into()
}

/// The text of a file below the package's root.
fn load(path: &str) -> Result<String, String> {
    let root = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    fs::read_to_string(root.join(path)).map_err(|error| error.to_string())
}

fn write(folder: &std::path::Path, dump: &Dump) -> std::io::Result<()> {
    let folder = folder.join(&dump.kernel);
    fs::create_dir_all(&folder)?;
    dump.files.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}
