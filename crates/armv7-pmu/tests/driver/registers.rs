// Registers that accesses reach, their permissions, and the order of the driver's accesses.

fn reset_of_pmcr() -> u32 {
    Device::REGISTERS.iter().find(|row| row.name == "PMCR").unwrap().reset
}

/// The registers of the manual, in the order of their encodings: the table of the simulated device.
#[test]
fn access_table_matches_the_device_table() {
    let ours = ACCESS.map(|row| (row.name, row.operands, row.user));
    let theirs = Device::REGISTERS.iter().map(|row| {
        let user = match row.user {
            UserAccess::Enabled => UserMode::Enabled,
            UserAccess::Read => UserMode::Read,
            UserAccess::Never => UserMode::Never,
        };
        (row.name, row.operands, user)
    });
    assert!(theirs.eq(ours));
}

/// Each register, read and written, privileged and not, opened and closed.
#[test]
fn access_table_holds_on_the_device() {
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
    // Nine registers that need permission, and PMOVSSET, twice; two never permitted, four times; one read-only, twice.
    let to_be_enabled = if HAS_FILTER { 10 } else { 9 };
    assert_eq!(refused, to_be_enabled * 2 + 2 * 4 + 2);
}

/// The operands of the last access.
fn last(device: &Device) -> (u8, u8, u8, u8) {
    match device.journal().last() {
        Some(Cp15Access::Load { operands, .. } | Cp15Access::Store { operands, .. }) => {
            (operands.opc1, operands.crn, operands.crm, operands.opc2)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn register_locations_match_the_documents() {
    let device = Device::new();
    device.poke(PMSELR, 0);
    let mut pmu = Pmu::new(device.bus());
    let registers = pmu.registers();
    macro_rules! read_at {
        ($($register:ident $crm:literal $opc2:literal)*) => {$(
            let _ = registers.$register().read();
            assert_eq!(last(&device), (0, 9, $crm, $opc2), stringify!($register));
        )*};
    }
    read_at! {
        pmcr 12 0 pmcntenset 12 1 pmcntenclr 12 2 pmovsr 12 3 pmselr 12 5
        pmccntr 13 0 pmxevtyper 13 1 pmxevcntr 13 2
        pmuserenr 14 0 pmintenset 14 1 pmintenclr 14 2
    }
    registers.pmswinc().write(|w| w.p().set(0));
    assert_eq!(last(&device), (0, 9, 12, 4));
    assert_eq!(registers.pmcr().read().bits(), reset_of_pmcr());
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

/// Every field that can be written, as the bits of the manual; compared with the masks of the device too.
#[test]
fn field_positions_match_the_documents() {
    let written = |name: &str| {
        let row = Device::REGISTERS.iter().find(|row| row.name == name).unwrap();
        row.read_write | row.write_one_to_act | row.write_one_to_clear | row.write_one_to_set
    };
    let each = ALL;
    let all = pmcr::W::encode(|w| {
        w.e().set_bit().p().set_bit().c().set_bit().d().set_bit().x().set_bit().dp().set_bit()
    });
    assert_eq!((all, written("PMCR")), (0x3F, 0x3F));
    for (nth, value) in [
        pmcr::W::encode(|w| w.e().set_bit()),
        pmcr::W::encode(|w| w.p().set_bit()),
        pmcr::W::encode(|w| w.c().set_bit()),
        pmcr::W::encode(|w| w.d().set_bit()),
        pmcr::W::encode(|w| w.x().set_bit()),
        pmcr::W::encode(|w| w.dp().set_bit()),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(value, 1 << nth);
    }
    for (name, value, mask) in [
        ("PMCNTENSET", pmcntenset::W::encode(|w| w.p().set(EACH).c().set_bit()), each),
        ("PMCNTENCLR", pmcntenclr::W::encode(|w| w.p().set(EACH).c().clear_bit_by_one()), each),
        ("PMOVSR", pmovsr::W::encode(|w| w.p().set(EACH).c().clear_bit_by_one()), each),
        ("PMSWINC", pmswinc::W::encode(|w| w.p().set(EACH)), EACH.into()),
        ("PMSELR", pmselr::W::encode(|w| w.sel().set(0x1F)), 0x1F),
        ("PMXEVTYPER", pmxevtyper::W::encode(|w| w.evt_count().set(0xFF)) | FILTER, 0xFF | FILTER),
        ("PMUSERENR", pmuserenr::W::encode(|w| w.en().set_bit()), 1),
        ("PMINTENSET", pmintenset::W::encode(|w| w.p().set(EACH).c().set_bit()), each),
        ("PMINTENCLR", pmintenclr::W::encode(|w| w.p().set(EACH).c().clear_bit_by_one()), each),
    ] {
        assert_eq!((value, written(name)), (mask, mask), "{name}");
    }
    assert_eq!(pmcr::R::from_bits(reset_of_pmcr()).imp().bits(), 0x41);
    assert_eq!(pmcr::R::from_bits(reset_of_pmcr()).n().bits(), COUNTERS as u8);
}

/// Counter 2 on event 0x04.
#[test]
fn a_counter_is_selected_by_its_number_and_enabled_by_its_bit() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    let [_, _, accesses, ..] = pmu.counters();
    accesses.count(ACCESSES);
    let running = pmu.start();
    let stores = stores(&device);
    let of_type = if HAS_FILTER { 1 << 27 | 0x04 } else { 0x04 };
    let expected = [("PMSELR", 2), ("PMXEVTYPER", of_type), ("PMXEVCNTR", 0)];
    assert!(stores.windows(3).any(|three| three == expected), "{stores:x?}");
    assert!(stores.contains(&("PMCNTENSET", 0x4)), "{stores:x?}");
    assert_eq!(device.peek_event(2), 0x04);
    drop(running);
}

/// Lists the accesses of a measurement, so that any other access or order shows here.
#[test]
fn start_writes_only_needed_registers() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    let [_, first, _, second, ..] = pmu.counters();
    first.count(ACCESSES);
    second.count_from(MISSES, 100);
    pmu.cycle_counter().count_from(Divider::By64, 600);
    pmu.cycles_need_debug(true);
    pmu.interrupts(only(&[0, 3], true));
    // An earlier owner left it counting.
    device.poke(PMCR, 1);
    let running = pmu.start();
    // A filter of all modes.
    let filter = if HAS_FILTER { 1 << 27 } else { 0 };
    let of_cycles: &[_] =
        if HAS_FILTER { &[("PMSELR", 31), BARRIER, ("PMXEVTYPER", 1 << 27)] } else { &[] };
    let events = [
        ("PMCR", 0x28),
        ("PMCNTENCLR", ALL),
        BARRIER, // everything stands still
        ("PMSELR", 1),
        BARRIER,
        ("PMXEVTYPER", filter | 0x04),
        ("PMXEVCNTR", 0),
        ("PMSELR", 3),
        BARRIER,
        ("PMXEVTYPER", filter | 0x03),
        ("PMXEVCNTR", 100),
    ];
    let enables = [
        // The settings are read back.
        ("PMSELR", 1),
        BARRIER,
        ("PMSELR", 3),
        BARRIER,
        ("PMCCNTR", 600),
        ("PMOVSR", ALL),
        ("PMINTENCLR", ALL),
        ("PMINTENSET", 0x8000_0008),
        ("PMCNTENSET", 0x8000_000A),
        // The settings take effect before the counters run, as with Linux.
        BARRIER,
        ("PMCR", 0x29),
        BARRIER,
    ];
    let expected = [&events[..], of_cycles, &enables].concat();
    assert_eq!(stores_and_barriers(&device), expected);
    device.poke_counter(3, u32::MAX);
    device.signal_raw(0x03, 1);
    device.clear_journal();
    let pmu = running.stop();
    let events = [
        BARRIER,
        ("PMCR", 0x28),
        BARRIER, // everything stands still
        ("PMSELR", 1),
        BARRIER,
        ("PMSELR", 3),
        BARRIER,
    ];
    let of_cycles: &[_] = if HAS_FILTER { &[("PMSELR", 31), BARRIER] } else { &[] };
    let expected = [&events[..], of_cycles, &[("PMOVSR", 0x8), BARRIER]].concat();
    assert_eq!(stores_and_barriers(&device), expected);
    device.clear_journal();
    let running = pmu.resume();
    assert_eq!(stores_and_barriers(&device), [("PMCR", 0x29), BARRIER]);
    drop(running);
}

/// A synchronization follows every write to the selector, even if the core does not need it.
#[test]
fn selecting_is_followed_by_a_synchronization() {
    let device = Device::new();
    device.set_stale_selector(StaleSelector::New);
    let mut pmu = Pmu::new(device.bus());
    for counter in pmu.counters() {
        counter.count(ACCESSES);
    }
    let running = pmu.start();
    let _ = running.counts();
    let _ = running.stop();
    let mut selected = 0;
    for two in device.journal().windows(2) {
        if let Cp15Access::Store { operands: PMSELR, .. } = two[0] {
            assert_eq!(two[1], Cp15Access::Synchronize);
            selected += 1;
        }
    }
    assert!(selected >= 12, "{selected}");
}

#[test]
fn the_measured_code_is_fenced_in() {
    on_every_pmu(|device, pmu| {
        let synchronize = Some(&Cp15Access::Synchronize);
        let running = pmu.start();
        assert_eq!(device.journal().last(), synchronize, "start ends with a barrier");
        device.clear_journal();
        let pmu = running.stop();
        assert_eq!(device.journal().first(), synchronize, "stop begins with one");
        device.clear_journal();
        let _running = pmu.resume();
        assert_eq!(device.journal().last(), synchronize, "resume ends with one");
    });
}

/// A setting of an earlier owner that this driver does not need does not change.
#[test]
fn the_export_of_events_is_left_alone() {
    for export in [0, 1 << 4] {
        let device = Device::new();
        device.poke(PMCR, export);
        let pmu = Pmu::new(device.bus()).start().stop();
        assert_eq!(device.peek(PMCR) & 1 << 4, export);
        drop(pmu);
    }
}
