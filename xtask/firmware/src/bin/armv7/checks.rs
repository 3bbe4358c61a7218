// This file is included once for each core. `product` is the core's crate, and `is_product` checks
// its Main ID Register.

use arm_pmu_core::diagnose::Diagnose as _;
use arm_pmu_core::measure::{CycleCounter as _, Monitor as _};
use product::registers::{ACCESS, Registers};
use product::{Cp15, EventOrCycles, Finding, Pmu, Running, Selection, UserPmu};

use firmware::arm::{in_user_mode, undefined};
use firmware::counting::{self, Core};
use firmware::{Checks, TURN, bus, spin};

/// Code of the event that QEMU counts for each instruction, on each of these cores.
const INSTRUCTIONS: u16 = 0x08;

/// The driver of the product.
pub enum Product {}

impl Core for Product {
    type Pmu = Pmu<Cp15>;
    const INSTRUCTIONS: EventOrCycles<Selection> =
        EventOrCycles::Event(Selection::raw(INSTRUCTIONS).unwrap());
    const INCREMENTS: EventOrCycles<Selection> =
        EventOrCycles::Event(Selection::from_id(0x00).unwrap());
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

/// Runs all checks if this is the product's core. Returns whether it is.
pub fn all(checks: &mut Checks) -> bool {
    let main_id = bus().main_id();
    if is_product(main_id) {
        checks.check("probe accepts the core", Pmu::probe(bus(), main_id).is_ok());
        counting::all::<Product>(checks);
        user_mode_permissions(checks);
        user_mode_counts(checks);
    }
    is_product(main_id)
}

/// Checks the register table: which accesses are undefined in User mode while PMUSERENR.EN is 0, and while it is 1.
fn user_mode_permissions(checks: &mut Checks) {
    for open in [false, true] {
        Pmu::new(bus()).user_access(open);
        let mut compare = |register: &str, write, access: fn(Registers<'_, Cp15>)| {
            let row = ACCESS.iter().find(|row| row.name.eq_ignore_ascii_case(register));
            let done = in_user_mode(|| undefined(|| access(Registers::new(&mut bus()))));
            checks.check(
                format_args!(
                    "{register} in User mode, EN {open}, write {write}: {}",
                    done.is_some()
                ),
                row.is_some_and(|row| row.user.permits(open, write) == done.is_some()),
            );
        };
        macro_rules! reads {
            ($($register:ident)*) => {
                $(compare(stringify!($register), false, |r| _ = r.$register().read());)*
            };
        }
        macro_rules! writes {
            ($($register:ident)*) => {
                $(compare(stringify!($register), true, |r| r.$register().write(|w| w));)*
            };
        }
        reads!(pmcr pmcntenset pmcntenclr pmovsr pmselr pmccntr pmxevtyper pmxevcntr pmuserenr pmintenset pmintenclr);
        writes!(pmcr pmswinc pmuserenr pmintenset pmintenclr);
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
        return checks.check("User mode can open the PMU", false);
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
