//! The experiments that Gamete ships with, as texts in TOML: one file each in `texts/`, and one line here.
//!
//! ```
//! let text = experiments::text("nim-2x4").expect("it is shipped");
//! assert!(text.contains("game = \"nim\""));
//! ```

/// The text of an experiment, or `None` if none has that name.
pub fn text(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        /// Names and texts of all experiments, in the order in which lists show them.
        pub const ALL: &[(&str, &str)] =
            &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/texts/", $name, ".toml")))),+];
    };
}

shipped![
    "nim-2x4",
    "nim-2x4-direct",
    "nim-2x10",
    "nim-4x8",
    "tic-tac-toe",
    "draughts",
    "draughts-blondie24",
    "draughts-blondie24-91",
    "draughts-enn",
    "draughts-mcts",
    "draughts-bootstrap",
    "draughts-neat",
    "draughts-thesis",
    "draughts-thesis-6ply",
    "draughts-thesis-mcts",
    "minichess",
    "minichess-board",
    "minichess-enn",
    "minichess-ga",
    "minichess-01",
    "minichess-02",
    "minichess-03",
    "minichess-04",
    "minichess-05",
    "minichess-06",
    "minichess-07",
    "minichess-08",
    "minichess-09",
    "minichess-10",
    "minichess-11",
    "minichess-12",
    "minichess-13",
    "minichess-14",
    "minichess-15",
    "minichess-16",
    "minichess-17",
    "minichess-18",
    "minichess-28",
    "minichess-29",
    "minichess-30",
    "minichess-31",
    "minichess-34",
    "minichess-35",
    "minichess-36",
    "minichess-37",
    "minichess-tt1",
    "minichess-tt2",
    "minichess-tt3",
    "minichess-tt4",
    "minichess-tt5",
    "minichess-tt6",
    "minichess-tt7",
    "minichess-tt8",
    "nim-2x4-neat",
    "nim-2x4-ga",
    "nim-2x4-random",
    "nim-2x4-cma-es",
    "nim-2x4-openai-es",
    "nim-4x8-neat",
    "nim-stack-2",
    "nim-stack-8",
    "nim-stack-8-slim",
    "nim-1-8-c1",
    "nim-1-8-c2",
    "nim-1-8-c3",
    "nim-1-8-c4",
    "nim-1-8-c5",
    "nim-1-8-c6",
    "nim-1-1000",
    "nim-2x2",
    "nim-2x4-c1",
    "nim-2x4-c2",
    "nim-2x4-c3",
    "nim-2x4-c4",
    "nim-2x4-c5",
    "nim-2x4-c2-graded",
    "nim-2x4-c3-graded",
    "nim-2x4-c4-graded",
    "nim-2x4-c5-graded",
    "nim-2x4-td",
    "tic-tac-toe-td",
    "minichess-td",
    "minichess-td-leaf",
    "minichess-bootstrap",
    "minichess-bootstrap-activity",
    "minichess-cma-es",
    "minichess-evolved",
    "draughts-cma-es",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_listed() {
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/texts")).unwrap();
        let mut files: Vec<String> =
            files.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect();
        let mut names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
        files.sort();
        names.sort();
        assert_eq!(files, names);
        assert_eq!(text("no such experiment"), None);
    }
}
