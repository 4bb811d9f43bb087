//! Options of the target `opencl`: how many work-items there are.

use crate::diagnostics::{Diagnostic, suggest};
use crate::dpia::functional::Target;
use crate::loops::WorkSizes;
use crate::nat::{Nat, NatVar};
use crate::rewrite;
use crate::syntax::ast::{Arg, ArgValue};

use super::job::{Job, Program};

const OPTIONS: [&str; 2] = ["local", "global"];

/// The numbers of work-items that `compile … to opencl(local = [32, 8], global = n)` asks for.
pub fn sizes(job: &Job, program: &Program, nats: &[NatVar]) -> Result<WorkSizes, Diagnostic> {
    let mut sizes = WorkSizes::default();
    for option in job.options {
        let name = option.name.as_ref().map_or("", |name| name.as_str());
        let place = match (job.target, name) {
            (Target::OpenCl, "local") => &mut sizes.local,
            (Target::OpenCl, "global") => &mut sizes.global,
            _ => return Err(unknown(option, job.target, name)),
        };
        *place = Some(dimensions(option, program, nats)?);
    }
    Ok(sizes)
}

fn unknown(option: &Arg, target: Target, name: &str) -> Diagnostic {
    let target_name = target.name();
    if target != Target::OpenCl {
        return Diagnostic::error(option.origin, format!("the target `{target_name}` has no options"));
    }
    let error = Diagnostic::error(option.origin, "unknown option of the target `opencl`");
    error.help(match suggest(name, OPTIONS) {
        Some(near) => format!("is `{near}` meant?"),
        None => "write `local = [32, 8]` for the work-items of a group, `global = n` for those of all groups"
            .into(),
    })
}

/// One to three naturals; the other dimensions are 1.
fn dimensions(option: &Arg, program: &Program, nats: &[NatVar]) -> Result<[Nat; 3], Diagnostic> {
    let given = match &option.value {
        ArgValue::List(list) => list.as_slice(),
        _ => std::slice::from_ref(option),
    };
    if !(1..=3).contains(&given.len()) {
        return Err(Diagnostic::error(option.origin, "work-items have one to three dimensions"));
    }
    let mut sizes = [(); 3].map(|()| Nat::lit(1));
    for (size, arg) in sizes.iter_mut().zip(given) {
        *size = rewrite::natural(arg, &program.module, nats)?;
        if size.is_zero() {
            return Err(Diagnostic::error(arg.origin, "no work-item would run"));
        }
    }
    Ok(sizes)
}
