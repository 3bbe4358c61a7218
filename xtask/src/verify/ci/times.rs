//! How long each step took.

use std::fmt;
use std::time::{Duration, Instant};

use crate::verify::bench::processor;

/// The times of steps, in order. As text, a table.
pub struct Times {
    steps: Vec<(&'static str, Taken)>,
}

/// What a step took.
#[derive(Clone, Copy)]
struct Taken {
    clock: Duration,
    /// Of the programs that it ran, on all processors. `None` where the system does not tell.
    processor: Option<Duration>,
}

impl Times {
    pub fn start() -> Self {
        Self { steps: Vec::new() }
    }

    /// Runs a step and notes its times, also if it fails.
    pub fn of<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let (start, worked) = (Instant::now(), processor::of_programs());
        let result = work();
        let processor = processor::of_programs().zip(worked).map(|(now, before)| now - before);
        self.steps.push((name, Taken { clock: start.elapsed(), processor }));
        result
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock: Duration = self.steps.iter().map(|(_, taken)| taken.clock).sum();
        // `None` if one is.
        let processor = self.steps.iter().map(|(_, taken)| taken.processor).sum();
        let all = Taken { clock, processor };
        writeln!(f, "{:42} {:>8} {:>8} {:>8}", "step", "clock", "of all", "work")?;
        for (name, taken) in self.steps.iter().chain([&("all", all)]) {
            let share = 100.0 * taken.clock.as_secs_f64() / clock.as_secs_f64().max(f64::EPSILON);
            write!(f, "{name:42} {:>6.1} s {share:>6.1} %", taken.clock.as_secs_f64())?;
            match taken.processor {
                Some(processor) => writeln!(f, " {:>6.1} s", processor.as_secs_f64())?,
                None => writeln!(f, " {:>8}", "unknown")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_ends_with_the_sums() {
        let taken = |clock, processor: Option<u64>| Taken {
            clock: Duration::from_secs(clock),
            processor: processor.map(Duration::from_secs),
        };
        let mut times = Times { steps: vec![("lints", taken(30, Some(50)))] };
        times.steps.push(("tests", taken(90, Some(150))));
        let text = times.to_string();
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines: Vec<_> = text.lines().map(words).collect();
        assert_eq!(lines[1], "lints 30.0 s 25.0 % 50.0 s");
        assert_eq!(lines[2], "tests 90.0 s 75.0 % 150.0 s");
        assert_eq!(lines[3], "all 120.0 s 100.0 % 200.0 s");
        times.steps.push(("more", taken(1, None)));
        assert!(times.to_string().ends_with(" unknown\n"));
    }

    #[test]
    fn a_step_that_fails_is_in_the_table() {
        let mut times = Times::start();
        assert_eq!(times.of("first", || Err::<(), _>("failed")), Err("failed"));
        assert!(times.to_string().contains("first"));
    }
}
