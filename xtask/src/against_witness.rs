//! Every register of a spec against the witness of its device: map, width, every bit, access.
//!
//! The witness types the map from the documents a second time (ARCHITECTURE.md, invariant 3). What is
//! compared is not only its table but what its registers do, access by access.

use std::collections::BTreeMap;
use std::path::Path;

use arm_pmu_core::{Bus, Located, Memory};
use arm_pmu_sim::{Cci400, Cci550};

use crate::load::load;
use crate::model::{Access, Content, Ip, Register, Reserved};

/// A simulated device, as far as this comparison needs it.
trait Witness {
    const IP: &'static str;
    const LENGTH: usize;
    const REGISTERS: &'static [arm_pmu_sim::Register];
    /// Registers that switch other registers, or what they show, on and off: these are compared one
    /// access at a time.
    const SWITCHES: &'static [usize];

    fn new() -> Self;
    /// Everything that can be switched on is on.
    fn switch_on(&self);
    fn peek(&self, offset: usize) -> u32;
    fn poke(&self, offset: usize, value: u32);
    fn load(&self, offset: usize) -> u32;
    fn store(&self, offset: usize, value: u32);
}

macro_rules! witness {
    ($Device:ident, $ip:literal, switches: $switches:expr, on: $on:expr) => {
        impl Witness for $Device {
            const IP: &'static str = $ip;
            const LENGTH: usize = $Device::LENGTH;
            const REGISTERS: &'static [arm_pmu_sim::Register] = $Device::REGISTERS;
            const SWITCHES: &'static [usize] = &$switches;

            fn new() -> Self {
                Self::new()
            }
            fn switch_on(&self) {
                let on: fn(&Self) = $on;
                on(self);
            }
            fn peek(&self, offset: usize) -> u32 {
                self.peek(offset)
            }
            fn poke(&self, offset: usize, value: u32) {
                self.poke(offset, value);
            }
            fn load(&self, offset: usize) -> u32 {
                self.bus().load::<Words<{ $Device::LENGTH }>>(offset / 4)
            }
            fn store(&self, offset: usize, value: u32) {
                let bus = self.bus();
                bus.store::<Words<{ $Device::LENGTH }>>(offset / 4, value);
                bus.synchronize();
            }
        }
    };
}

witness!(Cci400, "cci400", switches: [0x100], on: |device| device.poke(0x100, 1));

// Counters have a clock while they and the PMU are enabled; monitors show something while they are.
witness!(Cci550, "cci550", switches: [0x100, 0x104], on: |device| {
    device.poke(0x100, 1);
    device.poke(0x104, 1);
    for block in 1..=8 {
        device.poke(0x1_0000 * block + 0x8, 1);
    }
});

/// All words of a region as one register, so that an offset can be a number at run time.
enum Words<const LENGTH: usize> {}

