//! Replays programs on simulated devices with other initial values than in the recording.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use arm_pmu_lookup::name;
use arm_pmu_sim::{AnyOffset, AnyOperands, Arm11, Cci400, Cci500, Cci550, CortexA8, Mmu600, Noise};
use arm_pmu_sim::{Cp15Bus, MemoryBus, Security, Stream};

use super::infer;
use super::program::{Accept, Expression, Phase, Place, Program, Step};
use super::tape::Access;
use arm_pmu::bus::Bus;

/// Access to the registers of a device.
trait Machine {
    fn read(&self, place: Place) -> u32;
    fn write(&self, place: Place, value: u32);
    fn synchronize(&self);
}

impl Machine for MemoryBus<'_, AnyOffset> {
    fn read(&self, place: Place) -> u32 {
        let Place::Memory { page: 0, offset } = place else { panic!("{place:?}") };
        Self::read(self, offset)
    }

    fn write(&self, place: Place, value: u32) {
        let Place::Memory { page: 0, offset } = place else { panic!("{place:?}") };
        Self::write(self, offset, value);
    }

    fn synchronize(&self) {
        Bus::synchronize(self);
    }
}

/// Two pages of an MMU-600.
impl Machine for [MemoryBus<'_, AnyOffset>; 2] {
    fn read(&self, place: Place) -> u32 {
        let Place::Memory { page, offset } = place else { panic!("{place:?}") };
        self[page].read(offset)
    }

    fn write(&self, place: Place, value: u32) {
        let Place::Memory { page, offset } = place else { panic!("{place:?}") };
        self[page].write(offset, value);
    }

    fn synchronize(&self) {
        self.iter().for_each(Bus::synchronize);
    }
}

impl Machine for Cp15Bus<'_, AnyOperands> {
    fn read(&self, place: Place) -> u32 {
        let Place::Cp15(operands) = place else { panic!("{place:?}") };
        self.mrc(operands)
    }

    fn write(&self, place: Place, value: u32) {
        let Place::Cp15(operands) = place else { panic!("{place:?}") };
        self.mcr(operands, value);
    }

    fn synchronize(&self) {
        Bus::synchronize(self);
    }
}

/// Counts, and the number of failed checks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Replayed {
    counts: Vec<u32>,
    failed: usize,
}

/// Executes one phase in the way of a script.
fn replay(program: &Program, phase: Phase, machine: &dyn Machine) -> Replayed {
    let mut values = HashMap::new();
    let mut replayed = Replayed::default();
    for step in program.phase(phase) {
        match step {
            Step::Read { value, place } => {
                values.insert(*value, machine.read(*place));
            }
            Step::Expect { value, mask, accept } => {
                if !accept.has(*mask, values[value] & mask) {
                    replayed.failed += 1;
                    if phase.ends_at_failure() {
                        return replayed;
                    }
                }
            }
            Step::Write { place, expression } => {
                let copied = expression.copies.iter().map(|(value, mask)| values[value] & mask);
                machine.write(*place, copied.fold(expression.constant, |all, bits| all | bits));
            }
            Step::Count { nth, value } => {
                assert_eq!(replayed.counts.len(), *nth, "counts in their order");
                replayed.counts.push(values[value]);
            }
            Step::Barrier => machine.synchronize(),
        }
    }
    replayed
}

/// Writes the values of a recording. Returns the number of reads that differ from the recording.
fn replay_values(recording: &[Access], wanted: Phase, machine: &dyn Machine) -> usize {
    let mut phase = Phase::Identify;
    let mut differ = 0;
    for access in recording {
        if let Access::Phase(next) = access {
            phase = *next;
        }
        match *access {
            _ if phase != wanted => {}
            Access::Read(place, value) => differ += usize::from(machine.read(place) != value),
            Access::Write(place, value) => machine.write(place, value),
            Access::Barrier => machine.synchronize(),
            Access::Phase(_) => {}
        }
    }
    differ
}

fn program(pmu: &str, what: &[&str]) -> Program {
    let what: Vec<_> = what.iter().map(|text| (*text).to_owned()).collect();
    super::program(name::pmu(pmu).expect("an IP"), true, &what).expect("a program")
}

