//! The runner of a kernel, put together from its parts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;

use crate::loops::{BufferId, ByMachine, Kernel, Part, Role, Skeletons, Stmt, Value, ValueType, walk};
use crate::machine::Machine;
use crate::names::Name;
use crate::nat::Nat;
use crate::threads;
use crate::types::Scalar;

use super::elementary::Formulas;
use super::instances::{self, Instance, chooser, served};
use super::literal::{element, literal, vector};
use super::names::names;
use super::nat::RUST;
use super::parallel::Written;
use super::short::in_order;
use crate::backend::memory::{self, Loops, Temporaries};
use crate::backend::names::Names;
use crate::backend::nat::{Known, NatWriter, Tight};
use crate::backend::text::Text;

/// An argument of the runner, the body and the functions of parallel loops.
#[derive(Clone)]
pub struct Argument {
    /// The identifier.
    pub ident: String,
    /// Its type, without `S`.
    pub ty: String,
}

/// What is being written.
pub struct Emitter<'k> {
    /// The loops.
    pub kernel: &'k Kernel,
    /// The instruction sets that the code is for.
    pub instances: &'static [Instance],
    /// What the crate of the runtime is called: `rise`.
    pub facade: String,
    /// The function under construction.
    pub out: Text,
    /// Identifiers given.
    pub names: Names,
    /// What is known of naturals in scope.
    pub known: Known,
    /// The types of registers and scalar parameters.
    pub registers: BTreeMap<Name, ValueType>,
    /// Vector types in use.
    pub vectors: BTreeSet<(Scalar, u32)>,
    /// Finished functions of parallel loops.
    pub functions: String,
    /// The parallel loops among them.
    pub written: Vec<Rc<Written>>,
    /// How they are compared.
    pub skeletons: Skeletons<'k>,
    /// Where formulas stand.
    pub formulas: Formulas,
    /// Where temporaries lie.
    pub temporaries: Temporaries,
    /// Temporaries that the current task of a parallel loop has.
    pub of_task: Vec<BufferId>,
    /// Whether threads share the iterations of the parallel loop whose function is under construction.
    pub is_shared: bool,
    /// How many loops are around what is under construction.
    pub loops: usize,
    /// How often the function under construction asks for lines of memory that go where there is room.
    pub asks_for_room: usize,
    /// Whether the runner gets [`past`].
    pub asks_for_past: bool,
    /// Whether memory is allocated on the way.
    pub asks_for_memory: bool,
    /// What the functions are in.
    pub form: Form,
    /// More bytes than these are large in the branch under construction, as far as its function's end can tell.
    pub large: Option<Nat>,
    /// Where the function under construction writes past the cache: in branches of which so many bytes decide, or
    /// elsewhere.
    pub streams: Vec<Option<Nat>>,
}

/// The text of `unsafe fn NAME(naturals, parts of parameters, outputs) -> Result<(), Error>`.
///
/// `facade` is the name under which the caller's crate knows this library.
pub fn emit(loops: &ByMachine, name: &str, facade: &str) -> String {
    let instances = instances::of(loops.best());
    // The best machine may be one that is better left alone.
    let is_used = |machine: &str| instances.iter().any(|instance| instance.is_of(machine));
    let Some(several) = loops.several().filter(|_| is_used(Machine::BEST.name)) else {
        let kernel = in_order(loops.on(instances::LEAST));
        return Emitter::new(loops, &kernel, instances, facade).runner().defined(name, facade);
    };
    let names: Vec<&str> = several.map(|(machine, _)| machine.name).collect();
    let runners = threads::each(&names, |own| {
        let kernel = in_order(loops.on(own));
        Emitter::new(loops, &kernel, served(own, &names), facade).runner()
    });
    chooser(&names, runners, facade).defined(name, facade)
}

/// Whether a kernel calls functions of the caller's: they are found from where the kernel stands, and not from a module.
fn calls_the_callers(loops: &ByMachine) -> bool {
    let mut found = false;
    let body = &loops.best().body;
    walk::values(body, &mut |value| found |= matches!(value, Value::Foreign(..)));
    walk::stmts(body, &mut |stmt| found |= matches!(stmt, Stmt::Product(_)));
    found
}

