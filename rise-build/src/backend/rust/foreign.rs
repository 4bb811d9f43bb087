//! Calls of foreign functions of scalars.

use crate::expr::{Foreign, Literal};
use crate::loops::Value;
use crate::types::{DataType, Scalar};

use super::emit::Emitter;
use super::literal::literal;

impl Emitter<'_> {
    pub(super) fn foreign(&mut self, foreign: &Foreign, args: &[Value]) {
        let path = self.declare_foreign(foreign);
        self.call(&path, args);
    }

    /// The function of scalars; one of C is declared.
    fn declare_foreign(&mut self, foreign: &Foreign) -> String {
        if let (None, Some(symbol)) = (&foreign.rust, &foreign.c) {
            let ty = |ty: &DataType| ty.scalar().map_or("usize", Scalar::name);
            let params = foreign.params.iter().enumerate().map(|(at, param)| format!("x{at}: {}", ty(param)));
            let params = params.collect::<Vec<_>>().join(", ");
            self.declare_in_c(&format!("{symbol}({params}) -> {}", ty(&foreign.result)));
        }
        foreign.rust.as_deref().or(foreign.c.as_deref()).unwrap_or(&foreign.name).to_owned()
    }

    fn declare_in_c(&mut self, signature: &str) {
        self.function_once(&format!("    unsafe extern \"C\" {{\n        fn {signature};\n    }}\n\n"));
    }

    fn function_once(&mut self, text: &str) {
        if !self.functions.contains(text) {
            self.functions.push_str(text);
        }
    }

    /// So many lanes: by the widest version there is, else one by one.
    pub(super) fn foreign_lanes(&mut self, foreign: &Foreign, lanes: u32, args: &[Value]) {
        let Some((params, result)) = foreign.numbers() else { return self.foreign(foreign, args) };
        let version = foreign.vectors.iter().find(|version| lanes.is_multiple_of(version.lanes));
        let parts = |step: u32| {
            let part = |(at, ty): (usize, &Scalar)| {
                format!("x{at}s.as_ptr().add(l).cast::<[{ty}; {step}]>().read()")
            };
            params.iter().enumerate().map(part).collect::<Vec<_>>().join(", ")
        };
        let (step, call) = match version {
            Some(version) => match (&version.rust, &version.c) {
                (None, Some(symbol)) => {
                    let pointers: String =
                        params.iter().enumerate().map(|(at, ty)| format!("x{at}: *const {ty}, ")).collect();
                    self.declare_in_c(&format!("{symbol}({pointers}r: *mut {result})"));
                    let args: String =
                        (0..params.len()).map(|at| format!("x{at}s.as_ptr().add(l), ")).collect();
                    (version.lanes, format!("{symbol}({args}rs.as_mut_ptr().add(l))"))
                }
                (path, _) => {
                    let path = path.as_deref().unwrap_or(&foreign.name);
                    let step = version.lanes;
                    let place = format!("rs.as_mut_ptr().add(l).cast::<[{result}; {step}]>()");
                    (step, format!("{place}.write({path}({}))", parts(step)))
                }
            },
            None => {
                let path = self.declare_foreign(foreign);
                let args: Vec<String> = (0..params.len()).map(|at| format!("x{at}s[l]")).collect();
                (1, format!("rs[l] = {path}({})", args.join(", ")))
            }
        };
        let name = format!("call_{}_x{lanes}", foreign.name);
        self.function_once(&function_of_lanes(&name, &params, result, [lanes, step], &call));
        self.call(&format!("{name}::<S>"), args);
    }
}

/// The function that takes vectors.
fn function_of_lanes(
    name: &str,
    params: &[Scalar],
    result: Scalar,
    [lanes, step]: [u32; 2],
    call: &str,
) -> String {
    let list: Vec<String> =
        params.iter().enumerate().map(|(at, ty)| format!("x{at}: V<S, {ty}, {lanes}>")).collect();
    let array = |ty: Scalar| format!("[{}; {lanes}]", literal(Literal::zero(ty)));
    let mut text = format!(
        "    #[inline(always)]\n    unsafe fn {name}<S: Isa>({}) -> V<S, {result}, {lanes}> {{\n        unsafe {{\n",
        list.join(", ")
    );
    for (at, ty) in params.iter().enumerate() {
        text.push_str(&format!(
            "            let mut x{at}s = {};\n            Simd::store(x{at}, x{at}s.as_mut_ptr());\n",
            array(*ty)
        ));
    }
    text.push_str(&format!(
        "            let mut rs = {};\n            let mut l = 0usize;\n            while l < {lanes} {{\n                \
         {call};\n                l += {step};\n            }}\n            \
         <V<S, {result}, {lanes}> as Simd>::load(rs.as_ptr())\n        }}\n    }}\n\n",
        array(result)
    ));
    text
}