/// Parses the operands of MRC and MCR, with or without a general-purpose register.
fn operands_of(text: &str) -> arm_pmu::bus::Operands {
    let words = text.strip_prefix("p15, ").expect("p15").split(", ").filter(|word| *word != "%0");
    let words: Vec<u8> =
        words.map(|word| word.trim_start_matches('c').parse().expect("a number")).collect();
    let [opc1, crn, crm, opc2] = words[..] else { panic!("{text}") };
    arm_pmu::bus::Operands { opc1, crn, crm, opc2 }
}

/// Converts a JSON document to a program, as a user's program would.
fn read_back(document: &serde_json::Value, pages: &[u64]) -> Program {
    let number =
        |of: &serde_json::Value| u32::try_from(of.as_u64().expect("a number")).expect("32 bits");
    let index = |of: &serde_json::Value| number(of) as usize;
    let place = |at: &serde_json::Value| match (at["address"].as_u64(), at["operands"].as_str()) {
        (Some(address), None) => {
            let page = pages.iter().rposition(|base| *base <= address).expect("a page");
            Place::Memory { page, offset: (address - pages[page]) as usize }
        }
        (None, Some(operands)) => Place::Cp15(operands_of(operands)),
        _ => panic!("{at}"),
    };
    let steps = document["steps"].as_array().expect("steps").iter().map(|one| {
        let phase = match one["phase"].as_str().expect("a phase") {
            "identify" => Phase::Identify,
            "start" => Phase::Start,
            "read" => Phase::Read,
            "stop" => Phase::Stop,
            other => panic!("{other}"),
        };
        let step = match one["step"].as_str().expect("a step") {
            "read" => Step::Read { value: index(&one["value"]), place: place(&one["at"]) },
            "expect" => {
                let accept = match one["accept"]["range"].as_array().map(Vec::as_slice) {
                    Some([least, most]) if least == most => Accept::Exactly(number(least)),
                    Some([least, most]) => Accept::Between(number(least), number(most)),
                    _ => {
                        assert_eq!(one["accept"], "low_ones");
                        Accept::LowOnes
                    }
                };
                Step::Expect { value: index(&one["value"]), mask: number(&one["mask"]), accept }
            }
            "write" => {
                let copies = one["copies"].as_array().expect("copies").iter();
                let copies = copies.map(|one| (index(&one["value"]), number(&one["mask"])));
                let expression =
                    Expression { constant: number(&one["constant"]), copies: copies.collect() };
                Step::Write { place: place(&one["at"]), expression }
            }
            "count" => {
                let counts = document["counts"].as_array().expect("counts");
                let nth = counts.iter().position(|name| *name == one["event"]).expect("a count");
                Step::Count { nth, value: index(&one["value"]) }
            }
            "barrier" => Step::Barrier,
            other => panic!("{other}"),
        };
        (phase, step)
    });
    Program { steps: steps.collect() }
}

#[test]
fn json_steps_equal_the_program() {
    let pages = [0x10_0000, 0x20_0000];
    for (pmu, what) in [
        ("cci400", ["S3:READ_REQUEST_ANY", "cycles"]),
        ("cci400:r0", ["S3:READ_REQUEST_ANY", "cycles"]),
        ("cci500", ["SI3:READ_REQUEST_ANY", "SI0:READ_DATA_SNOOP_HIT"]),
        ("cci550", ["SI3:READ_REQUEST_ANY", "SI0:READ_DATA_SNOOP_HIT"]),
        ("mmu600:tcu", ["TRANSACTION", "TLB_MISS"]),
        ("mmu600:tbu", ["TRANSACTION", "MAIN_TLB_MISS"]),
        ("arm1176", ["DATA_CACHE_MISS", "cycles"]),
        ("cortex-a8", ["DATA_CACHE_REFILL", "cycles"]),
    ] {
        let expected = program(pmu, &what);
        let of = name::pmu(pmu).expect("an IP");
        let what = what.map(str::to_owned);
        let document = serde_json::to_value(super::steps::of(of, &pages, &what, &expected));
        assert_eq!(read_back(&document.expect("a document"), &pages), expected, "{pmu}");
    }
}

