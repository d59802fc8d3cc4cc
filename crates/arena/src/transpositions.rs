//! What a search remembers of positions it has seen: a fixed number of places, the newest takes its place.

/// What a remembered value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is the value.
    Exact,
    /// The value is no lower.
    AtLeast,
    /// The value is no higher.
    AtMost,
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<M> {
    /// The past that was looked at, where it matters.
    pub context: u64,
    /// What it is worth to the side to move; wins and defeats counted from here.
    pub value: f32,
    /// How many plies were looked ahead.
    pub depth: u8,
    /// What the value says.
    pub bound: Bound,
    /// The best move.
    pub mv: Option<M>,
}

/// The memory.
pub(crate) struct Transpositions<M> {
    places: Vec<Place<M>>,
    search: u16,
}

#[derive(Clone, Copy)]
struct Place<M> {
    key: u64,
    /// In which search it was written; others do not see it.
    search: u16,
    entry: Entry<M>,
}

impl<M> Default for Transpositions<M> {
    fn default() -> Transpositions<M> {
        Transpositions { places: Vec::new(), search: 0 }
    }
}

/// Bits of the number of places, at most.
const MOST_BITS: u32 = 20;

impl<M: Copy> Transpositions<M> {
    /// Forgets everything, for a search of so many plies.
    pub fn begin(&mut self, depth: u32) {
        // A search of minichess visits four times as many positions for each ply more; most of them are the last.
        let places = 1 << (6 + 3 * depth / 2).min(MOST_BITS);
        self.search = self.search.wrapping_add(1);
        if self.places.len() != places || self.search == 0 {
            let entry = Entry { context: 0, value: 0.0, depth: 0, bound: Bound::AtMost, mv: None };
            self.places.clear();
            self.places.resize(places, Place { key: 0, search: 0, entry });
            self.search = 1;
        }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        // Multiplied, so that the upper bits say something of all.
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.places.len() - 1)
    }

    /// What is remembered of a position.
    #[inline]
    pub fn find(&self, key: u64) -> Option<Entry<M>> {
        if self.places.is_empty() {
            return None;
        }
        let place = &self.places[self.place(key)];
        (place.key == key && place.search == self.search).then_some(place.entry)
    }

    /// Remembers a position.
    #[inline]
    pub fn put(&mut self, key: u64, entry: Entry<M>) {
        let place = self.place(key);
        self.places[place] = Place { key, search: self.search, entry };
    }
}
