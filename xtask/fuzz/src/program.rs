//! Programs: calls, and the traffic between their bus accesses.

use std::fmt;

use clap::ValueEnum;
use fastrand::Rng;
use serde::{Deserialize, Serialize};

/// Number of events of each device that programs use.
pub const EVENTS: usize = 6;

/// The event that the second owner selects. No driver selects this event, so the second owner never
/// restores a selection of the driver.
pub const OTHER_EVENT: u8 = EVENTS as u8 - 1;

/// The [selection](Op::Assign) of cycles.
pub const CYCLES: u8 = EVENTS as u8;

/// Number of different selections: the events and the cycles.
pub const KINDS: usize = EVENTS + 1;

/// Highest number of event counters of any device.
pub const MOST_COUNTERS: usize = 8;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Seed that generated the program, for running it again.
    #[serde(skip)]
    pub seed: u64,
    /// The steps, in order. A step that is impossible in the current state does nothing, so any
    /// subsequence of a program is a program.
    pub steps: Vec<Step>,
}

/// One call of the public API, and the traffic during the call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub op: Op,
    /// Traffic before some of the bus accesses of the call, in the order of the accesses. Traffic
    /// beyond the last access happens after the call.
    pub traffic: Vec<Traffic>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Traffic {
    /// Number of the access within the step.
    pub at: u16,
    pub item: Item,
}

/// Traffic: an event, or another cause outside the driver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Item {
    Event {
        event: u8,
        times: u32,
    },
    Cycles(u32),
    /// The second owner disables one event counter.
    Disable(u8),
    /// The second owner disables the cycle counter.
    DisableCycles,
    /// The second owner disables the PMU.
    DisableAll,
    /// The second owner makes a counter count [its own event](OTHER_EVENT).
    Select(u8),
    /// The second owner moves the selector of a Cortex-A8.
    MoveSelector(u8),
    /// A hypervisor leaves this many event counters to the driver. During a call, a hypervisor only removes
    /// counters.
    Leave(u8),
    /// Registers read as zero and ignore writes from now on.
    Zeros,
    /// Registers read as ones and ignore writes from now on.
    Ones,
    /// Accesses fail from now on.
    Fails,
    /// Registers answer again.
    Answers,
    /// Stores have no effect until the end of the call.
    IgnoresStores,
    /// The device loses its power and gets it back. A power loss happens only between calls.
    LosesPower,
}

