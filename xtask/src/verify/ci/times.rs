//! How long each step took.

use std::fmt;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::processor;

/// The times of steps, in the order in which they ended. As text, a table.
#[derive(Serialize, Deserialize)]
pub struct Times {
    steps: Vec<(String, Taken)>,
    #[serde(skip, default = "Instant::now")]
    start: Instant,
}

/// What a step took.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Taken {
    clock: Duration,
    /// Of the programs that it ran, on all processors. `None` where the system does not tell.
    processor: Option<Duration>,
}

impl Times {
    pub fn start() -> Self {
        Self { steps: Vec::new(), start: Instant::now() }
    }

    /// Runs a step and notes its times, also if it fails.
    pub fn of<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let (start, worked) = (Instant::now(), processor::of_programs());
        let result = work();
        let processor = processor::of_programs().zip(worked).map(|(now, before)| now - before);
        self.steps.push((name.to_owned(), Taken { clock: start.elapsed(), processor }));
        result
    }

    /// Adds what another process noted.
    pub fn add(&mut self, other: Self) {
        self.steps.extend(other.steps);
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Steps that run side by side take less than their sum.
        let clock = self.start.elapsed();
        // `None` if one is.
        let processor = self.steps.iter().map(|(_, taken)| taken.processor).sum();
        let all = Taken { clock, processor };
        writeln!(f, "{:42} {:>8} {:>8} {:>8}", "step", "clock", "of all", "work")?;
        for (name, taken) in self.steps.iter().chain([&("all".to_owned(), all)]) {
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
        let mut times = Times::start();
        times.add(Times {
            steps: vec![("lints".to_owned(), taken(30, Some(50)))],
            ..Times::start()
        });
        times.steps.push(("tests".to_owned(), taken(90, Some(150))));
        // Side by side.
        times.start -= Duration::from_secs(100);
        let text = times.to_string();
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines: Vec<_> = text.lines().map(words).collect();
        assert_eq!(lines[1], "lints 30.0 s 30.0 % 50.0 s");
        assert_eq!(lines[2], "tests 90.0 s 90.0 % 150.0 s");
        assert_eq!(lines[3], "all 100.0 s 100.0 % 200.0 s");
        times.steps.push(("more".to_owned(), taken(1, None)));
        assert!(times.to_string().ends_with(" unknown\n"));
    }

    #[test]
    fn a_failed_step_is_in_the_table() {
        let mut times = Times::start();
        assert_eq!(times.of("first", || Err::<(), _>("failed")), Err("failed"));
        assert!(times.to_string().contains("first"));
    }
}