/// Starts, counts 5 events, reads, counts 2 events, and stops.
fn counts(program: &Program, machine: &dyn Machine, signal: &dyn Fn(u32)) {
    assert_eq!(replay(program, Phase::Identify, machine), Replayed::default());
    // An ARM11 clears flags only while enabled, so the first start can fail and is repeated.
    if replay(program, Phase::Start, machine).failed > 0 {
        assert_eq!(replay(program, Phase::Start, machine), Replayed::default());
    }
    signal(5);
    let of = |count| Replayed { counts: vec![count], failed: 0 };
    assert_eq!(replay(program, Phase::Read, machine), of(5));
    signal(2);
    assert_eq!(replay(program, Phase::Stop, machine), of(7));
    signal(3);
    assert_eq!(replay(program, Phase::Stop, machine).counts, [7], "it stands still");
}

/// Values for registers whose reset value is undefined.
fn noises() -> impl Iterator<Item = Noise> {
    [Noise::Zeros, Noise::Ones].into_iter().chain((0..6).map(Noise::Seeded))
}

/// Offset of a CCI's PMCR, and its bit EX.
const PMCR: usize = 0x100;
const EX: u32 = 1 << 4;

#[test]
fn a_program_counts_from_any_cci_state() {
    let of_400 = program("cci400", &["S3:READ_REQUEST_ANY"]);
    let of_r0 = program("cci400:r0", &["S3:READ_REQUEST_ANY"]);
    let of_500 = program("cci500", &["SI3:READ_REQUEST_ANY"]);
    let of_550 = program("cci550", &["SI3:READ_REQUEST_ANY"]);
    for noise in noises() {
        for (revision, program) in [(0x6, &of_400), (0x1, &of_r0)] {
            let device = Cci400::new();
            device.set_revision(revision);
            device.power_up_with(noise);
            device.poke(PMCR, device.peek(PMCR) | EX | 1);
            counts(program, &device.bus::<AnyOffset>(), &|times| {
                device.signal_raw(3, 0x0, Security::NonSecure, times);
            });
            assert_eq!(device.peek(PMCR) & EX, EX, "not this measurement's");
            assert!(device.violations().is_empty());
        }
        macro_rules! cci5xx {
            ($device:ident, $program:expr) => {
                let device = $device::new();
                device.power_up_with(noise);
                device.poke(PMCR, device.peek(PMCR) | EX);
                counts($program, &device.bus::<AnyOffset>(), &|times| {
                    device.signal_raw(3, 0x0, Security::NonSecure, times);
                });
                assert_eq!(device.peek(PMCR) & EX, EX);
                assert!(device.violations().is_empty());
            };
        }
        cci5xx!(Cci500, &of_500);
        cci5xx!(Cci550, &of_550);
    }
}

#[test]
fn recipes_work_with_fewer_stream_bits() {
    for (unit, device) in
        [("mmu600:tcu", Mmu600::tcu as fn() -> Mmu600), ("mmu600:tbu", Mmu600::tbu)]
    {
        let program = program(unit, &["TRANSACTION"]);
        for (noise, bits) in noises().zip([1, 2, 8, 15, 16, 20, 23, 24]) {
            let device = device();
            device.set_stream_bits(bits);
            device.power_up_with(noise);
            let pages = [device.page0::<AnyOffset>(), device.page1::<AnyOffset>()];
            counts(&program, &pages, &|times| {
                device.signal_raw(1, Stream::non_secure(0), times);
            });
            assert!(device.violations().is_empty());
        }
    }
}