impl Item {
    /// Returns whether this is a write of the second owner that a read-modify-write of the driver
    /// overwrites.
    pub const fn is_overwritten(self) -> bool {
        matches!(self, Self::Disable(_) | Self::DisableCycles | Self::DisableAll | Self::Select(_))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Op {
    Idle,
    /// `counters()[counter].count_from(event, from)`.
    Count {
        counter: u8,
        event: u8,
        from: u32,
    },
    Off(u8),
    /// `cycle_counter().count_from(divider, from)`.
    CountCycles {
        /// Whether every 64th cycle counts.
        by_64: bool,
        from: u32,
    },
    CyclesOff,
    Assign(Vec<u8>),
    Start,
    Resume,
    /// `Monitor::run` with this work.
    Run(Vec<Item>),
    /// `measure` with this work.
    Measure(Vec<u8>, Vec<Item>),
    Calibrate(Vec<u8>),
    /// `count(nth)` for all selections.
    CountNth,
    /// `acknowledge_all` of the stopped PMU.
    AcknowledgeAll,
    /// `diagnose_with`, without work and without an expected event.
    Diagnose,
    /// `diagnose_with` with this work.
    DiagnoseWith(Vec<Item>),
    /// `release`, followed by a new driver.
    Release,
    /// `EventSet::schedule`.
    Fit(PlanOf),
    /// `EventSet::run` with this work.
    Passes(PlanOf, Vec<Item>),
    /// `Schedule::run_long` with this work, and a call of its update function after each item
    /// except the last.
    LongPasses(PlanOf, Vec<Item>),
    /// `Schedule::rotate`.
    Rotate(PlanOf),
    /// `MultiplexedRun::rotate`.
    NextSlice,
    /// `MultiplexedRun::update`.
    UpdateSlice,
    /// Advances the time of a `MultiplexedRun` by 256 times this number.
    Wait(u32),
    /// `MultiplexedRun::stop`.
    EndRotation,
    /// `Bank::new` for each of these tasks, and `BankedPmu::new`.
    Tasks(Vec<Vec<u8>>),
    /// `BankedPmu::switch` to a task, or to none.
    Switch(u8),
    /// `BankedPmu::update`.
    UpdateBank,
    /// The current task migrates to a core with a new driver.
    Migrate,
    /// `BankedPmu::release`.
    EndTasks,
    /// `counts` and `cycles` of the running PMU.
    Counts,
    /// `read_at_once` of the running PMU.
    ReadAtOnce,
    /// `snapshot` of the running PMU.
    Snapshot,
    Acknowledge,
    Rearm {
        /// Number of the event counter; [`MOST_COUNTERS`] is the cycle counter.
        counter: u8,
        events: u32,
    },
    Totals,
    UpdateTotals,
    Intervals,
    NextInterval,
    UpdateIntervals,
    Stop,
    /// Drops the running PMU, and creates a new driver.
    Drop,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanOf {
    pub groups: Vec<Vec<u8>>,
    pub reference: Reference,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reference {
    /// The clock, if there is one.
    Clock,
    None,
    Selected(u8),
}

impl Op {
    pub const fn is_diagnosis(&self) -> bool {
        matches!(self, Self::Diagnose | Self::DiagnoseWith(_))
    }

    /// Returns a step without traffic.
    pub const fn quiet(self) -> Step {
        Step { op: self, traffic: Vec::new() }
    }

    /// Returns a step with traffic before the access with this number.
    pub fn at(self, at: u16, item: Item) -> Step {
        self.quiet().at(at, item)
    }
}

impl Step {
    /// Adds traffic before the access with this number.
    pub fn at(mut self, at: u16, item: Item) -> Self {
        self.traffic.push(Traffic { at, item });
        self
    }
}

/// As Rust source.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[")?;
        for Step { op, traffic } in &self.steps {
            let text = format!("{op:?}").replace('[', "vec![");
            if traffic.is_empty() {
                write!(f, "    {text}.quiet()")?;
            } else {
                write!(f, "    {text}")?;
            }
            for Traffic { at, item } in traffic {
                write!(f, ".at({at}, {item:?})")?;
            }
            writeln!(f, ",")?;
        }
        write!(f, "]")
    }
}

/// A class of traffic or calls that programs may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Class {
    /// A second owner writes registers
    Owner,
    /// A second owner writes registers during a start too
    OwnerStart,
    /// A hypervisor removes counters and restores them
    Hypervisor,
    /// Registers change to zeros or ones, and stay so
    Silent,
    /// Registers that turned to zeros or ones answer again later, perhaps within the same call
    Flicker,
    /// Registers turn to zeros or ones, or accesses fail, until the end of the call
    SilentCall,
    /// Stores have no effect until the end of the call
    IgnoredStores,
    /// The device loses its power between calls
    Power,
    /// Accesses fail
    Fails,
    /// Counters get new budgets while they run
    Rearm,
    /// Counters get new budgets even while their overflow flag may be set
    RearmFlag,
    /// The PMU is diagnosed
    Diagnose,
    /// Tasks with banks take turns
    Tasks,
    /// Programs without tasks
    Runs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes(u16);

impl Classes {
    pub const ALL: Self = Self(u16::MAX);

    pub const fn has(self, class: Class) -> bool {
        self.0 & 1 << class as u16 != 0
    }

    /// Removes one class of steps, and the interference that happens only in it.
    pub const fn without(self, class: Class) -> Self {
        let less = Self(self.0 & !(1 << class as u16));
        match class {
            Class::Owner => less.without(Class::OwnerStart),
            Class::Silent => less.without(Class::Flicker),
            _ => less,
        }
    }
}

/// Features of a device that programs can use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    pub counters: u8,
    /// Whether the PMU has a cycle counter in addition to the event counters.
    pub cycle_counter: bool,
    pub clock: bool,
    /// Whether a second owner can disable single counters.
    pub single_enables: bool,
    pub selector: bool,
    /// Whether a hypervisor can remove counters.
    pub hypervisor: bool,
    /// Whether the cycle counter can count every 64th cycle.
    pub divider: bool,
    pub saturates: bool,
    /// Whether a store captures all counters before they are read.
    pub captures: bool,
    /// Call that detects that the stopped device lost its power.
    pub power_loss: DetectedBy,
    /// Number of accesses of the longest usual call.
    pub accesses: u16,
}

/// The call that detects a change of a stopped PMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetectedBy {
    Resume,
    /// The stop after `resume` detects it.
    Stop,
    /// No call detects it with certainty, because the registers that would show it are unknown
    /// after a reset.
    None,
}

