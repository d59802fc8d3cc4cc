//! A player's opinion of a position: its value, the line that it expects, and the value of each move.

use crate::{Budget, Evaluator, GameHistory, Limits, Search, plies_to_end};
use chance::Rng;
use evolution::LANES;
use games::{Game, Solver, Value};
use serde::Serialize;

/// A player's opinion of a position. Values are for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion<M> {
    /// The value of the position; `None` if the player's numbers only rank moves.
    pub value: Option<Outlook>,
    /// The principal variation: the line that the player expects.
    pub line: Vec<M>,
    /// The values of moves, in the order of the rules. Moves that there was no time for are left out.
    pub moves: Vec<(M, Outlook)>,
}

/// One value within an opinion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Outlook {
    /// From −1 (lost) to 1 (won); networks with unbounded outputs may go beyond.
    pub value: f32,
    /// The number of plies to the end, if the end is certain.
    pub ends_in: Option<u32>,
    /// The number of visits in the search tree, if they were counted.
    pub visits: Option<u32>,
}

impl Outlook {
    /// Converts a value of alpha-beta search.
    fn searched(value: f32) -> Outlook {
        match plies_to_end(value) {
            Some(plies) => {
                Outlook { value: if plies > 0 { 1.0 } else { -1.0 }, ends_in: Some(plies.unsigned_abs()), visits: None }
            }
            None => Outlook { value, ends_in: None, visits: None },
        }
    }
}

impl<M> Default for Opinion<M> {
    fn default() -> Opinion<M> {
        Opinion { value: None, line: Vec::new(), moves: Vec::new() }
    }
}

impl<M: Copy + Eq> Opinion<M> {
    /// The length of the longest principal variation that is shown.
    pub(crate) const LONGEST_LINE: usize = 12;

    /// The opinion of an alpha-beta search.
    pub(crate) fn searched<G: Game<Move = M>, E: Evaluator<G>>(
        history: &GameHistory<G>,
        search: &mut Search<G>,
        evaluator: &mut E,
        limits: Limits,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        shuffle: Option<&mut Rng>,
    ) -> Opinion<M> {
        let (found, values) = search.run_all(history, evaluator, limits, budget.as_deref_mut(), shuffle);
        // Find the line: search each position on it with the depth that is left.
        let (mut line, mut next) = (vec![found.mv], history.clone());
        next.play(found.mv);
        for depth in (1..found.depth).rev().take(Opinion::<M>::LONGEST_LINE - 1) {
            let is_spent = found.nodes >= limits.nodes || budget.as_mut().is_some_and(|budget| budget.is_spent());
            if next.outcome().is_some() || is_spent {
                break;
            }
            let mv = search.run(&next, evaluator, Limits { depth, ..limits }, budget.as_deref_mut(), None).mv;
            line.push(mv);
            next.play(mv);
        }
        let moves = values.into_iter().map(|(mv, value)| (mv, Outlook::searched(value))).collect();
        Opinion { value: Some(Outlook::searched(found.value)), line, moves }
    }

    /// The opinion of a network without search: it evaluates the position after each move.
    pub(crate) fn alone<G: Game<Move = M>, E: Evaluator<G>>(history: &GameHistory<G>, evaluator: &mut E) -> Opinion<M> {
        let game = history.game();
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        let mut moves: Vec<(M, Outlook)> = Vec::with_capacity(legal.len());
        let mut values = [0.0; LANES];
        for some in legal.chunks(LANES) {
            let after = some.iter().map(|&mv| game.after(mv));
            evaluator.values_after(game, &after.collect::<Vec<G>>(), &mut values[..some.len()]);
            let judged = some.iter().zip(values);
            moves.extend(judged.map(|(&mv, value)| (mv, Outlook { value: -value, ends_in: None, visits: None })));
        }
        // The first of the best moves, which is the one that the network plays.
        let mut best = moves[0];
        for &(mv, outlook) in &moves[1..] {
            if outlook.value > best.1.value {
                best = (mv, outlook);
            }
        }
        Opinion { value: Some(best.1), line: vec![best.0], moves }
    }

