//! Finds the parameters in which the configurations of a group differ.

use toml::Table;
use trainer::override_key;

/// For each text of parameters, the dotted paths and values in which the texts differ.
pub(super) fn differences(texts: &[&str]) -> Vec<Vec<(String, String)>> {
    let tables: Vec<Table> = texts.iter().map(|text| text.parse().unwrap_or_default()).collect();
    let value = |table: &Table, key: &str| override_key::find(table, key).ok().map(|value| value.to_string());
    let mut keys: Vec<String> = tables.iter().flat_map(override_key::paths).filter(|key| key != "seed").collect();
    keys.sort();
    keys.dedup();
    keys.retain(|key| tables.iter().any(|table| value(table, key) != value(&tables[0], key)));
    let of = |table: &Table| keys.iter().filter_map(|key| Some((key.clone(), value(table, key)?))).collect();
    tables.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_are_equal_are_left_out() {
        let found = differences(&["seed = 1\na = 1\nb.c = 2", "seed = 2\na = 1\nb.c = 3\nd = \"x\""]);
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
        };
        assert_eq!(found, [pairs(&[("b.c", "2")]), pairs(&[("b.c", "3"), ("d", "\"x\"")])]);
        assert_eq!(differences(&["a = 1"]), [pairs(&[])]);
    }
}
