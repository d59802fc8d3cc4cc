//! Runs two servers for a long time, each with a training and pages that watch it, and a training without a server.
//! Memory, descriptors, threads and files are measured every few seconds and written as a table and a picture. Only the
//! files may grow with the number of generations.

mod picture;

use crate::Attack;
use crate::cases::{Case, Siege};
use crate::compare::played;
use crate::figures::Figures;
use crate::gamete::Running;
use crate::server::{Server, Usage, usage};
use picture::{Curve, draw};
use rusqlite::{Connection, OpenFlags};
use rustix::process::Signal;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time between two measurements.
const INTERVAL: Duration = Duration::from_secs(2);
/// The largest growth of a process's memory for each generation, in kilobytes: 100 MB for a million generations.
const MOST_GROWTH: f64 = 0.1;
/// A growth of fewer kilobytes in all is not a failure: that much memory comes and goes with requests and caches.
const NOISE: f64 = 2000.0;
/// A training with fewer measurements than this is not judged, because growth cannot be distinguished from start-up.
const LEAST_SAMPLES: usize = 20;
/// A training with fewer generations than this is not judged.
const LEAST_GENERATIONS: u64 = 5000;
/// The name of the count of trainings that could be judged.
pub const JUDGED: &str = "trainings judged";

/// The trainings: name and arguments. Each of the first two has its own server, so that the memory of each server can
/// be compared with the generations of one training.
const TRAININGS: [(&str, &str); 3] = [
    (
        "nim",
        "train nim-2x4 --seed 3 --generations 100000000 --set stop.solved=false --set strategy.enn.population=60 --set schedule.circular.opponents=10",
    ),
    (
        "chess",
        // Small, so that it plays thousands of generations within some minutes.
        "train minichess --seed 3 --generations 100000000 --set strategy.neat.population=4 --set setup.most_plies=20 \
         --set schedule.circular.opponents=2 --set record.past_games=2 --set record.exam_every=100 --set record.games_every=10",
    ),
    ("plain", "train nim-2x4-td --seed 3 --generations 100000000 --set stop.solved=false"),
];

/// One measurement of all three trainings.
#[derive(Clone, Debug, Default)]
struct Sample {
    seconds: f64,
    usage: [Usage; 3],
    generations: [u64; 3],
    /// The sizes of the run files with their logs, in kilobytes.
    files: [u64; 3],
}

/// Runs and measures the trainings until the time is over.
pub fn attack(siege: &Siege, until: Instant) -> Figures {
    siege.cases(Attack::Soak, until, 1, |case| soak(case, until))
}

fn soak(case: &mut Case, until: Instant) -> Result<(), String> {
    let (siege, folder) = (case.siege, case.folder.clone());
    let mut servers = Vec::new();
    for (name, words) in &TRAININGS[..2] {
        let place = folder.join(name);
        std::fs::create_dir_all(&place).map_err(|error| format!("siege: {error}"))?;
        let server = Server::start(&siege.gamete, &place)?;
        let toml = siege.gamete.run(&place, &format!("{words} --print"));
        toml.check_success()?;
        let reply = server.post("/api/runs", &json!({ "experiment": name, "toml": toml.stdout, "name": name }))?;
        if reply.status != 201 {
            return Err(format!("training not started: status {} {}", reply.status, reply.body));
        }
        servers.push(server);
    }
    let (name, words) = TRAININGS[2];
    let place = folder.join(name);
    std::fs::create_dir_all(&place).map_err(|error| format!("siege: {error}"))?;
    let mut plain = siege.gamete.start(&place, &format!("{words} --name {name} --json"))?;
    let (end, received) = (AtomicBool::new(false), AtomicU64::new(0));
    let samples = std::thread::scope(|scope| {
        for (server, (name, _)) in servers.iter().zip(TRAININGS) {
            for path in ["/api/runs/events".to_string(), format!("/api/runs/{name}/events")] {
                let (host, end, received) = (&server.host, &end, &received);
                scope.spawn(move || watch(host, &path, end, received));
            }
        }
        let processes = [servers[0].id(), servers[1].id(), plain.id()];
        // If there are goals, the measurement may take up to twice the given time.
        let latest =
            if siege.goals.is_empty() { until } else { until + until.saturating_duration_since(Instant::now()) };
        let samples = measure(&folder, processes, &mut plain, until, latest);
        end.store(true, Ordering::Relaxed);
        samples
    });
    case.count("kilobytes heard by pages", received.into_inner() / 1024);
    keep(siege, &samples)?;
    for (server, (name, _)) in servers.iter_mut().zip(TRAININGS) {
        let alive = server.check_alive(&folder.join(name));
        case.check(alive);
    }
    case.check(if plain.has_ended() { Err("ended early: the training without a server".to_string()) } else { Ok(()) });
    let last = samples.last().cloned().unwrap_or_default();
    case.count("generations", last.generations.iter().sum());
    case.count("most kilobytes of memory", last.usage.iter().map(|usage| usage.memory).max().unwrap_or(0));
    case.count("kilobytes of files", last.files.iter().sum());
    let (judged, found) = judge(&samples);
    case.count(JUDGED, judged);
    case.failures.extend(found);
    plain.signal(Signal::TERM);
    plain.wait(Duration::from_secs(20)).check_proper_end()?;
    for server in servers {
        server.end(Signal::TERM, Duration::from_secs(10))?;
    }
    for (name, _) in TRAININGS {
        siege.gamete.run(&folder.join(name), &format!("show {name} --json")).check_success()?;
    }
    Ok(())
}

