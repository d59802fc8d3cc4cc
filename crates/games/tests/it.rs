//! Every game of the list keeps the contract of `Game` in random play.

use games::{EachGame, Game, each_built_in};

struct Conformance<'scope, 'env>(&'scope std::thread::Scope<'scope, 'env>);

impl EachGame for Conformance<'_, '_> {
    fn game<G: Game>(&mut self) {
        self.0.spawn(games::conformance::<G>);
    }
}

#[test]
fn every_game_keeps_the_contract() {
    std::thread::scope(|scope| each_built_in(&mut Conformance(scope)));
}
