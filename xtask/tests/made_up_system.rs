//! The generated code of a processor whose registers are system registers of AArch64, compiled and used.

#[rustfmt::skip]
#[allow(dead_code, unused_imports)]
#[path = "good/system/generated/mod.rs"]
mod generated;

use std::cell::RefCell;

use arm_pmu_core::bus::{Bus, RegisterSpec, SystemRegister, UserMode, Word};
use generated::registers::{self, Registers, Space};

/// A core, as what was read and written: each register reads as `value`.
#[derive(Default)]
struct Core {
    value: u64,
    read: RefCell<Vec<SystemRegister>>,
    written: RefCell<Vec<(SystemRegister, u64)>>,
}

impl Bus for Core {
    type Space = Space;

    fn load<S: RegisterSpec<Space = Space>>(&self, index: usize) -> S::Ux {
        self.read.borrow_mut().push(S::LOCATION.register(index));
        S::Ux::truncate(self.value)
    }

    fn store<S: RegisterSpec<Space = Space>>(&self, index: usize, value: S::Ux) {
        self.written.borrow_mut().push((S::LOCATION.register(index), value.into()));
    }

    fn synchronize(&self) {}
}

const CONTROL: SystemRegister = SystemRegister { op0: 3, op1: 3, crn: 9, crm: 12, op2: 0 };
const COUNT0: SystemRegister = SystemRegister { op0: 3, op1: 3, crn: 14, crm: 8, op2: 6 };

#[test]
fn registers_are_named_by_their_encodings() {
    use registers::{control_el0::ControlEl0Spec, count_el0::CountEl0Spec};
    assert_eq!(ControlEl0Spec::LOCATION.key(), CONTROL);
    assert_eq!(CountEl0Spec::LOCATION.key(), COUNT0);
    assert_eq!((ControlEl0Spec::LOCATION.count(), CountEl0Spec::LOCATION.count()), (1, 20));
    assert!(CountEl0Spec::LOCATION.are_performance_monitors());
}

#[test]
fn elements_follow_each_other_in_crm_and_op2() {
    let mut core = Core { value: 7, ..Core::default() };
    let registers = Registers::new(&mut core);
    let all = registers.count_el0();
    for element in [0, 1, 2, 10, 19] {
        assert_eq!(all[element].read().count().bits(), 7);
    }
    registers.count_el0_at(18).write(|w| w.count().set(5));
    let of = |crm, op2| SystemRegister { crm, op2, ..COUNT0 };
    assert_eq!(*core.read.borrow(), [of(8, 6), of(8, 7), of(9, 0), of(10, 0), of(11, 1)]);
    assert_eq!(*core.written.borrow(), [(of(11, 0), 5)]);
}

#[test]
fn a_register_of_64_bits_is_one_access() {
    let mut core = Core { value: u64::MAX - 1, ..Core::default() };
    let registers = Registers::new(&mut core);
    assert_eq!(registers.cycles_el0().read().count().bits(), u64::MAX - 1);
    registers.cycles_el0().write(|w| w.count().set(1 << 63 | 3));
    assert_eq!((core.read.borrow().len(), core.written.borrow()[0].1), (1, 1 << 63 | 3));
}

#[test]
fn masks_have_64_bits() {
    use registers::control_el0::{ControlEl0Spec, R, RESET, W};
    assert_eq!(RESET, 0x8000_0000_0000_0040);
    assert_eq!(ControlEl0Spec::KEEP, 0x8000_0000_0000_0001);
    // The reset value of what can be written, and the bit that has to be one.
    assert_eq!(ControlEl0Spec::INITIAL, 0x8000_0000_0000_0040);
    assert_eq!(W::encode(|w| w.e().set_bit().top().clear_bit()), 0x41);
    assert!(R::from_bits(1 << 63).top().bit() && !R::from_bits(1 << 62).top().bit());
    assert_eq!(registers::event_el0::W::encode(|w| w.threshold().set(0xFFFF)), 0xFFFF << 48);
}

#[test]
fn flags_are_cleared_by_writing_one_and_kept_by_modify() {
    let mut core = Core { value: u64::MAX, ..Core::default() };
    let registers = Registers::new(&mut core);
    registers.flags_el1().write(|w| w.p().set(0b100));
    registers.flags_el1().modify(|_, w| w);
    let written: Vec<_> = core.written.borrow().iter().map(|(_, value)| *value).collect();
    assert_eq!(written, [0b100, 0]);
}

#[test]
fn each_register_has_its_access_at_el0() {
    let rows: Vec<_> =
        registers::ACCESS.iter().map(|row| (row.name, row.operands, row.user)).collect();
    let at = |op1, crn, crm, op2| SystemRegister { op0: 3, op1, crn, crm, op2 };
    assert_eq!(
        rows,
        [
            ("CONTROL_EL0", CONTROL, UserMode::Enabled),
            ("FLAGS_EL1", at(0, 9, 14, 7), UserMode::Never),
            ("CYCLES_EL0", at(3, 9, 13, 0), UserMode::Read),
            ("COUNT_EL0", COUNT0, UserMode::Enabled),
        ]
    );
    let mut core = Core { value: 9, ..Core::default() };
    let user = registers::UserRegisters::new(&mut core);
    assert_eq!(user.cycles_el0().count().bits(), 9);
}