/// Acts like a page that watches a run and reconnects every ten seconds. Counts the bytes that it receives.
fn watch(host: &str, path: &str, end: &AtomicBool, received: &AtomicU64) {
    while !end.load(Ordering::Relaxed) {
        let Ok(mut stream) = TcpStream::connect(host) else { return };
        let _ = stream.set_read_timeout(Some(Duration::from_millis(500)));
        let _ = write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n");
        let begun = Instant::now();
        let mut buffer = [0; 65536];
        while begun.elapsed() < Duration::from_secs(10) && !end.load(Ordering::Relaxed) {
            match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => drop(received.fetch_add(length as u64, Ordering::Relaxed)),
                Err(_) => {}
            }
        }
    }
}

fn measure(folder: &Path, processes: [u32; 3], plain: &mut Running, until: Instant, latest: Instant) -> Vec<Sample> {
    let begun = Instant::now();
    let mut samples = Vec::new();
    let is_due = |samples: &[Sample]| Instant::now() < latest && judge(samples).0 < TRAININGS.len() as u64;
    while (Instant::now() < until || is_due(&samples)) && !plain.has_ended() {
        std::thread::sleep(INTERVAL.min(latest.saturating_duration_since(Instant::now())));
        let [Some(one), Some(two), Some(three)] = processes.map(usage) else { break };
        let files = TRAININGS.map(|(name, _)| folder.join(format!("{name}/runs/{name}.db")));
        let kilobytes = |file: &Path| {
            let length = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
            (length(file) + length(&file.with_extension("db-wal"))) / 1024
        };
        samples.push(Sample {
            seconds: begun.elapsed().as_secs_f64(),
            usage: [one, two, three],
            generations: files.each_ref().map(|file| generations(file).unwrap_or(0)),
            files: files.each_ref().map(|file| kilobytes(file)),
        });
    }
    samples
}

fn generations(file: &Path) -> Option<u64> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE).ok()?;
    connection.busy_timeout(Duration::from_millis(200)).ok()?;
    played(&connection).ok()
}

/// The number of trainings that could be judged, and a message for each resource that grew.
fn judge(samples: &[Sample]) -> (u64, Vec<String>) {
    // The first quarter counts as start-up.
    let samples = &samples[samples.len() / 4..];
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return (0, Vec::new()) };
    let (mut judged, mut found) = (0, Vec::new());
    for (place, (who, _)) in TRAININGS.iter().enumerate() {
        let point = |sample: &Sample| (sample.generations[place] as f64, sample.usage[place].memory as f64);
        let growth = slope(&samples.iter().map(point).collect::<Vec<_>>());
        // If the number of generations could not be read at the end, it is 0.
        let played = last.generations[place].saturating_sub(first.generations[place]);
        let is_enough = samples.len() >= LEAST_SAMPLES && played >= LEAST_GENERATIONS;
        judged += u64::from(is_enough);
        if is_enough && growth > MOST_GROWTH && growth * played as f64 > NOISE {
            found.push(format!("memory grows: {who} by {growth:.3} kB for each generation, more than {MOST_GROWTH}"));
        }
        let most =
            |part: &[Sample], what: fn(&Usage) -> u64| part.iter().map(|sample| what(&sample.usage[place])).max();
        let (early, late) = samples.split_at(samples.len() / 2);
        for (name, what) in
            [("descriptors", (|usage| usage.descriptors) as fn(&Usage) -> u64), ("threads", |usage| usage.threads)]
        {
            if let (Some(before), Some(after)) = (most(early, what), most(late, what))
                && after > before + 3
            {
                found.push(format!("{name} grow: {who} had at most {before}, later {after}"));
            }
        }
    }
    (judged, found)
}

