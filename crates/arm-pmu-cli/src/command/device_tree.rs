//! `arm-pmu device-tree`.

use super::Answer;
use crate::arguments::DeviceTree as Arguments;
use crate::device_tree::source;
use crate::failure::Failure;
use crate::platform::target::Subject;

pub fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let names = [&arguments.name, &arguments.place.platform];
    let name = names.into_iter().flatten().next();
    let name = name.ok_or_else(|| Failure::wrong_use("name a platform"))?;
    let subject = Subject::board(name)?;
    let title = subject.platform().map_or("", |platform| platform.title);
    let mut text = format!("/* {title}: so that Linux has its PMUs. */\n");
    for instance in subject.instances() {
        let target = subject.of(instance)?;
        text += &source::write(&target)?;
    }
    Ok(Answer::text(text))
}