/// What the functions of a kernel are in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A module, and a long function a module in it: compilers divide their work by modules.
    Module,
    /// A function.
    Function,
}

/// What runs a kernel, in parts.
pub struct Runner {
    /// Its arguments.
    pub args: Vec<Argument>,
    /// Functions and other items.
    pub items: String,
    /// What it does.
    pub body: String,
    /// What the functions are in.
    pub form: Form,
}

impl Runner {
    /// It as a whole; of a module the function `run` is called.
    pub fn item(&self, name: &str, facade: &str) -> String {
        let (args, items, body) = (signature(&self.args), &self.items, &self.body);
        let result = format!("::core::result::Result<(), ::{facade}::Error>");
        match self.form {
            Form::Module => format!(
                "mod {name} {{\n{items}#[inline]\npub unsafe fn run({args}) -> {result} {{\n{body}}}\n}}\n"
            ),
            Form::Function => format!("unsafe fn {name}({args}) -> {result} {{\n{items}{body}}}\n"),
        }
    }

    /// What can be called by the name.
    fn defined(&self, name: &str, facade: &str) -> String {
        let hidden = format!("#[doc(hidden)]\n#[allow({})]\n", super::ALLOWED);
        let item = self.item(name, facade);
        match self.form {
            Form::Module => format!("{hidden}{item}use {name}::run as {name};\n"),
            Form::Function => format!("{hidden}#[inline]\n{item}"),
        }
    }
}

impl<'k> Emitter<'k> {
    fn new(loops: &ByMachine, kernel: &'k Kernel, instances: &'static [Instance], facade: &str) -> Self {
        Emitter {
            kernel,
            instances,
            facade: facade.to_owned(),
            out: Text::at(1),
            names: names(),
            known: Known::new(&kernel.facts),
            registers: BTreeMap::new(),
            vectors: BTreeSet::new(),
            functions: String::new(),
            written: Vec::new(),
            skeletons: Skeletons::new(kernel),
            formulas: Formulas::of(&kernel.body),
            temporaries: memory::temporaries(kernel, Loops::Parallel),
            of_task: Vec::new(),
            is_shared: false,
            loops: 0,
            asks_for_room: 0,
            asks_for_past: loops.ask_for_past(),
            asks_for_memory: false,
            form: if calls_the_callers(loops) { Form::Function } else { Form::Module },
            large: None,
            streams: Vec::new(),
        }
    }
}

