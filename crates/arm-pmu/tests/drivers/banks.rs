//! Tests of task banks, on every driver that supports banks.

use crate::devices::Device;
use arm_pmu::count::CountError;
use arm_pmu::measure::{Bank, BankedPmu, ContextSwitch};
use arm_pmu_sim::Response;

/// A driver with banks, on a device that is never freed.
trait Banked: Device<Pmu<'static>: ContextSwitch<Selection = Self::Selection>> + 'static {}

impl<D: Device<Pmu<'static>: ContextSwitch<Selection = D::Selection>> + 'static> Banked for D {}

type BankOf<D> = Bank<<D as Device>::Pmu<'static>>;

fn core<D: Banked>() -> (&'static D, BankedPmu<D::Pmu<'static>>) {
    let device: &D = Box::leak(Box::new(D::new()));
    (device, BankedPmu::new(device.pmu()))
}

fn bank<D: Banked, const N: usize>(events: [usize; N]) -> Option<BankOf<D>> {
    let what = events.map(|nth| D::selections()[nth]);
    Some(Bank::new(what).expect("there are enough counters"))
}

fn exact<D: Banked>(bank: Option<BankOf<D>>) -> Result<u64, CountError> {
    bank.expect("it was resumed").amount(0).exact()
}

/// The drivers of an ARM11 and of a DSU program all registers at each switch.
fn a_switch_programs_only_differences<D: Banked>() {
    let (device, mut pmu) = core::<D>();
    let mut starts =
        [bank::<D, 2>([0, 1]), bank::<D, 2>([0, 1]), bank::<D, 2>([0, 2])].map(|next| {
            let before = device.accesses();
            assert!(pmu.switch(next).is_none());
            let start = device.accesses() - before;
            pmu.switch(None);
            start
        });
    let before = device.accesses();
    assert!(pmu.switch(None).is_none());
    assert_eq!(device.accesses(), before, "a switch from no task to no task accesses no register");
    if !matches!(D::KIND, "arm_pmuv3" | "armv7_pmu") {
        return;
    }
    let [first, same, other] = starts;
    assert!(same < other && other < first, "{starts:?}");
    starts = [false, true, false].map(|is_invalid| {
        if is_invalid {
            pmu.invalidate();
        }
        let before = device.accesses();
        pmu.switch(bank::<D, 1>([0]));
        let start = device.accesses() - before;
        pmu.switch(bank::<D, 2>([0, 1]));
        start
    });
    assert!(
        starts[0] < starts[1],
        "an event that stays on its counter is not written again: {starts:?}"
    );
}

fn a_bank_migrates_between_cores<D: Banked>() {
    let [(one, mut first), (other, mut second)] = [core::<D>(), core::<D>()];
    let mut migrating = bank::<D, 1>([0]);
    for turn in 0..3 {
        assert!(first.switch(migrating).is_none());
        assert!(second.switch(bank::<D, 2>([1, 2])).is_none());
        one.signal(0, 1 << 30);
        other.signal(0, 1_000);
        other.signal(1, turn);
        migrating = first.switch(None);
        assert_eq!(exact::<D>(second.switch(migrating)), Ok(turn.into()));
        one.signal(0, 5);
        other.signal(0, 1 << 31);
        migrating = second.switch(None);
    }
    assert_eq!(exact::<D>(migrating), Ok(9 << 30));
}

/// Another owner disables the PMU in one slice; in the next slice, the PMU reads as zeros.
fn interference_disturbs_one_task<D: Banked>() {
    let (device, mut pmu) = core::<D>();
    let counted = [0, 1, 2, 3].map(|turn| {
        pmu.switch(bank::<D, 1>([0]));
        device.signal(0, 7);
        match turn {
            1 => device.other_owner_enables_all(false),
            2 => device.respond_after(0, Response::Zero),
            _ => {}
        }
        let suspended = exact::<D>(pmu.switch(None));
        device.respond_after(0, Response::Registers);
        suspended
    });
    let disturbed = Err(CountError::Disturbed);
    assert_eq!(counted, [Ok(7), disturbed, disturbed, Ok(7)]);
}

fn a_late_update_makes_a_lower_bound<D: Banked>() {
    let (device, mut pmu) = core::<D>();
    pmu.switch(bank::<D, 1>([0]));
    for times in [u32::MAX, 1 << 31, u32::MAX] {
        device.signal(0, times);
        pmu.update();
    }
    let all = 2 * u64::from(u32::MAX) + (1 << 31);
    assert_eq!(pmu.bank().map(|bank| bank.amount(0).exact()), Some(Ok(all)));
    device.signal(0, u32::MAX);
    device.signal(0, 1);
    let late = pmu.switch(None).expect("it was resumed").amount(0);
    assert_eq!(late.lower_bound(), all + (1 << 32));
    assert_eq!(late.exact().is_ok(), D::LONG, "{late:?}");
}

/// After another owner selected another event or wrote a counter, the next switch programs all events again.
#[test]
fn interference_lasts_for_one_slice() {
    use arm_pmu::cortex_a53::{CortexA53Event::InstRetired, Pmu, registers::Registers};
    let device = arm_pmu_sim::CortexA53::new();
    let mut pmu = BankedPmu::new(Pmu::new(device.bus()));
    let counted = [0, 1, 2, 3, 4].map(|turn| {
        pmu.switch(Bank::new([InstRetired]).ok());
        match turn {
            1 => device.other_owner_selects(0, 0x11),
            // Sets the counter below its start value, which is 2^31 in each slice.
            3 => {
                let bus = &mut device.bus();
                Registers::new(bus).pmevcntr_el0()[0].write(|w| w.count().set(1 << 30));
            }
            _ => {}
        }
        device.signal(InstRetired, 7);
        pmu.switch(None).and_then(|bank| bank.amount(0).exact().ok())
    });
    assert_eq!(counted, [Some(7), None, Some(7), None, Some(7)]);
}

macro_rules! on_pmu {
    ($pmu:ident true) => {
        mod $pmu {
            on_pmu! { $pmu: a_switch_programs_only_differences a_bank_migrates_between_cores
            interference_disturbs_one_task a_late_update_makes_a_lower_bound }
        }
    };
    ($pmu:ident false) => {};
    ($pmu:ident: $($test:ident)*) => { $(
        #[test]
        fn $test() {
            super::$test::<crate::devices::$pmu::Simulated>();
        }
    )* };
}

macro_rules! each_pmu {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, $($rest:tt)*
    })*) => { $( on_pmu!($pmu $cycles); )* };
}

arm_pmu::for_each_pmu!(drivers => each_pmu);
