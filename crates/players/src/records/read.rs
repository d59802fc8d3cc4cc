//! Files of games to step through: who played, every move and position, and what is wrong with each.

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
    /// The first of its games.
    pub games: Vec<SteppedGame>,
    /// How many it has in all.
    pub found: usize,
    /// What `1-0` means in it, as a sentence, where files differ.
    pub meaning: Option<String>,
}

/// Replays all games of a text, and gives the first of them move by move. Which game it is says whoever calls, or a tag.
pub fn read_games(text: &str, game: Option<&str>, most: usize) -> Result<ReadFile, Error> {
    let (games, meaning) = judged(replay_all(text, game, None, most)?);
    // Any text is a row of words: one of which nothing can be played, and that says nothing else, is no game.
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
    /// How it ended, as far as that can be told: on the board, or by what is said of it.
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

    /// All of it, where that was wanted.
    fn stepped(mut self) -> Option<SteppedGame> {
        let stepped = self.stepped.take()?;
        // Where it breaks off, nothing was decided on the board that is shown.
        let outcome = self.outcome().filter(|_| self.end.is_some() || self.checked.problem.is_none());
        Some(SteppedGame {
            outcome: outcome.map(|outcome| outcome.name().to_string()),
            problem: self.checked.problem,
            ..stepped
        })
    }
}

/// A record before it is replayed: who played, and what else is said of it.
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
    fn results_count_as_far_as_they_can_be_told() {
        let outcome = |text: &str, game: &str| read_games(text, Some(game), 1).unwrap().games.remove(0).outcome;
        assert_eq!(outcome("1. a3 1-0", "minichess").as_deref(), Some("first"));
        assert_eq!(outcome("1. a3 *", "minichess"), None);
        assert_eq!(outcome("1. a3 Rb9 1-0", "minichess"), None);
        // In draughts `1-0` may be either's win.
        assert_eq!(outcome("1. 11-15 1-0", "draughts"), None);
        assert!(read_games("good morning", Some("draughts"), 1).is_err());
    }
}
