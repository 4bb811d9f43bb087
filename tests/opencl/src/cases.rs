//! Programs from text, compiled for a device as their `compile` items say.

use rise_build::dpia::functional::Target;
use rise_build::expr::Kernel;
use rise_build::machine::Machine;
use rise_build::syntax::{self, ast};
use rise_build::{rewrite, types};

/// A kernel and one strategy for it.
pub struct Case {
    /// The name of the function.
    pub name: String,
    /// As written.
    pub kernel: Kernel,
    /// As rewritten.
    pub chosen: Kernel,
}

/// All compilations of a text for OpenCL.
///
/// # Panics
/// Where something is wrong with the text.
pub fn cases(text: &str) -> Vec<Case> {
    let (module, wrong) = syntax::parse_file("cases", text, rise_build::diagnostics::Origin::NONE);
    assert!(wrong.is_empty(), "{}", messages(&wrong));
    let kernels: Vec<&ast::Kernel> = module
        .items
        .iter()
        .filter_map(|item| if let ast::Item::Kernel(kernel) = item { Some(kernel) } else { None })
        .collect();
    let compilations = module.items.iter().filter_map(|item| match item {
        ast::Item::Compile(compile) if compile.target.name.as_str() == "opencl" => Some(compile),
        _ => None,
    });
    let case = |compile: &ast::Compile| {
        let name = compile.alias.as_ref().unwrap_or(&compile.kernel).to_string();
        let found = kernels.iter().find(|kernel| kernel.name.as_str() == compile.kernel.as_str());
        let item = found.unwrap_or_else(|| panic!("no kernel for {name}"));
        let kernel =
            types::infer_kernel(&module, item).unwrap_or_else(|wrong| panic!("{}", messages(&wrong)));
        let rewritten =
            rewrite::apply(&kernel, compile.strategy.as_ref(), &module, Target::OpenCl, Machine::BEST);
        let (chosen, _) = rewritten.unwrap_or_else(|wrong| panic!("{name}: {}", messages(&wrong)));
        Case { name, kernel, chosen }
    };
    compilations.map(case).collect()
}

fn messages(wrong: &rise_build::diagnostics::Diagnostics) -> String {
    wrong.iter().map(|wrong| wrong.headline()).collect::<Vec<_>>().join("\n")
}

/// The names of the kernels in a text.
pub fn kernel_names(text: &str) -> Vec<&str> {
    let starts = text.match_indices("pub fn ").map(|(at, found)| &text[at + found.len()..]);
    starts.map(|rest| rest.split(['<', '(']).next().unwrap_or_default()).collect()
}
