//! Decision tables: a network's decisions in all positions of a small game, so that a game is a walk through two
//! tables.

use crate::decision::SeatScratch;
use crate::{Atlas, Decision, GameHistory, Head, PreparedNetwork, Seating};
use evolution::{LANES, Lanes};
use games::{Game, Solver};
use std::sync::Arc;

/// A small game as networks see it: every position is encoded once, and every move is graded once.
pub(crate) struct EncodedAtlas<G: Game> {
    /// The positions and moves.
    pub atlas: Arc<Atlas<G>>,
    /// The encoded positions, in blocks of [`LANES`].
    inputs: Vec<Lanes>,
    /// Whether each move of the atlas is perfect.
    perfect: Vec<bool>,
    /// Whether an illegal attempt is perfect, by open position.
    illegal_perfect: Vec<bool>,
}

/// A network's decision in each open position of an atlas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DecisionTable {
    steps: Vec<u32>,
    /// The number of positions that the network evaluated for the table.
    judged: u64,
}

const ILLEGAL: u32 = 1;
const PERFECT: u32 = 2;

impl<G: Game> EncodedAtlas<G> {
    /// Encodes and grades everything. The solver must know distances, as solvers of small games do.
    pub fn new(seating: &Seating<G>, atlas: Arc<Atlas<G>>, solver: &dyn Solver<G>) -> EncodedAtlas<G> {
        // The value head also evaluates finished positions.
        let seen = match seating.head {
            Head::Value | Head::Balanced => atlas.positions(),
            Head::Moves(..) => &atlas.positions()[..atlas.open()],
        };
        let mut scratch = SeatScratch::<G>::default();
        let mut inputs = Vec::new();
        for block in seen.chunks(LANES) {
            // Networks in small games carry no genes.
            seating.encode(&[], block, &mut scratch.eval.inputs);
            inputs.extend_from_slice(&scratch.eval.inputs);
        }
        let mut perfect = Vec::with_capacity(atlas.move_count());
        let mut illegal_perfect = Vec::with_capacity(atlas.open());
        let mut moves = Vec::new();
        for game in &atlas.positions()[..atlas.open()] {
            moves.clear();
            game.legal_moves(&mut moves);
            perfect.extend(moves.iter().map(|&mv| solver.perfect(game, mv) == Some(true)));
            illegal_perfect.push(solver.illegal_perfect(game) == Some(true));
        }
        EncodedAtlas { atlas, inputs, perfect, illegal_perfect }
    }

    /// The number of positions that a network without search must evaluate for its table.
    pub fn judged(&self, seating: &Seating<G>) -> usize {
        match seating.head {
            Head::Value | Head::Balanced => self.atlas.positions().len(),
            Head::Moves(..) => self.atlas.open(),
        }
    }

    /// Computes a network's decisions in all positions.
    pub(crate) fn tabulate(
        &self,
        seating: &Seating<G>,
        prepared: &PreparedNetwork,
        scratch: &mut SeatScratch<G>,
    ) -> DecisionTable {
        let network = &*prepared.network;
        let width = network.shape().inputs;
        let atlas = &*self.atlas;
        let mut table = Vec::with_capacity(atlas.open());
        // Cached values of other networks must not change the number of evaluations.
        scratch.eval.forget();
        let before = scratch.eval.judged;
        match seating.head {
            Head::Balanced | Head::Value
                if seating.depth > 0 || seating.monte_carlo.is_some() || seating.is_balanced() =>
            {
                for (open, game) in atlas.positions()[..atlas.open()].iter().enumerate() {
                    let history = GameHistory::new(game.clone(), &seating.setup, 0);
                    let Decision::Move(mv) = seating.decide(prepared, &history, scratch) else {
                        unreachable!("a network with values finds a move")
                    };
                    let ((first, next), number) = (atlas.moves(open), game.move_number(mv));
                    table.push(self.entry(first + number, next[number]));
                }
            }
            Head::Value | Head::Balanced => {
                // 1. Evaluate every position.
                let values = &mut scratch.outputs;
                values.clear();
                for block in self.inputs.chunks_exact(width) {
                    values.extend_from_slice(&network.forward_lanes(block, &mut scratch.eval.scratch)[0]);
                }
                // 2. Choose the move that leaves the lowest value to the other side.
                for open in 0..atlas.open() {
                    let (first, next) = atlas.moves(open);
                    let mut best = (f32::INFINITY, 0);
                    for (number, &position) in next.iter().enumerate() {
                        let value = values[position as usize];
                        if value < best.0 {
                            best = (value, number);
                        }
                    }
                    table.push(self.entry(first + best.1, next[best.1]));
                }
            }
            Head::Moves(decoder, play) => {
                for (block, games) in
                    self.inputs.chunks_exact(width).zip(atlas.positions()[..atlas.open()].chunks(LANES))
                {
                    let answers = network.forward_lanes(block, &mut scratch.eval.scratch);
                    for (lane, game) in games.iter().enumerate() {
                        scratch.outputs.clear();
                        scratch.outputs.extend(answers.iter().map(|lanes| lanes[lane]));
                        table.push(match seating.decode(decoder, play, game, &scratch.outputs) {
                            Decision::Illegal if self.illegal_perfect[table.len()] => ILLEGAL | PERFECT,
                            Decision::Illegal => ILLEGAL,
                            Decision::Move(mv) => {
                                let (first, next) = atlas.moves(table.len());
                                let number = game.move_number(mv);
                                self.entry(first + number, next[number])
                            }
                        });
                    }
                }
            }
        }
        if seating.depth == 0 {
            scratch.eval.judged += self.judged(seating) as u64;
        }
        DecisionTable { steps: table, judged: scratch.eval.judged - before }
    }

    fn entry(&self, mv: usize, next: u32) -> u32 {
        next << 2 | if self.perfect[mv] { PERFECT } else { 0 }
    }
}

/// An entry of a table.
#[derive(Clone, Copy)]
pub(crate) struct Step(u32);

impl Step {
    /// Whether it is an illegal attempt; then it has no next position.
    pub fn illegal(self) -> bool {
        self.0 & ILLEGAL != 0
    }

    /// 1 for a perfect move, 0 for any other.
    pub fn perfect(self) -> u16 {
        (self.0 >> 1 & 1) as u16
    }

    /// The number of the position after the move.
    pub fn next(self) -> usize {
        (self.0 >> 2) as usize
    }
}

impl DecisionTable {
    /// The decision in a position; `None` if the game is over there.
    #[inline]
    pub(crate) fn step(&self, position: usize) -> Option<Step> {
        self.steps.get(position).copied().map(Step)
    }

    /// The number of perfect decisions.
    pub(crate) fn perfect(&self) -> usize {
        self.steps.iter().filter(|&&step| step & PERFECT != 0).count()
    }

    /// The number of positions that the network evaluated for the table.
    pub(crate) fn judged(&self) -> u64 {
        self.judged
    }

    /// The memory that it uses, in bytes.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&self.steps[..])
    }
}
