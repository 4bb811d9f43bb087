//! Elementary functions: accuracy, and one set of bits on every instruction set.

use super::*;

/// What the error of a result is measured against, and how.
trait Measured: Sample + Float<LowerHalf = Self> {
    /// Units in the last place from `expected` to `self`; 0 for equal specials.
    fn ulps(self, expected: f64) -> f64;
    fn wide(self) -> f64;
    fn narrow(x: f64) -> Self;
    /// `TOLERANCE` is against the standard library's `f64`, itself off by up to one unit where `Self` is that.
    const TOLERANCE: f64;
}

macro_rules! measured {
    ($($t:ident $bits:ident $tolerance:literal;)*) => {$(
        impl Measured for $t {
            const TOLERANCE: f64 = $tolerance;

            fn wide(self) -> f64 {
                self as f64
            }

            fn narrow(x: f64) -> $t {
                x as $t
            }

            fn ulps(self, expected: f64) -> f64 {
                let nearest = expected as $t;
                if self.same(nearest) {
                    return 0.0;
                }
                if !self.is_finite() || !nearest.is_finite() {
                    // The greatest number and infinity are neighbours.
                    let (a, b) = (self.clamp($t::MIN, $t::MAX), nearest.clamp($t::MIN, $t::MAX));
                    return if a == b { 1.0 } else { f64::INFINITY };
                }
                if self == 0.0 && nearest == 0.0 {
                    return f64::INFINITY;
                }
                let unit = ($t::from_bits(nearest.abs().to_bits() + 1) - nearest.abs()) as f64;
                ((self as f64 - expected) / unit).abs()
            }
        }
    )*};
}

measured! {
    f32 u32 2.5;
    f64 u64 3.0;
}

/// Arguments: special ones, and random ones of every size and near where functions change.
fn arguments<T: Measured>() -> Vec<T> {
    let values = &mut Values::new(11);
    let mut all = T::SPECIAL.to_vec();
    for i in 0..4000 {
        let x = (values.bits() >> 11) as f64 / (1u64 << 53) as f64;
        all.push(values.next());
        all.push(T::narrow((x - 0.5) * 2.0));
        all.push(T::narrow((x - 0.5) * 200.0));
        all.push(T::narrow((x - 0.5) * 1600.0));
        all.push(T::narrow(1.0 + (x - 0.5) / 16.0));
        all.push(T::narrow(f64::from(i) * std::f64::consts::FRAC_PI_4));
        all.push(T::narrow(x * 2f64.powi(i % 126)));
    }
    all
}

fn check_accuracy<T: Measured>(name: &str, function: fn(T) -> T, reference: fn(f64) -> f64) {
    let mut worst = (0.0, T::ZERO);
    for x in arguments::<T>() {
        let error = function(x).ulps(reference(x.wide()));
        if error > worst.0 {
            worst = (error, x);
        }
    }
    let x = worst.1;
    assert!(
        worst.0 <= T::TOLERANCE,
        "{name}({x:?}) is {:?}, expected {:e}: {} ulp",
        function(x),
        reference(x.wide()),
        worst.0
    );
}

fn check_all<T: Measured>() {
    check_accuracy::<T>("exp", Float::exp, f64::exp);
    check_accuracy::<T>("exp2", Float::exp2, f64::exp2);
    check_accuracy::<T>("ln", Float::ln, f64::ln);
    check_accuracy::<T>("log2", Float::log2, f64::log2);
    check_accuracy::<T>("sin", Float::sin, f64::sin);
    check_accuracy::<T>("cos", Float::cos, f64::cos);
    check_accuracy::<T>("tan", Float::tan, f64::tan);
    check_accuracy::<T>("tanh", Float::tanh, f64::tanh);
}

#[test]
fn functions_of_f32_are_accurate() {
    check_all::<f32>();
}

#[test]
fn functions_of_f64_are_accurate() {
    check_all::<f64>();
}

