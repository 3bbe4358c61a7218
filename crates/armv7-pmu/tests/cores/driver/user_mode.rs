//! Tests the driver in User mode, with permission to access the PMU.

use super::*;

/// User mode cannot access the interrupt enables even with permission.
#[test]
fn a_program_never_touches_the_interrupt_enables() {
    on_every_user_pmu(|device, mut pmu| {
        device.poke(PMINTENSET, ALL);
        let [_, increments, ..] = pmu.counters();
        increments.count(SOFTWARE);
        pmu.cycles_need_debug(true);
        let mut running = pmu.start();
        running.increment();
        let _ = (running.counts(), running.cycles());
        device.poke_counter(0, u32::MAX);
        signal(device, INSTRUCTIONS, 1);
        assert!(device.interrupt(), "the kernel enabled the interrupt");
        assert!(running.acknowledge().counters[0]);
        let mut pmu = running.stop().resume().stop();
        pmu.acknowledge_all();
        let what = [EventOrCycles::Event(MISSES), EventOrCycles::Cycles];
        let measured = measure(&mut pmu, what, || device.clock(5)).unwrap();
        assert_eq!(measured.counts, [0, 5].map(Count::new));
        let touched = device.journal().into_iter().any(|access| match access {
            Cp15Access::Load { operands, .. } => [PMINTENSET, PMINTENCLR].contains(&operands),
            Cp15Access::Store { operands, .. } => {
                [PMINTENSET, PMINTENCLR, PMUSERENR].contains(&operands)
            }
            Cp15Access::Synchronize => false,
        });
        assert!(!touched);
        assert_eq!(device.peek(PMINTENSET), ALL, "the kernel's enables are untouched");
    });
}

#[test]
fn the_kernel_opens_and_closes_user_access() {
    on_every_device(|device| {
        device.set_user_access(false);
        let mut kernel = Pmu::new(device.bus());
        let refused = UserPmu::open(device.user_bus()).unwrap_err();
        assert_eq!(refused.kind(), ProbeErrorKind::UserModeClosed);
        device.clear_journal();
        kernel.user_access(true);
        assert_eq!(stores(device), [("PMUSERENR", 1)]);
        assert_eq!(device.journal().last(), Some(&Cp15Access::Synchronize), "at once");
        let mut program = UserPmu::open(refused.into_bus()).unwrap();
        let [instructions, ..] = program.counters();
        instructions.count(INSTRUCTIONS);
        let running = program.start();
        signal(device, INSTRUCTIONS, 4);
        let program = running.stop();
        assert_eq!(program.counts()[0].exact(), Ok(4));
        kernel.user_access(false);
        assert_eq!(device.peek(PMUSERENR), 0);
        assert_eq!(program.start().stop().counts()[0].exact(), Err(CountError::BusError));
    });
}
