//! Whole games to step through: every move and every position, in the game's notation.

use crate::Error;
use crate::player_spec::parse_position;
use crate::report::RecordedGame;
use crate::run_file::RunFile;
use games::{Game, GameVisitor, Side, parse_move};
use serde::Serialize;

/// A game with all its positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
pub struct KeptGames {
    /// The generation; nothing where no games were kept.
    pub generation: Option<u64>,
    /// The first generation of which games were kept.
    pub first: Option<u64>,
    /// The last.
    pub last: Option<u64>,
    /// They.
    pub games: Vec<SteppedGame>,
}

/// The games kept of the last generation up to this one of which there are any, or else of the first.
pub fn kept_games(run: &RunFile, generation: u64) -> Result<KeptGames, Error> {
    let info = run.info()?;
    let Some((first, last, nearest)) = run.generations_with_games(generation)? else {
        return Ok(KeptGames { generation: None, first: None, last: None, games: Vec::new() });
    };
    let step = |kept: RecordedGame| {
        let unknown = || Error::unknown("game", &info.game, games::names());
        games::with_game(&info.game, Visitor { run, kept }).ok_or_else(unknown)?
    };
    let games = run.games(Some(nearest))?.into_iter().map(step).collect::<Result<_, _>>()?;
    Ok(KeptGames { generation: Some(nearest), first: Some(first), last: Some(last), games })
}

struct Visitor<'a> {
    run: &'a RunFile,
    kept: RecordedGame,
}

impl GameVisitor for Visitor<'_> {
    type Output = Result<SteppedGame, Error>;

    fn visit<G: Game>(self) -> Result<SteppedGame, Error> {
        let RecordedGame { generation, number, first, second, start, moves, illegal, outcome } = self.kept;
        let title = format!("generation {generation}, game {}", number + 1);
        let damaged = |why: String| Error::NotARun {
            file: self.run.path().to_path_buf(),
            why: format!("{title} in it cannot be replayed ({why})"),
        };
        let mut position: G = parse_position(&start).map_err(|error| damaged(error.to_string()))?;
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
