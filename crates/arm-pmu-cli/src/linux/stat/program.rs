//! Starts the measured program, and handles signals that end a measurement.

use std::io::{self, ErrorKind};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Exit status if this command itself fails. `env` and `timeout` use the same status.
pub const OWN_FAILURE: u8 = 125;
const CANNOT_RUN: u8 = 126;
const NO_PROGRAM: u8 = 127;

/// Reason why a wait has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// The given time was reached.
    Time,
    /// The program ended with this exit status.
    Ended(u8),
    /// SIGINT or SIGTERM.
    Signal,
}

/// Waits for the program, a signal or a time.
pub struct Waiter {
    sender: Sender<Woken>,
    events: Receiver<Woken>,
    program: Option<Pid>,
}

impl Waiter {
    /// Replaces the handlers of SIGINT and SIGTERM, so that a signal ends the measurement, not this process.
    pub fn new() -> io::Result<Self> {
        let (sender, events) = channel();
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let of_signals = sender.clone();
        thread::spawn(move || {
            for _ in signals.forever() {
                if of_signals.send(Woken::Signal).is_err() {
                    return;
                }
            }
        });
        Ok(Self { sender, events, program: None })
    }

    /// Starts the program. An error contains the exit status that a shell would return.
    pub fn start(&mut self, words: &[String]) -> Result<(), (u8, String)> {
        let Some((program, arguments)) = words.split_first() else { return Ok(()) };
        let started = Command::new(program).args(arguments).spawn();
        let mut child = started.map_err(|error| {
            let status = if error.kind() == ErrorKind::NotFound { NO_PROGRAM } else { CANNOT_RUN };
            (status, format!("`{program}` cannot be run: {error}"))
        })?;
        self.program = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let sender = self.sender.clone();
        thread::spawn(move || {
            sender.send(Woken::Ended(child.wait().map_or(OWN_FAILURE, exit_status)))
        });
        Ok(())
    }

    /// Waits for an event, but only until `then` if this time is given.
    pub fn wait_until(&mut self, then: Option<Instant>) -> Woken {
        // `self` holds a sender, so the channel stays open.
        let woken = match then {
            Some(then) => {
                let left = then.saturating_duration_since(Instant::now());
                self.events.recv_timeout(left).unwrap_or(Woken::Time)
            }
            None => self.events.recv().unwrap_or(Woken::Signal),
        };
        if matches!(woken, Woken::Ended(_)) {
            self.program = None;
        }
        woken
    }

    /// Terminates the program if it is running. Returns the program's exit status.
    pub fn end(&mut self) -> Option<u8> {
        let program = self.program?;
        // After Ctrl-C, the terminal has sent the signal to the program too, so a second signal is rarely needed.
        let patience = Instant::now() + Duration::from_millis(200);
        loop {
            match self.wait_until(Some(patience)) {
                Woken::Ended(status) => return Some(status),
                Woken::Signal => {}
                Woken::Time => break,
            }
        }
        // An error means that the program has just ended.
        let _ended = kill_process(program, Signal::TERM);
        loop {
            if let Woken::Ended(status) = self.wait_until(None) {
                return Some(status);
            }
        }
    }
}

/// Exit status as in a shell: 128 plus the signal for a killed program.
fn exit_status(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(OWN_FAILURE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiter() -> Waiter {
        let (sender, events) = channel();
        Waiter { sender, events, program: None }
    }

    fn run(line: &str) -> Woken {
        let mut waiter = waiter();
        let words: Vec<_> = ["sh", "-c", line].map(str::to_owned).into();
        waiter.start(&words).expect("a shell");
        waiter.wait_until(None)
    }

    #[test]
    fn exit_status_follows_the_shell() {
        assert_eq!(run("exit 7"), Woken::Ended(7));
        assert_eq!(run("kill -KILL $$"), Woken::Ended(137));
        let (status, text) =
            waiter().start(&["./no-such-program".to_owned()]).expect_err("no program");
        assert!(status == 127 && text.starts_with("`./no-such-program` cannot be run"), "{text}");
        let (status, _) = waiter().start(&["/".to_owned()]).expect_err("a directory");
        assert_eq!(status, 126);
    }

    #[test]
    fn a_running_program_is_terminated() {
        let mut waiter = waiter();
        waiter.start(&["sleep".to_owned(), "100".to_owned()]).expect("a program");
        assert_eq!(waiter.wait_until(Some(Instant::now())), Woken::Time);
        assert_eq!(waiter.end(), Some(128 + 15));
        assert_eq!(waiter.end(), None);
    }
}
