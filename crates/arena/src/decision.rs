//! How a network decides on a move: by values, by search, or by naming a move, as its seating says.

use crate::decision_cache::DecisionCache;
use crate::{
    Decision, EvalScratch, Evaluator, Extend, GameHistory, Head, Method, MonteCarlo, NetworkEvaluator, PreparedNetwork,
    Search, Seating, Techniques,
};
use chance::{Rng, rng_for};
use evolution::{LANES, Network};
use games::Game;

impl<G: Game> Seating<G> {
    /// A network's decision; the game must not be over.
    pub(crate) fn decide(
        &self,
        prepared: &PreparedNetwork,
        history: &GameHistory<G>,
        scratch: &mut SeatScratch<G>,
    ) -> Decision<G::Move> {
        let game = history.game();
        match self.head {
            Head::Value | Head::Balanced if let Some(settings) = &self.monte_carlo => {
                let SeatScratch { eval, monte_carlo, search, .. } = scratch;
                let mut evaluator = NetworkEvaluator::new(self, prepared, eval).remembering(search.techniques().memory);
                // Random numbers depend on the position only, so that a network decides the same whenever it meets it.
                let rng = &mut rng_for(game.key(), &[u64::from(history.plies())]);
                monte_carlo.forget();
                Decision::Move(monte_carlo.run(history, &mut evaluator, settings, None, rng).mv)
            }
            Head::Value | Head::Balanced if self.depth > 0 => {
                let SeatScratch { eval, search, .. } = scratch;
                let remembers = self.depth > 1 && search.techniques().memory;
                let mut evaluator = NetworkEvaluator::new(self, prepared, eval).remembering(remembers);
                Decision::Move(search.run(history, &mut evaluator, self.limits(), None, None).mv)
            }
            Head::Value | Head::Balanced => {
                let SeatScratch { eval, moves, after, .. } = scratch;
                let mut evaluator = NetworkEvaluator::new(self, prepared, eval);
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

    /// Like [`Seating::decide`], but looks the decision up if the network made it before. Evaluations for a cached
    /// decision count again, so that their number does not depend on which thread played which game.
    pub(crate) fn look_up_or_decide(
        &self,
        prepared: &PreparedNetwork,
        history: &GameHistory<G>,
        scratch: &mut SeatScratch<G>,
    ) -> Decision<G::Move> {
        // Deeper searches remember values of earlier moves of the game, so that their number of evaluations varies.
        let decides_by_position = self.depth <= 1 && self.monte_carlo.is_none() && !history.past().remembers();
        if !decides_by_position || !scratch.search.techniques().memory {
            return self.decide(prepared, history, scratch);
        }
        // The cap on plies changes a decision only if the search can reach it.
        let is_plain = self.extend == Extend::Off && self.method == Method::Exact;
        let seen = if is_plain { self.depth + 1 } else { u32::MAX };
        let key = DecisionCache::key(prepared, history, seen);
        if let Some((decision, judged)) = scratch.decided.get(key) {
            scratch.eval.judged += u64::from(judged);
            return decision;
        }
        let before = scratch.eval.judged;
        let decision = self.decide(prepared, history, scratch);
        scratch.decided.keep(key, decision, (scratch.eval.judged - before) as u32);
        decision
    }

    /// The text of an illegal attempt.
    pub(crate) fn attempt_text(&self, network: &Network, game: &G, scratch: &mut SeatScratch<G>) -> String {
        match self.head {
            Head::Value | Head::Balanced => String::new(),
            Head::Moves(decoder, _) => {
                self.think(network, game, scratch);
                decoder.attempt_text(&self.setup, &scratch.outputs)
            }
        }
    }

    /// Computes the network's outputs for one position.
    fn think(&self, network: &Network, game: &G, scratch: &mut SeatScratch<G>) {
        let SeatScratch { eval: EvalScratch { scratch, inputs, judged, .. }, outputs, .. } = scratch;
        self.encode(network.genes(), std::slice::from_ref(game), inputs);
        outputs.clear();
        outputs.extend(network.forward_lanes(inputs, scratch).iter().map(|lanes| lanes[0]));
        *judged += 1;
    }
}

/// Scratch memory for decisions, which is used again and again.
pub(crate) struct SeatScratch<G: Game> {
    pub eval: EvalScratch,
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
    /// A random legal move, all equally likely.
    pub fn any_move(&mut self, game: &G, rng: &mut Rng) -> G::Move {
        self.moves.clear();
        game.legal_moves(&mut self.moves);
        self.moves[rng.below(self.moves.len())]
    }

    /// Scratch memory whose searches use these techniques.
    pub fn new(techniques: Techniques) -> SeatScratch<G> {
        SeatScratch {
            eval: EvalScratch::default(),
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
        // This network's value is the number of matches, so that it leaves few.
        check("value", "strict", 0, "graph 2 1 relu identity | 1 0 0:1 1:1", "3,2", "1:3");
        // This network leaves many. Of equal moves it takes the first.
        check("value", "strict", 0, "graph 2 1 relu identity | 1 0 0:-1 1:-1", "3,2", "1:1");
    }

    #[test]
    fn ends_are_known_where_it_looks_ahead() {
        // Without search it leaves no match, which loses.
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

    /// If the next ply is the last, every move draws; a cached decision from the same position must not be used.
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
