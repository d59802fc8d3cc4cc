//! Monte Carlo tree search: moves that did well in random play are looked at more often (UCT, Kocsis and Szepesvári 2006).
//!
//! A round walks down by visits and results, which positions have in common whichever way they were reached, adds a position, plays from there at random to the end, or some plies
//! on until a network judges, and counts the result on the way back. Ends that are forced are passed up as such (Winands
//! and others 2008), so that short wins are certain.

use crate::game_history::{Mark, Past};
use crate::{Budget, Evaluator, GameHistory, Opinion, Outlook};
use chance::Rng;
use evolution::LANES;
use games::{Game, Outcome, Side};
use rustc_hash::FxHashMap;

/// How a search goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MonteCarloSettings {
    /// How many rounds; at least one is made.
    pub rounds: u32,
    /// Playouts stop after so many plies, and whatever captures must follow, and the network judges; `None`: they go to
    /// the end of the game.
    pub stop_after: Option<u32>,
    /// How moves of playouts are chosen.
    pub playouts: Playouts,
}

/// How moves of playouts are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playouts {
    /// Any, all equally likely.
    Random,
    /// Any capture where there is one.
    Captures,
    /// Every other move is the one that the network likes best, of a few.
    Network,
}

impl Playouts {
    /// The names people type, in the order of the variants.
    pub const NAMES: [&'static str; 3] = ["random", "captures", "network"];

    /// The one of that name.
    pub fn named(name: &str) -> Option<Playouts> {
        let place = Playouts::NAMES.iter().position(|known| *known == name)?;
        Some([Playouts::Random, Playouts::Captures, Playouts::Network][place])
    }
}

impl MonteCarloSettings {
    /// Random playouts to the end.
    pub fn plain(rounds: u32) -> MonteCarloSettings {
        MonteCarloSettings { rounds, stop_after: None, playouts: Playouts::Random }
    }

    /// Whether a network is needed.
    pub fn asks_network(&self) -> bool {
        self.stop_after.is_some() || self.playouts == Playouts::Network
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explored<M> {
    /// The move that was looked at most, or one that wins for certain.
    pub mv: M,
    /// How it did: 0 lost, 1 won.
    pub share: f64,
    /// How often it was looked at, also in earlier searches of this game.
    pub visits: u32,
    /// How many rounds were made now.
    pub rounds: u32,
}

/// A searcher with what it knows of positions, whichever way they were reached.
pub struct MonteCarlo<G: Game> {
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    /// Nodes by the keys of their positions.
    known: FxHashMap<u64, u32>,
    moves: Vec<G::Move>,
    /// The edges of this round, and where to go back to.
    path: Vec<(u32, Mark)>,
    after: Vec<G>,
    /// Rounds made so far, in all searches.
    rounds: u32,
}

/// A position.
#[derive(Clone, Copy)]
struct Node {
    /// Its moves, side by side.
    first: u32,
    moves: u16,
    /// What is certain, for the side that moved here.
    certain: Certain,
    visits: u32,
    /// The last round that came by.
    round: u32,
    /// Results for the side that moved here: 1 for a win, ½ for a draw.
    total: f64,
}

/// A move, and where it leads.
#[derive(Clone, Copy)]
struct Edge<M> {
    mv: M,
    node: u32,
    visits: u32,
}

/// What is certain for a side, in the order in which it hopes for it: what is open may still be won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Certain {
    /// It loses.
    Lost,
    /// Nobody wins.
    Drawn,
    /// Nothing.
    Open,
    /// It wins.
    Won,
}

/// How much more is hoped of what was seldom looked at.
const HOPE: f32 = 1.0;
/// Playouts that are longer count as draws.
const MOST_PLIES: u32 = 400;
/// A move that was looked at less often says little.
const LEAST_VISITS: u32 = 8;
/// How often the budget is asked.
const ROUNDS_BETWEEN: u32 = 32;
/// A search begins anew where the last ones have left more positions than this, and ends when it has twice as many.
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
    /// Forgets everything, as at the beginning of a game.
    pub fn forget(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.known.clear();
        self.rounds = 0;
    }

