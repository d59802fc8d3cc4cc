//! Reads files of games to step through: the players, every move and position, and what is wrong with a game.

use super::text::Record;
use super::{CheckedGame, Replayed, judged, replay_all};
use crate::Error;
use crate::stepped::{SteppedGame, Steps};
use games::{Game, Outcome, Side};
use serde::Serialize;
use std::cmp::Ordering;

/// A file of games to step through.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadFile {
    /// The first games of the file.
    pub games: Vec<SteppedGame>,
    /// The number of all games in the file.
    pub found: usize,
    /// A sentence about what `1-0` means in the file; `None` if it means the same in all files of this game.
    pub meaning: Option<String>,
}

/// Replays all games of a text, and returns the first `most` games move by move. The kind of game is given by `game` or
/// by a tag.
pub fn read_games(text: &str, game: Option<&str>, most: usize) -> Result<ReadFile, Error> {
    let (games, meaning) = judged(replay_all(text, game, None, most)?);
    // Any text can be read as a list of moves. If no move of it can be played and it has no tags, it contains no games.
    let is_empty =
        |game: &Replayed| game.checked.plies == 0 && game.stepped.as_ref().is_none_or(|it| it.tags.is_empty());
    if let Some(Replayed { checked: CheckedGame { problem: Some(why), .. }, .. }) = games.first()
        && games.iter().all(is_empty)
    {
        return Err(Error::refused(why.clone()));
    }
    Ok(ReadFile { found: games.len(), games: games.into_iter().filter_map(Replayed::stepped).collect(), meaning })
}

impl Replayed {
    /// The outcome on the board, or else the one that the result says; `None` if neither is known.
    fn outcome(&self) -> Option<Outcome> {
        if let Some((_, outcome)) = &self.end {
            return Some(*outcome);
        }
        let first = self.sides.iter().position(|side| Some(*side) == self.checked.first_number_is)?;
        let first = Side::BOTH[first];
        Some(match self.said()? {
            Ordering::Greater => Outcome::Win(first),
            Ordering::Less => Outcome::Win(!first),
            Ordering::Equal => Outcome::Draw,
        })
    }

    /// The game with its positions, or `None` if they were not kept.
    fn stepped(mut self) -> Option<SteppedGame> {
        let stepped = self.stepped.take()?;
        // If the game could not be replayed to its end, its result does not belong to the position that is shown last.
        let outcome = self.outcome().filter(|_| self.end.is_some() || self.checked.problem.is_none());
        Some(SteppedGame {
            outcome: outcome.map(|outcome| outcome.name().to_string()),
            problem: self.checked.problem,
            ..stepped
        })
    }
}

/// A game before it is replayed: only its players, title and tags.
pub(super) fn described<G: Game>(number: usize, record: &Record) -> SteppedGame {
    let said = |tag: &str| record.tag(tag).map(str::trim).filter(|value| !value.is_empty() && !value.starts_with('?'));
    let player = |side: &str| said(side).unwrap_or("?").to_string();
    let event = said("Event").map_or(String::new(), |event| format!(": {event}"));
    let round = said("Round").filter(|round| *round != "-").map_or(String::new(), |round| format!(", round {round}"));
    SteppedGame {
        game: G::NAME.to_string(),
        title: format!("game {number}{event}{round}"),
        players: G::SIDES.map(player),
        start: String::new(),
        side: Side::First,
        steps: Steps::default(),
        outcome: None,
        illegal: None,
        tags: record.tags.clone(),
        problem: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_with_all_their_positions() {
        let text = "[GameType \"21\"]\n1. 11-15 23-19 2. 8-11 *\n\n[GameType \"21\"]\n1. 11-15 23-20 *";
        let ReadFile { games, found, .. } = read_games(text, None, 1).unwrap();
        assert_eq!((games.len(), found), (1, 2));
        assert_eq!((games[0].steps.positions.len(), games[0].side), (4, Side::First));
        let ReadFile { games, .. } = read_games(text, None, 9).unwrap();
        assert_eq!((games[1].steps.moves.as_slice(), games[1].steps.positions.len()), (&["11-15".to_string()][..], 2));
        assert!(games[1].problem.as_ref().unwrap().contains("`23-20` is no legal move"));
    }

    #[test]
    fn results_count_only_if_their_meaning_is_known() {
        let outcome = |text: &str, game: &str| read_games(text, Some(game), 1).unwrap().games.remove(0).outcome;
        assert_eq!(outcome("1. a3 1-0", "minichess").as_deref(), Some("first"));
        assert_eq!(outcome("1. a3 *", "minichess"), None);
        assert_eq!(outcome("1. a3 Rb9 1-0", "minichess"), None);
        // In files of draughts `1-0` may be a win of either side.
        assert_eq!(outcome("1. 11-15 1-0", "draughts"), None);
        assert!(read_games("good morning", Some("draughts"), 1).is_err());
    }
}
