//! Steps that run side by side, each in a process of its own. What a step prints follows when it has ended, so that
//! the lines of two do not mix.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Context, Result};

use super::times::Times;
use super::{Place, Step};
use crate::output::{out, outln};

/// How many steps run at once. One alone leaves a processor idle for a third of the time, and two still do at times:
/// programs are linked, and emulators run, one at a time.
const AT_ONCE: usize = 3;

/// The waiting steps and the running steps.
struct Work<'s, 't> {
    waiting: Vec<&'s Step>,
    running: Vec<Place>,
    failed: Option<anyhow::Error>,
    times: &'t mut Times,
}

impl<'s> Work<'s, '_> {
    /// Takes the first step whose place is free. `None` if there is none now.
    fn take(&mut self) -> Option<&'s Step> {
        let next = (0..self.waiting.len()).find(|nth| self.is_free(*nth))?;
        let step = self.waiting.remove(next);
        self.running.push(step.1);
        Some(step)
    }

    /// Whether the step that is the `nth` to wait can begin.
    fn is_free(&self, nth: usize) -> bool {
        match self.waiting[nth].1 {
            Place::Apart => true,
            place @ (Place::Host | Place::Arm) => !self.running.contains(&place),
            // What it uses has to be built, by those above it.
            Place::After => {
                let above = self.waiting[..nth].iter().map(|(_, place, _)| place);
                above.chain(&self.running).all(|place| *place != Place::Host)
            }
        }
    }

    fn end(&mut self, (name, place, _): &Step, result: Result<Ended>) {
        if let Some(at) = self.running.iter().position(|running| running == place) {
            self.running.remove(at);
        }
        let result = result.and_then(|ended| {
            out!("{}", ended.printed);
            ended
                .times
                .map(|times| self.times.add(times))
                .with_context(|| format!("{name}: failed"))
        });
        if let Err(error) = result {
            self.failed.get_or_insert(error);
        }
    }
}

/// Runs them, and adds their times as they end.
///
/// # Errors
///
/// The first of a step. What runs beside it then comes to its end, and nothing else begins.
pub fn run(root: &Path, steps: &[&Step], times: &mut Times) -> Result<()> {
    let (waiting, running) = (steps.to_vec(), Vec::new());
    let work = Mutex::new(Work { waiting, running, failed: None, times });
    let changed = Condvar::new();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let mut now = lock(&work);
                while now.failed.is_none() && !now.waiting.is_empty() {
                    let Some(step) = now.take() else {
                        now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
                        continue;
                    };
                    outln!("started: {}", step.0);
                    drop(now);
                    let result = in_process(root, step.0);
                    now = lock(&work);
                    now.end(step, result);
                    changed.notify_all();
                }
            });
        }
    });
    let failed = lock(&work).failed.take();
    failed.map_or(Ok(()), Err)
}

fn lock<'w, T>(work: &'w Mutex<T>) -> MutexGuard<'w, T> {
    work.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is left of a step.
struct Ended {
    printed: String,
    /// `None` if it failed.
    times: Option<Times>,
}

/// Runs this program again, for one step.
fn in_process(root: &Path, name: &str) -> Result<Ended> {
    let files = tempfile::tempdir()?;
    let [printed, times] = ["printed", "times"].map(|file| files.path().join(file));
    let output = fs::File::create(&printed)?;
    // Not by its path: a step may build the program there anew.
    let mut command = Command::new("/proc/self/exe");
    command.arg("--root").arg(root).args(["ci", name, "--times"]).arg(&times);
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    let status = command.status().context("cannot run this program again")?;
    let mut text = Vec::new();
    fs::File::open(&printed)?.read_to_end(&mut text)?;
    let printed = String::from_utf8_lossy(&text).into_owned();
    let times = status.success().then(|| fs::read_to_string(&times)).transpose()?;
    let times = times.map(|text| serde_json::from_str(&text)).transpose()?;
    Ok(Ended { printed, times })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [Step; 6] = [
        ("first", Place::Host, |_| Ok(())),
        ("second", Place::Host, |_| Ok(())),
        ("third", Place::Arm, |_| Ok(())),
        ("fourth", Place::After, |_| Ok(())),
        ("fifth", Place::Apart, |_| Ok(())),
        ("sixth", Place::Host, |_| Ok(())),
    ];

    #[test]
    fn steps_with_one_build_directory_run_in_turn() {
        let mut times = Times::start();
        let waiting = STEPS.iter().collect();
        let mut work = Work { waiting, running: Vec::new(), failed: None, times: &mut times };
        let mut take = || work.take().map(|step| step.0);
        assert_eq!(
            [take(), take(), take(), take()],
            [Some("first"), Some("third"), Some("fifth"), None]
        );
        let ended = || Ok(Ended { printed: String::new(), times: Some(Times::start()) });
        work.end(&STEPS[0], ended());
        assert_eq!(
            [work.take(), work.take()].map(|step| step.map(|step| step.0)),
            [Some("second"), None]
        );
        // It uses what both have built; the next one builds beside it.
        work.end(&STEPS[1], ended());
        assert_eq!(
            [work.take(), work.take()].map(|step| step.map(|step| step.0)),
            [Some("fourth"), Some("sixth")]
        );
        assert!(work.failed.is_none());
    }

    #[test]
    fn a_failed_step_is_named() {
        let mut times = Times::start();
        let mut work =
            Work { waiting: Vec::new(), running: Vec::new(), failed: None, times: &mut times };
        work.end(&STEPS[2], Ok(Ended { printed: String::new(), times: None }));
        work.end(&STEPS[1], Err(anyhow::anyhow!("later")));
        assert_eq!(work.failed.expect("an error").to_string(), "third: failed");
    }
}
