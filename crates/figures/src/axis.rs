//! The axes of a figure: their range, and which numbers are written at them.

/// One axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The label: the quantity with its unit.
    pub label: String,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// The kind of scale.
    pub kind: Kind,
}

/// The scale of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A linear scale.
    Linear,
    /// A linear scale on which only whole numbers are written.
    Whole,
    /// A logarithmic scale.
    Logarithmic,
    /// One row for each name, from the top.
    Names(Vec<String>),
}

impl Axis {
    /// An axis for all these values, with a little space at both ends. It does not go beyond the bounds, except for the
    /// width of a mark.
    pub fn around(label: String, values: impl Iterator<Item = f64>, bounds: Option<[i8; 2]>) -> Axis {
        let (mut low, mut high) = extent(values);
        let space = if high > low { 0.04 * (high - low) } else { (0.05 * high.abs()).max(0.05) };
        (low, high) = (low - space, high + space);
        if let Some([least, most]) = bounds.map(|bounds| bounds.map(f64::from)) {
            // The axis goes a little beyond the bounds, so that marks at a bound are fully visible.
            let edge = 0.02 * (high - low);
            (low, high) = (low.max(least - edge), high.min(most + edge));
        }
        Axis { label, low, high, kind: Kind::Linear }
    }

    /// An axis of generations.
    pub fn generations(last: u64) -> Axis {
        Axis { label: "generation".to_string(), low: 0.0, high: last.max(1) as f64, kind: Kind::Whole }
    }

    /// An axis of positive amounts: logarithmic if they differ by more than a factor of 20, otherwise linear from 0 on.
    pub fn amounts(label: String, values: impl Iterator<Item = f64>) -> Axis {
        let positive: Vec<f64> = values.filter(|value| *value > 0.0).collect();
        let (low, high) = extent(positive.iter().copied());
        if low > 0.0 && high / low > 20.0 {
            return Axis { label, low: low / 1.3, high: high * 1.3, kind: Kind::Logarithmic };
        }
        let (low, high) = if positive.is_empty() { (0.0, 1.0) } else { (0.0, 1.06 * high) };
        Axis { label, low, high, kind: Kind::Linear }
    }

    /// An axis with one row for each name.
    pub fn names(names: Vec<String>) -> Axis {
        Axis { label: String::new(), low: -0.5, high: names.len() as f64 - 0.5, kind: Kind::Names(names) }
    }

    /// The position of a value on the axis, from 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Logarithmic => (value.max(self.low) / self.low).ln() / (self.high / self.low).ln(),
            _ => (value - self.low) / (self.high - self.low),
        }
    }

    /// The values to be written at the axis, with their texts: about `about` of them, or fewer.
    pub fn ticks(&self, about: usize) -> Vec<(f64, String)> {
        match &self.kind {
            Kind::Names(names) => names.iter().enumerate().map(|(row, name)| (row as f64, name.clone())).collect(),
            Kind::Logarithmic => {
                let steps: &[f64] =
                    if (self.high / self.low).log10() * 3.0 <= about as f64 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                let tens = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
                let all = tens.flat_map(|ten| steps.iter().map(move |step| step * 10f64.powi(ten)));
                let inside = all.filter(|value| (self.low..=self.high).contains(value));
                inside.map(|value| (value, number(value, (-value.log10().floor()).max(0.0) as usize))).collect()
            }
            Kind::Linear | Kind::Whole => {
                let rough = (self.high - self.low) / about.max(1) as f64;
                let ten = 10f64.powf(rough.log10().floor());
                let least = if self.kind == Kind::Whole { 1.0 } else { 0.0 };
                let ends =
                    |step: f64| ((self.low / step - 1e-9).ceil() as i64, (self.high / step + 1e-9).floor() as i64);
                // The step that gives about the wanted number of values, or the next smaller step if only one value
                // would be left.
                let steps = [0.5, 1.0, 2.0, 5.0, 10.0].map(|factor| (factor * ten).max(least));
                let wide = (1..steps.len() - 1).find(|&at| steps[at] >= rough * 0.999).unwrap_or(steps.len() - 1);
                let (first, last) = ends(steps[wide]);
                let step = if last > first { steps[wide] } else { steps[wide - 1] };
                let (first, last) = ends(step);
                let decimals = (-step.log10() - 1e-9).ceil().max(0.0) as usize;
                (first..=last).map(|at| at as f64 * step).map(|value| (value, number(value, decimals))).collect()
            }
        }
    }
}

/// The smallest and the largest value; 0 and 1 if there are no values.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// A number as text with this number of decimals, a thin space between thousands, and a typographic minus sign.
fn number(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if whole.len() > 4 && at > 0 && (whole.len() - at) % 3 == 0 {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    let sign = if value < 0.0 && text.chars().any(|c| ('1'..='9').contains(&c)) { "−" } else { "" };
    format!("{sign}{grouped}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(low: f64, high: f64, kind: Kind, about: usize, expected: &[&str]) {
        let axis = Axis { label: String::new(), low, high, kind };
        assert_eq!(axis.ticks(about).into_iter().map(|tick| tick.1).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn ticks_are_round_numbers_inside() {
        check(0.0, 1.0, Kind::Linear, 5, &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(0.0, 1000.0, Kind::Linear, 4, &["0", "500", "1000"]);
        check(0.0, 30_000.0, Kind::Linear, 3, &["0", "10\u{202f}000", "20\u{202f}000", "30\u{202f}000"]);
        check(-1.0, 1.0, Kind::Linear, 4, &["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        check(0.25, 0.98, Kind::Linear, 3, &["0.4", "0.6", "0.8"]);
        check(0.93, 1.004, Kind::Linear, 4, &["0.94", "0.96", "0.98", "1.00"]);
        check(0.0, 2.0, Kind::Whole, 9, &["0", "1", "2"]);
        check(0.0, 1.0, Kind::Whole, 4, &["0", "1"]);
        check(0.0, 30.0, Kind::Whole, 6, &["0", "5", "10", "15", "20", "25", "30"]);
        check(0.5, 300.0, Kind::Logarithmic, 4, &["1", "10", "100"]);
        check(0.04, 3.0, Kind::Logarithmic, 9, &["0.05", "0.1", "0.2", "0.5", "1", "2"]);
    }

    #[test]
    fn axes_contain_their_values() {
        let axis = Axis::around("x".into(), [0.5, 1.0].into_iter(), Some([0, 1]));
        assert!(axis.low < 0.5 && axis.high > 1.0 && axis.high < 1.02, "{axis:?}");
        let axis = Axis::around("x".into(), [3.0].into_iter(), None);
        assert!(axis.low < 3.0 && axis.high > 3.0);
        let axis = Axis::amounts("s".into(), [0.0, 1.0, 100.0].into_iter());
        assert!(axis.kind == Kind::Logarithmic && axis.share(1.0) > 0.0 && axis.share(100.0) < 1.0);
        assert_eq!(Axis::amounts("s".into(), std::iter::empty()).kind, Kind::Linear);
        assert_eq!(Axis::generations(2).kind, Kind::Whole);
    }
}
