//! Peak memory use of this program.

use std::fs;

/// Returns the peak so far, in KiB. Returns `None` if the system has no such figure.
pub fn peak() -> Option<u64> {
    parse(&fs::read_to_string("/proc/self/status").ok()?)
}

/// Parses Linux's status file of a program.
fn parse(status: &str) -> Option<u64> {
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peak_is_read_from_the_status_file() {
        assert_eq!(
            parse("VmPeak:\t   99999 kB\nVmHWM:\t   12345 kB\nVmRSS:\t 1 kB\n"),
            Some(12345)
        );
        assert_eq!(parse("VmRSS:\t 1 kB\n"), None);
        assert_eq!(peak().is_some(), cfg!(target_os = "linux"));
    }
}
