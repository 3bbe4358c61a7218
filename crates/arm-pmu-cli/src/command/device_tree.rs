//! `arm-pmu device-tree`.

use super::Answer;
use crate::arguments::DeviceTree as Arguments;
use crate::device_tree::source;
use crate::failure::Failure;
use crate::platform::target::Subject;

pub fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let subject = Subject::board(&arguments.name)?;
    let title = subject.platform().map_or("", |platform| platform.title);
    let mut text = format!("/* {title}: so that Linux has its PMUs. */\n");
    for instance in subject.instances() {
        let target = subject.of(instance)?;
        text += &source::write(&target)?;
    }
    Ok(Answer::text(text))
}
