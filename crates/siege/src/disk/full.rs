//! Real limits of the system: a small file system in memory that becomes full, and a limit on the size of files.

use super::{TRAINING, check_end, check_exit, reference};
use crate::cases::Case;
use crate::gamete::finish;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A small file system in memory, unmounted at the end.
struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts it; `None` if that fails, usually because root rights are missing.
    fn mount(folder: &Path, kilobytes: u64) -> Option<SmallDisk> {
        std::fs::create_dir_all(folder).ok()?;
        let size = format!("size={kilobytes}k");
        let done = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "siege"]).arg(folder).output().ok()?;
        done.status.success().then(|| SmallDisk { folder: folder.to_path_buf() })
    }

    /// Enlarges it to 64 MB; returns whether that worked.
    fn grow(&self) -> bool {
        let grown = Command::new("mount").args(["-o", "remount,size=64m"]).arg(&self.folder).output();
        grown.is_ok_and(|done| done.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.folder).output();
    }
}

/// Trains on a disk that becomes full, and resumes when it has room again.
pub fn small_disk(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let reference = reference(siege)?;
    let kilobytes = 40 + case.rng.below(1200) as u64;
    let folder = case.folder.clone();
    let Some(disk) = SmallDisk::mount(&folder.join("runs"), kilobytes) else {
        case.count("no right to mount", 1);
        // `--share` must run on every machine, but a complete attack needs the mount.
        return if siege.share { Ok(()) } else { Err("no right to mount: run the siege as root".to_string()) };
    };
    case.count("small disks", 1);
    let with_details = |error: String| format!("{error} (a disk of {kilobytes} kB)");
    let answer = siege.gamete.run(&folder, TRAINING);
    check_exit(siege, &answer, &folder, &reference).map_err(with_details)?;
    if !disk.grow() {
        return Err("siege: cannot enlarge the small disk".to_string());
    }
    let ended = check_end(siege, &folder, &reference).map_err(with_details);
    if ended.is_err() {
        // The files are in memory and would be lost with the disk.
        let _ = crate::cases::copy_folder(&folder.join("runs"), &folder.join("kept"));
    }
    ended
}

/// Trains with a limit on the size of files. Beyond it the system sends SIGXFSZ.
pub fn limited_file(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let reference = reference(siege)?;
    let kilobytes = 8 + case.rng.below(600);
    let folder = case.folder.clone();
    // `ulimit -f` counts blocks of 512 bytes.
    let script = format!("ulimit -f {}; exec \"$@\"", 2 * kilobytes);
    let command = siege.gamete.command_behind(&folder, &["sh", "-c", &script, "sh"], TRAINING);
    let answer = finish(command, TRAINING);
    case.count("limited files", 1);
    let with_details = |error: String| format!("{error} (a limit of {kilobytes} kB)");
    check_exit(siege, &answer, &folder, &reference).map_err(with_details)?;
    check_end(siege, &folder, &reference).map_err(with_details)
}
