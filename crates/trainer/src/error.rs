//! Errors that can happen before a file is touched.

/// An error: the message says what was found and what is allowed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A text is not a valid experiment.
    #[error("{place}: {what}")]
    Experiment {
        /// The file or the built-in experiment, with line and column if they are known.
        place: String,
        /// What is wrong there.
        what: String,
    },
    /// There is nothing with the given name.
    #[error("there is no {kind} `{found}`{}", hint(found, suggestion, known))]
    Unknown {
        /// The kind of thing that was asked for.
        kind: &'static str,
        /// The name that was given.
        found: String,
        /// The known name that is most similar.
        suggestion: Option<String>,
        /// All known names, if there are few.
        known: Vec<String>,
    },
    /// A request that cannot be fulfilled.
    #[error("{0}")]
    Refused(String),
    /// Games could not be played on other machines.
    #[error("{0}")]
    Sharing(Box<dyn std::error::Error + Send + Sync>),
    /// A champion of the past could not be read.
    #[error(transparent)]
    Archive(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// There is no thing with this name; the most similar name is suggested.
    pub fn unknown(kind: &'static str, found: &str, known: &[&str]) -> Error {
        const FEW: usize = 12;
        Error::Unknown {
            kind,
            found: found.to_string(),
            suggestion: nearest(found, known).map(str::to_string),
            known: if known.len() <= FEW { known.iter().map(|name| name.to_string()).collect() } else { Vec::new() },
        }
    }
}

/// The known name that is most similar to `found`, if any is similar enough. A name of which `found` is a part comes first,
/// and the shortest of them.
pub(crate) fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    const LEAST_PART: usize = 3;
    let longer = known.iter().copied().filter(|name| found.len() >= LEAST_PART && name.contains(found));
    if let Some(name) = longer.min_by_key(|name| name.len()) {
        return Some(name);
    }
    let likeness = |name: &str| strsim::jaro_winkler(found, name);
    let best = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) > 0.75).then_some(best)
}

/// The three known names most like the one found, the nearest first. The last part of a dotted path counts like the
/// whole.
pub(crate) fn nearest_few<'a>(found: &str, known: &[&'a str]) -> Vec<&'a str> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_string();
    let likeness = |name: &str| strsim::jaro_winkler(found, name).max(strsim::jaro_winkler(&last(found), &last(name)));
    let mut names = known.to_vec();
    names.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    names.truncate(3);
    names
}

fn hint(found: &str, suggestion: &Option<String>, known: &[String]) -> String {
    match (suggestion, known.is_empty()) {
        (Some(name), _) if likeness(name) == likeness(found) => match spelt(name) {
            plain if plain == *name => format!("; did you mean `{name}`, and not {}?", spelt(found)),
            spelt => format!("; did you mean `{name}`, spelt {spelt}?"),
        },
        (Some(name), _) => format!("; did you mean `{name}`?"),
        (None, false) => format!("; there are {}", known.join(", ")),
        (None, true) => String::new(),
    }
}

/// The visible ASCII characters of a name. Names that look alike can differ in the others: characters beyond ASCII, and
/// letters with a combining mark.
fn likeness(name: &str) -> String {
    let mut plain = String::new();
    for character in name.chars() {
        match character {
            '\u{300}'..='\u{36f}' => drop(plain.pop()),
            _ if character.is_ascii_graphic() => plain.push(character),
            _ => {}
        }
    }
    plain
}

/// A name in which characters that are invisible or look like others are written as numbers.
fn spelt(name: &str) -> String {
    let spell = |character: char| match character {
        _ if character.is_ascii_graphic() => character.to_string(),
        _ => format!("<U+{:04X}>", u32::from(character)),
    };
    name.chars().map(spell).collect()
}

impl From<games::UnknownGame> for Error {
    fn from(games::UnknownGame(name): games::UnknownGame) -> Error {
        Error::unknown("game", &name, &games::names())
    }
}
