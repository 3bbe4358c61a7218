//! Every register of a spec against the witness of its device: map, width, every bit, access.
//!
//! The witness types the map from the documents a second time (ARCHITECTURE.md, invariant 3). What is
//! compared is not only its table but what its registers do, access by access.

use std::collections::BTreeMap;
use std::path::Path;

use arm_pmu_core::{Bus, Located, Memory};
use arm_pmu_sim::{Cci400, Cci550, Mmu600};

use crate::load::load;
use crate::model::{Access, Content, Ip, Location, Named, Register, Reserved, Space};

/// A simulated device, as far as this comparison needs it.
trait Witness {
    const IP: &'static str;
    /// Which unit of the IP it is.
    const UNIT: Option<usize>;
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
    (
        $Witness:ident: $ip:literal, unit: $unit:expr, length: $length:expr, registers: $registers:expr,
        switches: $switches:expr, new: $new:expr, bus: $bus:ident, on: $on:expr
    ) => {
        impl Witness for $Witness {
            const IP: &'static str = $ip;
            const UNIT: Option<usize> = $unit;
            const LENGTH: usize = $length;
            const REGISTERS: &'static [arm_pmu_sim::Register] = $registers;
            const SWITCHES: &'static [usize] = &$switches;

            fn new() -> Self {
                Self($new)
            }
            fn switch_on(&self) {
                let on: fn(&Self) = $on;
                on(self);
            }
            fn peek(&self, offset: usize) -> u32 {
                self.0.peek(offset)
            }
            fn poke(&self, offset: usize, value: u32) {
                self.0.poke(offset, value);
            }
            fn load(&self, offset: usize) -> u32 {
                self.0.$bus().load::<Words<{ $length }>>(offset / 4)
            }
            fn store(&self, offset: usize, value: u32) {
                let bus = self.0.$bus();
                bus.store::<Words<{ $length }>>(offset / 4, value);
                bus.synchronize();
            }
        }
    };
}

struct OfCci400(Cci400);
witness!(
    OfCci400: "cci400", unit: None, length: Cci400::LENGTH, registers: Cci400::REGISTERS,
    switches: [0x100], new: Cci400::new(), bus: bus, on: |device| device.poke(0x100, 1)
);

// Counters have a clock while they and the PMU are enabled; monitors show something while they are.
struct OfCci550(Cci550);
witness!(
    OfCci550: "cci550", unit: None, length: Cci550::LENGTH, registers: Cci550::REGISTERS,
    switches: [0x100, 0x104], new: Cci550::new(), bus: bus, on: |device| {
        device.poke(0x100, 1);
        device.poke(0x104, 1);
        for block in 1..=8 {
            device.poke(0x1_0000 * block + 0x8, 1);
        }
    }
);

struct OfTcu(Mmu600);
witness!(
    OfTcu: "mmu600", unit: Some(0), length: Mmu600::TCU_LENGTH, registers: Mmu600::TCU_REGISTERS,
    switches: [], new: Mmu600::tcu(), bus: region, on: |_| {}
);

struct OfTbu(Mmu600);
witness!(
    OfTbu: "mmu600", unit: Some(1), length: Mmu600::TBU_LENGTH, registers: Mmu600::TBU_REGISTERS,
    switches: [], new: Mmu600::tbu(), bus: region, on: |_| {}
);

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

fn ip(name: &str) -> Ip {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    load(&root, &[name.to_owned()]).expect("the spec has no problems").ips.remove(0)
}

/// One element of a register.
struct Element {
    register: Register,
    number: u32,
}

/// The word at each offset of a unit of the IP.
fn words(ip: &Ip, unit: Option<usize>) -> BTreeMap<usize, Element> {
    let registers = match unit {
        Some(unit) => ip.registers_of(unit),
        None => ip.registers.clone(),
    };
    let mut words = BTreeMap::new();
    for register in registers.iter().flat_map(Register::words) {
        let Location::Memory { page, offset, count, stride, .. } = register.location else {
            panic!("{} is not in memory", register.name)
        };
        let base = match (page, unit) {
            (Some(page), Some(unit)) => ip.units[unit].pages[page].offset,
            _ => 0,
        };
        for number in 0..count {
            let register = register.clone();
            words.insert((base + offset + number * stride) as usize, Element { register, number });
        }
    }
    words
}

/// What a spec says of each bit, as masks.
#[derive(Debug, PartialEq, Eq)]
struct Masks {
    read_write: u32,
    read_only: u32,
    write_one_to_act: u32,
    write_one_to_clear: u32,
    write_one_to_set: u32,
}

