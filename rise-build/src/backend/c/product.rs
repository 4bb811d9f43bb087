//! Products by a library: the calling convention of `cblas_sgemm`.

use crate::backend::nat::Tight;
use crate::loops::{Matrix, Product};
use crate::nat::Nat;
use crate::types::Scalar;

use super::emit::Emitter;
use super::types::scalar;

/// What the library calls row-major, plain and transposed matrices.
const ROW_MAJOR: u32 = 101;
const PLAIN: u32 = 111;
const TRANSPOSED: u32 = 112;

/// A matrix as the library wants it.
struct Passed<'p> {
    matrix: &'p Matrix,
    order: u32,
    /// From one line in memory to the next, and how long a line is.
    lines: [&'p Nat; 2],
}

impl Emitter<'_> {
    /// Calls the library if it can take the sizes, which are of type `int` and not 0; else adds in plain loops.
    pub(super) fn product(&mut self, product: &Product) {
        let [rows, columns, inner] = &product.sizes;
        let [a, b] = &product.factors;
        let (a, b) = (passed(a, [rows, inner]), passed(b, [inner, columns]));
        let result = passed(&product.result, [rows, columns]);
        self.declare_library(product);
        let sizes = [rows, columns, inner];
        let conditions = conditions(&sizes, &[&a, &b, &result]);
        self.out.begin();
        self.out.put("if (");
        for (position, [least, greatest]) in conditions.iter().enumerate() {
            self.out.put(if position == 0 { "" } else { " && " });
            self.side(least);
            self.out.put(" <= ");
            self.side(greatest);
        }
        self.out.put(if conditions.is_empty() { "1" } else { "" });
        self.out.end_open(") {");
        let suffix = if product.scalar == Scalar::F32 { "f" } else { "" };
        self.out.begin();
        self.out.put(&format!("{}({ROW_MAJOR}, {}, {}", symbol(product), a.order, b.order));
        sizes.into_iter().for_each(|size| self.int(size));
        self.out.put(&format!(", 1.0{suffix}"));
        self.matrix(&a);
        self.matrix(&b);
        self.out.put(&format!(", 0.0{suffix}"));
        self.matrix(&result);
        self.out.end(");");
        self.out.reopen("} else {");
        self.block(&product.as_loops());
        self.out.close("}");
    }

    fn side(&mut self, bound: &Bound) {
        match bound {
            Bound::Nat(nat) => self.nat(nat, Tight::Sum),
            Bound::Int => self.out.put("INT_MAX"),
        }
    }

    fn declare_library(&mut self, product: &Product) {
        let ty = scalar(product.scalar);
        self.foreign.insert(format!(
            "void {}(int, int, int, int, int, int, {ty}, const {ty} *, int, const {ty} *, int, {ty}, {ty} *, int);\n\n",
            symbol(product)
        ));
    }

    fn int(&mut self, nat: &Nat) {
        self.out.put(", (int)");
        self.nat(nat, Tight::Postfix);
    }

    fn matrix(&mut self, passed: &Passed) {
        self.out.put(", ");
        self.pointer(&passed.matrix.first);
        self.int(passed.lines[0]);
    }
}

fn symbol(product: &Product) -> &str {
    product.library.c.as_deref().unwrap_or(&product.library.name)
}

/// A side of a comparison.
#[derive(PartialEq)]
enum Bound {
    Nat(Nat),
    /// The greatest `int`.
    Int,
}

/// What has to hold, smaller side first, without what always does.
fn conditions(sizes: &[&Nat], matrices: &[&Passed]) -> Vec<[Bound; 2]> {
    let nat = |nat: &Nat| Bound::Nat(nat.clone());
    let mut all: Vec<[Bound; 2]> = Vec::new();
    all.extend(sizes.iter().map(|size| [Bound::Nat(Nat::lit(1)), nat(size)]));
    all.extend(sizes.iter().map(|size| [nat(size), Bound::Int]));
    for Passed { lines: [stride, length], .. } in matrices {
        all.push([nat(length), nat(stride)]);
        all.push([nat(stride), Bound::Int]);
    }
    let mut needed = Vec::new();
    for condition in all {
        let holds = match &condition {
            [Bound::Nat(a), Bound::Nat(b)] => (b - a).as_const().is_some_and(|rest| rest >= 0),
            [Bound::Nat(a), _] => a.as_const().is_some_and(|a| a <= i64::from(i32::MAX)),
            _ => false,
        };
        if !holds && !needed.contains(&condition) {
            needed.push(condition);
        }
    }
    needed
}

/// Lines are rows, or columns of a matrix that is transposed in memory. Where both lie side by side there is one of
/// them, and the longer line is the one that exists.
fn passed<'p>(matrix: &'p Matrix, [rows, columns]: [&'p Nat; 2]) -> Passed<'p> {
    let [down, right] = &matrix.strides;
    let is_one = |nat: &Nat| nat.as_const() == Some(1);
    match is_one(right) && !(is_one(down) && is_one(rows)) {
        true => Passed { matrix, order: PLAIN, lines: [down, columns] },
        false => Passed { matrix, order: TRANSPOSED, lines: [right, rows] },
    }
}
