//! Platforms as static values in `crates/arm-pmu-tables`.

use arm_pmu_spec::platform::model::{
    Clock, Controller, CpuList, DeviceTree, Fact, Fault, Instance, Interface, Interrupts,
    NodeState, Origin, Platform, Stage, Stream, Switch, Symptom, Trigger, Way, Wiring, Writer,
};

use super::layout::{Code, Hex, chain, constructed, deeper, each, list_of, named};
use super::prelude::*;

/// Directory for the tables of platforms, inside the directory of all tables.
const DIRECTORY: &str = "platforms/";

pub fn list(platforms: &[Platform]) -> Generated {
    let modules = || platforms.iter().map(|platform| names::of_ip(&platform.name).module);
    let rows: String = modules().map(|module| format!("    &{module}::PLATFORM,\n")).collect();
    let items = [
        "//! The tables of platforms, with one file for each platform.\n".to_owned(),
        modules().map(|module| format!("mod {module};\n")).collect(),
        format!(
            "/// All platforms, in the order of their names.\n\
             pub static PLATFORMS: &[&crate::Platform] = &[\n{rows}];\n"
        ),
    ];
    format::file(&format!("{DIRECTORY}mod.rs"), "the files under specs/platforms", items.into())
}

pub fn emit(platform: &Platform) -> Generated {
    let mut text = format::header(&format!("specs/platforms/{}.yaml", platform.name));
    let has_bits =
        platform.instances.iter().flat_map(|of| &of.switches).any(|of| of.bits.is_some());
    let _ = write!(
        text,
        "//! {}.\n\nuse crate::Confidence::*;\nuse crate::platform::*;\nuse crate::{};\n",
        platform.title.trim_end_matches('.'),
        if has_bits { "{Bits, Platform}" } else { "Platform" },
    );
    let mut shared = Shared::default();
    let instances: Vec<_> = platform.instances.iter().map(|of| instance(of, &mut shared)).collect();
    let _ = write!(text, "\npub static PLATFORM: Platform = Platform {{\n");
    let fields = [
        ("name", platform.name.code()),
        ("title", platform.title.code()),
        ("vendor", platform.vendor.code()),
        ("also", platform.also.code()),
        ("notes", format!("&{}", list_of(&each(&platform.notes, Code::code)))),
        ("instances", "INSTANCES".to_owned()),
        ("wanted", format!("&{}", list_of(&each(&platform.wanted, Code::code)))),
    ];
    for (name, value) in fields {
        let _ = writeln!(text, "    {name}: {},", deeper(&value));
    }
    text.push_str("};\n");
    let _ = write!(text, "\nstatic INSTANCES: &[Instance] = &{};\n", list_of(&instances));
    for (name, of, list) in shared.lists {
        let _ = write!(text, "\nstatic {name}: &[{of}] = &{list};\n");
    }
    Generated { name: format!("{DIRECTORY}{}.rs", names::of_ip(&platform.name).module), text }
}

/// Lists of instances: equal lists are defined once.
#[derive(Default)]
struct Shared {
    /// Name, type and value of each list.
    lists: Vec<(String, &'static str, String)>,
}

impl Shared {
    /// Returns a method call that passes the list by its name; empty text if the list is empty.
    fn call(
        &mut self,
        call: &str,
        of: &'static str,
        instance: &Instance,
        items: &[impl Code],
    ) -> String {
        if items.is_empty() {
            return String::new();
        }
        let list = list_of(&each(items, Code::code));
        let known = self.lists.iter().find(|(_, _, known)| *known == list);
        let name = known.map_or_else(
            || names::constant(&format!("{}_{call}", instance.name)),
            |(name, ..)| name.clone(),
        );
        let text = format!(".{call}({name})");
        if known.is_none() {
            self.lists.push((name, of, list));
        }
        text
    }
}

fn instance(of: &Instance, shared: &mut Shared) -> String {
    let address = |fact: &Fact<u64>| Fact { value: Hex(fact.value), origin: fact.origin.clone() };
    let calls = [
        of.title.call("title"),
        of.unit.call("unit"),
        of.core.call("core"),
        of.cpus.call("cpus"),
        of.base.as_ref().map(address).call("base"),
        of.length.as_ref().map(address).call("length"),
        of.interrupts.call("interrupts"),
        of.linux.call("linux"),
        of.device_tree.call("device_tree"),
        of.clock.call("clock"),
        shared.call("interfaces", "Interface", of, &of.interfaces),
        shared.call("streams", "Stream", of, &of.streams),
        shared.call("switches", "Switch", of, &of.switches),
        shared.call("faults", "Fault", of, &of.faults),
        shared.call("notes", "Fact<&str>", of, &of.notes),
    ];
    chain(format!("Instance::new({}, {})", of.name.code(), of.ip.code()), &calls)
}

constructed! {
    CpuList => Cpus(numbers, origin) { labels }
    Interrupts => Interrupts(controller, numbers, origin) {
        of, affinity, per_cpu, wiring, trigger, note
    }
    DeviceTree => DeviceTree(state, origin) { node, label, missing }
    Clock => Clock(origin) { name, hertz, note }
    Interface => Interface(port, name, title, origin) { condition, beat_bytes }
    Stream => Stream(id as Hex, name, title, origin) {}
    Switch => Switch(name, doc, written_by, origin) {
        register, address as Hex, bits, on as Hex, reset as Hex, seen_from_elsewhere, ways
    }
    Way => Way(stage, doc, origin) { fails }
    Fault => Fault(name, doc, effect, origin) { fix, symptom, announced }
}

named!(Controller, Wiring, Trigger, NodeState, Writer, Stage, Symptom);

impl Code for Origin {
    fn code(&self) -> String {
        format!("{}.source({:?})", self.confidence.word(), self.source)
    }
}

impl<T: Code> Code for Fact<T> {
    fn code(&self) -> String {
        format!("Fact::new({}, {})", self.value.code(), self.origin.code())
    }
}

/// The page, and the wrong offset of the page from the base.
impl Code for (String, u32) {
    fn code(&self) -> String {
        format!("Announced {{ page: {:?}, offset: 0x{:X} }}", self.0, self.1)
    }
}
