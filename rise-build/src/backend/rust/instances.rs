//! Thin instances of a generic function, one for each instruction set that it serves, and the choice between them.
//! Where the code is for one instruction set alone, the function is written for that.

use super::emit::{Argument, Emitter, Form, Runner, idents, signature};
use super::strided::lies_apart;
use crate::loops::Kernel;

/// An instruction set for which functions are instantiated.
pub struct Instance {
    /// The type that stands for it, and its level.
    isa: &'static str,
    /// The name, as in `RISE_ISA`.
    name: &'static str,
    /// What the function may use; the baseline has no more than every function.
    features: Option<&'static str>,
}

/// All of them, the best first; the last one runs everywhere.
const INSTANCES: [Instance; 3] = [
    // Each of these has AVX-512F with it, which has AVX2 and FMA.
    Instance { isa: "Avx512", name: "avx512", features: Some("avx512bw,avx512dq,avx512vl") },
    Instance { isa: "Avx2", name: "avx2", features: Some("avx2,fma") },
    Instance { isa: "Baseline", name: LEAST, features: None },
];

/// The instruction set of every CPU.
pub const LEAST: &str = "baseline";

const X86: &str = "#[cfg(target_arch = \"x86_64\")]";

/// The instruction sets that code serves which was made for one of `machines`: the one of that name, and all below it
/// that have no code of their own.
pub fn served(machine: &str, machines: &[&str]) -> &'static [Instance] {
    let position = |name: &str| INSTANCES.iter().position(|instance| instance.name == name);
    let own = |instance: &Instance| machines.contains(&instance.name);
    let first = position(machine).unwrap_or(0);
    let next = INSTANCES[first + 1..].iter().position(own).map_or(INSTANCES.len(), |below| first + 1 + below);
    &INSTANCES[first..next]
}

/// Those that a kernel is better with than without.
pub fn of(kernel: &Kernel) -> &'static [Instance] {
    if lies_apart(kernel) { &INSTANCES[1..] } else { &INSTANCES }
}

impl Instance {
    /// Whether it is for the machine of that name.
    pub fn is_of(&self, machine: &str) -> bool {
        self.name == machine
    }

    /// The function for it of those that have this before their names.
    pub fn of(&self, prefix: &str) -> String {
        format!("{prefix}{}", self.name)
    }

    /// What stands before a function for this instruction set.
    fn attributes(&self) -> String {
        self.features.map_or_else(String::new, |features| {
            format!("    {X86}\n    #[target_feature(enable = \"{features}\")]\n")
        })
    }
}

impl Emitter<'_> {
    /// The only instruction set that the code is for, if there is but one.
    pub fn only(&self) -> Option<&'static Instance> {
        match self.instances {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The type that stands for the only instruction set.
    pub fn only_isa(&self) -> Option<&'static str> {
        self.only().map(|instance| instance.isa)
    }

    /// Begins `unsafe fn generic<S: Isa>(…)`, or the only instance of it, which then is visible as said.
    pub fn open_function(&mut self, visible: &str, generic: &str, prefix: &str, params: &str) {
        let Some(only) = self.only() else {
            self.out.line("#[inline(always)]");
            return self.out.open(&format!("unsafe fn {generic}<S: Isa>({params}) {{"));
        };
        if let Some(features) = only.features {
            self.out.line(&format!("#[target_feature(enable = \"{features}\")]"));
        }
        self.out.open(&format!("{visible}unsafe fn {prefix}{}({params}) {{", only.name));
    }

    /// `VISIBLE unsafe fn PREFIXavx512(…)` and so on, which call `generic`, unless there is but one. Each is a function
    /// of its own: inside of what leads to it a parallel loop would cost calls on few elements, which skip it, registers.
    pub fn instances(&self, visible: &str, generic: &str, prefix: &str, args: &[Argument]) -> String {
        if self.only().is_some() {
            return String::new();
        }
        let (params, values) = (signature(args), idents(args));
        let mut text = String::new();
        for instance in self.instances {
            let (attributes, name, isa) = (instance.attributes(), instance.name, instance.isa);
            text.push_str(&format!(
                "{attributes}    #[inline(never)]\n    {visible}unsafe fn {prefix}{name}({params}) {{\n        {generic}::<private::{isa}>({values})\n    }}\n"
            ));
        }
        text
    }

    /// `match level { … }` over the instances.
    pub fn choose(&mut self, level: &str, prefix: &str, values: &str) {
        let Some((last, others)) = self.instances.split_last() else { return };
        if others.is_empty() {
            return self.out.line(&format!("{prefix}{}({values});", last.name));
        }
        self.out.open(&format!("match {level} {{"));
        for (position, Instance { name, .. }) in others.iter().enumerate() {
            self.out.line(X86);
            self.out.line(&format!("{} => {prefix}{name}({values}),", self.levels(position)));
        }
        self.out.line(&format!("_ => {prefix}{}({values}),", last.name));
        self.out.close("}");
    }

    /// The levels that an instance runs on: its own, and for the first one all that are better.
    fn levels(&self, position: usize) -> String {
        let own = &self.instances[position];
        let better = INSTANCES.iter().take_while(|level| level.name != own.name && position == 0);
        let levels: Vec<String> = better.chain([own]).map(|level| format!("Level::{}", level.isa)).collect();
        levels.join(" | ")
    }

    /// Allocates temporaries and calls the instance that this CPU is to run.
    pub fn dispatch(&mut self, args: &[Argument]) {
        if self.only().is_none() {
            self.out.line("let level = private::level()?;");
        }
        self.allocate();
        self.borrow_inputs();
        self.bind_hoisted();
        // Memory that is asked for on the way may be refused.
        let guarded = self.asks_for_memory;
        if guarded {
            self.out.open("private::or_error(|| {");
        }
        self.choose("level", "", &idents(args));
        if guarded {
            self.out.close("})?;");
        }
        self.out.line("::core::result::Result::Ok(())");
    }
}

/// What calls one of `runners`, each made for one of `machines`, the last of which serves all that the others do not.
pub fn chooser(machines: &[&str], runners: Vec<Runner>, facade: &str) -> Runner {
    let first = runners.first();
    let form = first.map_or(Form::Module, |runner| runner.form);
    let args = first.map_or_else(Vec::new, |runner| runner.args.clone());
    let (values, run) = (idents(&args), if form == Form::Module { "::run" } else { "" });
    let (mut items, mut arms) = (String::new(), String::new());
    for (position, (own, runner)) in machines.iter().zip(runners).enumerate() {
        let level = |instance: &Instance| format!("::{facade}::private::Level::{}", instance.isa);
        let (attribute, pattern) = match position + 1 == machines.len() {
            true => ("", "_".to_owned()),
            false => (X86, served(own, machines).iter().map(level).collect::<Vec<_>>().join(" | ")),
        };
        items.push_str(&format!("    {attribute}\n{}", runner.item(own, facade)));
        arms.push_str(&format!("        {attribute}\n        {pattern} => {own}{run}({values}),\n"));
    }
    let body = format!("    match ::{facade}::private::level()? {{\n{arms}    }}\n");
    Runner { args, items, body, form }
}
