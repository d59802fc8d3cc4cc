//! Activation functions: they turn the sum of a node into its value. They use plain arithmetic, so that every machine
//! gets the same bits and the compiler can process many positions at once.

use crate::LANES;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A function from a node's sum to its value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Activation {
    /// x above 0, alpha·(eˣ − 1) below.
    Elu(f32),
    /// x above 0, 0 below.
    Relu,
    /// 1 / (1 + e⁻ˣ).
    Sigmoid,
    /// The hyperbolic tangent.
    Tanh,
    /// x.
    Identity,
    /// 1 / (1 + e⁻ˢˣ) with the steepness s.
    Steep(f32),
    /// `Steep` stretched to (−1, 1).
    Bilateral(f32),
    /// `Bilateral` above 0, and 0 below.
    Unilateral(f32),
}

impl Activation {
    /// The names that people type, in the order of the variants.
    pub const NAMES: [&'static str; 8] =
        ["elu", "relu", "sigmoid", "tanh", "identity", "steep", "bilateral", "unilateral"];

    /// The activation with this name. `number` is alpha for `elu`, and the steepness for `steep`, `bilateral` and
    /// `unilateral`; the others ignore it.
    pub fn named(name: &str, number: f32) -> Option<Activation> {
        Some(match name {
            "steep" => Activation::Steep(number),
            "bilateral" => Activation::Bilateral(number),
            "unilateral" => Activation::Unilateral(number),
            "elu" => Activation::Elu(number),
            "relu" => Activation::Relu,
            "sigmoid" => Activation::Sigmoid,
            "tanh" => Activation::Tanh,
            "identity" => Activation::Identity,
            _ => return None,
        })
    }

    /// Whether the values lie between −1 and 1, symmetric about 0, so that an output can be read as a position's value.
    pub fn is_signed(self) -> bool {
        matches!(self, Activation::Tanh | Activation::Bilateral(_))
    }

    /// Applies the function to every sum. Many sums at once take less time than one after the other.
    pub fn apply(self, sums: &mut [f32]) {
        match self {
            Activation::Elu(alpha) => each(sums, |x| {
                let below = alpha * (exp(x.min(0.0)) - 1.0);
                if x > 0.0 { x } else { below }
            }),
            Activation::Relu => each(sums, |x| x.max(0.0)),
            Activation::Sigmoid => each(sums, |x| 1.0 / (1.0 + exp(-x))),
            Activation::Tanh => each(sums, |x| {
                // Beyond ±9 the result is ±1 in single precision.
                let e = exp(2.0 * x.clamp(-9.0, 9.0));
                (e - 1.0) / (e + 1.0)
            }),
            Activation::Identity => {}
            Activation::Steep(steepness) => each(sums, |x| 1.0 / (1.0 + exp(-steepness * x))),
            Activation::Bilateral(steepness) => each(sums, |x| stretched(steepness * x)),
            Activation::Unilateral(steepness) => each(sums, |x| stretched(steepness * x).max(0.0)),
        }
    }

    /// The slope of the function at the point where its value is `value`.
    pub(crate) fn slope(self, value: f32) -> f32 {
        match self {
            Activation::Elu(alpha) => {
                if value > 0.0 {
                    1.0
                } else {
                    value + alpha
                }
            }
            Activation::Relu => {
                if value > 0.0 {
                    1.0
                } else {
                    0.0
                }
            }
            Activation::Sigmoid => value * (1.0 - value),
            Activation::Tanh => 1.0 - value * value,
            Activation::Identity => 1.0,
            Activation::Steep(steepness) => steepness * value * (1.0 - value),
            Activation::Bilateral(steepness) => steepness * (1.0 - value * value) / 2.0,
            Activation::Unilateral(steepness) => {
                if value > 0.0 {
                    steepness * (1.0 - value * value) / 2.0
                } else {
                    0.0
                }
            }
        }
    }

    /// The parameter of the function, or `None` if it has none.
    pub(crate) fn number(self) -> Option<f32> {
        match self {
            Activation::Elu(number)
            | Activation::Steep(number)
            | Activation::Bilateral(number)
            | Activation::Unilateral(number) => Some(number),
            Activation::Relu | Activation::Sigmoid | Activation::Tanh | Activation::Identity => None,
        }
    }
}

/// Replaces every number, [`LANES`] at a time. Without this, the compiler does not vectorise the loop in some places.
#[inline]
fn each(numbers: &mut [f32], replace: impl Fn(f32) -> f32) {
    let (many, few) = numbers.as_chunks_mut::<LANES>();
    for some in many {
        some.iter_mut().for_each(|x| *x = replace(*x));
    }
    few.iter_mut().for_each(|x| *x = replace(*x));
}

/// The sigmoid stretched to (−1, 1).
#[inline]
fn stretched(x: f32) -> f32 {
    2.0 / (1.0 + exp(-x)) - 1.0
}

/// eˣ to about seven digits, for x clamped to ±87: 2ⁿ·eʳ with |r| ≤ ln 2 / 2, eʳ by its series.
#[inline]
pub(crate) fn exp(x: f32) -> f32 {
    // Adding 1.5·2²³ rounds to a whole number, which is then in the low bits.
    const SHIFT: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 87.0);
    let shifted = x * std::f32::consts::LOG2_E + SHIFT;
    let n = shifted - SHIFT;
    // ln 2 in two parts. The first has few digits, so that n times it is exact.
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let series =
        1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0))))));
    let power = shifted.to_bits().wrapping_sub(SHIFT.to_bits()).wrapping_add(127) << 23;
    series * f32::from_bits(power)
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Activation::Elu(alpha) => write!(f, "elu:{alpha}"),
            Activation::Relu => f.write_str("relu"),
            Activation::Sigmoid => f.write_str("sigmoid"),
            Activation::Tanh => f.write_str("tanh"),
            Activation::Identity => f.write_str("identity"),
            Activation::Steep(steepness) => write!(f, "steep:{steepness}"),
            Activation::Bilateral(steepness) => write!(f, "bilateral:{steepness}"),
            Activation::Unilateral(steepness) => write!(f, "unilateral:{steepness}"),
        }
    }
}

