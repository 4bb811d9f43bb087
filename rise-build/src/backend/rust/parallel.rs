//! Parallel loops: the iterations become a function of their own, with instances for each instruction set;
//! the closure that the runtime gets only calls the instance of the caller's.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::backend::cost::{cost_of_iteration, cost_of_own};
use crate::backend::memory::{Loops, of_each_task};
use crate::backend::shared::may_be_shared;
use crate::backend::text::Text;
use crate::loops::{Loop, Skeleton, Told};
use crate::nat::{Atom, Nat};

use super::captured::Way;
use super::emit::{Argument, Emitter, Form, signature};
use super::outlined::{has_loops, length, passed_on};

/// Loops of more statements are modules of their own.
const APART: usize = 60;

/// A function of its own.
pub struct Function {
    /// It and its instances.
    pub text: String,
    /// What stands before an instruction set's name in calls.
    pub instances: String,
    /// What is called where it is to run in place: too long a function is not.
    in_place: Option<String>,
}

/// A parallel loop whose function is written.
pub struct Written {
    looped: Loop,
    skeleton: Skeleton,
    name: String,
    function: Rc<Function>,
}

impl Emitter<'_> {
    /// A parallel loop.
    pub fn parallel(&mut self, inner: &Loop) {
        // Who has a share of an iteration shares nothing in it again.
        let is_shared = !self.is_shared && may_be_shared(inner);
        let outside = std::mem::replace(&mut self.is_shared, is_shared);
        let skeleton = self.skeletons.of(inner);
        let (function, captured) = match self.written(inner, &skeleton) {
            Some(again) => again,
            None => self.write(inner, skeleton),
        };
        self.is_shared = outside;
        self.spawn(inner, is_shared, &function, &captured);
    }

    /// Writes the function of a loop; gives what it captures too.
    fn write(&mut self, inner: &Loop, skeleton: Skeleton) -> (Rc<Function>, Vec<(Argument, Way)>) {
        let captured = self.captured(&inner.body, Some(&inner.var));
        let var = self.names.nat(&inner.var);
        let name = self.names.fresh(&format!("{var}_loop"));
        let function = Rc::new(self.function(inner, &name, &captured));
        self.functions.push_str(&function.text);
        let written = Written { looped: inner.clone(), skeleton, name, function: function.clone() };
        self.written.push(Rc::new(written));
        (function, captured)
    }

    /// The function of a loop that was written before, if it does the same, and what it is to be told.
    ///
    /// What is known of naturals may differ from place to place, and with it how they are computed. So the function is
    /// written again where it is to serve, and has to say the same.
    fn written(&mut self, inner: &Loop, skeleton: &Skeleton) -> Option<(Rc<Function>, Vec<(Argument, Way)>)> {
        let told =
            |before: &Rc<Written>| Some((before.clone(), self.skeletons.told(&before.skeleton, skeleton)?));
        let (before, told) = self.written.iter().find_map(told)?;
        let Told { naturals, buffers } = told;
        // Where the loop has no iterations there may be no such number.
        if !naturals.iter().all(|(_, value)| self.known.nonneg(value)) {
            return None;
        }
        let looped = Loop { count: inner.count.clone(), ..before.looped.clone() };
        let (functions, written, depth) = (self.functions.len(), self.written.len(), self.known.depth());
        naturals.iter().for_each(|(var, value)| self.known.equate(var, value));
        let outside = self.names.enter([]);
        let mut captured = self.captured(&looped.body, Some(&looped.var));
        let function = self.function(&looped, &before.name, &captured);
        let idents: Vec<String> = naturals.iter().map(|(var, _)| self.names.nat(var)).collect();
        self.names.leave(outside);
        self.known.pop_to(depth);
        let passed: BTreeSet<&str> = captured.iter().map(|(arg, _)| arg.ident.as_str()).collect();
        if function.text != before.function.text || passed.len() < captured.len() {
            self.functions.truncate(functions);
            self.written.truncate(written);
            return None;
        }
        let mut pairs = Vec::new();
        for (own, other) in buffers {
            pairs.extend(self.captured_buffer(own).zip(self.captured_buffer(other)));
        }
        for passed in &mut captured {
            if let Some(at) = idents.iter().position(|ident| *ident == passed.0.ident) {
                let (var, value) = &naturals[at];
                passed.0.ident = self.operand(var.text(), value);
            } else if let Some((_, other)) = pairs.iter().find(|(own, _)| own.0.ident == passed.0.ident) {
                *passed = other.clone();
            }
        }
        Some((before.function.clone(), captured))
    }

    /// `unsafe fn i_loop<S: Isa>(range, …)` and its instances.
    fn function(&mut self, inner: &Loop, name: &str, captured: &[(Argument, Way)]) -> Function {
        let range = Argument { ident: "range".into(), ty: "Range<usize>".into() };
        let is_long = length(&inner.body) > APART;
        self.function_of(name, is_long, Some(range), captured, |e| {
            let streams = std::mem::take(&mut e.streams);
            let mine = e.memory_of_task(&of_each_task(e.kernel, inner, Loops::Parallel));
            let outside = std::mem::replace(&mut e.of_task, mine);
            let var = e.names.nat(&inner.var);
            e.out.line(&format!("let mut {var} = range.start;"));
            e.out.open(&format!("while {var} < range.end {{"));
            e.iteration(inner);
            e.out.line(&format!("{var} += 1;"));
            e.out.close("}");
            e.end_streams(streams);
            e.of_task = outside;
        })
    }

    /// A function, with its instances, of what it is `given`, of the share of an iteration that threads have, and of what
    /// it has `captured`; a long one in a module of its own.
    pub fn function_of(
        &mut self,
        name: &str,
        is_long: bool,
        given: Option<Argument>,
        captured: &[(Argument, Way)],
        inside: impl FnOnce(&mut Self),
    ) -> Function {
        let outer = std::mem::replace(&mut self.out, Text::at(1));
        let outside = self.names.enter(captured.iter().map(|(arg, _)| arg.ident.as_str()));
        let share = || Argument { ident: "share".into(), ty: "Share".into() };
        let mut args: Vec<Argument> = given.into_iter().collect();
        args.extend(self.is_shared.then(share));
        args.extend(captured.iter().map(|(arg, _)| arg.clone()));
        let is_module = is_long && self.form == Form::Module;
        let by_name = format!("{name}_");
        let (visible, prefix) = if is_module { ("pub ", "") } else { ("", by_name.as_str()) };
        self.open_function(visible, name, prefix, &signature(&args));
        self.told_of_room(|e| {
            e.unpack(captured);
            inside(e);
        });
        self.out.close("}");
        self.names.leave(outside);
        let text = std::mem::replace(&mut self.out, outer).finish();
        let text = text + &self.instances(visible, name, prefix, &args);
        let (text, instances) = match is_module {
            true => (format!("mod {name} {{\n    use super::*;\n{text}}}\n"), format!("{name}::")),
            false => (text + "\n", by_name),
        };
        let whole = self.only().map_or_else(|| format!("{name}::<S>"), |own| own.of(&instances));
        Function { text, instances, in_place: (!is_long).then_some(whole) }
    }

    fn spawn(&mut self, inner: &Loop, is_shared: bool, function: &Function, captured: &[(Argument, Way)]) {
        let var = self.names.nat(&inner.var);
        let count = self.operand(&format!("{var}_end"), &inner.count);
        let cost = self.cost(&cost_of_iteration(self.kernel, inner));
        // A call on few elements has no more to do here than to see that.
        self.out.open(&format!("if 0 < {count} {{"));
        self.out.line(&format!("let cost = {cost};"));
        if is_shared {
            let own = self.cost(&cost_of_own(self.kernel, inner));
            self.out.line(&format!("let own = {own};"));
        }
        // Where a loop around comes here often, a task takes longer than a few short iterations. (Loops inside are better
        // alone: with those around them compilers give each of their addresses a register.)
        let is_short = self.loops > 0 && !is_shared && !has_loops(&inner.body);
        match function.in_place.as_ref().filter(|_| is_short) {
            Some(whole) => {
                let is_soon = if self.is_shared { "share.is_soon" } else { "private::is_soon" };
                let values = captured.iter().map(|(arg, way)| format!(", {}", passed_on(arg, way)));
                self.out.open(&format!("if {is_soon}({count}, cost) {{"));
                self.out.line(&format!("{whole}(0..{count}{});", values.collect::<String>()));
                self.out.reopen("} else {");
                self.share_out(&count, is_shared, function, captured);
                self.out.close("}");
            }
            None => self.share_out(&count, is_shared, function, captured),
        }
        self.out.close("}");
    }

    /// Has the runtime run the iterations.
    fn share_out(&mut self, count: &str, is_shared: bool, function: &Function, captured: &[(Argument, Way)]) {
        captured.iter().filter_map(|(arg, way)| send(arg, way)).for_each(|line| self.out.line(&line));
        let share = if is_shared { ", share: Share" } else { "" };
        self.out.open(&format!("let task = move |range: Range<usize>{share}| {{"));
        let mut values = vec!["range".to_owned()];
        values.extend(is_shared.then(|| "share".to_owned()));
        values.extend(captured.iter().map(|(arg, way)| receive(arg, way)));
        self.choose("S::LEVEL", &function.instances, &values.join(", "));
        self.out.close("};");
        let call = match (is_shared, self.is_shared) {
            (true, _) => format!("private::for_each_shared({count}, cost, own, &task);"),
            (false, true) => format!("share.for_each({count}, cost, &task);"),
            (false, false) => format!("for_each({count}, cost, &task);"),
        };
        self.out.line(&call);
    }
}

