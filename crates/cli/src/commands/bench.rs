//! `gamete bench`: fast paths against plain ones, and the signature of all behaviour.

use crate::arguments::JsonArg;
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::{Done, Failure, words};
use clap::Args;
use lab::{Bench, Ratio};
use serde_json::json;
use std::io::{IsTerminal, Write};

/// Measure fast paths against plain ones, and print the signature of all behaviour
#[derive(Args)]
#[command(after_help = "Example: gamete bench --json")]
pub struct BenchArgs {
    #[command(flatten)]
    json: JsonArg,
}

impl Run for BenchArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        if std::io::stderr().is_terminal() {
            tell!("measuring, some seconds…");
        }
        let mut bench = lab::bench();
        bench.ratios.extend(watching_cost());
        print(out, &bench, self.json.json)?;
        Ok(Done::Well)
    }
}

/// What it costs a training that pages watch it; nothing where no folder can be had for it.
fn watching_cost() -> Option<Ratio> {
    let folder = std::env::temp_dir().join(format!("gamete-bench-{}", std::process::id()));
    let measured = std::fs::create_dir(&folder).map_err(Into::into).and_then(|()| web::watching_cost(&folder));
    let _ = std::fs::remove_dir_all(&folder);
    measured.inspect_err(|error| tell!("what watching costs cannot be measured: {error}")).ok()
}

/// Ratios in a table.
fn print(out: &mut impl Write, bench: &Bench, json: bool) -> Result<(), Failure> {
    if json {
        writeln!(out, "{}", json!(bench))?;
        return Ok(());
    }
    for ratio in &bench.ratios {
        let (plain, fast) = (words::rate(ratio.plain), words::rate(ratio.fast));
        writeln!(out, "{}", ratio.name)?;
        writeln!(out, "    {:.1} times: {plain} and {fast} {} a second", ratio.ratio, ratio.unit)?;
    }
    writeln!(out, "Signature: {}", bench.signature)?;
    Ok(())
}