#[test]
fn a_program_counts_from_any_core_state() {
    // Bits X of PMNC and PMCR belong to other software.
    let (x, x_of_pmcr) = (1 << 11, 1 << 4);
    let control = |crn, opc2| Place::Cp15(arm_pmu::bus::Operands { opc1: 0, crn, crm: 12, opc2 });
    for (core, device) in [
        ("arm1136", Arm11::arm1136 as fn() -> Arm11),
        ("arm1156", Arm11::arm1156),
        ("arm1176", Arm11::arm1176),
    ] {
        let program = program(core, &["DATA_CACHE_MISS"]);
        for noise in noises() {
            let device = device();
            device.power_up_with(noise);
            let bus = device.bus::<AnyOperands>();
            let pmnc = control(15, 0);
            Machine::write(&bus, pmnc, x | 0x0100_0000);
            counts(&program, &bus, &|times| device.signal_raw(0xB, times));
            assert_eq!(Machine::read(&bus, pmnc) & x, x, "{core}");
            assert!(device.violations().is_empty(), "{:?}", device.violations());
        }
    }
    let program = program("cortex-a8", &["DATA_CACHE_REFILL"]);
    for noise in noises() {
        let device = CortexA8::new();
        device.power_up_with(noise);
        let bus = device.bus::<AnyOperands>();
        Machine::write(&bus, control(9, 0), x_of_pmcr);
        counts(&program, &bus, &|times| device.signal_raw(0x03, times));
        assert_eq!(Machine::read(&bus, control(9, 0)) & x_of_pmcr, x_of_pmcr);
        assert!(device.violations().is_empty(), "{:?}", device.violations());
    }
}

/// Compiles the header of a core for this host, and counts with it on a simulated device. Returns the counts.
fn counts_in_c(
    core: &str,
    event: u32,
    bus: &Cp15Bus<'_, AnyOperands>,
    does: &dyn Fn(&str),
) -> String {
    let pmu = name::pmu(core).expect("a core");
    let main_id = pmu.unit.map_or(pmu.ip.main_id, |unit| unit.main_id).expect("a processor");
    let (folder, lower) = (tempfile::tempdir().expect("a folder"), core.replace('-', "_"));
    let header = super::core::header(pmu, "", &[]).expect("a header");
    let source = include_str!("core/on_device.c").replace("core_", &format!("{lower}_"));
    let source = source.replace("CORE_", &format!("{}_", lower.to_uppercase()));
    let [source_file, program] = ["on_device.c", "on_device"].map(|name| folder.path().join(name));
    fs::write(folder.path().join(format!("{lower}_pmu.h")), header).expect("to write");
    fs::write(&source_file, source).expect("to write");
    let mut compiler = Command::new("gcc");
    compiler.args(["-std=c99", "-Wall", "-Wextra", "-Werror", &format!("-DEVENT={event}"), "-o"]);
    assert!(compiler.args([&program, &source_file]).status().expect("gcc").success());
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a run");
    let mut replies = child.stdin.take().expect("a pipe");
    let mut printed = String::new();
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let line = line.expect("text");
        match line.split_once(' ') {
            Some(("mrc", "p15, 0, %0, c0, c0, 0")) => {
                writeln!(replies, "{:x}", 0x41 << 24 | main_id.part << 4).expect("a pipe");
            }
            Some(("mrc", name)) => {
                writeln!(replies, "{:x}", bus.mrc(operands_of(name))).expect("a pipe");
            }
            Some(("mcr", rest)) => {
                let (name, value) = rest.split_once(" = ").expect("a value");
                bus.mcr(operands_of(name), u32::from_str_radix(value, 16).expect("a number"));
            }
            Some((_, count)) => printed += &format!("{count}\n"),
            None if line == "barrier" => Machine::synchronize(bus),
            None => does(&line),
        }
    }
    assert!(child.wait().expect("an end").success());
    printed
}

/// QEMU has no counters of an ARM11, so its header counts on the simulated device.
#[test]
fn headers_of_cores_count_on_simulated_devices() {
    let expected = "exact 5\nexact 10\noverflowed 0\noverflowed 0\nexact 5\ndisturbed: 0\n";
    for (core, device) in [
        ("arm1136", Arm11::arm1136 as fn() -> Arm11),
        ("arm1156", Arm11::arm1156),
        ("arm1176", Arm11::arm1176),
    ] {
        for noise in noises() {
            let device = device();
            device.power_up_with(noise);
            let bus = device.bus::<AnyOperands>();
            let counter = arm_pmu::bus::Operands { opc1: 0, crn: 15, crm: 12, opc2: 2 };
            let printed = counts_in_c(core, 0xB, &bus, &|what| match what {
                "wrap" => {
                    bus.mcr(counter, u32::MAX);
                    Machine::synchronize(&bus);
                    device.signal_raw(0xB, 5);
                }
                // Afterwards, the registers hold any values.
                "power" => {
                    assert!(device.violations().is_empty(), "{:?}", device.violations());
                    device.power_up();
                }
                _ => device.signal_raw(0xB, 5),
            });
            assert_eq!(printed, expected, "{core}");
        }
    }
}

