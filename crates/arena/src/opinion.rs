//! How a player sees a position: what it is worth, how the game would go on, and what each move is worth.

use crate::{Budget, Evaluator, GameHistory, Limits, Search, plies_to_end};
use chance::Rng;
use evolution::LANES;
use games::{Game, Solver, Value};
use serde::Serialize;

/// How a player sees a position, as far as it looks; values are for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion<M> {
    /// What the position is worth; nothing where the values of moves only rank them.
    pub value: Option<Outlook>,
    /// How the game would go on.
    pub line: Vec<M>,
    /// What moves are worth, in the order of the rules; those that it had no time for are left out.
    pub moves: Vec<(M, Outlook)>,
}

/// What somebody expects.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Outlook {
    /// From −1, lost, to 1, won; networks without bounds may say more.
    pub value: f32,
    /// In how many plies, where it is certain.
    pub ends_in: Option<u32>,
    /// How often it was looked at, where that was counted.
    pub visits: Option<u32>,
}

impl Outlook {
    /// A value, as searches tell it.
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
    /// Nobody reads further.
    pub(crate) const LONGEST_LINE: usize = 12;

    /// Of whoever searches.
    pub(crate) fn searched<G: Game<Move = M>, E: Evaluator<G>>(
        history: &GameHistory<G>,
        search: &mut Search<G>,
        evaluator: &mut E,
        limits: Limits,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        shuffle: Option<&mut Rng>,
    ) -> Opinion<M> {
        let (found, values) = search.run_all(history, evaluator, limits, budget.as_deref_mut(), shuffle);
        // The line: whoever moves next looks as far as there is left to look.
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

    /// Of a network that judges what is after each move, and looks no further.
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
        // The first of the best, as it plays.
        let mut best = moves[0];
        for &(mv, prospect) in &moves[1..] {
            if prospect.value > best.1.value {
                best = (mv, prospect);
            }
        }
        Opinion { value: Some(best.1), line: vec![best.0], moves }
    }

    /// Of whoever knows; nothing where it does not.
    pub(crate) fn solved<G: Game<Move = M>>(
        history: &GameHistory<G>,
        solver: &dyn Solver<G>,
        mut choose: impl FnMut(&GameHistory<G>) -> Option<M>,
    ) -> Option<Opinion<M>> {
        let prospect = |value: Value, ends_in: Option<u32>| Outlook {
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
            Some((mv, prospect(found.value.reversed(), found.distance.map(|plies| plies + 1))))
        };
        let moves = legal.into_iter().filter_map(after).collect();
        let (mut line, mut next) = (Vec::new(), history.clone());
        while line.len() < Opinion::<M>::LONGEST_LINE && next.outcome().is_none() {
            let Some(mv) = choose(&next) else { break };
            line.push(mv);
            next.play(mv);
        }
        Some(Opinion { value: Some(prospect(verdict.value, verdict.distance)), line, moves })
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
            let view = MaterialPlayer::new(Limits::depth(depth), None).view(&history, rng).unwrap();
            for &(mv, prospect) in &view.moves {
                let next = history.after(mv);
                let value = match depth {
                    1 => next.game().material().unwrap(),
                    _ => {
                        let limits = Limits::depth(depth - 1);
                        Search::default().run(&next, &mut crate::Material, limits, None, None).value
                    }
                };
                assert_eq!(prospect, Outlook::searched(-value), "{mv} at depth {depth}");
            }
            let best = view.moves.iter().map(|(_, prospect)| prospect.value).fold(f32::MIN, f32::max);
            assert_eq!(view.value.unwrap().value, best);
            assert_eq!(view.line.len(), depth as usize);
        }
    }

    #[test]
    fn a_king_that_can_be_taken_is_the_end_in_one() {
        let history = history::<Minichess>("1k4/6/6/6/6/1R2K1 w - - 0 1");
        let rng = &mut rng_for(1, &[]);
        let view = MaterialPlayer::new(Limits::depth(3), None).view(&history, rng).unwrap();
        assert_eq!(view.value, Some(Outlook { value: 1.0, ends_in: Some(1), visits: None }));
        assert_eq!(view.line.iter().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["b1b6"]);
    }

    #[test]
    fn who_knows_tells_the_truth_of_every_move() {
        let history = history::<Nim>("3,2");
        let solver: std::sync::Arc<dyn Solver<Nim>> = Nim::solver(&<Nim as Game>::Setup::usual()).unwrap().into();
        let view = Perfect(std::sync::Arc::clone(&solver)).view(&history, &mut rng_for(1, &[])).unwrap();
        let winning: Vec<String> =
            view.moves.iter().filter(|(_, prospect)| prospect.value > 0.0).map(|(mv, _)| mv.to_string()).collect();
        assert_eq!((winning, view.value.unwrap().value), (vec!["1:1".to_string()], 1.0));
        assert_eq!(view.line[0].to_string(), "1:1");
    }

    #[test]
    fn rounds_are_counted_for_every_move() {
        let history = history::<Nim>("3,2");
        let mut player = MonteCarloPlayer::new(MonteCarloSettings::plain(400), None);
        let view = player.view(&history, &mut rng_for(1, &[])).unwrap();
        assert_eq!(view.moves.len(), 5);
        assert!(view.moves.iter().all(|(_, prospect)| prospect.visits.is_some_and(|visits| visits > 0)));
        assert_eq!(view.line[0].to_string(), "1:1");
    }

    /// Whatever the game, whoever plays: the line can be played, and begins with the move that it makes.
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
                        let view = sees.view(&history, &mut rng_for(3, &[])).unwrap();
                        assert_eq!(plays.choose(&history, &mut rng_for(3, &[])), Choice::Move(view.line[0]));
                        assert!(view.moves.iter().any(|(mv, _)| *mv == view.line[0]));
                        let mut next = history.clone();
                        for &mv in &view.line {
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
