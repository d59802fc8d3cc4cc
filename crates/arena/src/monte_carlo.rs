//! Monte Carlo tree search: moves that did well in random play are looked at more often (UCT, Kocsis and Szepesvári 2006).
//!
//! A round walks down the tree by visits and results, adds a position, plays from there at random to the end, or some plies
//! on until a network judges, and counts the result on the way back. Ends that are forced are passed up as such (Winands
//! and others 2008), so that short wins are certain.

use crate::course::Past;
use crate::{Budget, Course, Evaluator};
use chance::Rng;
use evolution::LANES;
use games::{Game, Outcome, Side};

/// How a search goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MonteCarloSettings {
    /// How many rounds; at least one is made.
    pub rounds: u32,
    /// Playouts stop after so many plies and the network judges; `None`: they go to the end of the game.
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
    /// How often it was looked at, those of the tree that was kept included.
    pub visits: u32,
    /// How many rounds were made now.
    pub rounds: u32,
}

/// A searcher with its tree.
pub struct MonteCarlo<G: Game> {
    nodes: Vec<Node<G::Move>>,
    /// The position at the root, when the tree was made for it, and the move that was chosen there.
    root: Option<(G, u32, G::Move)>,
    moves: Vec<G::Move>,
    path: Vec<u32>,
    after: Vec<G>,
}

#[derive(Clone, Copy)]
struct Node<M> {
    /// The move that leads here; the root has none.
    mv: Option<M>,
    /// Its children, side by side.
    first: u32,
    children: u16,
    /// What is certain, for the side that moved here.
    certain: Certain,
    visits: u32,
    /// Results for the side that moved here: 1 for a win, ½ for a draw.
    total: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certain {
    /// Nothing.
    Open,
    /// The game is over, drawn.
    Drawn,
    /// That side wins.
    Won,
    /// It loses.
    Lost,
}

impl<M> Node<M> {
    fn new(mv: Option<M>) -> Node<M> {
        Node { mv, first: 0, children: 0, certain: Certain::Open, visits: 0, total: 0.0 }
    }
}

/// How much more is hoped of what was seldom looked at.
const HOPE: f32 = 1.0;
/// Playouts that are longer count as draws.
const MOST_PLIES: u32 = 400;
/// How often the budget is asked.
const ROUNDS_BETWEEN: u32 = 32;

impl<G: Game> Default for MonteCarlo<G> {
    fn default() -> MonteCarlo<G> {
        MonteCarlo { nodes: Vec::new(), root: None, moves: Vec::new(), path: Vec::new(), after: Vec::new() }
    }
}

impl<G: Game> MonteCarlo<G> {
    /// Forgets the tree, as at the beginning of a game.
    pub fn forget(&mut self) {
        self.root = None;
    }

    /// The best move where the game goes on. A tree of the move before is used on.
    pub fn run<E: Evaluator<G>>(
        &mut self,
        course: &Course<G>,
        evaluator: &mut E,
        settings: &MonteCarloSettings,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        rng: &mut Rng,
    ) -> Explored<G::Move> {
        self.take_root(course);
        if let Some(budget) = &mut budget {
            budget.begin();
        }
        let mut rounds = 0;
        let mut past = course.past().clone();
        while rounds == 0 || rounds < settings.rounds {
            self.round(course.game(), &mut past, evaluator, settings, rng);
            rounds += 1;
            let decided = self.nodes[0].certain != Certain::Open;
            let asked = rounds % ROUNDS_BETWEEN == 1;
            if decided || asked && budget.as_mut().is_some_and(|budget| budget.is_spent()) {
                break;
            }
        }
        // The surest, then the most looked at, then the best.
        let root = self.nodes[0];
        let rank = |node: &Node<G::Move>| {
            let certain = match node.certain {
                Certain::Lost => 0,
                Certain::Open | Certain::Drawn => 1,
                Certain::Won => 2,
            };
            (certain, node.visits, node.total)
        };
        let mut best = root.first as usize;
        for child in best + 1..best + usize::from(root.children) {
            if rank(&self.nodes[child]) > rank(&self.nodes[best]) {
                best = child;
            }
        }
        let Node { mv, visits, total, .. } = self.nodes[best];
        let mv = mv.expect("children have moves");
        self.root = Some((course.game().clone(), course.plies(), mv));
        Explored { mv, share: total / f64::from(visits.max(1)), visits, rounds }
    }