impl Emitter<'_> {
    fn runner(&mut self) -> Runner {
        let args = self.arguments();
        let inputs = self.inputs();
        let mut inner: Vec<Argument> = args.iter().map(|arg| borrowed(arg, &inputs)).collect();
        inner.extend(self.hoisted());
        self.body(&inner);
        self.dispatch(&inner);
        Runner {
            args,
            items: self.preamble() + &std::mem::take(&mut self.functions),
            body: std::mem::take(&mut self.out).finish(),
            form: self.form,
        }
    }

    /// The generic body and its instances.
    fn body(&mut self, args: &[Argument]) {
        let kernel = self.kernel;
        let params = self.with_mut(args);
        self.open_function("", "body", "", &params);
        self.told_of_room(|e| {
            for (_, pointer, slice) in e.inputs() {
                e.out.line(&format!("let {pointer} = {slice}.as_ptr();"));
            }
            e.point_at_constants();
            for param in &kernel.params {
                for part in &param.parts {
                    if let Part::Scalar(name, ty) = part {
                        e.load_parameter(&name.clone(), *ty);
                    }
                }
            }
            e.block(&kernel.body);
            e.end_streams(Vec::new());
        });
        self.out.close("}");
        let body = std::mem::replace(&mut self.out, Text::at(1)).finish();
        self.functions.push_str(&body);
        self.functions.push('\n');
        let instances = self.instances("", "body", "", args);
        self.functions.push_str(&instances);
        self.functions.push('\n');
    }

    /// At the end of a function: others see what it wrote past the cache. (Not earlier, and not where it wrote nothing
    /// so, since waiting takes time.)
    pub fn end_streams(&mut self, outside: Vec<Option<Nat>>) {
        let streams = std::mem::replace(&mut self.streams, outside);
        let fence = "private::fence();";
        match streams.into_iter().collect::<Option<Vec<Nat>>>() {
            None => self.out.line(fence),
            Some(large) => {
                for bytes in large {
                    self.only_if(&Value::Large(bytes), |e| e.out.line(fence));
                }
            }
        }
    }

    /// A short vector arrives as an array.
    fn load_parameter(&mut self, name: &Name, ty: ValueType) {
        if ty.lanes > 1 {
            let (ident, vector) = (self.names.value(name), self.vector(ty));
            self.out.line(&format!("let {ident} = {vector}::load({ident}.as_ptr());"));
        }
    }

    fn arguments(&mut self) -> Vec<Argument> {
        let kernel = self.kernel;
        let mut args = Vec::new();
        for nat in &kernel.nats {
            args.push(Argument { ident: self.names.nat(nat), ty: "usize".into() });
        }
        for part in kernel.params.iter().flat_map(|param| &param.parts) {
            args.push(match part {
                Part::Buffer(id) => self.pointer_argument(*id),
                Part::Nat(var) => Argument { ident: self.names.nat(var), ty: "usize".into() },
                Part::Scalar(name, ty) => {
                    self.registers.insert(name.clone(), *ty);
                    Argument { ident: self.names.value(name), ty: passed(*ty) }
                }
            });
        }
        for output in &kernel.outputs {
            args.push(self.pointer_argument(output.buffer));
        }
        args.extend(self.asks_for_past.then(past));
        args
    }

    /// The buffers of the caller's that are only read, with the identifiers of pointer and slice.
    ///
    /// Inside, they are passed as shared slices, so that LLVM knows that no store changes them.
    pub fn inputs(&mut self) -> Vec<(BufferId, String, String)> {
        let kernel = self.kernel;
        let parts = kernel.params.iter().flat_map(|param| &param.parts);
        let ids = parts.filter_map(|part| if let Part::Buffer(id) = part { Some(*id) } else { None });
        ids.map(|id| (id, self.pointer_name(id), self.slice_name(id))).collect()
    }

    /// The buffers whose elements are part of the program.
    fn constants(&self) -> Vec<BufferId> {
        let ids = (0u32..).map(BufferId).zip(&self.kernel.buffers);
        ids.filter(|(_, buffer)| buffer.role == Role::Constant).map(|(id, _)| id).collect()
    }

    /// What a function does, which is told at its beginning whether the first cache has room, if it asks for lines.
    pub fn told_of_room(&mut self, inside: impl FnOnce(&mut Self)) {
        let (begin, outside) = (self.out.len(), std::mem::take(&mut self.asks_for_room));
        inside(self);
        if std::mem::replace(&mut self.asks_for_room, outside) > 0 {
            self.out.line_at(begin, "let is_roomy = private::is_roomy();");
        }
    }

    /// The pointers to constants, at the beginning of a function.
    pub fn point_at_constants(&mut self) {
        for id in self.constants() {
            let (pointer, name) = (self.pointer_name(id), self.slice_name(id));
            self.out.line(&format!("let {pointer} = {name}.as_ptr();"));
        }
    }

    /// The identifier of the slice behind an input, and of the static that holds a constant.
    pub fn slice_name(&mut self, id: BufferId) -> String {
        let pointer = self.pointer_name(id);
        match self.kernel.buffer(id).role {
            Role::Constant => self.names.slice(id, &pointer.to_uppercase()),
            _ => self.names.slice(id, &format!("{pointer}_in")),
        }
    }

    /// A buffer as an argument.
    pub fn pointer_argument(&mut self, id: BufferId) -> Argument {
        let buffer = self.kernel.buffer(id);
        let mutability = if matches!(buffer.role, Role::Input | Role::Constant) { "const" } else { "mut" };
        Argument { ident: self.pointer_name(id), ty: format!("*{mutability} {}", element(&buffer.element)) }
    }

    /// The identifier of the pointer to a buffer.
    pub fn pointer_name(&mut self, id: BufferId) -> String {
        self.names.buffer(id, &self.kernel.buffer(id).name)
    }

    /// Pointers that loops exchange are mutable.
    fn with_mut(&mut self, args: &[Argument]) -> String {
        let swapped: Vec<BufferId> = self.temporaries.swapped.iter().copied().collect();
        let swapped: Vec<String> = swapped.into_iter().map(|id| self.pointer_name(id)).collect();
        let args = args.iter().map(|arg| {
            let prefix = if swapped.contains(&arg.ident) { "mut " } else { "" };
            format!("{prefix}{}: {}", arg.ident, arg.ty)
        });
        args.collect::<Vec<_>>().join(", ")
    }

    fn preamble(&mut self) -> String {
        let facade = &self.facade;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "    use ::core::{{cmp::{{max, min}}, ops::Range}};\n    use ::{facade}::private::{{self, Cost, Float, Int, Isa, Level, Mask, SendPtr, Share, Simd, V, apart, ask, ask_by_room, div, floor_div, floor_rem, for_each, rem}};"
        );
        if let Some(isa) = self.only_isa() {
            let _ = writeln!(text, "    type S = private::{isa};");
        }
        for (scalar, lanes) in &self.vectors {
            let name = vector(ValueType { scalar: *scalar, lanes: *lanes });
            let _ = writeln!(text, "    type {name}{} = V<S, {scalar}, {lanes}>;", self.parameter());
        }
        for id in self.constants() {
            let (name, buffer) = (self.slice_name(id), self.kernel.buffer(id));
            let values: Vec<String> = buffer.values.iter().map(|value| literal(*value)).collect();
            let (ty, len) = (element(&buffer.element), values.len());
            let _ = writeln!(text, "    static {name}: [{ty}; {len}] = [{}];", values.join(", "));
        }
        if self.temporaries.any_on_stack {
            text.push_str("    #[repr(C, align(64))]\n    struct Stack<T>(T);\n");
        }
        text.push('\n');
        text
    }

    /// Writes a natural.
    pub fn nat(&mut self, nat: &Nat, tight: Tight) {
        self.nat_writer().unsigned(nat, tight);
    }

    /// Whatever writes naturals, here.
    pub fn nat_writer(&mut self) -> NatWriter<'_> {
        NatWriter {
            dialect: &RUST,
            functions: &mut self.functions,
            out: &mut self.out,
            names: &mut self.names,
            known: &mut self.known,
        }
    }
}

/// Whether results may be written past the caches: see [`Value::Past`].
pub fn past() -> Argument {
    Argument { ident: "past".into(), ty: "bool".into() }
}

/// A pointer to an input as a slice; other arguments as they are.
fn borrowed(arg: &Argument, inputs: &[(BufferId, String, String)]) -> Argument {
    match inputs.iter().find(|(_, pointer, _)| *pointer == arg.ident) {
        Some((_, _, slice)) => {
            Argument { ident: slice.clone(), ty: format!("&[{}]", arg.ty.trim_start_matches("*const ")) }
        }
        None => arg.clone(),
    }
}

/// The type of a scalar or vector argument.
pub fn passed(ty: ValueType) -> String {
    match ty.lanes {
        1 => ty.scalar.name().to_owned(),
        lanes => format!("[{}; {lanes}]", ty.scalar),
    }
}

/// Arguments as parameters.
pub fn signature(args: &[Argument]) -> String {
    args.iter().map(|arg| format!("{}: {}", arg.ident, arg.ty)).collect::<Vec<_>>().join(", ")
}

/// Arguments as they are passed on.
pub fn idents(args: &[Argument]) -> String {
    args.iter().map(|arg| arg.ident.as_str()).collect::<Vec<_>>().join(", ")
}
