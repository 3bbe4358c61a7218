//! Measures around a function call.

/// Calls `begin`, `work` and `end`. `end` is called even if `work` panics.
///
/// After `Monitor::run`, the driver must be stopped even if the caller catches a panic.
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

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    #[test]
    fn end_is_called_after_a_panic() {
        let mut log = std::vec::Vec::new();
        let begin = |log: &mut std::vec::Vec<_>| log.push("begin");
        let end: fn(&mut std::vec::Vec<_>) = |log| log.push("end");
        assert_eq!(run_between(&mut log, begin, end, || 7), 7);
        let work = std::panic::AssertUnwindSafe(|| {
            run_between(&mut log, begin, end, || {
                std::panic::resume_unwind(std::boxed::Box::new(()))
            })
        });
        assert!(std::panic::catch_unwind(work).is_err());
        assert_eq!(log, ["begin", "end", "begin", "end"]);
    }
}
