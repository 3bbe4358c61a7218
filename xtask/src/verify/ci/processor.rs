//! Processor time of the programs that this program ran.
//!
//! Other load on the machine hardly changes it, while the elapsed time may double.

use std::fs;
use std::time::Duration;

/// The time in user and kernel mode of all child processes that ended, and of their children. `None` where
/// the system does not report it.
pub fn of_programs() -> Option<Duration> {
    parse(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// Linux reports it in ticks, a hundred a second on every processor.
fn parse(stat: &str) -> Option<Duration> {
    // The second field is a name in brackets, which may hold anything; the numbers start after it.
    let (_, after) = stat.rsplit_once(')')?;
    let mut ticks = after.split_whitespace().skip(13).map(str::parse::<u64>);
    let (user, kernel) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    Some(Duration::from_millis((user + kernel) * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_ended_programs_are_found() {
        let stat = "42 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 250 50 20 0 1";
        assert_eq!(parse(stat), Some(Duration::from_secs(3)));
        assert_eq!(parse("42 (a) S 1 2"), None);
        assert_eq!(parse(""), None);
    }
}
