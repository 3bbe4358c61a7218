use core::num::NonZeroU32;

use arm_pmu_core::measure::{Bank, BankedPmu, Rearm as _};
use firmware::aarch64::{at_el0, exception_level, has_el2, sleep, with_mdcr_el2, with_mdcr_el3};
use firmware::counting::{self, Core, measured};
use firmware::{Checks, TURN, spin};
use product::{EventOrCycles, Filter, Finding, Pmu, Running, Selection, Sysreg};

/// The driver of the product.
enum Product {}

impl Core for Product {
    type Pmu = Pmu<Sysreg>;
    const INSTRUCTIONS: EventOrCycles<Selection> =
        EventOrCycles::Event(Selection::event(ProductEvent::InstRetired));
    const INCREMENTS: EventOrCycles<Selection> =
        EventOrCycles::Event(Selection::event(ProductEvent::SwIncr));
    // QEMU has no bus.
    const SILENT: EventOrCycles<Selection> =
        EventOrCycles::Event(Selection::event(ProductEvent::BusCycles));

    fn pmu() -> Pmu<Sysreg> {
        Pmu::new(bus())
    }

    fn increment(running: &mut Running<Sysreg>) {
        running.increment();
    }
}

fn of_1000_turns(filter: Filter) -> [u32; 3] {
    counting::of_1000_turns::<Product>(|pmu| pmu.count_in(filter))
}

#[allow(unsafe_code)]
pub fn bus() -> Sysreg {
    // SAFETY: there is one core, at EL1 or above, and each driver ends before the next is created.
    unsafe { Sysreg::new() }
}

pub fn all(checks: &mut Checks) {
    let level = exception_level();
    checks.note(format_args!("at EL{level}"));
    known(checks);
    let taken = Pmu::probe(bus(), identity());
    checks.check("probe takes it", taken.is_ok());
    if level == 3 {
        prohibited(checks);
    }
    counting_permitted(|| {
        counting::all::<Product>(checks);
        filter(checks, level);
        cycles_beyond_32_bits(checks);
        if level == 1 {
            tasks(checks);
            tasks_beyond_32_bits(checks);
            counts_beyond_32_bits(checks);
        }
        registers(checks);
        control(checks, level);
    });
}

/// Whether the core has PMUv3p5 or a later version, by ID_AA64DFR0_EL1.PMUVer.
fn is_v3p5() -> bool {
    bus().debug_features() >> 8 & 0xF >= 6
}

/// At EL3, events count only with MDCR_EL3.SPME.
fn counting_permitted(run: impl FnOnce()) {
    const SPME: u64 = 1 << 17;
    if exception_level() == 3 { with_mdcr_el3(SPME, SPME, run) } else { run() }
}

/// Work at this Exception level counts only if the filter includes the level.
fn filter(checks: &mut Checks, level: u64) {
    let own = match level {
        1 => Filter::EL1,
        2 => Filter::EL2,
        _ => Filter::EL3,
    };
    let others = [Filter::EL0, Filter::EL1, Filter::EL2, Filter::EL3];
    let others = others.into_iter().filter(|other| *other != own).reduce(Filter::and);
    let expected = 1_000 * TURN;
    checks.equal("filter: this level alone", of_1000_turns(own), [expected; 3]);
    let others = others.unwrap_or(Filter::EL0);
    checks.equal("filter: all levels but this", of_1000_turns(others), [0; 3]);
    checks.equal(
        "filter: nothing counts at another level",
        measured::<Product>(1_000, |pmu| pmu.count_in(others)),
        [0; 3],
    );
}

/// PMCCNTR_EL0 continues beyond the first wrap of its lower half.
fn cycles_beyond_32_bits(checks: &mut Checks) {
    let mut pmu = Pmu::new(bus());
    pmu.cycle_counter().count_from(u32::MAX - 99);
    let mut running = pmu.start();
    spin(100);
    let first = running.acknowledge().cycles;
    let none_yet = running.acknowledge().cycles;
    checks.equal("the first wrap is an overflow", (first, none_yet), (true, false));
    running.rearm(COUNTERS, NonZeroU32::new(50).unwrap());
    spin(100);
    checks.equal(
        "the first wrap of a new budget is an overflow",
        running.acknowledge().cycles,
        true,
    );
    drop(running.stop());
}

