//! A game in progress: the position, and the part of its past that the rules need.

use games::{DrawRules, Game, Outcome};

/// A position together with the part of its past that can lead to a draw.
#[derive(Clone, Debug)]
pub struct GameHistory<G: Game> {
    game: G,
    past: Past,
}

/// The part of a game's past that can draw it. Searches carry it along, so that they see what the referee sees.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    rules: DrawRules,
    plies: u32,
    /// Positions since the last move that cannot be undone, the current one last. Empty if repetitions do not matter.
    keys: Vec<Visit>,
    /// The index of the first key that can occur again.
    since: usize,
    /// The number of plies since the last move that cannot be undone.
    quiet: u32,
}

/// A position that occurred: its key, and how often it had occurred by then.
#[derive(Clone, Copy, Debug)]
struct Visit {
    key: u64,
    times: u32,
}

impl<G: Game> GameHistory<G> {
    /// A game that continues from this position, after `plies` plies whose positions are not known.
    pub fn new(game: G, setup: &G::Setup, plies: u32) -> GameHistory<G> {
        let mut past = Past { rules: G::draw_rules(setup), plies, keys: Vec::new(), since: 0, quiet: 0 };
        if past.rules.repetitions > 0 {
            past.keys.push(Visit { key: game.key(), times: 1 });
        }
        GameHistory { game, past }
    }

    /// A position without a past: only the board decides the game.
    pub fn timeless(game: G) -> GameHistory<G> {
        GameHistory { game, past: Past { rules: DrawRules::NONE, plies: 0, keys: Vec::new(), since: 0, quiet: 0 } }
    }

    /// The position.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The number of plies played.
    pub fn plies(&self) -> u32 {
        self.past.plies
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let progress = self.past.remembers() && self.game.is_progress(mv);
        self.game.play(mv);
        if progress {
            self.past.keys.clear();
            self.past.since = 0;
        }
        self.past.enter(&self.game, progress);
    }

    /// The game after a legal move.
    pub fn after(&self, mv: G::Move) -> GameHistory<G> {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// The outcome, if the game is over: by its position, or drawn by its past.
    pub fn outcome(&self) -> Option<Outcome> {
        self.past.outcome(&self.game).or_else(|| self.past.is_draw().then_some(Outcome::Draw))
    }

    /// Why the game is drawn, if its past draws it; otherwise `None`.
    pub fn why_drawn(&self) -> Option<String> {
        let DrawRules { most_plies, repetitions, quiet_plies, .. } = self.past.rules;
        match self.game.outcome() {
            None if self.past.plies >= most_plies => Some(format!("drawn after {most_plies} plies")),
            None if self.past.is_quiet() => Some(format!("drawn after {quiet_plies} plies without progress")),
            Some(Outcome::Win(_)) if self.outcome() == Some(Outcome::Draw) => {
                Some("drawn, because the side to move has no legal move".to_string())
            }
            None if self.past.is_draw() => Some(format!("drawn, because the position occurred {repetitions} times")),
            _ => None,
        }
    }

    pub(crate) fn past(&self) -> &Past {
        &self.past
    }
}

/// The state that a search returns to when it takes a move back.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    since: usize,
    quiet: u32,
}

impl Past {
    /// Whether the rules need to know which moves cannot be undone.
    #[inline]
    pub fn remembers(&self) -> bool {
        self.rules.repetitions > 0 || self.rules.quiet_plies > 0
    }

    /// The outcome of a finished position; `None` if the game goes on.
    #[inline]
    pub fn outcome<G: Game>(&self, game: &G) -> Option<Outcome> {
        let outcome = game.outcome()?;
        Some(if self.rules.blocked_draws && game.is_blocked() { Outcome::Draw } else { outcome })
    }

    /// Whether the limit of plies without progress is reached.
    #[inline]
    fn is_quiet(&self) -> bool {
        self.rules.quiet_plies > 0 && self.quiet >= self.rules.quiet_plies
    }

    /// The largest number of successive plies without progress.
    pub fn most_quiet(&self) -> u32 {
        if self.rules.quiet_plies == 0 { u32::MAX } else { self.rules.quiet_plies }
    }

    /// The number of plies that may still be played, and the number of plies without progress that may follow.
    pub fn plies_left(&self) -> [u32; 2] {
        let quiet = match self.rules.quiet_plies {
            0 => u32::MAX,
            most => most.saturating_sub(self.quiet),
        };
        [self.rules.most_plies.saturating_sub(self.plies), quiet]
    }

