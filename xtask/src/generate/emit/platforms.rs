//! Platforms as static values in `crates/arm-pmu-tables`.

use arm_pmu_spec::platform::model::{
    Clock, Controller, CpuList, DeviceTree, Fact, Fault, Instance, Interface, Interrupts,
    NodeState, Origin, Platform, Stage, Stream, Switch, Symptom, Trigger, Way, Wiring, Writer,
};
use heck::ToUpperCamelCase;

use super::layout::{chain, deeper, each, list_call, list_of, quoted, text_call};
use super::prelude::*;

/// Directory of the platform tables in the directory of the tables.
pub const DIRECTORY: &str = "platforms/";

pub fn file_name(platform: &str) -> String {
    format!("{DIRECTORY}{}.rs", names::of_ip(platform).module)
}

pub fn list(platforms: &[String]) -> Generated {
    let mut text = format::header("the files under specs/platforms");
    text.push_str("//! The tables, a platform in each file.\n\n");
    for platform in platforms {
        let _ = writeln!(text, "mod {};", names::of_ip(platform).module);
    }
    text.push_str("\n/// All platforms, in the order of their names.\n");
    text.push_str("pub static PLATFORMS: &[&crate::Platform] = &[\n");
    for platform in platforms {
        let _ = writeln!(text, "    &{}::PLATFORM,", names::of_ip(platform).module);
    }
    text.push_str("];\n");
    Generated { name: format!("{DIRECTORY}mod.rs"), text }
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
        ("name", quoted(&platform.name)),
        ("title", quoted(&platform.title)),
        ("vendor", quoted(&platform.vendor)),
        ("also", format!("&{:?}", platform.also)),
        ("notes", format!("&{}", list_of(&each(&platform.notes, text_fact)))),
        ("instances", "INSTANCES".to_owned()),
        ("wanted", format!("&{}", list_of(&each(&platform.wanted, |wanted| quoted(wanted))))),
    ];
    for (name, value) in fields {
        let _ = writeln!(text, "    {name}: {},", deeper(&value));
    }
    text.push_str("};\n");
    let _ = write!(text, "\nstatic INSTANCES: &[Instance] = &{};\n", list_of(&instances));
    for (name, of, list) in shared.lists {
        let _ = write!(text, "\nstatic {name}: &[{of}] = &{list};\n");
    }
    Generated { name: file_name(&platform.name), text }
}

