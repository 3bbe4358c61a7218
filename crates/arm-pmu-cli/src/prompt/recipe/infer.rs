//! Derives a program from runs of a driver.
//!
//! The driver's code does not show the source of a written value, so the driver runs once for each bit of each read,
//! with that bit inverted:
//!
//! - If a written bit is then inverted too, the driver copied it from the read bit.
//! - If this changes the order of accesses, or makes a count invalid, the driver checks the bit.
//! - If a count changes, the driver takes this count from the read bit.

use std::collections::BTreeMap;

use arm_pmu_tables::Pmu;

use super::device::{self, Device, Place};
use super::driver::{self, Outcome};
use super::program::{Accepted, At, Copied, Expression, OfPhase, Phase, Program, Step};
use super::tape::{Access, Tape};
use crate::base::failure::{Failure, refuse};

/// Maximum width of a field whose values are all tried.
const NARROW: u32 = 8;

/// Number of runs that compare driver and program, with random values in all unchecked bits.
const TRIALS: u64 = 16;

struct Run {
    accesses: Vec<Access>,
    outcome: Outcome,
}

impl Run {
    /// Whether all counts are exact.
    fn is_valid(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|counts| counts.iter().all(Option::is_some))
    }

    fn kinds(&self) -> impl Iterator<Item = Access> + '_ {
        self.accesses.iter().map(|access| access.kind())
    }

    fn writes(&self) -> impl Iterator<Item = u32> + '_ {
        self.accesses.iter().filter_map(|access| match access {
            Access::Write(_, value) => Some(*value),
            _ => None,
        })
    }
}

/// Facts about one read.
#[derive(Default)]
struct Known {
    /// Bits that the driver compares.
    checked: u32,
    /// Fields with several accepted values.
    wider: Vec<(u32, Accepted)>,
    /// Index of the selection whose count was read.
    count: Option<usize>,
}

struct Inference<'w> {
    pmu: Pmu,
    pages: &'w [u64],
    identifies: bool,
    what: &'w [String],
    device: Device,
    first: Run,
    reads: Vec<(Place, u32)>,
}

/// Derives the program that counts the selections `what`, which have the driver's names. `pages` contains the base of
/// each page.
pub fn program(
    pmu: Pmu,
    pages: &[u64],
    identifies: bool,
    what: &[String],
) -> Result<Program, Failure> {
    let Some((device, first)) = first_run(pmu, identifies, what) else {
        refuse!("there are no recipes for {pmu} yet");
    };
    if let Err(problem) = &first.outcome {
        return Err(Failure::wrong_use(problem.clone()));
    }
    let reads = first.accesses.iter().filter_map(|access| match access {
        Access::Read(place, value) => Some((*place, *value)),
        _ => None,
    });
    let reads = reads.collect();
    let inference = Inference { pmu, pages, identifies, what, device, first, reads };
    inference.program().map_err(|why| {
        Failure::wrong_use(format!("no recipe for {pmu}: the driver {why}; please report this"))
    })
}

/// Returns a device on which the driver can count, and the first run with its accesses.
///
/// If the reset values do not suffice, tries [variants](Device::variants) of the device.
fn first_run(pmu: Pmu, identifies: bool, what: &[String]) -> Option<(Device, Run)> {
    let run = |device: Device, identifies| {
        let tape = Tape::new(device.clone());
        let outcome = driver::run(pmu, identifies, what, &tape)?;
        Some((device, Run { accesses: tape.into_accesses(), outcome }))
    };
    // Whether the driver rejects a selection does not depend on register values.
    let unidentified = run(Device::new(pmu), false)?;
    if unidentified.1.outcome.is_err() {
        return Some(unidentified);
    }
    let first = run(Device::new(pmu), identifies)?;
    if first.1.is_valid() {
        return Some(first);
    }
    let run = |device| run(device, identifies);
    let other = first.0.variants(pmu).filter_map(run).find(|(_, run)| run.is_valid());
    Some(other.unwrap_or(first))
}

