//! Monte Carlo tree search (UCT, Kocsis and Szepesvári 2006): moves that did well in playouts are looked at more often.
//!
//! A round has three steps. It walks down the tree by visits and results; positions that are reached in several ways
//! are one node. It adds a position and plays from there at random, to the end of the game or for some plies until a
//! network evaluates the position. Then it counts the result on the way back. Forced wins, draws and defeats are passed
//! up as certain (Winands and others 2008), so that short wins are found for sure.

use crate::game_history::{Mark, Past};
use crate::{Budget, Evaluator, GameHistory, Opinion, Outlook};
use chance::Rng;
use evolution::LANES;
use games::{Game, Outcome, Side};
use rustc_hash::FxHashMap;

/// The settings of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MonteCarloSettings {
    /// The number of rounds; at least one is made.
    pub rounds: u32,
    /// The number of plies after which a playout stops and the network evaluates the position; forced captures are
    /// still played. `None` means that playouts go to the end of the game.
    pub stop_after: Option<u32>,
    /// How moves in playouts are chosen.
    pub playouts: Playouts,
}

/// How moves in playouts are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playouts {
    /// Any legal move, all equally likely.
    Random,
    /// Any capture if there is one, otherwise any legal move.
    Captures,
    /// Half of the moves are random; the others are the network's favourite among a few.
    Network,
}

impl Playouts {
    /// The names in configurations, in the order of the variants.
    pub const NAMES: [&'static str; 3] = ["random", "captures", "network"];

    /// Returns the variant with this name.
    pub fn named(name: &str) -> Option<Playouts> {
        let place = Playouts::NAMES.iter().position(|known| *known == name)?;
        Some([Playouts::Random, Playouts::Captures, Playouts::Network][place])
    }
}

impl MonteCarloSettings {
    /// Random playouts to the end of the game.
    pub fn plain(rounds: u32) -> MonteCarloSettings {
        MonteCarloSettings { rounds, stop_after: None, playouts: Playouts::Random }
    }

    /// Whether these settings need a network.
    pub fn asks_network(&self) -> bool {
        self.stop_after.is_some() || self.playouts == Playouts::Network
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explored<M> {
    /// The move with the most visits, or one that certainly wins.
    pub mv: M,
    /// The mean result of the move: 0 is lost, 1 is won.
    pub share: f64,
    /// The number of visits of the move, including earlier searches in this game.
    pub visits: u32,
    /// The number of rounds in this search.
    pub rounds: u32,
}

/// A searcher with its tree. A position is one node, whichever way it was reached.
pub struct MonteCarlo<G: Game> {
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    /// Nodes by the keys of their positions.
    known: FxHashMap<u64, u32>,
    moves: Vec<G::Move>,
    /// The edges of the current round, with the marks to return to.
    path: Vec<(u32, Mark)>,
    after: Vec<G>,
    /// The number of rounds so far, in all searches.
    rounds: u32,
}

/// A position.
#[derive(Clone, Copy)]
struct Node {
    /// The first of its moves in `edges`; the others follow it.
    first: u32,
    moves: u16,
    /// The certain result, for the side that moved to this position.
    certain: Certain,
    visits: u32,
    /// The last round that visited it.
    round: u32,
    /// The sum of results for the side that moved to this position: 1 for a win, ½ for a draw.
    total: f64,
}

/// A move, and the node that it leads to.
#[derive(Clone, Copy)]
struct Edge<M> {
    mv: M,
    node: u32,
    visits: u32,
}

/// A certain result for a side, from worst to best. `Open` is above `Drawn` because an open position may still be won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Certain {
    /// The side loses.
    Lost,
    /// The game is drawn.
    Drawn,
    /// Nothing is certain yet.
    Open,
    /// The side wins.
    Won,
}

/// The weight of exploration in UCT: a higher value visits rarely visited moves more often.
const HOPE: f32 = 1.0;
/// Playouts of more plies than this count as draws.
const MOST_PLIES: u32 = 400;
/// A principal variation ends at moves with fewer visits than this, because their values mean little.
const LEAST_VISITS: u32 = 8;
/// The number of rounds between two checks of the budget.
const ROUNDS_BETWEEN: u32 = 32;
/// A search begins with an empty tree if earlier searches left more positions than this, and it stops at twice as many.
const MOST_NODES: usize = 1 << 21;

impl<G: Game> Default for MonteCarlo<G> {
    fn default() -> MonteCarlo<G> {
        MonteCarlo {
            nodes: Vec::new(),
            edges: Vec::new(),
            known: FxHashMap::default(),
            moves: Vec::new(),
            path: Vec::new(),
            after: Vec::new(),
            rounds: 0,
        }
    }
}

impl<G: Game> MonteCarlo<G> {
    /// Forgets the tree, as at the beginning of a game.
    pub fn forget(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.known.clear();
        self.rounds = 0;
    }

