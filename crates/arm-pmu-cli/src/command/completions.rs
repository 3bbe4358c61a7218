//! `arm-pmu completions`

use super::Answer;
use crate::arguments::Completions;
use crate::completion;
use crate::failure::Failure;

pub fn run(arguments: &Completions) -> Result<Answer, Failure> {
    completion::script(arguments.shell).map(Answer::text).map_err(Failure::Output)
}
