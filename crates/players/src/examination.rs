//! Lets any player take the exam of a game.

use crate::Error;
use crate::context::Context;
use crate::endgames::{endgame_solver, kept_endgames};
use crate::kinds::Needs;
use crate::player_spec::{PlayerSpec, check_game, setup_for};
use crate::search_options::SearchOptions;
use crate::seated::Seated;
use arena::{
    Exam, Examiner, Failure, Question, SearchedGrades, TacticsExam, consistency, find_questions, grade_endgames,
    read_questions, value_of_turn, write_questions,
};
use games::{Game, GameVisitor, Suite};

/// The parameters of an exam.
pub struct ExamParams<'a> {
    /// The player that takes the exam.
    pub player: &'a PlayerSpec,
    /// The game; it may be `None` if the player plays only one game.
    pub game: Option<&'a str>,
    /// Overrides of the setup, `KEY=VALUE`.
    pub setup: &'a [String],
    /// Test positions as text, which replace those of the game.
    pub questions: Option<&'a str>,
    /// Leaves out what takes long: exams with other searches, and endgame tables that are not yet computed.
    pub quick: bool,
    /// The folders of runs and tables, and how to stop.
    pub context: &'a Context<'a>,
}

/// The searches with which a network takes the exam again after it has taken it alone.
fn searches() -> [SearchOptions; 4] {
    let monte_carlo = SearchOptions { mcts: Some(500), ept: Some(6), ..SearchOptions::default() };
    [SearchOptions::plies(1), SearchOptions::plies(2), SearchOptions::plies(4), monte_carlo]
}

/// Lets a player take the exam. Returns the grades and the test positions that it failed.
pub fn examine(params: &ExamParams) -> Result<(Exam, Vec<Failure>), Error> {
    let (player, runs) = (params.player, params.context.runs);
    let Some(name) = params.game.map_or_else(|| player.game(runs), |name| Ok(Some(name)))? else {
        let known = games::names().join(", ");
        return Err(Error::parameter("game", format!("this player plays any game: {known}; choose one")));
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
            let what = format!("there is no exam for {}: it has no test positions and is not solved", G::NAME);
            return Err(Error::refused(what));
        };
        if let Some(text) = params.questions {
            examiner = examiner.asking(read_all::<G>(text)?);
        }
        let knows_endings_alone = || {
            let known = G::ENDGAMES.map_or("nothing", |endgames| endgames.about());
            let name = player.info().name;
            Error::refused(format!("`{name}` only knows {known}, so it cannot take the exam of {}", G::NAME))
        };
        let is_perfect = examiner.asks() && player.info().needs == Needs::Solver;
        // Refused here, because preparing this player would first compute its tables.
        if is_perfect && params.quick {
            return Err(knows_endings_alone());
        }
        // A network can take the exam of a smaller setup than it was bred for, but not of a larger one.
        let mut seated = player.seat::<G>(&setup, context)?;
        seated.fits_starts(examiner.starts())?;
        if !examiner.asks() {
            return Ok(examiner.examine_closely(&mut *seated.player));
        }
        if is_perfect {
            return Err(knows_endings_alone());
        }
        // Without search options, a network takes the exam alone and then with several searches.
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
            if !plain || params.quick {
                return Ok((exam, failures));
            }
            let looking = |search: SearchOptions| player.looking(search).seat::<G>(&setup, context);
            let agrees = |depth: u32, mut seated: Seated<G>| {
                let mut deeper = looking(SearchOptions::plies(depth + 2))?;
                Ok::<f64, Error>(consistency(&setup, &mut *seated.player, &mut *deeper.player))
            };
            tactics.value_of_turn = value_of_turn(&setup, &mut *seated.player);
            tactics.consistency = Some(agrees(0, seated)?);
            for search in searches() {
                let mut seated = looking(search)?;
                if let Exam::Tactics(TacticsExam { grades, .. }) = examiner.examine(&mut *seated.player) {
                    let SearchOptions { depth, mcts, ept, .. } = search;
                    let consistency = depth.map(|depth| agrees(depth, seated)).transpose()?;
                    tactics.searched.push(SearchedGrades { depth, mcts, ept, consistency, grades });
                }
            }
        }
        Ok((exam, failures))
    }
}

/// Reads test positions from the text of a file. There must be some of every suite of the game.
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
                format!("there are no questions of the suite {}; some of each of {all} are needed", suite.name());
            Err(Error::refused(what))
        }
        None => Ok(questions),
    }
}

/// The number of suites of test positions that a game has.
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

/// Finds `each` test positions for every suite of a game, as text. The seed decides which. `progress` receives the
/// number found so far.
pub fn questions(game: &str, seed: u64, each: usize, progress: &mut dyn FnMut(usize)) -> Result<String, Error> {
    FindQuestions(seed, each, progress).in_game(game)?
}

pub(crate) struct FindQuestions<'a>(u64, usize, &'a mut dyn FnMut(usize));

games::by_name!(FindQuestions<'a>, 'a);

impl GameVisitor for FindQuestions<'_> {
    type Output = Result<String, Error>;

    fn visit<G: Game>(self) -> Result<String, Error> {
        let none =
            || Error::refused(format!("{} has no pieces to save or to take, so there are no test positions", G::NAME));
        find_questions::<G>(self.0, self.1, self.2).map(|found| write_questions(&found)).ok_or_else(none)
    }
}
