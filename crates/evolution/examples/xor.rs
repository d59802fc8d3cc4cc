//! XOR by NEAT: the smallest task that no network without hidden nodes can solve.
//!
//! `cargo run --release --example xor -- --seeds 100`

mod shared;

use evolution::{Network, Shape};
use shared::Task;

fn main() {
    shared::run(&Task {
        name: "xor",
        shape: Shape { inputs: 2, outputs: 1 },
        judge,
        most_generations: 1000,
        settings: &[("neat.mutation.power", "2.5"), ("neat.mutation.add_connection", "0.2")],
    });
}

/// All four cases; the score is (4 − Σ|error|)², as in the paper.
fn judge(network: &Network) -> (f64, bool) {
    let cases = [([0.0, 0.0], 0.0), ([0.0, 1.0], 1.0), ([1.0, 0.0], 1.0), ([1.0, 1.0], 0.0)];
    let answers = cases.map(|(inputs, wanted)| (network.forward(&inputs)[0], wanted));
    let error: f64 = answers.iter().map(|(answer, wanted): &(f32, f32)| f64::from((wanted - answer).abs())).sum();
    let solved = answers.iter().all(|(answer, wanted)| (*answer > 0.5) == (*wanted > 0.5));
    ((4.0 - error).max(0.0).powi(2), solved)
}
