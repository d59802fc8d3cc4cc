//! Numbers on the command line: they are read here, and refused in plain words.

use clap::Command;
use std::any::TypeId;
use std::ops::{Bound, RangeBounds};

/// Reads a whole number within these bounds.
pub fn whole<N: TryFrom<u64>>(
    bounds: impl RangeBounds<u64> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    let low = match bounds.start_bound() {
        Bound::Included(&low) => low,
        Bound::Excluded(&below) => below + 1,
        Bound::Unbounded => 0,
    };
    let high = match bounds.end_bound() {
        Bound::Included(&high) => high,
        Bound::Excluded(&above) => above - 1,
        Bound::Unbounded => u64::MAX,
    };
    move |text| match text.parse::<i128>() {
        Ok(number) if number < low.into() => Err(format!("it must be at least {low}")),
        Ok(number) => match u64::try_from(number).ok().filter(|number| *number <= high).map(N::try_from) {
            Some(Ok(number)) => Ok(number),
            _ => Err(format!("it must be at most {high}")),
        },
        Err(_) if high >= MOST => Err(format!("it is not a whole number; give one from {low} up")),
        Err(_) => Err(format!("it is not a whole number; give one from {low} to {high}")),
    }
}

/// The greatest whole number that files store. Nobody needs to read it as a bound.
pub const MOST: u64 = i64::MAX as u64;

/// Reads a number, which may have decimal places.
pub fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "it is not a number, such as 9 or 13.5".to_string())
}

/// Lets every option that takes a number accept one with a minus, so that it is refused as too small and not as an
/// unknown option.
pub fn with_minus(command: Command) -> Command {
    let command = command.mut_args(|arg| match is_number(&arg) {
        true => arg.allow_negative_numbers(true),
        false => arg,
    });
    command.mut_subcommands(with_minus)
}

fn is_number(arg: &clap::Arg) -> bool {
    let numbers = [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    let found = arg.get_value_parser().type_id();
    numbers.iter().any(|number| found == *number) || found == TypeId::of::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Cli;
    use clap::{Arg, CommandFactory};

    #[test]
    fn wrong_numbers_are_refused_in_plain_words() {
        #[track_caller]
        fn check(
            bounds: impl RangeBounds<u64> + Clone + Send + Sync + 'static,
            text: &str,
            expected: Result<u16, &str>,
        ) {
            assert_eq!(whole::<u16>(bounds)(text), expected.map_err(str::to_string));
        }
        check(2..=9, "2", Ok(2));
        check(2..=9, "9", Ok(9));
        check(2..=9, "1", Err("it must be at least 2"));
        check(2..=9, "-1", Err("it must be at least 2"));
        check(2..=9, "10", Err("it must be at most 9"));
        check(2..=9, "18446744073709551616", Err("it must be at most 9"));
        check(2..=9, "x", Err("it is not a whole number; give one from 2 to 9"));
        check(1..=MOST, "2.5", Err("it is not a whole number; give one from 1 up"));
        check(0.., "", Err("it is not a whole number; give one from 0 up"));
        assert!(number("13.5").is_ok() && number("x").is_err());
    }

    /// Every number of every command is read here.
    #[test]
    fn all_numbers_of_all_commands_are_read_in_the_same_way() {
        fn check(command: &Command, checked: &mut usize) {
            for arg in command.get_arguments().filter(|arg| is_number(arg)) {
                let alone = Arg::new("number").value_parser(arg.get_value_parser().clone());
                let error =
                    Command::new("test").arg(alone).try_get_matches_from(["test", "x"]).unwrap_err().to_string();
                assert!(error.contains("it is not a "), "{} {}: {error}", command.get_name(), arg.get_id());
                assert!(arg.is_allow_negative_numbers_set(), "{} {}", command.get_name(), arg.get_id());
                *checked += 1;
            }
            command.get_subcommands().for_each(|command| check(command, checked));
        }
        let mut checked = 0;
        check(&with_minus(Cli::command()), &mut checked);
        assert!(checked > 30, "{checked}");
    }
}
