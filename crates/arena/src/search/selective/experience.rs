//! What a selective search learns about moves while it runs: which quiet moves were good elsewhere.

use games::{Game, MOVE_SLOTS};

/// Killer moves, answers and history. They order quiet moves, and say which of them deserve a full search.
pub(super) struct Experience<M> {
    /// The last two quiet moves that caused a cutoff, by ply.
    killers: Vec<[Option<M>; 2]>,
    /// The last quiet move that refuted each move, by side and slot of the refuted move.
    answers: Vec<Option<M>>,
    /// How often a quiet move was best, by side and slot: from −[`MOST`] to [`MOST`].
    history: Vec<i16>,
}

/// The greatest history of a move.
const MOST: i32 = 8192;

/// Ranks of moves: a higher one comes earlier. Moves within a class are ranked by promise or history.
mod rank {
    /// Captures that lose material have their promise.
    pub const LOSING: std::ops::RangeInclusive<u32> = 1..=u8::MAX as u32;
    pub const GOOD_CAPTURE: u32 = 1 << 28;
    pub const KILLER: u32 = 1 << 27;
    pub const ANSWER: u32 = 1 << 26;
    /// History is added.
    pub const QUIET: u32 = 1 << 20;
}

impl<M> Default for Experience<M> {
    fn default() -> Experience<M> {
        Experience { killers: Vec::new(), answers: Vec::new(), history: Vec::new() }
    }
}

/// Whether a move with this rank is a capture that loses material.
#[inline]
pub(super) fn loses(rank: u32) -> bool {
    rank::LOSING.contains(&rank)
}

/// A move, and where it is ranked.
pub(super) struct Place<M> {
    /// The distance from the root, in plies.
    pub ply: usize,
    /// The best move of an earlier search.
    pub hint: Option<M>,
    /// The move that led to the position; `None` at the root and after a null move.
    pub before: Option<M>,
}

impl<M: Copy + PartialEq> Experience<M> {
    /// Begins a search. `learns` is false if the search is too shallow to learn anything.
    pub fn begin(&mut self, plies: usize, learns: bool) {
        self.killers.clear();
        self.answers.clear();
        self.history.clear();
        if learns {
            self.killers.resize(plies, [None; 2]);
            self.answers.resize(2 * MOVE_SLOTS, None);
            self.history.resize(2 * MOVE_SLOTS, 0);
        }
    }

    fn slot<G: Game<Move = M>>(game: &G, mv: M) -> usize {
        game.side_to_move() as usize * MOVE_SLOTS + G::move_slot(mv)
    }

    /// The rank of a move. `sees_exchanges` says whether captures that lose material come last.
    #[inline]
    pub fn rank<G: Game<Move = M>>(&self, game: &G, mv: M, place: &Place<M>, sees_exchanges: bool) -> u32 {
        let promise = u32::from(game.promise(mv));
        if place.hint == Some(mv) {
            u32::MAX
        } else if promise > 0 {
            let loses = sees_exchanges && game.loses_by_exchange(mv);
            if loses { promise } else { rank::GOOD_CAPTURE + promise }
        } else if self.history.is_empty() {
            0
        } else if self.is_killer(mv, place.ply) {
            rank::KILLER
        } else if place.before.is_some_and(|before| self.answers[Self::answered(game, before)] == Some(mv)) {
            rank::ANSWER
        } else {
            rank::QUIET.wrapping_add_signed(self.history(game, mv))
        }
    }

    /// The slot of the move that led to this position, which the other side made.
    fn answered<G: Game<Move = M>>(game: &G, before: M) -> usize {
        (!game.side_to_move()) as usize * MOVE_SLOTS + G::move_slot(before)
    }

    /// How good a quiet move was elsewhere, from −8192 to 8192.
    #[inline]
    pub fn history<G: Game<Move = M>>(&self, game: &G, mv: M) -> i32 {
        self.history.get(Self::slot(game, mv)).map_or(0, |&history| i32::from(history))
    }

    /// Whether a quiet move caused a cutoff at this ply not long ago.
    #[inline]
    pub fn is_killer(&self, mv: M, ply: usize) -> bool {
        self.killers.get(ply).is_some_and(|killers| killers.contains(&Some(mv)))
    }

    /// Learns that a quiet move caused a cutoff, and that the quiet moves before it did not.
    pub fn reward<G: Game<Move = M>>(&mut self, game: &G, mv: M, tried: &[M], depth: u32, place: &Place<M>) {
        if self.history.is_empty() || game.promise(mv) > 0 {
            return;
        }
        if let Some(killers) = self.killers.get_mut(place.ply)
            && killers[0] != Some(mv)
        {
            *killers = [Some(mv), killers[0]];
        }
        if let Some(before) = place.before {
            self.answers[Self::answered(game, before)] = Some(mv);
        }
        let bonus = (32 * depth * depth).min(1600) as i32;
        self.learn(Self::slot(game, mv), bonus);
        for &other in tried.iter().filter(|&&other| game.promise(other) == 0) {
            self.learn(Self::slot(game, other), -bonus);
        }
    }

    /// Moves a history toward its limit; the nearer it is, the less.
    fn learn(&mut self, slot: usize, bonus: i32) {
        let history = &mut self.history[slot];
        let old = i32::from(*history);
        *history = (old + bonus - old * bonus.abs() / MOST) as i16;
    }
}