impl FromStr for Activation {
    type Err = ();

    fn from_str(text: &str) -> Result<Activation, ()> {
        let (name, alpha) = match text.split_once(':') {
            Some((name @ ("elu" | "steep" | "bilateral" | "unilateral"), number)) => {
                (name, number.parse().map_err(|_| ())?)
            }
            Some(_) => return Err(()),
            None => (text, 1.0),
        };
        Activation::named(name, alpha).filter(|activation| activation.number().is_none_or(f32::is_finite)).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(activation: Activation, expected: impl Fn(f64) -> f64) {
        for step in -400..=400 {
            let x = step as f32 / 20.0;
            let mut lanes = [x; LANES];
            activation.apply(&mut lanes);
            let wanted = expected(f64::from(x));
            let error = (f64::from(lanes[3]) - wanted).abs();
            assert!(error <= 3e-7 * (1.0 + wanted.abs()), "{activation} of {x} is {}, not {wanted}", lanes[3]);
        }
    }

    #[test]
    fn activations_compute_their_formulas() {
        check(Activation::Elu(0.1), |x| if x > 0.0 { x } else { 0.1 * x.exp_m1() });
        check(Activation::Relu, |x| x.max(0.0));
        check(Activation::Sigmoid, |x| 1.0 / (1.0 + (-x).exp()));
        check(Activation::Tanh, f64::tanh);
        check(Activation::Identity, |x| x);
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        check(Activation::Steep(4.9), |x| sigmoid(4.9f32 as f64 * x));
        check(Activation::Bilateral(2.0), |x| x.tanh());
        check(Activation::Unilateral(2.0), |x| x.tanh().max(0.0));
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        const STEP: f32 = 1.0 / 128.0;
        for activation in Activation::NAMES.iter().map(|name| Activation::named(name, 0.7).unwrap()) {
            // Not at 0, where some functions have no slope.
            for place in (-31..=31).step_by(2) {
                let x = place as f32 / 10.0;
                let mut values = [x - STEP, x, x + STEP];
                activation.apply(&mut values);
                let plain = (values[2] - values[0]) / (2.0 * STEP);
                let slope = activation.slope(values[1]);
                assert!((slope - plain).abs() < 1e-3, "{activation} at {x}: {slope}, not {plain}");
            }
        }
    }

    #[test]
    fn exp_is_always_finite() {
        for x in [f32::NEG_INFINITY, -1e30, -88.0, 88.0, 1e30, f32::INFINITY] {
            assert!(exp(x).is_finite() && exp(x) >= 0.0, "{x}");
        }
    }

    /// The bits must be the same on every machine, so that runs can be repeated elsewhere.
    #[test]
    fn golden_bits() {
        assert_eq!(
            [-3.7f32, -0.2, 0.9, 5.5].map(|x| exp(x).to_bits()),
            [0x3cca88fe, 0x3f519857, 0x401d6a23, 0x4374b122]
        );
    }

    #[test]
    fn text_goes_both_ways() {
        for activation in Activation::NAMES.iter().map(|name| Activation::named(name, 0.7).unwrap()) {
            assert_eq!(activation.to_string().parse(), Ok(activation));
        }
        assert!("elu:x".parse::<Activation>().is_err() && "step".parse::<Activation>().is_err());
    }
}
