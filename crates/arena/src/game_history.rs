//! A game in its course: the position, and what of its past the rules look at.

use games::{DrawRules, Game, Outcome};

/// A position and how it came about.
#[derive(Clone, Debug)]
pub struct GameHistory<G: Game> {
    game: G,
    past: Past,
}

/// What of a game's past can draw it. Searches take it along, so that they see what the referee sees.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    rules: DrawRules,
    plies: u32,
    /// Positions since the last move that cannot be undone, the present one last; kept where they matter.
    keys: Vec<Visit>,
    /// Where the keys that can come up again begin.
    since: usize,
    /// Plies since the last move that cannot be undone.
    quiet: u32,
}

/// A position that came up: its key, and for which time.
#[derive(Clone, Copy, Debug)]
struct Visit {
    key: u64,
    times: u32,
}

impl<G: Game> GameHistory<G> {
    /// A game that begins here, after so many plies that nobody remembers.
    pub fn new(game: G, setup: &G::Setup, plies: u32) -> GameHistory<G> {
        let mut past = Past { rules: G::draw_rules(setup), plies, keys: Vec::new(), since: 0, quiet: 0 };
        if past.rules.repetitions > 0 {
            past.keys.push(Visit { key: game.key(), times: 1 });
        }
        GameHistory { game, past }
    }

    /// A position by itself, where nothing but the board decides.
    pub fn timeless(game: G) -> GameHistory<G> {
        GameHistory { game, past: Past { rules: DrawRules::NONE, plies: 0, keys: Vec::new(), since: 0, quiet: 0 } }
    }

    /// The position.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How many plies have been made.
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

    /// How the game ended, if it has: by its position, or drawn by its past.
    pub fn outcome(&self) -> Option<Outcome> {
        self.past.outcome(&self.game).or_else(|| self.past.is_draw().then_some(Outcome::Draw))
    }

    /// Why the game is drawn, where its past draws it.
    pub fn why_drawn(&self) -> Option<String> {
        let DrawRules { most_plies, repetitions, quiet_plies, .. } = self.past.rules;
        match self.game.outcome() {
            None if self.past.plies >= most_plies => Some(format!("drawn after {most_plies} plies")),
            None if self.past.is_quiet() => Some(format!("drawn after {quiet_plies} plies without progress")),
            Some(Outcome::Win(_)) if self.outcome() == Some(Outcome::Draw) => {
                Some("drawn, as the side to move cannot".to_string())
            }
            None if self.past.is_draw() => Some(format!("drawn, as the position came up {repetitions} times")),
            _ => None,
        }
    }

    pub(crate) fn past(&self) -> &Past {
        &self.past
    }
}

/// Where a search goes back to.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    since: usize,
    quiet: u32,
}

impl Past {
    /// Whether it matters which moves can be undone.
    #[inline]
    pub fn remembers(&self) -> bool {
        self.rules.repetitions > 0 || self.rules.quiet_plies > 0
    }

    /// How the position ends the game, if it does.
    #[inline]
    pub fn outcome<G: Game>(&self, game: &G) -> Option<Outcome> {
        let outcome = game.outcome()?;
        Some(if self.rules.blocked_draws && game.is_blocked() { Outcome::Draw } else { outcome })
    }

    /// Whether nothing has happened for too long.
    #[inline]
    fn is_quiet(&self) -> bool {
        self.rules.quiet_plies > 0 && self.quiet >= self.rules.quiet_plies
    }

    /// How many plies without progress there may be at all.
    pub fn most_quiet(&self) -> u32 {
        if self.rules.quiet_plies == 0 { u32::MAX } else { self.rules.quiet_plies }
    }

    /// How many plies may still be made, and how many of them without progress.
    pub fn plies_left(&self) -> [u32; 2] {
        let quiet = match self.rules.quiet_plies {
            0 => u32::MAX,
            most => most.saturating_sub(self.quiet),
        };
        [self.rules.most_plies.saturating_sub(self.plies), quiet]
    }

