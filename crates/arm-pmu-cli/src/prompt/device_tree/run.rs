//! `arm-pmu device-tree`: prints the missing nodes of a platform.

use super::source;
use crate::base::answer::Answer;
use crate::base::arguments::DeviceTree as Arguments;
use crate::base::documents::documents;
use crate::base::failure::Failure;
use crate::base::platform::target::Subject;
use serde::Serialize;

documents! {
    derive(Debug, PartialEq, Serialize)

    /// Output of `arm-pmu device-tree --json`.
    DeviceTree {
        platform: &'static str,
        /// Missing nodes of the tree, for each PMU that Linux supports.
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
            // A PMU without a node does not prevent the nodes of the other PMUs.
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
