//! Programs: sequences of calls to a driver, with traffic between the accesses of each call.

use std::fmt;

use arm_pmu::measure::Monitor;
use arm_pmu_sim::Noise;
use fastrand::Rng;

use crate::devices::Device;
use crate::traffic::{CYCLES, Item, MOST_COUNTERS, OTHER_EVENT, Traffic};

/// One call of the public API, and the traffic during the call. A step that is impossible in the current state does
/// nothing, so any subsequence of a program is a program.
#[derive(Clone, PartialEq)]
pub(super) struct Step {
    pub(super) op: Op,
    /// Traffic, sorted by the number of the access that it precedes. If the call has fewer
    /// accesses, the traffic happens after the call.
    pub(super) traffic: Vec<Traffic>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op {
    Idle,
    /// While the device does not count, sets its behaviour: one of three variants, whether stores are posted, and the
    /// noise in unknown bits. Creates a new driver.
    Device {
        variant: u8,
        posted: bool,
        noise: Noise,
    },
    /// Sets one counter: its event and start value, or off. [`MOST_COUNTERS`] is the cycle counter, which counts each
    /// cycle.
    Set {
        counter: u8,
        what: Option<(u8, u32)>,
    },
    Assign(Vec<u8>),
    Start,
    Resume,
    /// `Monitor::run` with this work.
    Run(Vec<Item>),
    /// `count(nth)` for all selections.
    CountNth,
    /// `acknowledge_all` of the stopped PMU.
    AcknowledgeAll,
    /// `diagnose_with`, with these items as the work and no expected event.
    Diagnose(Vec<Item>),
    /// Drops the stopped or running PMU, and creates a new driver.
    Replace,
    /// Calls `Bank::new` for each of these tasks, then `BankedPmu::new`.
    Tasks(Vec<[u8; 2]>),
    /// `BankedPmu::switch` to a task, or to none.
    Switch(u8),
    /// `BankedPmu::update`.
    UpdateBank,
    /// The current task migrates to a core with a new driver.
    Migrate,
    /// `read` of the running PMU.
    Read,
    /// `read_at_once` of the running PMU.
    ReadAtOnce,
    Acknowledge,
    Rearm {
        /// Number of the event counter; [`MOST_COUNTERS`] is the cycle counter.
        counter: u8,
        events: u32,
    },
    /// Creates totals with `Totals::of`, or calls `update` of existing totals.
    Totals,
    /// Stops the running PMU, or releases the PMU of the tasks.
    Stop,
}

impl Op {
    /// Returns a step without traffic.
    pub(super) const fn quiet(self) -> Step {
        Step { op: self, traffic: Vec::new() }
    }

    /// Returns a step with traffic before the access with this number.
    pub(super) fn at(self, at: u16, item: Item) -> Step {
        self.quiet().at(at, item)
    }
}

impl Step {
    /// Adds traffic before the access with this number.
    pub(super) fn at(mut self, at: u16, item: Item) -> Self {
        self.traffic.push(Traffic { at, item });
        self
    }
}

/// As Rust source.
impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.op).replace('[', "vec![");
        let quiet = if self.traffic.is_empty() { ".quiet()" } else { "" };
        write!(f, "{text}{quiet}")?;
        self.traffic.iter().try_for_each(|Traffic { at, item }| write!(f, ".at({at}, {item:?})"))
    }
}

/// Features of a device that programs can use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) counters: u8,
    /// Whether the PMU has a cycle counter in addition to the event counters.
    pub(super) cycle_counter: bool,
    pub(super) clock: bool,
    /// Whether a second owner can disable single counters.
    pub(super) single_enables: bool,
    pub(super) selector: bool,
    /// Whether a hypervisor can remove counters.
    pub(super) hypervisor: bool,
    pub(super) saturates: bool,
    /// Whether a store captures all counters before they are read.
    pub(super) captures: bool,
    /// Call that detects that the stopped device lost its power.
    pub(super) power_loss: DetectedBy,
}

/// The call that detects that a stopped device lost its power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DetectedBy {
    Resume,
    /// The stop after `resume`.
    Stop,
    /// No call is certain to detect the loss: a reset makes the relevant registers unknown.
    None,
}

