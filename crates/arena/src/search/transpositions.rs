//! The transposition table of the alpha-beta search. It has a fixed number of places; new entries overwrite old ones.

use super::ends::shifted;
use games::Game;

/// The meaning of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The exact value.
    Exact,
    /// A lower bound.
    AtLeast,
    /// An upper bound.
    AtMost,
}

impl Bound {
    /// The meaning of a value that was found with these bounds.
    pub fn of(value: f32, alpha: f32, beta: f32) -> Bound {
        match value {
            _ if value >= beta => Bound::AtLeast,
            _ if value <= alpha => Bound::AtMost,
            _ => Bound::Exact,
        }
    }
}

/// What is stored about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<M> {
    /// A hash of the part of the past that matters.
    pub context: u64,
    /// The value for the side to move. Plies to a win or defeat count from this position.
    pub value: f32,
    /// The evaluation of the position itself; NaN if it is not known.
    pub standing: f32,
    /// The search depth below this position.
    pub depth: u8,
    /// Whether the value is exact.
    pub bound: Bound,
    /// The best move.
    pub mv: Option<M>,
}

impl<M> Entry<M> {
    /// The value for a search with these bounds, `ply` plies from the root; `None` if the entry does not decide it.
    #[inline]
    pub fn value_within(&self, alpha: f32, beta: f32, ply: u32) -> Option<f32> {
        let value = shifted(self.value, ply as f32);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= beta,
            Bound::AtMost => value <= alpha,
        };
        decides.then_some(value)
    }
}

/// The table.
pub(super) struct Transpositions<M> {
    places: Vec<Place<M>>,
    search: u16,
}

#[derive(Clone, Copy)]
struct Place<M> {
    key: u64,
    /// The search that wrote the entry; later searches ignore it.
    search: u16,
    entry: Entry<M>,
}

impl<M> Default for Transpositions<M> {
    fn default() -> Transpositions<M> {
        Transpositions { places: Vec::new(), search: 0 }
    }
}

/// The table has at most two to the power of this number of places.
const MOST_BITS: u32 = 20;
/// A table for a number of nodes has at least two to the power of this number of places.
const LEAST_BITS: u32 = 10;

impl<M: Copy> Transpositions<M> {
    /// Empties the table for a search of this depth.
    pub fn begin(&mut self, depth: u32) {
        // In minichess each ply of depth multiplies the positions by four, and most of them are in the last ply.
        self.begin_with(1 << (6 + 3 * depth / 2).min(MOST_BITS));
    }

    /// Empties the table for searches that visit at most this number of positions. `bytes` is the largest size of the
    /// table; 0 means the usual one.
    pub fn begin_for_nodes(&mut self, nodes: u64, bytes: usize) {
        let most = match bytes / size_of::<Place<M>>() {
            0 => MOST_BITS,
            places => places.ilog2().max(LEAST_BITS),
        };
        let bits = LEAST_BITS.max(u64::BITS - nodes.leading_zeros() + 1);
        self.begin_with(1 << bits.min(most));
    }

    fn begin_with(&mut self, places: usize) {
        self.search = self.search.wrapping_add(1);
        if self.places.len() != places || self.search == 0 {
            let entry = Entry { context: 0, value: 0.0, standing: f32::NAN, depth: 0, bound: Bound::AtMost, mv: None };
            self.places.clear();
            let mut places = places;
            // If memory is short, the table is smaller.
            while self.places.try_reserve_exact(places).is_err() {
                places /= 2;
            }
            self.places.resize(places, Place { key: 0, search: 0, entry });
            self.search = 1;
        }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        // The multiplication makes the upper bits depend on all bits of the key.
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.places.len() - 1)
    }

    /// The entry of a position, if there is one from this search.
    #[inline]
    pub fn find(&self, key: u64) -> Option<Entry<M>> {
        if self.places.is_empty() {
            return None;
        }
        let place = &self.places[self.place(key)];
        (place.key == key && place.search == self.search).then_some(place.entry)
    }

    /// The line of best moves after a first move, as far as the table knows it, at most `longest` moves.
    pub fn line<G: Game<Move = M>>(&self, game: &G, first: M, longest: usize) -> Vec<M>
    where
        M: PartialEq,
    {
        let (mut line, mut game) = (vec![first], game.after(first));
        let mut legal = Vec::new();
        while line.len() < longest && game.outcome().is_none() {
            let Some(mv) = self.find_deep(game.key()).and_then(|entry| entry.mv) else { break };
            legal.clear();
            game.legal_moves(&mut legal);
            // Another position may have the same key.
            if !legal.contains(&mv) {
                break;
            }
            line.push(mv);
            game.play(mv);
        }
        line
    }

    /// The entry of a position in a table that was filled by [`Transpositions::put_deep`].
    #[inline]
    pub fn find_deep(&self, key: u64) -> Option<Entry<M>> {
        self.find(key).or_else(|| {
            let place = self.places.get(self.place(key) ^ 1)?;
            (place.key == key && place.search == self.search).then_some(place.entry)
        })
    }

    /// Stores an entry in one of two places: that of the same position, otherwise the one with the lower depth.
    #[inline]
    pub fn put_deep(&mut self, key: u64, entry: Entry<M>) {
        let first = self.place(key);
        let worth = |place: &Place<M>| match place {
            _ if place.search != self.search => -1,
            _ if place.key == key => -2,
            _ => i32::from(place.entry.depth),
        };
        let second = first ^ 1;
        let place = if worth(&self.places[second]) < worth(&self.places[first]) { second } else { first };
        self.places[place] = Place { key, search: self.search, entry };
    }

    /// Stores an entry.
    #[inline]
    pub fn put(&mut self, key: u64, entry: Entry<M>) {
        let place = self.place(key);
        self.places[place] = Place { key, search: self.search, entry };
    }
}
