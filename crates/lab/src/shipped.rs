//! The experiments inside the program.

/// Names and texts, in the order of lists.
pub fn shipped_experiments() -> impl Iterator<Item = (&'static str, &'static str)> {
    SHIPPED.iter().copied()
}

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        const SHIPPED: &[(&str, &str)] =
            &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/", $name, ".toml")))),+];
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
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ExperimentFile;
    use crate::trainer::Trainer;
    use games::{Game, GameVisitor};

    /// Every file in `experiments/` is shipped, and can be opened.
    #[test]
    fn all_experiments_are_shipped_and_right() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let mut names: Vec<String> = shipped_experiments().map(|(name, _)| name.to_string()).collect();
        files.sort();
        names.sort();
        assert_eq!(files, names);
        for (name, text) in shipped_experiments() {
            let file = ExperimentFile::parse(name, name, text).unwrap_or_else(|error| panic!("{error}"));
            games::with_game(file.game(), OneGeneration(&file)).unwrap();
        }
    }

    struct OneGeneration<'a>(&'a ExperimentFile);

    impl GameVisitor for OneGeneration<'_> {
        type Output = ();
        fn visit<G: Game>(self) {
            let experiment = self.0.typed::<G>().unwrap();
            let (population, setup) = (experiment.strategy.population(), experiment.setup.clone());
            let generation = Trainer::<G>::create(experiment, 1).step();
            assert_eq!(generation.report.generation, 1);
            assert!(generation.report.games as usize >= population, "{}", self.0.name);
            assert_eq!(generation.report.exam.is_some(), arena::Examiner::<G>::new(&setup).is_some());
        }
    }
}
