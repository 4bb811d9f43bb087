//! How naturals are spelt.

use crate::backend::nat::{Dialect, NatWriter, Tight};
use crate::nat::{Nat, Summation};

/// Of type `size_t`; with a sign, `ptrdiff_t`.
pub const NATURALS: Dialect = Dialect {
    min: ["size_min", "diff_min"],
    max: ["size_max", "diff_max"],
    div: ["size_div", "diff_div"],
    rem: ["size_rem", "diff_rem"],
    cast: [("(size_t)", ""), ("(ptrdiff_t)", "")],
    literal: ["", ""],
    monus: ["size_monus(", ", ", ")"],
    pow: ["size_pow(", ", ", ")"],
    sum,
};

/// A loop that adds up is a function of what it reads.
fn sum(w: &mut NatWriter, sum: &Summation) {
    let name = w.names.fresh("total");
    let free: Vec<Nat> = sum.body.vars().iter().filter(|var| **var != sum.var).map(Nat::var).collect();
    let params: Vec<String> =
        free.iter().filter_map(Nat::as_var).map(|var| format!(", size_t {}", w.names.nat(var))).collect();
    w.known.push(&sum.var, None);
    let outer = std::mem::take(w.out);
    let var = w.names.nat(&sum.var);
    w.out.open(&format!("static size_t {name}(size_t from, size_t upto{}) {{", params.concat()));
    w.out.line("size_t sum = 0;");
    w.out.open(&format!("for (size_t {var} = from; {var} < upto; {var} += 1) {{"));
    w.out.begin();
    w.out.put("sum += ");
    w.unsigned(&sum.body, Tight::Not);
    w.out.end(";");
    w.out.close("}");
    w.out.line("return sum;");
    w.out.close("}");
    let function = std::mem::replace(w.out, outer).finish();
    w.functions.push_str(&function);
    w.functions.push('\n');
    w.known.pop_to(w.known.depth() - 1);
    w.out.put(&format!("{name}("));
    for (at, arg) in [&sum.from, &sum.upto].into_iter().chain(&free).enumerate() {
        w.out.put(if at == 0 { "" } else { ", " });
        w.unsigned(arg, Tight::Not);
    }
    w.out.put(")");
}
