//! The parameters that vary in a tuning, with their bounds or choices.

use crate::Error;
use chance::Rng;
use toml::Value;
use trainer::{ExperimentFile, Kind, override_key};

/// A parameter that varies.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The parameter's dotted path.
    pub key: String,
    values: Values,
}

#[derive(Clone, Debug, PartialEq)]
enum Values {
    /// A number from `low` to `high`; on a logarithmic scale if `by_proportion`.
    Between { low: f64, high: f64, whole: bool, by_proportion: bool },
    /// One of these.
    OneOf(Vec<Value>),
}

/// If the bounds differ by at least this factor, the scale is logarithmic.
const FAR: f64 = 20.0;

impl Range {
    /// Reads `KEY=LOW..HIGH` or `KEY=ONE|TWO|THREE`, for a parameter that the experiment has.
    pub fn parse(experiment: &ExperimentFile, text: &str) -> Result<Range, Error> {
        let refuse = |what: String| Error::parameter("vary", format!("{text}: {what}"));
        const FORM: &str = "write KEY=LOW..HIGH, such as strategy.enn.exponent=0.5..4, or KEY=ONE|TWO";
        let Some((key, values)) = text.split_once('=') else { return Err(refuse(FORM.to_string())) };
        let key = key.trim();
        experiment.value(key).map_err(refuse)?;
        if key == "seed" || key.starts_with("setup.") || key.starts_with("stop.") || key == "game" {
            return Err(refuse(format!(
                "`{key}` cannot vary, because all candidates must be judged by the same games"
            )));
        }
        let known = experiment.parameters().into_iter().find(|parameter| parameter.key == key);
        let whole = known.is_some_and(|parameter| parameter.kind == Kind::Whole);
        let values = match values.split_once("..") {
            Some((low, high)) => {
                let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
                let (low, high) = number(low).zip(number(high)).ok_or_else(|| refuse(FORM.to_string()))?;
                if low >= high {
                    return Err(refuse(format!(
                        "it goes from {low} to {high}, but the first number must be less than the second"
                    )));
                }
                // The width and the ratio of the bounds must not overflow.
                if !(high - low).is_finite() || (low > 0.0 && !(high / low).is_finite()) {
                    return Err(refuse(format!("it goes from {low} to {high}, which is too large a range")));
                }
                if whole && (low.fract() != 0.0 || high.fract() != 0.0) {
                    return Err(refuse(format!("`{key}` is a whole number, so its bounds must be whole numbers")));
                }
                Values::Between { low, high, whole, by_proportion: low > 0.0 && high / low >= FAR }
            }
            None => {
                let all: Vec<Value> = values.split('|').map(|value| override_key::parse_value(value.trim())).collect();
                if all.len() < 2 || values.split('|').any(|value| value.trim().is_empty()) {
                    return Err(refuse(FORM.to_string()));
                }
                Values::OneOf(all)
            }
        };
        Ok(Range { key: key.to_string(), values })
    }

    /// Checks that both bounds, or every choice, are valid together with the experiment's other parameters.
    pub(super) fn checked(&self, experiment: &ExperimentFile) -> Result<(), Error> {
        let ends: Vec<Value> = match &self.values {
            Values::Between { .. } => vec![self.value(0.0), self.value(1.0)],
            Values::OneOf(values) => values.clone(),
        };
        for value in ends {
            experiment.with_values(&[(&self.key, value)])?;
        }
        Ok(())
    }

    /// The value that a gene from 0 to 1 stands for.
    pub(super) fn value(&self, gene: f64) -> Value {
        match &self.values {
            Values::OneOf(values) => values[((gene * values.len() as f64) as usize).min(values.len() - 1)].clone(),
            &Values::Between { low, high, whole, by_proportion } => {
                let number = match by_proportion {
                    true => low * (high / low).powf(gene),
                    false => low + (high - low) * gene,
                };
                match whole {
                    true => Value::Integer(number.round() as i64),
                    false => Value::Float(three_digits(number).clamp(low, high)),
                }
            }
        }
    }

