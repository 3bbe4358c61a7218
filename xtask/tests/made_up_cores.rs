//! The generated code of a family of processors with registers in CP15, compiled and used.

#[rustfmt::skip]
#[allow(dead_code, unused_imports)]
#[path = "good/cores/generated/mod.rs"]
mod generated;

use std::any::TypeId;
use std::cell::RefCell;

use arm_pmu_core::bus::{Bus, Operands, RegisterSpec, Word};
use arm_pmu_core::count::Amount;
use arm_pmu_core::event::{Event, EventOrCycles, InvalidSelection, Unit, UnknownId};
use arm_pmu_core::metric::Metric;
use generated::core1::{events as events1, metrics as metrics1, registers as core1};
use generated::core2::{events as events2, metrics as metrics2, registers as core2};

/// A core, as what was read and written: each register reads as `value`.
#[derive(Default)]
struct Core {
    value: u32,
    read: RefCell<Vec<Operands>>,
    written: RefCell<Vec<(Operands, u32)>>,
}

impl Bus for Core {
    type Space = core1::Space;

    fn load<S: RegisterSpec<Space = core1::Space>>(&self, _: usize) -> S::Ux {
        self.read.borrow_mut().push(S::LOCATION.key());
        S::Ux::truncate(self.value.into())
    }

    fn store<S: RegisterSpec<Space = core1::Space>>(&self, _: usize, value: S::Ux) {
        let value: u64 = value.into();
        self.written.borrow_mut().push((S::LOCATION.key(), value as u32));
    }

    fn synchronize(&self) {}
}

fn operands(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 15, crm, opc2 }
}

/// Of ARMv7.
fn c9(crm: u8, opc2: u8) -> Operands {
    Operands { crn: 9, ..operands(crm, opc2) }
}

#[test]
fn registers_are_named_by_their_operands() {
    assert_eq!(TypeId::of::<core1::Space>(), TypeId::of::<core2::Space>());
    assert_eq!(core1::control::ControlSpec::LOCATION.key(), operands(12, 0));
    assert_eq!(core1::cycles::CyclesSpec::LOCATION.key(), operands(12, 1));
    assert_eq!(core1::count0::Count0Spec::LOCATION.key(), operands(12, 2));
    assert_eq!(core1::count1::Count1Spec::LOCATION.key(), operands(12, 3));
    assert_eq!(core1::select::SelectSpec::LOCATION.key(), c9(12, 5));
    assert_eq!(core2::trace::TraceSpec::LOCATION.key(), c9(13, 0));
    // One at a time, although another register selects which.
    assert_eq!(core2::trace::TraceSpec::LOCATION.count(), 1);
}

#[test]
fn a_field_of_one_unit_is_reserved_in_the_other() {
    // 31 FIQ in one and `sbz` in the other, 30:17 `sbz`, 16:1 two codes, 0 acts.
    assert_eq!(core1::control::ControlSpec::KEEP, 0x0001_FFFE);
    assert_eq!(core2::control::ControlSpec::KEEP, 0x8001_FFFE);
    assert_eq!(core2::control::W::encode(|w| w.fiq().set_bit()), 0x8000_0000);
    assert!(core2::control::R::from_bits(0x8000_0000).fiq().bit());
    let shown = |text: String| text.contains("fiq");
    assert!(shown(format!("{:?}", core2::control::R::from_bits(0))));
    assert!(!shown(format!("{:?}", core1::control::R::from_bits(0))));
}

#[test]
fn modify_keeps_no_bit_that_reads_unpredictably() {
    let mut core = Core { value: 0xFFFF_FFFF, ..Core::default() };
    core1::Registers::new(&mut core).control().modify(|_, w| w.event0().set(0x12));
    core2::Registers::new(&mut core)
        .control()
        .modify(|_, w| w.event1().set(0x34).reset().set_bit());
    let control = operands(12, 0);
    assert_eq!(*core.read.borrow(), [control, control]);
    assert_eq!(*core.written.borrow(), [(control, 0x0001_FE24), (control, 0x8000_69FF)]);
}

#[test]
fn views_reach_each_register() {
    let mut core = Core { value: 1, ..Core::default() };
    let registers = core2::Registers::new(&mut core);
    assert!(registers.select().read().sel().bit());
    assert_eq!(registers.trace().read().state().bits(), 1);
    assert_eq!(registers.count0().read().count().bits(), 1);
    registers.count1().write(|w| w.count().set(7));
    registers.cycles().write(|w| w.count().set(8));
    assert_eq!(*core.read.borrow(), [c9(12, 5), c9(13, 0), operands(12, 2)]);
    assert_eq!(*core.written.borrow(), [(operands(12, 3), 7), (operands(12, 1), 8)]);
}

#[test]
fn values_after_reset_are_those_of_the_unit() {
    // In the other unit it is unknown, and there is no such constant.
    assert_eq!(core2::cycles::RESET, 0);
    assert_eq!((core1::control::RESET, core2::control::RESET), (0, 0));
    assert_eq!((core1::cycles::CyclesSpec::INITIAL, core2::cycles::CyclesSpec::INITIAL), (0, 0));
}