impl Inference<'_> {
    fn run(&self, changed: BTreeMap<usize, u32>) -> Run {
        let tape = Tape::again(self.device.clone(), self.reads.clone(), changed);
        let outcome = driver::run(self.pmu, self.identifies, self.what, &tape)
            .unwrap_or_else(|| Err("no driver".to_owned()));
        Run { accesses: tape.into_accesses(), outcome }
    }

    /// Whether a run has valid counts and makes the same accesses as the first run.
    fn accepts(&self, run: &Run) -> bool {
        run.is_valid() && run.kinds().eq(self.first.kinds())
    }

    /// Whether the driver accepts `value` as the result of this read. If the driver does not accept it, the value is
    /// tried again in all reads of the register that returned the same value as this read, because a driver can compare
    /// two reads.
    fn accepts_value(&self, read: usize, value: u32) -> bool {
        let (place, before) = self.reads[read];
        if self.accepts(&self.run(BTreeMap::from([(read, value)]))) {
            return true;
        }
        let same = self.reads.iter().enumerate().filter(|(_, of)| **of == (place, before));
        self.accepts(&self.run(same.map(|(number, _)| (number, value)).collect()))
    }

    fn program(&self) -> Result<Program, String> {
        if !self.first.is_valid() {
            return Err("does not count if the registers behave as the tables describe".to_owned());
        }
        let mut expressions: Vec<_> = self
            .first
            .writes()
            .map(|constant| Expression { constant, copies: Vec::new() })
            .collect();
        let mut known = Vec::new();
        for read in 0..self.reads.len() {
            known.push(self.learn(read, &mut expressions)?);
        }
        let program = self.assemble(&known, expressions)?;
        self.try_out(&program, &known)?;
        Ok(program)
    }

    /// Inverts each bit of a read, to find its use.
    fn learn(&self, read: usize, expressions: &mut [Expression]) -> Result<Known, String> {
        let mut known = Known::default();
        let (place, before) = self.reads[read];
        for bit in (0..u32::BITS).map(|number| 1 << number) {
            let run = self.run(BTreeMap::from([(read, before ^ bit)]));
            if !self.accepts(&run) {
                if !self.accepts_value(read, before ^ bit) {
                    known.checked |= bit;
                }
                continue;
            }
            for (expression, (old, new)) in
                expressions.iter_mut().zip(self.first.writes().zip(run.writes()))
            {
                if old == new {
                    continue;
                }
                if old ^ new != bit || new & bit != (before ^ bit) & bit {
                    return Err(
                        "computes a written value in a way that recipes cannot express".to_owned()
                    );
                }
                expression.constant &= !bit;
                match expression.copies.iter_mut().find(|of| of.value == read) {
                    Some(copied) => copied.mask |= bit,
                    None => expression.copies.push(Copied { value: read, mask: bit }),
                }
            }
            let counts = self.first.outcome.iter().flatten().zip(run.outcome.iter().flatten());
            for (number, _) in counts.enumerate().filter(|(_, (old, new))| old != new) {
                known.count = Some(number % self.what.len());
            }
        }
        if known.checked != 0 {
            self.widen(read, place, before, &mut known)?;
        }
        Ok(known)
    }

    /// Tries other values of the checked fields, to find further accepted values.
    fn widen(
        &self,
        read: usize,
        place: Place,
        before: u32,
        known: &mut Known,
    ) -> Result<(), String> {
        let here = device::words(self.pmu).filter(|word| word.place == place && !word.high);
        for (field, mask) in here.flat_map(|word| word.fields(self.pmu)) {
            if field.bits.high >= u32::BITS {
                continue;
            }
            if mask & known.checked == 0 || field.bits.width() == 1 {
                continue;
            }
            let with = |value: u32| before & !mask | value << field.bits.low;
            if field.bits.width() <= NARROW {
                let accepted: Vec<u32> = (0..1_u32 << field.bits.width())
                    .map(with)
                    .filter(|value| self.accepts_value(read, *value))
                    .map(|value| value & mask)
                    .collect();
                let checked = mask & known.checked;
                let by_bits = 1 << (mask & !checked).count_ones();
                let agrees = accepted.iter().all(|value| value & checked == before & checked);
                if agrees && accepted.len() == by_bits {
                    continue;
                }
                let (Some(first), Some(last)) = (accepted.first(), accepted.last()) else {
                    continue;
                };
                let between = ((last - first) >> field.bits.low) as usize + 1;
                if between != accepted.len() {
                    return Err("accepts values of a field that are not consecutive".to_owned());
                }
                known.wider.push((mask, Accepted::Range([*first, *last])));
            } else {
                let ones = (1..=field.bits.width()).map(|count| (1_u64 << count) - 1);
                let mut ones = ones.map(|ones| u32::try_from(ones).unwrap_or(u32::MAX));
                if !ones.all(|ones| self.accepts_value(read, with(ones))) {
                    continue;
                }
                known.wider.push((mask, Accepted::LowOnes));
            }
            known.checked &= !mask;
        }
        Ok(())
    }

    fn assemble(&self, known: &[Known], expressions: Vec<Expression>) -> Result<Program, String> {
        let copied: Vec<_> =
            expressions.iter().flat_map(|one| &one.copies).map(|of| of.value).collect();
        let mut expressions = expressions.into_iter();
        let mut phase = Phase::Identify;
        let mut steps = Vec::new();
        let at = |place| {
            let at = At::new(self.pmu, self.pages, place);
            at.ok_or_else(|| "accesses an address without a register".to_owned())
        };
        let (mut reads, mut has_written) = (0, false);
        for access in &self.first.accesses {
            let mut add = |step| steps.push(OfPhase { phase, step });
            match *access {
                Access::Phase(next) => phase = next,
                Access::Barrier => add(Step::Barrier),
                Access::Write(place, _) => {
                    has_written = true;
                    let expression = expressions.next().ok_or("makes more writes than before")?;
                    add(Step::Write { at: at(place)?, expression });
                }
                Access::Read(place, before) => {
                    let value = reads;
                    reads += 1;
                    let Known { checked, wider, count } = &known[value];
                    let is_used = *checked != 0 || !wider.is_empty() || count.is_some();
                    // A read whose value is not used is needed only to complete preceding writes.
                    if !is_used && !copied.contains(&value) && !has_written {
                        continue;
                    }
                    has_written = false;
                    add(Step::Read { value, at: at(place)? });
                    let exact = Accepted::Range([before & checked; 2]);
                    let exact = (*checked != 0).then_some((*checked, exact));
                    for (mask, accept) in exact.into_iter().chain(wider.iter().copied()) {
                        add(Step::Expect { value, mask, accept });
                    }
                    if let Some(nth) = *count {
                        add(Step::Count { nth, event: self.what[nth].clone(), value });
                    }
                }
            }
        }
        Ok(Program { pmu: self.pmu.to_string(), counts: self.what.to_vec(), steps })
    }

    /// Compares the program with the driver, with random values in all unchecked bits.
    fn try_out(&self, program: &Program, known: &[Known]) -> Result<(), String> {
        self.phases_are_separate(program)?;
        let mut noise = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..TRIALS {
            let values: Vec<u32> = known
                .iter()
                .zip(&self.reads)
                .map(|(known, (_, before))| {
                    noise ^= noise << 13;
                    noise ^= noise >> 7;
                    noise ^= noise << 17;
                    let kept = known.wider.iter().fold(known.checked, |all, (mask, _)| all | mask);
                    before & kept | (noise >> 16) as u32 & !kept
                })
                .collect();
            let run = self.run(values.iter().copied().enumerate().collect());
            let written = program.writes().map(|(_, written)| written.evaluate(|of| values[of]));
            if !self.accepts(&run) || !run.writes().eq(written) {
                return Err("does not do what its single accesses suggest".to_owned());
            }
        }
        Ok(())
    }

    /// Fails if a script writes a value that another script has read. `Identify` and `Start` share one script, and each
    /// other phase has its own.
    fn phases_are_separate(&self, program: &Program) -> Result<(), String> {
        let mut of_value = BTreeMap::new();
        for OfPhase { phase, step } in &program.steps {
            let part = (*phase).max(Phase::Start);
            match step {
                Step::Read { value, .. } => {
                    of_value.insert(*value, part);
                }
                Step::Write { expression, .. }
                    if expression
                        .copies
                        .iter()
                        .any(|of| of_value.get(&of.value) != Some(&part)) =>
                {
                    return Err("keeps a register's value from the start to the stop".to_owned());
                }
                _ => {}
            }
        }
        Ok(())
    }
}
