//! Plays a CCI-400 in the memory of a guest, from outside: the kernel's driver, QEMU and the simulated device meet.
//!
//! `linux-player SOCKET MEMORY BASE`: QEMU's command socket, the file of the guest's memory, and the offset of the CCI
//! in it, in hexadecimal digits. Until the guest ends, it is stopped again and again. Then the device gets the writes
//! to its registers, has traffic on all interfaces, and shows its registers in the memory.
//!
//! At the end it prints each event that a counter was selected for, and how often it happened while that counter was
//! on. These numbers come from the traffic, not from the device's counters.

mod machine;

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use arm_pmu_sim::{AnyOffset, Cci400, MemoryBus, Security};
use cci400::Selection;

use machine::Machine;

const PMCR: usize = 0x100;
/// The cycle counter, then the four event counters.
const BLOCKS: [usize; 5] = [0x9000, 0xA000, 0xB000, 0xC000, 0xD000];
/// Offsets in the block of a counter; the cycle counter has no event.
const SELECT: usize = 0x0;
const COUNT: usize = 0x4;
const CONTROL: usize = 0x8;
const OVERFLOW: usize = 0xC;

/// The clock runs so long each time.
const CYCLES: u64 = 1_000;

/// Duration of each run of the guest.
const TURN: Duration = Duration::from_millis(2);

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [socket, memory, base] = arguments.as_slice() else {
        bail!("linux-player SOCKET MEMORY BASE");
    };
    let base = u64::from_str_radix(base, 16).context("BASE is no hexadecimal number")?;
    let mut machine = Machine::connect(socket.as_ref())?;
    // QEMU has made the file when it listens.
    let memory = File::options().read(true).write(true).open(memory);
    let memory = Memory { file: memory.context("no memory of a guest")?, base };
    let device = Cci400::new();
    let mut player = Player::new(&device, &memory)?;
    let mut turns = 0;
    while machine.stop()? {
        player.turn(&device, &memory)?;
        if !machine.go_on()? {
            break;
        }
        turns += 1;
        thread::sleep(TURN);
    }
    println!("turns {turns}");
    println!("cycles {}", player.cycles);
    for (id, times) in player.happened {
        let event = Selection::from_id(id).context("an event that no table has")?;
        println!("{event} {times}");
    }
    Ok(())
}

/// The registers of the CCI in the memory of the guest.
struct Memory {
    file: File,
    base: u64,
}

impl Memory {
    fn read(&self, offset: usize) -> Result<u32> {
        let mut word = [0; 4];
        self.file.read_exact_at(&mut word, self.base + offset as u64)?;
        Ok(u32::from_le_bytes(word))
    }

    fn write(&self, offset: usize, value: u32) -> Result<()> {
        self.file.write_all_at(&value.to_le_bytes(), self.base + offset as u64)?;
        Ok(())
    }
}

struct Player<'d> {
    /// Linux runs in the Non-secure state.
    bus: MemoryBus<'d, AnyOffset>,
    /// Values seen in the memory.
    shown: BTreeMap<usize, u32>,
    /// All events of the tables.
    events: Vec<(u16, u8, u8)>,
    happened: BTreeMap<u16, u64>,
    cycles: u64,
    turns: u32,
}

impl<'d> Player<'d> {
    fn new(device: &'d Cci400, memory: &Memory) -> Result<Self> {
        let mut shown = BTreeMap::new();
        for offset in offsets() {
            shown.insert(offset, memory.read(offset)?);
        }
        let events = (0..=u16::MAX).filter_map(|id| {
            let [high, low] = id.to_be_bytes();
            Selection::from_id(id).map(|_| (id, high << 3 | low >> 5, low & 0x1F))
        });
        Ok(Self {
            bus: device.non_secure_bus(),
            shown,
            events: events.collect(),
            happened: BTreeMap::new(),
            cycles: 0,
            turns: 0,
        })
    }

    /// Applies the guest's writes and traffic, then stores the registers.
    fn turn(&mut self, device: &Cci400, memory: &Memory) -> Result<()> {
        let mut written = Vec::new();
        for offset in offsets() {
            let value = memory.read(offset)?;
            if self.shown.get(&offset) != Some(&value) {
                written.push((offset, value));
            }
        }
        // A driver switches all counters on last, and off first.
        let off = memory.read(PMCR)? & 1 == 0;
        written.sort_by_key(|(offset, _)| (*offset == PMCR) != off);
        for (offset, value) in written {
            self.bus.write(offset, value);
        }
        self.traffic(device)?;
        for offset in offsets() {
            let value = self.bus.read(offset);
            memory.write(offset, value)?;
            self.shown.insert(offset, value);
        }
        Ok(())
    }

    /// Every event of every interface, each another number of times.
    fn traffic(&mut self, device: &Cci400) -> Result<()> {
        self.turns += 1;
        let on = self.bus.read(PMCR) & 1 != 0;
        let mut selected = Vec::new();
        for block in &BLOCKS[1..] {
            if on && self.bus.read(block + CONTROL) & 1 != 0 {
                selected.push(self.bus.read(block + SELECT));
            }
        }
        for (number, (id, source, code)) in (1..).zip(&self.events) {
            let times = number + self.turns % 7;
            device.signal_raw(*source, *code, Security::NonSecure, times);
            let select = u32::from(*source) << 5 | u32::from(*code);
            let counters = selected.iter().filter(|one| **one == select).count();
            ensure!(counters <= 1, "{counters} counters of one event");
            if counters == 1 {
                *self.happened.entry(*id).or_default() += u64::from(times);
            }
        }
        device.clock(CYCLES);
        if on && self.bus.read(BLOCKS[0] + CONTROL) & 1 != 0 {
            self.cycles += CYCLES;
        }
        Ok(())
    }
}

fn offsets() -> impl Iterator<Item = usize> {
    let of_block =
        |block: usize| [SELECT, COUNT, CONTROL, OVERFLOW].map(|register| block + register);
    let of_blocks = BLOCKS.into_iter().flat_map(of_block);
    of_blocks.filter(|offset| *offset != BLOCKS[0] + SELECT).chain([PMCR])
}