    /// Whether the present position, where the game would go on, is drawn by what came before it.
    #[inline]
    pub fn is_draw(&self) -> bool {
        if self.plies >= self.rules.most_plies || self.is_quiet() {
            return true;
        }
        self.rules.repetitions > 0
            && self.keys.last().is_some_and(|visit| visit.times >= u32::from(self.rules.repetitions))
    }

    /// Whether the present position came up before, where positions are remembered.
    #[inline]
    pub fn has_returned(&self) -> bool {
        self.keys.last().is_some_and(|visit| visit.times > 1)
    }

    /// Whether a position, where the game would go on, is drawn if it comes next, after a move that cannot be undone or another.
    #[inline]
    pub fn would_draw<G: Game>(&self, game: &G, progress: bool) -> bool {
        let DrawRules { most_plies, repetitions, quiet_plies, .. } = self.rules;
        if self.plies + 1 >= most_plies || (quiet_plies > 0 && !progress && self.quiet + 1 >= quiet_plies) {
            return true;
        }
        // Whatever returns has the same side to move; the first time it would, there are four plies.
        let before = &self.keys[self.since..];
        if repetitions == 0 || progress || before.len() < 4 {
            return false;
        }
        let key = game.key();
        let earlier = before.iter().rev().skip(1).step_by(2).find(|visit| visit.key == key);
        earlier.is_some_and(|visit| visit.times + 1 >= u32::from(repetitions))
    }

    /// Goes on to a position, after a move that cannot be undone or another.
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
            // Whatever returns has the same side to move.
            let earlier = self.keys[self.since..].iter().rev().skip(1).step_by(2).find(|visit| visit.key == key);
            self.keys.push(Visit { key, times: earlier.map_or(0, |visit| visit.times) + 1 });
        }
        mark
    }

    /// Goes back to where it was before a position was entered.
    #[inline]
    pub fn leave(&mut self, mark: Mark) {
        self.plies -= 1;
        self.quiet = mark.quiet;
        if self.rules.repetitions > 0 {
            self.keys.pop();
            self.since = mark.since;
        }
    }

    /// Tells pasts apart that could make a difference to a search of so many plies from here; 0 where none can.
    ///
    /// A position draws when it comes up for the n-th time. One that came up k times before can do so within d plies
    /// if there is room for n − k visits: the first after a ply, each later one after four more.
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

/// Spreads the bits of a number.
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
        // A pawn's move makes it another game, and so does a start in the middle.
        assert_eq!(history(80, 3, 0, &format!("{round}c2c3 c5c4 {round}")).outcome(), None);
        assert_eq!(history(8, 0, 0, &twice).outcome(), Some(Outcome::Draw));
        assert_eq!(history(9, 0, 0, &twice).outcome(), None);
        assert_eq!(history(9, 0, 1, &twice).outcome(), Some(Outcome::Draw));
    }

    /// How draughts ends after these moves, and not before, and why if it is drawn.
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
        // A man's move begins anew, also as the last.
        check_quiet(kings, 4, "1-5 32-28 12-16 28-32 5-1 32-28 1-5", true);
        check_quiet(kings, 4, "1-5 32-28 5-1 21-17", false);
        // And so does a capture by a king.
        check_quiet("B:WK15,K32:BK1", 5, "1-5 15-10 5-1 10-6 1x10 32-28 10-6 28-32 6-1 32-28", true);
        // Who has won has won, however quietly.
        check("B:W32:BK18,27,28", 1, Blocked::Loses, "18-23", Some(Outcome::Win(Side::First)), "");
    }

    #[test]
    fn a_side_that_cannot_move_loses_or_draws() {
        let (won, why) = (Some(Outcome::Win(Side::First)), "drawn, as the side to move cannot");
        let closes = "B:W32:BK18,27,28";
        check(closes, 0, Blocked::Loses, "18-23", won, "");
        check(closes, 0, Blocked::Draws, "18-23", Some(Outcome::Draw), why);
        check(closes, 0, Blocked::Draws, "18-14", None, "");
        // A side without pieces has lost, whatever the setup says.
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
