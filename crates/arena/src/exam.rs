//! The exam: grades a player by a solver of the game, or by test positions whose answers are proved.

use crate::{
    Atlas, AtlasSolver, Choice, Failure, GameHistory, Player, Question, Starts, TacticsGrades, grade_tactics,
    read_questions,
};
use chance::{Rng, rng_for};
use games::{DrawRules, Endgames, Game, Solver, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The result of an exam. All grades are shares from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Exam {
    /// Grades by a solver, if the game is solved.
    Truth(Truth),
    /// Grades on test positions.
    Tactics(TacticsExam),
}

/// The shares of perfect moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Truth {
    /// Over every position that can occur, each counted once.
    pub all_positions: f64,
    /// Over the positions that the player meets in games against itself, counted as often as it meets them.
    pub on_policy: f64,
    /// The number of positions in the first grade.
    pub positions: usize,
    /// Whether these positions are a sample, drawn with a fixed seed because there are too many.
    pub sampled: bool,
}

/// The shares of test positions that were solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TacticsExam {
    /// Grades of the player as it plays. A network is graded without search: it evaluates the position after each move
    /// and does not know finished positions.
    #[serde(flatten)]
    pub grades: TacticsGrades,
    /// The number of test positions.
    pub positions: usize,
    /// How often the network without search chooses the same move as with a search of two plies; `None` if that was not
    /// asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub consistency: Option<f64>,
    /// The mean of a position's value and its value with the other side to move; `None` if that was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub value_of_turn: Option<f64>,
    /// Grades of the same network with search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searched: Vec<SearchedGrades>,
    /// The share of moves that keep the result given by endgame tables; `None` if they were not used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub endgames: Option<f64>,
}

/// Grades with alpha-beta search or with Monte Carlo tree search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct SearchedGrades {
    /// The search depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The number of Monte Carlo rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcts: Option<u32>,
    /// The number of plies after which the network evaluates a playout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ept: Option<u32>,
    /// How often a search two plies deeper chooses the same move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<f64>,
    /// The grades.
    #[serde(flatten)]
    pub grades: TacticsGrades,
}

impl Exam {
    /// The main grade.
    pub fn grade(&self) -> f64 {
        match self {
            Exam::Truth(truth) => truth.all_positions,
            Exam::Tactics(tactics) => tactics.grades.grade,
        }
    }

    /// All grades, each with its name.
    pub fn parts(&self) -> Vec<(&'static str, f64)> {
        match self {
            Exam::Truth(truth) => {
                vec![("grade over all positions", truth.all_positions), ("grade over positions met", truth.on_policy)]
            }
            Exam::Tactics(TacticsExam { grades, .. }) => {
                let all = if grades.scored.is_some() { "points of the exam" } else { "test positions solved" };
                let suites = grades.shares.iter().map(|(suite, &share)| (suite.solved(), share));
                std::iter::once((all, grades.grade)).chain(suites).collect()
            }
        }
    }

    /// Whether the player is perfect in every position, without sampling.
    pub fn solved(&self) -> bool {
        match self {
            Exam::Truth(truth) => truth.all_positions == 1.0 && !truth.sampled,
            Exam::Tactics(_) => false,
        }
    }
}

/// Grades players of one setup of a game.
pub struct Examiner<G: Game> {
    setup: G::Setup,
    solver: Option<Arc<dyn Solver<G>>>,
    atlas: Option<Arc<Atlas<G>>>,
    starts: Starts<G>,
    /// Every position, if there are not too many.
    positions: Option<Vec<G>>,
    /// Test positions, if the game has some.
    questions: Option<Vec<Question<G>>>,
}

/// If a game has at most this number of positions, all are examined. Solvers keep tables of the same size.
const MOST_POSITIONS: usize = 1 << 20;
/// The number of positions that are drawn if a game has too many. Positions that cannot be graded do not count.
pub const SAMPLED_POSITIONS: usize = 1000;
/// The number of games against itself that are then played, and the largest number of turns in each.
const SAMPLED_GAMES: usize = 100;
const SAMPLED_TURNS: usize = 100;
/// The largest number of failures that are listed if a solver grades every move.
const MOST_FAILURES: usize = 500;

/// The number of endings that are drawn to grade a player by endgame tables.
const SAMPLED_ENDINGS: u32 = 500;

/// Streams of random numbers.
const POSITIONS: u64 = 1;
const GAMES: u64 = 2;
const ENDINGS: u64 = 3;

