//! Shows the progress of a lab: one bar for the whole lab and a line for each running member. Without a terminal, it
//! prints a line when a member is finished.

use crate::plain;
use crate::progress::style;
use crate::words::{percent, span};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget};
use lab::{LabFolder, LabWatcher, MemberLine, MemberState};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Shows the progress of a lab on standard error.
pub struct LabProgress {
    folder: String,
    bars: Option<(MultiProgress, ProgressBar)>,
    running: Vec<(String, Option<ProgressBar>)>,
    members: usize,
    done: usize,
    last_line: Instant,
    share: f64,
    seconds_left: Option<f64>,
    quiet: bool,
}

impl Drop for LabProgress {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The time between two lines if no bar can be drawn.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// The length of the bar; its position is the share of the work that is done.
const PARTS: u64 = 1000;

impl LabProgress {
    pub fn new(folder: &LabFolder) -> LabProgress {
        LabProgress {
            folder: folder.path().display().to_string(),
            bars: None,
            running: Vec::new(),
            members: 0,
            done: 0,
            last_line: Instant::now(),
            share: 0.0,
            seconds_left: None,
            quiet: false,
        }
    }

    /// Shows only the progress of the whole lab, not that of each member.
    pub fn quiet(folder: &LabFolder) -> LabProgress {
        let mut progress = LabProgress::new(folder);
        progress.quiet = true;
        progress
    }

    /// Removes the bars.
    pub fn finish(&mut self) {
        if let Some((bars, _)) = self.bars.take() {
            let _ = bars.clear();
        }
    }

    fn words(&self) -> String {
        let left = self.seconds_left.map_or(String::new(), |left| format!("  {} left", span(left)));
        format!("{}/{} members  {}{left}", self.done, self.members, percent(self.share))
    }

    fn say(&self, line: &str) {
        match &self.bars {
            Some((bars, _)) => {
                let _ = bars.println(plain::line(line));
            }
            None => tell!("{line}"),
        }
    }
}

impl LabWatcher for LabProgress {
    fn begin(&mut self, members: usize, finished: usize) {
        (self.members, self.done) = (members, finished);
        let before = if finished > 0 { format!(", {finished} of them finished before") } else { String::new() };
        if !self.quiet {
            tell!("{members} members{before}, in {}; Ctrl-C stops without loss", self.folder);
        }
        if std::io::stderr().is_terminal() {
            let bars = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(8));
            let all = bars.add(ProgressBar::new(PARTS));
            all.set_style(style("{bar:20} {msg}"));
            all.tick();
            self.bars = Some((bars, all));
        }
    }

    fn start(&mut self, member: &str, threads: usize) {
        let bar = self.bars.as_ref().map(|(bars, _)| {
            let bar = bars.add(ProgressBar::new(1));
            bar.set_style(style("  {bar:12} {wide_msg}"));
            let threads = if threads > 1 { format!("  on {threads} cores") } else { String::new() };
            bar.set_message(plain::line(&format!("{member}{threads}")));
            bar
        });
        self.running.push((member.to_string(), bar));
    }

    fn member(&mut self, member: &str, line: MemberLine) {
        let found = self.running.iter().find(|(name, _)| name == member);
        if let Some((_, Some(bar))) = found {
            bar.set_length(line.aim);
            bar.set_position(line.generation);
            let grade = line.grade.map_or(String::new(), |grade| format!("  grade {}", percent(grade)));
            bar.set_message(plain::line(&format!("{member}  {}/{}{grade}", line.generation, line.aim)));
        }
    }

    fn end(&mut self, member: &str, state: &MemberState) {
        let place = self.running.iter().position(|(name, _)| name == member);
        if let Some((_, Some(bar))) = place.map(|place| self.running.remove(place)) {
            bar.finish_and_clear();
        }
        self.done += usize::from(*state == MemberState::Finished);
        match state {
            MemberState::Failed(why) => self.say(&format!("{member} failed: {why}")),
            MemberState::Finished if self.bars.is_none() && !self.quiet => {
                self.last_line = Instant::now();
                self.say(&format!("{member} finished; {}", self.words()));
            }
            MemberState::Finished | MemberState::Waiting | MemberState::Running | MemberState::Interrupted => {}
        }
    }

    fn progress(&mut self, share: f64, seconds_left: Option<f64>) {
        (self.share, self.seconds_left) = (share, seconds_left);
        match &self.bars {
            Some((_, all)) => {
                all.set_position((share * PARTS as f64) as u64);
                all.set_message(self.words());
            }
            None if self.last_line.elapsed() >= LINE_EVERY => {
                self.last_line = Instant::now();
                self.say(&self.words());
            }
            None => {}
        }
    }
}