    /// Finds the best move; the game must not be over. The tree of earlier searches in this game is used again.
    pub fn run<E: Evaluator<G>>(
        &mut self,
        history: &GameHistory<G>,
        evaluator: &mut E,
        settings: &MonteCarloSettings,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        rng: &mut Rng,
    ) -> Explored<G::Move> {
        if self.nodes.len() > MOST_NODES {
            self.forget();
        }
        let root = self.node(history.game()) as usize;
        // The referee says that the game is not over, so the root has moves.
        if self.nodes[root].moves == 0 {
            self.expand(root, history.game(), rng);
        }
        if let Some(budget) = &mut budget {
            budget.begin();
        }
        let mut rounds = 0;
        let mut past = history.past().clone();
        while rounds == 0 || rounds < settings.rounds {
            self.round(root, history.game(), &mut past, evaluator, settings, rng);
            rounds += 1;
            // Stop if the tree has reached its largest size.
            let decided = self.nodes[root].certain != Certain::Open || self.nodes.len() > 2 * MOST_NODES;
            let asked = rounds % ROUNDS_BETWEEN == 1;
            if decided || asked && budget.as_mut().is_some_and(|budget| budget.is_spent()) {
                break;
            }
        }
        let best = self.best_edge(root);
        Explored { mv: best.mv, share: self.share(best), visits: best.visits, rounds }
    }

    /// The mean result of a move: 0 is lost, 1 is won.
    fn share(&self, edge: &Edge<G::Move>) -> f64 {
        let node = &self.nodes[edge.node as usize];
        node.total / f64::from(node.visits.max(1))
    }

    /// The best move of a position: first by certain results, then by visits, then by mean result; the first among
    /// equals.
    fn best_edge(&self, node: usize) -> &Edge<G::Move> {
        let rank = |edge: &Edge<G::Move>| {
            let certain = match self.nodes[edge.node as usize].certain {
                Certain::Lost => 0,
                Certain::Open | Certain::Drawn => 1,
                Certain::Won => 2,
            };
            (certain, edge.visits, self.share(edge))
        };
        let edges = &self.edges[self.edges_of(node)];
        let mut best = &edges[0];
        for edge in &edges[1..] {
            if rank(edge) > rank(best) {
                best = edge;
            }
        }
        best
    }

    /// The opinion of the searches so far on a position from which they began.
    pub fn view(&self, history: &GameHistory<G>) -> Opinion<G::Move> {
        let Some(&root) = self.known.get(&history.game().key()) else { return Opinion::default() };
        let root = root as usize;
        let outlook = |edge: &Edge<G::Move>| {
            let share = match self.nodes[edge.node as usize].certain {
                Certain::Won => 1.0,
                Certain::Drawn => 0.5,
                Certain::Lost => 0.0,
                Certain::Open => self.share(edge),
            };
            Outlook { value: (2.0 * share - 1.0) as f32, ends_in: None, visits: Some(edge.visits) }
        };
        // Moves without visits have no value.
        let is_known =
            |edge: &&Edge<G::Move>| edge.visits > 0 || self.nodes[edge.node as usize].certain != Certain::Open;
        let edges = self.edges[self.edges_of(root)].iter().filter(is_known);
        let moves: Vec<(G::Move, Outlook)> = edges.map(|edge| (edge.mv, outlook(edge))).collect();
        // The principal variation begins with the move that is played, and ends where visits become few.
        let first = self.best_edge(root);
        let value = Outlook { visits: Some(self.nodes[root].visits), ..outlook(first) };
        let (mut line, mut here) = (vec![first.mv], first.node as usize);
        while line.len() < Opinion::<G::Move>::LONGEST_LINE && self.nodes[here].moves > 0 {
            let edge = self.best_edge(here);
            if edge.visits < LEAST_VISITS {
                break;
            }
            line.push(edge.mv);
            here = edge.node as usize;
        }
        Opinion { value: Some(value), line, moves }
    }