fn masks(element: &Element) -> Masks {
    let Element { register, number } = element;
    let is_here = |field: &Named| field.elements.is_empty() || field.elements.contains(number);
    let of = |wanted: Access| {
        let fields = register.named().filter(|(_, field)| field.access == wanted && is_here(field));
        fields.fold(0, |mask, (bits, _)| mask | bits.mask() as u32)
    };
    for field in &register.fields {
        match &field.content {
            Content::Named(Named { access: Access::WriteOnly, .. })
            | Content::Reserved(
                Reserved::ShouldBeZero | Reserved::ShouldBeZeroOrPreserved | Reserved::One,
            ) => panic!("{}: this comparison does not know such bits yet", register.name),
            Content::Named(_) | Content::Reserved(Reserved::Zero) => {}
        }
    }
    Masks {
        read_write: of(Access::ReadWrite),
        read_only: of(Access::ReadOnly),
        write_one_to_act: of(Access::WriteOneActs),
        write_one_to_clear: of(Access::WriteOneClears),
        write_one_to_set: of(Access::WriteOneSets),
    }
}

fn the_maps_agree<W: Witness>() {
    let ip = ip(W::IP);
    let length = match &ip.space {
        Space::Region { length } => *length,
        Space::Pages(pages) => {
            let unit = &ip.units[W::UNIT.expect("a unit")];
            let ends = pages.iter().zip(&unit.pages).map(|(page, at)| at.offset + page.length);
            ends.max().expect("a page")
        }
        Space::Cp15 => panic!("not in memory"),
    };
    assert_eq!(length as usize, W::LENGTH);
    let spec = words(&ip, W::UNIT);
    let witness: BTreeMap<usize, &arm_pmu_sim::Register> = W::REGISTERS
        .iter()
        .flat_map(|register| register.elements().map(move |offset| (offset, register)))
        .collect();
    assert!(spec.keys().eq(witness.keys()), "the same offsets hold registers");
    for (offset, element) in &spec {
        let name = &element.register.name;
        let other = witness[offset];
        let expected = Masks {
            read_write: other.read_write,
            read_only: other.read_only,
            write_one_to_act: other.write_one_to_act,
            write_one_to_clear: other.write_one_to_clear,
            write_one_to_set: other.write_one_to_set,
        };
        assert_eq!(masks(element), expected, "{name} at {offset:#x}");
        let [reset] = &element.register.resets[..] else { panic!("{name}: one unit, one reset") };
        match reset.value {
            Some(value) => assert_eq!((value as u32, 0), (other.reset, other.unknown), "{name}"),
            // What cannot be written has some value on the part that the witness is.
            None => assert!(other.unknown != 0 || other.read_write == 0, "{name}"),
        }
    }
}

/// Zeros, ones, and each bit alone.
fn patterns() -> impl Iterator<Item = u32> {
    [0, u32::MAX].into_iter().chain((0..32).map(|bit| 1 << bit))
}

