//! Searches: what each technique saves at the same depth, with the same result.

use super::tournaments::grown;
use super::{Ratio, few_rates, seconds_of};
use arena::{
    EvalScratch, GameHistory, Limits, Material, NetworkEvaluator, PreparedNetwork, Search, Seating, Techniques, opening,
};
use chance::rng_for;
use games::Game;
use trainer::TypedExperiment;

/// How many positions, each after so many random plies.
const POSITIONS: u64 = 12;
const PLIES: usize = 10;

pub(super) fn measure<G: Game>(experiment: &TypedExperiment<G>) -> Vec<Ratio> {
    let setup = &experiment.setup;
    let history = |number| {
        let rng = &mut rng_for(6, &[number]);
        opening(&GameHistory::new(G::start(setup, rng), setup, 0), PLIES, rng)
    };
    let histories: Vec<GameHistory<G>> = (0..POSITIONS).map(history).collect();
    let seating = experiment.seating();
    let prepared = &PreparedNetwork::new(seating, &grown(seating, 200, 1)[0]);
    let by = Judge { histories: &histories, seating, prepared };
    let all = Techniques::ALL;
    let mut ratios = vec![perft(histories[0].game(), 4)];
    for (what, without, alone, depth) in [
        ("promising moves first", Techniques { ordering: false, ..all }, false, 5),
        ("transposition table", Techniques { table: false, ..all }, false, 6),
        ("both", Techniques::NONE, false, 5),
        ("judging in blocks (network of 200 edges)", Techniques { blocks: false, ..all }, true, 4),
        ("transposition table (network of 200 edges)", Techniques { table: false, ..all }, true, 5),
    ] {
        let (mut plain, mut fast) = (Search::new(without), Search::new(all));
        let (mut room, mut other) = (EvalScratch::default(), EvalScratch::default());
        let rates = few_rates(
            histories.len() as f64,
            || by.search(&mut plain, alone, depth, &mut room) as f32,
            || by.search(&mut fast, alone, depth, &mut other) as f32,
        );
        ratios.push(Ratio::new(&format!("search of depth {depth}: without, or with, {what}"), rates, "searches"));
    }
    let mut search = Search::new(all);
    let mut nodes_a_second = |network: bool| {
        let mut nodes = 0;
        let seconds = seconds_of(&mut || nodes = by.search(&mut search, network, 6, &mut EvalScratch::default()));
        nodes as f64 / seconds
    };
    nodes_a_second(false);
    let nodes = (nodes_a_second(true), nodes_a_second(false));
    ratios.push(Ratio::new("search of depth 6: judged by a network of 200 edges, or by material", nodes, "nodes"));
    ratios
}

struct Judge<'a, G: Game> {
    histories: &'a [GameHistory<G>],
    seating: &'a Seating<G>,
    prepared: &'a PreparedNetwork,
}

impl<G: Game> Judge<'_, G> {
    /// Searches all positions; how many it visited.
    fn search(&self, search: &mut Search<G>, by_network: bool, depth: u32, room: &mut EvalScratch) -> u64 {
        let limits = Limits::depth(depth);
        let one = |history: &GameHistory<G>| {
            let found = match by_network {
                true => {
                    let mut evaluator = NetworkEvaluator::new(self.seating, self.prepared, room);
                    search.run(history, &mut evaluator, limits, None, None)
                }
                false => search.run(history, &mut Material, limits, None, None),
            };
            found.nodes
        };
        self.histories.iter().map(one).sum()
    }
}

/// Positions counted by playing every move, or without playing those of the last ply.
pub(super) fn perft<G: Game>(start: &G, depth: u32) -> Ratio {
    fn plain<G: Game>(game: &G, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.into_iter().map(|mv| plain(&game.after(mv), depth - 1)).sum()
    }
    let fast = || players::perft_count(start, depth, &mut Vec::new());
    let rates = few_rates(fast() as f64, || plain(start, depth) as f32, || fast() as f32);
    Ratio::new(&format!("perft {depth} of {}: every move played, or the last ply counted", G::NAME), rates, "positions")
}
