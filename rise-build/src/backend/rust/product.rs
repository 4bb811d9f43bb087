//! Products by a library: the calling convention of the crate `gemm`.

use crate::backend::nat::Tight;
use crate::expr::Literal;
use crate::loops::Product;

use super::emit::Emitter;
use super::literal::literal;

impl Emitter<'_> {
    /// Calls the library, which takes all sizes and strides, on the threads of the caller's pool.
    pub(super) fn product(&mut self, product: &Product) {
        let path = product.library.rust.as_deref().unwrap_or(&product.library.name);
        let module = path.rsplit_once("::").map_or("gemm", |(module, _)| module);
        self.out.begin();
        self.out.put(&format!("{path}::<{}>(", product.scalar));
        for size in &product.sizes {
            self.nat(size, Tight::Not);
            self.out.put(", ");
        }
        for (position, matrix) in product.matrices().into_iter().enumerate() {
            self.pointer(&matrix.first);
            for stride in matrix.strides.iter().rev() {
                self.out.put(", ");
                self.nat_writer().signed(stride, Tight::Not);
            }
            self.out.put(if position == 0 { ", false, " } else { ", " });
        }
        let [keep, add] = [0, 1].map(|value| literal(Literal::small(value, product.scalar)));
        self.out.end(&format!("{keep}, {add}, false, false, false, {module}::Parallelism::Rayon(0));"));
    }
}