fn every_bit_behaves_as_the_spec_says<W: Witness>() {
    let words = words(&ip(W::IP), W::UNIT);
    let mut compared = 0;
    for (offset, element) in &words {
        let (offset, name, masks) = (*offset, &element.register.name, masks(element));
        for before in patterns() {
            let device = W::new();
            device.switch_on();
            device.poke(offset, before);
            let old = device.peek(offset);
            // Bits that nothing stands behind cannot be set, not even from inside.
            let behind = masks.read_write
                | masks.read_only
                | masks.write_one_to_clear
                | masks.write_one_to_set;
            assert_eq!(old, before & behind, "{name}: width");
            assert!(W::SWITCHES.contains(&offset) || device.load(offset) == old, "{name}");
            for written in patterns() {
                if W::SWITCHES.contains(&offset) {
                    continue;
                }
                device.poke(offset, before);
                device.store(offset, written);
                let expected = written & masks.read_write
                    | old & masks.read_only
                    | old & !written & masks.write_one_to_clear
                    | (old | written) & masks.write_one_to_set;
                assert_eq!(device.load(offset), expected, "{name}: {before:#x}, then {written:#x}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, (words.len() - W::SWITCHES.len()) * 34 * 34);
    for offset in W::SWITCHES {
        let element = &words[offset];
        let masks = masks(element);
        for written in patterns() {
            let device = W::new();
            let old = device.load(*offset);
            device.store(*offset, written);
            let expected = written & masks.read_write | old & masks.read_only;
            let name = &element.register.name;
            assert_eq!(device.load(*offset), expected, "{name}: {written:#x}");
        }
    }
}

fn what_modify_and_write_start_from_harms_nothing<W: Witness>() {
    let words = words(&ip(W::IP), W::UNIT);
    for element in words.values().filter(|element| element.number == 0) {
        let (register, masks) = (&element.register, masks(element));
        assert_eq!(register.keep(), masks.read_write, "{}", register.name);
        let reset = register.resets[0].value.unwrap_or(0) as u32;
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
    cci400: OfCci400;
    cci550: OfCci550;
    mmu600_tcu: OfTcu;
    mmu600_tbu: OfTbu;
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

const MMU600: Fields = &[
    ("EVCNTR", &[("COUNTER_VALUE", 31, 0)]),
    (
        "EVTYPER",
        &[
            ("OVFCAP", 31, 31),
            ("FILTER_SEC_SID", 30, 30),
            ("FILTER_SID_SPAN", 29, 29),
            ("EVENT", 15, 0),
        ],
    ),
    ("SVR", &[("SHADOW_COUNTER_VALUE", 31, 0)]),
    ("SMR0", &[("STREAMID", 23, 0)]),
    ("CNTENSET0", &[("CNTEN", 3, 0)]),
    ("CNTENCLR0", &[("CNTEN", 3, 0)]),
    ("INTENSET0", &[("INTEN", 3, 0)]),
    ("INTENCLR0", &[("INTEN", 3, 0)]),
    ("OVSCLR0", &[("OVS", 3, 0)]),
    ("OVSSET0", &[("OVS", 3, 0)]),
    ("CAPR", &[("CAPTURE", 0, 0)]),
    ("SCR", &[("READS_AS_ONE", 31, 31), ("NSRA", 1, 1), ("SO", 0, 0)]),
    (
        "CFGR",
        &[
            ("SID_FILTER_TYPE", 23, 23),
            ("CAPTURE", 22, 22),
            ("MSI", 21, 21),
            ("RELOC_CTRS", 20, 20),
            ("SIZE", 13, 8),
            ("NCTR", 5, 0),
        ],
    ),
    ("CR", &[("E", 0, 0)]),
    ("CEID0", &[("EVENTS_63_TO_32", 63, 32), ("EVENTS_31_TO_0", 31, 0)]),
    ("CEID1", &[("EVENTS_127_TO_96", 63, 32), ("EVENTS_95_TO_64", 31, 0)]),
    ("IRQ_CTRL", &[("IRQEN", 0, 0)]),
    ("IRQ_CTRLACK", &[("IRQEN", 0, 0)]),
    ("AIDR", &[("ARCH_MAJOR_REV", 7, 4), ("ARCH_MINOR_REV", 3, 0)]),
    (
        "PMAUTHSTATUS",
        &[
            ("SNI", 7, 7),
            ("SNE", 6, 6),
            ("SI", 5, 5),
            ("SE", 4, 4),
            ("NSNI", 3, 3),
            ("NSNE", 2, 2),
            ("NSI", 1, 1),
            ("NSE", 0, 0),
        ],
    ),
    (
        "PMDEVARCH",
        &[("ARCHITECT", 31, 21), ("PRESENT", 20, 20), ("REVISION", 19, 16), ("ARCHID", 15, 0)],
    ),
    ("PMDEVTYPE", &[("SUB_TYPE", 7, 4), ("CLASS", 3, 0)]),
    ("PIDR4", &[("SIZE", 7, 4), ("DES_2", 3, 0)]),
    ("PIDR5", &[]),
    ("PIDR6", &[]),
    ("PIDR7", &[]),
    ("PIDR0", &[("PART_0", 7, 0)]),
    ("PIDR1", &[("DES_0", 7, 4), ("PART_1", 3, 0)]),
    ("PIDR2", &[("REVISION", 7, 4), ("JEDEC", 3, 3), ("DES_1", 2, 0)]),
    ("PIDR3", &[("REVAND", 7, 4), ("CMOD", 3, 0)]),
    ("CIDR1", &[("CLASS", 7, 4), ("PREAMBLE", 3, 0)]),
];

#[test]
fn fields_begin_and_end_where_the_references_say() {
    for (name, expected) in [("cci400", CCI400), ("cci550", CCI550), ("mmu600", MMU600)] {
        let ip = ip(name);
        for register in &ip.registers {
            let found: Vec<_> = register
                .named()
                .map(|(bits, field)| (field.name.as_str(), bits.high, bits.low))
                .collect();
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
            let writable = register.named().any(|(_, field)| field.access.can_write());
            assert_eq!(register.access.can_write(), writable, "{} {}", ip.name, register.name);
        }
    }
}
