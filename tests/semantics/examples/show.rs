//! Prints random programs.

use rise_semantics::values::Numbers;
use rise_semantics::{Choices, program};

#[allow(clippy::print_stdout)]
fn main() {
    let mut numbers = Numbers::new(5);
    for _ in 0..8 {
        let bytes: Vec<u8> = (0..200).map(|_| numbers.next() as u8).collect();
        println!("{}\n", program(&mut Choices::new(&bytes)).kernel);
    }
}
