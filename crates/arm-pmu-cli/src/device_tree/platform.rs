//! A platform file from a device tree: places, interrupts and ports of the PMUs.

use std::collections::BTreeMap;

use arm_pmu_tables::Pmu;

use super::blob;
use super::tree::{Controller, Place, Tree};
use crate::kernel::{KernelPmu, MMU600_NODE, Node, PMCG_NODE, PMUS, pmcg_name};

/// A PMU in the tree, as lines of a platform file.
struct Instance {
    name: String,
    base: Option<u64>,
    lines: Vec<String>,
    wanted: Vec<String>,
}

/// The compatibles that are looked for.
pub fn compatibles() -> impl Iterator<Item = &'static str> {
    let cores = PMUS.iter().filter_map(|known| match known.node {
        Node::Core(compatible) => Some(compatible),
        Node::Interconnect { .. } | Node::Cache(_) | Node::None => None,
    });
    interconnects().into_keys().chain(cores).chain([PMCG_NODE])
}

/// The compatible of each interconnect, and its revisions.
fn interconnects() -> BTreeMap<&'static str, Vec<&'static KernelPmu>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for known in PMUS {
        if let Node::Interconnect { outer, .. } = known.node {
            all.entry(outer).or_default().push(known);
        }
    }
    all
}

/// The name of a platform and the text of its file.
///
/// # Errors
///
/// If the tree has no node of a PMU that can be placed: why not, for those that it has.
pub fn write(root: &blob::Node, file: &str) -> Result<(String, String), Vec<String>> {
    let tree = Tree::new(root);
    let mut found = Vec::new();
    for (compatible, revisions) in interconnects() {
        let Some(pmu) = revisions.first().and_then(|known| known.pmu()) else { continue };
        let pmu = Pmu { unit: None, ..pmu };
        let places = tree.all().filter(|place| place.is_compatible(compatible));
        found.extend(places.map(|place| interconnect(&tree, place, pmu, &revisions)));
    }
    for known in PMUS {
        let (Node::Core(compatible), Some(pmu)) = (known.node, known.pmu()) else { continue };
        let places = tree.all().filter(|place| place.is_compatible(compatible));
        found.extend(places.map(|place| Ok(core(place, known, pmu))));
    }
    found.extend(tree.all().filter(|place| place.is_compatible(PMCG_NODE)).map(pmcg));
    let (mut all, mut unknown) = (Vec::new(), Vec::new());
    for one in found {
        match one {
            Ok(instance) => all.push(instance),
            Err(why) => unknown.push(why),
        }
    }
    if all.is_empty() {
        return Err(unknown);
    }
    all.sort_by_key(|instance| instance.base);
    number(&mut all);
    let root = tree.root();
    let compatible = root.texts("compatible").first().copied().unwrap_or("board");
    let (vendor, name) = compatible.split_once(',').unwrap_or(("not known", compatible));
    let title = root.texts("model").first().copied().unwrap_or(name);
    let name = id(name, "board");
    let file = printable(file, 60);
    let mut text = format!(
        "# From the device tree {file}.\n\
         # Save this as {name}.yaml: a platform has the name of its file. What is under\n\
         # `wanted` is in no device tree. specs/README.md of arm-pmu describes the keys.\n\
         platform: {name}\ntitle: {}\nvendor: {}\n\
         legend:\n  - {{ name: tree, title: {} }}\ninstances:\n",
        quoted(title),
        quoted(vendor),
        quoted(&format!("device tree {file}"))
    );
    let mut wanted = Vec::new();
    for instance in &all {
        text += &format!("  - name: {}\n", instance.name);
        instance.lines.iter().for_each(|line| text += &format!("    {line}\n"));
        let of = instance.wanted.iter().map(|wanted| format!("{}: {wanted}", instance.name));
        wanted.extend(of);
    }
    wanted.extend(unknown);
    text += "wanted:\n";
    for wanted in wanted {
        text += &sentence(&wanted);
    }
    Ok((name, text))
}

/// An item of a list, on as many lines as it needs.
fn sentence(text: &str) -> String {
    if text.len() <= 100 {
        return format!("  - {}\n", quoted(text));
    }
    let mut out = "  - >-".to_owned();
    let mut used = COLUMNS;
    for word in text.split_whitespace() {
        let word = printable(word, 100);
        if used + 1 + word.len() > COLUMNS {
            out += "\n     ";
            used = 5;
        }
        used += 1 + word.len();
        out += &format!(" {word}");
    }
    out + "\n"
}

/// Makes names unique: `tbu`, `tbu`, `tcu` become `tbu0`, `tbu1`, `tcu`.
fn number(all: &mut [Instance]) {
    let names: Vec<_> = all.iter().map(|instance| instance.name.clone()).collect();
    for (nth, instance) in all.iter_mut().enumerate() {
        let same = names.iter().filter(|name| **name == instance.name).count();
        if same > 1 {
            let before = names[..nth].iter().filter(|name| **name == instance.name).count();
            instance.name += &before.to_string();
        }
    }
}

