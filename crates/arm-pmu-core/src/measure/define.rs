//! Implements the traits of a driver, for generated code.

/// Implements the traits of a `Pmu` with a field `driver`, and of a `Running` with a field `pmu`.
///
/// The three brackets contain the type parameters with bounds, the type parameters without a bound on the bus, and
/// the type arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! monitor_traits {
    // Event counters only.
    (
        [$($bounds:tt)*] [$($plain:tt)*] [$($arguments:tt)*];
        $Selection:ty, $counters:expr, skew $skew:expr
    ) => {
        impl<$($bounds)*> $crate::measure::Monitor for Pmu<$($arguments)*> {
            type Selection = $Selection;

            const COUNTERS: usize = $counters;

            $crate::monitor_traits! { @monitor count }
        }

        $crate::monitor_traits! { @common [$($bounds)*] [$($plain)*] [$($arguments)*] }

        impl<$($bounds)*> $crate::measure::RunningMonitor for Running<$($arguments)*> {
            const COUNTERS: usize = $counters;
            const SKEW: Option<u32> = Some($skew);

            #[inline]
            fn take_overflows(&mut self) -> u32 {
                self.pmu.driver.acknowledge()
            }

            $crate::monitor_traits! { @running $Selection }
        }
    };
    // PMU with event counters and a cycle counter.
    (
        [$($bounds:tt)*] [$($plain:tt)*] [$($arguments:tt)*];
        $Selection:ty, $counters:expr, skew $skew:expr, cycles of $clock:literal $(by $divider:ident)?
    ) => {
        impl<$($bounds)*> $crate::measure::Monitor for Pmu<$($arguments)*> {
            type Selection = $Selection;

            /// The event counters and the cycle counter.
            const COUNTERS: usize = $counters + 1;

            const CLOCK: Option<Self::Selection> = Some(<Self as $crate::measure::CycleCounter>::CYCLES);

            $crate::monitor_traits! { @monitor count_of_selection }
        }

        #[doc = concat!("Counts every cycle of ", $clock, ".")]
        $(
            ///
            #[doc = $crate::monitor_traits!(@text $divider)]
        )?
        impl<$($bounds)*> $crate::measure::CycleCounter for Pmu<$($arguments)*> {
            const CYCLES: Self::Selection = $crate::event::EventOrCycles::Cycles;
        }

        impl<$($bounds)*> $crate::measure::ContextSwitch for Pmu<$($arguments)*> {
            type Context = $crate::driver::Context<
                <$Selection as $crate::event::WithCycles>::Event,
                { $counters },
                $crate::driver::Clock,
            >;

            fn context(what: &[Self::Selection]) -> Result<Self::Context, $crate::measure::AssignError> {
                $crate::driver::Context::new(what, $crate::driver::Clock::OFF)
            }

            fn selection(context: &Self::Context, nth: usize) -> Option<Self::Selection> {
                context.selection(nth)
            }

            fn amount(context: &Self::Context, nth: usize) -> $crate::count::Amount {
                context.amount(nth)
            }

            #[inline]
            fn switch_in(&mut self, context: &Self::Context, keep: bool) {
                self.driver.switch_in(context, keep);
            }

            #[inline]
            fn switch_out(&mut self, context: &mut Self::Context) {
                self.driver.switch_out(context);
            }
        }

        $crate::monitor_traits! { @common [$($bounds)*] [$($plain)*] [$($arguments)*] }

        /// Numbers the event counters first, then the cycle counter.
        impl<$($bounds)*> $crate::measure::RunningMonitor for Running<$($arguments)*> {
            const COUNTERS: usize = $counters + 1;
            const SKEW: Option<u32> = Some($skew);

            #[inline]
            fn take_overflows(&mut self) -> u32 {
                self.pmu.driver.take_overflows()
            }

            fn counter_of(&self, nth: usize) -> usize {
                self.pmu.driver.counter_of(nth)
            }

            $(
                fn $divider(&self, counter: usize) -> u32 {
                    self.pmu.driver.$divider(counter)
                }
            )?

            $crate::monitor_traits! { @running $Selection }
        }
    };
    (@monitor $count:ident) => {
        #[inline(always)]
        fn assign(&mut self, what: &[Self::Selection]) -> Result<(), $crate::measure::AssignError> {
            self.driver.assign(what)
        }

        fn run<T>(&mut self, work: impl FnOnce() -> T) -> T {
            self.driver.run(work)
        }

        fn count(&mut self, nth: usize) -> $crate::count::Count {
            self.driver.$count(nth)
        }
    };
    (@running $Selection:ty) => {
        type Selection = $Selection;

        fn acknowledged(&self) -> u32 {
            self.pmu.driver.overflowed()
        }

        fn read(&self, counts: &mut [$crate::count::Count]) {
            self.pmu.driver.read_into(counts);
        }

        fn selection(&self, counter: usize) -> Option<Self::Selection> {
            self.pmu.driver.selection(counter)
        }

        fn started_from(&self, counter: usize) -> u32 {
            self.pmu.driver.started_from(counter)
        }
    };
    (@common [$($bounds:tt)*] [$($plain:tt)*] [$($arguments:tt)*]) => {
        impl<$($bounds)*> $crate::measure::StartStop for Pmu<$($arguments)*> {
            type Running = Running<$($arguments)*>;

            fn start(self) -> Self::Running {
                self.start()
            }

            fn stop(running: Self::Running) -> Self {
                running.stop()
            }
        }

        impl<$($bounds)*> $crate::measure::Rearm for Running<$($arguments)*> {
            fn rearm(&mut self, counter: usize, events: ::core::num::NonZeroU32) {
                self.pmu.driver.rearm_after(counter, events);
            }
        }

        impl<$($plain)*> ::core::fmt::Debug for Running<$($arguments)*> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_tuple("Running").field(&self.pmu).finish()
            }
        }
    };
    (@text divider) => {
        "[`Pmu::cycle_counter`] can select every 64th cycle instead, until the next \
         [`assign`](arm_pmu_core::measure::Monitor::assign)."
    };
}
