//! Which moves a search looks at first.

use games::{Game, MOVE_SLOTS};

/// Moves of one position behind those of another, each with how early it should be looked at.
pub(super) struct Ranked<M> {
    pub moves: Vec<M>,
    ranks: Vec<u32>,
    /// Of each position, how many moves are to be brought forward; the rest is in order.
    forward: Vec<usize>,
    /// Room to sort in.
    pairs: Vec<(u32, M)>,
}

/// The highest of few moves is looked for each time, as often the first few are enough; more are sorted once.
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

    /// Ranks all moves from here on.
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

    /// Puts all moves from here on in order, the first among equals first.
    #[cold]
    fn sort(&mut self, base: usize) {
        self.pairs.clear();
        self.pairs.extend(self.ranks[base..].iter().copied().zip(self.moves[base..].iter().copied()));
        self.pairs.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        for (place, &(rank, mv)) in self.pairs.iter().enumerate() {
            (self.ranks[base + place], self.moves[base + place]) = (rank, mv);
        }
    }

    /// The highest of the moves from here on, brought here.
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

    /// Forgets all from here on.
    pub fn truncate(&mut self, base: usize) {
        self.moves.truncate(base);
        self.ranks.truncate(base);
        self.forward.pop();
    }
}

/// What was good elsewhere in the search. One ply alone has nothing to learn from.
pub(super) struct Experience<M> {
    /// Quiet moves that cut something off lately, by ply.
    killers: Vec<[Option<M>; 2]>,
    /// How much each move has cut off, by side and slot.
    credit: Vec<u32>,
}

impl<M> Default for Experience<M> {
    fn default() -> Experience<M> {
        Experience { killers: Vec::new(), credit: Vec::new() }
    }
}

/// Moves that killed lately come before all credit, and what promises something before these.
const KILLED: u32 = 1 << 23;

impl<M: Copy + PartialEq> Experience<M> {
    /// A search of so many plies begins.
    pub fn begin(&mut self, depth: u32) {
        self.killers.clear();
        self.credit.clear();
        if depth > 1 {
            self.killers.resize(depth as usize, [None; 2]);
            self.credit.resize(2 * MOVE_SLOTS, 0);
        }
    }

    /// How early a move should be looked at: what was best before, then what promises most, then quiet moves by what
    /// they have cut off.
    #[inline]
    pub fn rank<G: Game<Move = M>>(&self, game: &G, mv: M, ply: u32, hint: Option<M>) -> u32 {
        let promise = u32::from(game.promise(mv));
        if hint == Some(mv) {
            u32::MAX
        } else if promise > 0 {
            promise << 24
        } else if self.killers.is_empty() {
            0
        } else if self.killers.get(ply as usize).is_some_and(|killers| killers.contains(&Some(mv))) {
            KILLED
        } else {
            self.credit[game.side_to_move() as usize * MOVE_SLOTS + G::move_slot(mv)].min(KILLED - 1)
        }
    }

    /// A quiet move that cut off is looked at earlier elsewhere.
    pub fn reward<G: Game<Move = M>>(&mut self, game: &G, mv: M, depth: u32, ply: u32) {
        if game.promise(mv) > 0 {
            return;
        }
        // Beyond the depth asked for there are nothing but captures.
        let Some(killers) = self.killers.get_mut(ply as usize) else { return };
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
        let credit = &mut self.credit[game.side_to_move() as usize * MOVE_SLOTS + G::move_slot(mv)];
        *credit = credit.saturating_add(depth * depth);
    }
}
