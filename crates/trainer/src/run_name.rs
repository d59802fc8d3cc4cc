//! The names of runs. A name becomes the name of a file.

use crate::Error;

/// Checks that a text can be the name of a run, and so of a file.
pub fn checked_name(name: &str) -> Result<(), Error> {
    if !name.is_empty()
        && name.len() <= 100
        && !name.starts_with(['.', '-'])
        && !name.ends_with(".db")
        && name.chars().all(fits_a_name)
    {
        return Ok(());
    }
    Err(Error::Refused(format!(
        "`{name}` cannot be a run's name; use up to 100 letters, digits, - _ . and +, \
         not beginning with a dot or - or ending in .db"
    )))
}

/// A valid name for a run, made from the name of an experiment.
pub fn name_from(experiment: &str) -> String {
    let mut name: String = experiment.chars().map(|c| if fits_a_name(c) { c } else { '-' }).collect();
    // Leave space for a number. The length counts bytes, as in names of files.
    while name.len() > 80 {
        name.pop();
    }
    match name.trim_start_matches(['.', '-']) {
        "" => "run".to_string(),
        name => name.to_string(),
    }
}

fn fits_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+')
}