impl<const LENGTH: usize> Located for Words<LENGTH> {
    type Space = Memory<LENGTH>;
    const KEY: usize = 0;
    const COUNT: usize = LENGTH / 4;
    const STRIDE: usize = 4;
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

fn ip<W: Witness>() -> Ip {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    load(&root, &[W::IP.to_owned()]).expect("the spec has no problems").ips.remove(0)
}

/// The register at each offset of the spec.
fn words(ip: &Ip) -> BTreeMap<usize, &Register> {
    let elements = ip.registers.iter().flat_map(|register| {
        let location = &register.location;
        (0..location.count)
            .map(move |n| ((location.offset + n * location.stride) as usize, register))
    });
    elements.collect()
}

/// What a spec says of each bit, as masks.
#[derive(Debug, PartialEq, Eq)]
struct Masks {
    read_write: u32,
    read_only: u32,
    write_one_to_act: u32,
    write_one_to_clear: u32,
}

fn masks(register: &Register) -> Masks {
    let of = |wanted: Access| {
        let fields = register.named().filter(|(_, _, access, _)| *access == wanted);
        fields.fold(0, |mask, (bits, ..)| mask | bits.mask())
    };
    for field in &register.fields {
        match &field.content {
            Content::Named { access: Access::WriteOnly | Access::WriteOneSets, .. }
            | Content::Reserved(
                Reserved::ShouldBeZero | Reserved::ShouldBeZeroOrPreserved | Reserved::One,
            ) => panic!("{}: this comparison does not know such bits yet", register.name),
            Content::Named { .. } | Content::Reserved(Reserved::Zero) => {}
        }
    }
    Masks {
        read_write: of(Access::ReadWrite),
        read_only: of(Access::ReadOnly),
        write_one_to_act: of(Access::WriteOneActs),
        write_one_to_clear: of(Access::WriteOneClears),
    }
}

fn the_maps_agree<W: Witness>() {
    let ip = ip::<W>();
    assert_eq!(ip.length as usize, W::LENGTH);
    let spec = words(&ip);
    let witness: BTreeMap<usize, &arm_pmu_sim::Register> = W::REGISTERS
        .iter()
        .flat_map(|register| register.elements().map(move |offset| (offset, register)))
        .collect();
    assert!(spec.keys().eq(witness.keys()), "the same offsets hold registers");
    for (offset, register) in &spec {
        let other = witness[offset];
        let expected = Masks {
            read_write: other.read_write,
            read_only: other.read_only,
            write_one_to_act: other.write_one_to_act,
            write_one_to_clear: other.write_one_to_clear,
        };
        assert_eq!(masks(register), expected, "{} at {offset:#x}", register.name);
        if let Some(reset) = register.reset {
            assert_eq!(reset, other.reset, "{} at {offset:#x}", register.name);
        }
    }
}

/// Zeros, ones, and each bit alone.
fn patterns() -> impl Iterator<Item = u32> {
    [0, u32::MAX].into_iter().chain((0..32).map(|bit| 1 << bit))
}

fn every_bit_behaves_as_the_spec_says<W: Witness>() {
    let ip = ip::<W>();
    let mut compared = 0;
    for (offset, register) in words(&ip) {
        let masks = masks(register);
        for before in patterns() {
            let device = W::new();
            device.switch_on();
            device.poke(offset, before);
            let old = device.peek(offset);
            // Bits that nothing stands behind cannot be set, not even from inside.
            let behind = masks.read_write | masks.read_only | masks.write_one_to_clear;
            assert_eq!(old, before & behind, "{}: width", register.name);
            assert!(
                W::SWITCHES.contains(&offset) || device.load(offset) == old,
                "{}",
                register.name
            );
            for written in patterns() {
                if W::SWITCHES.contains(&offset) {
                    continue;
                }
                device.poke(offset, before);
                device.store(offset, written);
                let expected = written & masks.read_write
                    | old & masks.read_only
                    | old & !written & masks.write_one_to_clear;
                assert_eq!(
                    device.load(offset),
                    expected,
                    "{}: {before:#x}, then {written:#x}",
                    register.name
                );
                compared += 1;
            }
        }
    }
    assert_eq!(compared, (words(&ip).len() - W::SWITCHES.len()) * 34 * 34);
    for offset in W::SWITCHES {
        let register = words(&ip)[offset];
        let masks = masks(register);
        for written in patterns() {
            let device = W::new();
            let old = device.load(*offset);
            device.store(*offset, written);
            let expected = written & masks.read_write | old & masks.read_only;
            assert_eq!(device.load(*offset), expected, "{}: {written:#x}", register.name);
        }
    }
}

fn what_modify_and_write_start_from_harms_nothing<W: Witness>() {
    for register in ip::<W>().registers {
        let masks = masks(&register);
        assert_eq!(register.keep(), masks.read_write, "{}", register.name);
        let reset = register.reset.unwrap_or(0);
        assert_eq!(register.initial(), reset & masks.read_write, "{}", register.name);
    }
}

macro_rules! compare {
    ($($name:ident: $Device:ident;)*) => {$(
        #[test]
        fn $name() {
            the_maps_agree::<$Device>();
            every_bit_behaves_as_the_spec_says::<$Device>();
            what_modify_and_write_start_from_harms_nothing::<$Device>();
        }
    )*};
}

compare! {
    cci400: Cci400;
    cci550: Cci550;
}

/// Name, high bit, low bit of every field wider than one bit or without a neighbour of its kind, typed
/// from the references a second time: the masks above do not see where one field ends and the next
/// begins.
type Fields = &'static [(&'static str, &'static [(&'static str, u32, u32)])];

