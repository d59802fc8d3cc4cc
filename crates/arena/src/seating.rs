//! Seating: how a network sees a position, and how its outputs become a move.

use crate::{Extend, Limits, MOST_DEPTH, Method, MonteCarloSettings};
use chance::rng_for;
use evolution::{LANES, Lanes, Network, Shape};
use games::{Attempt, Decoder, Encoder, Game, KeyError, Setup as _, find_decoder, find_encoder};

/// What all networks of an experiment share when they play.
#[derive(Clone)]
pub struct Seating<G: Game> {
    /// The setup of the game.
    pub setup: G::Setup,
    /// Turns positions into inputs.
    pub(crate) encoder: &'static dyn Encoder<G>,
    /// Turns outputs into a move.
    pub(crate) head: Head<G>,
    /// The search depth of the value head in plies. With 0 it evaluates the position after each move, finished
    /// positions included.
    pub(crate) depth: u32,
    /// Where the search goes deeper because the side to move must capture.
    pub(crate) extend: Extend,
    /// How the search looks ahead.
    pub(crate) method: Method,
    /// Monte Carlo tree search instead of alpha-beta search, if any.
    pub(crate) monte_carlo: Option<MonteCarloSettings>,
}

/// How outputs become a move.
pub enum Head<G: Game> {
    /// The only output is the value of a position for the side to move. The network evaluates the position after each
    /// legal move, finished positions included, and plays the move with the lowest value.
    Value,
    /// Like [`Head::Value`], but the value is half of the difference between the network's output for the position as the
    /// mover sees it and its output for the position in which the other side would be to move. So the right to move has
    /// no value of its own, and searches may compare positions with different sides to move.
    Balanced,
    /// The outputs name a move, which may be illegal.
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
    /// Returns the head with this name. `play` is `strict` or `safe` and says what happens after an illegal attempt;
    /// the value head makes none.
    pub fn named(head: &str, play: &str) -> Result<Head<G>, KeyError> {
        let play = match play {
            "strict" => Play::Strict,
            "safe" => Play::Safe,
            _ => return Err(unknown::<G>("play", play, Play::NAMES.to_vec())),
        };
        match find_decoder::<G>(head) {
            _ if head == VALUE => Ok(Head::Value),
            _ if head == BALANCED && has_passes::<G>() => Ok(Head::Balanced),
            Some(decoder) => Ok(Head::Moves(decoder, play)),
            None => Err(unknown::<G>("head", head, Head::<G>::names())),
        }
    }

    /// The names of all heads for this game.
    pub fn names() -> Vec<&'static str> {
        let balanced = has_passes::<G>().then_some(BALANCED);
        std::iter::once(VALUE).chain(balanced).chain(G::DECODERS.iter().map(|decoder| decoder.name())).collect()
    }

    /// One sentence about the head of this name, unless it is a decoder, which describes itself.
    pub fn about(name: &str) -> Option<&'static str> {
        match name {
            VALUE => Some("one output gives the value of the position after each legal move; the best move is played"),
            BALANCED => Some(
                "like value, but half of the difference between the output for the mover and the output for the other \
                 side, as if that side were to move; so the right to move has no value of its own",
            ),
            _ => None,
        }
    }

    /// Whether the head gives values of positions, instead of naming moves.
    pub fn judges(&self) -> bool {
        matches!(self, Head::Value | Head::Balanced)
    }
}

/// Whether every position of the game makes sense with the other side to move, too.
fn has_passes<G: Game>() -> bool {
    G::start(&G::Setup::usual(), &mut rng_for(0, &[])).passed().is_some()
}

fn unknown<G: Game>(key: &str, found: &str, known: Vec<&str>) -> KeyError {
    KeyError::new(key, format!("{key} is `{found}`, but {} has {}", G::NAME, known.join(", ")))
}

/// What happens after an illegal attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// The network loses at once.
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
    /// A legal move.
    Move(M),
    /// An illegal attempt, which loses the game.
    Illegal,
}

/// The name of the value head.
const VALUE: &str = "value";
/// The name of the balanced value head.
const BALANCED: &str = "balanced";

impl<G: Game> Seating<G> {
    /// Networks that see positions through this encoder, with a value head and no search. The setup must have been
    /// [checked](games::Setup::checked).
    pub fn new(setup: G::Setup, encoder: &'static dyn Encoder<G>) -> Seating<G> {
        Seating {
            setup,
            encoder,
            head: Head::Value,
            depth: 0,
            extend: Extend::Off,
            method: Method::Exact,
            monte_carlo: None,
        }
    }

    /// Like [`Seating::new`], with the game's encoder of this name.
    pub fn with_encoder(setup: G::Setup, encoder: &str) -> Result<Seating<G>, KeyError> {
        let known = || G::ENCODERS.iter().map(|encoder| encoder.name()).collect();
        let found = find_encoder::<G>(encoder).ok_or_else(|| unknown::<G>("encoder", encoder, known()))?;
        Ok(Seating::new(setup, found))
    }

    /// Changes the head, and turns search off.
    pub fn with_head(self, head: Head<G>) -> Seating<G> {
        Seating { head, ..self.alone() }
    }

    /// Sets the search depth in plies, and turns Monte Carlo tree search off.
    pub fn at_depth(self, depth: u32) -> Result<Seating<G>, KeyError> {
        let refuse = |why: String| Err(KeyError::new("depth", format!("depth is {depth}, but {why}")));
        match self.head {
            Head::Moves(decoder, _) if depth > 0 => refuse(format!(
                "the head `{}` names moves and gives no values; use depth 0 or the head `{VALUE}`",
                decoder.name()
            )),
            _ if depth > MOST_DEPTH => refuse(format!("it must be from 0 to {MOST_DEPTH}")),
            _ => Ok(Seating { depth, monte_carlo: None, ..self }),
        }
    }

