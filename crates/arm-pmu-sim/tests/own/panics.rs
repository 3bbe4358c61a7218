//! Tests of arguments that a device rejects with a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arm_pmu_core::bus::{MemorySpace, Operands, Space};
use arm_pmu_sim::Security::NonSecure;
use arm_pmu_sim::{Arm11, Cci400, Cci550, CortexA8, CortexA53, Mmu600, Mmu700, Stream};

/// Runs `call` and returns the text of its panic.
fn message(call: &dyn Fn()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("no panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast_ref::<&str>().expect("a text").to_string(),
    }
}

/// Space of the region of a TCU.
enum Tcu {}

impl Space for Tcu {
    type Key = usize;
    type Permit = ();
}

impl MemorySpace for Tcu {
    const LENGTH: usize = Mmu600::TCU_LENGTH;
}

#[test]
fn impossible_arguments_panic() {
    let (cci400, cci550) = (Cci400::new(), Cci550::new());
    let (tcu, tbu) = (Mmu600::tcu(), Mmu600::tbu());
    let (arm1136, arm1156, a8, a53) =
        (Arm11::arm1136(), Arm11::arm1156(), CortexA8::new(), CortexA53::new());
    let pmselr = Operands { opc1: 0, crn: 9, crm: 12, opc2: 5 };
    let pmxevcntr = Operands { crm: 13, opc2: 2, ..pmselr };
    let calls: [(&str, &dyn Fn()); 35] = [
        ("event source 0x8 has more than three bits", &|| cci400.signal_raw(0x8, 0, NonSecure, 1)),
        ("event code 0x20 has more than five bits", &|| cci400.signal_raw(0, 0x20, NonSecure, 1)),
        ("revision code 0x10 has more than four bits", &|| cci400.set_revision(0x10)),
        ("part number 0x1000 has more than twelve bits", &|| cci400.set_part_number(0x1000)),
        ("PMU_CNT_NUM 0x20 has more than five bits", &|| cci400.set_number_of_counters(0x20)),
        ("no register at 0x9000", &|| _ = cci400.peek(0x9000)),
        ("no register at 0x9000", &|| cci400.poke(0x9000, 0)),
        ("0xe000 is outside the region", &|| _ = cci400.bus().read(0xE000)),
        ("no access has 3 bytes", &|| _ = cci400.bus().load_at(0x100, 3)),
        ("event source 0x10 has more than four bits", &|| cci550.signal_raw(0x10, 0, NonSecure, 1)),
        ("event code 0x20 has more than five bits", &|| cci550.signal_raw(0, 0x20, NonSecure, 1)),
        ("event source 0x10 has more than four bits", &|| cci550.set_built(0x10, false)),
        ("part number 0x1000 has more than twelve bits", &|| cci550.set_part_number(0x1000)),
        ("PMU_CNT_NUM 0x20 has more than five bits", &|| cci550.set_number_of_counters(0x20)),
        ("StreamID 0x1000000 has more than 24 bits", &|| {
            tcu.signal_raw(0x2, Stream::non_secure(1 << 24), 1);
        }),
        ("EVTYPER.EVENT cannot have 7 bits", &|| tcu.set_event_bits(7)),
        ("SMR0.STREAMID cannot have 33 bits", &|| tcu.set_stream_bits(33)),
        ("part number 0x1000 has more than twelve bits", &|| tcu.set_part_number(0x1000)),
        ("revision r2p16 has more than four bits", &|| tcu.set_revision(2, 16)),
        ("there is no counter 4", &|| tcu.other_owner_disables(4)),
        ("there is no counter 4", &|| tcu.other_owner_selects(4, 0)),
        ("the region has 0x13000 bytes, but the space of this bus has 0x23000", &|| {
            _ = tbu.region::<Tcu>()
        }),
        ("there is no page 2", &|| _ = tbu.at(2, 0)),
        ("0x1000 is outside a page", &|| _ = tbu.at(0, 0x1000)),
        ("mmu700::tcu cannot have 3 counters", &|| Mmu700::tcu().set_counters(3)),
        ("only an ARM1176 has a Secure state", &|| arm1136.set_secure(true)),
        ("only an ARM1176 has a Secure state", &|| arm1156.set_secure_observed(true)),
        ("only an ARM1176 has a Secure state", &|| arm1136.set_secure_stops_cycles(true)),
        ("there is no counter 2", &|| arm1136.other_owner_selects(2, 0)),
        ("no register at p15, 0, c15, c9, 0", &|| {
            _ = arm1136.peek(Operands { crn: 15, crm: 9, opc2: 0, ..pmselr })
        }),
        ("PMCR.N 0x20 has more than five bits", &|| a8.set_number_of_counters(0x20)),
        ("there is no counter 4", &|| _ = a8.peek_counter(4)),
        ("PMSELR selects 4, which is not a counter", &|| {
            a8.poke(pmselr, 4);
            _ = a8.peek(pmxevcntr);
        }),
        ("PMSELR 0x20 has more than five bits", &|| a8.interrupt_moves_selector_after(1, 0x20)),
        ("the core has 6 counters", &|| a53.set_number_of_counters(7)),
    ];
    for (expected, call) in calls {
        assert_eq!(message(call), expected);
    }
}