/// Of a line, without its indent; a spec has 120.
const COLUMNS: usize = 110;

/// Collects lines, and what could not be read.
#[derive(Default)]
struct Lines {
    lines: Vec<String>,
    wanted: Vec<String>,
}

impl Lines {
    fn fact(&mut self, key: &str, value: &str, place: Place) {
        self.mapping(key, &[("value", value), ("from", &format!("[{}]", from(place)))]);
    }

    /// On one line, if it fits.
    fn mapping(&mut self, key: &str, pairs: &[(&str, &str)]) {
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| format!("{key}: {value}")).collect();
        let line = format!("{key}: {{ {} }}", pairs.join(", "));
        if line.len() <= COLUMNS {
            self.lines.push(line);
            return;
        }
        self.lines.push(format!("{key}:"));
        self.lines.extend(pairs.iter().map(|pair| format!("  {pair}")));
    }

    fn want(&mut self, what: &str) {
        self.wanted.push(format!("{what}."));
    }

    /// The address at which a node begins, `offset` behind the base of the instance.
    fn base(&mut self, place: Place, offset: u64) -> Result<u64, String> {
        let registers = place.registers();
        let address = registers.and_then(|all| place.as_seen_by_processors(all[0].0));
        let base = address.and_then(|address| {
            let base = address.checked_sub(offset).filter(|base| base % 0x1000 == 0);
            base.ok_or(format!("0x{address:x} is no place for registers"))
        });
        let base = base.map_err(|why| format!("{}: its base, because {why}.", place.shown()))?;
        self.fact("base", &format!("0x{base:X}"), place);
        Ok(base)
    }

    /// The overflow interrupts; whether the kernel's driver has enough of them.
    fn interrupts(&mut self, place: Place, pmu: Pmu) -> bool {
        let counters = &pmu.ip.counters;
        let is_core = pmu.ip.space.is_core();
        let outputs = counters.count + u32::from(counters.cycles.is_some());
        let (controller, all) = match place.interrupts() {
            Ok(Some(found)) => found,
            Ok(None) => {
                self.want("the overflow interrupts");
                return false;
            }
            Err(why) => {
                self.want(&format!("the overflow interrupts, because {why}"));
                return false;
            }
        };
        let mut numbers: Vec<_> = all.iter().map(|one| one.number).collect();
        let wiring = if numbers.iter().all(|number| *number == numbers[0]) {
            numbers.truncate(1);
            "combined"
        } else if numbers.len() == outputs as usize && !is_core {
            "each"
        } else {
            ""
        };
        let trigger = match all[0].flags {
            Some(1) => Some("edge_rising"),
            Some(4) => Some("level_high"),
            Some(8) => Some("level_low"),
            _ => None,
        };
        let controller = match controller {
            Controller::Gic => vec![("controller", "spi".to_owned())],
            Controller::Other(name) => {
                vec![("controller", "other".to_owned()), ("of", quoted(&printable(&name, 40)))]
            }
        };
        let shown: Vec<_> = numbers.iter().map(u32::to_string).collect();
        let numbers = format!("[{}]", shown.join(", "));
        let source = format!("[{}]", from(place));
        let mut pairs: Vec<_> =
            controller.iter().map(|(key, value)| (*key, value.as_str())).collect();
        pairs.push(("numbers", &numbers));
        match wiring {
            // One for each core, in the order of the cores.
            "" if is_core => {}
            "" => self.want(&format!("which of the {} interrupts is which output", all.len())),
            _ => pairs.push(("wiring", wiring)),
        }
        pairs.extend(trigger.map(|trigger| ("trigger", trigger)));
        pairs.push(("from", &source));
        self.mapping("interrupts", &pairs);
        all.len() >= outputs as usize
    }

    fn linux(&mut self, known: &KernelPmu, place: Place) {
        let source = format!("[{}]", from(place));
        let basis = "\"the driver's name for it\"";
        self.mapping("linux", &[("value", known.name), ("from", &source), ("basis", basis)]);
    }

    fn device_tree(&mut self, place: Place, node: &str, complete: bool, missing: &str) {
        let state = match (complete, place.is_enabled()) {
            (false, _) => "incomplete",
            (true, false) => "disabled",
            (true, true) => "enabled",
        };
        let missing = match state {
            "incomplete" => missing,
            "disabled" => "A board has to enable the node.",
            _ => "",
        };
        self.lines.push("device_tree:".to_owned());
        self.lines.push(format!("  state: {state}"));
        self.lines.push(format!("  node: {}", quoted(&printable(node, 90))));
        if !missing.is_empty() {
            self.lines.push(format!("  missing: {}", quoted(missing)));
        }
        self.lines.push(format!("  from: [{}]", from(place)));
    }
}