    /// Whether the current position, in which the game would go on, is drawn by the past.
    #[inline]
    pub fn is_draw(&self) -> bool {
        if self.plies >= self.rules.most_plies || self.is_quiet() {
            return true;
        }
        self.rules.repetitions > 0
            && self.keys.last().is_some_and(|visit| visit.times >= u32::from(self.rules.repetitions))
    }

    /// Whether the current position occurred before; always false if repetitions do not matter.
    #[inline]
    pub fn has_returned(&self) -> bool {
        self.keys.last().is_some_and(|visit| visit.times > 1)
    }

    /// Whether a position would be drawn if it came next. `progress` says whether the move to it cannot be undone.
    #[inline]
    pub fn would_draw<G: Game>(&self, game: &G, progress: bool) -> bool {
        let DrawRules { most_plies, repetitions, quiet_plies, .. } = self.rules;
        if self.plies + 1 >= most_plies || (quiet_plies > 0 && !progress && self.quiet + 1 >= quiet_plies) {
            return true;
        }
        // A repeated position has the same side to move, and the first repetition takes at least four plies.
        let before = &self.keys[self.since..];
        if repetitions == 0 || progress || before.len() < 4 {
            return false;
        }
        let key = game.key();
        let earlier = before.iter().rev().skip(1).step_by(2).find(|visit| visit.key == key);
        earlier.is_some_and(|visit| visit.times + 1 >= u32::from(repetitions))
    }

    /// Goes on to a position. `progress` says whether the move to it cannot be undone.
    #[inline]
    pub fn enter<G: Game>(&mut self, game: &G, progress: bool) -> Mark {
        self.plies += 1;
        let mark = Mark { since: self.since, quiet: self.quiet };
        self.quiet = if progress { 0 } else { self.quiet + 1 };
        if self.rules.repetitions > 0 {
            if progress {
                self.since = self.keys.len();
            }
            let key = game.key();
            // A repeated position has the same side to move.
            let earlier = self.keys[self.since..].iter().rev().skip(1).step_by(2).find(|visit| visit.key == key);
            self.keys.push(Visit { key, times: earlier.map_or(0, |visit| visit.times) + 1 });
        }
        mark
    }

    /// Takes back the last position that was entered.
    #[inline]
    pub fn leave(&mut self, mark: Mark) {
        self.plies -= 1;
        self.quiet = mark.quiet;
        if self.rules.repetitions > 0 {
            self.keys.pop();
            self.since = mark.since;
        }
    }

    /// A hash of the parts of the past that can change the result of a search of `depth` plies; 0 if there are none.
    ///
    /// A position is drawn when it occurs for the n-th time. A position that occurred k times can reach that within the
    /// depth if n − k more visits fit into it: the first visit takes at least one ply, each later one four more.
    pub fn fingerprint(&self, depth: u32) -> u64 {
        let most = u32::from(self.rules.repetitions);
        let keys = &self.keys[self.since..];
        if most == 0 || keys.len() < 2 {
            return 0;
        }
        let visits = depth.div_ceil(4);
        let close = keys.iter().filter(|visit| visit.times + visits >= most);
        close.fold(0, |sum, visit| sum.wrapping_add(mix(visit.key ^ u64::from(visit.times))))
    }
}