/// A solver that knows every position of a setup: the game's own solver, or, for a small game, its solved atlas. It is
/// the same solver as an [`Examiner`] has, but is made without preparing an exam. `None` if there is none.
pub fn solver_of<G: Game>(setup: &G::Setup) -> Option<Arc<dyn Solver<G>>> {
    if let Some(solver) = G::solver(setup) {
        return Some(Arc::from(solver));
    }
    // An atlas cannot represent rules about a game's past.
    if G::draw_rules(setup) != DrawRules::NONE {
        return None;
    }
    let atlas = Atlas::new(&Starts::new(setup))?;
    Some(Arc::new(AtlasSolver::new(Arc::new(atlas))))
}

impl<G: Game> Examiner<G> {
    /// Prepares the exam of a setup. It uses the game's test positions, the game's own solver, or, for a small game,
    /// the solved atlas. `None` if there is none of these.
    pub fn new(setup: &G::Setup) -> Option<Examiner<G>> {
        let starts = Starts::new(setup);
        let questions = G::QUESTIONS.map(|text| read_questions(text).expect("the game's own questions are right"));
        // An atlas cannot represent rules about a game's past.
        let timeless = G::draw_rules(setup) == DrawRules::NONE;
        let atlas = if timeless { Atlas::new(&starts).map(Arc::new) } else { None };
        let solver = match (G::solver(setup), &atlas) {
            (Some(solver), _) => Some(Arc::from(solver)),
            (None, Some(atlas)) => Some(Arc::new(AtlasSolver::new(Arc::clone(atlas))) as Arc<dyn Solver<G>>),
            (None, None) if questions.is_some() => None,
            (None, None) => return None,
        };
        let positions = match &atlas {
            Some(atlas) => Some(atlas.positions()[..atlas.open()].to_vec()),
            None => G::positions(setup, MOST_POSITIONS),
        };
        Some(Examiner { setup: setup.clone(), solver, atlas, starts, positions, questions })
    }

    /// Uses other test positions.
    pub fn asking(self, questions: Vec<Question<G>>) -> Examiner<G> {
        Examiner { questions: Some(questions), ..self }
    }

    /// The solver of the game, if there is one.
    pub fn solver(&self) -> Option<&Arc<dyn Solver<G>>> {
        self.solver.as_ref()
    }

    /// Whether the exam has test positions. Networks are then examined without search, whatever search they play with.
    pub fn asks(&self) -> bool {
        self.questions.is_some()
    }

    /// The positions in which games of the exam begin.
    pub fn starts(&self) -> &Starts<G> {
        &self.starts
    }

    pub(crate) fn atlas(&self) -> Option<&Arc<Atlas<G>>> {
        self.atlas.as_ref()
    }

    /// Grades a player. Random numbers come from a fixed seed.
    pub fn examine(&self, player: &mut dyn Player<G>) -> Exam {
        match self.questions {
            Some(_) => self.examine_closely(player).0,
            None => Exam::Truth(self.truth(player, &mut |_, _| ())),
        }
    }

    /// Grades a player, and lists the positions that it failed. If a solver grades every move, the list has a limited
    /// length.
    pub fn examine_closely(&self, player: &mut dyn Player<G>) -> (Exam, Vec<Failure>) {
        let Some(questions) = &self.questions else {
            let mut failures = Vec::new();
            let truth = self.truth(player, &mut |game, choice| {
                if failures.len() < MOST_FAILURES {
                    failures.push(Failure::new(Failure::PLAY, game, choice, &self.perfect_moves(game)));
                }
            });
            return (Exam::Truth(truth), failures);
        };
        let (grades, failures) = grade_tactics(questions, player);
        let exam = TacticsExam {
            grades,
            positions: questions.len(),
            consistency: None,
            value_of_turn: None,
            searched: Vec::new(),
            endgames: None,
        };
        (Exam::Tactics(exam), failures)
    }

    /// Grades a player by a solver. Calls `failed` with each position in which the player failed, and its choice.
    fn truth(&self, player: &mut dyn Player<G>, failed: &mut dyn FnMut(&G, Choice<G::Move>)) -> Truth {
        // 1. Grade every position, or a sample.
        let sample: Vec<G>;
        let positions = match &self.positions {
            Some(positions) => positions,
            None => {
                sample = (0..SAMPLED_POSITIONS as u64).map(|number| self.sample_position(number)).collect();
                &sample
            }
        };
        let grades = positions.iter().enumerate().filter_map(|(number, game)| {
            let rng = &mut rng_for(0, &[POSITIONS, number as u64, 1]);
            player.begin();
            let choice = player.choose(&GameHistory::new(game.clone(), &self.setup, 0), rng);
            let grade = self.grade(game, &choice)?;
            if !grade {
                failed(game, choice);
            }
            Some(grade)
        });
        let (mut perfect, mut graded) = (0usize, 0usize);
        for grade in grades {
            perfect += usize::from(grade);
            graded += 1;
        }
        // 2. Grade games against itself, from every start or from a sample.
        let mut tally = Tally::default();
        match (self.starts.listed(), &self.atlas) {
            (Some(starts), Some(_)) => {
                for (number, start) in starts.iter().enumerate() {
                    let rng = &mut rng_for(0, &[GAMES, number as u64]);
                    tally.add(self.self_play(start, player, usize::MAX, rng), self.starts.weight(number));
                }
            }
            _ => {
                for number in 0..SAMPLED_GAMES {
                    let rng = &mut rng_for(0, &[GAMES, number as u64]);
                    let start = self.starts.draw(rng);
                    tally.add(self.self_play(&start, player, SAMPLED_TURNS, rng), 1.0);
                }
            }
        }
        Truth {
            all_positions: share(perfect as f64, graded as f64),
            on_policy: tally.share(),
            positions: graded,
            sampled: self.positions.is_none(),
        }
    }