/// The slope of the regression line through these points (least squares).
fn slope(points: &[(f64, f64)]) -> f64 {
    let number = points.len() as f64;
    let mean = |what: fn(&(f64, f64)) -> f64| points.iter().map(what).sum::<f64>() / number;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let common: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    if spread > 0.0 { common / spread } else { 0.0 }
}

/// Writes the measurements as a table and a picture into the folder for failed cases.
fn keep(siege: &Siege, samples: &[Sample]) -> Result<(), String> {
    let to_message = |error: std::io::Error| format!("siege: {}: {error}", siege.kept.display());
    std::fs::create_dir_all(&siege.kept).map_err(to_message)?;
    let names = TRAININGS.map(|(name, _)| name);
    let heads =
        names.map(|name| format!("{name}_kb,{name}_descriptors,{name}_threads,{name}_generations,{name}_file_kb"));
    let mut text = format!("seconds,{}\n", heads.join(","));
    for Sample { seconds, usage, generations, files } in samples {
        let each = [0, 1, 2].map(|place| {
            let Usage { memory, descriptors, threads } = usage[place];
            format!("{memory},{descriptors},{threads},{},{}", generations[place], files[place])
        });
        text += &format!("{seconds:.1},{}\n", each.join(","));
    }
    let table = siege.kept.join(format!("soak-{}.csv", siege.seed));
    std::fs::write(&table, text).map_err(to_message)?;
    let curves = |what: fn(&Sample, usize) -> u64| -> Vec<Curve> {
        let points = |place| samples.iter().map(|sample| (sample.seconds, what(sample, place) as f64)).collect();
        names.iter().enumerate().map(|(place, name)| Curve { name, points: points(place) }).collect()
    };
    let panels = [
        ("memory, kB", curves(|sample, place| sample.usage[place].memory)),
        ("descriptors", curves(|sample, place| sample.usage[place].descriptors)),
        ("threads", curves(|sample, place| sample.usage[place].threads)),
        ("generations", curves(|sample, place| sample.generations[place])),
        ("files, kB", curves(|sample, place| sample.files[place])),
    ];
    let figure = siege.kept.join(format!("soak-{}.svg", siege.seed));
    std::fs::write(&figure, draw(&panels)).map_err(to_message)?;
    eprintln!("soak: {} and {}", table.display(), figure.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(memory: impl Fn(u64) -> u64, threads: impl Fn(u64) -> u64) -> Vec<Sample> {
        let sample = |number: u64| {
            let usage = Usage { memory: memory(number), descriptors: 20, threads: threads(number) };
            let generations = [number * 1000, number * 100, number * 10];
            Sample { seconds: number as f64, usage: [usage; 3], generations, files: [number; 3] }
        };
        (0..100).map(sample).collect()
    }

    #[test]
    fn growth_is_a_failure_but_start_up_is_not() {
        // The third training has too few generations.
        assert_eq!(judge(&samples(|_| 20_000, |_| 8)), (2, Vec::new()));
        assert_eq!(judge(&samples(|number| 20_000 + 500 * number.min(20), |_| 8)), (2, Vec::new()));
        // Memory comes and goes.
        assert_eq!(judge(&samples(|number| 20_000 + 12 * number, |_| 8)), (2, Vec::new()));
        // Growth for each generation of a slow training is found although a fast training plays more generations.
        let (_, found) = judge(&samples(|number| 20_000 + 45 * number, |_| 8));
        assert!(found.len() == 1 && found[0].starts_with("memory grows: chess by 0.450 kB"), "{found:?}");
        let (_, found) = judge(&samples(|_| 20_000, |number| 8 + number / 5));
        assert!(found.len() == 3 && found.iter().all(|line| line.starts_with("threads grow")), "{found:?}");
        assert_eq!(judge(&[]).0, 0);
    }
}
