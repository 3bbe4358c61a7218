//! Where accesses go, who may make them, and in which order the driver does.

use arm_pmu_sim::{CortexA8, Cp15Access, StaleSelector, UserAccess};
use cortex_a8::registers::{
    ACCESS, cntenc, cntens, evtsel, flag, intenc, intens, pmnc, pmnxsel, swincr, useren,
};
use cortex_a8::{CortexA8Event, Counters, Divider, Pmu, UserMode, UserPmu};

use super::{BARRIER, PMNC, PMNXSEL, on_every_pmu, stores, stores_and_barriers};

/// The registers of the manual, in the order of their encodings: the table of the simulated device.
#[test]
fn the_access_table_is_that_of_the_device() {
    let ours = ACCESS.map(|row| (row.name, row.operands, row.user));
    let theirs = CortexA8::REGISTERS.iter().map(|row| {
        let user = match row.user {
            UserAccess::Enabled => UserMode::Enabled,
            UserAccess::Read => UserMode::Read,
            UserAccess::Never => UserMode::Never,
        };
        (row.name, row.operands, user)
    });
    assert!(theirs.eq(ours));
}

/// 12 registers, read and written, privileged and not, opened and closed.
#[test]
fn the_access_table_is_what_the_device_does() {
    let mut refused = 0;
    for row in ACCESS {
        for (write, enabled, privileged) in (0..8).map(|n| (n & 1 != 0, n & 2 != 0, n & 4 != 0)) {
            let device = CortexA8::new();
            device.set_posted_stores(false);
            device.poke(PMNXSEL, 0);
            device.set_user_access(enabled);
            let bus = if privileged { device.bus() } else { device.user_bus() };
            match write {
                true => bus.mcr(row.operands, 0),
                false => _ = bus.mrc(row.operands),
            }
            let reached = cortex_a8::Bus::error(&bus).is_none();
            let permitted = privileged || row.user.permits(enabled, write);
            assert_eq!(reached, permitted, "{} write {write} enabled {enabled}", row.name);
            refused += usize::from(!reached);
        }
    }
    // Nine that have to be enabled, twice; two never, four times; one that cannot be written, twice.
    assert_eq!(refused, 9 * 2 + 2 * 4 + 2);
}

