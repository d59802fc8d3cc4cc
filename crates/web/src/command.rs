//! The command line that makes the same run again.

use trainer::shipped_experiments;

/// One command: the shipped experiment with the parameters that differ from it, or a file with all parameters.
pub fn same_run(experiment: &str, parameters: &str) -> String {
    let table = |text: &str| text.parse::<toml::Table>().ok().map(|table| flat(&toml::Value::Table(table)));
    let shipped = shipped_experiments().find(|(name, _)| *name == experiment).and_then(|(_, text)| table(text));
    let (Some(shipped), Some(ours)) = (shipped, table(parameters)) else {
        return format!("gamete train {experiment}.toml");
    };
    // Another strategy or schedule has other keys, which `--set` cannot add.
    if shipped.len() != ours.len() || !shipped.iter().zip(&ours).all(|(one, two)| one.0 == two.0) {
        return format!("gamete train {experiment}.toml");
    }
    let mut command = format!("gamete train {experiment}");
    for ((key, value), (_, usual)) in ours.iter().zip(&shipped) {
        if value == usual && key != "seed" {
            continue;
        }
        match key.as_str() {
            "seed" => command += &format!(" --seed {value}"),
            "stop.generations" => command += &format!(" --generations {value}"),
            _ => command += &format!(" --set '{key}={value}'"),
        }
    }
    command
}

/// Every dotted key with its value, sorted.
fn flat(value: &toml::Value) -> Vec<(String, String)> {
    let toml::Value::Table(table) = value else { return vec![(String::new(), value.to_string())] };
    let mut all: Vec<(String, String)> = Vec::new();
    for (key, value) in table {
        let below = flat(value).into_iter();
        all.extend(below.map(|(rest, value)| match rest.is_empty() {
            true => (key.clone(), value),
            false => (format!("{key}.{rest}"), value),
        }));
    }
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(experiment: &str, changes: &[(&str, &str)], expected: &str) {
        let (_, text) = trainer::shipped_experiments().find(|(name, _)| *name == experiment).unwrap();
        let change = |text: String, (from, to): &(&str, &str)| text.replacen(from, to, 1);
        assert_eq!(super::same_run(experiment, &changes.iter().fold(text.to_string(), change)), expected);
    }

    #[test]
    fn parameters_that_differ_are_set() {
        check("nim-2x4", &[], "gamete train nim-2x4 --seed 1");
        let changed = [
            ("seed = 1", "seed = 7"),
            ("generations = 3000", "generations = 9"),
            ("stacks = [4, 4]", "stacks = [3, 5]"),
            ("encoder = \"counts\"", "encoder = \"digits\""),
        ];
        let expected = "gamete train nim-2x4 --set 'player.encoder=\"digits\"' --seed 7 --set 'setup.stacks=[3, 5]' --generations 9";
        check("nim-2x4", &changed, expected);
        assert_eq!(super::same_run("mine", "seed = 1"), "gamete train mine.toml");
        assert_eq!(super::same_run("nim-2x4", "seed = 1"), "gamete train nim-2x4.toml");
    }
}
