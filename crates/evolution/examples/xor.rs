//! XOR by NEAT: the smallest task that no network without hidden nodes can solve.
//!
//! `cargo run --release --example xor -- --seeds 100`

mod shared;

use evolution::{LANES, Network, Scratch, Shape};
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

/// All four questions at once, one in each lane; the score is (4 − Σ|error|)², as in the paper.
fn judge(network: &Network) -> (f64, bool) {
    let mut inputs = [[0.0; LANES]; 2];
    inputs[0][..4].copy_from_slice(&[0.0, 0.0, 1.0, 1.0]);
    inputs[1][..4].copy_from_slice(&[0.0, 1.0, 0.0, 1.0]);
    let mut scratch = Scratch::default();
    let answers = network.forward(&inputs, &mut scratch)[0];
    let wanted = [0.0, 1.0, 1.0, 0.0];
    let error: f64 = wanted.iter().zip(answers).map(|(wanted, answer)| f64::from((wanted - answer).abs())).sum();
    let solved = wanted.iter().zip(answers).all(|(wanted, answer)| (answer > 0.5) == (*wanted > 0.5));
    ((4.0 - error).max(0.0).powi(2), solved)
}
