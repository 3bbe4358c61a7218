// Included for each core: `product` is its crate, `is_product` its test of the Main ID Register.

use arm_pmu_core::count::Count;
use arm_pmu_core::diagnose::Diagnose as _;
use arm_pmu_core::measure::{CycleCounter as _, Monitor as _};
use product::registers::Registers;
use product::{Cp15, Divider, EventOrCycles, Finding, Pmu, Running, Selection, UserPmu};

use firmware::arm::{bus, in_user_mode, undefined};
use firmware::counting::{self, Core};
use firmware::{Checks, TURN, spin};

/// Code of the event that QEMU counts for each instruction, on each of these cores.
const INSTRUCTIONS: u16 = 0x08;

/// The driver of the product.
enum Product {}

impl Core for Product {
    type Pmu = Pmu<Cp15>;
    const INSTRUCTIONS: EventOrCycles<Selection> =
        EventOrCycles::Event(Selection::raw(INSTRUCTIONS).unwrap());
    const INCREMENTS: EventOrCycles<Selection> =
        EventOrCycles::Event(Selection::from_id(0x00).unwrap());
    const SILENT: EventOrCycles<Selection> =
        EventOrCycles::Event(Selection::from_id(0x09).unwrap());
    const LACKS: Option<&str> = match Selection::from_id(INSTRUCTIONS) {
        Some(_) => None,
        None => Some("INSTRUCTIONS_NOT_COUNTED"),
    };

    fn pmu() -> Pmu<Cp15> {
        Pmu::new(bus())
    }

    fn increment(running: &mut Running<Cp15>) {
        running.increment();
    }
}

/// All checks, if this is the core.
pub fn all(checks: &mut Checks) {
    let main_id = bus().main_id();
    if is_product(main_id) {
        checks.check("probe accepts the core", Pmu::probe(bus(), main_id).is_ok());
        counting::all::<Product>(checks);
        resuming(checks);
        divider(checks);
        user_mode_permissions(checks);
        user_mode_counts(checks);
    }
}

/// Counts the instructions of 500 turns, stops, runs `between` turns, resumes, and counts the instructions of `after`
/// turns. Returns the sum.
#[inline(never)]
fn resumed(between: usize, after: usize) -> Count {
    let mut pmu = Pmu::new(bus());
    let [first, ..] = pmu.counters();
    first.count(Selection::raw(INSTRUCTIONS).unwrap());
    let running = pmu.start();
    spin(500);
    let pmu = running.stop();
    spin(between);
    let running = pmu.resume();
    spin(after);
    running.stop().counts()[0]
}

fn resuming(checks: &mut Checks) {
    let without = resumed(0, 0);
    checks.equal("nothing counts between stop and resume", resumed(1_000, 0), without);
    checks.equal("resuming goes on", resumed(0, 300).since(without).exact(), Ok(300 * TURN));
    checks.check("from where it stood", without.exact().is_ok_and(|count| count >= 500 * TURN));
}

fn divider(checks: &mut Checks) {
    let divided = |turns| {
        let mut pmu = Pmu::new(bus());
        pmu.cycle_counter().count(Divider::By64);
        let running = pmu.start();
        spin(turns);
        running.stop().cycles().exact().unwrap_or(0)
    };
    // The start within a period of 64 cycles can add or remove one count.
    let difference = divided(32 * 1000).wrapping_sub(divided(0));
    checks.check("PMCR.D: PMCCNTR counts each 64th cycle", difference.abs_diff(1000) <= 1);
}

/// Which accesses are undefined in User mode, without and with PMUSERENR.EN.
fn user_mode_permissions(checks: &mut Checks) {
    for open in [false, true] {
        Pmu::new(bus()).user_access(open);
        macro_rules! permitted {
            ($($permitted:ident $name:literal: $access:expr;)*) => {$({
                let access: fn(Registers<'_, Cp15>) = $access;
                let done = in_user_mode(|| undefined(|| access(Registers::new(&mut bus()))));
                let title = format_args!("User mode, EN {}: {}", u8::from(open), $name);
                checks.check(title, done.is_some() == $permitted);
            })*};
        }
        let (always, never) = (true, false);
        permitted! {
            open "reads PMCR": |r| { r.pmcr().read(); };
            open "reads PMCNTENSET": |r| { r.pmcntenset().read(); };
            open "reads PMCNTENCLR": |r| { r.pmcntenclr().read(); };
            open "reads PMOVSR": |r| { r.pmovsr().read(); };
            open "reads PMSELR": |r| { r.pmselr().read(); };
            open "reads PMCCNTR": |r| { r.pmccntr().read(); };
            open "reads PMXEVTYPER": |r| { r.pmxevtyper().read(); };
            open "reads PMXEVCNTR": |r| { r.pmxevcntr().read(); };
            open "writes PMCR": |r| r.pmcr().write(|w| w.e().clear_bit());
            open "writes PMSWINC": |r| r.pmswinc().write(|w| w.p().set(0));
            always "reads PMUSERENR": |r| { r.pmuserenr().read(); };
            never "writes PMUSERENR": |r| r.pmuserenr().write(|w| w.en().set_bit());
            never "reads PMINTENSET": |r| { r.pmintenset().read(); };
            never "writes PMINTENSET": |r| r.pmintenset().write(|w| w.p().set(0));
            never "reads PMINTENCLR": |r| { r.pmintenclr().read(); };
            never "writes PMINTENCLR": |r| r.pmintenclr().write(|w| w.p().set(0));
        }
    }
}

/// User mode counts while it is permitted; after that, a diagnosis finds the cause without an undefined instruction.
fn user_mode_counts(checks: &mut Checks) {
    Pmu::new(bus()).user_access(true);
    let run = |turns| {
        in_user_mode(|| {
            let mut pmu = UserPmu::open(bus()).ok()?;
            pmu.assign(&[Product::INSTRUCTIONS, Pmu::<Cp15>::CYCLES]).ok()?;
            pmu.run(|| spin(turns));
            Some(([0, 1].map(|nth| pmu.count(nth).exact().unwrap_or(0)), pmu))
        })
    };
    let Some(((short, _), (long, mut pmu))) = run(0).zip(run(1_000)) else {
        return checks.check("User mode is let in", false);
    };
    let difference = [0, 1].map(|nth| long[nth].wrapping_sub(short[nth]));
    checks.equal("User mode counts instructions and cycles", difference, [1_000 * TURN; 2]);
    Pmu::new(bus()).user_access(false);
    let found = in_user_mode(|| undefined(|| pmu.diagnose_with(None, || spin(100))));
    let is_found = found.is_some_and(|diagnosis| diagnosis.has(Finding::UserModeClosed));
    checks.check("User mode without permission is diagnosed", is_found);
    let refused = in_user_mode(|| UserPmu::open(bus()).is_err());
    checks.check("and is refused", refused);
}
