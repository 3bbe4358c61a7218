//! Tests register accesses: which register an access reaches, whether it is permitted, and the
//! order of accesses.

use super::*;

/// Each register is read and written in privileged and User mode, with and without permission.
#[test]
fn the_device_follows_the_access_table() {
    let mut refused = 0;
    for row in ACCESS {
        for (write, enabled, privileged) in (0..8).map(|n| (n & 1 != 0, n & 2 != 0, n & 4 != 0)) {
            let device = Device::new();
            device.set_posted_stores(false);
            device.poke(PMSELR, 0);
            device.set_user_access(enabled);
            let bus = if privileged { device.bus() } else { device.user_bus() };
            match write {
                true => bus.mcr(row.operands, 0),
                false => _ = bus.mrc(row.operands),
            }
            let reached = product::Bus::error(&bus).is_none();
            let permitted = privileged || row.user.permits(enabled, write);
            assert_eq!(reached, permitted, "{} write {write} enabled {enabled}", row.name);
            refused += usize::from(!reached);
        }
    }
    // The refused accesses are two accesses to each register that needs permission (there are nine such registers, or
    // ten with PMOVSSET), four accesses to each of the two registers that are never permitted, and two writes of a
    // read-only register.
    let to_be_enabled = if HAS_FILTER { 10 } else { 9 };
    assert_eq!(refused, to_be_enabled * 2 + 2 * 4 + 2);
}

#[test]
fn user_mode_view_has_user_mode_registers() {
    let device = Device::new();
    device.poke(PMSELR, 0);
    device.set_user_access(true);
    let mut pmu = UserPmu::open(device.user_bus()).unwrap();
    let registers = pmu.registers();
    assert!(registers.pmuserenr().en().bit());
    let _ = registers.pmcr().read();
    let _ = registers.pmcntenset().read();
    let _ = registers.pmcntenclr().read();
    let _ = registers.pmovsr().read();
    registers.pmswinc().write(|w| w.p().set(0));
    let _ = registers.pmselr().read();
    let _ = registers.pmccntr().read();
    let _ = registers.pmxevtyper().read();
    let _ = registers.pmxevcntr().read();
    assert_eq!(product::Bus::error(&pmu.release()), None);
}

/// The driver does not need PMCR.X, and keeps the bit of an earlier owner.
#[test]
fn export_of_events_is_unchanged() {
    for export in [0, 1 << 4] {
        let device = Device::new();
        device.poke(PMCR, export);
        let pmu = Pmu::new(device.bus()).start().stop();
        assert_eq!(device.peek(PMCR) & 1 << 4, export);
        drop(pmu);
    }
}
