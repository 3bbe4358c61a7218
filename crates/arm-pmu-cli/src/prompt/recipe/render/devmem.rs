//! Writes a recipe as a shell script for Linux, with `devmem` of busybox.

use super::{Check, Language, Parts, Recipe, Written};
use crate::prompt::recipe::program::At;

pub struct Devmem;

impl Language for Devmem {
    fn file(&self, _: &Recipe, text: &Parts) -> String {
        let Parts { head, start, read, stop } = text;
        format!(
            "#!/bin/sh
{head}#
#   sh FILE start     checks the device, and starts the counters
#   sh FILE read      prints the counts while the counters run
#   sh FILE stop      stops the counters and prints the counts
#
# Run it as root. The kernel needs /dev/mem (CONFIG_DEVMEM), and its own driver of this PMU must not be
# in use. Where only Secure software has access, devmem ends with a bus error.
# Exit status: 0 the counts are valid, 1 they are not, 2 devmem failed.

status=0
stop_here() {{ echo \"Stopped here: $1\" >&2; exit 1; }}
doubt() {{ echo \"Counts not valid: $1\" >&2; status=1; }}

start() {{
{start}}}

read_counts() {{
{read}}}

stop() {{
{stop}}}

case \"${{1:-}}\" in
    start) start ;;
    read) read_counts ;;
    stop) stop ;;
    *) echo \"usage: sh $0 start|read|stop\" >&2; exit 2 ;;
esac
exit $status
"
        )
    }

    fn read(&self, variable: &str, register: &At) -> String {
        format!("{variable}=$(devmem {} 32) || exit 2", register.hex())
    }

    fn write(&self, register: &At, value: &Written) -> String {
        let text = value.expression(str::to_owned, "");
        let text = if value.copies.is_empty() { text } else { format!("$(( {text} ))") };
        format!("devmem {} 32 {text} || exit 2", register.hex())
    }

    fn expect(&self, check: &Check) -> String {
        let call = if check.ends { "stop_here" } else { "doubt" };
        format!(
            "[ $(( {} )) = 1 ] ||\n        {call} \"{}\"",
            check.condition(str::to_owned, ""),
            check.message(&format!("${}", check.variable))
        )
    }

    fn count(&self, _: usize, name: &str, variable: &str) -> String {
        format!("printf '%10u  %s\\n' \"${variable}\" {name}")
    }
}