    /// The node of a position.
    fn node(&mut self, game: &G) -> u32 {
        let next = self.nodes.len() as u32;
        let node = *self.known.entry(game.key()).or_insert(next);
        if node == next {
            self.nodes.push(Node { first: 0, moves: 0, certain: Certain::Open, visits: 0, round: 0, total: 0.0 });
        }
        node
    }

    fn edges_of(&self, node: usize) -> std::ops::Range<usize> {
        let Node { first, moves, .. } = self.nodes[node];
        first as usize..first as usize + usize::from(moves)
    }

    /// One round: walks down, makes a playout, and counts the result on the way up.
    fn round<E: Evaluator<G>>(
        &mut self,
        root: usize,
        start: &G,
        past: &mut Past,
        evaluator: &mut E,
        settings: &MonteCarloSettings,
        rng: &mut Rng,
    ) {
        let mut game = start.clone();
        let mut here = root;
        self.rounds = self.rounds.wrapping_add(1);
        self.nodes[root].round = self.rounds;
        // 1. Walk down to a position without visits, or to the end of the game.
        let mut share = loop {
            if self.nodes[here].moves == 0 {
                self.expand(here, &game, rng);
            }
            // This happens only if two positions have the same key, which is extremely rare.
            if self.nodes[here].moves == 0 {
                break 0.5;
            }
            let edge = self.select(here);
            let Edge { mv, node, .. } = self.edges[edge];
            let progress = past.remembers() && game.is_progress(mv);
            game.play(mv);
            here = node as usize;
            let mark = past.enter(&game, progress);
            self.path.push((edge as u32, mark));
            let mover = !game.side_to_move();
            let fresh = self.nodes[here].visits == 0;
            let returned = std::mem::replace(&mut self.nodes[here].round, self.rounds) == self.rounds;
            if fresh {
                self.nodes[here].certain = match past.outcome(&game) {
                    Some(Outcome::Win(side)) if side == mover => Certain::Won,
                    Some(Outcome::Win(_)) => Certain::Lost,
                    Some(Outcome::Draw) => Certain::Drawn,
                    None => Certain::Open,
                };
            }
            match self.nodes[here].certain {
                Certain::Won => break 1.0,
                Certain::Lost => break 0.0,
                Certain::Drawn => break 0.5,
                // A repeated position counts as a draw, because a side that wants the draw can repeat it again.
                Certain::Open if returned || past.is_draw() || past.has_returned() => break 0.5,
                Certain::Open if fresh => break self.playout(game, mover, past, evaluator, settings, rng),
                Certain::Open => {}
            }
        };
        // 2. Count on the way up: what is good for the side that moved here is bad for the other.
        while let Some((edge, mark)) = self.path.pop() {
            past.leave(mark);
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            let place = edge.node as usize;
            self.count(place, share);
            share = 1.0 - share;
        }
        self.count(root, share);
    }

    /// Counts a result at a node, and updates whether its result is certain.
    fn count(&mut self, place: usize, share: f64) {
        let node = &mut self.nodes[place];
        node.visits += 1;
        node.total += share;
        if node.certain == Certain::Open {
            self.nodes[place].certain = self.certain(place);
        }
    }

    /// The certain result of a position for the side that moved to it, from the results of its moves.
    fn certain(&self, place: usize) -> Certain {
        let after = self.edges[self.edges_of(place)].iter().map(|edge| self.nodes[edge.node as usize].certain);
        match after.max() {
            Some(Certain::Won) => Certain::Lost,
            // The node has no moves yet, or some of them are open.
            None | Some(Certain::Open) => Certain::Open,
            Some(Certain::Drawn) => Certain::Drawn,
            Some(Certain::Lost) => Certain::Won,
        }
    }

    /// Adds all moves of a position, in random order.
    fn expand(&mut self, place: usize, game: &G, rng: &mut Rng) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        game.legal_moves(&mut moves);
        rng.shuffle(&mut moves);
        let first = self.edges.len() as u32;
        for &mv in &moves {
            let mut next = game.clone();
            next.play(mv);
            let node = self.node(&next);
            self.edges.push(Edge { mv, node, visits: 0 });
        }
        (self.nodes[place].first, self.nodes[place].moves) = (first, moves.len() as u16);
        self.moves = moves;
    }

