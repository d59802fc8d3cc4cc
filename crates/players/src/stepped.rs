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
    /// The title of this game in a list.
    pub title: String,
    /// The players of the first and the second side.
    pub players: [String; 2],
    /// The position in which the game began.
    pub start: String,
    /// The side to move in that position.
    pub side: Side,
    /// The moves and positions.
    #[serde(flatten)]
    pub steps: Steps,
    /// `first`, `second` or `draw`; `None` if the game is not over or its outcome is not known.
    #[cfg_attr(feature = "ts", ts(type = "Side | \"draw\" | null"))]
    pub outcome: Option<String>,
    /// The illegal attempt that lost the game, if there was one.
    pub illegal: Option<String>,
    /// The tags of the game in its file, by name and value.
    pub tags: Vec<(String, String)>,
    /// What is wrong with the game, if something is. It is shown up to the first move that cannot be played.
    pub problem: Option<String>,
}

/// The moves and positions of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Steps {
    /// The moves in the game's notation.
    pub moves: Vec<String>,
    /// The moves as PGN or PDN writes them.
    pub written: Vec<String>,
    /// The positions before each move and after the last one.
    pub positions: Vec<String>,
}

impl Steps {
    /// A game without moves, which begins in this position.
    pub(crate) fn begin<G: Game>(start: &G) -> Steps {
        Steps { positions: vec![start.to_string()], ..Steps::default() }
    }

    /// Makes a legal move in the position and adds it.
    pub(crate) fn play<G: Game>(&mut self, position: &mut G, mv: G::Move) {
        self.moves.push(mv.to_string());
        self.written.push(position.record_move(mv));
        position.play(mv);
        self.positions.push(position.to_string());
    }
}

/// The games that a run file keeps of one generation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct KeptGames {
    /// The generation; `None` if the run keeps no games.
    pub generation: Option<u64>,
    /// The first generation with kept games.
    pub first: Option<u64>,
    /// The last generation with kept games.
    pub last: Option<u64>,
    /// The games.
    pub games: Vec<SteppedGame>,
}

/// A kept game, turn by turn.
#[derive(Clone, Debug, Serialize)]
pub struct Replay {
    /// The game as it is stored.
    #[serde(flatten)]
    pub game: RecordedGame,
    /// The turns.
    pub turns: Vec<Turn>,
}

/// One turn.
#[derive(Clone, Debug, Serialize)]
pub struct Turn {
    /// The position before the move.
    pub position: String,
    /// The side to move.
    pub side: Side,
    /// The move, or the illegal attempt that lost the game.
    pub mv: String,
    /// Whether the move was legal.
    pub legal: bool,
}

/// The kept games of a generation, turn by turn. If `generation` is `None`, the last generation with kept games is
/// taken.
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

/// The kept games of this generation. If it has none, those of the nearest earlier generation with kept games, or else
/// those of the first generation with kept games.
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
    let RecordedGame { generation, number, first, second, start, moves, illegal, outcome } = kept;
    let title = format!("generation {generation}, game {}", number + 1);
    let player = |generation: &u64| format!("run:{}@{generation}", run.name());
    let told = Told { start, moves, illegal: illegal.clone(), outcome: Some(outcome.clone()) };
    stepped_game(game, [player(first), player(second)], &title, told).map_err(|error| match error {
        Error::Parameter { what, .. } => {
            Error::NotARun { file: run.path().to_path_buf(), why: format!("{title} in it cannot be replayed ({what})") }
        }
        error => error,
    })
}

/// What is known about a game before it is stepped through.
pub struct Told<'a> {
    /// The position in which it began.
    pub start: &'a str,
    /// Its moves, in the game's notation.
    pub moves: &'a [String],
    /// The illegal attempt that lost the game, if there was one.
    pub illegal: Option<String>,
    /// `first`, `second` or `draw`; `None` if the game is not over.
    pub outcome: Option<String>,
}

/// A game with all its positions. Fails if a move cannot be played.
pub fn stepped_game(game: &str, players: [String; 2], title: &str, told: Told) -> Result<SteppedGame, Error> {
    StepThrough { players, title, told }.in_game(game)?
}

pub(crate) struct StepThrough<'a> {
    players: [String; 2],
    title: &'a str,
    told: Told<'a>,
}

games::by_name!(StepThrough<'a>, 'a);

impl GameVisitor for StepThrough<'_> {
    type Output = Result<SteppedGame, Error>;

    fn visit<G: Game>(self) -> Result<SteppedGame, Error> {
        let StepThrough { players, title, told: Told { start, moves, illegal, outcome } } = self;
        let unreadable = |error: NotationError| Error::parameter("moves", error.to_string());
        let mut position: G = start.parse().map_err(unreadable)?;
        let (side, mut steps) = (position.side_to_move(), Steps::begin(&position));
        for text in moves {
            let mv = parse_move(&position, text).map_err(unreadable)?;
            steps.play(&mut position, mv);
        }
        Ok(SteppedGame {
            game: G::NAME.to_string(),
            players,
            start: start.to_string(),
            side,
            steps,
            outcome,
            illegal,
            tags: Vec::new(),
            problem: None,
            title: title.to_string(),
        })
    }
}
