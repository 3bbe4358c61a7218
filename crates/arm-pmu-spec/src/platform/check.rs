//! Rules about platforms, with one function each. Rules about addresses and sources are in other modules.

use std::collections::HashMap;

use super::known::{KnownIp, KnownPlace};
use super::language::{Controller, Instance, InterruptsSpec, Platform, SwitchSpec, Wiring};
use super::place;
use super::scalar::Id;
use crate::problem::{Place, Problems, report};
use crate::read::{At, List, repeated, suggest};
use crate::scalar::Text;
use crate::text::is_a_sentence;

/// Checks all rules.
pub fn all(name: &str, spec: &Platform, known: &[KnownIp], problems: &mut Problems) {
    is_named_as_its_file(name, spec, problems);
    is_not_empty(spec, problems);
    names_are_unique(spec, problems);
    titles_are_unique(spec, problems);
    for instance in spec.instances.iter() {
        cpus_have_their_lines(instance, problems);
        if let Some(ip) = ip_is_known(instance, known, problems) {
            unit_is_known(instance, ip, problems);
            core_is_named(instance, ip, problems);
            place::is_there(instance, ip, problems);
            place::is_sound(instance, ip, problems);
            interfaces_exist(instance, ip, problems);
            pages_exist(instance, ip, problems);
            for interrupts in instance.interrupts.iter() {
                let copies = instance.copies.iter().map(|copy| &copy.interrupts);
                let copies = copies.filter(|numbers| !numbers.is_empty());
                fit_the_wiring(interrupts, &interrupts.numbers, ip, problems);
                copies.for_each(|numbers| fit_the_wiring(interrupts, numbers, ip, problems));
            }
        }
        copies_add_nothing_new(instance, problems);
        buses_are_as_wide_as_can_be(instance, problems);
        streams_are_unique(instance, problems);
        instance.switches.iter().for_each(|switch| has_its_bits(switch, problems));
    }
    cpus_are_in_one_cluster(spec, known, problems);
    place::do_not_overlap(spec, known, problems);
    texts(spec, problems);
}

fn is_named_as_its_file(name: &str, spec: &Platform, problems: &mut Problems) {
    if spec.platform.0 != name {
        let message = format!("`{}` is not the name of the file, `{name}.yaml`", spec.platform.0);
        report(problems, &spec.platform, message);
    }
}

fn is_not_empty(spec: &Platform, problems: &mut Problems) {
    if spec.instances.is_empty() && spec.instances.complete {
        report(problems, &spec.platform, "the platform has no instances")
            .help("list at least one IP under `instances`");
    }
}

/// Checks that names are unique in the common namespace of instances, interfaces and streams.
fn names_are_unique(spec: &Platform, problems: &mut Problems) {
    let mut taken: HashMap<&str, (&Place, Option<&At<Text>>)> = HashMap::new();
    let mut all: Vec<(&At<Id>, Option<&At<Text>>)> = Vec::new();
    for instance in spec.instances.iter() {
        all.push((&instance.name, None));
        all.extend(instance.interfaces.iter().map(|i| (&i.name, i.condition.as_ref())));
        all.extend(instance.streams.iter().map(|stream| (&stream.name, None)));
        for copy in instance.copies.iter() {
            all.push((&copy.name, None));
            all.extend(copy.streams.iter().map(|stream| (&stream.name, None)));
        }
    }
    for (name, condition) in all {
        let Some((first, of_first)) = taken.insert(&name.0, (&name.place, condition)) else {
            continue;
        };
        // Two interfaces that exclude each other may have the same name.
        let exclude = match (condition, of_first) {
            (Some(this), Some(first)) => this.0 != first.0,
            _ => false,
        };
        if !exclude {
            report(problems, name, format!("`{}` is taken already", name.0))
                .other(first, "here")
                .help("instances, interfaces and streams have different names");
        }
    }
}

/// Checks that titles of instances are unique.
fn titles_are_unique(spec: &Platform, problems: &mut Problems) {
    let titles = spec.instances.iter().flat_map(|instance| {
        let copies = instance.copies.iter().filter_map(|copy| copy.title.as_ref());
        instance.title.iter().chain(copies).map(|title| (&title.0, &title.place))
    });
    for (_, title, first) in repeated(titles) {
        report(problems, title, "another instance has this title")
            .other(first, "here")
            .help("describe the difference in the title");
    }
}