impl Emitter<'_> {
    /// A cost: it grows with sizes that no memory has to hold.
    fn cost(&mut self, cost: &Nat) -> String {
        let mut sum = String::new();
        for (coeff, factors) in cost.terms() {
            let mut product: Vec<String> = Vec::new();
            for (atom, power) in factors {
                let factor = self.factor_of_cost(atom);
                product.extend((0..*power).map(|_| factor.clone()));
            }
            if coeff != 1 || product.is_empty() {
                product.push(coeff.to_string());
            }
            // A literal begins no method call: where it stands alone, it is all that there is.
            let first = product.remove(0);
            let first = if first.contains(' ') { format!("({first})") } else { first };
            let times = product.iter().map(|factor| format!(".times({factor})"));
            let product = format!("{first}{}", times.collect::<String>());
            sum = if sum.is_empty() { product } else { format!("{sum}.plus({product})") };
        }
        if sum.is_empty() { "0".into() } else { sum }
    }

    fn factor_of_cost(&mut self, atom: &Atom) -> String {
        match atom {
            Atom::Var(var) => self.names.nat(var),
            Atom::Div(a, b) => format!("{} / {}", self.cost(a), b.as_const().unwrap_or(1)),
            _ => "usize::MAX".into(),
        }
    }
}

/// What makes of an argument one that threads may share, unless it is such.
fn send(arg: &Argument, way: &Way) -> Option<String> {
    let ident = &arg.ident;
    let pointer = match way {
        Way::Copy | Way::Slice(_) => return None,
        Way::Pointer => format!("SendPtr::new({ident})"),
        Way::Vector(ty) => format!("SendPtr::of((&raw const {ident}).cast::<{}>())", ty.scalar),
    };
    Some(format!("let {ident} = {pointer};"))
}

fn receive(arg: &Argument, way: &Way) -> String {
    match way {
        Way::Copy | Way::Slice(_) => arg.ident.clone(),
        Way::Pointer | Way::Vector(_) => format!("{}.get()", arg.ident),
    }
}
