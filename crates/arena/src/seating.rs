//! A network at the table: how it sees a position, and how its answer becomes a move.

use crate::decision_cache::DecisionCache;
use crate::{
    EvalScratch, Evaluator, Extend, GameHistory, Limits, MOST_DEPTH, MonteCarlo, MonteCarloSettings, NetworkEvaluator,
    PreparedNetwork, Search, Techniques,
};
use chance::{Rng, rng_for};
use evolution::{LANES, Lanes, Network, Shape};
use games::{Attempt, Decoder, Encoder, Game, Inputs, KeyError, find_decoder, find_encoder};

/// What all networks of an experiment share.
#[derive(Clone)]
pub struct Seating<G: Game> {
    /// How the game is set up.
    pub setup: G::Setup,
    /// How positions become inputs.
    pub(crate) encoder: &'static dyn Encoder<G>,
    /// How outputs become a move.
    pub(crate) head: Head<G>,
    /// How many plies the value head looks ahead; 0: it judges what is after each move, ends of games included.
    pub(crate) depth: u32,
    /// Where it looks on because the mover must capture.
    pub(crate) extend: Extend,
    /// How it looks ahead by playing on, instead.
    pub(crate) monte_carlo: Option<MonteCarloSettings>,
}

/// How outputs become a move.
pub enum Head<G: Game> {
    /// One output judges the position after each legal move, for the side that is then to move; the lowest is played.
    /// The network judges ends of games like any other position.
    Value,
    /// The outputs are the move, or an illegal attempt.
    Moves(&'static dyn Decoder<G>, Play),
}

// Not derived, as games need not be `Copy`.
impl<G: Game> Copy for Head<G> {}
impl<G: Game> Clone for Head<G> {
    fn clone(&self) -> Head<G> {
        *self
    }
}

impl<G: Game> Head<G> {
    /// The head of that name, with what becomes of illegal attempts: `strict` or `safe`; the value head makes none.
    pub fn named(head: &str, play: &str) -> Result<Head<G>, KeyError> {
        let play = match play {
            "strict" => Play::Strict,
            "safe" => Play::Safe,
            _ => return Err(unknown::<G>("play", play, Play::NAMES.to_vec())),
        };
        match find_decoder::<G>(head) {
            _ if head == VALUE => Ok(Head::Value),
            Some(decoder) => Ok(Head::Moves(decoder, play)),
            None => Err(unknown::<G>("head", head, Head::<G>::names())),
        }
    }

    /// The names of all heads for this game.
    pub fn names() -> Vec<&'static str> {
        std::iter::once(VALUE).chain(G::DECODERS.iter().map(|decoder| decoder.name())).collect()
    }
}

fn unknown<G: Game>(key: &str, found: &str, known: Vec<&str>) -> KeyError {
    KeyError::new(key, format!("{key} is `{found}`, but {} has {}", G::NAME, known.join(", ")))
}

/// What becomes of illegal attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// They lose at once.
    Strict,
    /// The nearest legal move is played instead.
    Safe,
}

impl Play {
    const NAMES: [&'static str; 2] = ["strict", "safe"];
}

/// What a network does in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision<M> {
    /// It moves.
    Move(M),
    /// It tries what is illegal, and loses by it.
    Illegal,
}

/// What the value head is called.
const VALUE: &str = "value";

impl<G: Game> Seating<G> {
    /// Networks that see positions through this encoder, and judge them without looking ahead. The setup has been
    /// [checked](games::Setup::checked).
    pub fn new(setup: G::Setup, encoder: &'static dyn Encoder<G>) -> Seating<G> {
        Seating { setup, encoder, head: Head::Value, depth: 0, extend: Extend::Off, monte_carlo: None }
    }

    /// Like [`Seating::new`], with the game's encoder of that name.
    pub fn with_encoder(setup: G::Setup, encoder: &str) -> Result<Seating<G>, KeyError> {
        let known = || G::ENCODERS.iter().map(|encoder| encoder.name()).collect();
        let found = find_encoder::<G>(encoder).ok_or_else(|| unknown::<G>("encoder", encoder, known()))?;
        Ok(Seating::new(setup, found))
    }

    /// Networks with another head, without looking ahead.
    pub fn with_head(self, head: Head<G>) -> Seating<G> {
        Seating { head, ..self.alone() }
    }

    /// The same, looking so many plies ahead.
    pub fn at_depth(self, depth: u32) -> Result<Seating<G>, KeyError> {
        let refuse = |why: String| Err(KeyError::new("depth", format!("depth is {depth}, but {why}")));
        match self.head {
            Head::Moves(decoder, _) if depth > 0 => refuse(format!(
                "the head `{}` names moves and judges no positions; 0 or the head `{VALUE}` would be right",
                decoder.name()
            )),
            _ if depth > MOST_DEPTH => refuse(format!("it must be from 0 to {MOST_DEPTH}")),
            _ => Ok(Seating { depth, monte_carlo: None, ..self }),
        }
    }

    /// The same, looking on there because the mover must capture; it looks some plies ahead already.
    pub fn extended(self, extend: Extend) -> Seating<G> {
        Seating { extend, ..self }
    }

