//! The generated code of an IP with two units, whose registers are on pages, compiled and used.

#[rustfmt::skip]
#[allow(dead_code, unused_imports)]
#[path = "good/pages/generated/mod.rs"]
mod generated;

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;

use arm_pmu_core::bus::{Bus, MemorySpace, RegisterSpec, TwoPages, Word};
use arm_pmu_core::count::Amount;
use arm_pmu_core::event::{Event, InvalidSelection, Unit, UnknownId};
use arm_pmu_core::metric::Metric;
use generated::registers::{
    PAGE0_LENGTH, PAGE1_LENGTH, Page0, Page0Registers, Page1, Page1Registers, count, events_hi,
    events_lo, far as far_places, near as near_places, secure, select, set_lo,
};
use generated::{far, near};

/// One page of a device, as words by their offsets.
struct Words<S>(RefCell<BTreeMap<usize, u32>>, PhantomData<S>);

impl<S> Default for Words<S> {
    fn default() -> Self {
        Self(RefCell::default(), PhantomData)
    }
}

impl<S> Words<S> {
    fn get(&self, offset: usize) -> u32 {
        self.0.borrow().get(&offset).copied().unwrap_or(0)
    }
}

impl<S: MemorySpace> Bus for Words<S> {
    type Space = S;

    fn load<R: RegisterSpec<Space = S>>(&self, index: usize) -> R::Ux {
        R::Ux::truncate(self.get(R::LOCATION.offset(index)).into())
    }

    fn store<R: RegisterSpec<Space = S>>(&self, index: usize, value: R::Ux) {
        let value: u64 = value.into();
        self.0.borrow_mut().insert(R::LOCATION.offset(index), value as u32);
    }

    fn synchronize(&self) {}
}

#[test]
fn pages_are_spaces_of_their_own() {
    assert_eq!((PAGE0_LENGTH, PAGE1_LENGTH), (0x1000, 0x100));
    assert_eq!((Page0::LENGTH, Page1::LENGTH), (0x1000, 0x100));
    assert_ne!(TypeId::of::<Page0>(), TypeId::of::<Page1>());
    assert_eq!(TypeId::of::<<select::SelectSpec as RegisterSpec>::Space>(), TypeId::of::<Page0>());
    assert_eq!(TypeId::of::<<count::CountSpec as RegisterSpec>::Space>(), TypeId::of::<Page1>());
}

#[test]
fn units_have_their_pages_where_the_spec_says() {
    assert_eq!((near_places::PAGE0, near_places::PAGE1), (0x2000, 0x2_2000));
    assert_eq!((far_places::PAGE0, far_places::PAGE1), (0x0, 0x1000));
    // To the end of the page that ends last.
    assert_eq!((near_places::LENGTH, far_places::LENGTH), (0x2_2100, 0x1100));
}

#[test]
fn a_region_divides_into_its_pages() {
    use {far_places::Region as Far, near_places::Region as Near};
    assert_eq!((Near::LENGTH, Near::PAGE0, Near::PAGE1), (0x2_2100, 0x2000, 0x2_2000));
    assert_eq!((Far::LENGTH, Far::PAGE0, Far::PAGE1), (0x1100, 0x0, 0x1000));
}

#[test]
fn registers_are_where_the_spec_says() {
    fn of<S: RegisterSpec<Space: MemorySpace>>() -> (usize, usize, usize) {
        (S::LOCATION.key(), S::LOCATION.count(), S::LOCATION.stride())
    }
    assert_eq!(of::<select::SelectSpec>(), (0x400, 2, 4));
    assert_eq!(of::<count::CountSpec>(), (0x0, 2, 4));
    assert_eq!(of::<secure::SecureSpec>(), (0xDF8, 1, 0));
    // The high word of SET has no field, and so is none.
    assert_eq!(of::<set_lo::SetLoSpec>(), (0xC00, 1, 0));
    assert_eq!(of::<events_lo::EventsLoSpec>(), (0xE20, 1, 0));
    assert_eq!(of::<events_hi::EventsHiSpec>(), (0xE24, 1, 0));
}

#[test]
fn views_reach_the_words_of_their_page() {
    let (mut page0, mut page1) = (Words::default(), Words::default());
    page0.0.get_mut().extend([(0xE20, 0x7F), (0xE24, 1)]);
    let registers = Page0Registers::new(&mut page0);
    assert_eq!(registers.events_lo().read().low().bits(), 0x7F);
    assert_eq!(registers.events_hi().read().high().bits(), 1);
    registers.set_lo().write(|w| w.enable().set(0b10));
    let [_, second] = registers.select();
    second.write(|w| w.event().set(0x100));
    let [_, second] = Page1Registers::new(&mut page1).count();
    second.write(|w| w.value().set(7));
    assert_eq!((page0.get(0xC00), page0.get(0x404), page1.get(0x4)), (0b10, 0x100, 7));
}

#[test]
fn modify_keeps_what_some_elements_have() {
    // The other elements read zero at bit 31, which is then written back: zero.
    assert_eq!(select::SelectSpec::KEEP, 0x8000_FFFF);
    assert_eq!(select::SelectSpec::INITIAL, 0);
    let mut page = Words::default();
    page.0.get_mut().insert(0x400, 0x8000_0001);
    let [first, _] = Page0Registers::new(&mut page).select();
    first.modify(|_, w| w.event().set(2));
    assert_eq!(page.get(0x400), 0x8000_0002);
}