/// The operands of the last access.
fn last(device: &CortexA8) -> (u8, u8, u8, u8) {
    match device.journal().last() {
        Some(Cp15Access::Load { operands, .. } | Cp15Access::Store { operands, .. }) => {
            (operands.opc1, operands.crn, operands.crm, operands.opc2)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn registers_are_where_the_documents_say() {
    let device = CortexA8::new();
    device.poke(PMNXSEL, 0);
    let mut pmu = Pmu::new(device.bus());
    let registers = pmu.registers();
    macro_rules! read_at {
        ($($register:ident $crm:literal $opc2:literal)*) => {$(
            let _ = registers.$register().read();
            assert_eq!(last(&device), (0, 9, $crm, $opc2), stringify!($register));
        )*};
    }
    read_at! {
        pmnc 12 0 cntens 12 1 cntenc 12 2 flag 12 3 pmnxsel 12 5
        ccnt 13 0 evtsel 13 1 pmcnt 13 2
        useren 14 0 intens 14 1 intenc 14 2
    }
    registers.swincr().write(|w| w.p().set(0));
    assert_eq!(last(&device), (0, 9, 12, 4));
    assert_eq!(registers.pmnc().read().bits(), pmnc::RESET);
    assert_eq!(pmnc::RESET, 0x4100_2000);
}

#[test]
fn the_view_of_user_mode_has_what_user_mode_reaches() {
    let device = CortexA8::new();
    device.poke(PMNXSEL, 0);
    device.set_user_access(true);
    let mut pmu = UserPmu::open(device.user_bus()).unwrap();
    let registers = pmu.registers();
    assert!(registers.useren().en().bit());
    let _ = registers.pmnc().read();
    let _ = registers.cntens().read();
    let _ = registers.cntenc().read();
    let _ = registers.flag().read();
    registers.swincr().write(|w| w.p().set(0));
    let _ = registers.pmnxsel().read();
    let _ = registers.ccnt().read();
    let _ = registers.evtsel().read();
    let _ = registers.pmcnt().read();
    assert_eq!(cortex_a8::Bus::error(&pmu.release()), None);
}

/// Every field that can be written, as the bits of the manual; compared with the masks of the device too.
#[test]
fn fields_are_where_the_documents_say() {
    let written = |name: &str| {
        let row = CortexA8::REGISTERS.iter().find(|row| row.name == name).unwrap();
        row.read_write | row.write_one_to_act | row.write_one_to_clear | row.write_one_to_set
    };
    let each = 1 << 31 | 0xF;
    let all = pmnc::W::encode(|w| {
        w.e().set_bit().p().set_bit().c().set_bit().d().set_bit().x().set_bit().dp().set_bit()
    });
    assert_eq!((all, written("PMNC")), (0x3F, 0x3F));
    for (nth, value) in [
        pmnc::W::encode(|w| w.e().set_bit()),
        pmnc::W::encode(|w| w.p().set_bit()),
        pmnc::W::encode(|w| w.c().set_bit()),
        pmnc::W::encode(|w| w.d().set_bit()),
        pmnc::W::encode(|w| w.x().set_bit()),
        pmnc::W::encode(|w| w.dp().set_bit()),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(value, 1 << nth);
    }
    for (name, value, mask) in [
        ("CNTENS", cntens::W::encode(|w| w.p().set(0xF).c().set_bit()), each),
        ("CNTENC", cntenc::W::encode(|w| w.p().set(0xF).c().clear_bit_by_one()), each),
        ("FLAG", flag::W::encode(|w| w.p().set(0xF).c().clear_bit_by_one()), each),
        ("SWINCR", swincr::W::encode(|w| w.p().set(0xF)), 0xF),
        ("PMNXSEL", pmnxsel::W::encode(|w| w.sel().set(0x1F)), 0x1F),
        ("EVTSEL", evtsel::W::encode(|w| w.sel().set(0xFF)), 0xFF),
        ("USEREN", useren::W::encode(|w| w.en().set_bit()), 1),
        ("INTENS", intens::W::encode(|w| w.p().set(0xF).c().set_bit()), each),
        ("INTENC", intenc::W::encode(|w| w.p().set(0xF).c().clear_bit_by_one()), each),
    ] {
        assert_eq!((value, written(name)), (mask, mask), "{name}");
    }
    assert_eq!(pmnc::R::from_bits(pmnc::RESET).imp().bits(), 0x41);
    assert_eq!(pmnc::R::from_bits(pmnc::RESET).n().bits(), 4);
}

/// Counter 2 on event 0x43.
#[test]
fn a_counter_is_selected_by_its_number_and_enabled_by_its_bit() {
    let device = CortexA8::new();
    let mut pmu = Pmu::new(device.bus());
    let [_, _, accesses, _] = pmu.counters();
    accesses.count(CortexA8Event::L2CacheAccess);
    let running = pmu.start();
    let stores = stores(&device);
    let expected = [("PMNXSEL", 2), ("EVTSEL", 0x43), ("PMCNT", 0)];
    assert!(stores.windows(3).any(|three| three == expected), "{stores:x?}");
    assert!(stores.contains(&("CNTENS", 0x4)), "{stores:x?}");
    assert_eq!(device.peek_event(2), 0x43);
    drop(running);
}

/// What is written, once and for all: an access more or less, or in another order, is seen here.
#[test]
fn nothing_is_written_that_need_not_be() {
    let device = CortexA8::new();
    let mut pmu = Pmu::new(device.bus());
    let [_, first, _, second] = pmu.counters();
    first.count(CortexA8Event::L2CacheAccess);
    second.count_from(CortexA8Event::L2CacheMiss, 100);
    pmu.cycle_counter().count_from(Divider::By64, 600);
    pmu.cycles_need_debug(true);
    pmu.interrupts(Counters { counters: [true, false, false, true], cycles: true });
    // An earlier owner left it counting.
    device.poke(PMNC, 1);
    let running = pmu.start();
    let expected = [
        ("PMNC", 0x28),
        ("CNTENC", 0x8000_000F),
        BARRIER, // everything stands still
        ("PMNXSEL", 1),
        BARRIER,
        ("EVTSEL", 0x43),
        ("PMCNT", 0),
        ("PMNXSEL", 3),
        BARRIER,
        ("EVTSEL", 0x44),
        ("PMCNT", 100),
        // What was set is looked at once more.
        ("PMNXSEL", 1),
        BARRIER,
        ("PMNXSEL", 3),
        BARRIER,
        ("CCNT", 600),
        ("FLAG", 0x8000_000F),
        ("INTENC", 0x8000_000F),
        ("INTENS", 0x8000_0008),
        ("CNTENS", 0x8000_000A),
        // What was set takes effect before the counters run, as with Linux.
        BARRIER,
        ("PMNC", 0x29),
        BARRIER,
    ];
    assert_eq!(stores_and_barriers(&device), expected);
    device.poke_counter(3, u32::MAX);
    device.signal(0x44, 1);
    device.clear_journal();
    let pmu = running.stop();
    let expected = [
        BARRIER,
        ("PMNC", 0x28),
        BARRIER, // everything stands still
        ("PMNXSEL", 1),
        BARRIER,
        ("PMNXSEL", 3),
        BARRIER,
        ("FLAG", 0x8),
        BARRIER,
    ];
    assert_eq!(stores_and_barriers(&device), expected);
    device.clear_journal();
    let running = pmu.resume();
    assert_eq!(stores_and_barriers(&device), [("PMNC", 0x29), BARRIER]);
    drop(running);
}

/// Every choice of a counter is followed by a synchronization, whatever the core would do without.
#[test]
fn selecting_is_followed_by_a_synchronization() {
    let device = CortexA8::new();
    device.set_stale_selector(StaleSelector::New);
    let mut pmu = Pmu::new(device.bus());
    for counter in pmu.counters() {
        counter.count(CortexA8Event::L2CacheAccess);
    }
    let running = pmu.start();
    let _ = running.counts();
    let _ = running.stop();
    let mut selected = 0;
    for two in device.journal().windows(2) {
        if let Cp15Access::Store { operands: PMNXSEL, .. } = two[0] {
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

/// What an earlier owner set and this driver does not need stays as it is.
#[test]
fn the_export_of_events_is_left_alone() {
    for export in [0, 1 << 4] {
        let device = CortexA8::new();
        device.poke(PMNC, export);
        let pmu = Pmu::new(device.bus()).start().stop();
        assert_eq!(device.peek(PMNC) & 1 << 4, export);
        drop(pmu);
    }
}
