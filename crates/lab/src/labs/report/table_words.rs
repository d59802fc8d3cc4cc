//! Texts that several tables and figures of a report use.

use super::readings::GroupReadings;

/// Explains in a caption what the final values are and which runs count.
pub(crate) fn about_finals(group: GroupReadings) -> String {
    let last = match group.all.comparison.last {
        0 | 1 => "in the last generation in which it was measured".to_string(),
        last => format!("as the mean over the last {last} generations in which it was measured"),
    };
    let [unfinished, failed] = group.unfinished();
    let unfinished = match unfinished {
        0 => String::new(),
        1 => " One run is not finished; its value is the current one.".to_string(),
        several => format!(" {several} runs are not finished; their values are the current ones."),
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
        true => " Islands exchange champions: their runs are not independent, so p is smaller than it should be.",
        false => "",
    };
    format!("Each run counts once, {last}; {}.{solved}{unfinished}{failed}{islands}", group.seeds())
}

/// The compared measures that were taken in this group.
pub(super) fn compared(group: GroupReadings) -> impl Iterator<Item = usize> {
    (0..group.all.compared).filter(move |&measure| group.has(measure))
}

/// The names of columns as owned texts.
pub(super) fn heads(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

/// The text with a capital letter at the start.
pub(crate) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