#[test]
fn modify_keeps_no_bit_that_sets() {
    assert_eq!((set_lo::SetLoSpec::KEEP, set_lo::SetLoSpec::INITIAL), (0, 0));
    assert_eq!(count::CountSpec::KEEP, 0xFFFF_FFFF);
    // A field that cannot be written, after reset 1: it is written as zero.
    assert_eq!((secure::SecureSpec::KEEP, secure::SecureSpec::INITIAL), (0, 0));
}

#[test]
fn values_after_reset_are_those_of_the_words_and_units() {
    assert_eq!((events_lo::RESET_NEAR, events_hi::RESET_NEAR), (0x7F, 1));
    assert_eq!((set_lo::RESET, secure::RESET), (0, 0x8000_0000));
}

#[test]
fn units_have_events_of_their_own() {
    assert_eq!((near::events::COUNTERS, far::events::COUNTERS), (2, 2));
    use far::events::FarEvent;
    use near::events::NearEvent;
    let of_near: Vec<_> = (0..=u16::MAX).filter_map(NearEvent::from_code).collect();
    let of_far: Vec<_> = (0..=u16::MAX).filter_map(FarEvent::from_code).collect();
    assert_eq!(of_near, [NearEvent::ClockCycle, NearEvent::Lookup]);
    assert_eq!(of_far, [FarEvent::ClockCycle, FarEvent::Error]);
    assert_eq!((of_near.as_slice(), of_far.as_slice()), (NearEvent::ALL, FarEvent::ALL));
    assert_eq!((NearEvent::Lookup.code(), FarEvent::Error.code()), (1, 0x100));
}

#[test]
fn events_say_what_they_are() {
    use far::events::FarEvent;
    use near::events::NearEvent;
    assert_eq!(NearEvent::ClockCycle.unit(), Unit::Cycles);
    assert_eq!(NearEvent::Lookup.unit(), Unit::Occurrences);
    assert!(NearEvent::ClockCycle.architectural() && !NearEvent::Lookup.architectural());
    assert!(NearEvent::Lookup.filterable() && !NearEvent::ClockCycle.filterable());
    assert!(FarEvent::Error.secure_only() && !FarEvent::ClockCycle.secure_only());
    assert_eq!(FarEvent::Error.summary(), "An error was corrected.");
    assert_eq!(FarEvent::Error.evntbus(), None);
}

#[test]
fn a_selection_is_an_event_or_any_number() {
    use far::events::{FarEvent, Selection};
    let error = Selection::event(FarEvent::Error);
    assert_eq!(
        (error.id(), u16::from(error), error.listed()),
        (0x100, 0x100, Some(FarEvent::Error))
    );
    assert_eq!(Selection::from(FarEvent::Error), error);
    assert_eq!((Selection::from_id(0x100), Selection::try_from(0x100)), (Some(error), Ok(error)));
    assert_eq!(error.to_string(), "ERROR");
    for text in ["ERROR", "error", "raw:0x100", "RAW:0X0100"] {
        assert_eq!(text.parse(), Ok(error), "{text}");
    }
    // 16 bits: every number is one.
    let raw = Selection::raw(0xFFFF).expect("16 bits");
    assert_eq!((raw.id(), raw.listed()), (0xFFFF, None));
    assert_eq!(
        (raw.to_string(), format!("{raw:?}")),
        ("raw:0xffff".into(), "Selection(raw:0xffff)".into())
    );
    assert_eq!("raw:0xFFFF".parse(), Ok(raw));
    assert_eq!(
        (Selection::from_id(0xFFFF), Selection::try_from(0xFFFF)),
        (None, Err(UnknownId(0xFFFF)))
    );
}

#[test]
fn text_that_is_no_selection_is_refused() {
    let parse = |text: &str| text.parse::<near::events::Selection>().expect_err(text);
    // That of the other unit.
    assert_eq!(parse("ERROR"), InvalidSelection::Event);
    assert_eq!(parse(""), InvalidSelection::Event);
    assert_eq!(parse("near:LOOKUP"), InvalidSelection::Source);
    for text in ["raw:", "raw:1", "raw:0x", "raw:0x+1", "raw:0x10000", "raw:0xG"] {
        assert_eq!(parse(text), InvalidSelection::Number, "{text}");
    }
}

#[test]
fn every_number_survives_as_text() {
    use far::events::Selection;
    for id in 0..=u16::MAX {
        let selection = Selection::raw(id).expect("16 bits");
        assert_eq!(selection.to_string().parse(), Ok(selection));
        assert_eq!(Selection::try_from(id).is_ok(), selection.listed().is_some());
    }
}

#[test]
fn two_units_may_have_metrics_of_one_name() {
    let amounts = [5, 20].map(Amount::new);
    // 1 - 5 / 20, of errors and cycles.
    let value = far::metrics::HitRatio.compute(&amounts);
    assert_eq!(value.to_string(), "75.00 %  (15 / 20)");
    let value = near::metrics::HitRatio.compute(&amounts);
    assert_eq!(value.to_string(), "not computable: Nothing counts hits.");
    let value = near::metrics::LookupsPerCycle.compute(&amounts);
    assert_eq!(value.to_string(), "0.250  (5 / 20)");
}
