//! `arm-pmu completions`

use crate::base::answer::Answer;
use crate::base::arguments::Completions;
use crate::base::failure::Failure;
use crate::completion;

pub fn run(arguments: &Completions) -> Result<Answer, Failure> {
    completion::script(arguments.shell).map(Answer::text).map_err(Failure::Output)
}
