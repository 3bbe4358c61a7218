//! Finds a smaller program that still has a failure.

use crate::oracle::Failure;
use crate::program::{Op, Program};
use crate::subjects::Driver;

/// Removes steps, calls and traffic while the same kind of failure remains.
pub fn shrink(driver: &Driver, program: &Program, failure: &Failure) -> (Program, Failure) {
    let mut best = (program.clone(), failure.clone());
    let fails = |candidate: Program| {
        let failed = (driver.run)(&candidate).err()?;
        (failed.kind == failure.kind).then_some((candidate, failed))
    };
    while let Some(smaller) = smaller(&best.0).into_iter().find_map(fails) {
        best = smaller;
    }
    best
}

/// Returns programs with one part less. The traffic of a step may matter without the step's call.
fn smaller(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for (nth, step) in program.steps.iter().enumerate() {
        let mut without = program.clone();
        without.steps.remove(nth);
        all.push(without);
        if step.op != Op::Idle {
            let mut idle = program.clone();
            idle.steps[nth].op = Op::Idle;
            all.push(idle);
        }
        for item in 0..step.traffic.len() {
            let mut without = program.clone();
            without.steps[nth].traffic.remove(item);
            all.push(without);
        }
    }
    all
}
