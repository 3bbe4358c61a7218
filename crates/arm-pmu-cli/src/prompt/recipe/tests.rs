//! Replays recipes on simulated devices. The registers of these devices begin with other values
//! than the device on which the recipe was recorded.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arm_pmu_lookup::name;
use arm_pmu_sim::{AnyOffset, AnyOperands, Arm11, Cci400, Cci500, Cci550, CortexA8, Mmu600, Noise};
use arm_pmu_sim::{Cp15Bus, MemoryBus, Security, Stream, Strict};
use tempfile::TempDir;

use super::program::{Accepted, At, Phase, Program, Step};
use arm_pmu::bus::{Bus, Operands};

/// Access to the registers of a device.
trait Machine {
    fn read(&self, at: &At) -> u32;
    fn write(&self, at: &At, value: u32);
    fn synchronize(&self);
}

/// Bases of the pages of a simulated device.
const PAGES: [u64; 2] = [0, 1 << 20];

fn place(at: &At) -> (usize, usize) {
    let address = at.address.expect("an address") as usize;
    (address >> 20, address & 0xF_FFFF)
}

impl Machine for [MemoryBus<'_, AnyOffset>] {
    fn read(&self, at: &At) -> u32 {
        let (page, offset) = place(at);
        self[page].read(offset)
    }

    fn write(&self, at: &At, value: u32) {
        let (page, offset) = place(at);
        self[page].write(offset, value);
    }

    fn synchronize(&self) {
        self.iter().for_each(Bus::synchronize);
    }
}