    /// Makes the tree one of this position: a part of the last one, where the game has come to it, or a new one.
    fn take_root(&mut self, course: &Course<G>) {
        let found = self.root.take().and_then(|(mut game, plies, mv)| {
            let own = self.children(0).find(|&child| self.nodes[child].mv == Some(mv))?;
            game.play(mv);
            if plies + 2 != course.plies() {
                return None;
            }
            self.children(own).find(|&child| {
                let mut next = game.clone();
                next.play(self.nodes[child].mv.expect("children have moves"));
                next == *course.game()
            })
        });
        let Some(found) = found.filter(|&found| self.nodes[found].certain == Certain::Open) else {
            self.nodes.clear();
            self.nodes.push(Node::new(None));
            return;
        };
        // Copied, parents before children.
        let mut kept = vec![Node { mv: None, ..self.nodes[found] }];
        let mut place = 0;
        while place < kept.len() {
            let Node { first, children, .. } = kept[place];
            kept[place].first = kept.len() as u32;
            kept.extend_from_slice(&self.nodes[first as usize..][..usize::from(children)]);
            place += 1;
        }
        self.nodes = kept;
    }

    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let Node { first, children, .. } = self.nodes[node];
        first as usize..first as usize + usize::from(children)
    }

    /// One round: down, a playout, and up again.
    fn round<E: Evaluator<G>>(
        &mut self,
        root: &G,
        past: &mut Past,
        evaluator: &mut E,
        settings: &MonteCarloSettings,
        rng: &mut Rng,
    ) {
        let mut game = root.clone();
        let mut marks = std::mem::take(&mut self.path);
        marks.clear();
        marks.push(0);
        let mut entered = Vec::new();
        let mut here = 0;
        // 1. Down to a position that was not looked at before, or that is decided.
        let share = loop {
            let node = &self.nodes[here];
            match node.certain {
                Certain::Open => {}
                Certain::Drawn => break 0.5,
                Certain::Won => break 1.0,
                Certain::Lost => break 0.0,
            }
            if node.visits == 0 && here != 0 {
                let mover = !game.side_to_move();
                break self.playout(game.clone(), mover, past, evaluator, settings, rng);
            }
            if node.children == 0 {
                self.expand(here, &game, rng);
            }
            here = self.select(here);
            let mv = self.nodes[here].mv.expect("children have moves");
            let progress = past.remembers() && game.is_progress(mv);
            game.play(mv);
            entered.push(past.enter(&game, progress));
            marks.push(here as u32);
            if self.nodes[here].visits == 0 {
                let mover = !game.side_to_move();
                self.nodes[here].certain = match past.outcome(&game) {
                    Some(Outcome::Win(side)) if side == mover => Certain::Won,
                    Some(Outcome::Win(_)) => Certain::Lost,
                    Some(Outcome::Draw) => Certain::Drawn,
                    None if past.is_draw() => Certain::Drawn,
                    None => Certain::Open,
                };
            }
        };
        // 2. Up again: what is good for the one who moved here is bad for the one before.
        let mut share = share;
        for &place in marks.iter().rev() {
            let place = place as usize;
            self.nodes[place].visits += 1;
            self.nodes[place].total += share;
            share = 1.0 - share;
            if self.nodes[place].certain == Certain::Open {
                self.nodes[place].certain = self.certain(place);
            }
        }
        while let Some(mark) = entered.pop() {
            past.leave(mark);
        }
        self.path = marks;
    }

    /// What the children of a position make of it, for the side that moved there.
    fn certain(&self, place: usize) -> Certain {
        let children = &self.nodes[self.children(place)];
        if children.iter().any(|child| child.certain == Certain::Won) {
            return Certain::Lost;
        }
        let lost = !children.is_empty() && children.iter().all(|child| child.certain == Certain::Lost);
        if lost { Certain::Won } else { Certain::Open }
    }

    /// Adds all moves, in any order.
    fn expand(&mut self, place: usize, game: &G, rng: &mut Rng) {
        self.moves.clear();
        game.legal_moves(&mut self.moves);
        rng.shuffle(&mut self.moves);
        let node = &mut self.nodes[place];
        (node.first, node.children) = (0, self.moves.len() as u16);
        let first = self.nodes.len() as u32;
        self.nodes[place].first = first;
        self.nodes.extend(self.moves.iter().map(|&mv| Node::new(Some(mv))));
    }

