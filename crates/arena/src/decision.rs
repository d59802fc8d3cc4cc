//! What a network does in a position: it judges, looks ahead or names a move, as its seating says.

use crate::decision_cache::DecisionCache;
use crate::{
    Decision, EvalScratch, Evaluator, Extend, GameHistory, Head, Limits, MonteCarlo, NetworkEvaluator, PreparedNetwork,
    Search, Seating, Techniques,
};
use chance::{Rng, rng_for};
use evolution::{LANES, Network};
use games::Game;

impl<G: Game> Seating<G> {
    /// What a network does where the game goes on.
    pub(crate) fn decide(
        &self,
        prepared: &PreparedNetwork,
        history: &GameHistory<G>,
        scratch: &mut SeatScratch<G>,
    ) -> Decision<G::Move> {
        let game = history.game();
        match self.head {
            Head::Value if let Some(settings) = &self.monte_carlo => {
                let SeatScratch { room, monte_carlo, search, .. } = scratch;
                let mut evaluator = NetworkEvaluator::new(self, prepared, room).remembering(search.techniques().memory);
                // Chance comes from the position, so that a network does the same wherever it meets it.
                let rng = &mut rng_for(game.key(), &[u64::from(history.plies())]);
                monte_carlo.forget();
                Decision::Move(monte_carlo.run(history, &mut evaluator, settings, None, rng).mv)
            }
            Head::Value if self.depth > 0 => {
                let SeatScratch { room, search, .. } = scratch;
                let remembers = self.depth > 1 && search.techniques().memory;
                let mut evaluator = NetworkEvaluator::new(self, prepared, room).remembering(remembers);
                let limits = Limits::depth(self.depth).extended(self.extend);
                Decision::Move(search.run(history, &mut evaluator, limits, None, None).mv)
            }
            Head::Value => {
                let SeatScratch { room, moves, after, .. } = scratch;
                let mut evaluator = NetworkEvaluator::new(self, prepared, room);
                moves.clear();
                game.legal_moves(moves);
                let mut best = (f32::INFINITY, 0);
                let mut values = [0.0; LANES];
                for (block, some) in moves.chunks(LANES).enumerate() {
                    after.clear();
                    after.extend(some.iter().map(|&mv| game.after(mv)));
                    evaluator.values_after(game, after, &mut values[..some.len()]);
                    for (lane, &value) in values[..some.len()].iter().enumerate() {
                        if value < best.0 {
                            best = (value, block * LANES + lane);
                        }
                    }
                }
                Decision::Move(moves[best.1])
            }
            Head::Moves(decoder, play) => {
                self.think(&prepared.network, game, scratch);
                self.decode(decoder, play, game, &scratch.outputs)
            }
        }
    }

    /// The same, looked up where the network decided it before. Positions that were judged then count again, so that their number
    /// does not depend on which thread played what.
    pub(crate) fn look_up_or_decide(
        &self,
        prepared: &PreparedNetwork,
        history: &GameHistory<G>,
        scratch: &mut SeatScratch<G>,
    ) -> Decision<G::Move> {
        // Deeper searches remember what the network said earlier in the game, so that they judge more or less in the same position.
        let decides_by_position = self.depth <= 1 && self.monte_carlo.is_none() && !history.past().remembers();
        if !decides_by_position || !scratch.search.techniques().memory {
            return self.decide(prepared, history, scratch);
        }
        // A search sees the last ply that may be made no sooner than it gets there.
        let seen = if self.extend == Extend::Off { self.depth + 1 } else { u32::MAX };
        let key = DecisionCache::key(prepared, history, seen);
        if let Some((decision, judged)) = scratch.decided.get(key) {
            scratch.room.judged += u64::from(judged);
            return decision;
        }
        let before = scratch.room.judged;
        let decision = self.decide(prepared, history, scratch);
        scratch.decided.keep(key, decision, (scratch.room.judged - before) as u32);
        decision
    }

    /// What an illegal attempt looked like, in words.
    pub(crate) fn attempt_text(&self, network: &Network, game: &G, scratch: &mut SeatScratch<G>) -> String {
        match self.head {
            Head::Value => String::new(),
            Head::Moves(decoder, _) => {
                self.think(network, game, scratch);
                decoder.attempt_text(&self.setup, &scratch.outputs)
            }
        }
    }

    /// Leaves the network's outputs for one position on the desk.
    fn think(&self, network: &Network, game: &G, scratch: &mut SeatScratch<G>) {
        let SeatScratch { room: EvalScratch { scratch, inputs, judged, .. }, outputs, .. } = scratch;
        self.encode(network.genes(), std::slice::from_ref(game), inputs);
        outputs.clear();
        outputs.extend(network.forward_lanes(inputs, scratch).iter().map(|lanes| lanes[0]));
        *judged += 1;
    }
}