    /// The move to look at next: one without visits, or the one with the highest upper confidence bound.
    fn select(&self, place: usize) -> usize {
        let log = ln(self.nodes[place].visits as f32);
        let mut best = (f32::NEG_INFINITY, self.nodes[place].first as usize);
        for edge in self.edges_of(place) {
            let node = &self.nodes[self.edges[edge].node as usize];
            let visits = node.visits as f32;
            let promise = match node.certain {
                Certain::Won => return edge,
                Certain::Lost => -1.0,
                Certain::Open | Certain::Drawn if node.visits == 0 => return edge,
                Certain::Open | Certain::Drawn => (node.total as f32) / visits + HOPE * (log / visits).sqrt(),
            };
            if promise > best.0 {
                best = (promise, edge);
            }
        }
        best.1
    }

    /// Makes a playout from a position in which the game is not over. Returns the result for the side that moved there,
    /// from 0 to 1.
    fn playout<E: Evaluator<G>>(
        &mut self,
        mut game: G,
        side: Side,
        past: &Past,
        evaluator: &mut E,
        settings: &MonteCarloSettings,
        rng: &mut Rng,
    ) -> f64 {
        let [cap, mut quiet] = past.plies_left();
        let (most_quiet, cap) = (past.most_quiet(), cap.min(MOST_PLIES));
        let stop = settings.stop_after.unwrap_or(u32::MAX);
        for ply in 0.. {
            self.moves.clear();
            game.legal_moves(&mut self.moves);
            // A network is not asked in positions where all moves are captures.
            if ply >= stop && self.moves.iter().any(|&mv| !game.is_capture(mv)) {
                let mut value = [0.0];
                evaluator.values(std::slice::from_ref(&game), &mut value);
                let value = f64::from(value[0].clamp(-1.0, 1.0));
                return 0.5 + 0.5 * if game.side_to_move() == side { value } else { -value };
            }
            if self.moves.is_empty() {
                return match past.outcome(&game) {
                    Some(Outcome::Win(winner)) if winner == side => 1.0,
                    Some(Outcome::Win(_)) => 0.0,
                    Some(Outcome::Draw) | None => 0.5,
                };
            }
            if ply >= cap || quiet == 0 {
                return 0.5;
            }
            let mv = self.playout_move(&game, evaluator, settings.playouts, rng);
            quiet = if most_quiet < u32::MAX && game.is_progress(mv) { most_quiet } else { quiet.saturating_sub(1) };
            game.play(mv);
        }
        unreachable!("the loop only ends by returning")
    }

    /// Chooses one of the legal moves, which are in `self.moves`.
    #[inline]
    fn playout_move<E: Evaluator<G>>(
        &mut self,
        game: &G,
        evaluator: &mut E,
        playouts: Playouts,
        rng: &mut Rng,
    ) -> G::Move {
        match playouts {
            Playouts::Random => {}
            Playouts::Captures => {
                let captures = self.moves.iter().filter(|&&mv| game.is_capture(mv)).count();
                if captures > 0 {
                    let wanted = rng.below(captures);
                    let mut captures = self.moves.iter().filter(|&&mv| game.is_capture(mv));
                    return *captures.nth(wanted).expect("there are as many");
                }
            }
            Playouts::Network if rng.below(2) == 0 => {}
            Playouts::Network => {
                let few = self.moves.len().min(LANES);
                for place in 0..few {
                    let other = place + rng.below(self.moves.len() - place);
                    self.moves.swap(place, other);
                }
                self.after.clear();
                self.after.extend(self.moves[..few].iter().map(|&mv| game.after(mv)));
                let mut values = [0.0; LANES];
                evaluator.values_after(game, &self.after, &mut values[..few]);
                let best = (0..few).min_by(|&a, &b| values[a].total_cmp(&values[b])).expect("there is a move");
                return self.moves[best];
            }
        }
        self.moves[rng.below(self.moves.len())]
    }
}

/// The natural logarithm of a number of at least 1, by plain arithmetic, so that all machines get the same result.
fn ln(x: f32) -> f32 {
    let bits = x.max(1.0).to_bits();
    let power = (bits >> 23) as i32 - 127;
    let part = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    // ln m = 2 artanh((m − 1) / (m + 1)), for m from 1 to 2.
    let z = (part - 1.0) / (part + 1.0);
    let square = z * z;
    let series = 2.0 * z * (1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0))));
    power as f32 * std::f32::consts::LN_2 + series
}

#[cfg(test)]
mod tests;