/// Counts beyond 32 bits without a call in between: the cycle counter has 64 bits on every core, an event counter has
/// 64 bits from PMUv3p5 on.
fn counts_beyond_32_bits(checks: &mut Checks) {
    const SECONDS: u64 = 5;
    // QEMU has a core clock of 1 GHz.
    const CYCLES: u64 = SECONDS * 1_000_000_000;
    let Ok(mut pmu) = Pmu::probe(bus(), identity()) else { return };
    let [first, ..] = pmu.counters();
    first.count(ProductEvent::CpuCycles);
    pmu.cycle_counter().count();
    let running = pmu.start();
    sleep(SECONDS);
    let pmu = running.stop();
    let [first, ..] = pmu.counts();
    let cycles = pmu.cycles().exact_u64();
    checks.check(
        "cycles of 5 s",
        cycles.is_ok_and(|cycles| (CYCLES..CYCLES + 1_000).contains(&cycles)),
    );
    if is_v3p5() {
        checks.equal("an event counter of 64 bits is exact too", first.exact_u64(), cycles);
    } else {
        let bound = first.exact_u64().is_err() && first.lower_bound() > 1 << 32;
        checks.check("an event counter of 32 bits has a lower bound", bound);
    }
}

/// Two tasks at EL0 take turns on different counters: checks the instructions of each task, and of both together.
fn tasks(checks: &mut Checks) {
    const SWITCHES: usize = 10_000;
    extern "C" fn task(turns: usize) {
        spin(turns);
    }
    let turns = |switch| 1 + switch * 7 % 31;
    let work = |switch| at_el0(task, turns(switch));
    let counted = |switches: core::ops::Range<usize>| {
        let mut pmu = Pmu::new(bus());
        pmu.count_in(Filter::EL0);
        let [first, ..] = pmu.counters();
        first.count(ProductEvent::InstRetired);
        let running = pmu.start();
        switches.for_each(work);
        running.stop().counts()[0].exact().unwrap_or(0)
    };
    let of_a_call = counted(0..1) - TURN;
    let of_the_core = counted(0..SWITCHES);
    let mut pmu = Pmu::new(bus());
    pmu.count_in(Filter::EL0);
    let mut pmu = BankedPmu::new(pmu);
    let instructions = ProductEvent::InstRetired;
    let mut banks = [Bank::new([instructions]), Bank::new([ProductEvent::SwIncr, instructions])]
        .map(Result::ok);
    for switch in 0..SWITCHES {
        let previous = pmu.switch(banks[switch % 2].take());
        if switch > 0 {
            banks[1 - switch % 2] = previous;
        }
        work(switch);
    }
    banks[1 - SWITCHES % 2] = pmu.switch(None);
    let amounts = [0, 1].map(|task| {
        let amount = banks[task].as_ref().map(|bank| bank.amount(task).exact());
        amount.and_then(Result::ok).unwrap_or(0) as u32
    });
    let expected = [0, 1].map(|task| {
        (task..SWITCHES).step_by(2).map(|switch| turns(switch) as u32 * TURN + of_a_call).sum()
    });
    checks.equal("each of two tasks, under 10000 switches", amounts, expected);
    let sum = amounts.iter().sum();
    checks.equal("instructions of two tasks add up to the core's", sum, of_the_core);
}

/// One update for each wrap, and a stop after another wrap: the cycle counter has 64 bits on every core.
fn tasks_beyond_32_bits(checks: &mut Checks) {
    let mut pmu = BankedPmu::new(Pmu::new(bus()));
    let bank = Bank::new([ProductEvent::CpuCycles.into(), product::EventOrCycles::Cycles]);
    pmu.switch(bank.ok());
    for _ in 0..2 {
        sleep(3);
        pmu.update();
    }
    sleep(3);
    let amounts = pmu.switch(None).map(|bank| [0, 1].map(|nth| bank.amount(nth).exact()));
    let is_right = amounts.is_some_and(|[events, cycles]| {
        events == cycles && cycles.is_ok_and(|cycles| cycles >= 9_000_000_000)
    });
    checks.check("a task counts 9 s on 32 bits", is_right);
}

