//! Makes a player from a network, with the search that its options ask for.

use crate::Error;
use crate::player_network::PlayerNetwork;
use crate::seated::{SeatParams, Seated};
use arena::{Extend, Head, Method, NetworkPlayer, Play, Seating};
use evolution::Shape;
use games::Game;
use std::sync::Arc;

/// Makes a player from the player's network. Without search options it looks ahead as it was bred.
pub(crate) fn seat_network<G: Game>(params: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
    let &SeatParams { options, context, .. } = params;
    let refuse = |error: &dyn std::fmt::Display| Error::refused(format!("this network: {error}"));
    let (seating, network) = match params.network.expect("the kind reads a network") {
        PlayerNetwork::Portable(portable) => (portable.seating::<G>()?, &portable.network),
        PlayerNetwork::Bare(network) => (seating_of_shape(params.setup, network.shape())?, &**network),
    };
    seating.checked_genes(network.genes()).map_err(|error| refuse(&error))?;
    let setup = seating.setup.clone();
    // A network that was bred with a selective search keeps it at other depths, unless an option asks for another one.
    let usual = if options.extend.is_some() { Method::Exact } else { seating.method() };
    let mut limits = options.limits().by(options.search.unwrap_or(usual));
    let limited = options.nodes.is_some() || options.seconds.is_some();
    let is_selective = options.search == Some(Method::Selective);
    if is_selective && !limited && options.depth.is_none() {
        // The depth stays the one that the network was bred for.
        limits.depth = seating.depth();
        if limits.depth == 0 {
            return Err(refuse(&"it does not look ahead, so search=selective needs depth, nodes or seconds, too"));
        }
    }
    let extend = match limits.method {
        Method::Exact => options.extend.unwrap_or(seating.extend()),
        Method::Selective => Extend::Off,
    };
    let seating = match options.monte_carlo() {
        Some(settings) => seating.with_monte_carlo(settings),
        None if options.depth.is_some() || limited || is_selective => seating.at_depth(limits.depth),
        None => Ok(seating),
    };
    let seating = seating.map_err(|error| refuse(&error))?;
    if options.extend.is_some_and(|extend| extend != Extend::Off) && seating.depth() == 0 {
        return Err(refuse(&"it does not look ahead, so extend needs a depth, too"));
    }
    let seating = seating.extended(extend).by(limits.method);
    let (depth, rounds) = (seating.depth(), seating.monte_carlo().is_some());
    let mut player = NetworkPlayer::new(Arc::new(seating), Arc::new(network.clone()));
    // Every player that searches can be stopped.
    if limited || is_selective {
        player = player.limited(limits.extended(extend), options.patience(context));
    } else if (context.halt.is_some() || context.clock.is_some()) && (depth > 0 || rounds) {
        let limits = player.seating().limits();
        player = player.limited(limits, options.patience(context));
    }
    Ok(Seated::anywhere(player).only_in(setup))
}

/// The seating with the first pair of encoder and head of the game that has this shape, with strict play.
fn seating_of_shape<G: Game>(setup: &G::Setup, shape: Shape) -> Result<Seating<G>, Error> {
    let moves = G::DECODERS.iter().map(|decoder| Head::Moves(*decoder, Play::Strict));
    let heads: Vec<Head<G>> = std::iter::once(Head::Value).chain(moves).collect();
    let seatings = G::ENCODERS.iter().map(|encoder| Seating::new(setup.clone(), *encoder));
    let mut seatings = seatings.flat_map(|seating| heads.iter().map(move |head| seating.clone().with_head(*head)));
    seatings.find(|seating| seating.shape() == shape).ok_or_else(|| {
        let (Shape { inputs, outputs }, game) = (shape, G::NAME);
        let what = format!(
            "a network of {inputs} inputs and {outputs} outputs fits no encoder and head of {game} with this setup"
        );
        Error::parameter("setup", what)
    })
}
