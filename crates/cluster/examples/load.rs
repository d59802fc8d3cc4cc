//! Measures how many tasks a server and a coordinator can handle, with simulated workers:
//!
//! ```sh
//! nats-server -js
//! cargo run --release -p gamete-cluster --example load -- workers nats://127.0.0.1:4222 100 0    # pause in milliseconds
//! cargo run --release -p gamete-cluster --example load -- measure nats://127.0.0.1:4222 50 10    # games, seconds
//! ```

use cluster::{LoadOptions, Server, measure_load, simulate_workers};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [what, address, first, second] = &words[..] else {
        return Err("use: load workers ADDRESS COUNT MILLISECONDS, or load measure ADDRESS GAMES SECONDS".into());
    };
    let server = Server::from_environment(address, None)?;
    if what == "workers" {
        let pause = Duration::from_millis(second.parse()?);
        simulate_workers(&server, first.parse()?, pause, || false)?;
        return Ok(());
    }
    let options = LoadOptions { games: first.parse()?, seconds: second.parse()?, ahead: 3 };
    let report = measure_load(&server, options)?;
    println!("{report:?}");
    Ok(())
}