/// Values of the registers after the driver's methods.
fn registers(checks: &mut Checks) {
    let mut pmu = Pmu::new(bus());
    let [first, ..] = pmu.counters();
    first.count(ProductEvent::InstRetired);
    let pmu = pmu.start().stop();
    // QEMU has software increments, instructions and cycles, not the other events of the core. Therefore QEMU can show
    // that the driver reports an absent event; a real core has this event.
    checks.equal("instructions exist", pmu.has_event(ProductEvent::InstRetired), Some(true));
    checks.equal(
        "QEMU has no cycles of the bus",
        pmu.has_event(ProductEvent::BusCycles),
        Some(false),
    );
    let mut bus = pmu.release();
    let registers = product::registers::Registers::new(&mut bus);
    let pmcr = registers.pmcr_el0().read();
    checks.check("PMCR_EL0.N", usize::from(pmcr.n().bits()) >= COUNTERS);
    checks.equal("PMCR_EL0.LC", pmcr.lc().bit(), true);
    checks.equal("PMCR_EL0.E", pmcr.e().bit(), false);
}

/// At EL3 with MDCR_EL3.SPME = 0, as QEMU starts, cycles are counted but events are not.
fn prohibited(checks: &mut Checks) {
    let [first, last, cycles] = of_1000_turns(Filter::ALL);
    let expected = [0, 0, 1_000 * TURN];
    checks.equal("EL3: SPME = 0 stops the event counters", [first, last, cycles], expected);
    let mut pmu = Pmu::new(bus());
    let diagnosis = pmu.diagnose_processor(identity(), None, || spin(100));
    checks.check("EL3: the diagnosis says so", diagnosis.has(Finding::ProhibitedAtEl3));
}

/// Tests each bit of MDCR_EL2 and MDCR_EL3 that stops counters, at its level. HPMD exists since PMUv3p1, but QEMU
/// also has it on a Cortex-A72.
fn control(checks: &mut Checks, level: u64) {
    if level == 2 || level == 3 && has_el2() {
        let hpmn = COUNTERS as u64 - 1;
        let (counts, found) = with_mdcr_el2(0x1F, hpmn, counts_and_finding);
        checks.equal("HPMN: the last counter stands still", counts[1], 0);
        checks.equal("HPMN is found", found, Some(Finding::ReservedForEl2));
    }
    if level == 2 {
        let (counts, found) = with_mdcr_el2(1 << 17, 1 << 17, counts_and_finding);
        checks.equal("HPMD stops event counters", (counts[0], counts[2] > 0), (0, true));
        checks.equal("HPMD is found", found, Some(Finding::ProhibitedAtEl2));
    }
    let (counts, found) = match level {
        2 if is_v3p5() => with_mdcr_el2(1 << 23, 1 << 23, counts_and_finding),
        3 if is_v3p5() => with_mdcr_el3(1 << 23, 1 << 23, counts_and_finding),
        _ => return,
    };
    checks.equal("HCCD or SCCD stops the cycle counter", (counts[0] > 0, counts[2]), (true, 0));
    checks.equal("HCCD or SCCD is found", found, Some(Finding::CycleCounterDisabled));
}

/// Returns instructions on the first and the last counter, cycles, and the finding of a diagnosis.
fn counts_and_finding() -> ([u32; 3], Option<Finding>) {
    let counts = measured::<Product>(1_000, |_| ());
    let diagnosis = Pmu::new(bus()).diagnose_processor(identity(), None, || spin(100));
    let mut findings = diagnosis.findings().map(|found| found.finding);
    let first = findings.next();
    (counts, first.filter(|_| findings.next().is_none()))
}