fn ip_is_known<'k>(
    instance: &Instance,
    known: &'k [KnownIp],
    problems: &mut Problems,
) -> Option<&'k KnownIp> {
    let name = &instance.ip.value;
    let found = known.iter().find(|ip| ip.name == name.0);
    if found.is_none() {
        let names: Vec<_> = known.iter().map(|ip| ip.name.as_str()).collect();
        report(problems, name, format!("there is no IP `{}`", name.0))
            .help(suggest(&name.0, &names));
    }
    found.filter(|ip| ip.place != KnownPlace::Unchecked)
}

/// Checks that the unit exists. An instance may omit the unit if the units are revisions, but not if the units have separate registers.
fn unit_is_known(instance: &Instance, ip: &KnownIp, problems: &mut Problems) {
    let names: Vec<_> = ip.units.iter().map(|unit| unit.name.as_str()).collect();
    match &instance.unit {
        Some(unit) if ip.unit(&unit.value.0).is_none() => {
            let message = format!("`{}` has no unit `{}`", ip.name, unit.value.0);
            report(problems, &unit.value, message).help(suggest(&unit.value.0, &names));
        }
        None if matches!(ip.place, KnownPlace::Pages) => {
            report(problems, &instance.ip.value, "the unit is missing")
                .help(format!("`unit` is one of {}", names.join(", ")));
        }
        _ => {}
    }
}

/// Checks `core` and `cpus`. If the IP is an architecture, `core` must name the product; otherwise `core` can only be
/// another product of the IP. Only cores have `cpus`.
fn core_is_named(instance: &Instance, ip: &KnownIp, problems: &mut Problems) {
    let name = &instance.ip.value;
    match &instance.core {
        None if ip.is_any_core => {
            let message = format!("`{}` is an architecture, and the product is missing", ip.name);
            report(problems, name, message).help("name it in `core`, as in `core: Cortex-A57`");
        }
        Some(core) if !ip.is_any_core && !ip.also.contains(&core.0) => {
            let message = format!("`{}` has no other product `{}`", ip.name, core.0);
            let also: Vec<_> = ip.also.iter().map(String::as_str).collect();
            report(problems, core, message).help(suggest(&core.0, &also));
        }
        _ => {}
    }
    if let (Some(cpus), true) = (&instance.cpus, ip.place != KnownPlace::Core) {
        let message = format!("the registers of `{}` are in memory, not in a CPU", ip.name);
        report(problems, cpus, message).help("remove `cpus`");
    }
}

/// Checks labels and interrupts of CPUs.
fn cpus_have_their_lines(instance: &Instance, problems: &mut Problems) {
    let cpus = instance.cpus.as_ref().map(|cpus| &cpus.numbers.0);
    if let (Some(cpus), Some(labels)) = (cpus, instance.cpus.as_ref().map(|cpus| &cpus.labels)) {
        if let Some(first) = labels.first().filter(|_| labels.len() != cpus.len()) {
            let message = format!("{0} CPUs need {0} labels, not {1}", cpus.len(), labels.len());
            report(problems, first, message);
        }
    }
    let Some(interrupts) = &instance.interrupts else { return };
    let controller = interrupts.controller.value;
    let is_gic = matches!(controller, Controller::Spi | Controller::Ppi);
    if is_gic && interrupts.per_cpu {
        let message =
            format!("`{}` already tells whether each CPU has the interrupt", controller.word());
        report(problems, interrupts, message).help("remove `per_cpu`");
    }
    let is_per_cpu = controller == Controller::Ppi || interrupts.per_cpu;
    let numbers = interrupts.numbers.len();
    if is_per_cpu && numbers > 1 {
        let message = format!("a per-CPU interrupt has one number, not {numbers}");
        report(problems, interrupts, message);
    }
    let Some(affinity) = &interrupts.affinity else { return };
    let Some(cpus) = cpus else {
        report(problems, affinity, "`affinity` lists CPUs, and there are no `cpus`");
        return;
    };
    if let Some(other) = affinity.0.iter().find(|cpu| !cpus.contains(cpu)) {
        report(problems, affinity, format!("CPU {other} is not in `cpus`"));
    }
    if !is_per_cpu && affinity.0.len() != numbers {
        let message = format!("{numbers} interrupts need {numbers} CPUs, not {}", affinity.0.len());
        report(problems, affinity, message).help("list one CPU for each number");
    }
}

