//! Draws the networks of players, and computes the values of their nodes in a position.

use crate::Error;
use figures::{NetworkDrawing, Picture};
use games::{Game, GameVisitor};
use players::{PlayerSpec, PortableNetwork, check_game, setup_for, split_generation};
use runs::{RunFile, run_path};
use std::path::Path;

/// Draws the network of a run's champion as a picture; `run` is `RUN` or `RUN@GENERATION`.
pub fn draw(runs: &Path, run: &str, picture: Picture) -> Result<String, Error> {
    let (run, generation) = split_generation(run)?;
    let file = RunFile::open(&run_path(runs, run)?)?;
    let mut drawing = drawing_of(&PortableNetwork::from_run(&file, generation)?)?;
    // Name the run, because many runs share an experiment and a seed.
    drawing.origin = format!("run {} ({})", file.name(), drawing.origin);
    Ok(drawing.picture(picture))
}

/// The drawing of a player's network.
pub fn network_drawing(player: &PlayerSpec, runs: &Path) -> Result<NetworkDrawing, Error> {
    drawing_of(portable(player, runs)?)
}

/// The value of every node of the player's network in a position, in the order of the drawing.
pub fn network_values(
    player: &PlayerSpec,
    game: &str,
    setup: &[String],
    position: &str,
    runs: &Path,
) -> Result<Vec<f32>, Error> {
    let network = portable(player, runs)?;
    check_game(game, &[player], runs)?;
    LookInto { player, network, setup, position, runs }.in_game(game)?
}

fn portable<'a>(player: &'a PlayerSpec, runs: &Path) -> Result<&'a PortableNetwork, Error> {
    let none = "this player has no network to look into; run:NAME and champion:GAME have one";
    player.portable(runs)?.ok_or_else(|| Error::refused(none.to_string()))
}

fn drawing_of(network: &PortableNetwork) -> Result<NetworkDrawing, Error> {
    Draw(network).in_game(&network.game)?
}

pub(crate) struct LookInto<'a> {
    player: &'a PlayerSpec,
    network: &'a PortableNetwork,
    setup: &'a [String],
    position: &'a str,
    runs: &'a Path,
}

games::by_name!(LookInto<'a>, 'a);

impl GameVisitor for LookInto<'_> {
    type Output = Result<Vec<f32>, Error>;

    fn visit<G: Game>(self) -> Result<Vec<f32>, Error> {
        setup_for::<G>(&[self.player], self.setup, self.runs)?;
        let seating = self.network.seating::<G>()?;
        let game: G = self.position.parse()?;
        // The position must fit the setup of the network's training, because its inputs are made for it.
        game.fits(&seating.setup).map_err(|error| Error::refused(error.to_string()))?;
        let network = &self.network.network;
        seating.checked_genes(network.genes()).map_err(|error| Error::refused(format!("this network: {error}")))?;
        Ok(network.wiring().values(&seating.inputs(network, &game)))
    }
}

pub(crate) struct Draw<'a>(&'a PortableNetwork);

games::by_name!(Draw<'a>, 'a);

impl GameVisitor for Draw<'_> {
    type Output = Result<NetworkDrawing, Error>;

    fn visit<G: Game>(self) -> Result<NetworkDrawing, Error> {
        let seating = self.0.seating::<G>()?;
        Ok(NetworkDrawing::new(&self.0.network, &seating, &self.0.origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::shipped_champions;

    /// For each shipped champion, in a position of its game: the value of the last node is the network's output.
    #[test]
    fn node_values_end_with_the_output() {
        for (champion, position) in
            shipped_champions().iter().zip(["3,4", "x../.o./...", "2k3/6/1p4/3R2/6/K5 w", "B:W21,K30:B1,K7,12"])
        {
            let player: PlayerSpec = champion.player().parse().unwrap();
            let drawing = network_drawing(&player, Path::new("")).unwrap();
            let values = network_values(&player, champion.game, &[], position, Path::new("")).unwrap();
            assert_eq!(values.len(), drawing.nodes.len(), "{}", champion.game);
            let said = champion.network().unwrap().network.forward(&values[..drawing.layers[0]]);
            assert_eq!(values.last(), said.last(), "{}", champion.game);
        }
    }

    #[test]
    fn players_without_network_and_bad_positions_are_refused() {
        let error = network_drawing(&"random".parse().unwrap(), Path::new("")).unwrap_err().to_string();
        assert!(error.contains("no network to look into"), "{error}");
        let nim: PlayerSpec = "champion:nim".parse().unwrap();
        for (game, setup, position, why) in [
            ("draughts", "", "3,4", "champion:nim plays nim, not draughts"),
            ("nim", "", "3,4,5", "3,4,5"),
            ("nim", "", "60,4", "60"),
            ("nim", "", "x", "`x`"),
            ("nim", "stacks=1", "3,4", "the setup of nim is invalid"),
        ] {
            let setup: Vec<String> = (!setup.is_empty()).then(|| setup.to_string()).into_iter().collect();
            let error = network_values(&nim, game, &setup, position, Path::new("")).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