impl Shape {
    pub(super) fn of<D: Device>() -> Self {
        let all = <D::Pmu<'_> as Monitor>::COUNTERS as u8;
        Self {
            counters: all - u8::from(D::HAS_CYCLE_COUNTER),
            cycle_counter: D::HAS_CYCLE_COUNTER,
            clock: <D::Pmu<'_> as Monitor>::CLOCK.is_some(),
            single_enables: D::KIND != "arm11",
            selector: matches!(D::KIND, "armv7_pmu" | "dsu"),
            hypervisor: D::KIND == "arm_pmuv3",
            saturates: D::SATURATES,
            captures: D::KIND == "smmuv3_pmcg",
            power_loss: match D::KIND {
                "arm11" => DetectedBy::Resume,
                "armv7_pmu" | "arm_pmuv3" | "dsu" => DetectedBy::None,
                _ => DetectedBy::Stop,
            },
        }
    }

    /// Returns the number of a counter; all numbers above the event counters become the number of
    /// the cycle counter.
    pub(super) fn number(self, counter: u8) -> usize {
        counter.min(self.counters).into()
    }

    /// Number of counters, including the cycle counter.
    pub(super) fn all(self) -> usize {
        usize::from(self.counters) + usize::from(self.cycle_counter)
    }
}

/// Returns the program of a seed.
pub(super) fn generate(seed: u64, shape: Shape) -> Vec<Step> {
    let mut random = Rng::with_seed(seed);
    let trouble = pick(&mut random, &TROUBLES);
    let trouble = trouble.filter(|one| *one != Trouble::Hypervisor || shape.hypervisor);
    let large = pick(&mut random, &[0, 20, 50, 80]);
    let mut maker = Maker { random, shape, trouble, large, diagnosed: false };
    let mut steps = Vec::with_capacity(12);
    let mut state = State::Stopped { started: false };
    let seeded = Noise::Seeded(maker.random.u64(..));
    let noise = pick(&mut maker.random, &[seeded, seeded, Noise::Zeros, Noise::Ones]);
    let (variant, posted) = (maker.below(3) as u8, maker.chance(75));
    steps.push(Op::Device { variant, posted, noise }.quiet());
    let number = 3 + maker.below(9);
    if shape.cycle_counter && maker.chance(20) {
        let tasks = 1 + maker.below(4);
        let mut list = || [maker.selection(), maker.selection()];
        let op = Op::Tasks((0..tasks).map(|_| list()).collect());
        steps.push(maker.step(op));
        state = State::Switching { tasks };
    }
    for _ in 0..number {
        let op = maker.op(&mut state);
        steps.push(maker.step(op));
    }
    // At the end, the PMU is stopped and read.
    steps.extend([maker.step(Op::Stop), Op::CountNth.quiet()]);
    steps
}

/// Interference with a driver. A program has at most one kind of interference.
#[derive(Clone, Copy, PartialEq)]
enum Trouble {
    /// A second owner disables counters or the PMU, selects another event, or moves the selector.
    Owner,
    /// A hypervisor removes counters and restores them.
    Hypervisor,
    /// From some access on, all bits of all registers read as 0, or all read as 1.
    Silent,
    /// From some access to the end of the call, all bits of all registers read as 0, or all read as 1, or accesses
    /// fail.
    SilentCall,
    /// After some access, stores have no effect until the call ends, so captured values may be from
    /// an earlier capture.
    IgnoredStores,
    /// The device loses its power between two calls.
    Power,
    /// All accesses after some access fail.
    Fails,
}

const TROUBLES: [Option<Trouble>; 11] = [
    Some(Trouble::Owner),
    Some(Trouble::Owner),
    Some(Trouble::Silent),
    Some(Trouble::Fails),
    Some(Trouble::Hypervisor),
    Some(Trouble::Hypervisor),
    Some(Trouble::SilentCall),
    Some(Trouble::IgnoredStores),
    Some(Trouble::Power),
    None,
    None,
];

/// State of the driver so far, which determines the possible calls.
#[derive(Clone, Copy)]
enum State {
    Stopped {
        /// Whether a start has happened.
        started: bool,
    },
    Running,
    Switching {
        tasks: u32,
    },
}

struct Maker {
    random: Rng,
    shape: Shape,
    trouble: Option<Trouble>,
    /// Percentage of the random numbers that are near 2^32 or 2^31.
    large: u32,
    /// Whether the last call was a diagnosis after a run.
    diagnosed: bool,
}

fn pick<T: Copy>(random: &mut Rng, what: &[T]) -> T {
    what[random.usize(..what.len())]
}

impl Maker {
    fn below(&mut self, end: u32) -> u32 {
        self.random.u32(..end)
    }