/// Checks that no CPU is in two instances of cores or in two clusters, and that the CPUs of a cluster are in an
/// instance of cores.
fn cpus_are_in_one_cluster(spec: &Platform, known: &[KnownIp], problems: &mut Problems) {
    let is_core = |instance: &Instance| {
        let ip = known.iter().find(|ip| ip.name == instance.ip.value.0);
        ip.is_none_or(|ip| ip.is_processor)
    };
    let with_cpus = |kind| {
        let all = spec.instances.iter().filter(move |one| is_core(one) == kind);
        let all = all.filter(|one| one.base.is_none());
        all.filter_map(|instance| Some(&instance.cpus.as_ref()?.numbers))
    };
    let mut of_cores = HashMap::new();
    for kind in [true, false] {
        let mut taken: HashMap<u32, &Place> = HashMap::new();
        for cpus in with_cpus(kind) {
            if let Some(cpu) = cpus.0.iter().find(|cpu| taken.contains_key(cpu)) {
                let message = format!("CPU {cpu} is in two instances");
                report(problems, cpus, message).other(taken[cpu], "here");
            }
            let other = cpus.0.iter().find(|cpu| !of_cores.contains_key(*cpu));
            if let Some(cpu) = other.filter(|_| !kind && !of_cores.is_empty()) {
                report(problems, cpus, format!("no instance of cores has CPU {cpu}"));
            }
            taken.extend(cpus.0.iter().map(|cpu| (*cpu, &cpus.place)));
        }
        if kind {
            of_cores = taken;
        }
    }
}

fn interfaces_exist(instance: &Instance, ip: &KnownIp, problems: &mut Problems) {
    let unit = instance.unit.as_ref().map(|unit| unit.value.0.as_str());
    let sources: Vec<_> = ip.sources_of(unit).collect();
    let mut taken: HashMap<(&str, Option<&str>), &Place> = HashMap::new();
    for interface in instance.interfaces.iter() {
        let port = &interface.port;
        if !sources.contains(&port.0.as_str()) {
            let message = format!("`{}` has no interface `{}`", ip.name, port.0);
            report(problems, port, message).help(suggest(&port.0, &sources));
            continue;
        }
        let condition = interface.condition.as_ref().map(|condition| condition.0.as_str());
        if let Some(first) = taken.insert((&port.0, condition), &port.place) {
            report(problems, port, format!("`{}` is listed twice", port.0))
                .other(first, "first here");
        }
    }
}

fn pages_exist(instance: &Instance, ip: &KnownIp, problems: &mut Problems) {
    let unit = instance.unit.as_ref().and_then(|unit| ip.unit(&unit.value.0));
    let pages = unit.map_or(&[][..], |unit| &unit.pages);
    for announced in instance.faults.iter().filter_map(|fault| fault.announced.as_ref()) {
        let page = &announced.page;
        match pages.iter().find(|(name, ..)| *name == page.0) {
            None => {
                let names: Vec<_> = pages.iter().map(|(name, ..)| name.as_str()).collect();
                report(problems, page, format!("there is no page `{}`", page.0))
                    .help(suggest(&page.0, &names));
            }
            Some((_, offset, _)) if *offset == announced.offset.0 => {
                let message = format!("0x{offset:X} is the correct offset of `{}`", page.0);
                report(problems, announced, message);
            }
            Some(_) => {}
        }
    }
}

/// Checks the number of interrupts: one if combined, otherwise one for each output.
fn fit_the_wiring(
    interrupts: &InterruptsSpec,
    numbers: &List<At<crate::scalar::Decimal>>,
    ip: &KnownIp,
    problems: &mut Problems,
) {
    let given = numbers.len();
    let Some(first) = numbers.first() else {
        report(problems, interrupts, "there are no `numbers`")
            .help("remove `interrupts`, and list them under `wanted`");
        return;
    };
    let outputs = ip.outputs() as usize;
    match interrupts.wiring.as_deref() {
        Some(Wiring::Combined) if given != 1 => {
            report(problems, first, format!("a combined interrupt has one number, not {given}"));
        }
        Some(Wiring::Each) if given != outputs => {
            let message = format!("`{}` has {outputs} overflow outputs, not {given}", ip.name);
            let order =
                if ip.has_cycle_counter { "the number of the cycle counter, then " } else { "" };
            report(problems, first, message)
                .help(format!("{order}the numbers of counters 0, 1, ..."));
        }
        _ => {}
    }
}

