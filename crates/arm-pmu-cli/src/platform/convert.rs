//! A platform that was read, as one of the tables. It stays in memory until the command ends.

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

/// The value of an enum of the tables that has this word. The words of both languages are the same.
fn word<T: Copy>(all: &[T], of: impl Fn(T) -> &'static str, word: &str) -> T {
    *all.iter().find(|value| of(**value) == word).expect("a word of the language")
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

/// The same platform.
pub fn platform(of: &m::Platform) -> &'static Platform {
    Box::leak(Box::new(Platform {
        name: text(&of.name),
        title: text(&of.title),
        vendor: text(&of.vendor),
        notes: each(&of.notes, text_fact),
        instances: each(&of.instances, instance),
        wanted: each(&of.wanted, |wanted| text(wanted)),
    }))
}

fn instance(of: &m::Instance) -> t::Instance {
    t::Instance {
        name: text(&of.name),
        title: option(&of.title),
        ip: text_fact(&of.ip),
        unit: of.unit.as_ref().map(text_fact),
        base: of.base.as_ref().map(|base| fact(base, |base| *base)),
        length: of.length.as_ref().map(|length| fact(length, |length| *length)),
        interrupts: of.interrupts.as_ref().map(interrupts),
        linux: of.linux.as_ref().map(text_fact),
        device_tree: of.device_tree.as_ref().map(device_tree),
        clock: of.clock.as_ref().map(clock),
        interfaces: each(&of.interfaces, interface),
        streams: each(&of.streams, |stream| {
            t::Stream::new(
                stream.id,
                text(&stream.name),
                text(&stream.title),
                origin(&stream.origin),
            )
        }),
        switches: each(&of.switches, switch),
        faults: each(&of.faults, fault),
        notes: each(&of.notes, text_fact),
    }
}

fn interrupts(of: &m::Interrupts) -> t::Interrupts {
    let controller = word(t::Controller::ALL, t::Controller::word, of.controller.word());
    let wiring = |wiring: m::Wiring| word(t::Wiring::ALL, t::Wiring::word, wiring.word());
    let trigger = |trigger: m::Trigger| word(t::Trigger::ALL, t::Trigger::word, trigger.word());
    t::Interrupts {
        of: option(&of.of),
        wiring: of.wiring.map(wiring),
        trigger: of.trigger.map(trigger),
        note: option(&of.note),
        ..t::Interrupts::new(controller, each(&of.numbers, |number| *number), origin(&of.origin))
    }
}

fn device_tree(of: &m::DeviceTree) -> t::DeviceTree {
    let state = word(t::NodeState::ALL, t::NodeState::word, of.state.word());
    t::DeviceTree {
        node: option(&of.node),
        label: option(&of.label),
        missing: option(&of.missing),
        ..t::DeviceTree::new(state, origin(&of.origin))
    }
}

fn clock(of: &m::Clock) -> t::Clock {
    t::Clock {
        name: option(&of.name),
        hertz: of.hertz,
        note: option(&of.note),
        origin: origin(&of.origin),
    }
}

fn interface(of: &m::Interface) -> t::Interface {
    t::Interface {
        condition: option(&of.condition),
        beat_bytes: of.beat_bytes.as_ref().map(|bytes| fact(bytes, |bytes| *bytes)),
        ..t::Interface::new(text(&of.source), text(&of.name), text(&of.title), origin(&of.origin))
    }
}

fn switch(of: &m::Switch) -> t::Switch {
    let writer = word(t::Writer::ALL, t::Writer::word, of.written_by.word());
    t::Switch {
        register: option(&of.register),
        address: of.address,
        bits: of.bits.map(|bits| Bits::new(bits.high, bits.low)),
        on: of.on,
        reset: of.reset,
        seen_from_elsewhere: option(&of.seen_from_elsewhere),
        ways: each(&of.ways, way),
        ..t::Switch::new(text(&of.name), text(&of.doc), writer, origin(&of.origin))
    }
}

fn way(of: &m::Way) -> t::Way {
    let stage = word(t::Stage::ALL, t::Stage::word, of.stage.word());
    t::Way { fails: of.fails, ..t::Way::new(stage, text(&of.doc), origin(&of.origin)) }
}

fn fault(of: &m::Fault) -> t::Fault {
    let announced = of.announced.as_ref();
    t::Fault {
        fix: option(&of.fix),
        announced: announced
            .map(|(page, offset)| t::Announced { page: text(page), offset: *offset }),
        ..t::Fault::new(text(&of.name), text(&of.doc), text(&of.effect), origin(&of.origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `word` cannot fail.
    #[test]
    fn the_words_of_both_languages_are_the_same() {
        for confidence in [m::Confidence::A, m::Confidence::B, m::Confidence::C, m::Confidence::D] {
            origin(&m::Origin { confidence, source: String::new() });
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
