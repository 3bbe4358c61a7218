//! What the generator costs: reading, checking and emitting specs of all sizes.
//!
//! `cargo bench -p xtask`. After the figures of the single steps comes the time per event, which
//! should hardly depend on the size.

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use xtask::steps::{self, Texts};

/// How many times the size of the IP that is repeated.
const TIMES: [u32; 3] = [10, 100, 1000];

/// The IP that is repeated.
const REPEATED: &str = "cci550";

/// The steps, with the time of each over all runs.
struct Steps {
    name: String,
    events: usize,
    read: Mean,
    check: Mean,
    emit: Mean,
    /// The part of `emit` that is svd2rust's.
    svd2rust: Mean,
}

#[derive(Default)]
struct Mean {
    sum: Cell<Duration>,
    runs: Cell<u32>,
}

impl Mean {
    fn add(&self, duration: Duration) {
        self.sum.set(self.sum.get() + duration);
        self.runs.set(self.runs.get() + 1);
    }

    fn get(&self) -> Duration {
        self.sum.get() / self.runs.get().max(1)
    }

    /// Times `work`, without the drop of its result.
    fn time<T>(&self, work: impl FnOnce() -> T) {
        let start = Instant::now();
        let result = work();
        self.add(start.elapsed());
        drop(result);
    }
}

fn generator(criterion: &mut Criterion) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = Vec::new();
    for name in steps::names(&root).expect("IPs") {
        let texts = Texts::of_ip(&root, &name).expect("specs");
        all.push(measure(criterion, &name, &texts));
    }
    let once = Texts::of_ip(&root, REPEATED).expect("specs");
    // `cargo test --all-targets` runs everything once, without optimization: the smallest is enough.
    let sizes = if std::env::args().any(|argument| argument == "--bench") { 3 } else { 1 };
    for &times in &TIMES[..sizes] {
        let texts = once.repeated(times).expect("specs");
        all.push(measure(criterion, &format!("{REPEATED} x {times}"), &texts));
    }
    report(&all);
}

fn measure(criterion: &mut Criterion, name: &str, texts: &Texts) -> Steps {
    let read = texts.read().expect("no problem");
    let checked = read.check().expect("no problem");
    let events = checked.events();
    let steps = Steps {
        name: name.to_owned(),
        events,
        read: Mean::default(),
        check: Mean::default(),
        emit: Mean::default(),
        svd2rust: Mean::default(),
    };
    let mut group = criterion.benchmark_group("generator");
    group.throughput(Throughput::Elements(events as u64));
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    group.bench_function(BenchmarkId::new("read", name), |bencher| {
        bencher.iter(|| steps.read.time(|| texts.read().expect("no problem")));
    });
    group.bench_function(BenchmarkId::new("check", name), |bencher| {
        bencher.iter(|| steps.check.time(|| read.check().expect("no problem")));
    });
    group.bench_function(BenchmarkId::new("emit", name), |bencher| {
        bencher.iter(|| {
            let before = steps::spent_in_svd2rust();
            steps.emit.time(|| checked.emit().expect("no problem"));
            steps.svd2rust.add(steps::spent_in_svd2rust() - before);
        });
    });
    group.finish();
    steps
}

/// Means over all runs, warming up included.
fn report(all: &[Steps]) {
    println!(
        "{:14} {:>7} | {:>8} {:>8} {:>8} {:>8} us per event | svd2rust",
        "", "events", "read", "check", "emit", "all"
    );
    // Only complete rows: a filter on the command line may leave out steps.
    let runs = |steps: &Steps| [&steps.read, &steps.check, &steps.emit].map(|mean| mean.runs.get());
    for steps in all.iter().filter(|steps| !runs(steps).contains(&0)) {
        let per_event = |time: Duration| time.as_secs_f64() * 1e6 / steps.events as f64;
        let [read, check, emit] = [&steps.read, &steps.check, &steps.emit].map(Mean::get);
        let sum = read + check + emit;
        println!(
            "{:14} {:>7} | {:8.2} {:8.2} {:8.2} {:8.2}              | {:.0} % of all",
            steps.name,
            steps.events,
            per_event(read),
            per_event(check),
            per_event(emit),
            per_event(sum),
            100.0 * steps.svd2rust.get().as_secs_f64() / sum.as_secs_f64(),
        );
    }
}

criterion_group!(benches, generator);
criterion_main!(benches);