/// Checks that a copy overrides only keys that the first instance has.
fn copies_add_nothing_new(instance: &Instance, problems: &mut Problems) {
    for copy in instance.copies.iter() {
        if let (Some(number), None) = (copy.interrupts.first(), &instance.interrupts) {
            let message = "the first instance has no `interrupts`";
            report(problems, number, message).other(&instance.name, "here");
        }
        if let (Some(linux), None) = (&copy.linux, &instance.linux) {
            let message = "the first instance has no `linux`";
            report(problems, linux, message).other(&instance.name, "here");
        }
    }
}

/// Checks that data buses have 4 to 128 bytes, as AXI allows.
fn buses_are_as_wide_as_can_be(instance: &Instance, problems: &mut Problems) {
    for bytes in instance.interfaces.iter().filter_map(|i| i.beat_bytes.as_ref()) {
        if !bytes.value.0.is_power_of_two() || bytes.value.0 > 128 {
            let message = format!("no data bus is {} bytes wide", bytes.value.0);
            report(problems, &bytes.value, message).help("a power of two, at most 128");
        }
    }
}

fn streams_are_unique(instance: &Instance, problems: &mut Problems) {
    let copies = instance.copies.iter().flat_map(|copy| copy.streams.iter());
    let ids = instance.streams.iter().chain(copies).map(|stream| (stream.id.0, &stream.id.place));
    for (id, place, first) in repeated(ids) {
        report(problems, place, format!("StreamID 0x{id:X} is listed twice"))
            .other(first, "first here");
    }
}

/// Checks that a switch in memory has an address and bits, and that its values fit the bits.
fn has_its_bits(switch: &SwitchSpec, problems: &mut Problems) {
    if let Some(address) = switch.address.as_ref().filter(|address| address.0 % 4 != 0) {
        report(problems, address, "a register starts at a multiple of 4");
    }
    match (&switch.address, &switch.bits, &switch.on) {
        (Some(_), Some(_), Some(_)) | (None, None, None) => {}
        _ => {
            report(
                problems,
                &switch.name,
                "a switch has all of `address`, `bits` and `on`, or none",
            );
        }
    }
    let Some(bits) = &switch.bits else { return };
    if bits.high > 31 {
        report(problems, bits, "the register of a switch has 32 bits");
        return;
    }
    for value in switch.on.iter().chain(&switch.reset) {
        if u64::from(value.0) > bits.mask() >> bits.low {
            report(problems, value, format!("0x{:X} does not fit bits {}", value.0, **bits));
        }
    }
}

/// Checks that texts are sentences.
fn texts(spec: &Platform, problems: &mut Problems) {
    let title: [&str; 1] = [&spec.title.0];
    for note in spec.notes.iter() {
        is_a_sentence(&note.text, title, problems);
    }
    for wanted in spec.wanted.iter() {
        is_a_sentence(wanted, title, problems);
    }
    for instance in spec.instances.iter() {
        let name: [&str; 1] = [&instance.name.0];
        let mut all: Vec<&At<Text>> = instance.notes.iter().map(|note| &note.text).collect();
        all.extend(instance.interrupts.iter().filter_map(|interrupts| interrupts.note.as_ref()));
        all.extend(instance.clock.iter().filter_map(|clock| clock.note.as_ref()));
        all.extend(instance.device_tree.iter().filter_map(|node| node.missing.as_ref()));
        for switch in instance.switches.iter() {
            all.push(&switch.doc);
            all.extend(&switch.seen_from_elsewhere);
            all.extend(switch.ways.iter().map(|way| &way.doc));
        }
        for fault in instance.faults.iter() {
            all.extend([&fault.doc, &fault.effect]);
            all.extend(&fault.fix);
        }
        all.into_iter().for_each(|text| is_a_sentence(text, name, problems));
    }
}
