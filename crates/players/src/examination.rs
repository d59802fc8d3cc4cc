//! The exam of any player by name.

use crate::Error;
use crate::context::Context;
use crate::endgames::{endgame_solver, kept_endgames};
use crate::kinds::Needs;
use crate::player_spec::{PlayerSpec, check_game, setup_for};
use crate::search_options::SearchOptions;
use arena::{
    Exam, Examiner, Failure, Question, SearchedGrades, TacticsExam, find_questions, grade_endgames, read_questions,
    write_questions,
};
use games::{Game, GameVisitor, Suite};

/// An exam to be taken.
pub struct ExamParams<'a> {
    /// Who takes it.
    pub player: &'a PlayerSpec,
    /// The game, where the player does not say it.
    pub game: Option<&'a str>,
    /// Overrides of the setup, `KEY=VALUE`.
    pub setup: &'a [String],
    /// Other test positions than the game's own, as text.
    pub questions: Option<&'a str>,
    /// Only what it does as it plays: not with other searches, and without endgame tables that have yet to be worked out.
    pub quick: bool,
    /// Where files are.
    pub context: &'a Context<'a>,
}

/// How networks look ahead when they are examined with search beside what they can alone: some plies, and Monte Carlo.
fn searches() -> [SearchOptions; 4] {
    let monte_carlo = SearchOptions { mcts: Some(500), ept: Some(6), ..SearchOptions::default() };
    [SearchOptions::plies(1), SearchOptions::plies(2), SearchOptions::plies(4), monte_carlo]
}

/// Grades a player; and the test positions it failed, where there are some.
pub fn examine(params: &ExamParams) -> Result<(Exam, Vec<Failure>), Error> {
    let (player, runs) = (params.player, params.context.runs);
    let Some(name) = params.game.map_or_else(|| player.game(runs), |name| Ok(Some(name)))? else {
        let known = games::names().join(", ");
        return Err(Error::parameter("game", format!("this player plays any game: {known}; it must be said which")));
    };
    check_game(name, &[player], runs)?;
    TakeExam { params }.in_game(name)?
}

pub(crate) struct TakeExam<'a> {
    params: &'a ExamParams<'a>,
}

games::by_name!(TakeExam<'a>, 'a);

impl GameVisitor for TakeExam<'_> {
    type Output = Result<(Exam, Vec<Failure>), Error>;

    fn visit<G: Game>(self) -> Self::Output {
        let params = self.params;
        let &ExamParams { player, context, .. } = params;
        let setup = setup_for::<G>(&[player], params.setup, context.runs)?;
        let Some(mut examiner) = Examiner::<G>::new(&setup) else {
            return Err(Error::refused(format!("there is no exam for {}: it cannot be solved here", G::NAME)));
        };
        if let Some(text) = params.questions {
            examiner = examiner.asking(read_all::<G>(text)?);
        }
        let knows_endings_alone = || {
            let known = G::ENDGAMES.map_or("nothing", |endgames| endgames.about());
            Error::refused(format!("`{}` knows {known}, and cannot take the exam of {}", player.info().name, G::NAME))
        };
        let is_perfect = examiner.asks() && player.info().needs == Needs::Solver;
        // It would have to find its tables first.
        if is_perfect && params.quick {
            return Err(knows_endings_alone());
        }
        // A network may be asked about a smaller game than it was bred for, not about a larger one.
        let mut seated = player.seat::<G>(&setup, context)?;
        seated.fits_starts(examiner.starts())?;
        if !examiner.asks() {
            return Ok(examiner.examine_closely(&mut *seated.player));
        }
        if is_perfect {
            return Err(knows_endings_alone());
        }
        // Networks are graded alone, and then with search, unless somebody said how they should play.
        let plain = player.is_plain_network(context.runs)?;
        if plain {
            seated = player.looking(SearchOptions::plies(0)).seat::<G>(&setup, context)?;
        }
        let (mut exam, failures) = examiner.examine_closely(&mut *seated.player);
        if let Exam::Tactics(tactics) = &mut exam {
            let solver = if params.quick { kept_endgames(&setup, context) } else { endgame_solver(&setup, context) };
            if let (Some(solver), Some(endgames)) = (solver, G::ENDGAMES) {
                tactics.endgames = Some(grade_endgames(&*solver, endgames, &mut *seated.player));
            }
            for search in searches().into_iter().filter(|_| plain && !params.quick) {
                let mut seated = player.looking(search).seat::<G>(&setup, context)?;
                if let Exam::Tactics(TacticsExam { grades, .. }) = examiner.examine(&mut *seated.player) {
                    let SearchOptions { depth, mcts, ept, .. } = search;
                    tactics.searched.push(SearchedGrades { depth, mcts, ept, grades });
                }
            }
        }
        Ok((exam, failures))
    }
}

/// Test positions from a file: some of every suite of the game.
fn read_all<G: Game>(text: &str) -> Result<Vec<Question<G>>, Error> {
    if G::SUITES.is_empty() {
        let what = format!("the exam of {} has no test positions: a solver grades every move", G::NAME);
        return Err(Error::refused(what));
    }
    let questions = read_questions::<G>(text).map_err(|why| Error::refused(format!("questions, {why}")))?;
    if questions.is_empty() {
        return Err(Error::NoQuestions);
    }
    match G::SUITES.iter().find(|suite| questions.iter().all(|question| question.suite != **suite)) {
        Some(suite) => {
            let all = Suite::names(G::SUITES);
            let what =
                format!("there are no questions of the suite {}; some of each of {all} belong there", suite.name());
            Err(Error::refused(what))
        }
        None => Ok(questions),
    }
}

/// How many suites of test positions a game has.
pub fn suites(game: &str) -> usize {
    CountSuites.in_game(game).unwrap_or(0)
}

pub(crate) struct CountSuites;

games::by_name!(CountSuites);

impl GameVisitor for CountSuites {
    type Output = usize;

    fn visit<G: Game>(self) -> usize {
        G::SUITES.len()
    }
}

/// Finds test positions of a game by seed, as text; `progress` hears how many there are.
pub fn questions(game: &str, seed: u64, each: usize, progress: &mut dyn FnMut(usize)) -> Result<String, Error> {
    FindQuestions(seed, each, progress).in_game(game)?
}

pub(crate) struct FindQuestions<'a>(u64, usize, &'a mut dyn FnMut(usize));

games::by_name!(FindQuestions<'a>, 'a);

impl GameVisitor for FindQuestions<'_> {
    type Output = Result<String, Error>;

    fn visit<G: Game>(self) -> Result<String, Error> {
        let none =
            || Error::refused(format!("{} has no pieces to save or to take, so there are no such positions", G::NAME));
        find_questions::<G>(self.0, self.1, self.2).map(|found| write_questions(&found)).ok_or_else(none)
    }
}