pub fn generate(seed: u64, shape: Shape, classes: Classes) -> Program {
    let mut random = Rng::with_seed(seed);
    let happens =
        |class: &Class| classes.has(*class) && (*class != Class::Hypervisor || shape.hypervisor);
    let trouble = TROUBLES[random.u32(..11) as usize].filter(happens);
    let large = pick(&mut random, &[0, 20, 50, 80]);
    let mut maker = Maker { random, shape, classes, trouble, large, diagnosed: false };
    let mut steps = Vec::with_capacity(12);
    let mut state = State::Stopped { started: false };
    let number = 3 + maker.below(9);
    let may_switch = shape.cycle_counter && classes.has(Class::Tasks);
    if may_switch && (!classes.has(Class::Runs) || maker.chance(20)) {
        let tasks = 1 + maker.below(4);
        let list = |maker: &mut Maker| (0..=maker.below(3)).map(|_| maker.selection()).collect();
        let op = Op::Tasks((0..tasks).map(|_| list(&mut maker)).collect());
        steps.push(maker.step(op));
        state = State::Switching { tasks: tasks as u8 };
    }
    for _ in 0..number {
        let op = maker.op(&mut state);
        steps.push(maker.step(op));
    }
    // At the end, a running PMU is stopped and read.
    match state {
        State::Stopped { .. } => steps.push(Op::CountNth.quiet()),
        State::Running { .. } => steps.extend([maker.step(Op::Stop), Op::CountNth.quiet()]),
        State::Rotating => steps.push(maker.step(Op::EndRotation)),
        State::Switching { .. } => steps.push(maker.step(Op::EndTasks)),
    }
    Program { seed, steps }
}

/// At most one of these happens in a program.
const TROUBLES: [Option<Class>; 11] = [
    Some(Class::Owner),
    Some(Class::Owner),
    Some(Class::Silent),
    Some(Class::Fails),
    Some(Class::Hypervisor),
    Some(Class::Hypervisor),
    Some(Class::SilentCall),
    Some(Class::IgnoredStores),
    Some(Class::Power),
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
    Running {
        totals: bool,
        intervals: bool,
    },
    Rotating,
    Switching {
        tasks: u8,
    },
}

