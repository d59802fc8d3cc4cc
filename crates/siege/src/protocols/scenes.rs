//! Positions of games with their legal moves, as a protocol writes them.

use chance::Rng;
use games::{Game, GameVisitor, Protocol, ProtocolForm, Setup, with_built_in};

/// A start, the moves after it, and the moves that are legal then.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The start.
    pub start: String,
    /// The moves after it.
    pub moves: Vec<String>,
    /// The legal moves after these; none if the game is over.
    pub legal: Vec<String>,
}

/// Draws a position in which the game goes on.
pub fn draw(game: &str, protocol: Protocol, rng: &mut Rng) -> Scene {
    with_built_in(game, Draw { protocol, rng }).expect("the attack names only games that there are")
}

/// The legal moves after these moves; `None` if the start or a move is not possible.
pub fn legal_moves(game: &str, protocol: Protocol, start: &str, moves: &[String]) -> Option<Vec<String>> {
    with_built_in(game, Legal { protocol, start, moves }).flatten()
}

struct Draw<'a> {
    protocol: Protocol,
    rng: &'a mut Rng,
}

impl GameVisitor for Draw<'_> {
    type Output = Scene;

    fn visit<G: Game>(self) -> Scene {
        let form = ProtocolForm::<G>::of(self.protocol).expect("the game can be played by the protocol");
        loop {
            let mut game = G::start(&G::Setup::usual(), self.rng);
            let (before, after) = (self.rng.below(40), self.rng.below(30));
            let (mut start, mut moves) = ((form.write_position)(&game), Vec::new());
            for ply in 0..before + after {
                if game.outcome().is_some() {
                    break;
                }
                if ply == before {
                    (start, moves) = ((form.write_position)(&game), Vec::new());
                }
                let legal = legal_of(&game);
                let mv = legal[self.rng.below(legal.len())];
                moves.push((form.write_move)(&game, mv));
                game.play(mv);
            }
            if game.outcome().is_none() {
                let legal = legal_of(&game).into_iter().map(|mv| (form.write_move)(&game, mv)).collect();
                return Scene { start, moves, legal };
            }
        }
    }
}

struct Legal<'a> {
    protocol: Protocol,
    start: &'a str,
    moves: &'a [String],
}

impl GameVisitor for Legal<'_> {
    type Output = Option<Vec<String>>;

    fn visit<G: Game>(self) -> Option<Vec<String>> {
        let form = ProtocolForm::<G>::of(self.protocol)?;
        let mut game = (form.read_position)(self.start).ok()?;
        for text in self.moves {
            game.play((form.read_move)(&game, text).ok()?);
        }
        let over = game.outcome().is_some();
        let legal = if over { Vec::new() } else { legal_of(&game) };
        Some(legal.into_iter().map(|mv| (form.write_move)(&game, mv)).collect())
    }
}

fn legal_of<G: Game>(game: &G) -> Vec<G::Move> {
    let mut legal = Vec::new();
    game.legal_moves(&mut legal);
    legal
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    #[test]
    fn positions_have_legal_moves() {
        for (game, protocol) in [("minichess", Protocol::Cecp), ("draughts", Protocol::Hub), ("nim", Protocol::Uci)] {
            for number in 0..20 {
                let scene = draw(game, protocol, &mut rng_for(number, &[]));
                assert!(!scene.legal.is_empty());
                assert_eq!(legal_moves(game, protocol, &scene.start, &scene.moves), Some(scene.legal), "{game}");
            }
        }
        assert_eq!(legal_moves("nim", Protocol::Uci, "x", &[]), None);
    }
}
