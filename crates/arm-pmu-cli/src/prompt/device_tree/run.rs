//! `arm-pmu device-tree` prints the missing nodes of a platform, and `arm-pmu platform new` writes a platform file from a
//! device tree.

use std::path::Path;

use arm_pmu_spec::file::read_regular;
use serde::Serialize;

use super::{blob, platform, source};
use crate::base::answer::Answer;
use crate::base::arguments::{DeviceTree as Arguments, Platform};
use crate::base::documents::documents;
use crate::base::failure::Failure;
use crate::base::platform::of_text;
use crate::base::platform::target::Subject;

documents! {
    derive(Debug, PartialEq, Serialize)

    /// Output of `arm-pmu device-tree --json`.
    DeviceTree {
        platform: &'static str,
        /// For each PMU that Linux supports: the nodes that the device tree lacks.
        nodes: Vec<DeviceTreeNode>,
    }

    /// A node to add for a PMU.
    DeviceTreeNode {
        /// Name of the PMU on the platform.
        pmu: &'static str,
        /// Device tree source with comments.
        source: String,
    }
}

pub fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let names = [&arguments.name, &arguments.place.platform];
    let name = names.into_iter().flatten().next();
    let name = name.ok_or_else(|| Failure::wrong_use("name a platform"))?;
    let subject = Subject::board(name)?;
    let title = subject.platform().map_or("", |platform| platform.title);
    let mut nodes = Vec::new();
    let instances = subject.instances();
    for instance in &instances {
        let source = match source::write(subject, instance) {
            // If one PMU cannot have a node, the nodes of the other PMUs are still printed.
            Err(why) if instances.len() > 1 => source::comment(0, &why.to_string()),
            source => source?,
        };
        nodes.push(DeviceTreeNode { pmu: instance.name, source });
    }
    if arguments.json {
        let platform = subject.platform().map_or("", |platform| platform.name);
        return Answer::json(&DeviceTree { platform, nodes });
    }
    let text: String = nodes.into_iter().map(|node| node.source).collect();
    if arguments.overlay && !text.contains('{') {
        let text = format!("there is no node to add: `arm-pmu device-tree {name}` says why");
        return Err(Failure::not_found(text));
    }
    let start = if arguments.overlay { "/dts-v1/;\n/plugin/;\n\n" } else { "" };
    Ok(Answer::text(format!("{start}/* {title}: nodes for its PMUs in Linux. */\n{text}")))
}

/// Maximum size of a blob. QEMU writes blobs of 1 MiB, mostly empty.
const LARGEST: u64 = 16 << 20;

pub fn new(arguments: &Platform) -> Result<Answer, Failure> {
    let path = arguments.from.as_deref();
    let path = path.ok_or_else(|| Failure::wrong_use("give the device tree: --from board.dtb"))?;
    let bytes = read_regular(Path::new(path), LARGEST, "a device tree");
    let bytes = bytes.map_err(|error| Failure::unreadable(path, error))?;
    let nodes = blob::read(&bytes).map_err(|error| Failure::unreadable(path, error))?;
    let file = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    let written = platform::write(&nodes, &file);
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