    /// The best move where the game goes on. What was found for the moves before is used on.
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
        // Only that it is not decided is known of it: the referee says that the game goes on.
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
            // A search that has filled its memory has found what it can.
            let decided = self.nodes[root].certain != Certain::Open || self.nodes.len() > 2 * MOST_NODES;
            let asked = rounds % ROUNDS_BETWEEN == 1;
            if decided || asked && budget.as_mut().is_some_and(|budget| budget.is_spent()) {
                break;
            }
        }
        let best = self.best_edge(root);
        Explored { mv: best.mv, share: self.share(best), visits: best.visits, rounds }
    }

    /// How a move did: 0 lost, 1 won.
    fn share(&self, edge: &Edge<G::Move>) -> f64 {
        let node = &self.nodes[edge.node as usize];
        node.total / f64::from(node.visits.max(1))
    }

    /// The surest move of a position, then the one most looked at, then the best; the first among equals.
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

    /// What the searches so far found of a position that they began with.
    pub fn view(&self, history: &GameHistory<G>) -> Opinion<G::Move> {
        let Some(&root) = self.known.get(&history.game().key()) else { return Opinion::default() };
        let root = root as usize;
        let prospect = |edge: &Edge<G::Move>| {
            let share = match self.nodes[edge.node as usize].certain {
                Certain::Won => 1.0,
                Certain::Drawn => 0.5,
                Certain::Lost => 0.0,
                Certain::Open => self.share(edge),
            };
            Outlook { value: (2.0 * share - 1.0) as f32, ends_in: None, visits: Some(edge.visits) }
        };
        // Moves that were not looked at have no value.
        let is_known =
            |edge: &&Edge<G::Move>| edge.visits > 0 || self.nodes[edge.node as usize].certain != Certain::Open;
        let edges = self.edges[self.edges_of(root)].iter().filter(is_known);
        let moves: Vec<(G::Move, Outlook)> = edges.map(|edge| (edge.mv, prospect(edge))).collect();
        // The move that it makes, and how it would go on, as long as it looked there often enough to mean something.
        let first = self.best_edge(root);
        let value = Outlook { visits: Some(self.nodes[root].visits), ..prospect(first) };
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

    /// One round: down, a playout, and up again.
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
        // 1. Down to a position that was not looked at before, or where it ends.
        let mut share = loop {
            if self.nodes[here].moves == 0 {
                self.expand(here, &game, rng);
            }
            // Only if two positions share a key, which is rare beyond luck.
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
                // What came up before will come up again: whoever likes that can have it so.
                Certain::Open if returned || past.is_draw() || past.has_returned() => break 0.5,
                Certain::Open if fresh => break self.playout(game, mover, past, evaluator, settings, rng),
                Certain::Open => {}
            }
        };
        // 2. Up again: what is good for the one who moved here is bad for the one before.
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

    /// Counts a result, and sees whether that decides.
    fn count(&mut self, place: usize, share: f64) {
        let node = &mut self.nodes[place];
        node.visits += 1;
        node.total += share;
        if node.certain == Certain::Open {
            self.nodes[place].certain = self.certain(place);
        }
    }

    /// What the moves of a position make of it, for the side that moved there.
    fn certain(&self, place: usize) -> Certain {
        let after = self.edges[self.edges_of(place)].iter().map(|edge| self.nodes[edge.node as usize].certain);
        match after.max() {
            Some(Certain::Won) => Certain::Lost,
            // Nobody has looked at its moves, or some are open.
            None | Some(Certain::Open) => Certain::Open,
            Some(Certain::Drawn) => Certain::Drawn,
            Some(Certain::Lost) => Certain::Won,
        }
    }

    /// Adds all moves, in any order.
    fn expand(&mut self, place: usize, game: &G, rng: &mut Rng) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        game.legal_moves(&mut moves);
        rng.shuffle(&mut moves);
        let first = self.edges.len() as u32;
        for &mv in &moves {
            let next = game.after(mv);
            let node = self.node(&next);
            self.edges.push(Edge { mv, node, visits: 0 });
        }
        (self.nodes[place].first, self.nodes[place].moves) = (first, moves.len() as u16);
        self.moves = moves;
    }

    /// The move to look at: one that never was, or the one that promises most.
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

    /// Plays on from a position where the game goes on; the share of the side that moved there.
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
            // Nobody can judge while pieces must be taken.
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
        unreachable!("a playout ends")
    }

    /// One of the moves at hand.
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

/// The natural logarithm of a number of at least 1, by plain arithmetic, so that every machine gets the same.
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
