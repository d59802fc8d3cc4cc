//! Alpha-beta search: what a position is worth if both sides look so many plies ahead.
//!
//! It returns exactly what plain minimax would, faster: lines that cannot matter are cut off, promising moves come first so
//! that more can be cut off, positions reached in two ways are searched once, and the positions at the bottom are judged in
//! blocks. Every search begins with an empty memory, so that what a player does depends on the game alone.

mod ends;
mod limits;

pub use ends::plies_to_end;
pub use limits::{Budget, Limits, MOST_DEPTH, Techniques};

use crate::course::{Past, mix};
use crate::transpositions::{Bound, Entry, Transpositions};
use crate::{Course, Evaluator};
use chance::Rng;
use ends::{end_value, judged, shifted};
use games::{Game, MOVE_SLOTS};

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<M> {
    /// The best move.
    pub mv: M,
    /// What the position is worth to the side to move.
    pub value: f32,
    /// How many plies were looked ahead.
    pub depth: u32,
    /// How many positions were visited.
    pub nodes: u64,
}

/// A searcher with its memory.
pub struct Search<G: Game> {
    techniques: Techniques,
    table: Transpositions<G::Move>,
    past: Option<Past>,
    /// The moves of all positions from the root to here, one behind the other, and what they promise.
    moves: Vec<G::Move>,
    ranks: Vec<u32>,
    /// The moves at the root.
    root: Vec<G::Move>,
    best_at_root: Option<G::Move>,
    /// Quiet moves that cut something off lately, by ply.
    killers: Vec<[Option<G::Move>; 2]>,
    /// How much each move has cut off, by side and slot.
    credit: Vec<u32>,
    /// Positions that wait to be judged, and their moves.
    leaves: Vec<G>,
    leaf_moves: Vec<G::Move>,
    values: Vec<f32>,
    nodes: u64,
    stops_at: u64,
    /// When the budget is asked next.
    asks_at: u64,
    stopped: bool,
}

impl<G: Game> Default for Search<G> {
    fn default() -> Search<G> {
        Search::new(Techniques::ALL)
    }
}

/// How often the budget is asked.
const NODES_BETWEEN: u64 = 1024;

impl<G: Game> Search<G> {
    /// A searcher that uses these techniques.
    pub fn new(techniques: Techniques) -> Search<G> {
        Search {
            techniques,
            table: Transpositions::default(),
            past: None,
            moves: Vec::new(),
            ranks: Vec::new(),
            root: Vec::new(),
            best_at_root: None,
            killers: Vec::new(),
            credit: Vec::new(),
            leaves: Vec::new(),
            leaf_moves: Vec::new(),
            values: Vec::new(),
            nodes: 0,
            stops_at: u64::MAX,
            asks_at: 0,
            stopped: false,
        }
    }

    /// What it uses.
    pub fn techniques(&self) -> Techniques {
        self.techniques
    }

    /// The best move where the game goes on. With a generator, moves of equal value have each their chance.
    pub fn run<E: Evaluator<G>>(
        &mut self,
        course: &Course<G>,
        evaluator: &mut E,
        limits: Limits,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        shuffle: Option<&mut Rng>,
    ) -> Found<G::Move> {
        // 1. An empty memory.
        match &mut self.past {
            Some(past) => past.clone_from(course.past()),
            None => self.past = Some(course.past().clone()),
        }
        self.best_at_root = None;
        self.root.clear();
        course.game().legal_moves(&mut self.root);
        self.killers.clear();
        if limits.depth > 1 {
            self.table.begin(limits.depth);
            self.killers.resize(limits.depth as usize, [None; 2]);
            self.credit.clear();
            self.credit.resize(2 * MOVE_SLOTS, 0);
        }
        if let Some(budget) = &mut budget {
            budget.begin();
        }
        // 2. One ply, two plies, and so on.
        (self.nodes, self.stops_at, self.asks_at, self.stopped) = (0, u64::MAX, 0, false);
        let mut found: Option<Found<G::Move>> = None;
        // Where nothing but the depth limits it, two plies more each time are steps enough.
        let by_depth = limits.nodes == u64::MAX && budget.is_none();
        let mut depth = if by_depth && limits.depth > 1 { 2 - limits.depth % 2 } else { 1 };
        while depth <= limits.depth {
            let value = self.visit(course.game(), depth, f32::NEG_INFINITY, f32::INFINITY, 0, evaluator, &mut budget);
            if self.stopped {
                break;
            }
            let mv = self.best_at_root.expect("the game goes on, so there is a move");
            found = Some(Found { mv, value, depth, nodes: self.nodes });
            // A forced end is the truth at any depth.
            if plies_to_end(value).is_some_and(|plies| plies.unsigned_abs() <= depth) {
                break;
            }
            self.stops_at = limits.nodes;
            if self.nodes >= limits.nodes || budget.as_mut().is_some_and(|budget| budget.is_spent()) {
                break;
            }
            depth += if by_depth { 2 } else { 1 };
        }
        let mut found = found.expect("one ply is always looked ahead");
        // 3. Any of the best.
        if let Some(rng) = shuffle {
            rng.shuffle(&mut self.root);
            found.mv = self.first_equal(course.game(), &found, evaluator, &mut budget);
        }
        Found { nodes: self.nodes, ..found }
    }

