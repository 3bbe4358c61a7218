//! Lists of event numbers, and conversion of events to event ids.

use arm_pmu_core::event::Selectable;

/// Lists event numbers: each alone, or as a range, in ascending order.
macro_rules! events {
    ($Number:ty: $($first:literal $(..=$last:literal)?),* $(,)?) => {{
        const RANGES: &[[$Number; 2]] = &[$([$first, [$($last,)? $first][0]]),*];
        const LENGTH: usize = {
            let (mut length, mut range) = (0, 0);
            while range < RANGES.len() {
                length += (RANGES[range][1] - RANGES[range][0]) as usize + 1;
                range += 1;
            }
            length
        };
        const ALL: [$Number; LENGTH] = {
            let (mut all, mut range, mut next) = ([0; LENGTH], 0, RANGES[0][0]);
            let mut nth = 0;
            while nth < LENGTH {
                all[nth] = next;
                nth += 1;
                if next < RANGES[range][1] {
                    next += 1;
                } else if nth < LENGTH {
                    range += 1;
                    next = RANGES[range][0];
                }
            }
            all
        };
        &ALL
    }};
}
pub(crate) use events;

/// Returns the event id of a selection of this PMU.
///
/// # Panics
///
/// If the selection belongs to a PMU whose path does not start with `pmu`.
#[track_caller]
pub(crate) fn id<S: Selectable>(selected: S, pmu: &str) -> u16 {
    let of = S::PMU;
    assert!(
        of.strip_prefix(pmu).is_some_and(|rest| rest.is_empty() || rest.starts_with("::")),
        "{selected:?} belongs to {of}, but the device is {pmu}"
    );
    selected.event_id()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    struct Revision0;

    impl Selectable for Revision0 {
        const PMU: &'static str = "cci400::r0";

        fn event_id(self) -> u16 {
            0x6A
        }
    }

    #[test]
    #[should_panic(expected = "Revision0 belongs to cci400::r0, but the device is cci4")]
    fn selection_of_another_device_panics() {
        let _ = id(Revision0, "cci4");
    }
}