impl Machine for Cp15Bus<'_, AnyOperands> {
    fn read(&self, at: &At) -> u32 {
        self.mrc(operands_of(at.operands.as_ref().expect("operands")))
    }

    fn write(&self, at: &At, value: u32) {
        self.mcr(operands_of(at.operands.as_ref().expect("operands")), value);
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

/// Executes one phase as a script would.
fn replay(recipe: &Program, phase: Phase, machine: &(impl Machine + ?Sized)) -> Replayed {
    let mut values = HashMap::new();
    let mut replayed = Replayed::default();
    for step in recipe.phase(phase) {
        match step {
            Step::Read { value, at } => {
                values.insert(*value, machine.read(at));
            }
            Step::Expect { value, mask, accept } => {
                let bits = values[value] & mask;
                let ones = bits >> mask.trailing_zeros();
                let is_accepted = match accept {
                    Accepted::Range([least, most]) => (*least..=*most).contains(&bits),
                    Accepted::LowOnes => ones != 0 && ones & ones.wrapping_add(1) == 0,
                };
                replayed.failed += usize::from(!is_accepted);
                if !is_accepted && phase.ends_at_failure() {
                    return replayed;
                }
            }
            Step::Write { at, expression } => {
                machine.write(at, expression.evaluate(|of| values[&of]));
            }
            Step::Count { event, value, .. } => {
                assert_eq!(*event, recipe.counts[replayed.counts.len()], "counts in their order");
                replayed.counts.push(values[value]);
            }
            Step::Barrier => machine.synchronize(),
        }
    }
    replayed
}

fn recipe(pmu: &str, what: &[&str]) -> Program {
    let pmu = name::pmu(pmu).expect("an IP");
    let what: Vec<_> = what.iter().map(|text| (*text).to_owned()).collect();
    super::program(pmu, &PAGES, true, &what).expect("a program")
}

/// Parses the operands of MRC and MCR, with or without a general-purpose register.
fn operands_of(text: &str) -> Operands {
    let words = text.strip_prefix("p15, ").expect("p15").split(", ").filter(|word| *word != "%0");
    let words: Vec<u8> =
        words.map(|word| word.trim_start_matches('c').parse().expect("a number")).collect();
    let [opc1, crn, crm, opc2] = words[..] else { panic!("{text}") };
    Operands { opc1, crn, crm, opc2 }
}

/// Starts, counts 5 events, reads, counts 2 events, and stops.
fn counts(recipe: &Program, machine: &(impl Machine + ?Sized), signal: &dyn Fn(u32)) {
    // Bit EX or X of the control register belongs to other software.
    let mut written = recipe.writes().map(|(at, _)| at);
    let control = written.find(|at| ["PMCR", "PMNC"].contains(&&*at.register));
    let kept = control.map(|at| (at, if at.register == "PMNC" { 1 << 11 } else { 1 << 4 }));
    if let Some((at, bit)) = kept {
        let others = if at.address.is_some() { machine.read(at) } else { 0 };
        machine.write(at, others | bit);
    }
    assert_eq!(replay(recipe, Phase::Identify, machine), Replayed::default());
    // An ARM11 clears flags only while enabled, so the first start can fail and is repeated.
    if replay(recipe, Phase::Start, machine).failed > 0 {
        assert_eq!(replay(recipe, Phase::Start, machine), Replayed::default());
    }
    signal(5);
    let of = |count| Replayed { counts: vec![count], failed: 0 };
    assert_eq!(replay(recipe, Phase::Read, machine), of(5));
    signal(2);
    assert_eq!(replay(recipe, Phase::Stop, machine), of(7));
    signal(3);
    assert_eq!(replay(recipe, Phase::Stop, machine).counts, [7], "it stands still");
    if let Some((at, bit)) = kept {
        assert_eq!(machine.read(at) & bit, bit, "{at:?}");
    }
}

/// Values for registers whose reset value is undefined.
fn noises() -> impl Iterator<Item = Noise> {
    [Noise::Zeros, Noise::Ones].into_iter().chain((0..6).map(Noise::Seeded))
}

/// Counts an event of a PMU on devices in any state. A violation panics.
macro_rules! counts {
    ($pmu:expr, $event:expr, $new:expr, |$device:ident| $bus:expr, $($signal:expr),*) => {
        let recipe = recipe($pmu, &[$event]);
        for noise in noises() {
            let $device = Strict::new($new);
            $device.power_up_with(noise);
            counts(&recipe, $bus, &|times| $device.signal_raw($($signal,)* times));
        }
    };
}

#[test]
fn a_recipe_counts_from_any_state() {
    let secure = Security::NonSecure;
    for (revision, pmu) in [(0x6, "cci400"), (0x1, "cci400:r0")] {
        let new = || {
            let device = Cci400::new();
            device.set_revision(revision);
            device
        };
        counts!(pmu, "S3:READ_REQUEST_ANY", new(), |of| &[of.bus::<AnyOffset>()][..], 3, 0, secure);
    }
    let event = "SI3:READ_REQUEST_ANY";
    counts!("cci500", event, Cci500::new(), |of| &[of.bus::<AnyOffset>()][..], 3, 0, secure);
    counts!("cci550", event, Cci550::new(), |of| &[of.bus::<AnyOffset>()][..], 3, 0, secure);
    for (unit, unit_of) in
        [("mmu600:tcu", Mmu600::tcu as fn() -> Mmu600), ("mmu600:tbu", Mmu600::tbu)]
    {
        let mut bits = [1, 2, 8, 15, 16, 20, 23, 24].into_iter();
        let mut new = || {
            let device = unit_of();
            device.set_stream_bits(bits.next().expect("a number of bits for each device"));
            device
        };
        let stream = Stream::non_secure(0);
        counts!(
            unit,
            "TRANSACTION",
            new(),
            |of| &[of.page0::<AnyOffset>(), of.page1::<AnyOffset>()][..],
            1,
            stream
        );
    }
    for (core, _, new) in ARM11 {
        counts!(core, "DATA_CACHE_MISS", new(), |of| &of.bus::<AnyOperands>(), 0xB);
    }
    counts!("cortex-a8", "DATA_CACHE_REFILL", CortexA8::new(), |of| &of.bus::<AnyOperands>(), 0x3);
}

/// A core, its part number and its device.
type Core = (&'static str, u32, fn() -> Arm11);

const ARM11: [Core; 3] = [
    ("arm1136", 0xB36, Arm11::arm1136),
    ("arm1156", 0xB56, Arm11::arm1156),
    ("arm1176", 0xB76, Arm11::arm1176),
];

/// Compiles the header of a core for this host.
fn compiled(core: &str, event: u32) -> (TempDir, PathBuf) {
    let pmu = name::pmu(core).expect("a core");
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
    (folder, program)
}

/// Counts with a compiled header on a simulated device. Returns the counts.
fn counts_in_c(
    program: &Path,
    part: u32,
    bus: &Cp15Bus<'_, AnyOperands>,
    does: &dyn Fn(&str),
) -> String {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a run");
    let mut replies = child.stdin.take().expect("a pipe");
    let mut printed = String::new();
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let line = line.expect("text");
        match line.split_once(' ') {
            Some(("mrc", "p15, 0, %0, c0, c0, 0")) => {
                writeln!(replies, "{:x}", 0x41 << 24 | part << 4).expect("a pipe");
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

/// QEMU does not emulate ARM11 counters, so the header of an ARM11 counts on the simulated device.
#[test]
fn headers_of_cores_count_on_simulated_devices() {
    let expected = "exact 5\nexact 10\noverflowed 0\noverflowed 0\nexact 5\ndisturbed: 0\n";
    for (core, part, device) in ARM11 {
        let (_folder, program) = compiled(core, 0xB);
        for noise in noises() {
            let device = device();
            device.power_up_with(noise);
            let bus = device.bus::<AnyOperands>();
            let counter = Operands { opc1: 0, crn: 15, crm: 12, opc2: 2 };
            let printed = counts_in_c(&program, part, &bus, &|what| match what {
                "wrap" => {
                    bus.mcr(counter, u32::MAX);
                    Machine::synchronize(&bus);
                    device.signal_raw(0xB, 5);
                }
                // After power-up, the registers can have any values.
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
fn detects_wrong_devices_and_inexact_counts() {
    let recipe = recipe("cci400", &["S3:READ_REQUEST_ANY"]);
    let other = Cci550::new();
    assert_eq!(replay(&recipe, Phase::Identify, &[other.bus::<AnyOffset>()][..]).failed, 1);

    let fault = |disturb: &dyn Fn(&Cci400)| {
        let device = Cci400::new();
        let bus = &[device.bus::<AnyOffset>()][..];
        assert_eq!(replay(&recipe, Phase::Start, bus).failed, 0);
        disturb(&device);
        let failed = [Phase::Read, Phase::Stop].map(|phase| replay(&recipe, phase, bus).failed);
        assert_eq!(bus[0].read(0x100) & 1, 0, "the recipe stops the counters");
        failed.into()
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
                let program = super::program(pmu, &[], false, std::slice::from_ref(what));
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
