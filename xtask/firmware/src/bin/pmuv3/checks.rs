use firmware::aarch64::{at_el0, exception_level, has_el2, with_mdcr_el2, with_mdcr_el3};
use firmware::counting::{self, Core, measured};
use firmware::{Checks, TURN, bus, spin};
use product::{EventOrCycles, Filter, Finding, Pmu, Running, Selection, Sysreg};

/// The driver of the product.
enum Product {}

impl Core for Product {
    type Pmu = Pmu<Sysreg>;
    const INSTRUCTIONS: EventOrCycles<Selection> =
        EventOrCycles::Event(Selection::event(ProductEvent::InstRetired));
    const INCREMENTS: EventOrCycles<Selection> =
        EventOrCycles::Event(Selection::event(ProductEvent::SwIncr));

    fn pmu() -> Pmu<Sysreg> {
        Pmu::new(bus())
    }

    fn increment(running: &mut Running<Sysreg>) {
        running.increment();
    }
}

fn of_1000_turns(filter: Filter, work: fn(usize)) -> [u32; 3] {
    counting::of_1000_turns::<Product>(|pmu| pmu.count_in(filter), work)
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
        control(checks, level);
    });
}

/// Whether the core has PMUv3p5 or a later version, by ID_AA64DFR0_EL1.PMUVer.
fn is_v3p5() -> bool {
    bus().debug_features() >> 8 & 0xF >= 6
}

/// Runs `run`. At EL3, this sets MDCR_EL3.SPME first, because events count there only if the bit is
/// 1.
fn counting_permitted(run: impl FnOnce()) {
    const SPME: u64 = 1 << 17;
    if exception_level() == 3 { with_mdcr_el3(SPME, SPME, run) } else { run() }
}

/// Work counts only if the filter includes its Exception level.
fn filter(checks: &mut Checks, level: u64) {
    let own = match level {
        1 => Filter::EL1,
        2 => Filter::EL2,
        _ => Filter::EL3,
    };
    let others = [Filter::EL0, Filter::EL1, Filter::EL2, Filter::EL3];
    let others = others.into_iter().filter(|other| *other != own).reduce(Filter::and);
    let expected = 1_000 * TURN;
    checks.equal("filter: this level alone", of_1000_turns(own, spin), [expected; 3]);
    let others = others.unwrap_or(Filter::EL0);
    checks.equal(
        "filter: a filter for another level counts nothing",
        measured::<Product>(1_000, |pmu| pmu.count_in(others), spin),
        [0; 3],
    );
    if level == 1 {
        /// Counts a loop at EL1, and again at EL0.
        fn at_both_levels(turns: usize) {
            extern "C" fn task(turns: usize) {
                spin(turns);
            }
            spin(turns);
            at_el0(task, turns);
        }
        for filter in [own, Filter::EL0] {
            let counts = of_1000_turns(filter, at_both_levels);
            checks.equal("filter: one of two levels", counts, [expected; 3]);
        }
        let counts = of_1000_turns(own.and(Filter::EL0), at_both_levels);
        checks.equal("filter: both levels", counts, [2 * expected; 3]);
    }
}

/// At EL3 with MDCR_EL3.SPME = 0, as QEMU starts, cycles are counted but events are not.
fn prohibited(checks: &mut Checks) {
    let [first, last, cycles] = of_1000_turns(Filter::ALL, spin);
    let expected = [0, 0, 1_000 * TURN];
    checks.equal("EL3: SPME = 0 stops the event counters", [first, last, cycles], expected);
    let mut pmu = Pmu::new(bus());
    let diagnosis = pmu.diagnose_processor(identity(), None, || spin(100));
    checks.check("EL3: the diagnosis says so", diagnosis.has(Finding::ProhibitedAtEl3));
}

/// Tests each bit of MDCR_EL2 and MDCR_EL3 that stops counters, at the level for which the bit stops them. HPMD exists
/// since PMUv3p1, but QEMU also has it on a Cortex-A72.
fn control(checks: &mut Checks, level: u64) {
    if level == 2 || level == 3 && has_el2() {
        let hpmn = COUNTERS as u64 - 1;
        let (counts, found) = with_mdcr_el2(0x1F, hpmn, counts_and_finding);
        checks.equal("HPMN: the last counter does not count", counts[1], 0);
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

/// Returns three counts (instructions on the first and on the last counter, cycles), and the
/// finding of a diagnosis; `None` unless it has exactly one.
fn counts_and_finding() -> ([u32; 3], Option<Finding>) {
    let counts = measured::<Product>(1_000, |_| (), spin);
    let diagnosis = Pmu::new(bus()).diagnose_processor(identity(), None, || spin(100));
    let mut findings = diagnosis.findings().map(|found| found.finding);
    let first = findings.next();
    (counts, first.filter(|_| findings.next().is_none()))
}
