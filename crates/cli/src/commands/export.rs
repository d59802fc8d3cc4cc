//! `gamete export`: writes a champion, or a picture of its network, to a file.

use crate::arguments::RunsArg;
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

/// Write the champion of a run, or a picture of its network, to a file
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete export nim-2x4-1 --format json --out champion.json\n  gamete export nim-2x4-1@20 --format text\n  gamete export nim-2x4-1 --format svg --out champion.svg"
)]
pub struct ExportArgs {
    /// The run's name or file, or RUN@GENERATION [default generation: the last]
    run: String,
    /// The format
    #[arg(long, value_enum, default_value_t = ExportFormat::Text)]
    format: ExportFormat,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    runs: RunsArg,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ExportFormat {
    /// Lines of `key: value`
    Text,
    /// One JSON object
    Json,
    /// A picture of the network as SVG
    Svg,
    /// The network as a graph for Graphviz
    Dot,
}

impl Run for ExportArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        let format = if self.json { ExportFormat::Json } else { self.format };
        let text = match format {
            ExportFormat::Text => players::export(&self.runs.runs, &self.run, players::Format::Text)?,
            ExportFormat::Json => players::export(&self.runs.runs, &self.run, players::Format::Json)?,
            ExportFormat::Svg => lab::draw(&self.runs.runs, &self.run, figures::Picture::Svg)?,
            ExportFormat::Dot => lab::draw(&self.runs.runs, &self.run, figures::Picture::Dot)?,
        };
        match self.out {
            None => write!(out, "{text}")?,
            Some(path) => {
                runs::write_whole(&path, text.as_bytes())?;
                match format {
                    ExportFormat::Svg | ExportFormat::Dot => tell!("written to {}", path.display()),
                    ExportFormat::Text | ExportFormat::Json => {
                        tell!("written to {}; play against it with --against file:{}", path.display(), path.display());
                    }
                }
            }
        }
        Ok(Done::Well)
    }
}
