//! What can go wrong before a file is touched, and what somebody can do about it.

/// What went wrong: what was found, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A text that is no experiment.
    #[error("{place}: {what}")]
    Experiment {
        /// The file or the shipped experiment, with line and column where there are such.
        place: String,
        /// What is wrong there.
        what: String,
    },
    /// Something was asked for by a name that nobody has.
    #[error("there is no {kind} `{found}`{}", hint(found, suggestion, known))]
    Unknown {
        /// What kind of thing.
        kind: &'static str,
        /// The name that was given.
        found: String,
        /// The nearest name there is.
        suggestion: Option<String>,
        /// All names there are, if they are few.
        known: Vec<String>,
    },
    /// A request that cannot be met.
    #[error("{0}")]
    Refused(String),
    /// A champion of the past could not be read.
    #[error(transparent)]
    Archive(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// There is no thing of that name; the nearest name is suggested.
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

/// The known name most like the one found, if any is like it at all.
pub(crate) fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let likeness = |name: &str| strsim::jaro_winkler(found, name);
    let best = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) > 0.75).then_some(best)
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

/// What is left of a name without the characters by which names can differ that look alike: all beyond ASCII, and letters
/// that carry a mark of their own.
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

/// A name with the numbers of all characters that are not seen, or look like others.
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
