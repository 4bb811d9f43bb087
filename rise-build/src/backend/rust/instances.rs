//! Thin instances of a generic function, one for each instruction set, and the choice between them. Where the code
//! is for one instruction set alone, the function is written for that.

use super::emit::{Argument, Emitter, idents, signature};

/// Instruction set, its name, features.
const INSTANCES: [(&str, &str, &str); 2] =
    [("Avx512", "avx512", "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"), ("Avx2", "avx2", "avx2,fma")];

const BASELINE: &str = "baseline";

const X86: &str = "#[cfg(target_arch = \"x86_64\")]";

/// The type that stands for the instruction set of this name.
pub fn isa(name: &str) -> &'static str {
    INSTANCES.iter().find(|(_, own, _)| *own == name).map_or("Baseline", |(isa, ..)| isa)
}

impl Emitter<'_> {
    /// Begins `unsafe fn generic<S: Isa>(…)`, or the only instance of it.
    pub fn open_function(&mut self, generic: &str, prefix: &str, params: &str) {
        let Some(only) = self.only else {
            self.out.line("#[inline(always)]");
            return self.out.open(&format!("unsafe fn {generic}<S: Isa>({params}) {{"));
        };
        if let Some((.., features)) = INSTANCES.iter().find(|(_, name, _)| *name == only) {
            self.out.line(&format!("#[target_feature(enable = \"{features}\")]"));
        }
        self.out.open(&format!("unsafe fn {prefix}{only}({params}) {{"));
    }

    /// `unsafe fn PREFIXavx512(…)` and so on, which call `generic`, unless there is but one. Each is a function of its
    /// own: inside of what leads to it a parallel loop would cost calls on few elements, which skip it, registers.
    pub fn instances(&self, generic: &str, prefix: &str, args: &[Argument]) -> String {
        if self.only.is_some() {
            return String::new();
        }
        let (runtime, params, values) = (&self.runtime, signature(args), idents(args));
        let mut text = String::new();
        let mut instance = |attributes: &str, isa: &str, name: &str| {
            text.push_str(&format!(
                "{attributes}    #[inline(never)]\n    unsafe fn {prefix}{name}({params}) {{\n        unsafe {{ {generic}::<{runtime}::{isa}>({values}) }}\n    }}\n"
            ));
        };
        for (isa, name, features) in INSTANCES {
            instance(&format!("    {X86}\n    #[target_feature(enable = \"{features}\")]\n"), isa, name);
        }
        instance("", "Baseline", BASELINE);
        text
    }

    /// `match level { … }` over the instances.
    pub fn choose(&mut self, level: &str, prefix: &str, values: &str) {
        if let Some(only) = self.only {
            return self.out.line(&format!("{prefix}{only}({values});"));
        }
        self.out.open(&format!("match {level} {{"));
        for (isa, name, _) in INSTANCES {
            self.out.line(X86);
            self.out.line(&format!("Level::{isa} => {prefix}{name}({values}),"));
        }
        self.out.line(&format!("_ => {prefix}{BASELINE}({values}),"));
        self.out.close("}");
    }

    /// Allocates temporaries and calls the instance that this CPU is to run.
    pub fn dispatch(&mut self, args: &[Argument]) {
        if self.only.is_none() {
            self.out.line(&format!("let level = {}::level()?;", self.runtime));
        }
        self.allocate();
        self.out.open("unsafe {");
        self.borrow_inputs();
        self.bind_hoisted();
        // Memory that is asked for on the way may be refused.
        let guarded = self.asks_for_memory;
        if guarded {
            self.out.open(&format!("{}::or_error(|| {{", self.runtime));
        }
        self.choose("level", "", &idents(args));
        if guarded {
            self.out.close("})?;");
        }
        self.out.close("}");
        self.out.line("::core::result::Result::Ok(())");
    }
}

/// The text of a runner that calls one of the others, each for its instruction set; `runner` gives their text, by
/// instruction set, with this name.
pub fn chooser(
    name: &str,
    args: &[Argument],
    facade: &str,
    names: &[&str],
    runner: &dyn Fn(&str) -> String,
) -> String {
    let (params, values) = (signature(args), idents(args));
    let head = format!("unsafe fn {name}({params}) -> ::core::result::Result<(), ::{facade}::Error> {{\n");
    let mut text = head;
    let mut arms = String::new();
    for own in names {
        let (attribute, pattern) = match INSTANCES.iter().find(|(_, name, _)| name == own) {
            Some((isa, ..)) => (X86, format!("::{facade}::private::Level::{isa}")),
            None => ("", "_".to_owned()),
        };
        text.push_str(&format!("    {attribute}\n{}", runner(own)));
        arms.push_str(&format!("        {attribute}\n        {pattern} => unsafe {{ {own}({values}) }},\n"));
    }
    text.push_str(&format!("    match ::{facade}::private::level()? {{\n{arms}    }}\n}}\n"));
    text
}