    /// A random position that can occur in play: a few random moves after a start.
    fn sample_position(&self, number: u64) -> G {
        let rng = &mut rng_for(0, &[POSITIONS, number]);
        let mut game = G::start(&self.setup, rng);
        let mut moves = Vec::new();
        // Each ply is the last one with probability 1/4. The game must not be over.
        while rng.below(4) > 0 {
            moves.clear();
            game.legal_moves(&mut moves);
            let next = game.after(moves[rng.below(moves.len())]);
            if next.outcome().is_some() {
                break;
            }
            game = next;
        }
        game
    }

    /// Whether a choice is perfect; `None` if the solver does not know.
    fn grade(&self, game: &G, choice: &Choice<G::Move>) -> Option<bool> {
        let solver = self.solver.as_ref()?;
        match choice {
            Choice::Move(mv) => solver.perfect(game, *mv),
            Choice::Illegal(_) => solver.illegal_perfect(game),
        }
    }

    /// All perfect moves of a position.
    fn perfect_moves(&self, game: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.retain(|&mv| self.grade(game, &Choice::Move(mv)) == Some(true));
        moves
    }

    /// Numbers of perfect and of graded moves in a game of the player against itself.
    fn self_play(&self, start: &G, player: &mut dyn Player<G>, most: usize, rng: &mut Rng) -> (u32, u32) {
        let mut history = GameHistory::new(start.clone(), &self.setup, 0);
        let (mut perfect, mut graded) = (0, 0);
        player.begin();
        for _ in 0..most {
            if history.outcome().is_some() {
                break;
            }
            let choice = player.choose(&history, rng);
            if let Some(grade) = self.grade(history.game(), &choice) {
                perfect += u32::from(grade);
                graded += 1;
            }
            match choice {
                Choice::Move(mv) => history.play(mv),
                Choice::Illegal(_) => break,
            }
        }
        (perfect, graded)
    }
}

/// The share of moves that keep the result given by endgame tables. Endings are drawn with a fixed seed; only those are
/// used that are not lost and in which some move spoils the result.
pub fn grade_endgames<G: Game>(solver: &dyn Solver<G>, endgames: &dyn Endgames<G>, player: &mut dyn Player<G>) -> f64 {
    let (mut kept, mut asked) = (0, 0);
    let mut moves = Vec::new();
    for number in 0.. {
        if asked == SAMPLED_ENDINGS {
            break;
        }
        let game = endgames.draw(&mut rng_for(0, &[ENDINGS, number]));
        moves.clear();
        game.legal_moves(&mut moves);
        let lost = solver.verdict(&game).is_none_or(|verdict| verdict.value == Value::Lost);
        if lost || moves.iter().all(|&mv| solver.perfect(&game, mv) == Some(true)) {
            continue;
        }
        asked += 1;
        let history = GameHistory::timeless(game);
        player.begin();
        if let Choice::Move(mv) = player.choose(&history, &mut rng_for(0, &[ENDINGS, number, 1])) {
            kept += u32::from(solver.perfect(history.game(), mv) == Some(true));
        }
    }
    f64::from(kept) / f64::from(SAMPLED_ENDINGS)
}

/// Sums of perfect and graded moves over games, each game weighted by its start.
#[derive(Default)]
pub(crate) struct Tally {
    perfect: f64,
    graded: f64,
}

impl Tally {
    pub fn add(&mut self, (perfect, graded): (u32, u32), weight: f64) {
        self.perfect += weight * f64::from(perfect);
        self.graded += weight * f64::from(graded);
    }

    pub fn share(&self) -> f64 {
        share(self.perfect, self.graded)
    }
}

