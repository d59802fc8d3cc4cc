//! Two questions to a network that say how well it fits a search: what it thinks the turn is worth, and how often a deeper
//! search changes its mind.
//!
//! A search compares positions in which different sides are to move. If a network thinks that it is good to be on the move,
//! whatever the position, then the values of odd and even depths cannot be compared.

use crate::exam::share;
use crate::{Choice, GameHistory, Player, opening};
use chance::rng_for;
use games::Game;

/// The number of positions for each question, and the largest number of random plies that lead to them.
const POSITIONS: u64 = 400;
const COMPARED: usize = 100;
const MOST_PLIES: u64 = 24;
/// The stream of random numbers.
const STREAM: u64 = 4;

/// Positions after random plies, from a fixed seed, in which nobody can win at once.
fn positions<G: Game>(setup: &G::Setup) -> Vec<GameHistory<G>> {
    let calm = |number: u64| {
        let rng = &mut rng_for(0, &[STREAM, number]);
        let start = GameHistory::new(G::start(setup, rng), setup, 0);
        let history = opening(&start, (2 + number % MOST_PLIES) as usize, rng);
        let game = history.game();
        let calm = !game.can_win_at_once() && game.passed().is_none_or(|passed| !passed.can_win_at_once());
        (calm && history.outcome().is_none()).then(|| GameHistory::new(game.clone(), setup, 0))
    };
    (0..POSITIONS).filter_map(calm).collect()
}

/// The mean of a position's value for the side to move and its value if the other side were to move. In a game without
/// zugzwang a small positive mean is right; a large one misleads searches. `None` if the player has no values of its own, or
/// if the game does not know passing.
pub fn value_of_turn<G: Game>(setup: &G::Setup, player: &mut dyn Player<G>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for history in positions::<G>(setup) {
        let passed = history.game().passed()?;
        sum += f64::from(player.judgement(history.game())? + player.judgement(&passed)?);
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}

/// How often a player chooses the same move as one that looks two plies further.
pub fn consistency<G: Game>(setup: &G::Setup, player: &mut dyn Player<G>, deeper: &mut dyn Player<G>) -> f64 {
    let (mut same, mut asked) = (0, 0);
    for (number, history) in positions::<G>(setup).into_iter().take(COMPARED).enumerate() {
        let choice = |player: &mut dyn Player<G>| {
            player.begin();
            player.choose(&history, &mut rng_for(0, &[STREAM, number as u64, 1]))
        };
        if let (Choice::Move(mv), Choice::Move(further)) = (choice(player), choice(deeper)) {
            same += u32::from(mv == further);
            asked += 1;
        }
    }
    share(f64::from(same), f64::from(asked))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Head, Limits, MaterialPlayer, NetworkPlayer, Random, Seating};
    use evolution::{Layered, Network};
    use games::Setup as _;
    use games::minichess::{Minichess, Step};
    use std::sync::Arc;

    /// Judges all positions alike.
    struct Constant(f32);

    impl Player<Minichess> for Constant {
        fn choose(&mut self, history: &GameHistory<Minichess>, rng: &mut chance::Rng) -> Choice<Step> {
            Random.choose(history, rng)
        }

        fn judgement(&mut self, _: &Minichess) -> Option<f32> {
            Some(self.0)
        }
    }

    #[test]
    fn the_turn_is_worth_what_both_sides_would_gain_by_it() {
        let setup = <Minichess as Game>::Setup::usual();
        assert_eq!(value_of_turn(&setup, &mut Constant(0.25)), Some(0.5));
        let seating = Arc::new(Seating::<Minichess>::new(setup.clone(), Minichess::ENCODERS[0]));
        let balanced = Head::named("balanced", "strict").unwrap();
        let shape = seating.shape();
        let network =
            Arc::new(Network::Layered(Layered::random(&[shape.inputs, 4, 1], 0, 0.5, &mut rng_for(1, &[])).unwrap()));
        let turn = |seating: Seating<Minichess>| {
            value_of_turn(&setup, &mut NetworkPlayer::new(Arc::new(seating), Arc::clone(&network))).unwrap()
        };
        assert_ne!(turn(Seating::clone(&seating)), 0.0);
        assert_eq!(turn(Seating::clone(&seating).with_head(balanced)), 0.0);
    }

    #[test]
    fn a_player_agrees_with_itself_and_not_always_with_a_deeper_one() {
        let setup = <Minichess as Game>::Setup::usual();
        let player = |depth| MaterialPlayer::<Minichess>::new(Limits::depth(depth), None);
        assert_eq!(consistency(&setup, &mut player(2), &mut player(2)), 1.0);
        let deeper = consistency(&setup, &mut player(2), &mut player(4));
        assert!(deeper > 0.0 && deeper < 1.0, "{deeper}");
        assert_eq!(value_of_turn(&setup, &mut player(2)), None);
    }
}
