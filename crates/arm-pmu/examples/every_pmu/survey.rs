//! A generic function that surveys any PMU without heap, floating point or operating system.

use core::fmt::{Display, Write};

use arm_pmu::measure::{Interval, Intervals, StartStop};
use arm_pmu::metric::Metric;
use arm_pmu::report::{Columns, Report, Row, Section};
use arm_pmu::schedule::{EventSet, EventSetError, MultiplexedCounts, Passes};

/// Results of a survey: passes, a multiplexed run and intervals.
pub type Survey<S, const N: usize> = (Passes<S, N>, MultiplexedCounts<S, N>, [Interval<S, 2>; 3]);

/// Counts events in three ways, and writes the results. There may be more events than counters.
///
/// The three ways are: in passes over the same work, in time slices of a longer run, and in intervals. The intervals
/// count the two events of the metric together.
pub fn survey<M, T, const N: usize>(
    title: &str,
    mut pmu: M,
    metric: T,
    events: [M::Selection; N],
    mut work: impl FnMut(),
    out: &mut impl Write,
) -> Result<Survey<M::Selection, N>, EventSetError>
where
    M: StartStop<Selection: Display + PartialEq>,
    T: Metric<Selection = M::Selection, Events = [M::Selection; 2]>,
{
    let pair = metric.events();
    let mut plan = EventSet::<M::Selection, N>::new();
    plan.add_group(&pair)?;
    for event in events.iter().filter(|event| !pair.contains(event)) {
        plan.each(&[*event])?;
    }
    let passes = plan.run(&mut pmu, &mut work)?;

    pmu.assign(&pair)?;
    let mut running = pmu.start();
    let mut read = Intervals::of(&mut running, 0);
    let columns = Columns::of(&read);
    let intervals = [1, 2, 3].map(|time| {
        work();
        read.next(&mut running, time)
    });
    pmu = M::stop(running);

    let mut rotation = plan.schedule(&mut pmu)?.rotate(pmu, 0);
    for time in 1..12 {
        work();
        rotation.rotate(time);
    }
    work();
    let (_, rotated) = rotation.stop(12);

    let name = T::ABOUT.name;
    let in_passes = (&passes, Row::metric(&name, passes.metric(&metric)));
    let in_turn = (&rotated, Row::metric(&name, rotated.metric(&metric)));
    // An error of the writer does not stop the measurement.
    let _ = writeln!(
        out,
        "{}",
        Report::new(&[
            Section { title: &format_args!("{title}, in passes"), rows: &in_passes },
            Section {
                title: &format_args!("{title}, multiplexed, 12 times the work"),
                rows: &in_turn
            },
        ])
        .bars(20)
    );
    let _ = columns.header(out);
    for interval in &intervals {
        let _ = columns.row(interval, out);
    }
    let _ = out.write_str("\n");
    Ok((passes, rotated, intervals))
}