#[test]
fn units_have_the_events_that_are_theirs() {
    assert_eq!((events1::COUNTERS, events2::COUNTERS), (2, 2));
    use events1::Core1Event;
    use events2::Core2Event;
    let of_core1: Vec<_> = (0..=u16::MAX).filter_map(Core1Event::from_code).collect();
    let of_core2: Vec<_> = (0..=u16::MAX).filter_map(Core2Event::from_code).collect();
    assert_eq!(of_core1, [Core1Event::Instruction, Core1Event::Return, Core1Event::Cycle]);
    assert_eq!(of_core2, [Core2Event::Instruction, Core2Event::ParityError, Core2Event::Cycle]);
    assert_eq!((of_core1.as_slice(), of_core2.as_slice()), (Core1Event::ALL, Core2Event::ALL));
    assert_eq!((Core1Event::Return.code(), Core2Event::ParityError.code()), (2, 1));
    assert_eq!(
        (Core1Event::Cycle.unit(), Core1Event::Return.unit()),
        (Unit::Cycles, Unit::Occurrences)
    );
}

#[test]
fn a_selection_has_as_many_bits_as_the_field() {
    use events2::{Core2Event, Selection};
    let cycle = Selection::from(Core2Event::Cycle);
    assert_eq!((cycle.id(), cycle.listed()), (0xFF, Some(Core2Event::Cycle)));
    assert_eq!(Selection::raw(0xFF), Some(cycle));
    assert_eq!(Selection::raw(0x100), None);
    assert_eq!(
        (cycle.to_string(), format!("{cycle:?}")),
        ("CYCLE".into(), "Selection(CYCLE)".into())
    );
    // That of the other unit: a number without a name.
    let raw = Selection::raw(2).expect("8 bits");
    assert_eq!((raw.to_string(), raw.listed()), ("raw:0x02".into(), None));
    assert_eq!((Selection::from_id(2), Selection::try_from(2)), (None, Err(UnknownId(2))));
    assert_eq!("raw:0x2".parse(), Ok(raw));
    assert_eq!("parity_error".parse(), Ok(Selection::event(Core2Event::ParityError)));
    assert_eq!("RETURN".parse::<Selection>(), Err(InvalidSelection::Event));
    assert_eq!("raw:0x100".parse::<Selection>(), Err(InvalidSelection::Number));
    assert_eq!("core:CYCLE".parse::<Selection>(), Err(InvalidSelection::Source));
}

#[test]
fn every_number_survives_as_text() {
    use events1::Selection;
    for id in 0..=u16::MAX {
        let Some(selection) = Selection::raw(id) else {
            assert!(id > 0xFF);
            continue;
        };
        assert!(id <= 0xFF);
        assert_eq!(selection.to_string().parse(), Ok(selection));
        assert_eq!(Selection::try_from(id).ok(), selection.listed().map(Selection::event));
    }
}

#[test]
fn each_core_has_its_findings() {
    let names = |all: &[generated::core1::findings::Finding]| {
        all.iter().map(|f| f.name()).collect::<Vec<_>>()
    };
    assert_eq!(names(generated::core1::findings::Finding::ALL), ["BUS_ERROR", "HALTED"]);
    let closed = generated::core2::findings::Finding::UserModeClosed;
    assert_eq!(generated::core2::findings::Finding::ALL.last(), Some(&closed));
}

#[test]
fn metrics_are_those_of_the_unit() {
    let names = |all: &[arm_pmu_core::metric::About]| {
        all.iter().map(|about| about.name).collect::<Vec<_>>()
    };
    let of_both = ["INSTRUCTIONS_PER_CYCLE", "CYCLES_COUNTED"];
    assert_eq!(names(metrics1::METRICS), [of_both[0], "RETURN_SHARE", of_both[1]]);
    assert_eq!(names(metrics2::METRICS), of_both);
    assert_eq!(metrics2::NOT_COMPUTABLE[0].name, "PARITY_ERROR_RATIO");
    assert_eq!(metrics2::ParityErrorRatio.events(), []);
}

#[test]
fn cycles_are_taken_from_their_counter() {
    let [instructions, cycles] = metrics2::InstructionsPerCycle.events();
    assert_eq!(instructions, events2::Core2Event::Instruction.into());
    assert_eq!(cycles, EventOrCycles::Cycles);
    let amounts = [30, 40].map(Amount::new);
    let value = metrics2::InstructionsPerCycle.compute(&amounts);
    assert_eq!(value.to_string(), "0.750  (30 / 40)");
    let share = metrics1::ReturnShare.compute(&amounts);
    assert_eq!(share.to_string(), "75.00 %  (30 / 40)");
    assert_eq!(metrics1::CyclesCounted.events()[0], events1::Core1Event::Cycle.into());
}
