//! How far a lab is, and how long it will take yet.

use super::folder::LabFolder;
use super::member::MemberLine;
use runs::RunFile;

/// A member that is to be trained.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// The number of its configuration.
    pub configuration: usize,
    pub name: String,
    /// Up to so many generations, or to its end.
    pub until: Option<u64>,
}

/// A member's work, as far as it is known.
pub(super) struct MemberProgress {
    pub wanted: Wanted,
    pub done: bool,
    generation: u64,
    aim: Option<u64>,
    cpu_seconds: f64,
}

impl MemberProgress {
    /// What its run says of it.
    pub fn look(folder: &LabFolder, wanted: Wanted) -> MemberProgress {
        let Wanted { name, until, .. } = &wanted;
        let run = RunFile::open(&folder.file(name)).ok();
        let last = run.as_ref().and_then(|run| run.last_report().ok().flatten());
        let times = run.as_ref().and_then(|run| run.times().ok()).unwrap_or_default();
        let aim = || folder.experiment(name).ok().and_then(|experiment| experiment.aim());
        MemberProgress {
            done: folder.is_done(name, *until),
            generation: last.map_or(0, |report| report.generation),
            aim: until.or_else(aim),
            cpu_seconds: times.cpu_seconds,
            wanted,
        }
    }

    /// What its run says now.
    pub fn look_again(&mut self, folder: &LabFolder) {
        *self = MemberProgress::look(folder, self.wanted.clone());
    }

    /// What its process says of it.
    pub fn hear(&mut self, line: MemberLine) {
        (self.generation, self.aim) = (line.generation, Some(line.aim));
        self.cpu_seconds = self.cpu_seconds.max(line.cpu_seconds);
    }
}

/// Before the machine's pace can be told, all cores are taken to be ours.
const PACE_AFTER: f64 = 5.0;

/// What was there when a lab was started, so that what the machine does since can be told.
pub(super) struct TimeLeft {
    cpu_seconds: f64,
    workers: usize,
}

impl TimeLeft {
    pub fn begin(works: &[MemberProgress], workers: usize) -> TimeLeft {
        TimeLeft { cpu_seconds: works.iter().map(|work| work.cpu_seconds).sum(), workers }
    }

    /// The share of all work that is done, and the seconds that are left, after so many seconds. Members cost what others
    /// of their configuration have cost for each generation; configurations of which nothing is known cost the mean of
    /// all. The cores may have other work: what they did for this lab so far is what they are taken to do on.
    pub fn of(&self, works: &[MemberProgress], seconds: f64) -> (f64, Option<f64>) {
        let configurations = works.iter().map(|work| work.wanted.configuration + 1).max().unwrap_or(0);
        let mut known = vec![(0.0, 0u64); configurations];
        for work in works {
            known[work.wanted.configuration].0 += work.cpu_seconds;
            known[work.wanted.configuration].1 += work.generation;
        }
        let (cpu_seconds, generations) = known.iter().fold((0.0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
        if cpu_seconds == 0.0 || generations == 0 {
            return (0.0, None);
        }
        let cost = |work: &MemberProgress| match known[work.wanted.configuration] {
            (cpu_seconds, generations) if cpu_seconds > 0.0 && generations > 0 => cpu_seconds / generations as f64,
            _ => cpu_seconds / generations as f64,
        };
        let (mut done, mut left) = (0.0, 0.0);
        for work in works {
            let aim = work.aim.unwrap_or(work.generation).max(work.generation);
            done += cost(work) * work.generation as f64;
            if !work.done {
                left += cost(work) * (aim - work.generation) as f64;
            }
        }
        let since = cpu_seconds - self.cpu_seconds;
        let pace = if seconds >= PACE_AFTER && since > 0.0 { since / seconds } else { self.workers as f64 };
        (done / (done + left).max(f64::MIN_POSITIVE), Some(left / pace.min(self.workers as f64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(configuration: usize, generation: u64, cpu_seconds: f64) -> MemberProgress {
        let done = generation == 100;
        let wanted = Wanted { configuration, name: String::new(), until: None };
        MemberProgress { wanted, done, generation, aim: Some(100), cpu_seconds }
    }

    #[track_caller]
    fn check(works: &[MemberProgress], seconds: f64, share: f64, left: f64) {
        let begun = [work(0, 0, 0.0)];
        let (found, seconds_left) = TimeLeft::begin(&begun, 2).of(works, seconds);
        assert!(
            (found - share).abs() < 1e-9 && (seconds_left.unwrap() - left).abs() < 1e-9,
            "{found} {seconds_left:?}"
        );
    }

    #[test]
    fn what_is_left_is_told_by_what_was_done() {
        assert_eq!(TimeLeft::begin(&[work(0, 0, 0.0)], 2).of(&[work(0, 0, 0.0)], 9.0), (0.0, None));
        // One done in 20 seconds, one half done, one waiting: 30 seconds of work are left, on two cores.
        let same = [work(0, 100, 20.0), work(0, 50, 10.0), work(0, 0, 0.0)];
        check(&same, 15.0, 0.5, 15.0);
        // On a machine that gave one core only, twice as long.
        check(&same, 30.0, 0.5, 30.0);
        // Moments after the start nothing is known of the machine.
        check(&same, 1.0, 0.5, 15.0);
        // Each configuration costs what it does; an unknown one the mean of the others.
        check(&[work(0, 100, 10.0), work(1, 100, 30.0), work(1, 0, 0.0)], 20.0, 40.0 / 70.0, 15.0);
        check(&[work(0, 100, 10.0), work(1, 100, 30.0), work(2, 0, 0.0)], 20.0, 40.0 / 60.0, 10.0);
    }

    #[test]
    fn what_was_done_before_says_nothing_of_the_pace() {
        let before = TimeLeft::begin(&[work(0, 100, 20.0), work(0, 0, 0.0)], 1);
        let (_, left) = before.of(&[work(0, 100, 20.0), work(0, 50, 10.0)], 20.0);
        assert_eq!(left, Some(20.0));
    }
}
