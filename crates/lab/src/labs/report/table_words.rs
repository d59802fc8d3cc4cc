//! What the tables and figures of a report say of their columns and values.

use super::readings::GroupReadings;

/// What final values are, and whose.
pub(crate) fn about_finals(group: GroupReadings) -> String {
    let last = match group.all.comparison.last {
        0 | 1 => "in the last generation in which it was measured".to_string(),
        last => format!("as the mean over the last {last} generations in which it was measured"),
    };
    let [unfinished, failed] = group.unfinished();
    let unfinished = match unfinished {
        0 => String::new(),
        1 => " One run is not over yet: its value is that of now.".to_string(),
        several => format!(" {several} runs are not over yet: their values are those of now."),
    };
    let failed = match failed {
        0 => String::new(),
        1 => " One run failed and is left out.".to_string(),
        several => format!(" {several} runs failed and are left out."),
    };
    let solved = match group.all.comparison.last > 1 && group.stopped_solved() {
        true => " A run that stopped because it was solved counts as its last generation.",
        false => "",
    };
    let islands = match group.group.configurations.iter().any(|configuration| configuration.islands.is_some()) {
        true => " Islands exchange champions: their runs are not independent, so that p is less than it should be.",
        false => "",
    };
    format!("Each run counts once, {last}; {}.{solved}{unfinished}{failed}{islands}", group.seeds())
}

/// The measures that are compared, as far as they were taken.
pub(super) fn compared(group: GroupReadings) -> impl Iterator<Item = usize> {
    (0..group.all.compared).filter(move |&measure| group.has(measure))
}

/// The heads of columns.
pub(super) fn heads(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

/// With a capital letter.
pub(crate) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
