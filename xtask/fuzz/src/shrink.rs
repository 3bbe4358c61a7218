//! Finds the smallest program that still has a failure.
//!
//! proptest shrinks only the values of its strategies; here each call depends on the state left by earlier calls,
//! so programs are generated from a seed, and shrunk as trees of lists and numbers in their JSON form.

use serde_json::Value;

use crate::oracle::Failure;
use crate::program::{Classes, Program};
use crate::subjects::Driver;

/// Highest number of programs to try.
const MOST_TRIES: usize = 20_000;

/// Removes parts, and then decreases numbers, while the same kind of failure remains.
pub fn shrink(
    driver: &Driver,
    classes: Classes,
    program: &Program,
    failure: &Failure,
) -> (Program, Failure) {
    let mut best = (program.clone(), failure.clone());
    let mut tries = 0;
    loop {
        let value = serde_json::to_value(&best.0).unwrap_or_default();
        let found = smaller(&value).into_iter().take(MOST_TRIES - tries).find_map(|candidate| {
            tries += 1;
            let mut candidate: Program = serde_json::from_value(candidate).ok()?;
            candidate.seed = program.seed;
            for step in &mut candidate.steps {
                step.traffic.sort_by_key(|traffic| traffic.at);
            }
            let failed = (driver.run)(&candidate, classes).err()?;
            (failed.kind == failure.kind && candidate != best.0).then_some((candidate, failed))
        });
        match found {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// Returns values with one part removed, or with a simpler number. Some numbers encode no program.
fn smaller(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => {
            number.as_u64().map_or(Vec::new(), numbers).into_iter().map(Value::from).collect()
        }
        Value::Array(items) => {
            let removed = (0..items.len()).map(|nth| {
                let mut fewer = items.clone();
                fewer.remove(nth);
                Value::Array(fewer)
            });
            let changed = items.iter().enumerate().flat_map(|(nth, item)| {
                smaller(item).into_iter().map(move |item| {
                    let mut items = items.clone();
                    items[nth] = item;
                    Value::Array(items)
                })
            });
            removed.chain(changed).collect()
        }
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, field)| {
                // The traffic of a step may matter without its call.
                let idle = (key == "op" && field != "Idle").then(|| Value::from("Idle"));
                idle.into_iter().chain(smaller(field)).map(move |field| {
                    let mut fields = fields.clone();
                    fields[key] = field;
                    Value::Object(fields)
                })
            })
            .collect(),
        Value::Bool(true) => vec![Value::from(false)],
        _ => Vec::new(),
    }
}

/// Returns simpler numbers: smaller ones, and above 2^31 also 2^32 - 1.
fn numbers(number: u64) -> Vec<u64> {
    const HALF: u64 = 1 << 31;
    const FULL: u64 = u32::MAX as u64;
    match number {
        FULL => vec![0, 1, HALF],
        HALF..FULL => vec![0, 1, HALF, FULL, number / 2, number - 1],
        _ => vec![0, 1, number / 2, number.saturating_sub(1)],
    }
    .into_iter()
    .filter(|other| *other < number || number > HALF && *other == FULL)
    .collect()
}
