//! Double pole balancing with velocities by NEAT: a cart must keep two poles of different length from falling.
//!
//! `cargo run --release --example double_pole -- --seeds 50`

mod shared;

use evolution::{Network, Shape};
use shared::Task;

fn main() {
    shared::run(&Task {
        name: "double_pole",
        shape: Shape { inputs: 6, outputs: 1 },
        judge,
        most_generations: 1000,
        settings: &[("neat.start.range", "2.0"), ("neat.mutation.power", "0.3"), ("neat.species.threshold", "4.0")],
    });
}

/// The number of steps without a fall that counts as a solution.
const STEPS: u32 = 100_000;
/// The time in seconds for which a force is held, and the step of the integration.
const HELD: f64 = 0.02;
const INTEGRATED: f64 = 0.01;
const TRACK: f64 = 2.4;
const FALLEN: f64 = 36.0 * std::f64::consts::PI / 180.0;

/// The score is the number of steps until a pole falls or the cart leaves the track.
fn judge(network: &Network) -> (f64, bool) {
    let mut cart = Cart::default();
    cart.state[2] = std::f64::consts::PI / 180.0;
    for step in 0..STEPS {
        if cart.is_lost() {
            return (f64::from(step), false);
        }
        let answer = f64::from(network.forward(&cart.scaled())[0]);
        // An output of 0 means full force to the left, 1 means full force to the right.
        cart.push((answer - 0.5) * 20.0);
    }
    (f64::from(STEPS), true)
}

/// Position and velocity of the cart, then angle and angular velocity of the long pole and of the short one.
#[derive(Default)]
struct Cart {
    state: [f64; 6],
}

impl Cart {
    fn is_lost(&self) -> bool {
        // Written so that NaN counts as lost.
        let [x, _, long, _, short, _] = self.state;
        !(x.abs() <= TRACK && long.abs() <= FALLEN && short.abs() <= FALLEN)
    }

    /// The inputs of the network, each about within ±1.
    fn scaled(&self) -> [f32; 6] {
        let [x, dx, long, dlong, short, dshort] = self.state;
        [x / TRACK, dx / 1.5, long / FALLEN, dlong / 2.0, short / FALLEN, dshort / 2.0].map(|value| value as f32)
    }

    /// Holds a force for a while; integrates by fourth-order Runge–Kutta.
    fn push(&mut self, force: f64) {
        let steps = (HELD / INTEGRATED).round() as u32;
        for _ in 0..steps {
            let at = |slope: &[f64; 6], time: f64| -> [f64; 6] {
                std::array::from_fn(|place| self.state[place] + time * slope[place])
            };
            let one = slopes(&self.state, force);
            let two = slopes(&at(&one, INTEGRATED / 2.0), force);
            let three = slopes(&at(&two, INTEGRATED / 2.0), force);
            let four = slopes(&at(&three, INTEGRATED), force);
            for place in 0..6 {
                let mean = (one[place] + 2.0 * two[place] + 2.0 * three[place] + four[place]) / 6.0;
                self.state[place] += INTEGRATED * mean;
            }
        }
    }
}

/// The derivatives of the state under a force (Wieland 1991): a cart of 1 kg, poles of 1 m and 0.1 kg, of 0.1 m and
/// 0.01 kg.
fn slopes(state: &[f64; 6], force: f64) -> [f64; 6] {
    const GRAVITY: f64 = -9.8;
    const CART: f64 = 1.0;
    const POLES: [(f64, f64); 2] = [(0.1, 0.5), (0.01, 0.05)];
    const CART_FRICTION: f64 = 5e-4;
    const HINGE_FRICTION: f64 = 2e-6;
    let [_, dx, ..] = *state;
    let poles = [(state[2], state[3]), (state[4], state[5])];
    let (mut effective_force, mut effective_mass) = (0.0, 0.0);
    for ((angle, turn), (mass, half)) in poles.into_iter().zip(POLES) {
        let friction = HINGE_FRICTION * turn / (mass * half);
        effective_force +=
            mass * half * turn * turn * angle.sin() + 0.75 * mass * angle.cos() * (friction + GRAVITY * angle.sin());
        effective_mass += mass * (1.0 - 0.75 * angle.cos() * angle.cos());
    }
    let acceleration = (force - CART_FRICTION * dx.signum() * f64::from(u8::from(dx != 0.0)) + effective_force)
        / (CART + effective_mass);
    let turns = [0, 1].map(|pole| {
        let ((angle, turn), (mass, half)) = (poles[pole], POLES[pole]);
        let friction = HINGE_FRICTION * turn / (mass * half);
        -0.75 * (acceleration * angle.cos() + GRAVITY * angle.sin() + friction) / half
    });
    [dx, acceleration, poles[0].1, turns[0], poles[1].1, turns[1]]
}
