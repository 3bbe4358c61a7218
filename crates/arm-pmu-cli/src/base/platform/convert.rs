//! Converts a parsed platform to the types of the tables. The result lives until the program ends.

use arm_pmu_spec::platform::model as m;
use arm_pmu_tables::platform as t;
use arm_pmu_tables::{Bits, Confidence, Origin, Platform};

fn text(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn option(of: &Option<String>) -> Option<&'static str> {
    of.as_deref().map(text)
}

fn each<T, U>(items: &[T], to: impl Fn(&T) -> U) -> &'static [U] {
    Box::leak(items.iter().map(to).collect())
}

/// Enum value of the tables for a word of a spec.
fn word<T: Copy>(all: &[T], of: impl Fn(T) -> &'static str, word: &str) -> T {
    *all.iter().find(|value| of(**value) == word).expect("a word of the spec")
}

fn origin(origin: &m::Origin) -> Origin {
    word(Confidence::ALL, Confidence::word, origin.confidence.word()).source(text(&origin.source))
}

fn fact<T, U>(fact: &m::Fact<T>, to: impl Fn(&T) -> U) -> t::Fact<U> {
    t::Fact::new(to(&fact.value), origin(&fact.origin))
}

fn text_fact(of: &m::Fact<String>) -> t::Fact<&'static str> {
    fact(of, |value| text(value))
}

pub fn platform(of: &m::Platform) -> &'static Platform {
    let mut platform = Platform::new(text(&of.name), text(&of.title), text(&of.vendor));
    platform.also = each(&of.also, |also| text(also));
    platform.notes = each(&of.notes, text_fact);
    platform.instances = each(&of.instances, instance);
    platform.wanted = each(&of.wanted, |wanted| text(wanted));
    Box::leak(Box::new(platform))
}

fn instance(of: &m::Instance) -> t::Instance {
    let mut instance = t::Instance::new(text(&of.name), text_fact(&of.ip));
    instance.title = option(&of.title);
    instance.unit = of.unit.as_ref().map(text_fact);
    instance.core = option(&of.core);
    instance.cpus = of.cpus.as_ref().map(cpus);
    instance.base = of.base.as_ref().map(|base| fact(base, |base| *base));
    instance.length = of.length.as_ref().map(|length| fact(length, |length| *length));
    instance.interrupts = of.interrupts.as_ref().map(interrupts);
    instance.linux = of.linux.as_ref().map(text_fact);
    instance.device_tree = of.device_tree.as_ref().map(device_tree);
    instance.clock = of.clock.as_ref().map(clock);
    instance.interfaces = each(&of.interfaces, interface);
    instance.streams = each(&of.streams, |stream| {
        t::Stream::new(stream.id, text(&stream.name), text(&stream.title), origin(&stream.origin))
    });
    instance.switches = each(&of.switches, switch);
    instance.faults = each(&of.faults, fault);
    instance.notes = each(&of.notes, text_fact);
    instance
}

fn cpus(of: &m::CpuList) -> t::Cpus {
    let mut cpus = t::Cpus::new(each(&of.numbers, |number| *number), origin(&of.origin));
    cpus.labels = each(&of.labels, |label| text(label));
    cpus
}

fn interrupts(of: &m::Interrupts) -> t::Interrupts {
    let controller = word(t::Controller::ALL, t::Controller::word, of.controller.word());
    let wiring = |wiring: m::Wiring| word(t::Wiring::ALL, t::Wiring::word, wiring.word());
    let trigger = |trigger: m::Trigger| word(t::Trigger::ALL, t::Trigger::word, trigger.word());
    let numbers = each(&of.numbers, |number| *number);
    let mut interrupts = t::Interrupts::new(controller, numbers, origin(&of.origin));
    interrupts.of = option(&of.of);
    interrupts.affinity = each(of.affinity.as_deref().unwrap_or_default(), |cpu| *cpu);
    interrupts.per_cpu = of.per_cpu;
    interrupts.wiring = of.wiring.map(wiring);
    interrupts.trigger = of.trigger.map(trigger);
    interrupts.note = option(&of.note);
    interrupts
}

fn device_tree(of: &m::DeviceTree) -> t::DeviceTree {
    let state = word(t::NodeState::ALL, t::NodeState::word, of.state.word());
    let mut tree = t::DeviceTree::new(state, origin(&of.origin));
    tree.node = option(&of.node);
    tree.label = option(&of.label);
    tree.missing = option(&of.missing);
    tree
}

fn clock(of: &m::Clock) -> t::Clock {
    let mut clock = t::Clock::new(origin(&of.origin));
    clock.name = option(&of.name);
    clock.hertz = of.hertz;
    clock.note = option(&of.note);
    clock
}

fn interface(of: &m::Interface) -> t::Interface {
    let (source, name, title) = (text(&of.port), text(&of.name), text(&of.title));
    let mut interface = t::Interface::new(source, name, title, origin(&of.origin));
    interface.condition = option(&of.condition);
    interface.beat_bytes = of.beat_bytes.as_ref().map(|bytes| fact(bytes, |bytes| *bytes));
    interface
}

fn switch(of: &m::Switch) -> t::Switch {
    let writer = word(t::Writer::ALL, t::Writer::word, of.written_by.word());
    let mut switch = t::Switch::new(text(&of.name), text(&of.doc), writer, origin(&of.origin));
    switch.register = option(&of.register);
    switch.address = of.address;
    switch.bits = of.bits.map(|bits| Bits::new(bits.high, bits.low));
    switch.on = of.on;
    switch.reset = of.reset;
    switch.seen_from_elsewhere = option(&of.seen_from_elsewhere);
    switch.ways = each(&of.ways, way);
    switch
}

fn way(of: &m::Way) -> t::Way {
    let stage = word(t::Stage::ALL, t::Stage::word, of.stage.word());
    let way = t::Way::new(stage, text(&of.doc), origin(&of.origin));
    if of.fails { way.fails() } else { way }
}

fn fault(of: &m::Fault) -> t::Fault {
    let announced = of.announced.as_ref();
    let (name, doc, effect) = (text(&of.name), text(&of.doc), text(&of.effect));
    let mut fault = t::Fault::new(name, doc, effect, origin(&of.origin));
    fault.fix = option(&of.fix);
    let symptom = |symptom: m::Symptom| word(t::Symptom::ALL, t::Symptom::word, symptom.word());
    fault.symptom = of.symptom.map(symptom);
    fault.announced =
        announced.map(|(page, offset)| t::Announced { page: text(page), offset: *offset });
    fault
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each word of the spec has a value in the tables, so `word` cannot fail.
    #[test]
    fn specs_and_tables_have_the_same_words() {
        for confidence in m::Confidence::ALL {
            origin(&m::Origin { confidence: *confidence, source: String::new() });
        }
        macro_rules! same {
            ($($Type:ident),*) => { $(
                let ours: Vec<_> = m::$Type::ALL.iter().map(|value| value.word()).collect();
                let tables: Vec<_> = t::$Type::ALL.iter().map(|value| value.word()).collect();
                assert_eq!(ours, tables);
            )* };
        }
        same!(Controller, Wiring, Trigger, NodeState, Writer, Stage);
    }
}
