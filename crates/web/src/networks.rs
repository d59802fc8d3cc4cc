//! Requests about networks: the drawing of a network, the values of its nodes in a position, and a champion's ancestry.

use crate::App;
use crate::play::player;
use crate::refusal::{JsonBody, PathParts, QueryParts, Refusal};
use crate::runs::{blocking, open};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use figures::NetworkDrawing;
use serde::{Deserialize, Serialize};
use trainer::Birth;

/// The query for a drawing: the player whose network is drawn.
#[derive(Deserialize)]
pub struct Whose {
    player: String,
}

/// Answers with the drawing of a player's network.
pub async fn drawing(
    State(app): State<App>,
    QueryParts(Whose { player: text }): QueryParts<Whose>,
) -> Result<Json<NetworkDrawing>, Refusal> {
    let drawn = blocking(move || Ok(lab::network_drawing(&player(&text, &app)?, app.jobs.runs())?));
    Ok(Json(drawn.await?))
}

/// A request for the values of a network's nodes in a position.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ValuesAsked {
    /// The player whose network is used.
    player: String,
    /// The game's name.
    game: String,
    /// Changes to the setup, each as `KEY=VALUE`.
    #[serde(default)]
    setup: Vec<String>,
    /// The position, in the game's notation.
    position: String,
}

/// The values of a network's nodes in a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct NodeValues {
    /// The value of every node, in the order of the drawing.
    pub values: Vec<f32>,
}

/// Answers with the value of every node in a position.
pub async fn values(
    State(app): State<App>,
    JsonBody(look): JsonBody<ValuesAsked>,
) -> Result<Json<NodeValues>, Refusal> {
    let values = blocking(move || {
        let ValuesAsked { player: text, game, setup, position } = look;
        Ok(lab::network_values(&player(&text, &app)?, &game, &setup, &position, app.jobs.runs())?)
    });
    Ok(Json(NodeValues { values: values.await? }))
}

/// The query for an ancestry: the generation of the champion.
#[derive(Deserialize)]
pub struct At {
    generation: u64,
}

/// The ancestors of a champion, back to the first generation.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ancestry {
    /// The number of genomes in the line of ancestors.
    length: usize,
    /// The genomes, beginning with the champion; if there are more than 500, evenly spaced ones.
    line: Vec<Birth>,
}

/// The largest number of ancestors that are shown.
const MOST_ANCESTORS: usize = 500;

/// Answers with the champion's ancestors; empty if the strategy does not number genomes.
pub async fn ancestry(
    State(app): State<App>,
    PathParts(name): PathParts<String>,
    QueryParts(At { generation }): QueryParts<At>,
) -> Result<Json<Ancestry>, Refusal> {
    let found = blocking(move || {
        let run = open(&app, &name)?;
        let Some(report) = run.report(generation)? else {
            let what = format!("the run `{name}` has no generation {generation}");
            return Err(Refusal::new(StatusCode::NOT_FOUND, what));
        };
        let line = report.champion_genome.map_or(Ok(Vec::new()), |genome| run.ancestry(genome))?;
        Ok(Ancestry { length: line.len(), line: thinned(line.len()).map(|place| line[place]).collect() })
    });
    Ok(Json(found.await?))
}

/// The places of the ancestors that are shown: evenly spaced, with the first and the last.
fn thinned(length: usize) -> impl Iterator<Item = usize> {
    let shown = length.min(MOST_ANCESTORS);
    (0..shown).map(move |place| if shown == length { place } else { place * (length - 1) / (shown - 1) })
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn long_lines_are_thinned() {
        assert_eq!(thinned(0).count(), 0);
        assert_eq!(thinned(3).collect::<Vec<_>>(), [0, 1, 2]);
        let many: Vec<usize> = thinned(12_345).collect();
        assert_eq!((many.len(), many[0], many[499]), (500, 0, 12_344));
        assert!(many.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