    /// The first of the moves at the root that is worth as much as the best.
    fn first_equal<E: Evaluator<G>>(
        &mut self,
        game: &G,
        found: &Found<G::Move>,
        evaluator: &mut E,
        budget: &mut Option<&mut (dyn Budget + 'static)>,
    ) -> G::Move {
        self.stopped = false;
        for place in 0..self.root.len() {
            let mv = self.root[place];
            if mv == found.mv {
                break;
            }
            let (value, next) = self.step(game, mv, 0);
            let value = match value {
                Ok(value) => value,
                Err(mark) => {
                    let value = match found.depth {
                        1 => {
                            let mut value = [0.0];
                            evaluator.values(std::slice::from_ref(&next), &mut value);
                            -judged(value[0])
                        }
                        // Only asked whether it is as good.
                        depth => {
                            let (low, high) = (found.value.next_down(), found.value);
                            -self.visit(&next, depth - 1, -high, -low, 1, evaluator, budget)
                        }
                    };
                    self.past_mut().leave(mark);
                    value
                }
            };
            if self.stopped {
                break;
            }
            if value >= found.value {
                return mv;
            }
        }
        found.mv
    }

    /// The value of a position where the game goes on, at least 1 ply deep: exact if it lies between `alpha` and `beta`,
    /// else a bound.
    #[allow(clippy::too_many_arguments, reason = "a search's parameters are what it is")]
    fn visit<E: Evaluator<G>>(
        &mut self,
        game: &G,
        depth: u32,
        alpha: f32,
        beta: f32,
        ply: u32,
        evaluator: &mut E,
        budget: &mut Option<&mut (dyn Budget + 'static)>,
    ) -> f32 {
        self.nodes += 1;
        if self.is_over(budget) {
            return 0.0;
        }
        // 1. Perhaps it is known.
        let lookup = self.techniques.table && depth > 1;
        let (key, context) = if lookup { (game.key(), self.context(depth)) } else { (0, 0) };
        let mut hint = if ply == 0 { self.best_at_root } else { None };
        let known = if lookup { self.table.find(key) } else { None };
        if let Some(entry) = known {
            hint = entry.mv;
            if entry.depth == depth as u8 && entry.context == context && ply > 0 {
                let value = shifted(entry.value, ply as f32);
                match entry.bound {
                    Bound::Exact => return value,
                    Bound::AtLeast if value >= beta => return value,
                    Bound::AtMost if value <= alpha => return value,
                    Bound::AtLeast | Bound::AtMost => {}
                }
            }
        }
        // 2. The moves, ranked.
        let base = self.moves.len();
        match ply {
            0 => self.moves.extend_from_slice(&self.root),
            _ => game.legal_moves(&mut self.moves),
        }
        self.rank(game, base, ply, hint);
        // 3. One after the other.
        let (best, best_move) = if depth == 1 {
            self.judge_leaves(game, base, beta, ply, evaluator)
        } else {
            let mut best = (f32::NEG_INFINITY, self.moves[base]);
            let mut low = alpha;
            for place in base..self.moves.len() {
                let mv = self.next_move(place);
                let (value, next) = self.step(game, mv, ply);
                let value = match value {
                    Ok(value) => value,
                    Err(mark) => {
                        let mut look = |search: &mut Self, low: f32, high: f32| {
                            -search.visit(&next, depth - 1, -high, -low, ply + 1, evaluator, budget)
                        };
                        // Once there is a good one, others are first asked whether they are better; most are not.
                        let better = low.next_up();
                        let asks = low > alpha && better < beta;
                        let mut value = look(self, low, if asks { better } else { beta });
                        if asks && value >= better && value < beta {
                            value = look(self, low, beta);
                        }
                        self.past_mut().leave(mark);
                        value
                    }
                };
                if self.stopped {
                    break;
                }
                if value > best.0 {
                    best = (value, mv);
                    low = low.max(value);
                    if value >= beta {
                        self.reward(game, mv, depth, ply);
                        break;
                    }
                }
            }
            best
        };
        self.moves.truncate(base);
        self.ranks.truncate(base);
        if self.stopped {
            return 0.0;
        }
        // 4. Remember.
        if ply == 0 {
            self.best_at_root = Some(best_move);
        }
        if lookup {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best <= alpha => Bound::AtMost,
                _ => Bound::Exact,
            };
            let value = shifted(best, -(ply as f32));
            self.table.put(key, Entry { context, value, depth: depth as u8, bound, mv: Some(best_move) });
        }
        best
    }

    /// Makes a move: the value, if the game is over after it, else where to go back to.
    fn step(&mut self, game: &G, mv: G::Move, ply: u32) -> (Result<f32, crate::course::Mark>, G) {
        let mut next = game.clone();
        next.play(mv);
        if let Some(outcome) = self.past_mut().outcome(&next) {
            return (Ok(-end_value(outcome, next.side_to_move(), ply + 1)), next);
        }
        let past = self.past_mut();
        let progress = past.remembers() && game.is_progress(mv);
        let mark = past.enter(&next, progress);
        if past.is_draw() {
            past.leave(mark);
            return (Ok(0.0), next);
        }
        (Err(mark), next)
    }

    /// The last ply: all that is after the moves is judged, in blocks.
    fn judge_leaves<E: Evaluator<G>>(
        &mut self,
        game: &G,
        base: usize,
        beta: f32,
        ply: u32,
        evaluator: &mut E,
    ) -> (f32, G::Move) {
        let block = if self.techniques.blocks { evaluator.block() } else { 1 };
        let mut best = (f32::NEG_INFINITY, self.moves[base]);
        let last = self.moves.len();
        for place in base..last {
            let mv = self.next_move(place);
            let mut next = game.clone();
            next.play(mv);
            let past = self.past_mut();
            let end = match past.outcome(&next) {
                Some(outcome) => Some(-end_value(outcome, next.side_to_move(), ply + 1)),
                None => {
                    let progress = past.remembers() && game.is_progress(mv);
                    past.would_draw(&next, progress).then_some(0.0)
                }
            };
            match end {
                Some(value) => {
                    if value > best.0 {
                        best = (value, mv);
                    }
                }
                None => {
                    self.leaves.push(next);
                    self.leaf_moves.push(mv);
                }
            }
            if self.leaves.len() == block || (place + 1 == last && !self.leaves.is_empty()) {
                self.values.resize(block, 0.0);
                let count = self.leaves.len();
                self.nodes += count as u64;
                evaluator.values_after(game, &self.leaves, &mut self.values[..count]);
                for (&value, &mv) in self.values.iter().zip(&self.leaf_moves) {
                    let value = -judged(value);
                    if value > best.0 {
                        best = (value, mv);
                    }
                }
                self.leaves.clear();
                self.leaf_moves.clear();
            }
            if best.0 >= beta {
                self.reward(game, best.1, 1, ply);
                break;
            }
        }
        self.leaves.clear();
        self.leaf_moves.clear();
        best
    }

    /// Says how early each move should be looked at: what was best before, then what promises most, then quiet moves by
    /// what they have cut off.
    fn rank(&mut self, game: &G, base: usize, ply: u32, hint: Option<G::Move>) {
        if !self.techniques.ordering {
            self.ranks.resize(self.moves.len(), 0);
            return;
        }
        let side = game.side_to_move() as usize * MOVE_SLOTS;
        // One ply alone has nothing to learn from.
        let alone = self.killers.is_empty();
        let killers = if alone { [None; 2] } else { self.killers[ply as usize] };
        for &mv in &self.moves[base..] {
            let promise = u32::from(game.promise(mv));
            let rank = if hint == Some(mv) {
                u32::MAX
            } else if promise > 0 {
                promise << 24
            } else if alone {
                0
            } else if killers.contains(&Some(mv)) {
                1 << 23
            } else {
                self.credit[side + G::move_slot(mv)].min((1 << 23) - 1)
            };
            self.ranks.push(rank);
        }
    }

    /// The highest of the moves from here on, brought here.
    #[inline]
    fn next_move(&mut self, place: usize) -> G::Move {
        let mut best = place;
        for other in place + 1..self.ranks.len() {
            if self.ranks[other] > self.ranks[best] {
                best = other;
            }
        }
        self.ranks.swap(place, best);
        self.moves.swap(place, best);
        self.moves[place]
    }

    /// A quiet move that cut off is looked at earlier elsewhere.
    fn reward(&mut self, game: &G, mv: G::Move, depth: u32, ply: u32) {
        if game.promise(mv) > 0 || self.killers.is_empty() {
            return;
        }
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
        let credit = &mut self.credit[game.side_to_move() as usize * MOVE_SLOTS + G::move_slot(mv)];
        *credit = credit.saturating_add(depth * depth);
    }

    /// Tells apart what the past makes of a position within so many plies.
    fn context(&mut self, depth: u32) -> u64 {
        let past = self.past_mut();
        let [left, quiet] = past.plies_left();
        let cap = if left > depth { 0 } else { mix(u64::from(left) + 1) };
        let quiet = if quiet > depth { 0 } else { mix(u64::from(quiet) + 1).rotate_left(17) };
        cap ^ quiet ^ past.fingerprint(depth)
    }

    fn past_mut(&mut self) -> &mut Past {
        self.past.as_mut().expect("a search begins with a past")
    }

    /// Whether to break off.
    #[inline]
    fn is_over(&mut self, budget: &mut Option<&mut (dyn Budget + 'static)>) -> bool {
        if self.stops_at == u64::MAX && budget.is_none() {
            return false;
        }
        let mut spent = false;
        if self.nodes >= self.asks_at && self.best_at_root.is_some() {
            self.asks_at = self.nodes + NODES_BETWEEN;
            spent = budget.as_mut().is_some_and(|budget| budget.is_spent());
        }
        self.stopped |= spent || self.nodes > self.stops_at;
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use super::ends::{MOST_JUDGED, WON};
    use super::*;
    use crate::{Material, Mind, NetworkEvaluator, Room, Seating};
    use chance::rng_for;
    use evolution::{Activation, Graph, MutationWeights, Network};
    use games::minichess::{self, Minichess};
    use games::{GameVisitor, Setup as _};

    /// The value by looking at everything.
    fn minimax<G: Game, E: Evaluator<G>>(course: &Course<G>, depth: u32, ply: u32, evaluator: &mut E) -> f32 {
        if let Some(outcome) = course.outcome() {
            return end_value(outcome, course.game().side_to_move(), ply);
        }
        if depth == 0 {
            let mut value = [0.0];
            evaluator.values(std::slice::from_ref(course.game()), &mut value);
            return judged(value[0]);
        }
        let mut moves = Vec::new();
        course.game().legal_moves(&mut moves);
        let after = |&mv: &G::Move| {
            let mut next = course.clone();
            next.play(mv);
            -minimax(&next, depth - 1, ply + 1, evaluator)
        };
        moves.iter().map(after).fold(f32::NEG_INFINITY, f32::max)
    }

    /// A random number for each position: no two lines are alike, so that every slip shows.
    struct Noise;

    impl<G: Game> Evaluator<G> for Noise {
        const BLOCK: usize = 3;
        fn values(&mut self, games: &[G], values: &mut [f32]) {
            for (game, value) in games.iter().zip(values) {
                *value = (mix(game.key()) >> 40) as f32 / (1 << 23) as f32 - 1.0;
            }
        }
    }

    fn searches<G: Game>() -> Vec<Search<G>> {
        let technique = |ordering, table, blocks| Search::new(Techniques { ordering, table, blocks, memory: false });
        vec![
            technique(true, true, true),
            technique(true, false, true),
            technique(false, true, false),
            technique(false, false, false),
        ]
    }

    /// Every way of searching finds minimax's value, and a move that has it.
    fn compare<G: Game, E: Evaluator<G>>(
        course: &Course<G>,
        depth: u32,
        searches: &mut [Search<G>],
        evaluator: &mut E,
    ) {
        let expected = minimax(course, depth, 0, evaluator);
        for search in searches {
            let found = search.run(course, evaluator, Limits::depth(depth), None, None);
            let context = || format!("{}, depth {depth}, {:?}", course.game(), search.techniques);
            assert_eq!(found.value, expected, "{}", context());
            let mut next = course.clone();
            next.play(found.mv);
            assert_eq!(-minimax(&next, depth - 1, 1, evaluator), expected, "{}: {}", context(), found.mv);
        }
    }

    /// A position of a game after some random moves, where it goes on.
    fn wander<G: Game>(start: G, setup: &G::Setup, most: usize, rng: &mut Rng) -> Course<G> {
        loop {
            let mut course = Course::new(start.clone(), setup, 0);
            for _ in 0..rng.below(most + 1) {
                let mut moves = Vec::new();
                course.game().legal_moves(&mut moves);
                if course.outcome().is_some() {
                    break;
                }
                course.play(moves[rng.below(moves.len())]);
            }
            if course.outcome().is_none() {
                return course;
            }
        }
    }

    struct EveryGame;

    impl GameVisitor for EveryGame {
        type Output = ();
        fn visit<G: Game>(self) {
            let setup = G::Setup::usual();
            let encoder = G::ENCODERS[0].name();
            let seating = Seating::<G>::new(setup.clone(), encoder, "value", "strict", 0).unwrap();
            let mut graph = Graph::random(seating.shape(), Activation::Tanh, Activation::Tanh, &mut rng_for(1, &[]));
            for number in 0..30 {
                graph.mutate(&MutationWeights::all(1.0), 1.0, &mut rng_for(2, &[number]));
            }
            let mind = Mind::new(&seating, &std::sync::Arc::new(Network::Graph(graph)));
            let (mut searches, mut room) = (searches::<G>(), Room::default());
            for number in 0..1500 {
                let rng = &mut rng_for(3, &[number]);
                let course = wander(G::start(&setup, rng), &setup, 79, rng);
                let depth = 1 + rng.below(3) as u32;
                compare(&course, depth, &mut searches, &mut Noise);
                if number % 5 == 0 {
                    compare(&course, depth, &mut searches, &mut Material);
                    compare(&course, depth, &mut searches, &mut NetworkEvaluator::new(&seating, &mind, &mut room));
                }
            }
        }
    }

    #[test]
    fn it_finds_what_minimax_finds_in_every_game() {
        for name in games::names() {
            games::with_game(name, EveryGame);
        }
    }

    /// Bare endings with the rules that look at the past: there they decide much.
    #[test]
    fn it_finds_what_minimax_finds_where_the_past_counts() {
        let mut searches = searches::<Minichess>();
        for number in 0..1500 {
            let rng = &mut rng_for(4, &[number]);
            let start =
                ["k5/6/6/6/6/4KR w", "k5/6/6/6/6/4KN w", "1k4/6/6/6/6/5K w", "kp4/6/6/6/4P1/5K w"][rng.below(4)];
            let most_plies = [12, 20, 80][rng.below(3)];
            let setup = minichess::Setup { start: start.into(), most_plies, repetitions: [2, 3, 3, 0][rng.below(4)] };
            let Ok(game) = start.parse::<Minichess>() else { continue };
            let course = wander(game, &setup, 40, rng);
            compare(&course, 1 + rng.below(4) as u32, &mut searches, &mut Noise);
            if number % 20 == 0 {
                compare(&course, 5, &mut searches, &mut Material);
            }
        }
    }

    /// Two kings and blocked pawns have few moves, so that searches come back to where they were in many ways, and
    /// reach the end of the game at different depths.
    #[test]
    fn it_finds_what_minimax_finds_where_lines_meet_again() {
        let mut searches = searches::<Minichess>();
        for number in 0..250 {
            let rng = &mut rng_for(6, &[number]);
            let start = ["k5/6/p5/P5/6/K5 w", "kB4/1p4/1P4/6/6/5K w", "k5/6/6/6/6/5K w"][rng.below(3)];
            let repetitions = [0, 2, 3][rng.below(3)];
            let setup = minichess::Setup { start: start.into(), most_plies: 12, repetitions };
            let course = wander(start.parse::<Minichess>().unwrap(), &setup, 11, rng);
            compare(&course, 5 + rng.below(2) as u32, &mut searches, &mut Noise);
        }
    }

    /// Ends are far above judgements, and sooner is better.
    #[test]
    fn ends_are_told_with_their_plies() {
        let check = |position: &str, depth, expected: &str, plies| {
            let setup = minichess::Setup::usual();
            let course = Course::new(position.parse::<Minichess>().unwrap(), &setup, 0);
            let found = Search::default().run(&course, &mut Material, Limits::depth(depth), None, None);
            assert_eq!((found.mv.to_string().as_str(), plies_to_end(found.value)), (expected, plies), "{position}");
        };
        check("k5/6/6/6/6/R4K w", 4, "a1a6", Some(1));
        check("k5/6/1K4/6/6/5R w", 4, "f1f6", Some(3));
        check("k5/6/6/6/6/1R3K b", 1, "a6b6", None);
        check("k5/6/6/6/6/1R3K b", 2, "a6a5", None);
        assert_eq!([plies_to_end(0.0), plies_to_end(-3e6), plies_to_end(4.0 - WON)], [None, None, Some(-4)]);
        assert_eq!([judged(f32::NAN), judged(f32::INFINITY), judged(0.25)], [-MOST_JUDGED, MOST_JUDGED, 0.25]);
    }

    #[test]
    fn limits_are_kept() {
        let setup = minichess::Setup::usual();
        let course = Course::new(Minichess::start(&setup, &mut rng_for(1, &[])), &setup, 0);
        let mut search = Search::default();
        let mut run = |limits, mut budget: Option<Box<dyn Budget>>| {
            search.run(&course, &mut Material, limits, budget.as_deref_mut(), None)
        };
        let few = run(Limits { depth: 20, nodes: 20_000 }, None);
        assert!(few.nodes <= 20_100 && (3..10).contains(&few.depth), "{few:?}");
        let one = run(Limits { depth: 20, nodes: 0 }, None);
        assert_eq!(one.depth, 1);
        struct Asked(u32);
        impl Budget for Asked {
            fn begin(&mut self) {
                self.0 = 0;
            }
            fn is_spent(&mut self) -> bool {
                self.0 += 1;
                self.0 > 10
            }
        }
        let asked = run(Limits::depth(20), Some(Box::new(Asked(0))));
        assert!(asked.depth > 1 && asked.nodes < 20_000, "{asked:?}");
        assert_eq!(run(Limits::depth(4), None), run(Limits::depth(4), None));
    }

    #[test]
    fn equals_have_each_their_chance() {
        let setup = minichess::Setup::usual();
        let course = Course::new(Minichess::start(&setup, &mut rng_for(1, &[])), &setup, 0);
        let choose = |number| {
            let rng = &mut rng_for(5, &[number]);
            Search::default().run(&course, &mut Material, Limits::depth(2), None, Some(rng)).mv.to_string()
        };
        let chosen: std::collections::BTreeSet<String> = (0..200).map(choose).collect();
        assert_eq!(chosen.len(), 10, "all first moves are worth the same: {chosen:?}");
    }

    /// The chosen move is always one of minimax's best, and all of these are chosen about equally often.
    #[test]
    fn nothing_but_equals_is_chosen() {
        let setup = minichess::Setup::usual();
        let mut search = Search::default();
        for number in 0..60 {
            let rng = &mut rng_for(7, &[number]);
            let course = wander(Minichess::start(&setup, rng), &setup, 40, rng);
            let depth = 1 + rng.below(3) as u32;
            let best = minimax(&course, depth, 0, &mut Material);
            let mut moves = Vec::new();
            course.game().legal_moves(&mut moves);
            moves.retain(|&mv| {
                let mut next = course.clone();
                next.play(mv);
                -minimax(&next, depth - 1, 1, &mut Material) == best
            });
            let mut chosen = vec![0; moves.len()];
            for _ in 0..40 * moves.len() {
                let found = search.run(&course, &mut Material, Limits::depth(depth), None, Some(rng));
                chosen[moves.iter().position(|&mv| mv == found.mv).expect("it is one of the best")] += 1;
            }
            assert!(chosen.iter().all(|count| (12..=80).contains(count)), "{}: {chosen:?}", course.game());
        }
    }
}
