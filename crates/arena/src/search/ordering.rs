//! Move ordering: which moves a search looks at first.

use games::{Game, MOVE_SLOTS};

/// The moves of all positions on the current line, one after the other, each with a rank. A higher rank comes earlier.
pub(super) struct Ranked<M> {
    pub moves: Vec<M>,
    ranks: Vec<u32>,
    /// For each position, the number of moves that must still be moved to the front; the others are in order.
    forward: Vec<usize>,
    /// Scratch memory for sorting.
    pairs: Vec<(u32, M)>,
}

/// Up to this number of moves, the highest rank is searched for each time, because often the first few moves are
/// enough. Longer lists are sorted once.
pub(super) const FEW: usize = 64;

impl<M> Default for Ranked<M> {
    fn default() -> Ranked<M> {
        Ranked { moves: Vec::new(), ranks: Vec::new(), forward: Vec::new(), pairs: Vec::new() }
    }
}

impl<M: Copy> Ranked<M> {
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Ranks all moves from `base` on.
    #[inline]
    pub fn rank(&mut self, base: usize, rank: impl Fn(M) -> u32) {
        self.ranks.extend(self.moves[base..].iter().map(|&mv| rank(mv)));
        if self.moves.len() - base > FEW {
            self.sort(base);
            self.forward.push(0);
        } else {
            self.forward.push(self.ranks[base..].iter().filter(|&&rank| rank > 0).count());
        }
    }

    /// Sorts all moves from `base` on by rank; equal ranks keep their order.
    #[cold]
    fn sort(&mut self, base: usize) {
        self.pairs.clear();
        self.pairs.extend(self.ranks[base..].iter().copied().zip(self.moves[base..].iter().copied()));
        self.pairs.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        for (place, &(rank, mv)) in self.pairs.iter().enumerate() {
            (self.ranks[base + place], self.moves[base + place]) = (rank, mv);
        }
    }

    /// The rank of the move at a place.
    #[inline]
    pub fn rank_at(&self, place: usize) -> u32 {
        self.ranks[place]
    }

    /// Swaps the move with the highest rank among those from `place` on to `place`, and returns it.
    #[inline]
    pub fn next(&mut self, place: usize) -> M {
        match self.forward.last_mut() {
            Some(forward) if *forward > 0 => *forward -= 1,
            _ => return self.moves[place],
        }
        let mut best = place;
        for other in place + 1..self.ranks.len() {
            if self.ranks[other] > self.ranks[best] {
                best = other;
            }
        }
        self.ranks.swap(place, best);
        self.moves.swap(place, best);
        self.moves[place]
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.ranks.clear();
        self.forward.clear();
    }

    /// Keeps only some of the moves from `base` on, which are not ranked yet.
    pub fn retain(&mut self, base: usize, keep: impl Fn(M) -> bool) {
        let mut kept = base;
        for place in base..self.moves.len() {
            let mv = self.moves[place];
            if keep(mv) {
                self.moves[kept] = mv;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    /// Removes the moves of the last position, which begin at `base`.
    pub fn truncate(&mut self, base: usize) {
        self.moves.truncate(base);
        self.ranks.truncate(base);
        self.forward.pop();
    }
}

/// Which moves were good elsewhere in the search: killer moves and history. A search of depth 1 has none.
pub(super) struct Experience<M> {
    /// The last two quiet moves that caused a cutoff, by ply.
    killers: Vec<[Option<M>; 2]>,
    /// How much each move has cut off, by side and move slot (history heuristic).
    credit: Vec<u32>,
}

impl<M> Default for Experience<M> {
    fn default() -> Experience<M> {
        Experience { killers: Vec::new(), credit: Vec::new() }
    }
}

/// The rank of killer moves: above all history, below moves that the game itself ranks as promising.
const KILLED: u32 = 1 << 23;

impl<M: Copy + PartialEq> Experience<M> {
    /// Begins a search of this depth.
    pub fn begin(&mut self, depth: u32) {
        self.killers.clear();
        self.credit.clear();
        if depth > 1 {
            self.killers.resize(depth as usize, [None; 2]);
            self.credit.resize(2 * MOVE_SLOTS, 0);
        }
    }

    /// The rank of a move: first the best move of an earlier search, then moves that the game calls promising, then
    /// quiet moves by what they have cut off.
    #[inline]
    pub fn rank<G: Game<Move = M>>(&self, game: &G, mv: M, ply: u32, hint: Option<M>) -> u32 {
        let promise = u32::from(game.promise(mv));
        if hint == Some(mv) {
            u32::MAX
        } else if promise > 0 {
            promise << 24
        } else if self.killers.is_empty() {
            0
        } else if self.is_killer(mv, ply) {
            KILLED
        } else {
            self.credit[game.side_to_move() as usize * MOVE_SLOTS + G::move_slot(mv)].min(KILLED - 1)
        }
    }

    /// Whether a quiet move caused a cutoff at this ply not long ago.
    #[inline]
    pub fn is_killer(&self, mv: M, ply: u32) -> bool {
        self.killers.get(ply as usize).is_some_and(|killers| killers.contains(&Some(mv)))
    }

    /// Raises the rank of a quiet move that caused a cutoff.
    pub fn reward<G: Game<Move = M>>(&mut self, game: &G, mv: M, depth: u32, ply: u32) {
        if game.promise(mv) > 0 {
            return;
        }
        // Beyond the requested depth there are only captures.
        let Some(killers) = self.killers.get_mut(ply as usize) else { return };
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
        let credit = &mut self.credit[game.side_to_move() as usize * MOVE_SLOTS + G::move_slot(mv)];
        *credit = credit.saturating_add(depth * depth);
    }
}
