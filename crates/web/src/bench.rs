//! Measures how much a training slows down when pages watch it, alternately with and without pages.

use crate::{Options, Server};
use ::bench::Ratio;
use runs::RunFile;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use trainer::Experiment;

/// The number of pages: half of them watch the run, half of them the list of runs.
const PAGES: usize = 20;
/// The length of one measurement.
const TURN: Duration = Duration::from_millis(600);
/// The number of pairs of measurements, with and without pages.
const TURNS: usize = 9;
/// The time that pages get to open before the measurement begins.
const OPENING: Duration = Duration::from_millis(300);

/// Measures generations per second without pages and with twenty pages. `folder` must be empty.
pub fn watching_cost(folder: &Path) -> Result<Ratio, Box<dyn std::error::Error>> {
    let options = Options {
        runs: folder.to_path_buf(),
        tables: folder.to_path_buf(),
        engines: Default::default(),
        port: Some(0),
        door: None,
        threads: None,
    };
    let server = Server::bind(options)?;
    let (address, end, jobs) = (server.address, server.end_handle(), Arc::clone(&server.app.jobs));
    let serving = std::thread::spawn(move || server.run());
    // 1. Start a training that lasts longer than the measurement.
    let mut experiment = Experiment::shipped("nim-2x4")?;
    experiment.set(&["stop.solved=false", "stop.generations=1000000"])?;
    let run = jobs.train(experiment, None).map_err(|_| "the training cannot be started")?;
    let file = runs::named_run(folder, &run)?;
    let generation = || -> Result<u64, lab::Error> {
        Ok(RunFile::open(&file)?.last_report()?.map_or(0, |report| report.generation))
    };
    let rate = || -> Result<f64, lab::Error> {
        let (begun, before) = (Instant::now(), generation()?);
        std::thread::sleep(TURN);
        Ok((generation()? - before) as f64 / begun.elapsed().as_secs_f64())
    };
    std::thread::sleep(TURN);
    // 2. Measure alternately, so that other work of the machine and growing networks affect both.
    let mut pairs = Vec::new();
    for turn in 0..TURNS {
        let mut rates = [0.0; 2];
        for watched in if turn % 2 == 0 { [false, true] } else { [true, false] } {
            let pages: Vec<Page> = (0..if watched { PAGES } else { 0 })
                .map(|page| {
                    let what =
                        if page % 2 == 0 { format!("/api/runs/{run}/events") } else { "/api/runs/events".into() };
                    Page::open(address, &what)
                })
                .collect::<Result<_, _>>()?;
            // Opening the pages is not part of the measurement.
            std::thread::sleep(OPENING);
            rates[usize::from(watched)] = rate()?;
            if pages.into_iter().any(|page| page.close() == 0) {
                return Err("a page received nothing".into());
            }
        }
        pairs.push(rates);
    }
    end.end();
    serving.join().map_err(|_| "the server panicked")??;
    // 3. Take the median pair.
    pairs.sort_by(|one, two| (one[1] / one[0]).total_cmp(&(two[1] / two[0])));
    let [plain, fast] = pairs[TURNS / 2];
    let name = format!("training of nim-2x4: unwatched, or watched by {PAGES} pages");
    Ok(Ratio { name, plain, fast, ratio: fast / plain, unit: "generations" })
}

/// A page that only receives events.
struct Page {
    stream: TcpStream,
    listening: std::thread::JoinHandle<usize>,
}

impl Page {
    fn open(address: SocketAddr, what: &str) -> std::io::Result<Page> {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(format!("GET {what} HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes())?;
        let mut heard = stream.try_clone()?;
        let listening = std::thread::spawn(move || {
            let (mut buffer, mut bytes) = (vec![0; 1 << 16], 0);
            while let Ok(read @ 1..) = heard.read(&mut buffer) {
                bytes += read;
            }
            bytes
        });
        Ok(Page { stream, listening })
    }

    /// Closes the page; returns the number of bytes that it received.
    fn close(self) -> usize {
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
        self.listening.join().unwrap_or(0)
    }
}
