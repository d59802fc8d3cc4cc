//! How fast this machine is, so that pages can say how long a training takes here.

use crate::App;
use crate::refusal::Refusal;
use crate::runs::blocking;
use axum::Json;
use axum::extract::State;
use players::{Context, MatchParams, PlayerSpec};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// The players of the short match that is measured: a network that searches, like most of the work of a training, and an
/// opponent that makes the games last.
const PLAYERS: [&str; 2] = ["champion:minichess,depth=2", "material:1"];
/// The number of games of the match. They take some hundredths of a second.
const GAMES: u32 = 4;
/// The number of matches. The fastest counts, because other work can only slow a match down.
const TRIES: usize = 5;
/// Microseconds of processor time that the network takes for a position on a machine where the ready trainings take the
/// times of `ui/src/new/presets.ts`. It was found on a machine with 0.82 µs: there the first trainings of Nim, tic-tac-toe
/// and draughts took 0.77, 12.4 and 40.2 s of processor time, and the estimates are 0.66, 11.8 and 42.6 s.
const REFERENCE: f64 = 1.25;

/// The speed of this machine, once it is measured.
pub type KnownPace = Arc<OnceLock<Pace>>;

/// The speed of the machine on which the server runs.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct Pace {
    /// How many times as fast one of its cores is as one on which the ready trainings take their written times.
    pub speed: f64,
    /// Microseconds of processor time that a network took for a position in the measurement.
    pub microseconds: f64,
    /// The number of threads of a training.
    pub threads: usize,
}

/// Answers with the speed of this machine. The first request measures it.
pub async fn pace(State(app): State<App>) -> Result<Json<Pace>, Refusal> {
    blocking(move || {
        if let Some(known) = app.pace.get() {
            return Ok(Json(*known));
        }
        let microseconds = measured()?;
        let threads = app.jobs.threads().unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        Ok(Json(*app.pace.get_or_init(|| Pace { speed: REFERENCE / microseconds, microseconds, threads })))
    })
    .await
}

/// Microseconds of processor time that the network takes for a position here.
fn measured() -> Result<f64, Refusal> {
    let players: Vec<PlayerSpec> = PLAYERS.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    let context = Context::nowhere();
    let params = MatchParams {
        game: "minichess",
        players: [&players[0], &players[1]],
        games: GAMES,
        plies: 4,
        seed: 1,
        setup: &[],
        threads: Some(1),
        context: &context,
    };
    let mut best = f64::INFINITY;
    for _ in 0..TRIES {
        let played = players::play_match(&params, &AtomicBool::new(false), &mut |_| ())?;
        let [cost, _] = played.costs;
        best = best.min(1000.0 * cost.cpu_milliseconds / cost.positions.max(1.0));
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measurement_gives_a_time_per_position() {
        let [one, two] = [measured(), measured()].map(|found| found.unwrap_or_else(|_| panic!("it can be measured")));
        // Tests are compiled with fewer optimisations, and other work may slow them down.
        assert!((0.05..1000.0).contains(&one) && one / two < 20.0 && two / one < 20.0, "{one} and {two} µs");
    }
}
