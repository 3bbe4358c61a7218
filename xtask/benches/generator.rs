//! What the generator costs: reading, checking and emitting specs of all sizes, and svd2rust's part of emitting.
//!
//! `cargo bench -p xtask`. The events per second of each step should hardly depend on the size.

use std::path::Path;
use std::time::Duration;

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use xtask::steps::{self, Texts};

/// Parts of the made-up IP, each of the size of a CCI-550.
const PARTS: [u32; 3] = [10, 100, 1000];

fn generator(criterion: &mut Criterion) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in steps::names(&root).expect("IPs") {
        measure(criterion, &name, &Texts::of_ip(&root, &name).expect("specs"));
    }
    // `cargo test --all-targets` runs everything once, without optimization: the smallest is enough.
    let sizes = if std::env::args().any(|argument| argument == "--bench") { 3 } else { 1 };
    for parts in &PARTS[..sizes] {
        measure(criterion, &format!("{parts} parts"), &Texts::made_up(*parts));
    }
}

fn measure(criterion: &mut Criterion, name: &str, texts: &Texts) {
    let read = texts.read().expect("no problem");
    let checked = read.check().expect("no problem");
    let mut group = criterion.benchmark_group("generator");
    group.throughput(Throughput::Elements(checked.events() as u64));
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    group.bench_function(BenchmarkId::new("read", name), |bencher| {
        bencher.iter_with_large_drop(|| texts.read().expect("no problem"));
    });
    group.bench_function(BenchmarkId::new("check", name), |bencher| {
        bencher.iter_with_large_drop(|| read.check().expect("no problem"));
    });
    group.bench_function(BenchmarkId::new("emit", name), |bencher| {
        bencher.iter_with_large_drop(|| checked.emit().expect("no problem"));
    });
    group.bench_function(BenchmarkId::new("svd2rust", name), |bencher| {
        bencher.iter_custom(|times| {
            let before = steps::spent_in_svd2rust();
            (0..times).for_each(|_| _ = checked.emit().expect("no problem"));
            steps::spent_in_svd2rust() - before
        });
    });
    group.finish();
}

criterion_group!(benches, generator);
criterion_main!(benches);
