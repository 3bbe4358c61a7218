//! The page of a platform.

use arm_pmu_lookup::cluster::product;
use arm_pmu_lookup::words;
use arm_pmu_tables::platform::{Fact, Fault, Instance, Stream};
use arm_pmu_tables::{Confidence, Ip, Origin, Platform};
use askama::Template;

use super::address::{nav, of_ip, of_platform};
use super::filters;

#[derive(Template)]
#[template(path = "platform.html")]
pub struct Page {
    nav: Vec<(String, &'static str)>,
    here: String,
    platform: &'static Platform,
    instances: Vec<InstanceView>,
}

struct InstanceView {
    name: &'static str,
    title: Option<&'static str>,
    ip: &'static str,
    ip_href: String,
    facts: Vec<FactRow>,
    /// The interfaces of masters, and the interfaces to slaves.
    left: Vec<Port>,
    right: Vec<Port>,
    streams: &'static [Stream],
    switches: Vec<SwitchView>,
    faults: &'static [Fault],
    notes: &'static [Fact<&'static str>],
}

struct FactRow {
    what: &'static str,
    value: String,
    note: Option<&'static str>,
    source: &'static str,
    grade: Confidence,
}

struct Port {
    source: &'static str,
    hangs: Vec<Hangs>,
}

struct Hangs {
    name: &'static str,
    title: &'static str,
    condition: Option<&'static str>,
    bytes: Option<Fact<u32>>,
    grade: Confidence,
}

struct SwitchView {
    name: &'static str,
    doc: &'static str,
    place: String,
    ways: Vec<WayRow>,
    origin: &'static str,
    grade: Confidence,
}

struct WayRow {
    stage: String,
    doc: &'static str,
    fails: bool,
    grade: Confidence,
}

impl Page {
    pub fn new(platform: &'static Platform) -> Self {
        Self {
            nav: nav(),
            here: of_platform(platform),
            platform,
            instances: platform.instances.iter().map(InstanceView::new).collect(),
        }
    }
}

impl InstanceView {
    fn new(of: &'static Instance) -> Self {
        let ip = Ip::find(of.ip.value);
        Self {
            name: of.name,
            title: of.title,
            ip: product(of),
            ip_href: ip.map_or("index.html".to_owned(), of_ip),
            facts: facts(of),
            left: ports(of, |group| group.contains("slave")),
            right: ports(of, |group| group.contains("master")),
            streams: of.streams,
            switches: of.switches.iter().map(switch).collect(),
            faults: of.faults,
            notes: of.notes,
        }
    }

    fn has_ports(&self) -> bool {
        self.left.iter().chain(&self.right).any(|port| !port.hangs.is_empty())
    }
}

fn facts(of: &'static Instance) -> Vec<FactRow> {
    let mut all = Vec::new();
    let mut add = |what, value, note, origin: &Origin| {
        let source = origin.source.unwrap_or("");
        all.push(FactRow { what, value, note, source, grade: origin.confidence });
    };
    add("IP", of.ip.value.to_owned(), None, &of.ip.origin);
    if let Some(unit) = of.unit {
        add("Unit", unit.value.to_owned(), None, &unit.origin);
    }
    if let Some(cpus) = &of.cpus {
        add("CPUs", words::cpus(cpus.numbers), None, &cpus.origin);
    }
    if let Some(base) = of.base {
        add("Base", format!("0x{:X}", base.value), None, &base.origin);
    }
    if let Some(length) = of.length {
        add("Length", format!("0x{:X}", length.value), None, &length.origin);
    }
    if let Some(interrupts) = &of.interrupts {
        let value = words::interrupts(interrupts);
        add("Interrupts", value, interrupts.note, &interrupts.origin);
    }
    if let Some(linux) = of.linux {
        add("Linux", linux.value.to_owned(), None, &linux.origin);
    }
    if let Some(node) = &of.device_tree {
        let name = node.node.map_or(String::new(), |node| format!(", {node}"));
        add("Device tree", format!("{}{name}", node.state), node.missing, &node.origin);
    }
    if let Some(clock) = &of.clock {
        let name = clock.name.unwrap_or("not named");
        let hertz = clock
            .hertz
            .map_or(String::new(), |hertz| format!(", {:.2} MHz", f64::from(hertz) / 1e6));
        add("Clock", format!("{name}{hertz}"), clock.note, &clock.origin);
    }
    all
}

fn ports(of: &'static Instance, is: impl Fn(&str) -> bool) -> Vec<Port> {
    let Some(pmu) = of.pmu() else { return Vec::new() };
    let mut ports: Vec<Port> = Vec::new();
    for source in pmu.groups().filter(|group| is(group.name)).flat_map(|group| group.sources) {
        if ports.iter().any(|port| port.source == source.name) {
            continue;
        }
        let hangs = of.interfaces.iter().filter(|port| port.source == source.name);
        let hangs = hangs.map(|port| Hangs {
            name: port.name,
            title: port.title,
            condition: port.condition,
            bytes: port.beat_bytes,
            grade: port.origin.confidence,
        });
        ports.push(Port { source: source.name, hangs: hangs.collect() });
    }
    ports
}

fn switch(of: &'static arm_pmu_tables::platform::Switch) -> SwitchView {
    let ways = of.ways.iter().map(|way| WayRow {
        stage: way.stage.word().replace("u_boot", "U-Boot").replace('_', " "),
        doc: way.doc,
        fails: way.fails,
        grade: way.origin.confidence,
    });
    SwitchView {
        name: of.name,
        doc: of.doc,
        place: words::switch(of),
        ways: ways.collect(),
        origin: of.origin.source.unwrap_or(""),
        grade: of.origin.confidence,
    }
}