/// The node of the PMU tells which of the revisions it is.
fn interconnect(
    tree: &Tree,
    place: Place,
    pmu: Pmu,
    revisions: &[&'static KernelPmu],
) -> Result<Instance, String> {
    let mut out = Lines::default();
    let ip = pmu.ip.name;
    out.fact("ip", ip, place);
    let pmu_node = place
        .children()
        .find(|child| child.texts("compatible").iter().any(|text| text.contains("-pmu")));
    let has = |known: &&&KernelPmu| {
        let Node::Interconnect { pmu, .. } = known.node else { return false };
        pmu_node.is_some_and(|node| node.is_compatible(pmu))
    };
    let known =
        if pmu.ip.units.is_empty() { revisions.first() } else { revisions.iter().find(has) };
    let unit = known.and_then(|known| known.pmu()?.unit);
    match (unit, pmu_node) {
        (Some(unit), Some(node)) => out.fact("unit", unit.name, node),
        _ if pmu.ip.units.is_empty() => {}
        _ => out.want("the revision, r0 or r1, in PID2 at offset 0xFE8"),
    }
    let base = out.base(place, 0)?;
    let enough = match pmu_node {
        Some(node) => out.interrupts(node, pmu),
        None => {
            out.want("the overflow interrupts");
            false
        }
    };
    if let Some(known) = known {
        out.linux(known, pmu_node.unwrap_or(place));
    }
    let node =
        pmu_node.map_or(place.name().to_owned(), |pmu| format!("{}/{}", place.name(), pmu.name()));
    let missing = match pmu_node {
        None => "The CCI has no node of its PMU.",
        Some(_) => "The node of the PMU has fewer interrupts than outputs.",
    };
    out.device_tree(pmu_node.unwrap_or(place), &node, enough, missing);
    let ports = if ip == "cci400" { ports(tree, place, &mut out) } else { Vec::new() };
    if !ports.is_empty() {
        out.lines.push("interfaces:".to_owned());
        out.lines.extend(ports);
    }
    if ip != "cci400" {
        out.want("what hangs on each interface, and how wide its data bus is");
    }
    out.want("the register that drives NIDEN and SPNIDEN, and who may write it");
    out.want("the clock");
    Ok(Instance { name: "cci".to_owned(), base: Some(base), lines: out.lines, wanted: out.wanted })
}

/// What hangs on each slave interface of a CCI-400, by the nodes that refer to it.
fn ports(tree: &Tree, cci: Place, out: &mut Lines) -> Vec<String> {
    let mut users: Vec<(u64, Place)> = Vec::new();
    let mut unknown = Vec::new();
    for user in tree.all().filter(|place| place.property("cci-control-port").is_some()) {
        let port = user.refers_to("cci-control-port").and_then(|port| {
            let port = port.filter(|port| port.parent().is_some_and(|parent| parent.is(cci)));
            let Some(port) = port else { return Ok(None) };
            let offset = port.registers()?[0].0;
            let is_port = offset % 0x1000 == 0 && (0x1000..=0x5000).contains(&offset);
            let number = is_port.then(|| offset / 0x1000 - 1);
            number.map(Some).ok_or(format!("0x{offset:x} of {} is no slave interface", port.name()))
        });
        match port {
            Ok(Some(port)) => users.push((port, user)),
            Ok(None) => {}
            Err(why) => unknown.push(why),
        }
    }
    users.sort_by_key(|(port, _)| *port);
    let mut numbers: Vec<u64> = users.iter().map(|(port, _)| *port).collect();
    numbers.dedup();
    let of = |port: u64| users.iter().filter(move |(own, _)| *own == port).map(|(_, user)| *user);
    let core = |port: u64| of(port).find(|user| user.texts("device_type").contains(&"cpu"));
    let clusters = numbers.iter().filter(|port| core(**port).is_some()).count();
    let mut taken: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for port in &numbers {
        let first = of(*port).next();
        let (mut name, mut title) = match (core(*port), first) {
            (Some(core), _) => {
                let of_core = core
                    .texts("compatible")
                    .first()
                    .map_or("", |text| text.split_once(',').map_or(*text, |(_, name)| name));
                let name = if clusters == 1 { "cpu".to_owned() } else { id(of_core, "cluster") };
                (name, format!("CPU cluster, {}", core_name(of_core)))
            }
            (None, Some(user)) => {
                let name = user.name().split('@').next().unwrap_or_default();
                (id(name, "device"), user.name().to_owned())
            }
            (None, None) => continue,
        };
        let others = of(*port).filter(|user| !user.texts("device_type").contains(&"cpu"));
        if core(*port).is_some() {
            others.for_each(|user| title += &format!(", and {}", user.name()));
        }
        let same = taken.iter().filter(|other| **other == name).count();
        taken.push(name.clone());
        if same > 0 {
            name += &format!("-{}", same + 1);
        }
        let from = core(*port).or(first).map_or(String::new(), from);
        lines.push(format!("  - name: {name}"));
        lines.push(format!("    source: S{port}"));
        lines.push(format!("    title: {}", quoted(&printable(&title, 90))));
        lines.push(format!("    from: [{from}]"));
    }
    for why in unknown {
        out.want(&format!("a port, because {why}"));
    }
    let free: Vec<_> =
        (0..5).filter(|port| !numbers.contains(port)).map(|port| format!("S{port}")).collect();
    if !free.is_empty() {
        out.want(&format!("what hangs on {}", free.join(", ")));
    }
    lines
}

/// `cortex-a53` as people write it.
fn core_name(text: &str) -> String {
    match text.strip_prefix("cortex-") {
        Some(core) => format!("Cortex-{}", core.to_ascii_uppercase()),
        None => printable(text, 40),
    }
}

fn core(place: Place, known: &KernelPmu, pmu: Pmu) -> Instance {
    let mut out = Lines::default();
    out.fact("ip", pmu.ip.name, place);
    if let Some(unit) = pmu.unit {
        out.fact("unit", unit.name, place);
    }
    out.interrupts(place, pmu);
    out.linux(known, place);
    out.device_tree(place, place.name(), true, "");
    out.want("the register that drives NIDEN and DBGEN, and who may write it");
    Instance { name: "core".to_owned(), base: None, lines: out.lines, wanted: out.wanted }
}

/// The PMU of a unit of an SMMU. Only its pages tell a TCU from a TBU.
fn pmcg(place: Place) -> Result<Instance, String> {
    let mut out = Lines::default();
    let pages = place.registers().unwrap_or_default();
    let distance = match pages[..] {
        [(page_0, _), (page_1, _), ..] => page_1.checked_sub(page_0),
        _ => None,
    };
    let unit = match distance {
        Some(0x2_0000) => Some("tcu"),
        Some(0x1_0000) => Some("tbu"),
        _ => None,
    };
    let Some(unit) = unit else {
        return Err(format!(
            "{}: whether it is a TCU or a TBU; the distance of its pages is that of neither.",
            place.name()
        ));
    };
    let named = place.is_compatible(MMU600_NODE);
    let node = format!("[{}]", from(place));
    if named {
        out.fact("ip", "mmu600", place);
    } else {
        let basis =
            "\"the node names no product; an MMU-600 has such nodes. Read PIDR0: 0x83 or 0x84\"";
        let pairs = [("value", "mmu600"), ("confidence", "D"), ("from", &node), ("basis", basis)];
        out.mapping("ip", &pairs);
        out.want("the product, because the node says SMMUv3 only");
    }
    let basis = "\"the distance of its pages\"";
    out.mapping("unit", &[("value", unit), ("confidence", "D"), ("from", &node), ("basis", basis)]);
    let base = out.base(place, 0x2000)?;
    if let Some(pmu) = Pmu::find("mmu600") {
        out.interrupts(place, pmu);
    }
    let name = pmcg_name(base + 0x2000);
    let basis = "\"the number of page 0\"";
    out.mapping("linux", &[("value", &name), ("from", &node), ("basis", basis)]);
    out.device_tree(place, place.name(), true, "");
    out.want("what the unit serves, and its StreamIDs");
    Ok(Instance { name: unit.to_owned(), base: Some(base), lines: out.lines, wanted: out.wanted })
}

/// A source that fits on a line.
fn from(place: Place) -> String {
    quoted(&format!("tree {}", printable(place.name(), 60)))
}

/// A name for the command line.
fn id(text: &str, other: &str) -> String {
    let mut id = String::new();
    for c in text.chars() {
        match c.to_ascii_lowercase() {
            c @ ('a'..='z' | '0'..='9') => id.push(c),
            _ if !id.is_empty() && !id.ends_with('-') => id.push('-'),
            _ => {}
        }
    }
    let id: String =
        id.trim_start_matches(|c: char| !c.is_ascii_lowercase()).chars().take(40).collect();
    let id = id.trim_matches('-');
    if id.is_empty() { other.to_owned() } else { id.to_owned() }
}

/// In ASCII, and not too long for a line of a spec.
fn printable(text: &str, most: usize) -> String {
    let shown = text.chars().map(|c| if matches!(c, ' '..='~') { c } else { '?' });
    let mut shown: String = shown.take(most).collect();
    if text.chars().count() > most {
        shown += "...";
    }
    shown
}

/// A text of YAML in quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text, 100).replace('\\', "\\\\").replace('"', "\\\""))
}
