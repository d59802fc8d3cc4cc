//! `gamete engine-guard`: becomes an engine that ends when the program that started it ends.

use crate::commands::{Out, Run};
use crate::numbers::whole;
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::Args;
use lab::Error;

/// Become an engine that ends with the program that started it; players that are engines are started like this
#[derive(Args)]
pub struct EngineGuardArgs {
    /// The number of the process that wants the engine
    #[arg(value_parser = whole::<u32>(0..=u32::MAX.into()))]
    parent: u32,
    /// The engine's command
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

impl Run for EngineGuardArgs {
    fn run(self, _: &mut Out, _: &Stop) -> Result<Done, Failure> {
        let mut command = std::process::Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        Err(Error::refused(format!("{} could not be started: {}", self.command[0], replace_by(command, self.parent)))
            .into())
    }
}

/// Replaces this process by a command, and lets it be killed when the parent process ends. Returns only if that fails.
#[cfg(target_os = "linux")]
fn replace_by(mut command: std::process::Command, parent: u32) -> std::io::Error {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    match set_parent_process_death_signal(Some(Signal::KILL)) {
        // If the parent process has ended already, another process has become the parent.
        Ok(()) if getppid().is_some_and(|now| now.as_raw_pid() == parent as i32) => {
            std::os::unix::process::CommandExt::exec(&mut command)
        }
        Ok(()) => std::io::Error::other("the program that wanted it has ended"),
        Err(error) => error.into(),
    }
}

#[cfg(not(target_os = "linux"))]
fn replace_by(mut command: std::process::Command, _: u32) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
