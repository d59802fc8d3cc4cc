//! Numbers, counts, shares and times as text for people.

use players::MoveCost;

/// A number with spaces between its thousands: `6 245 000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 edge`, `2 edges`.
pub fn count(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A number with about three digits: `1.75 M`, `11.6 k`, `320`.
pub fn rate(number: f64) -> String {
    match number {
        n if n >= 1e6 => format!("{:.2} M", n / 1e6),
        n if n >= 1e4 => format!("{:.1} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// A share in per cent. A share below 1 is never shown as 100 %.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let shown = if share < 1.0 { percent.min(99.9) } else { percent };
    format!("{shown:.1} %")
}

/// A duration in its two largest units: `1 min 01 s`.
pub fn span(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 60.0 => format!("{s:.0} s"),
        s if s < 3600.0 => format!("{} min {:02} s", (s / 60.0) as u64, s as u64 % 60),
        s if s < 360_000.0 => format!("{} h {:02} min", (s / 3600.0) as u64, (s / 60.0) as u64 % 60),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// What a player's moves cost on average, as text.
pub fn cost_words(cost: &MoveCost) -> String {
    let milliseconds = match cost.cpu_milliseconds {
        few if few < 1.0 => format!("{few:.3}"),
        some if some < 10.0 => format!("{some:.2}"),
        many => format!("{many:.1}"),
    };
    let positions = match cost.positions.round() as u64 {
        0 => String::new(),
        some => format!(" and {}", count(some, "position")),
    };
    format!("{milliseconds} ms of processor time{positions} per move")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1000, 6_245_000].map(grouped), ["0", "999", "1 000", "6 245 000"]);
        assert_eq!((count(1, "edge"), count(2, "edge")), ("1 edge".into(), "2 edges".into()));
        assert_eq!([1.751e6, 11_580.0, 320.4].map(rate), ["1.75 M", "11.6 k", "320"]);
        assert_eq!([1.0, 0.9996, 0.5, 0.0].map(percent), ["100.0 %", "99.9 %", "50.0 %", "0.0 %"]);
        assert_eq!([0.42, 59.0, 61.0, 7300.0].map(span), ["0.4 s", "59 s", "1 min 01 s", "2 h 01 min"]);
    }
}