    /// Returns true in `percent` of 100 cases.
    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    fn op(&mut self, state: &mut State) -> Op {
        let op = match *state {
            State::Stopped { started } => self.stopped(started),
            State::Running => self.running(),
            State::Switching { tasks } => self.switching(tasks),
        };
        let was_started = matches!(state, State::Stopped { started: true });
        self.diagnosed = was_started && matches!(op, Op::Diagnose(_));
        match op {
            Op::Start | Op::Resume => *state = State::Running,
            Op::Run(_) | Op::Stop => *state = State::Stopped { started: true },
            Op::Replace => *state = State::Stopped { started: false },
            _ => {}
        }
        op
    }

    fn stopped(&mut self, started: bool) -> Op {
        let cycles = MOST_COUNTERS as u8;
        match self.below(100) {
            // A resume shows whether the diagnosis restored the registers.
            0..=69 if self.diagnosed => Op::Resume,
            0..=7 if started => Op::Diagnose(self.work()),
            38..=48 if started => Op::Resume,
            0..=17 => Op::Set { counter: self.counter(), what: Some((self.event(), self.from())) },
            18..=20 => Op::Set { counter: self.counter(), what: None },
            21..=26 if self.shape.cycle_counter => {
                Op::Set { counter: cycles, what: Some((CYCLES, self.from())) }
            }
            27 => Op::Set { counter: cycles, what: None },
            21..=37 => Op::Assign(self.selections()),
            38..=59 => Op::Start,
            60..=74 => Op::Resume,
            75..=86 => Op::Run(self.work()),
            87..=90 => Op::CountNth,
            91..=93 => Op::AcknowledgeAll,
            94 => Op::Diagnose(Vec::new()),
            95 => Op::Replace,
            _ => Op::Idle,
        }
    }

    fn running(&mut self) -> Op {
        let often = self.trouble == Some(Trouble::IgnoredStores) && self.chance(30);
        match if often { 27 } else { self.below(100) } {
            0..=11 => Op::Read,
            12..=17 => Op::ReadAtOnce,
            18..=26 => Op::Acknowledge,
            27..=36 => Op::Rearm {
                counter: if self.chance(15) { MOST_COUNTERS as u8 } else { self.counter() },
                events: self.times().max(1),
            },
            37..=59 => Op::Totals,
            60..=87 => Op::Stop,
            88 => Op::Replace,
            _ => Op::Idle,
        }
    }

    fn switching(&mut self, tasks: u32) -> Op {
        match self.below(20) {
            // Tasks are numbered from 0; `tasks` itself means that no task runs next.
            0..=11 => Op::Switch(self.below(tasks + 1) as u8),
            12..=15 => Op::UpdateBank,
            16 => Op::Migrate,
            _ => Op::Idle,
        }
    }

    fn step(&mut self, op: Op) -> Step {
        // Number of accesses that a call is unlikely to exceed. A diagnosis has several trials.
        let accesses = 10 * self.shape.all() as u32;
        let most = match op {
            Op::Idle | Op::Set { .. } | Op::Assign(_) | Op::Tasks(_) => 1,
            Op::Switch(_) | Op::UpdateBank | Op::Migrate => 2 * accesses,
            Op::Diagnose(_) => 4 * accesses,
            _ => accesses,
        };
        let mut step = op.quiet();
        for _ in 0..pick(&mut self.random, &[0, 0, 1, 1, 1, 2, 2, 3]) {
            let at = match self.below(4) {
                // Usually after the call.
                0 | 1 => u16::MAX,
                2 => self.below(most) as u16,
                _ => self.below(16) as u16,
            };
            let item = self.item(&step.op);
            let moves = |item: Item| matches!(item, Item::MoveSelector(_));
            // A second move could restore the selector.
            if !(moves(item) && step.traffic.iter().any(|traffic| moves(traffic.item))) {
                step = step.at(at, item);
            }
        }
        if let Some(trouble) = self.trouble {
            step = self.disturb(step, trouble, most);
        }
        step.traffic.sort_by_key(|traffic| traffic.at);
        step
    }