/// Room to think in, used again and again.
pub(crate) struct SeatScratch<G: Game> {
    pub room: EvalScratch,
    pub search: Search<G>,
    monte_carlo: MonteCarlo<G>,
    pub outputs: Vec<f32>,
    moves: Vec<G::Move>,
    after: Vec<G>,
    decided: DecisionCache<G::Move>,
}

impl<G: Game> Default for SeatScratch<G> {
    fn default() -> SeatScratch<G> {
        SeatScratch::new(Techniques::ALL)
    }
}

impl<G: Game> SeatScratch<G> {
    /// Any legal move, all equally likely.
    pub fn any_move(&mut self, game: &G, rng: &mut Rng) -> G::Move {
        self.moves.clear();
        game.legal_moves(&mut self.moves);
        self.moves[rng.below(self.moves.len())]
    }

    /// A desk whose searches use these techniques.
    pub fn new(techniques: Techniques) -> SeatScratch<G> {
        SeatScratch {
            room: EvalScratch::default(),
            search: Search::new(techniques),
            monte_carlo: MonteCarlo::default(),
            outputs: Vec::new(),
            moves: Vec::new(),
            after: Vec::new(),
            decided: DecisionCache::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolution::{Activation, Graph};
    use games::Setup as _;
    use games::minichess::{self, Minichess};
    use games::nim::{self, Setup, Start};

    #[track_caller]
    fn check(head: &str, play: &str, depth: u32, network: &str, position: &str, expected: &str) {
        let setup = Setup { stacks: vec![4, 4], start: Start::Random };
        let head = Head::named(head, play).unwrap();
        let seating = Seating::new(setup, &nim::Counts).with_head(head).at_depth(depth).unwrap();
        let network: Network = network.parse().unwrap();
        assert_eq!(network.shape(), seating.shape());
        let history = GameHistory::new(position.parse().unwrap(), &seating.setup, 0);
        let prepared = PreparedNetwork::new(&seating, &std::sync::Arc::new(network));
        let found = match seating.decide(&prepared, &history, &mut SeatScratch::default()) {
            Decision::Move(mv) => mv.to_string(),
            Decision::Illegal => "illegal".into(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn the_value_head_leaves_the_lowest_value_to_the_other_side() {
        // Judges a position by its number of matches: it likes to leave few.
        check("value", "strict", 0, "graph 2 1 relu identity | 1 0 0:1 1:1", "3,2", "1:3");
        // And this one likes to leave many; of equals it takes the first move.
        check("value", "strict", 0, "graph 2 1 relu identity | 1 0 0:-1 1:-1", "3,2", "1:1");
    }

    #[test]
    fn ends_are_known_where_it_looks_ahead() {
        // It likes to leave few, and leaves none: that loses.
        let likes_few = "graph 2 1 relu identity | 1 0 0:1 1:1";
        check("value", "strict", 0, likes_few, "3,0", "1:3");
        check("value", "strict", 1, likes_few, "3,0", "1:2");
        check("value", "strict", 4, likes_few, "3,2", "1:1");
    }

    #[test]
    fn strict_and_safe_play_differ_where_an_attempt_is_illegal() {
        let takes_two_of_the_first = "graph 2 2 relu identity | 1 0 0:0 1:0 | 1 2 0:0 1:0";
        check("direct", "strict", 0, takes_two_of_the_first, "3,2", "1:2");
        check("direct", "strict", 0, takes_two_of_the_first, "1,2", "illegal");
        check("direct", "safe", 0, takes_two_of_the_first, "1,2", "1:1");
        check("direct", "safe", 0, takes_two_of_the_first, "0,3", "2:2");
    }

    /// Where the next ply is the last, every move draws; what was decided in the same position before is no help.
    #[test]
    fn decisions_are_looked_up_by_what_they_depend_on() {
        let setup = minichess::Setup::usual();
        let game = Minichess::start(&setup, &mut rng_for(1, &[]));
        let before = |left: u32| GameHistory::new(game, &setup, setup.most_plies - left);
        let mut changes = 0;
        for depth in [0, 1] {
            let seating = Seating::new(setup.clone(), &minichess::Squares).at_depth(depth).unwrap();
            for seed in 0..10 {
                let rng = &mut rng_for(seed, &[]);
                let graph = Graph::random(seating.shape(), Activation::Relu, Activation::Identity, rng);
                let prepared = PreparedNetwork::new(&seating, &std::sync::Arc::new(Network::Graph(graph)));
                let scratch = &mut SeatScratch::default();
                let mut decide = |left| {
                    let decision = seating.look_up_or_decide(&prepared, &before(left), scratch);
                    assert_eq!(decision, seating.decide(&prepared, &before(left), &mut SeatScratch::default()));
                    decision
                };
                let decisions = [80, 3, 1, 80, 2, 1].map(&mut decide);
                changes += usize::from(decisions[1] != decisions[2]);
            }
        }
        assert!(changes > 5, "{changes}");
    }
}
