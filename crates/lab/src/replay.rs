//! Recorded games, turn by turn.

use crate::Error;
use crate::player_spec::parse_position;
use crate::report::RecordedGame;
use crate::run_file::RunFile;
use games::{Game, GameVisitor, Side, parse_move};
use serde::Serialize;

/// A recorded game with the position of every turn.
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

/// The games kept of a generation, or of the last one of which there are any.
pub fn replays(run: &RunFile, generation: Option<u64>) -> Result<Vec<Replay>, Error> {
    let info = run.info()?;
    let games = run.games(generation)?;
    games
        .into_iter()
        .map(|game| {
            let visitor = Visitor { run, game };
            games::with_game(&info.game, visitor).ok_or_else(|| Error::unknown("game", &info.game, games::names()))?
        })
        .collect()
}

struct Visitor<'a> {
    run: &'a RunFile,
    game: RecordedGame,
}

impl GameVisitor for Visitor<'_> {
    type Output = Result<Replay, Error>;

    fn visit<G: Game>(self) -> Result<Replay, Error> {
        let RecordedGame { generation, number, .. } = self.game;
        let damaged = |why: String| Error::NotARun {
            file: self.run.path().to_path_buf(),
            why: format!("game {} of generation {generation} in it cannot be replayed ({why})", number + 1),
        };
        let mut position: G = parse_position(&self.game.start).map_err(|error| damaged(error.to_string()))?;
        let mut turns = Vec::new();
        for text in &self.game.moves {
            let mv = parse_move(&position, text).map_err(|error| damaged(error.to_string()))?;
            turns.push(Turn {
                position: position.to_string(),
                side: position.side_to_move(),
                mv: text.clone(),
                legal: true,
            });
            position.play(mv);
        }
        if let Some(text) = &self.game.illegal {
            turns.push(Turn {
                position: position.to_string(),
                side: position.side_to_move(),
                mv: text.clone(),
                legal: false,
            });
        }
        Ok(Replay { game: self.game, turns })
    }
}
