//! Whole games to step through: every move and every position, in the game's notation.

use crate::Error;
use games::{Game, GameVisitor, NotationError, Side, parse_move};
use runs::RunFile;
use serde::Serialize;
use trainer::RecordedGame;

/// A game with all its positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SteppedGame {
    /// The game's name.
    pub game: String,
    /// What it is called in a list.
    pub title: String,
    /// Who played the first side, and who the second.
    pub players: [String; 2],
    /// The position it began with.
    pub start: String,
    /// Whose turn it was there.
    pub side: Side,
    /// Its moves and positions.
    #[serde(flatten)]
    pub steps: Steps,
    /// `first`, `second` or `draw`; nothing where it goes on, or nobody knows.
    #[cfg_attr(feature = "ts", ts(type = "Side | \"draw\" | null"))]
    pub outcome: Option<String>,
    /// What was attempted at the end, and lost.
    pub illegal: Option<String>,
    /// What its file says of it.
    pub tags: Vec<(String, String)>,
    /// What is wrong with it; it is shown as far as it can be played.
    pub problem: Option<String>,
}

/// The way of a game, move by move.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Steps {
    /// In the game's notation.
    pub moves: Vec<String>,
    /// As records of whole games write them.
    pub written: Vec<String>,
    /// Before each move, and behind the last.
    pub positions: Vec<String>,
}

impl Steps {
    /// A game that begins here.
    pub(crate) fn begin<G: Game>(start: &G) -> Steps {
        Steps { positions: vec![start.to_string()], ..Steps::default() }
    }

    /// Makes a legal move in a position.
    pub(crate) fn play<G: Game>(&mut self, position: &mut G, mv: G::Move) {
        self.moves.push(mv.to_string());
        self.written.push(position.record_move(mv));
        position.play(mv);
        self.positions.push(position.to_string());
    }
}

/// The games kept of a generation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct KeptGames {
    /// The generation; nothing where no games were kept.
    pub generation: Option<u64>,
    /// The first generation of which games were kept.
    pub first: Option<u64>,
    /// The last.
    pub last: Option<u64>,
    /// The games.
    pub games: Vec<SteppedGame>,
}

/// A kept game turn by turn.
#[derive(Clone, Debug, Serialize)]
pub struct Replay {
    /// The game as it is kept.
    #[serde(flatten)]
    pub game: RecordedGame,
    /// Turn by turn.
    pub turns: Vec<Turn>,
}

/// One turn.
#[derive(Clone, Debug, Serialize)]
pub struct Turn {
    /// The position before it.
    pub position: String,
    /// Whose turn.
    pub side: Side,
    /// The move, or the illegal attempt that lost.
    pub mv: String,
    /// Whether it was legal.
    pub legal: bool,
}

/// The games kept of a generation, or of the last one of which there are any, turn by turn.
pub fn replays(run: &RunFile, generation: Option<u64>) -> Result<Vec<Replay>, Error> {
    let game = run.info()?.game;
    let replay = |kept: RecordedGame| {
        let SteppedGame { mut side, steps, .. } = stepped(run, &game, &kept)?;
        let legal = steps.moves.into_iter().map(|mv| (mv, true));
        let attempts = legal.chain(kept.illegal.clone().map(|attempt| (attempt, false)));
        let turn = |(position, (mv, legal)): (String, (String, bool))| {
            let turn = Turn { position, side, mv, legal };
            side = !side;
            turn
        };
        let turns = steps.positions.into_iter().zip(attempts).map(turn).collect();
        Ok(Replay { game: kept, turns })
    };
    run.games(generation)?.into_iter().map(replay).collect()
}

/// The games kept of the last generation up to this one of which there are any, or else of the first.
pub fn kept_games(run: &RunFile, generation: u64) -> Result<KeptGames, Error> {
    let game = run.info()?.game;
    let Some((first, last, nearest)) = run.generations_with_games(generation)? else {
        return Ok(KeptGames { generation: None, first: None, last: None, games: Vec::new() });
    };
    let games = run.games(Some(nearest))?.iter().map(|kept| stepped(run, &game, kept)).collect::<Result<_, _>>()?;
    Ok(KeptGames { generation: Some(nearest), first: Some(first), last: Some(last), games })
}

/// A kept game with all its positions.
fn stepped(run: &RunFile, game: &str, kept: &RecordedGame) -> Result<SteppedGame, Error> {
    StepThrough { run, kept }.in_game(game)?
}

pub(crate) struct StepThrough<'a> {
    run: &'a RunFile,
    kept: &'a RecordedGame,
}

games::by_name!(StepThrough<'a>, 'a);

impl GameVisitor for StepThrough<'_> {
    type Output = Result<SteppedGame, Error>;

    fn visit<G: Game>(self) -> Result<SteppedGame, Error> {
        let RecordedGame { generation, number, first, second, start, moves, illegal, outcome } = self.kept.clone();
        let title = format!("generation {generation}, game {}", number + 1);
        let damaged = |why: String| Error::NotARun {
            file: self.run.path().to_path_buf(),
            why: format!("{title} in it cannot be replayed ({why})"),
        };
        let mut position: G = start.parse().map_err(|error: NotationError| damaged(error.to_string()))?;
        let (side, mut steps) = (position.side_to_move(), Steps::begin(&position));
        for text in &moves {
            let mv = parse_move(&position, text).map_err(|error| damaged(error.to_string()))?;
            steps.play(&mut position, mv);
        }
        let player = |generation: u64| format!("run:{}@{generation}", self.run.name());
        Ok(SteppedGame {
            game: G::NAME.to_string(),
            players: [player(first), player(second)],
            start,
            side,
            steps,
            outcome: Some(outcome),
            illegal,
            tags: Vec::new(),
            problem: None,
            title,
        })
    }
}