const CCI400: Fields = &[
    ("SECURE_ACCESS", &[("NON_SECURE_ACCESS", 0, 0)]),
    (
        "PMCR",
        &[
            ("PMU_CNT_NUM", 15, 11),
            ("DP", 5, 5),
            ("EX", 4, 4),
            ("CCD", 3, 3),
            ("CCR", 2, 2),
            ("RST", 1, 1),
            ("CEN", 0, 0),
        ],
    ),
    ("PID4", &[("SIZE", 7, 4), ("DES_2", 3, 0)]),
    ("PID0", &[("PART_0", 7, 0)]),
    ("PID1", &[("DES_0", 7, 4), ("PART_1", 3, 0)]),
    ("PID2", &[("REVISION", 7, 4), ("JEDEC", 3, 3), ("DES_1", 2, 0)]),
    ("PID3", &[("REVAND", 7, 4), ("CMOD", 3, 0)]),
    ("EVENT_SELECT", &[("SOURCE", 7, 5), ("EVENT", 4, 0)]),
    ("EVENT_COUNT", &[("COUNT", 31, 0)]),
    ("CYCLE_COUNT", &[("COUNT", 31, 0)]),
    ("COUNT_CONTROL", &[("ENABLE", 0, 0)]),
    ("CYCLE_COUNT_CONTROL", &[("ENABLE", 0, 0)]),
    ("OVERFLOW_STATUS", &[("FLAG", 0, 0)]),
    ("CYCLE_OVERFLOW_STATUS", &[("FLAG", 0, 0)]),
];

const CCI550: Fields = &[
    (
        "SECURE_ACCESS",
        &[
            ("SECURE_OBSERVATION_OVERRIDE", 2, 2),
            ("DEBUG_MONITOR_SECURITY_OVERRIDE", 1, 1),
            ("NON_SECURE_REGISTER_ACCESS_OVERRIDE", 0, 0),
        ],
    ),
    ("PMCR", &[("PMU_CNT_NUM", 15, 11), ("EX", 4, 4), ("RST", 1, 1), ("CEN", 0, 0)]),
    ("INTERFACE_MONITOR_CONTROL", &[("ENABLE", 0, 0)]),
    ("PID4", &[("SIZE", 7, 4), ("DES_2", 3, 0)]),
    ("PID0", &[("PART_0", 7, 0)]),
    ("PID1", &[("DES_0", 7, 4), ("PART_1", 3, 0)]),
    ("PID2", &[("REVISION", 7, 4), ("JEDEC", 3, 3), ("DES_1", 2, 0)]),
    ("PID3", &[("REVAND", 7, 4), ("CMOD", 3, 0)]),
    ("EVENT_SELECT", &[("SOURCE", 8, 5), ("EVENT", 4, 0)]),
    ("EVENT_COUNT", &[("COUNT", 31, 0)]),
    ("COUNT_CONTROL", &[("ENABLE", 0, 0)]),
    ("OVERFLOW_STATUS", &[("FLAG", 0, 0)]),
    (
        "SLAVE_MONITOR",
        &[
            ("OUTSTANDING_SNOOPS", 31, 24),
            ("OUTSTANDING_WRITES", 23, 16),
            ("OUTSTANDING_READS", 15, 8),
            ("STALLED_CD_CHANNEL", 7, 7),
            ("STALLED_CR_CHANNEL", 6, 6),
            ("STALLED_AC_CHANNEL", 5, 5),
            ("STALLED_B_CHANNEL", 4, 4),
            ("STALLED_W_CHANNEL", 3, 3),
            ("STALLED_AW_CHANNEL", 2, 2),
            ("STALLED_R_CHANNEL", 1, 1),
            ("STALLED_AR_CHANNEL", 0, 0),
        ],
    ),
    (
        "MASTER_MONITOR",
        &[
            ("OUTSTANDING_WRITES", 23, 16),
            ("OUTSTANDING_READS", 15, 8),
            ("STALLED_B_CHANNEL", 4, 4),
            ("STALLED_W_CHANNEL", 3, 3),
            ("STALLED_AW_CHANNEL", 2, 2),
            ("STALLED_R_CHANNEL", 1, 1),
            ("STALLED_AR_CHANNEL", 0, 0),
        ],
    ),
];

#[test]
fn fields_begin_and_end_where_the_references_say() {
    for (ip, expected) in [(ip::<Cci400>(), CCI400), (ip::<Cci550>(), CCI550)] {
        for register in &ip.registers {
            let found: Vec<_> =
                register.named().map(|(bits, name, ..)| (name, bits.high, bits.low)).collect();
            match expected.iter().find(|(name, _)| *name == register.name) {
                Some((name, fields)) => assert_eq!(found, **fields, "{} {name}", ip.name),
                // Identification bytes that are one constant each, or nothing.
                None => {
                    let preamble =
                        found == [("PREAMBLE", 7, 0)] && register.name.starts_with("CID");
                    let nothing = found.is_empty() && register.name.starts_with("PID");
                    assert!(preamble || nothing, "{} {}", ip.name, register.name);
                }
            }
            let writable = register.named().any(|(_, _, access, _)| access.can_write());
            assert_eq!(register.access.can_write(), writable, "{} {}", ip.name, register.name);
        }
    }
}