    /// The opinion of a solver, or `None` if the position is not solved.
    pub(crate) fn solved<G: Game<Move = M>>(
        history: &GameHistory<G>,
        solver: &dyn Solver<G>,
        mut choose: impl FnMut(&GameHistory<G>) -> Option<M>,
    ) -> Option<Opinion<M>> {
        let outlook = |value: Value, ends_in: Option<u32>| Outlook {
            value: match value {
                Value::Won => 1.0,
                Value::Drawn => 0.0,
                Value::Lost => -1.0,
            },
            ends_in: ends_in.filter(|_| value != Value::Drawn),
            visits: None,
        };
        let verdict = solver.verdict(history.game())?;
        let mut legal = Vec::new();
        history.game().legal_moves(&mut legal);
        let after = |mv: M| {
            let found = solver.verdict(&history.game().after(mv))?;
            Some((mv, outlook(found.value.reversed(), found.distance.map(|plies| plies + 1))))
        };
        let moves = legal.into_iter().filter_map(after).collect();
        let (mut line, mut next) = (Vec::new(), history.clone());
        while line.len() < Opinion::<M>::LONGEST_LINE && next.outcome().is_none() {
            let Some(mv) = choose(&next) else { break };
            line.push(mv);
            next.play(mv);
        }
        Some(Opinion { value: Some(outlook(verdict.value, verdict.distance)), line, moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, MaterialPlayer, MonteCarloPlayer, MonteCarloSettings, Perfect, Player, Random};
    use chance::rng_for;
    use games::minichess::Minichess;
    use games::nim::Nim;
    use games::{GameVisitor, Setup as _};

    fn history<G: Game>(position: &str) -> GameHistory<G> {
        GameHistory::new(position.parse().unwrap(), &G::Setup::usual(), 0)
    }

    #[test]
    fn a_search_values_every_move_as_if_it_had_looked_at_that_alone() {
        let rng = &mut rng_for(1, &[]);
        let history = history::<Minichess>("rnbknr/p1pppp/1p4/2P3/PP1PPP/RNBKNR b - - 0 1");
        for depth in 1..=4 {
            let opinion = MaterialPlayer::new(Limits::depth(depth), None).view(&history, rng).unwrap();
            for &(mv, outlook) in &opinion.moves {
                let next = history.after(mv);
                let value = match depth {
                    1 => next.game().material().unwrap(),
                    _ => {
                        let limits = Limits::depth(depth - 1);
                        Search::default().run(&next, &mut crate::Material, limits, None, None).value
                    }
                };
                assert_eq!(outlook, Outlook::searched(-value), "{mv} at depth {depth}");
            }
            let best = opinion.moves.iter().map(|(_, outlook)| outlook.value).fold(f32::MIN, f32::max);
            assert_eq!(opinion.value.unwrap().value, best);
            assert_eq!(opinion.line.len(), depth as usize);
        }
    }

    #[test]
    fn a_king_that_can_be_taken_is_the_end_in_one() {
        let history = history::<Minichess>("1k4/6/6/6/6/1R2K1 w - - 0 1");
        let rng = &mut rng_for(1, &[]);
        let opinion = MaterialPlayer::new(Limits::depth(3), None).view(&history, rng).unwrap();
        assert_eq!(opinion.value, Some(Outlook { value: 1.0, ends_in: Some(1), visits: None }));
        assert_eq!(opinion.line.iter().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["b1b6"]);
    }

    #[test]
    fn a_solver_gives_the_true_value_of_every_move() {
        let history = history::<Nim>("3,2");
        let solver: std::sync::Arc<dyn Solver<Nim>> = Nim::solver(&<Nim as Game>::Setup::usual()).unwrap().into();
        let opinion = Perfect(std::sync::Arc::clone(&solver)).view(&history, &mut rng_for(1, &[])).unwrap();
        let winning: Vec<String> =
            opinion.moves.iter().filter(|(_, outlook)| outlook.value > 0.0).map(|(mv, _)| mv.to_string()).collect();
        assert_eq!((winning, opinion.value.unwrap().value), (vec!["1:1".to_string()], 1.0));
        assert_eq!(opinion.line[0].to_string(), "1:1");
    }

    #[test]
    fn rounds_are_counted_for_every_move() {
        let history = history::<Nim>("3,2");
        let mut player = MonteCarloPlayer::new(MonteCarloSettings::plain(400), None);
        let opinion = player.view(&history, &mut rng_for(1, &[])).unwrap();
        assert_eq!(opinion.moves.len(), 5);
        assert!(opinion.moves.iter().all(|(_, outlook)| outlook.visits.is_some_and(|visits| visits > 0)));
        assert_eq!(opinion.line[0].to_string(), "1:1");
    }

    /// For all games and players: the line can be played, and begins with the move that the player makes.
    #[test]
    fn lines_begin_with_the_move_that_is_made() {
        struct Check;
        impl GameVisitor for Check {
            type Output = ();
            fn visit<G: Game>(self) {
                let rng = &mut rng_for(2, &[]);
                let mut history = GameHistory::new(G::start(&G::Setup::usual(), rng), &G::Setup::usual(), 0);
                let has_material = history.game().material().is_some();
                while history.outcome().is_none() {
                    let rounds = |rounds| MonteCarloPlayer::<G>::new(MonteCarloSettings::plain(rounds), None);
                    let material = |depth| MaterialPlayer::<G>::new(Limits::depth(depth), None);
                    let mut players: Vec<[Box<dyn Player<G>>; 2]> =
                        [5, 100].map(|some| [rounds(some), rounds(some)].map(|one| Box::new(one) as _)).into();
                    if has_material {
                        players.extend(
                            [1, 3].map(|plies| [material(plies), material(plies)].map(|one| Box::new(one) as _)),
                        );
                    }
                    for [sees, plays] in &mut players {
                        let opinion = sees.view(&history, &mut rng_for(3, &[])).unwrap();
                        assert_eq!(plays.choose(&history, &mut rng_for(3, &[])), Choice::Move(opinion.line[0]));
                        assert!(opinion.moves.iter().any(|(mv, _)| *mv == opinion.line[0]));
                        let mut next = history.clone();
                        for &mv in &opinion.line {
                            let mut legal = Vec::new();
                            next.game().legal_moves(&mut legal);
                            assert!(legal.contains(&mv));
                            next.play(mv);
                        }
                    }
                    match Random.choose(&history, rng) {
                        Choice::Move(mv) => history.play(mv),
                        Choice::Illegal(_) => unreachable!(),
                    }
                }
            }
        }
        for name in games::names() {
            games::with_built_in(name, Check).unwrap();
        }
    }
}
