//! The function that knows no IP: without heap, floating point and operating system.

use core::fmt::{Display, Write};

use arm_pmu::{
    Amount, Columns, Interval, Intervals, Passes, Percent, Plan, PlanError, Report, Rotated, Row,
    Section, Start,
};

/// What was measured of one PMU.
pub type Survey<S, const N: usize> = (Passes<S, N>, Rotated<S, N>, [Interval<2>; 3]);

/// Counts events, perhaps more than the PMU has counters, in three ways, and writes what came out:
/// in passes over the same work, in turn during a longer run, and the first two from interval to
/// interval. Those two are counted together, as a part and a whole.
pub fn survey<M, const N: usize>(
    title: &str,
    mut pmu: M,
    events: [M::Selection; N],
    mut work: impl FnMut(),
    out: &mut impl Write,
) -> Result<Survey<M::Selection, N>, PlanError>
where
    M: Start<Selection: Display + PartialEq>,
{
    let [part, whole, others @ ..] = events.as_slice() else {
        return Err(PlanError::Full { room: N });
    };
    let mut plan = Plan::<M::Selection, N>::new();
    let pair = plan.together(&[*part, *whole])?;
    plan.each(others)?;
    let passes = plan.run(&mut pmu, &mut work)?;

    pmu.assign(&[*part, *whole])?;
    let mut running = pmu.start();
    let mut read = Intervals::of(&mut running, [*part, *whole], 0);
    let intervals = [1, 2, 3].map(|time| {
        work();
        read.next(&mut running, time)
    });
    pmu = M::stop(running);

    let mut rotation = plan.fit(&mut pmu)?.rotate(pmu, 0);
    for time in 1..12 {
        work();
        rotation.rotate(time);
    }
    work();
    let (_, rotated) = rotation.stop(12);

    let [part_events, whole_events] = {
        let mut of_pair = passes.group(pair).map(|(_, amount)| amount);
        [(); 2].map(|()| of_pair.next().unwrap_or(Amount::NOTHING))
    };
    let ratio = Percent { part: part_events, whole: whole_events };
    let name = format_args!("{part} / {whole}");
    let in_passes = (&passes, Row::percent(&name, ratio));
    let sections = [
        Section { title: &format_args!("{title}, in passes"), rows: &in_passes },
        Section { title: &format_args!("{title}, in turn, 12 times the work"), rows: &rotated },
    ];
    let columns = Columns::new([*part, *whole]);
    // What does not take text does not keep anybody from measuring.
    let _ = writeln!(out, "{}", Report::new(&sections).bars(20));
    let _ = columns.header(out);
    for interval in &intervals {
        let _ = columns.row(interval, out);
    }
    let _ = out.write_str("\n");
    Ok((passes, rotated, intervals))
}
