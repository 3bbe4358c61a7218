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