    /// Sets where the search goes deeper because the side to move must capture. It takes effect only with a depth above
    /// 0.
    pub fn extended(self, extend: Extend) -> Seating<G> {
        Seating { extend, ..self }
    }

    /// Sets how the search looks ahead. It takes effect only with a depth above 0.
    pub fn by(self, method: Method) -> Seating<G> {
        Seating { method, ..self }
    }

    /// Uses Monte Carlo tree search, and turns alpha-beta search off.
    pub fn with_monte_carlo(self, settings: MonteCarloSettings) -> Result<Seating<G>, KeyError> {
        let refuse = |what: String| Err(KeyError::new("rounds", what));
        match self.head {
            Head::Moves(decoder, _) => refuse(format!(
                "rounds is {}, but the head `{}` names moves and gives no values; use rounds 0 or the head `{VALUE}`",
                settings.rounds,
                decoder.name()
            )),
            Head::Value | Head::Balanced => Ok(Seating { depth: 0, monte_carlo: Some(settings), ..self }),
        }
    }

    /// A copy of this seating without search.
    pub fn alone(&self) -> Seating<G> {
        Seating { depth: 0, extend: Extend::Off, method: Method::Exact, monte_carlo: None, ..self.clone() }
    }

    /// The search depth in plies.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Where the search goes deeper because the side to move must capture.
    pub fn extend(&self) -> Extend {
        self.extend
    }

    /// How the search looks ahead.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The limits of the seating's search.
    pub fn limits(&self) -> Limits {
        Limits::depth(self.depth).extended(self.extend).by(self.method)
    }

    /// The settings of Monte Carlo tree search, or `None` if it is not used.
    pub fn monte_carlo(&self) -> Option<MonteCarloSettings> {
        self.monte_carlo
    }

    /// The genes that networks may carry for the encoder.
    pub fn genes(&self) -> &'static [games::Gene] {
        self.encoder.genes()
    }

    /// Checks that a network may carry these genes: either none, or all of them within their bounds.
    pub fn checked_genes(&self, genes: &[f32]) -> Result<(), KeyError> {
        let (found, wanted) = (genes.len(), self.genes().len());
        let refuse = |what: String| Err(KeyError::new("genes", what));
        if found != 0 && found != wanted {
            return refuse(format!("the network carries {found} genes, but its encoder takes {wanted}, or none"));
        }
        match genes.iter().zip(self.genes()).find(|(gene, known)| !(known.low..=known.high).contains(gene)) {
            Some((gene, known)) => {
                refuse(format!("its {} is {gene}, but it must be from {} to {}", known.name, known.low, known.high))
            }
            None => Ok(()),
        }
    }

    /// Whether networks give values of positions here, instead of naming moves.
    pub fn judges(&self) -> bool {
        self.head.judges()
    }

    /// Whether values are differences between the views of both sides (see [`Head::Balanced`]).
    pub fn is_balanced(&self) -> bool {
        matches!(self.head, Head::Balanced)
    }

    /// The numbers of inputs and outputs that a network must have.
    pub fn shape(&self) -> Shape {
        let outputs = match self.head {
            Head::Value | Head::Balanced => 1,
            Head::Moves(decoder, _) => decoder.width(&self.setup),
        };
        Shape { inputs: self.encoder.width(&self.setup), outputs }
    }

    /// Encodes up to [`LANES`] positions for a network that carries these genes: one entry per input, one lane per
    /// position. Unused lanes are 0.
    pub(crate) fn encode(&self, genes: &[f32], games: &[G], inputs: &mut Vec<Lanes>) {
        inputs.clear();
        inputs.resize(self.encoder.width(&self.setup), [0.0; LANES]);
        self.encoder.encode_all(&self.setup, genes, games, inputs.as_flattened_mut(), LANES);
    }

    /// The inputs of this network for a position.
    pub fn inputs(&self, network: &Network, game: &G) -> Vec<f32> {
        let mut inputs = Vec::new();
        self.encode(network.genes(), std::slice::from_ref(game), &mut inputs);
        inputs.iter().map(|lanes| lanes[0]).collect()
    }

    /// One sentence about the encoder.
    pub fn sight(&self) -> &'static str {
        self.encoder.about()
    }

    /// A label of an input in the words of the game.
    pub fn input_label(&self, input: usize) -> String {
        self.encoder.label(&self.setup, input)
    }

    /// A label of an output in the words of the game.
    pub fn output_label(&self, output: usize) -> String {
        match self.head {
            Head::Value | Head::Balanced => VALUE.to_string(),
            Head::Moves(decoder, _) => decoder.label(&self.setup, output),
        }
    }

    /// The decision that a decoder reads from the outputs of one lane.
    pub(crate) fn decode(&self, decoder: &dyn Decoder<G>, play: Play, game: &G, outputs: &[f32]) -> Decision<G::Move> {
        match (decoder.decode(&self.setup, game, outputs), play) {
            (Attempt::Legal(mv), _) => Decision::Move(mv),
            (Attempt::Illegal { nearest }, Play::Safe) => Decision::Move(nearest),
            (Attempt::Illegal { .. }, Play::Strict) => Decision::Illegal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::nim::{Nim, Setup, Start};

    fn seated(encoder: &str, head: &str, play: &str, depth: u32) -> Result<Seating<Nim>, KeyError> {
        let setup = Setup { stacks: vec![4, 4], start: Start::Random };
        Seating::with_encoder(setup, encoder)?.with_head(Head::named(head, play)?).at_depth(depth)
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
