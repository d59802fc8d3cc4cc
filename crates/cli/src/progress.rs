//! Shows the progress of long work on standard error: a bar on a terminal, a line every few seconds elsewhere.

use crate::arguments::RunsArg;
use crate::signals::Stop;
use crate::words::{count, percent, span};
use arena::Exam;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::Watcher;
use players::Notice;
use runs::Times;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use trainer::Report;

/// A bar that counts games. It is visible only on a terminal.
pub fn games_bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(8));
    bar.set_style(style("{bar:20} {pos}/{len} games  {eta} left"));
    bar.tick();
    bar
}

/// A bar that counts test positions.
pub fn positions_bar(positions: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(positions), ProgressDrawTarget::stderr_with_hz(8));
    bar.set_style(style("{bar:20} {pos}/{len} positions  {eta} left"));
    bar.tick();
    bar
}

/// A bar that counts configurations that have been tried.
pub fn configurations_bar(configurations: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(configurations), ProgressDrawTarget::stderr_with_hz(8));
    bar.set_style(style("{bar:20} {pos}/{len} configurations tried  {eta} left"));
    bar.tick();
    bar
}

/// Shows the computation of endgame tables: a bar on a terminal, a line for each quarter elsewhere.
#[derive(Default)]
pub struct Teller(Mutex<Shown>);

#[derive(Default)]
struct Shown {
    bar: Option<ProgressBar>,
    quarters: u32,
}

impl Teller {
    pub fn tell(&self, notice: Notice) {
        let Ok(mut shown) = self.0.lock() else { return };
        match &notice {
            Notice::Building { share, .. } if std::io::stderr().is_terminal() => {
                let bar = shown.bar.get_or_insert_with(|| {
                    let bar = ProgressBar::with_draw_target(Some(100), ProgressDrawTarget::stderr_with_hz(8));
                    bar.set_style(style("{bar:20} computing endgame tables  {eta} left"));
                    bar
                });
                bar.set_position((100.0 * share) as u64);
            }
            Notice::Building { share, .. } => {
                let quarters = (4.0 * share) as u32;
                if quarters > shown.quarters {
                    shown.quarters = quarters;
                    tell!("{notice}");
                }
            }
            Notice::Kept(_) | Notice::Damaged { .. } | Notice::NotKept { .. } => {
                if let Some(bar) = shown.bar.take() {
                    bar.finish_and_clear();
                }
                tell!("{notice}");
            }
        }
    }
}

/// The look of all bars.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is valid").progress_chars("━╸ ")
}

/// Shows the progress of a training on standard error.
pub struct Progress {
    /// Receives the message for the case that the program is ended: up to which generation the run is saved.
    stop: Stop,
    /// The flag that a suggested command needs to find the folder of runs.
    flag: String,
    run: String,
    file: String,
    bar: Option<ProgressBar>,
    generations: u64,
    done_before: u64,
    begun: Instant,
    looked: Instant,
    /// The last exam and its generation. It is shown until the next one.
    exam: Option<(u64, Exam)>,
}

/// The time between two lines if no bar can be drawn.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// The time between two changes of the bar; nobody could read more.
const BAR_EVERY: Duration = Duration::from_millis(100);

impl Progress {
    pub fn new(stop: &Stop, runs: &RunsArg) -> Progress {
        stop.set_last_words("ended before the training began; nothing was changed".to_string());
        let now = Instant::now();
        Progress {
            stop: stop.clone(),
            flag: runs.flag(),
            run: String::new(),
            file: String::new(),
            bar: None,
            generations: 0,
            done_before: 0,
            begun: now,
            looked: now,
            exam: None,
        }
    }

    /// Sets the message for the case that the program is ended now: up to which generation the run is saved.
    fn set_saved(&self, generation: u64) {
        let Progress { run, file, flag, .. } = self;
        self.stop.set_last_words(format!(
            "ended before the next generation was done; {file} is complete up to generation {generation}; continue with: gamete resume {run}{flag}"
        ));
    }

    /// Whether the training has played anything: a generation or the last champion's matches.
    pub fn has_begun(&self) -> bool {
        !self.run.is_empty()
    }

    /// Removes the bar.
    pub fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Watcher for Progress {
    fn begin(&mut self, run: &str, file: &Path, done: u64, generations: u64) {
        self.begun = Instant::now();
        (self.done_before, self.generations) = (done, generations);
        (self.run, self.file) = (run.to_string(), file.display().to_string());
        self.set_saved(done);
        match done {
            0 => tell!("training {run} in {}; Ctrl-C stops it without loss", file.display()),
            _ => tell!("continuing {run} in {} after generation {done}", file.display()),
        }
        if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(generations), ProgressDrawTarget::stderr_with_hz(10));
            bar.set_style(style(if is_narrow() { "{bar:8} {msg}" } else { "{bar:20} {msg}" }));
            bar.set_position(done);
            bar.set_message(format!("generation {}/{generations}", done + 1));
            bar.tick();
            self.bar = Some(bar);
        }
    }

    fn generation(&mut self, report: &Report, _: Times) {
        self.set_saved(report.generation);
        if let Some(exam) = &report.exam {
            self.exam = Some((report.generation, exam.clone()));
        }
        let now = Instant::now();
        let every = if self.bar.is_some() { BAR_EVERY } else { LINE_EVERY };
        if now.duration_since(self.looked) < every {
            return;
        }
        self.looked = now;
        let rate =
            (report.generation - self.done_before) as f64 / now.duration_since(self.begun).as_secs_f64().max(1e-9);
        let left = (self.generations - report.generation) as f64 / rate.max(1e-9);
        match &self.bar {
            Some(bar) => {
                bar.set_position(report.generation);
                bar.set_message(self.words(report, rate, left, is_narrow()));
            }
            None => tell!("{}", self.words(report, rate, left, false)),
        }
    }

    fn finals(&mut self, done: u64, games: u64) {
        match &self.bar {
            Some(bar) => bar.set_message(format!("the last champion's matches: {done}/{games} games")),
            None if done == games => tell!("the last champion's matches: {}", count(games, "game")),
            None => {}
        }
    }
}

impl Progress {
    /// Generation, grade, score, turns, size of the champion, rate and time left, in one line; shortened if `narrow`. A
    /// grade of an earlier generation has that generation behind it in brackets.
    fn words(&self, report: &Report, rate: f64, left: f64, narrow: bool) -> String {
        let older = |examined: u64| match (report.generation > examined, narrow) {
            (false, _) => String::new(),
            (true, true) => format!(" ({examined})"),
            (true, false) => format!(" (generation {examined})"),
        };
        let grade = self.exam.as_ref().map(|(examined, exam)| format!("{}{}", percent(exam.grade()), older(*examined)));
        let grade = grade.unwrap_or("-".to_string());
        let rate = if rate >= 10.0 { format!("{rate:.0}") } else { format!("{rate:.1}") };
        let (generation, generations, left) = (report.generation, self.generations, span(left));
        if narrow {
            return format!(
                "{generation}/{generations}  grade {grade}  score {:.1}  turns {:.1}  net {}+{}  {rate}/s  {left}",
                report.best_score, report.mean_turns, report.champion_hidden, report.champion_edges
            );
        }
        format!(
            "generation {generation}/{generations}  grade {grade}  score {:.2}  turns {:.1}  nodes {}  edges {}  {rate}/s  {left} left",
            report.best_score, report.mean_turns, report.champion_hidden, report.champion_edges
        )
    }
}

/// Whether the terminal is too narrow for the full line.
fn is_narrow() -> bool {
    console::Term::stderr().size().1 < 130
}