/// Lists of instances: equal lists are defined once.
#[derive(Default)]
struct Shared {
    /// Name, type and value of each list.
    lists: Vec<(String, &'static str, String)>,
}

impl Shared {
    /// Returns the call with the name of the list; empty if the list is empty.
    fn call(
        &mut self,
        call: &str,
        of: &'static str,
        instance: &Instance,
        items: &[String],
    ) -> String {
        if items.is_empty() {
            return String::new();
        }
        let list = list_of(items);
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

fn origin(origin: &Origin) -> String {
    format!("{}.source({:?})", origin.confidence.word(), origin.source)
}

fn fact<T>(fact: &Fact<T>, value: impl Fn(&T) -> String) -> String {
    format!("Fact::new({}, {})", value(&fact.value), origin(&fact.origin))
}

fn text_fact(of: &Fact<String>) -> String {
    fact(of, |text| quoted(text))
}

fn address(address: u64) -> String {
    format!("0x{address:X}")
}

fn call(name: &str, value: Option<String>) -> String {
    value.map_or(String::new(), |value| format!(".{name}({value})"))
}

fn variant(of: &str, word: &str) -> String {
    format!("{of}::{}", word.to_upper_camel_case())
}

fn instance(of: &Instance, shared: &mut Shared) -> String {
    let calls = [
        text_call("title", of.title.as_deref()),
        call("unit", of.unit.as_ref().map(text_fact)),
        text_call("core", of.core.as_deref()),
        call("cpus", of.cpus.as_ref().map(cpus)),
        call("base", of.base.as_ref().map(|base| fact(base, |base| address(*base)))),
        call("length", of.length.as_ref().map(|length| fact(length, |length| address(*length)))),
        call("interrupts", of.interrupts.as_ref().map(interrupts)),
        call("linux", of.linux.as_ref().map(text_fact)),
        call("device_tree", of.device_tree.as_ref().map(device_tree)),
        call("clock", of.clock.as_ref().map(clock)),
        shared.call("interfaces", "Interface", of, &each(&of.interfaces, interface)),
        shared.call("streams", "Stream", of, &each(&of.streams, stream)),
        shared.call("switches", "Switch", of, &each(&of.switches, switch)),
        shared.call("faults", "Fault", of, &each(&of.faults, fault)),
        shared.call("notes", "Fact<&str>", of, &each(&of.notes, text_fact)),
    ];
    chain(format!("Instance::new({:?}, {})", of.name, text_fact(&of.ip)), &calls)
}

fn cpus(of: &CpuList) -> String {
    let labels = list_call("labels", &each(&of.labels, |label| quoted(label)));
    format!("Cpus::new(&{:?}, {}){labels}", of.numbers, origin(&of.origin))
}

fn interrupts(of: &Interrupts) -> String {
    let numbers: Vec<_> = of.numbers.iter().map(u32::to_string).collect();
    let controller = variant("Controller", Controller::word(of.controller));
    let start =
        format!("Interrupts::new({controller}, &[{}], {})", numbers.join(", "), origin(&of.origin));
    let calls = [
        text_call("of", of.of.as_deref()),
        list_call("affinity", &each(of.affinity.as_deref().unwrap_or_default(), u32::to_string)),
        if of.per_cpu { ".per_cpu()".to_owned() } else { String::new() },
        call("wiring", of.wiring.map(|wiring| variant("Wiring", Wiring::word(wiring)))),
        call("trigger", of.trigger.map(|trigger| variant("Trigger", Trigger::word(trigger)))),
        text_call("note", of.note.as_deref()),
    ];
    chain(start, &calls)
}

fn device_tree(of: &DeviceTree) -> String {
    let state = variant("NodeState", NodeState::word(of.state));
    let start = format!("DeviceTree::new({state}, {})", origin(&of.origin));
    let calls = [
        text_call("node", of.node.as_deref()),
        text_call("label", of.label.as_deref()),
        text_call("missing", of.missing.as_deref()),
    ];
    chain(start, &calls)
}

fn clock(of: &Clock) -> String {
    let calls = [
        text_call("name", of.name.as_deref()),
        call("hertz", of.hertz.map(|hertz| hertz.to_string())),
        text_call("note", of.note.as_deref()),
    ];
    chain(format!("Clock::new({})", origin(&of.origin)), &calls)
}

fn interface(of: &Interface) -> String {
    let start = format!(
        "Interface::new({:?}, {:?}, {:?}, {})",
        of.port,
        of.name,
        of.title,
        origin(&of.origin)
    );
    let bytes = of.beat_bytes.as_ref().map(|bytes| fact(bytes, |bytes| bytes.to_string()));
    chain(start, &[text_call("condition", of.condition.as_deref()), call("beat_bytes", bytes)])
}

fn stream(of: &Stream) -> String {
    let Stream { id, name, title, .. } = of;
    format!("Stream::new(0x{id:X}, {name:?}, {title:?}, {})", origin(&of.origin))
}

fn switch(of: &Switch) -> String {
    let writer = variant("Writer", Writer::word(of.written_by));
    let start =
        format!("Switch::new({:?}, {:?}, {writer}, {})", of.name, of.doc, origin(&of.origin));
    let bits = of.bits.map(|bits| format!("Bits::new({}, {})", bits.high, bits.low));
    let calls = [
        text_call("register", of.register.as_deref()),
        call("address", of.address.map(address)),
        call("bits", bits),
        call("on", of.on.map(|on| format!("0x{on:X}"))),
        call("reset", of.reset.map(|reset| format!("0x{reset:X}"))),
        text_call("seen_from_elsewhere", of.seen_from_elsewhere.as_deref()),
        list_call("ways", &each(&of.ways, way)),
    ];
    chain(start, &calls)
}

fn way(of: &Way) -> String {
    let stage = variant("Stage", Stage::word(of.stage));
    let fails = if of.fails { ".fails()" } else { "" };
    format!("Way::new({stage}, {:?}, {}){fails}", of.doc, origin(&of.origin))
}

fn fault(of: &Fault) -> String {
    let start =
        format!("Fault::new({:?}, {:?}, {:?}, {})", of.name, of.doc, of.effect, origin(&of.origin));
    let announced = of
        .announced
        .as_ref()
        .map(|(page, offset)| format!("Announced {{ page: {page:?}, offset: 0x{offset:X} }}"));
    let symptom = of.symptom.map(|symptom| variant("Symptom", Symptom::word(symptom)));
    let calls = [
        text_call("fix", of.fix.as_deref()),
        call("symptom", symptom),
        call("announced", announced),
    ];
    chain(start, &calls)
}