struct Maker {
    random: Rng,
    shape: Shape,
    classes: Classes,
    trouble: Option<Class>,
    /// Percentage of numbers near 2^32 or 2^31.
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
        match *state {
            State::Stopped { started } => self.stopped(started, state),
            State::Running { totals, intervals } => self.running(totals, intervals, state),
            State::Rotating => self.rotating(state),
            State::Switching { tasks } => self.switching(tasks),
        }
    }

    fn stopped(&mut self, started: bool, state: &mut State) -> Op {
        let diagnosed = std::mem::take(&mut self.diagnosed);
        let op = match self.below(100) {
            // A resume shows whether the diagnosis restored the registers.
            0..=69 if diagnosed => Op::Resume,
            0..=7 if started && self.classes.has(Class::Diagnose) => Op::DiagnoseWith(self.work()),
            38..=48 if started => Op::Resume,
            0..=17 => Op::Count { counter: self.counter(), event: self.event(), from: self.from() },
            18..=20 => Op::Off(self.counter()),
            21..=26 if self.shape.cycle_counter => {
                Op::CountCycles { by_64: self.chance(20), from: self.from() }
            }
            27 if self.shape.cycle_counter => Op::CyclesOff,
            21..=37 => Op::Assign(self.selections(self.shape.counters.into())),
            38..=59 => Op::Start,
            60..=69 => Op::Resume,
            70..=74 => Op::Run(self.work()),
            75..=78 => Op::Measure(self.selections(2), self.work()),
            79 => Op::Calibrate(self.selections(2)),
            80..=82 => Op::CountNth,
            83..=84 => Op::AcknowledgeAll,
            85 if self.classes.has(Class::Diagnose) => Op::Diagnose,
            86 => Op::Release,
            87 => Op::Fit(self.plan()),
            88..=90 => Op::Passes(self.plan(), self.work()),
            91..=93 => Op::LongPasses(self.plan(), self.work()),
            94..=96 => Op::Rotate(self.plan()),
            _ => Op::Idle,
        };
        self.diagnosed = started && op.is_diagnosis();
        match op {
            Op::Start | Op::Resume => *state = State::Running { totals: false, intervals: false },
            Op::Run(_) | Op::Measure(..) => *state = State::Stopped { started: true },
            Op::Release => *state = State::Stopped { started: false },
            Op::Rotate(_) => *state = State::Rotating,
            _ => {}
        }
        op
    }

    fn running(&mut self, totals: bool, intervals: bool, state: &mut State) -> Op {
        let often = self.trouble == Some(Class::IgnoredStores) && self.chance(30);
        let op = match if often { 27 } else { self.below(100) } {
            0..=9 => Op::Counts,
            10..=13 => Op::ReadAtOnce,
            14..=17 => Op::Snapshot,
            18..=26 => Op::Acknowledge,
            27..=33 if self.classes.has(Class::Rearm) => Op::Rearm {
                counter: if self.chance(15) { MOST_COUNTERS as u8 } else { self.counter() },
                events: self.times().max(1),
            },
            34..=52 if totals => Op::UpdateTotals,
            34..=43 => Op::Totals,
            53..=66 if intervals => Op::NextInterval,
            67..=70 if intervals => Op::UpdateIntervals,
            53..=64 => Op::Intervals,
            71..=91 => Op::Stop,
            92 => Op::Drop,
            _ => Op::Idle,
        };
        match op {
            Op::Stop => *state = State::Stopped { started: true },
            Op::Drop => *state = State::Stopped { started: false },
            _ => {
                *state = State::Running {
                    totals: totals || op == Op::Totals,
                    intervals: intervals || op == Op::Intervals,
                };
            }
        }
        op
    }

    fn rotating(&mut self, state: &mut State) -> Op {
        match self.below(10) {
            0..=2 => Op::NextSlice,
            3..=5 => Op::UpdateSlice,
            6..=8 => {
                *state = State::Stopped { started: true };
                Op::EndRotation
            }
            _ if self.chance(50) => Op::Wait(self.times()),
            _ => Op::Idle,
        }
    }

    fn switching(&mut self, tasks: u8) -> Op {
        match self.below(20) {
            // The number after the last task means no task.
            0..=11 => Op::Switch(self.below(u32::from(tasks) + 1) as u8),
            12..=15 => Op::UpdateBank,
            16 => Op::Migrate,
            _ => Op::Idle,
        }
    }

    fn step(&mut self, op: Op) -> Step {
        let mut traffic = Vec::new();
        let accesses = match op {
            Op::Idle | Op::Count { .. } | Op::Off(_) | Op::Assign(_) | Op::Tasks(_) => 1,
            Op::Switch(_) | Op::UpdateBank | Op::Migrate => 2 * self.shape.accesses,
            _ => self.shape.accesses,
        };
        let items = pick(&mut self.random, &[0, 0, 1, 1, 1, 2, 2, 3]);
        for _ in 0..items {
            let at = match self.below(4) {
                // Usually after the call.
                0 | 1 => u16::MAX,
                // A diagnosis has several trials.
                2 if op.is_diagnosis() => self.below(4 * u32::from(accesses)) as u16,
                2 => self.below(u32::from(accesses)) as u16,
                _ => self.below(16) as u16,
            };
            let item = self.item(&op);
            let moves = |traffic: &Traffic| matches!(traffic.item, Item::MoveSelector(_));
            // A second move could restore the selector.
            if !(matches!(item, Item::MoveSelector(_)) && traffic.iter().any(moves)) {
                traffic.push(Traffic { at, item });
            }
        }
        let reads = matches!(op, Op::Counts | Op::ReadAtOnce | Op::Snapshot | Op::UpdateTotals);
        let selects = reads || self.classes.has(Class::OwnerStart) && matches!(op, Op::Start);
        if self.trouble == Some(Class::Owner)
            && self.shape.selector
            && selects
            && traffic.is_empty()
        {
            // A moved selector matters only between the selection of a counter and its access.
            let selector = self.below(u32::from(self.shape.counters)) as u8;
            let at = self.below(if reads { 24 } else { accesses.into() }) as u16;
            traffic.push(Traffic { at, item: Item::MoveSelector(selector) });
        }
        if self.trouble == Some(Class::Silent) && op.is_diagnosis() {
            // Silent until the end of the call: later calls show whether the diagnosis restored the registers.
            let at = self.below(4 * u32::from(accesses)) as u16;
            let items = [Item::Zeros, Item::Ones, Item::Fails];
            let item = pick(
                &mut self.random,
                &items[..if self.classes.has(Class::Fails) { 3 } else { 2 }],
            );
            traffic.extend([Traffic { at, item }, Traffic { at: u16::MAX, item: Item::Answers }]);
        } else if self.trouble == Some(Class::Silent) && self.chance(25) {
            let at = self.below(u32::from(accesses)) as u16;
            let item = if self.chance(50) { Item::Zeros } else { Item::Ones };
            traffic.push(Traffic { at, item });
            if self.classes.has(Class::Flicker) && self.chance(60) {
                let at = at.saturating_add(1 + self.below(12) as u16);
                traffic.push(Traffic { at, item: Item::Answers });
            }
        }
        // Many calls are short.
        let most = if self.chance(50) { 16 } else { accesses.into() };
        let at = self.below(most) as u16;
        let trouble = self.trouble;
        match trouble {
            // A diagnosis changes registers and writes them back.
            Some(Class::SilentCall) if op != Op::Diagnose && self.chance(30) => {
                let item =
                    pick(&mut self.random, &[Item::Zeros, Item::Ones, Item::Zeros, Item::Fails]);
                traffic.push(Traffic { at, item });
                traffic.insert(0, Traffic { at: u16::MAX, item: Item::Answers });
            }
            Some(Class::IgnoredStores)
                if op != Op::Diagnose
                    && self.chance(if matches!(op, Op::Rearm { .. }) { 80 } else { 25 }) =>
            {
                traffic.push(Traffic { at, item: Item::IgnoresStores });
            }
            Some(Class::Power) if self.chance(20) => {
                traffic.push(Traffic { at: u16::MAX, item: Item::LosesPower });
            }
            _ => {}
        }
        traffic.sort_by_key(|traffic| traffic.at);
        Step { op, traffic }
    }

    fn item(&mut self, op: &Op) -> Item {
        let starts = matches!(
            op,
            Op::Start
                | Op::Resume
                | Op::Run(_)
                | Op::Measure(..)
                | Op::Calibrate(_)
                | Op::Passes(..)
                | Op::LongPasses(..)
                | Op::Rotate(_)
                | Op::NextSlice
                | Op::Switch(_)
                | Op::UpdateBank
                | Op::Migrate
                | Op::Diagnose
                | Op::DiagnoseWith(_)
        );
        let trouble = self.trouble;
        match trouble {
            Some(Class::Owner)
                if self.chance(40) && (self.classes.has(Class::OwnerStart) || !starts) =>
            {
                self.interference()
            }
            // The silent call may hide the change.
            Some(Class::SilentCall)
                if self.classes.has(Class::Owner) && !starts && self.chance(20) =>
            {
                self.interference()
            }
            // A diagnosis reads the number of counters only once.
            Some(Class::Hypervisor) if !op.is_diagnosis() && self.chance(40) => {
                Item::Leave(self.below(u32::from(self.shape.counters) + 1) as u8)
            }
            Some(Class::Silent) if self.classes.has(Class::Flicker) && self.chance(30) => {
                Item::Answers
            }
            Some(Class::Fails) if self.chance(15) => Item::Fails,
            _ => self.event_or_cycles(),
        }
    }

    fn interference(&mut self) -> Item {
        match self.below(10) {
            0..=2 if self.shape.single_enables => Item::Disable(self.counter()),
            3 if self.shape.single_enables && self.shape.cycle_counter => Item::DisableCycles,
            4..=5 => Item::DisableAll,
            6..=7 if self.shape.selector => {
                Item::MoveSelector(self.below(u32::from(self.shape.counters)) as u8)
            }
            _ => Item::Select(self.counter()),
        }
    }

    fn event_or_cycles(&mut self) -> Item {
        if self.chance(20) {
            return Item::Cycles(self.times());
        }
        let event = if self.chance(5) { OTHER_EVENT } else { self.event() };
        Item::Event { event, times: self.times() }
    }

    fn work(&mut self) -> Vec<Item> {
        let number = 1 + self.below(4);
        (0..number).map(|_| self.event_or_cycles()).collect()
    }

    fn counter(&mut self) -> u8 {
        let number = u32::from(self.shape.counters);
        // The first counters are preferred, so that more happens to each.
        if self.chance(60) { self.below(number.min(2)) as u8 } else { self.below(number) as u8 }
    }

    fn event(&mut self) -> u8 {
        let number = if self.chance(70) { 2 } else { OTHER_EVENT.into() };
        self.below(number) as u8
    }

    fn selection(&mut self) -> u8 {
        if self.shape.clock && self.chance(25) { CYCLES } else { self.event() }
    }

    fn selections(&mut self, most: u32) -> Vec<u8> {
        let number = if self.chance(3) { most + 1 } else { 1 + self.below(most) };
        (0..number).map(|_| self.selection()).collect()
    }

    fn plan(&mut self) -> PlanOf {
        let mut left = EVENTS as u32;
        let mut groups = Vec::new();
        while left > 0 && (groups.is_empty() || self.chance(60)) {
            let number = 1 + self.below(left.min(4));
            left -= number;
            groups.push((0..number).map(|_| self.selection()).collect());
        }
        let reference = match self.below(4) {
            0 => Reference::None,
            1 => Reference::Selected(self.event()),
            _ => Reference::Clock,
        };
        PlanOf { groups, reference }
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