/// A part as a share of the whole; 0 if the whole is 0.
pub(crate) fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, First, Head, NetworkPlayer, Perfect, Random, Seating};
    use evolution::{Activation, Graph, MutationWeights, Network};
    use games::nim::{self, Nim, Setup, Start};

    fn arena(stacks: &[u16], start: Start, head: &str) -> Arena<Nim> {
        let setup = Setup { stacks: stacks.to_vec(), start };
        Arena::new(Seating::new(setup, &nim::Counts).with_head(Head::named(head, "strict").unwrap()))
    }

    fn examine(stacks: &[u16], start: Start, player: &mut dyn Player<Nim>) -> Truth {
        arena(stacks, start, "value").examiner().unwrap().truth(player, &mut |_, _| ())
    }

    /// The numbers that the grading of the thesis gives.
    #[test]
    fn always_take_one() {
        let exam = examine(&[8], Start::Random, &mut First);
        assert_eq!((exam.all_positions, exam.positions), (0.25, 8));
        assert!((exam.on_policy - 15.0 / 36.0).abs() < 1e-12, "{exam:?}");
    }

    #[test]
    fn the_perfect_player_is_perfect() {
        for (stacks, start, positions) in
            [(&[4u16, 4][..], Start::Random, 24), (&[3, 5, 7], Start::Fixed, 191), (&[4, 3], Start::Single, 7)]
        {
            let arena = arena(stacks, start, "value");
            let examiner = arena.examiner().unwrap();
            let exam = examiner.examine(&mut Perfect(Arc::clone(examiner.solver().unwrap())));
            let expected = Truth { all_positions: 1.0, on_policy: 1.0, positions, sampled: false };
            assert_eq!(exam, Exam::Truth(expected));
            assert!(exam.solved());
        }
    }

    #[test]
    fn failures_are_listed_with_the_right_moves() {
        let examiner = Examiner::<Nim>::new(&Setup { stacks: vec![8], start: Start::Random }).unwrap();
        let (exam, failures) = examiner.examine_closely(&mut First);
        // Six of eight positions: with one match there is only one move, and with two matches taking one is right.
        assert_eq!((exam.grade(), failures.len()), (0.25, 6));
        for Failure { suite, position, played, right, .. } in &failures {
            let matches: u32 = position.split(' ').next().unwrap().parse().unwrap();
            assert_eq!((*suite, played.as_str()), (Failure::PLAY, "1:1"));
            assert_eq!(*right, [format!("1:{}", matches - 1)]);
        }
        let mut perfect = Perfect(Arc::clone(examiner.solver().unwrap()));
        assert_eq!(examiner.examine_closely(&mut perfect).1, []);
        let large = Examiner::<Nim>::new(&Setup { stacks: vec![90, 90], start: Start::Random }).unwrap();
        assert_eq!(large.examine_closely(&mut First).1.len(), MOST_FAILURES);
    }

    #[test]
    fn large_games_are_sampled_without_lost_positions() {
        let arena = arena(&[60000, 60000, 60000], Start::Random, "direct");
        let exam = arena.examiner().unwrap().truth(&mut Random, &mut |_, _| ());
        assert!(exam.sampled && !Exam::Truth(exam).solved());
        assert!(exam.positions > 500 && exam.positions <= 1000, "{exam:?}");
        assert!(exam.all_positions < 0.5);
    }

    #[test]
    fn games_too_large_for_an_atlas_are_still_looked_at_as_a_whole() {
        for (stacks, start, positions) in
            [(&[5000u16][..], Start::Random, 5000), (&[90, 90], Start::Single, 180), (&[300, 300], Start::Fixed, 90600)]
        {
            let examiner = Examiner::<Nim>::new(&Setup { stacks: stacks.to_vec(), start }).unwrap();
            let exam = examiner.truth(&mut First, &mut |_, _| ());
            assert_eq!((exam.positions, exam.sampled), (positions, false));
            assert!(exam.all_positions < 0.1, "{exam:?}");
        }
    }

    #[test]
    fn tables_are_graded_as_players_are() {
        let rng = &mut chance::rng_for(4, &[]);
        for head in ["value", "direct", "slots"] {
            for (stacks, start) in
                [(&[4u16, 4][..], Start::Random), (&[3, 5], Start::Single), (&[2, 3, 2], Start::Fixed)]
            {
                let mut arena = arena(stacks, start, head);
                for _ in 0..50 {
                    let mut graph =
                        Graph::random(arena.seating().shape(), Activation::Elu(0.1), Activation::Identity, rng);
                    (0..30).for_each(|_| {
                        graph.mutate(&MutationWeights::all(1.0), 1.0, rng);
                    });
                    let entrant = arena.enter_one(&Arc::new(Network::Graph(graph)));
                    let mut player =
                        NetworkPlayer::new(Arc::clone(arena.seating()), Arc::clone(&entrant.prepared.network));
                    assert_eq!(arena.examine(&entrant), Some(arena.examiner().unwrap().examine(&mut player)));
                }
            }
        }
    }
}