    /// The same, looking ahead by playing on.
    pub fn with_monte_carlo(self, settings: MonteCarloSettings) -> Result<Seating<G>, KeyError> {
        let refuse = |what: String| Err(KeyError::new("rounds", what));
        match self.head {
            Head::Moves(decoder, _) => refuse(format!(
                "rounds is {}, but the head `{}` names moves and judges no positions; 0 or the head `{VALUE}` would be right",
                settings.rounds,
                decoder.name()
            )),
            Head::Value => Ok(Seating { depth: 0, monte_carlo: Some(settings), ..self }),
        }
    }

    /// The same without looking ahead.
    pub fn alone(&self) -> Seating<G> {
        Seating { depth: 0, extend: Extend::Off, monte_carlo: None, ..self.clone() }
    }

    /// How many plies it looks ahead.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Where it looks on because the mover must capture.
    pub fn extend(&self) -> Extend {
        self.extend
    }

    /// How it looks ahead by playing on, where it does.
    pub fn monte_carlo(&self) -> Option<MonteCarloSettings> {
        self.monte_carlo
    }

    /// The numbers that networks may carry for the encoder.
    pub fn genes(&self) -> &'static [games::Gene] {
        self.encoder.genes()
    }

    /// Whether a network may carry these numbers here: none, or all of them within their bounds.
    pub fn checked_genes(&self, genes: &[f32]) -> Result<(), KeyError> {
        let (found, wanted) = (genes.len(), self.genes().len());
        let refuse = |what: String| Err(KeyError::new("genes", what));
        if found != 0 && found != wanted {
            return refuse(format!("it carries {found} genes, but its encoder takes {wanted}, or none"));
        }
        match genes.iter().zip(self.genes()).find(|(gene, known)| !(known.low..=known.high).contains(gene)) {
            Some((gene, known)) => {
                refuse(format!("its {} is {gene}, but it must be from {} to {}", known.name, known.low, known.high))
            }
            None => Ok(()),
        }
    }

    /// Whether networks judge positions here, and do not name moves.
    pub fn judges(&self) -> bool {
        matches!(self.head, Head::Value)
    }

    /// What a network must be like to sit here.
    pub fn shape(&self) -> Shape {
        let outputs = match self.head {
            Head::Value => 1,
            Head::Moves(decoder, _) => decoder.width(&self.setup),
        };
        Shape { inputs: self.encoder.width(&self.setup), outputs }
    }

    /// Shows up to [`LANES`] positions to a network that carries these genes: one entry per input, one lane per position,
    /// unused lanes 0.
    pub(crate) fn encode(&self, genes: &[f32], games: &[G], inputs: &mut Vec<Lanes>) {
        inputs.clear();
        inputs.resize(self.encoder.width(&self.setup), [0.0; LANES]);
        let values = inputs.as_flattened_mut();
        for (lane, game) in games.iter().enumerate() {
            self.encoder.encode(&self.setup, game, &mut Inputs::new(values, LANES, lane).with_genes(genes));
        }
    }

    /// How that network sees a position.
    pub fn inputs(&self, network: &Network, game: &G) -> Vec<f32> {
        let mut inputs = Vec::new();
        self.encode(network.genes(), std::slice::from_ref(game), &mut inputs);
        inputs.iter().map(|lanes| lanes[0]).collect()
    }

    /// How positions become inputs, in a sentence.
    pub fn sight(&self) -> &'static str {
        self.encoder.about()
    }

    /// What an input tells, in the game's words.
    pub fn input_label(&self, input: usize) -> String {
        self.encoder.label(&self.setup, input)
    }

    /// What an output says, in the game's words.
    pub fn output_label(&self, output: usize) -> String {
        match self.head {
            Head::Value => VALUE.to_string(),
            Head::Moves(decoder, _) => decoder.label(&self.setup, output),
        }
    }

    /// What a decoder reads out of one lane.
    pub(crate) fn decode(&self, decoder: &dyn Decoder<G>, play: Play, game: &G, outputs: &[f32]) -> Decision<G::Move> {
        match (decoder.decode(&self.setup, game, outputs), play) {
            (Attempt::Legal(mv), _) => Decision::Move(mv),
            (Attempt::Illegal { nearest }, Play::Safe) => Decision::Move(nearest),
            (Attempt::Illegal { .. }, Play::Strict) => Decision::Illegal,
        }
    }

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
    use games::nim::{Nim, Setup, Start};

    fn seated(encoder: &str, head: &str, play: &str, depth: u32) -> Result<Seating<Nim>, KeyError> {
        let setup = Setup { stacks: vec![4, 4], start: Start::Random };
        Seating::with_encoder(setup, encoder)?.with_head(Head::named(head, play)?).at_depth(depth)
    }

    #[track_caller]
    fn check(head: &str, play: &str, depth: u32, network: &str, position: &str, expected: &str) {
        let seating = seated("counts", head, play, depth).unwrap();
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
            let seating =
                Seating::<Minichess>::with_encoder(setup.clone(), "squares").unwrap().at_depth(depth).unwrap();
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

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let refused = |encoder, head, play, depth| seated(encoder, head, play, depth).err().unwrap().what;
        assert_eq!(refused("count", "value", "strict", 0), "encoder is `count`, but nim has counts, digits");
        assert_eq!(refused("counts", "best", "strict", 0), "head is `best`, but nim has value, direct, slots");
        assert_eq!(refused("counts", "value", "lax", 0), "play is `lax`, but nim has strict, safe");
        assert_eq!(refused("counts", "value", "safe", 65), "depth is 65, but it must be from 0 to 64");
        assert!(refused("counts", "slots", "safe", 1).contains("the head `slots` names moves"));
    }
}
