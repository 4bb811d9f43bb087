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

    /// The function of scalars: one of C is declared, one of Rust has a function of the promised type around it,
    /// so that a path or type that does not fit is told of once.
    fn declare_foreign(&mut self, foreign: &Foreign) -> String {
        let ty = |ty: &DataType| ty.scalar().map_or("usize", Scalar::name).to_owned();
        let params: Vec<String> = foreign.params.iter().map(ty).collect();
        match (&foreign.rust, &foreign.c) {
            (None, Some(symbol)) => {
                self.declare_in_c(&format!("{symbol}({}) -> {}", named(&params), ty(&foreign.result)));
                symbol.clone()
            }
            (path, _) => self.wrapped(foreign, path.as_deref(), "", &params, &ty(&foreign.result)),
        }
    }

    /// A function around that of a path; its name.
    fn wrapped(
        &mut self,
        foreign: &Foreign,
        path: Option<&str>,
        suffix: &str,
        params: &[String],
        result: &str,
    ) -> String {
        let name = format!("foreign_{}{suffix}", foreign.name.trim_start_matches("r#"));
        let args: Vec<String> = (0..params.len()).map(|at| format!("x{at}")).collect();
        let (params, path) = (named(params), path.unwrap_or(&foreign.name));
        self.function_once(&format!(
            "    #[inline(always)]\n    fn {name}({params}) -> {result} {{\n        {path}({})\n    }}\n\n",
            args.join(", ")
        ));
        name
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
                    let step = version.lanes;
                    let array = |ty: &Scalar| format!("[{ty}; {step}]");
                    let types: Vec<String> = params.iter().map(array).collect();
                    let suffix = format!("_x{step}");
                    let call = self.wrapped(foreign, path.as_deref(), &suffix, &types, &array(&result));
                    let place = format!("rs.as_mut_ptr().add(l).cast::<[{result}; {step}]>()");
                    (step, format!("{place}.write({call}({}))", parts(step)))
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

/// Parameters of these types.
fn named(types: &[String]) -> String {
    types.iter().enumerate().map(|(at, ty)| format!("x{at}: {ty}")).collect::<Vec<_>>().join(", ")
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
        "    #[inline(always)]\n    unsafe fn {name}<S: Isa>({}) -> V<S, {result}, {lanes}> {{\n",
        list.join(", ")
    );
    for (at, ty) in params.iter().enumerate() {
        text.push_str(&format!(
            "        let mut x{at}s = {};\n        Simd::store(x{at}, x{at}s.as_mut_ptr());\n",
            array(*ty)
        ));
    }
    text.push_str(&format!(
        "        let mut rs = {};\n        let mut l = 0usize;\n        while l < {lanes} {{\n            \
         {call};\n            l += {step};\n        }}\n        \
         <V<S, {result}, {lanes}> as Simd>::load(rs.as_ptr())\n    }}\n\n",
        array(result)
    ));
    text
}