#[test]
fn replayed_values_destroy_preserved_bits() {
    let what = ["S3:READ_REQUEST_ANY".to_owned()];
    let recording = infer::recording(name::pmu("cci400").expect("an IP"), true, &what);
    let device = Cci400::new();
    device.poke(PMCR, device.peek(PMCR) | EX);
    let bus = device.bus::<AnyOffset>();
    let differ = replay_values(&recording, Phase::Start, &bus);
    assert!(differ > 0, "a trace that compares what it reads stops");
    assert_eq!(device.peek(PMCR) & EX, 0, "and one that does not takes the events off EVNTBUS");

    // The simulated device has 8-bit StreamIDs; the recording is of a device with 32-bit StreamIDs.
    let what = ["TRANSACTION".to_owned()];
    let recording = infer::recording(name::pmu("mmu600:tbu").expect("an IP"), true, &what);
    let device = Mmu600::tbu();
    device.set_stream_bits(8);
    let pages = [device.page0::<AnyOffset>(), device.page1::<AnyOffset>()];
    assert!(replay_values(&recording, Phase::Start, &pages) > 0);
}

#[test]
fn detects_wrong_devices_and_inexact_counts() {
    let program = program("cci400", &["S3:READ_REQUEST_ANY"]);
    let other = Cci550::new();
    other.clear_journal();
    let replayed = replay(&program, Phase::Identify, &other.bus::<AnyOffset>());
    assert_eq!(replayed.failed, 1);

    let fault = |disturb: &dyn Fn(&Cci400)| {
        let device = Cci400::new();
        let bus = device.bus::<AnyOffset>();
        assert_eq!(replay(&program, Phase::Start, &bus).failed, 0);
        disturb(&device);
        let (read, stop) =
            (replay(&program, Phase::Read, &bus), replay(&program, Phase::Stop, &bus));
        assert_eq!(bus.read(PMCR) & 1, 0, "the recipe stops the counters");
        (read.failed, stop.failed)
    };
    let nothing = fault(&|_| {});
    assert_eq!(nothing, (0, 0));
    let (read, stop) = fault(&|device| {
        device.poke(0xA004, u32::MAX);
        device.signal_raw(3, 0x0, Security::NonSecure, 1);
    });
    assert!(read > 0 && stop > 0, "overflowed");
    let (_, stop) = fault(&|device| device.other_owner_disables(0));
    assert!(stop > 0, "disabled by other software");
    let (read, stop) = fault(&|device| device.power_up());
    assert!(read > 0 && stop > 0, "lost its power");
}

#[test]
fn every_event_of_every_pmu_has_a_program() {
    let has_recipe = |pmu: &arm_pmu_tables::Pmu| {
        let tape = super::tape::Tape::new(super::device::Device::new(*pmu));
        pmu.ip.no_recipe.is_none() && super::driver::run(*pmu, false, &[], &tape).is_some()
    };
    for pmu in arm_pmu_tables::Pmu::all().filter(has_recipe) {
        // The last event of each group is tested.
        for group in pmu.groups() {
            let all: Vec<_> = pmu
                .selections()
                .filter(|one| std::ptr::eq(one.of.group, group))
                .map(|one| one.to_string())
                .collect();
            if let Some(what) = all.last() {
                let program = super::program(pmu, false, std::slice::from_ref(what));
                let program = program.unwrap_or_else(|error| panic!("{pmu} {what}: {error}"));
                for phase in [Phase::Read, Phase::Stop] {
                    let counts = program.phase(phase);
                    let counts = counts.filter(|step| matches!(step, Step::Count { .. }));
                    assert_eq!(counts.count(), 1, "{pmu} {what}");
                }
            }
        }
    }
}
