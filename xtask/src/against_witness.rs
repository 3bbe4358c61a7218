//! Every register of a spec against the witness of its device: map, width, every bit, access.
//!
//! The witness types the map from the documents a second time (ARCHITECTURE.md, invariant 3). What is
//! compared is not only its table but what its registers do, access by access.

use std::collections::BTreeMap;
use std::path::Path;

use arm_pmu_core::{Bus, Located, Memory};
use arm_pmu_sim::Cci550;

use crate::load::load;
use crate::model::{Access, Content, Ip, Register, Reserved};

/// All words of the region as one register, so that an offset can be a number at run time.
enum Words {}

impl Located for Words {
    type Space = Memory<{ Cci550::LENGTH }>;
    const KEY: usize = 0;
    const COUNT: usize = Cci550::LENGTH / 4;
    const STRIDE: usize = 4;
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

fn cci550() -> Ip {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    load(&root, &["cci550".to_owned()]).expect("the spec has no problems").ips.remove(0)
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

#[test]
fn the_maps_agree() {
    let ip = cci550();
    assert_eq!(ip.length as usize, Cci550::LENGTH);
    let spec = words(&ip);
    let witness: BTreeMap<usize, &arm_pmu_sim::Register> = Cci550::REGISTERS
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

#[test]
fn every_bit_of_every_register_behaves_as_the_spec_says() {
    let ip = cci550();
    let mut accesses = 0;
    for (offset, register) in words(&ip) {
        let masks = masks(register);
        for before in patterns() {
            for written in patterns() {
                let device = Cci550::new();
                let bus = device.bus();
                let store = |offset: usize, value| bus.store::<Words>(offset / 4, value);
                let load = |offset: usize| bus.load::<Words>(offset / 4);
                // Counters have a clock while they and the PMU are enabled; monitors show something
                // while they are.
                device.poke(0x100, 1);
                device.poke(0x104, 1);
                for block in 1..=8 {
                    device.poke(0x1_0000 * block + 0x8, 1);
                }
                device.poke(offset, before);
                let old = device.peek(offset);
                // Bits that nothing stands behind cannot be set, not even from inside.
                let behind = masks.read_write | masks.read_only | masks.write_one_to_clear;
                assert_eq!(old, before & behind, "{}: width", register.name);
                if offset == 0x104 || offset == 0x100 {
                    // These two switch what they themselves show on and off: see the next test.
                    continue;
                }
                assert_eq!(load(offset), old, "{}: read", register.name);
                store(offset, written);
                let expected = written & masks.read_write
                    | old & masks.read_only
                    | old & !written & masks.write_one_to_clear;
                assert_eq!(
                    load(offset),
                    expected,
                    "{}: {before:#x}, then {written:#x}",
                    register.name
                );
                accesses += 1;
            }
        }
    }
    assert_eq!(accesses, (words(&ip).len() - 2) * 34 * 34);
}

#[test]
fn control_registers_keep_what_they_should() {
    let ip = cci550();
    for offset in [0x100, 0x104] {
        let register = words(&ip)[&offset];
        let masks = masks(register);
        for written in patterns() {
            let device = Cci550::new();
            let bus = device.bus();
            let old = bus.load::<Words>(offset / 4);
            bus.store::<Words>(offset / 4, written);
            let expected = written & masks.read_write | old & masks.read_only;
            assert_eq!(bus.load::<Words>(offset / 4), expected, "{}: {written:#x}", register.name);
        }
    }
}

#[test]
fn what_modify_and_write_start_from_harms_nothing() {
    for register in cci550().registers {
        let masks = masks(&register);
        assert_eq!(register.keep(), masks.read_write, "{}", register.name);
        let reset = register.reset.unwrap_or(0);
        assert_eq!(register.initial(), reset & masks.read_write, "{}", register.name);
    }
}
