//! Calls of foreign functions of scalars.

use crate::backend::c_family::short;
use crate::expr::Foreign;
use crate::loops::{Value, ValueType};
use crate::types::{DataType, Scalar};

use super::emit::Emitter;
use super::types::{register, scalar};

impl Emitter<'_> {
    pub(super) fn foreign(&mut self, foreign: &Foreign, args: &[Value]) {
        let function = self.declare_foreign(foreign);
        self.call(&function, &args.iter().collect::<Vec<_>>());
    }

    /// The function of scalars.
    fn declare_foreign(&mut self, foreign: &Foreign) -> String {
        let function = foreign.c.as_deref().unwrap_or(&foreign.name).to_owned();
        let ty = |ty: &DataType| ty.scalar().map_or("size_t", scalar);
        let params: Vec<&str> = foreign.params.iter().map(ty).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        self.foreign.insert(format!("{} {function}({params});\n\n", ty(&foreign.result)));
        function
    }

    /// So many lanes: by the widest version there is, else one by one; lanes go through memory, since vectors of
    /// different instruction sets are passed in different ways.
    pub(super) fn foreign_lanes(&mut self, foreign: &Foreign, lanes: u32, args: &[Value]) {
        let Some((params, result)) = foreign.numbers() else { return self.foreign(foreign, args) };
        let mut versions = foreign.vectors.iter().filter(|version| lanes.is_multiple_of(version.lanes));
        let version = versions.find_map(|version| Some((version.c.clone()?, version.lanes)));
        let (step, call) = match version {
            Some((function, step)) => {
                let pointers: Vec<String> =
                    params.iter().map(|ty| format!("const {} *", scalar(*ty))).collect();
                let pointers = pointers.iter().map(|ty| format!("{ty}, ")).collect::<String>();
                self.foreign.insert(format!("void {function}({pointers}{} *);\n\n", scalar(result)));
                let args: String = (0..params.len()).map(|at| format!("x{at}s + l, ")).collect();
                (step, format!("{function}({args}rs + l)"))
            }
            None => {
                let function = self.declare_foreign(foreign);
                let args: Vec<String> = (0..params.len()).map(|at| format!("x{at}s[l]")).collect();
                (1, format!("rs[l] = {function}({})", args.join(", ")))
            }
        };
        let name = format!("call_{}_x{lanes}", foreign.name);
        let text = function_of_lanes(&name, &params, result, [lanes, step], &call);
        if !self.functions.contains(&text) {
            self.functions.push_str(&text);
        }
        self.call(&name, &args.iter().collect::<Vec<_>>());
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
    let vector = |scalar: Scalar| ValueType { scalar, lanes };
    let list: Vec<String> =
        params.iter().enumerate().map(|(at, ty)| format!("{} x{at}", register(vector(*ty)))).collect();
    let mut text = format!("RISE_INLINE {} {name}({}) {{\n", register(vector(result)), list.join(", "));
    for (at, ty) in params.iter().enumerate() {
        let (c, helper) = (scalar(*ty), short(vector(*ty)));
        text.push_str(&format!("    {c} x{at}s[{lanes}];\n    {helper}_store(x{at}s, x{at});\n"));
    }
    let (c, helper) = (scalar(result), short(vector(result)));
    text.push_str(&format!(
        "    {c} rs[{lanes}];\n    for (int l = 0; l < {lanes}; l += {step}) {{\n        {call};\n    }}\n    return {helper}_load(rs);\n}}\n\n"
    ));
    text
}