    /// Adds interference before one access of a call, or at the end of the call.
    fn disturb(&mut self, step: Step, trouble: Trouble, most: u32) -> Step {
        let is_diagnosis = matches!(step.op, Op::Diagnose(_));
        let is_idle_diagnosis = step.op == Op::Diagnose(Vec::new());
        // Many calls are short.
        let early = if self.chance(50) { 16 } else { most };
        let (at, early) = (self.below(most) as u16, self.below(early) as u16);
        let silence = pick(&mut self.random, &[Item::Zeros, Item::Ones, Item::Fails]);
        match trouble {
            // A moved selector matters only between the selection of a counter and its access.
            Trouble::Owner if self.shape.selector && step.traffic.is_empty() => {
                let selector = Item::MoveSelector(self.below(self.shape.counters.into()) as u8);
                match step.op {
                    Op::Read | Op::ReadAtOnce | Op::Totals => {
                        step.at(self.below(24) as u16, selector)
                    }
                    Op::Start => step.at(at, selector),
                    _ => step,
                }
            }
            // The device is silent only until the call ends, so that later calls show whether the diagnosis restored
            // the registers.
            Trouble::Silent if is_diagnosis => step.at(at, silence).at(u16::MAX, Item::Answers),
            Trouble::Silent if self.chance(25) && silence != Item::Fails => step.at(at, silence),
            // A diagnosis changes registers and writes them back.
            Trouble::SilentCall if !is_idle_diagnosis && self.chance(30) => {
                let mut step = step.at(early, silence);
                step.traffic.insert(0, Traffic { at: u16::MAX, item: Item::Answers });
                step
            }
            Trouble::IgnoredStores if !is_idle_diagnosis => {
                let is_rearm = matches!(step.op, Op::Rearm { .. });
                let happens = self.chance(if is_rearm { 80 } else { 25 });
                if happens { step.at(early, Item::IgnoresStores) } else { step }
            }
            Trouble::Power if self.chance(20) => step.at(u16::MAX, Item::LosesPower),
            _ => step,
        }
    }

    fn item(&mut self, op: &Op) -> Item {
        let is_diagnosis = matches!(op, Op::Diagnose(_));
        let starts = is_diagnosis
            || matches!(op, Op::Start | Op::Resume | Op::Run(_))
            || matches!(op, Op::Switch(_) | Op::UpdateBank | Op::Migrate);
        let trouble = self.trouble;
        match trouble {
            Some(Trouble::Owner) if self.chance(40) => self.interference(),
            // Interference with the driver. It may stay undetected if it happens in the call during
            // which the device is silent.
            Some(Trouble::SilentCall) if !starts && self.chance(20) => self.interference(),
            // A diagnosis reads the number of counters only once.
            Some(Trouble::Hypervisor) if !is_diagnosis && self.chance(40) => {
                Item::Leave(self.below(u32::from(self.shape.counters) + 1) as u8)
            }
            Some(Trouble::Fails) if self.chance(15) => Item::Fails,
            _ => self.event_or_cycles(),
        }
    }

    fn interference(&mut self) -> Item {
        match self.below(10) {
            0..=2 if self.shape.single_enables => Item::Disable(self.counter()),
            3 if self.shape.single_enables && self.shape.cycle_counter => {
                Item::Disable(MOST_COUNTERS as u8)
            }
            4..=5 => Item::DisableAll,
            6..=7 if self.shape.selector => {
                Item::MoveSelector(self.below(self.shape.counters.into()) as u8)
            }
            _ => Item::Select(self.counter()),
        }
    }

    fn event_or_cycles(&mut self) -> Item {
        let event = match self.below(25) {
            0..=4 => CYCLES,
            5 => OTHER_EVENT,
            _ => self.event(),
        };
        Item::Event { event, times: self.times() }
    }

    fn work(&mut self) -> Vec<Item> {
        let number = 1 + self.below(4);
        (0..number).map(|_| self.event_or_cycles()).collect()
    }

    /// Returns a random counter, mostly one of the first two, so that more happens to these two.
    fn counter(&mut self) -> u8 {
        let number = u32::from(self.shape.counters);
        let number = if self.chance(60) { number.min(2) } else { number };
        self.below(number) as u8
    }

    fn event(&mut self) -> u8 {
        let number = if self.chance(70) { 2 } else { OTHER_EVENT.into() };
        self.below(number) as u8
    }

    fn selection(&mut self) -> u8 {
        if self.shape.clock && self.chance(25) { CYCLES } else { self.event() }
    }

    fn selections(&mut self) -> Vec<u8> {
        let most = u32::from(self.shape.counters);
        let number = if self.chance(3) { most + 1 } else { 1 + self.below(most) };
        (0..number).map(|_| self.selection()).collect()
    }

    fn times(&mut self) -> u32 {
        if !self.chance(self.large) {
            return self.below(10);
        }
        match self.below(6) {
            0 => u32::MAX - self.below(8),
            1 => 1 << 31,
            2 => (1 << 31) - 1 - self.below(8),
            3 => 1 << 30,
            4 => self.random.u32(..),
            _ => u32::MAX,
        }
    }

    fn from(&mut self) -> u32 {
        match self.below(10) {
            0..=4 => 0,
            5..=6 => u32::MAX - self.below(12),
            7 => 1 << 31,
            8 => self.below(12),
            _ => self.random.u32(..),
        }
    }
}
