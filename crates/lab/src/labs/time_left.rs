//! The progress of a lab, and an estimate of the time that it still needs.

use super::folder::LabFolder;
use super::member::MemberLine;
use runs::RunFile;

/// A member to train.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// The number of its configuration.
    pub configuration: usize,
    pub name: String,
    /// The number of generations to train it to; `None` means to its end.
    pub until: Option<u64>,
}

/// The progress of a member.
pub(super) struct MemberProgress {
    pub wanted: Wanted,
    pub done: bool,
    generation: u64,
    aim: Option<u64>,
    cpu_seconds: f64,
}

impl MemberProgress {
    /// Reads the progress from the member's run.
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

    /// Reads the progress again.
    pub fn look_again(&mut self, folder: &LabFolder) {
        *self = MemberProgress::look(folder, self.wanted.clone());
    }

    /// Updates the progress with a line from the member's process.
    pub fn hear(&mut self, line: MemberLine) {
        (self.generation, self.aim) = (line.generation, Some(line.aim));
        self.cpu_seconds = self.cpu_seconds.max(line.cpu_seconds);
    }
}

/// Seconds after which the speed of the machine is measured. Before, the estimate assumes that all cores are free.
const PACE_AFTER: f64 = 5.0;

/// The state when a lab was started, from which the speed since then is measured.
pub(super) struct TimeLeft {
    cpu_seconds: f64,
    workers: usize,
}

impl TimeLeft {
    pub fn begin(members: &[MemberProgress], workers: usize) -> TimeLeft {
        TimeLeft { cpu_seconds: members.iter().map(|member| member.cpu_seconds).sum(), workers }
    }

    /// Changes the number of members that are trained at the same time.
    pub fn set_workers(&mut self, workers: usize) {
        self.workers = workers;
    }

    /// The share of all work that is done, and the estimated seconds that are left, `seconds` after the start. A
    /// generation is assumed to cost as much as the mean of its configuration so far, or the mean of all configurations
    /// if there is none yet. The machine may do other work, so the estimate uses the speed that this lab has had so
    /// far.
    pub fn of(&self, members: &[MemberProgress], seconds: f64) -> (f64, Option<f64>) {
        let configurations = members.iter().map(|member| member.wanted.configuration + 1).max().unwrap_or(0);
        let mut known = vec![(0.0, 0u64); configurations];
        for member in members {
            known[member.wanted.configuration].0 += member.cpu_seconds;
            known[member.wanted.configuration].1 += member.generation;
        }
        let (cpu_seconds, generations) = known.iter().fold((0.0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
        if cpu_seconds == 0.0 || generations == 0 {
            return (0.0, None);
        }
        let cost = |member: &MemberProgress| match known[member.wanted.configuration] {
            (cpu_seconds, generations) if cpu_seconds > 0.0 && generations > 0 => cpu_seconds / generations as f64,
            _ => cpu_seconds / generations as f64,
        };
        let (mut done, mut left) = (0.0, 0.0);
        for member in members {
            let aim = member.aim.unwrap_or(member.generation).max(member.generation);
            done += cost(member) * member.generation as f64;
            if !member.done {
                left += cost(member) * (aim - member.generation) as f64;
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

    fn member(configuration: usize, generation: u64, cpu_seconds: f64) -> MemberProgress {
        let done = generation == 100;
        let wanted = Wanted { configuration, name: String::new(), until: None };
        MemberProgress { wanted, done, generation, aim: Some(100), cpu_seconds }
    }

    #[track_caller]
    fn check(members: &[MemberProgress], seconds: f64, share: f64, left: f64) {
        let begun = [member(0, 0, 0.0)];
        let (found, seconds_left) = TimeLeft::begin(&begun, 2).of(members, seconds);
        assert!(
            (found - share).abs() < 1e-9 && (seconds_left.unwrap() - left).abs() < 1e-9,
            "{found} {seconds_left:?}"
        );
    }

    #[test]
    fn time_left_is_estimated_from_work_done() {
        assert_eq!(TimeLeft::begin(&[member(0, 0, 0.0)], 2).of(&[member(0, 0, 0.0)], 9.0), (0.0, None));
        // One done in 20 seconds, one half done, one waiting: 30 seconds of work are left, on two cores.
        let same = [member(0, 100, 20.0), member(0, 50, 10.0), member(0, 0, 0.0)];
        check(&same, 15.0, 0.5, 15.0);
        // If only one core was free, it takes twice as long.
        check(&same, 30.0, 0.5, 30.0);
        // Shortly after the start the speed is not known yet.
        check(&same, 1.0, 0.5, 15.0);
        // Each configuration has its own cost; one without data has the mean of the others.
        check(&[member(0, 100, 10.0), member(1, 100, 30.0), member(1, 0, 0.0)], 20.0, 40.0 / 70.0, 15.0);
        check(&[member(0, 100, 10.0), member(1, 100, 30.0), member(2, 0, 0.0)], 20.0, 40.0 / 60.0, 10.0);
    }

    #[test]
    fn work_from_before_the_start_is_not_part_of_the_speed() {
        let before = TimeLeft::begin(&[member(0, 100, 20.0), member(0, 0, 0.0)], 1);
        let (_, left) = before.of(&[member(0, 100, 20.0), member(0, 50, 10.0)], 20.0);
        assert_eq!(left, Some(20.0));
    }
}
