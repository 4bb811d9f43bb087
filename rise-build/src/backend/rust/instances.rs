//! Thin instances of a generic function, one for each instruction set, and the choice between them.

use super::emit::{Argument, Emitter, idents, signature};

/// Instruction set, name of the instance, features.
const INSTANCES: [(&str, &str, &str); 2] =
    [("Avx512", "avx512", "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"), ("Avx2", "avx2", "avx2,fma")];

const X86: &str = "#[cfg(target_arch = \"x86_64\")]";

impl Emitter<'_> {
    /// `unsafe fn PREFIXavx512(…)` and so on, which call `generic`.
    pub fn instances(&self, generic: &str, prefix: &str, args: &[Argument]) -> String {
        let (runtime, params, values) = (&self.runtime, signature(args), idents(args));
        let mut text = String::new();
        let mut instance = |attributes: &str, isa: &str, name: &str| {
            text.push_str(&format!(
                "{attributes}    unsafe fn {prefix}{name}({params}) {{\n        unsafe {{ {generic}::<{runtime}::{isa}>({values}) }}\n    }}\n"
            ));
        };
        for (isa, name, features) in INSTANCES {
            instance(&format!("    {X86}\n    #[target_feature(enable = \"{features}\")]\n"), isa, name);
        }
        instance("", "Baseline", "baseline");
        text
    }

    /// `match level { … }` over the instances.
    pub fn choose(&mut self, level: &str, prefix: &str, values: &str) {
        self.out.open(&format!("match {level} {{"));
        for (isa, name, _) in INSTANCES {
            self.out.line(X86);
            self.out.line(&format!("Level::{isa} => {prefix}{name}({values}),"));
        }
        self.out.line(&format!("_ => {prefix}baseline({values}),"));
        self.out.close("}");
    }

    /// Allocates temporaries and calls the instance that this CPU is to run.
    pub fn dispatch(&mut self, args: &[Argument]) {
        self.out.line(&format!("let level = {}::level()?;", self.runtime));
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
