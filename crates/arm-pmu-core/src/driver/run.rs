//! Measures around a function call.

/// Calls `begin`, `work` and `end`. `end` is called even if `work` panics.
///
/// Therefore the driver is stopped after `Monitor::run`, even if the caller catches a panic.
pub(super) fn run_between<P, R>(
    pmu: &mut P,
    begin: impl FnOnce(&mut P),
    end: fn(&mut P),
    work: impl FnOnce() -> R,
) -> R {
    struct End<'p, P> {
        pmu: &'p mut P,
        end: fn(&mut P),
    }

    impl<P> Drop for End<'_, P> {
        fn drop(&mut self) {
            (self.end)(self.pmu);
        }
    }

    begin(pmu);
    let _end = End { pmu, end };
    work()
}