    /// The child to look at: one that never was, or the one that promises most.
    fn select(&self, place: usize) -> usize {
        let log = ln(self.nodes[place].visits as f32);
        let mut best = (f32::NEG_INFINITY, self.nodes[place].first as usize);
        for child in self.children(place) {
            let node = &self.nodes[child];
            let visits = node.visits as f32;
            let promise = match node.certain {
                Certain::Won => return child,
                Certain::Lost => -1.0,
                Certain::Open | Certain::Drawn if node.visits == 0 => return child,
                Certain::Open | Certain::Drawn => (node.total as f32) / visits + HOPE * (log / visits).sqrt(),
            };
            if promise > best.0 {
                best = (promise, child);
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
            if ply >= stop {
                let mut value = [0.0];
                // Ends of games were left out before.
                if game.outcome().is_none() {
                    evaluator.values(std::slice::from_ref(&game), &mut value);
                    let value = f64::from(value[0].clamp(-1.0, 1.0));
                    return 0.5 + 0.5 * if game.side_to_move() == side { value } else { -value };
                }
            }
            self.moves.clear();
            game.legal_moves(&mut self.moves);
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
                self.after.extend(self.moves[..few].iter().map(|&mv| {
                    let mut next = game.clone();
                    next.play(mv);
                    next
                }));
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
mod tests {
    use super::*;
    use crate::{Material, MonteCarloPlayer, Player, Random, play_game};
    use chance::rng_for;
    use games::draughts::Draughts;
    use games::minichess::Minichess;
    use games::tic_tac_toe::TicTacToe;
    use games::{Setup as _, parse_move};

    fn explore<G: Game>(position: &str, settings: &MonteCarloSettings, seed: u64) -> Explored<G::Move> {
        let game: G = position.parse().unwrap();
        let course = Course::new(game, &G::Setup::usual(), 0);
        MonteCarlo::default().run(&course, &mut Material, settings, None, &mut rng_for(seed, &[]))
    }

    #[test]
    fn logarithms_are_right() {
        for x in [1.0f32, 1.5, 2.0, 3.0, 10.0, 1234.5, 1e6] {
            assert!((ln(x) - x.ln()).abs() < 1e-5 * (1.0 + x.ln()), "{x}");
        }
    }

    #[test]
    fn one_round_and_no_budget_give_a_legal_move() {
        struct Spent;
        impl Budget for Spent {
            fn begin(&mut self) {}
            fn is_spent(&mut self) -> bool {
                true
            }
        }
        for rounds in [0, 1] {
            assert_eq!(explore::<Draughts>("B:W21-32:B1-12", &MonteCarloSettings::plain(rounds), 1).rounds, 1);
        }
        let course = Course::new(
            Draughts::start(&games::draughts::Setup::usual(), &mut rng_for(0, &[])),
            &games::draughts::Setup::usual(),
            0,
        );
        let mut search = MonteCarlo::default();
        let found = search.run(
            &course,
            &mut Material,
            &MonteCarloSettings::plain(1000),
            Some(&mut Spent),
            &mut rng_for(1, &[]),
        );
        assert_eq!(found.rounds, 1);
        assert!(parse_move(course.game(), &found.mv.to_string()).is_ok());
    }

    #[test]
    fn forced_ends_are_found() {
        for seed in 0..20 {
            // Takes the king; or takes the last man.
            assert_eq!(
                explore::<Minichess>("k5/6/6/6/6/R4K w", &MonteCarloSettings::plain(300), seed).mv.to_string(),
                "a1a6"
            );
            let settings = MonteCarloSettings { playouts: Playouts::Captures, ..MonteCarloSettings::plain(100) };
            assert_eq!(explore::<Minichess>("k5/6/6/6/6/R4K w", &settings, seed).mv.to_string(), "a1a6");
            // Steps aside: otherwise it is taken.
            let found = explore::<Draughts>("B:WK31:BK22", &MonteCarloSettings::plain(400), seed);
            assert_ne!(found.mv.to_string(), "22-26");
        }
    }

    #[test]
    fn the_same_chance_gives_the_same_move_and_the_tree_is_kept() {
        let settings = MonteCarloSettings::plain(500);
        let start: TicTacToe = TicTacToe::start(&<TicTacToe as Game>::Setup::usual(), &mut rng_for(0, &[]));
        let setup = <TicTacToe as Game>::Setup::usual();
        let mut course = Course::new(start, &setup, 0);
        let mut search = MonteCarlo::default();
        let rng = &mut rng_for(3, &[]);
        let first = search.run(&course, &mut Material, &settings, None, rng);
        let again = MonteCarlo::default().run(&course, &mut Material, &settings, None, &mut rng_for(3, &[]));
        assert_eq!(first, again);
        course.play(first.mv);
        let mut moves = Vec::new();
        course.game().legal_moves(&mut moves);
        course.play(moves[0]);
        let kept = search.run(&course, &mut Material, &MonteCarloSettings::plain(1), None, rng);
        assert!(kept.visits > 1, "{kept:?}");
        // Another game begins with nothing.
        search.forget();
        assert_eq!(search.run(&course, &mut Material, &MonteCarloSettings::plain(2), None, rng).visits, 1);
    }

    #[test]
    fn it_beats_random_play() {
        let setup = <Draughts as Game>::Setup::usual();
        let mut score = 0.0;
        for number in 0..10u64 {
            let course = Course::new(Draughts::start(&setup, &mut rng_for(0, &[])), &setup, 0);
            let mut searcher = MonteCarloPlayer::<Draughts>::new(MonteCarloSettings::plain(60), None);
            let (side, played) = match number % 2 {
                0 => (
                    Side::First,
                    play_game(
                        &course,
                        [&mut searcher as &mut dyn Player<_>, &mut Random],
                        400,
                        &mut rng_for(number, &[]),
                    ),
                ),
                _ => (Side::Second, play_game(&course, [&mut Random, &mut searcher], 400, &mut rng_for(number, &[]))),
            };
            score += 0.5 + 0.5 * f64::from(played.ending.outcome().value_for(side));
        }
        assert!(score >= 9.0, "{score} of 10");
    }
}
