//! QEMU, which stops its guest and lets it go on.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Time limit for QEMU to listen.
const LIMIT: Duration = Duration::from_secs(60);

/// A connection by QEMU's protocol for machines (QMP): one JSON object in each line.
pub struct Machine {
    to: UnixStream,
    from: BufReader<UnixStream>,
}

impl Machine {
    /// Connects as soon as QEMU listens.
    pub fn connect(socket: &Path) -> Result<Self> {
        let end = Instant::now() + LIMIT;
        let to = loop {
            match UnixStream::connect(socket) {
                Ok(to) => break to,
                Err(error) if Instant::now() > end => {
                    return Err(error).with_context(|| format!("no QEMU at {}", socket.display()));
                }
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        };
        let from = BufReader::new(to.try_clone()?);
        let mut machine = Self { to, from };
        if !machine.ask("qmp_capabilities")? {
            bail!("QEMU has ended");
        }
        Ok(machine)
    }

    /// Stops the guest. False if it has ended.
    pub fn stop(&mut self) -> Result<bool> {
        self.ask("stop")
    }

    /// Lets the guest go on. False if it has ended.
    pub fn go_on(&mut self) -> Result<bool> {
        self.ask("cont")
    }

    fn ask(&mut self, command: &str) -> Result<bool> {
        let asked = writeln!(self.to, "{{\"execute\":\"{command}\"}}");
        if asked.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
            return Ok(false);
        }
        // Events come in between.
        loop {
            let mut line = String::new();
            match self.from.read_line(&mut line) {
                Ok(0) => return Ok(false),
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(false),
                read => read.context("QEMU does not answer")?,
            };
            let answer: Value = serde_json::from_str(&line)?;
            if answer.get("return").is_some() {
                return Ok(true);
            }
            if let Some(error) = answer.get("error") {
                bail!("QEMU: {error}");
            }
        }
    }
}