/// A hash of a number.
pub(crate) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (number ^ number >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::draughts::{self, Blocked, Draughts};
    use games::minichess::{Minichess, Setup};
    use games::{Setup as _, Side, parse_move};

    fn history(most_plies: u32, repetitions: u8, plies: u32, moves: &str) -> GameHistory<Minichess> {
        let setup = Setup { start: "standard".into(), most_plies, repetitions };
        let start = "rnbknr/pppppp/6/6/PPPPPP/RNBKNR w".parse().unwrap();
        let mut history = GameHistory::new(start, &setup, plies);
        for text in moves.split_whitespace() {
            assert_eq!(history.outcome(), None, "before {text}");
            history.play(parse_move(history.game(), text).unwrap());
        }
        history
    }

    #[test]
    fn the_third_time_draws_and_the_cap_draws() {
        let round = "b1a3 b6a4 a3b1 a4b6 ";
        let twice = round.repeat(2);
        assert_eq!(history(80, 3, 0, &twice).outcome(), Some(Outcome::Draw));
        assert_eq!(history(80, 2, 0, round).outcome(), Some(Outcome::Draw));
        assert_eq!(history(80, 0, 0, &twice).outcome(), None);
        // After a pawn's move, earlier positions do not count. Plies before a start in the middle do count.
        assert_eq!(history(80, 3, 0, &format!("{round}c2c3 c5c4 {round}")).outcome(), None);
        assert_eq!(history(8, 0, 0, &twice).outcome(), Some(Outcome::Draw));
        assert_eq!(history(9, 0, 0, &twice).outcome(), None);
        assert_eq!(history(9, 0, 1, &twice).outcome(), Some(Outcome::Draw));
    }

    /// Checks the outcome of a game of draughts after these moves, and the reason if it is drawn.
    #[track_caller]
    fn check(start: &str, quiet_plies: u32, blocked: Blocked, moves: &str, expected: Option<Outcome>, why: &str) {
        let setup = draughts::Setup { quiet_plies, blocked, repetitions: 0, ..draughts::Setup::usual() };
        let mut history: GameHistory<Draughts> = GameHistory::new(start.parse().unwrap(), &setup, 0);
        for text in moves.split_whitespace() {
            assert_eq!(history.outcome(), None, "before {text}");
            history.play(parse_move(history.game(), text).unwrap());
        }
        assert_eq!(history.outcome(), expected);
        assert_eq!(history.why_drawn().unwrap_or_default(), why);
    }

    #[test]
    fn plies_without_progress_draw() {
        let check_quiet = |start: &str, quiet_plies: u32, moves: &str, drawn: bool| {
            let why = if drawn { format!("drawn after {quiet_plies} plies without progress") } else { String::new() };
            check(start, quiet_plies, Blocked::Loses, moves, drawn.then_some(Outcome::Draw), &why);
        };
        let (kings, round) = ("B:W21,K32:BK1,12", "1-5 32-28 5-1 28-32 ");
        check_quiet(kings, 4, round, true);
        check_quiet(kings, 5, round, false);
        check_quiet(kings, 0, &round.repeat(40), false);
        // A man's move starts the count again, also as the last move.
        check_quiet(kings, 4, "1-5 32-28 12-16 28-32 5-1 32-28 1-5", true);
        check_quiet(kings, 4, "1-5 32-28 5-1 21-17", false);
        // A capture by a king does, too.
        check_quiet("B:WK15,K32:BK1", 5, "1-5 15-10 5-1 10-6 1x10 32-28 10-6 28-32 6-1 32-28", true);
        // A win counts even if the limit of quiet plies is reached.
        check("B:W32:BK18,27,28", 1, Blocked::Loses, "18-23", Some(Outcome::Win(Side::First)), "");
    }

    #[test]
    fn a_side_that_cannot_move_loses_or_draws() {
        let (won, why) = (Some(Outcome::Win(Side::First)), "drawn, because the side to move has no legal move");
        let closes = "B:W32:BK18,27,28";
        check(closes, 0, Blocked::Loses, "18-23", won, "");
        check(closes, 0, Blocked::Draws, "18-23", Some(Outcome::Draw), why);
        check(closes, 0, Blocked::Draws, "18-14", None, "");
        // A side without pieces has lost, with any setup.
        check("B:W15:B11", 0, Blocked::Loses, "11x18", won, "");
        check("B:W15:B11", 0, Blocked::Draws, "11x18", won, "");
    }

    #[test]
    fn a_search_sees_what_the_referee_sees() {
        let history = history(80, 3, 0, "b1a3 b6a4 a3b1 a4b6 b1a3 b6a4 a3b1");
        let mut past = history.past().clone();
        let mut game = *history.game();
        let mv = parse_move(&game, "a4b6").unwrap();
        game.play(mv);
        let before = past.fingerprint(1);
        let mark = past.enter(&game, false);
        assert!(past.is_draw());
        past.leave(mark);
        assert_eq!((past.fingerprint(1), past.plies), (before, 7));
        let mark = past.enter(&game, true);
        assert!(!past.is_draw());
        assert_eq!(past.fingerprint(9), 0);
        past.leave(mark);
        assert_eq!(past.fingerprint(1), before);
    }
}