fn check_power<T: Measured>() {
    let values = &mut Values::new(12);
    let mut pairs = Vec::new();
    for &x in T::SPECIAL {
        pairs.extend(T::SPECIAL.iter().map(|y| (x, *y)));
    }
    for i in 0..20000 {
        let x = (values.bits() >> 11) as f64 / (1u64 << 53) as f64;
        let y = (values.bits() >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        pairs.push((values.next(), values.next()));
        pairs.push((T::narrow(x * 100.0), T::narrow(y * 40.0)));
        pairs.push((T::narrow(-x * 9.0), T::narrow(f64::from(i % 41 - 20))));
        pairs.push((T::narrow(1.0 + y / 1e4), T::narrow(y * 1e7)));
        pairs.push((T::narrow(x * 1e-300), T::narrow(y)));
    }
    for (x, y) in pairs {
        let expected = x.wide().powf(y.wide());
        let got = Float::pow(x, y);
        assert!(got.ulps(expected) <= T::TOLERANCE, "pow({x:?}, {y:?}) is {got:?}, expected {expected:e}");
    }
}

#[test]
fn powers_are_accurate() {
    check_power::<f32>();
    check_power::<f64>();
}

/// A name, the function of vectors and that of scalars.
type Function<T, V> = (&'static str, fn(V) -> V, fn(T) -> T);

/// Every lane of every vector has the bits of the scalar.
fn same_bits<T: Measured, V: Float<Elem = T>>() {
    let values = &mut Values::new(13);
    let functions: [Function<T, V>; 15] = [
        ("exp by call", V::exp_by_call, Float::exp),
        ("ln by call", V::ln_by_call, Float::ln),
        ("sin by call", V::sin_by_call, Float::sin),
        ("cos by call", V::cos_by_call, Float::cos),
        ("tan by call", V::tan_by_call, Float::tan),
        ("tanh by call", V::tanh_by_call, Float::tanh),
        ("exp", V::exp, Float::exp),
        ("exp2", V::exp2, Float::exp2),
        ("ln", V::ln, Float::ln),
        ("log2", V::log2, Float::log2),
        ("sin", V::sin, Float::sin),
        ("cos", V::cos, Float::cos),
        ("tan", V::tan, Float::tan),
        ("tanh", V::tanh, Float::tanh),
        ("rsqrt", V::rsqrt, Float::rsqrt),
    ];
    for _ in 0..64 {
        let (a, b): (V, V) = (values.vector(), values.vector());
        for (name, vector, scalar) in functions {
            let got = vector(a);
            for i in 0..V::LANES {
                let expected = scalar(a.lane(i));
                assert!(
                    got.lane(i).same(expected),
                    "{name}({:?}) is {:?} in lane {i}, not {expected:?}",
                    a.lane(i),
                    got.lane(i)
                );
            }
        }
        same_powers(a, b);
        // Vectors without a sign and of finite numbers, which go another way.
        same_powers(or_zero(a.abs(), |i| i % 3 > 0), or_zero(b, |i| i % 5 > 0));
    }
}

/// Zero in lanes that are no finite number or not chosen.
fn or_zero<T: Measured, V: Float<Elem = T>>(vector: V, chosen: impl Fn(usize) -> bool) -> V {
    let stays = |i: &usize| vector.lane(*i).wide().is_finite() && chosen(*i);
    (0..V::LANES).filter(|i| !stays(i)).fold(vector, |vector, i| vector.with_lane(i, T::ZERO))
}

fn same_powers<T: Measured, V: Float<Elem = T>>(a: V, b: V) {
    for got in [a.pow(b), a.pow_by_call(b), a.pow_in_part(b), a.pow_in_full_by_call(b)] {
        for i in 0..V::LANES {
            assert!(
                got.lane(i).same(Float::pow(a.lane(i), b.lane(i))),
                "pow({:?}, {:?}), lane {i}",
                a.lane(i),
                b.lane(i)
            );
        }
    }
}

fn same_bits_on<S: Isa>() {
    same_bits::<f32, V<S, f32, 1>>();
    same_bits::<f64, V<S, f64, 1>>();
    same_bits::<f32, V<S, f32, 8>>();
    same_bits::<f32, V<S, f32, 64>>();
    same_bits::<f64, V<S, f64, 2>>();
    same_bits::<f32, V<S, f32, 4>>();
    same_bits::<f32, V<S, f32, 16>>();
    same_bits::<f64, V<S, f64, 4>>();
    same_bits::<f64, V<S, f64, 8>>();
}

#[test]
fn bits_do_not_depend_on_the_vector() {
    on_each_isa!(same_bits_on);
}
