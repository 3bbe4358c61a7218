//! A run with more events than a counter of an L2C-310 can hold.
//!
//! A counter that reaches 2^32 - 1 stops there, so its count is a lower bound. The example counts the same run in
//! parts and adds the counts. The example runs on a simulated cache with made-up traffic:
//!
//! ```text
//! cargo run -p l2c-310 --example saturation
//! ```

use arm_pmu_core::count::Amount;
use arm_pmu_sim::L2c310;
use l2c_310::metrics::DataReadHitRatio;
use l2c_310::{AssignError, CountError, L2c310Event, Metric, Pmu, measure};

const SECONDS: u32 = 20;

fn main() -> Result<(), AssignError> {
    let cache = L2c310::new();
    // On a board: let mut pmu = Pmu::probe(unsafe { l2c_310::Mmio::new(base) })?;
    let mut pmu = Pmu::new(cache.bus());
    let [hits, requests] = DataReadHitRatio.events();

    let whole = measure(&mut pmu, [hits, requests], || (0..SECONDS).for_each(|_| second(&cache)))?;
    println!("in one run\n{whole}\n{}\n", whole.metric(&DataReadHitRatio));

    // Events between a stop and the next start are not counted. If the parts are long, few events
    // are missed.
    let mut sum = [0; 2];
    for _ in 0..SECONDS {
        let part = measure(&mut pmu, [hits, requests], || second(&cache))?;
        for (sum, count) in sum.iter_mut().zip(part.counts) {
            match count.exact() {
                Ok(events) => *sum += u64::from(events),
                Err(CountError::Saturated) => println!("a part was too long"),
                Err(why) => println!("a part is missing: {why}"),
            }
        }
    }
    let ratio = DataReadHitRatio.compute(&sum.map(Amount::new));
    println!("in {SECONDS} parts");
    for (sum, of) in sum.into_iter().zip([hits, requests]) {
        println!("{sum:13}  {of}");
    }
    println!("{ratio}");
    Ok(())
}

/// Signals one second of a busy system: 300 million reads.
fn second(cache: &L2c310) {
    cache.signal(L2c310Event::DataReadRequest, 300_000_000);
    cache.signal(L2c310Event::DataReadHit, 285_000_000);
}
