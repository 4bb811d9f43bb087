//! `auto` keeps the meaning of every random program up to how sums are associated, and stage 4 accepts it.

use proptest::prelude::*;
use rise_build::dpia::functional::{Target, from_expr};
use rise_build::expr::{Literal, Value, interpret};
use rise_build::machine::MACHINES;
use rise_build::rewrite::auto;
use rise_semantics::values::{Numbers, arguments};
use rise_semantics::{Choices, program};

const SIZES: [[i128; 2]; 6] = [[0, 0], [1, 1], [3, 2], [7, 5], [0, 4], [35, 19]];

fn close(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Undefined, _) | (_, Value::Undefined) => true,
        (Value::Scalar(Literal::Float(a, s)), Value::Scalar(Literal::Float(b, t))) => {
            let near = (a - b).abs() <= 1e-4 * (1.0 + a.abs().max(b.abs()));
            s == t && (a == b || near || a.is_nan() || b.is_nan() || a.is_infinite() || b.is_infinite())
        }
        (Value::Vector(a), Value::Vector(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(&Value::Scalar(*a), &Value::Scalar(*b)))
        }
        (Value::Array(a), Value::Array(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b))
        }
        (a, b) => a == b,
    }
}

proptest! {
    #![proptest_config(rise_semantics::config(200))]

    #[test]
    fn auto_keeps_the_meaning(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let kernel = program(&mut Choices::new(&bytes)).kernel;
        for target in [Target::Rust, Target::C] {
            let machine = &MACHINES[bytes.len() % MACHINES.len()];
            let best = auto(&kernel, target, machine);
            if let Err(wrong) = from_expr(&best, target) {
                panic!("{:?}\n{kernel}\n{best}", wrong.iter().map(rise_build::diagnostics::Diagnostic::headline).collect::<Vec<_>>());
            }
            if target == Target::C {
                continue;
            }
            for sizes in SIZES {
                let args = arguments(&kernel, &sizes, &mut Numbers::new(7));
                let (expected, found) = (interpret(&kernel, &sizes, &args), interpret(&best, &sizes, &args));
                if let Ok(expected) = expected {
                    let found = found.unwrap_or_else(|failure| panic!("{failure}\n{kernel}\n{best}"));
                    assert!(close(&expected, &found), "{expected:?}\n{found:?}\n{kernel}\n{best}");
                }
            }
        }
    }
}
