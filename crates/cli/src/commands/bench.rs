//! `gamete bench`: measures the fast code against the plain code, and prints the signature of all behaviour.

use crate::arguments::JsonArg;
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::{Done, Failure, words};
use ::bench::{Bench, Ratio};
use clap::Args;
use serde_json::json;
use std::io::{IsTerminal, Write};

/// Measure the fast code against the plain code, and print the signature of all behaviour
#[derive(Args)]
#[command(
    after_help = "Example: gamete bench --json\n\nEach entry compares a plain way to do something with a fast one. It gives the number of games, positions,\nor whatever is counted, per second of processor time for both ways, and the ratio of fast to plain."
)]
pub struct BenchArgs {
    #[command(flatten)]
    json: JsonArg,
}

impl Run for BenchArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        if std::io::stderr().is_terminal() {
            tell!("measuring; this takes some seconds…");
        }
        let mut bench = ::bench::bench();
        bench.ratios.extend(watching_cost());
        print(out, &bench, self.json.json)?;
        Ok(Done::Well)
    }
}

/// Measures what it costs a training that pages watch it. Returns `None` if no temporary folder can be made.
fn watching_cost() -> Option<Ratio> {
    let folder = std::env::temp_dir().join(format!("gamete-bench-{}", std::process::id()));
    let measured = std::fs::create_dir(&folder).map_err(Into::into).and_then(|()| web::watching_cost(&folder));
    let _ = std::fs::remove_dir_all(&folder);
    measured.inspect_err(|error| tell!("the cost of watching cannot be measured: {error}")).ok()
}

/// Prints what was measured: for each entry its name, then both rates and their ratio.
fn print(out: &mut impl Write, bench: &Bench, json: bool) -> Result<(), Failure> {
    if json {
        writeln!(out, "{}", json!(bench))?;
        return Ok(());
    }
    writeln!(out, "each entry names a plain way and then a fast way; rates are per second of processor time\n")?;
    for ratio in &bench.ratios {
        let (plain, fast) = (words::rate(ratio.plain), words::rate(ratio.fast));
        let rates = format!("plain {plain:>8}, fast {fast:>8} {} per second", ratio.unit);
        writeln!(out, "{}", ratio.name)?;
        writeln!(out, "    {rates}; ratio fast/plain {:.1}", ratio.ratio)?;
    }
    writeln!(out, "Signature: {}", bench.signature)?;
    Ok(())
}