    /// The gene of the experiment's own value; of the nearest bound if the value is outside.
    pub(super) fn gene_of(&self, experiment: &ExperimentFile) -> f64 {
        let Ok(found) = experiment.value(&self.key) else { return 0.5 };
        match &self.values {
            Values::OneOf(values) => {
                let place = values.iter().position(|value| value == found).unwrap_or(0);
                (place as f64 + 0.5) / values.len() as f64
            }
            &Values::Between { low, high, by_proportion, .. } => {
                let number = found.as_float().or_else(|| found.as_integer().map(|whole| whole as f64)).unwrap_or(low);
                let number = number.clamp(low, high);
                match by_proportion {
                    true => (number / low).ln() / (high / low).ln(),
                    false => (number - low) / (high - low),
                }
            }
        }
    }

    /// Mutates a gene: a number moves a little, a choice is drawn again.
    pub(super) fn moved(&self, gene: f64, step: f64, rng: &mut Rng) -> f64 {
        match &self.values {
            Values::OneOf(_) => rng.unit(),
            Values::Between { .. } => {
                let moved = gene + step * f64::from(rng.gaussian());
                // Reflect at the ends of the range.
                let folded = moved.rem_euclid(2.0);
                if folded > 1.0 { 2.0 - folded } else { folded }
            }
        }
    }
}

/// Rounds to three digits, which are easy to read and precise enough.
fn three_digits(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Range {
        Range::parse(&trainer::Experiment::shipped("nim-2x4").unwrap(), text).unwrap()
    }

    #[test]
    fn genes_stand_for_values() {
        let exponent = range("strategy.enn.exponent=0.5..4");
        assert_eq!([0.0, 0.5, 1.0].map(|gene| exponent.value(gene)), [0.5, 2.25, 4.0].map(Value::Float));
        let population = range("strategy.enn.population=10..1000");
        assert_eq!([0.0, 0.5, 1.0].map(|gene| population.value(gene)), [10, 100, 1000].map(Value::Integer));
        let activation = range("strategy.enn.activation=elu|relu|tanh");
        assert_eq!([0.0, 0.4, 1.0].map(|gene| activation.value(gene)), ["elu", "relu", "tanh"].map(Value::from));
        let experiment = trainer::Experiment::shipped("nim-2x4").unwrap();
        for range in [&exponent, &population, &activation] {
            let own = experiment.value(&range.key).unwrap();
            assert_eq!(range.value(range.gene_of(&experiment)), *own, "{}", range.key);
        }
    }

    #[test]
    fn genes_stay_within_their_range() {
        let range = range("strategy.enn.exponent=0.5..4");
        let rng = &mut chance::rng_for(1, &[]);
        let mut gene = 0.02;
        for _ in 0..1000 {
            gene = range.moved(gene, 0.3, rng);
            assert!((0.0..=1.0).contains(&gene), "{gene}");
        }
    }

    #[test]
    fn invalid_ranges_are_refused() {
        let experiment = trainer::Experiment::shipped("nim-2x4").unwrap();
        let check = |text: &str, expected: &str| {
            let error = Range::parse(&experiment, text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("strategy.enn.exponent", "write KEY=LOW..HIGH");
        check("strategy.enn.exponent=4..0.5", "the first number must be less");
        check("strategy.enn.exponent=1", "write KEY=LOW..HIGH");
        check("strategy.enn.exponent=a..b", "write KEY=LOW..HIGH");
        check("strategy.enn.exponnt=1..2", "did you mean `strategy.enn.exponent`?");
        check("strategy.enn.population=1.5..20", "is a whole number, so its bounds must be whole numbers");
        check("setup.stacks=1..2", "cannot vary");
        check("seed=1..2", "cannot vary");
        check("strategy.enn.exponent=-1e308..1e308", "which is too large a range");
        check("strategy.enn.exponent=1e-300..1e300", "which is too large a range");
    }
}
