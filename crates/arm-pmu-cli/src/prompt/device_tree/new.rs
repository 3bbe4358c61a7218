//! `arm-pmu platform new`: writes a platform file from a device tree.

use std::path::Path;

use arm_pmu_spec::file::read_regular;

use super::{blob, platform};
use crate::base::answer::Answer;
use crate::base::arguments::Platform as Arguments;
use crate::base::failure::Failure;
use crate::base::platform::of_text;

/// Maximum size of a blob. QEMU writes blobs of 1 MiB, mostly empty.
const LARGEST: u64 = 16 << 20;

pub fn new(arguments: &Arguments) -> Result<Answer, Failure> {
    let path = arguments.from.as_deref();
    let path = path.ok_or_else(|| Failure::wrong_use("give the device tree: --from board.dtb"))?;
    let failed = |error: &dyn std::fmt::Display| {
        Failure::wrong_use(format!("{path} cannot be read: {error}"))
    };
    let bytes = read_regular(Path::new(path), LARGEST, "a device tree");
    let root =
        blob::read(&bytes.map_err(|error| failed(&error))?).map_err(|error| failed(&error))?;
    let file = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    let written = platform::write(&root, &file);
    let (name, text) = written.map_err(|unknown| {
        let known: Vec<_> = platform::compatibles().collect();
        let mut text =
            format!("{path} contains no known PMU with an address: {}", known.join(", "));
        unknown.iter().for_each(|why| text += &format!("\n  {why}"));
        Failure::not_found(text)
    })?;
    of_text(&name, &format!("{name}.yaml"), &text).map_err(|error| {
        Failure::wrong_use(format!("{path} describes an impossible system: {error}"))
    })?;
    Ok(Answer::text(text))
}
