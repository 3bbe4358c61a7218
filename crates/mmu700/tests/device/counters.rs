//! Drivers with more or fewer than 4 counters, on devices with at least as many counters.

use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{Mmu700, Noise, Stream, Strict};
use mmu700::registers::{Page0, Page1};
use mmu700::{Count, CountError, Diagnose, StreamFilter, TcuEvent, tcu};

const STREAM: Stream = Stream::non_secure(0x8000_0042);

/// Runs a driver with `N` counters on devices with at least `N` counters and random register
/// contents.
fn on_every_device<const N: usize>(
    test: impl Fn(&Mmu700, tcu::Pmu<Page<'_, Page0>, Page<'_, Page1>, N>),
) {
    for there in [2, 4, 16, 32].into_iter().filter(|there| *there >= N) {
        for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2)] {
            let device = Strict::new(Mmu700::tcu());
            device.set_counters(there);
            device.power_up_with(noise);
            let pmu = tcu::Pmu::probe_counters::<N>(device.page0(), device.page1());
            test(&device, pmu.map_err(|error| error.kind()).unwrap());
        }
    }
}

type Page<'d, S> = arm_pmu_sim::MemoryBus<'d, S>;

/// Each counter counts its own event only.
fn each_counts<const N: usize>() {
    on_every_device::<N>(|device, mut pmu| {
        let events: Vec<_> = TcuEvent::ALL[1..].iter().cycle().take(N).copied().collect();
        for (counter, event) in pmu.counters().into_iter().zip(&events) {
            counter.count(*event);
        }
        let mut running = pmu.start();
        for (n, event) in TcuEvent::ALL[1..].iter().enumerate() {
            device.signal(*event, STREAM, n as u32 + 1);
        }
        let expected = |n: usize| Ok((n % (TcuEvent::ALL.len() - 1)) as u32 + 1);
        let captured = running.capture();
        let pmu = running.stop();
        for counts in [captured, pmu.counts()] {
            for (n, count) in counts.iter().enumerate() {
                assert_eq!(count.exact(), expected(n), "{n} of {N}");
            }
        }
        assert_eq!(pmu.interference(), None);
    });
}

#[test]
fn each_counter_counts_its_own_event() {
    each_counts::<2>();
    each_counts::<3>();
    each_counts::<4>();
    each_counts::<16>();
    each_counts::<31>();
}

/// Unused counters that an earlier owner left on do not count, capture or interrupt.
#[test]
fn counters_of_an_earlier_owner_are_disabled() {
    for there in [16, 32] {
        let device = Strict::new(Mmu700::tcu());
        device.set_counters(there);
        let all = u32::MAX >> (32 - there);
        device.poke(device.at(0, 0xC00), all);
        device.poke(device.at(0, 0xC40), all);
        device.poke(device.at(1, 0xCC0), all);
        let mut pmu = tcu::Pmu::new(device.page0(), device.page1());
        let [first, ..] = pmu.counters();
        first.count(TcuEvent::Transaction);
        let running = pmu.start();
        assert_eq!(device.peek(device.at(0, 0xC00)), 1);
        assert_eq!(device.peek(device.at(0, 0xC40)), 0);
        assert_eq!(device.peek(device.at(1, 0xCC0)), 0);
        device.signal(TcuEvent::Transaction, STREAM, 3);
        let mut pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Ok(3));
        assert!(pmu.counts()[1..].iter().all(|count| *count == Count::NOT_COUNTED));
        device.poke(device.at(1, 0xCC0), all);
        pmu.acknowledge_all();
        assert_eq!(device.peek(device.at(1, 0xCC0)), 0);
    }
}

#[test]
fn the_last_of_31_counters_overflows_and_interrupts() {
    let device = Strict::new(Mmu700::tcu());
    device.set_counters(32);
    let mut pmu = tcu::Pmu::probe_counters::<31>(device.page0(), device.page1()).unwrap();
    let last = pmu.counter(30).unwrap();
    last.overflow_after(TcuEvent::Transaction, std::num::NonZeroU32::new(5).unwrap());
    let mut all = [false; 31];
    all[30] = true;
    pmu.interrupts(all).unwrap();
    let mut running = pmu.start();
    device.signal(TcuEvent::Transaction, STREAM, 4);
    assert_eq!((device.interrupts(), running.acknowledge()), (0, [false; 31]));
    device.signal(TcuEvent::Transaction, STREAM, 1);
    assert_eq!((device.interrupts(), running.acknowledge()), (1, all));
    let pmu = running.stop();
    assert_eq!(pmu.counts()[30].lower_bound(), 5);
    assert!(pmu.counts()[30].exact().is_err());
}

#[test]
fn streams_of_32_bits_are_filtered() {
    let device = Strict::new(Mmu700::tcu());
    let top = Stream::non_secure(u32::MAX);
    for (filter, expected) in [
        (StreamFilter::exactly(u32::MAX).unwrap(), 1),
        (StreamFilter::exactly(0x8000_0042).unwrap(), 1),
        (StreamFilter::span(0x8000_0042..0x8000_0044).unwrap(), 1),
        (StreamFilter::span(0..0x8000_0000).unwrap(), 0),
        (StreamFilter::from_fields(true, 0xBFFF_FFFF).unwrap(), 2),
        (StreamFilter::ALL_NON_SECURE, 2),
        (StreamFilter::ALL, 2),
    ] {
        let mut pmu = tcu::Pmu::new(device.page0(), device.page1());
        let [first, ..] = pmu.counters();
        first.count(TcuEvent::Transaction);
        pmu.filter_streams(filter);
        let running = pmu.start();
        device.signal(TcuEvent::Transaction, STREAM, 1);
        device.signal(TcuEvent::Transaction, top, 1);
        assert_eq!(running.stop().counts()[0].exact(), Ok(expected), "{filter}");
    }
}

/// A diagnosis restores the registers, with any number of counters.
fn diagnosis_restores<const N: usize>() {
    on_every_device::<N>(|device, mut pmu| {
        for counter in pmu.counters() {
            counter.count(TcuEvent::Transaction);
        }
        let registers = || {
            let offsets = device.registers().iter().flat_map(|register| register.elements());
            offsets.map(|offset| device.peek(offset)).collect::<Vec<_>>()
        };
        device.poke(device.at(1, 0xCC0), 0);
        let before = registers();
        let diagnosis = pmu.diagnose_with(Some(TcuEvent::Transaction.into()), || {
            device.signal(TcuEvent::Transaction, STREAM, 7);
            device.clock(100);
        });
        assert_eq!(diagnosis.findings().count(), 0, "{diagnosis}");
        assert_eq!(registers(), before);
    });
}

#[test]
fn a_diagnosis_restores_all_counters() {
    diagnosis_restores::<2>();
    diagnosis_restores::<4>();
    diagnosis_restores::<16>();
    diagnosis_restores::<31>();
}

#[test]
fn missing_counter_is_disturbed() {
    let device = Mmu700::tcu();
    let mut pmu = tcu::Pmu::with_counters::<16>(device.page0(), device.page1());
    for counter in pmu.counters() {
        counter.count(TcuEvent::Transaction);
    }
    let running = pmu.start();
    device.signal(TcuEvent::Transaction, STREAM, 3);
    let pmu = running.stop();
    for (n, count) in pmu.counts().iter().enumerate() {
        let expected = if n < 4 { Ok(3) } else { Err(CountError::Disturbed) };
        assert_eq!(count.exact(), expected, "{n}");
    }
    let (page0, _) = pmu.release();
    page0.synchronize();
}
