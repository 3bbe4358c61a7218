//! A strict XML parser reads every page, and its content is compared with the tables.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use arm_pmu_tables::{IPS, Ip, Location, PLATFORMS};
use roxmltree::{Document, Node, ParsingOptions};
use site::File;

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| site::all().expect("pages"));

fn text_of(name: &str) -> &'static str {
    &FILES.iter().find(|file| file.name == name).expect("a page").text
}

/// All pages, parsed.
static DOCUMENTS: LazyLock<BTreeMap<&str, Document<'_>>> = LazyLock::new(|| {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let parse = |file: &'static File| {
        let document = Document::parse_with_options(&file.text, options);
        (&*file.name, document.unwrap_or_else(|error| panic!("{}: {error}", file.name)))
    };
    FILES.iter().filter(|file| file.name.ends_with(".html")).map(parse).collect()
});

/// Elements by page and id.
static IDS: LazyLock<HashMap<(&str, &str), Node<'_, '_>>> = LazyLock::new(|| {
    let mut ids = HashMap::new();
    for (name, document) in DOCUMENTS.iter() {
        for node in document.descendants() {
            if let Some(id) = node.attribute("id") {
                assert!(ids.insert((*name, id), node).is_none(), "{name} has the id {id} twice");
            }
        }
    }
    ids
});

fn page(ip: &Ip) -> String {
    format!("{}.html", ip.name)
}

fn by_id(page: &str, id: &str) -> Node<'static, 'static> {
    *IDS.get(&(page, id)).unwrap_or_else(|| panic!("{page}: nothing has the id {id}"))
}

fn text(node: Node) -> String {
    let all = node.descendants().filter(|node| node.is_text()).filter_map(|node| node.text());
    all.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text contains a sentence of the tables, ignoring spaces and back quotes.
fn says(text: &str, sentence: &str) -> bool {
    let plain = |text: &str| text.replace(|c: char| c == '`' || c.is_whitespace(), "");
    plain(text).contains(&plain(sentence))
}

fn with_class<'d>(node: Node<'d, 'd>, class: &str) -> Vec<Node<'d, 'd>> {
    let has =
        |node: &Node| node.attribute("class").is_some_and(|all| all.split(' ').any(|c| c == class));
    node.descendants().filter(has).collect()
}

#[test]
fn the_site_is_small() {
    let (guides, others): (Vec<_>, Vec<_>) =
        FILES.iter().partition(|file| file.name.starts_with("guide-"));
    let bytes = |files: &[&File]| files.iter().map(|file| file.text.len()).sum::<usize>();
    assert!(bytes(&guides) < 100_000, "{}", bytes(&guides));
    let bytes = bytes(&others);
    // The limit is for today's 14 IPs and the words of their descriptions; each further IP raises
    // the limit.
    let added = IPS.len().saturating_sub(14);
    assert!(bytes < 3_060_000 + 420_000 * added, "{bytes}");
    assert_eq!(others.len(), 4 + IPS.len() + PLATFORMS.len());
    // Limits the time to display a page: on two busy processors, Chromium needs about 0.1 s for the largest page.
    for (name, document) in DOCUMENTS.iter() {
        let nodes = document.descendants().filter(Node::is_element).count();
        assert!(nodes < 8_500, "{name}: {nodes} elements");
    }
    let (script, index) = (text_of("site.js").len(), text_of("search.js").len());
    assert!(script < 22_000 && index < 520_000 + 60_000 * added, "{script} {index}");
    assert_eq!(guides.len() + 1, guide_files().len(), "README.md is their list");
}

/// The files of `guides/`.
fn guide_files() -> Vec<String> {
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guides"));
    let files = files.expect("guides").map_while(Result::ok);
    files.map(|file| file.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn every_guide_is_a_page_with_its_text() {
    let links = elements(DOCUMENTS["index.html"].root_element(), "a");
    for file in guide_files().iter().filter(|file| *file != "README.md") {
        let name = format!("guide-{}.html", file.trim_end_matches(".md"));
        let shown = text(by_id(&name, "main"));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guides").join(file);
        let source = fs::read_to_string(source).expect("a guide");
        // The page must have the first words of each line of prose, and the lines of code blocks.
        for line in source.lines().filter(|line| !line.starts_with("```") && !line.contains("](")) {
            let plain = line.trim_start_matches(|c: char| "#-|0123456789. ".contains(c));
            let words: String = plain.chars().take_while(|c| !"`*|~".contains(*c)).collect();
            assert!(says(&shown, &words), "{name}: {words}");
        }
        let linked = links.iter().any(|link| link.attribute("href") == Some(&name));
        assert!(linked, "index.html does not link to {name}");
    }
}

#[test]
fn pages_are_self_contained_and_links_resolve() {
    let leads = |from: &str, link: &str| {
        let (file, id) = link.split_once('#').unwrap_or((link, ""));
        let file = if file.is_empty() { from } else { file };
        let is_there = FILES.iter().any(|known| known.name == file);
        is_there && (id.is_empty() || IDS.contains_key(&(file, id)))
    };
    let mut links = 0;
    for (name, document) in DOCUMENTS.iter() {
        for node in document.descendants() {
            for attribute in ["href", "src"] {
                let Some(link) = node.attribute(attribute) else { continue };
                // An empty icon, so that browsers do not request one.
                if link != "data:," {
                    assert!(leads(name, link), "{name}: {link}");
                    links += 1;
                }
            }
        }
        let shown = by_id(name, "main");
        assert!(!text(shown).is_empty());
        // Only literal blocks, such as the output of a command, may contain back quotes.
        let mut all = shown.descendants().filter(|node| node.is_text());
        let is_printed = |node: &Node| node.ancestors().any(|one| one.has_tag_name("pre"));
        let quoted = all.find(|node| !is_printed(node) && node.text().unwrap_or("").contains('`'));
        assert!(quoted.is_none(), "{name}: code in quotes: {quoted:?}");
    }
    for one in site::index() {
        assert!(leads("index.html", &one.link), "{} of {}: {}", one.name, one.of, one.link);
    }
    assert!(links > 1000, "{links}");
    for file in FILES.iter() {
        // HTML does not need the name space of SVG, so no file contains an address.
        assert!(!file.text.contains("://"), "{}", file.name);
        assert!(file.text.is_ascii(), "{}", file.name);
    }
}

/// Checks that the element with this id shows each of these texts.
fn shows<'t>(page: &str, id: &str, texts: impl IntoIterator<Item = &'t str>) {
    let shown = text(by_id(page, id));
    for part in texts {
        assert!(says(&shown, part), "{id}: no {part} in {shown}");
    }
}

#[test]
fn pages_show_events_completely() {
    for ip in IPS {
        let page = page(ip);
        // An id has as many digits as its bits need.
        let digits = ip.counters.id.width().div_ceil(4) as usize;
        for group in ip.groups {
            for event in group.events {
                let ids = group.sources.iter().map(|source| {
                    let id = ip.counters.id.compose(Some(source), event.code);
                    format!("{} 0x{id:0digits$X}", source.name)
                });
                let grade = format!("grade {}", event.origin.confidence);
                let texts: Vec<_> = ids.chain([format!("0x{:02X}", event.code), grade]).collect();
                let texts = texts.iter().map(String::as_str).chain([event.name, event.doc]);
                shows(&page, &site::event(ip, group, event), texts);
            }
        }
        let shown = with_class(DOCUMENTS[&*page].root_element(), "events");
        let shown: usize = shown.iter().map(|table| elements(*table, "tr").len() - 1).sum();
        let events: usize = ip.groups.iter().map(|group| group.events.len()).sum();
        assert_eq!(shown, events, "{}", ip.name);
    }
}

fn elements<'d>(node: Node<'d, 'd>, name: &str) -> Vec<Node<'d, 'd>> {
    node.descendants().filter(|node| node.has_tag_name(name)).collect()
}

#[test]
fn pages_show_registers_completely() {
    for ip in IPS {
        let page = page(ip);
        let shown = with_class(DOCUMENTS[&*page].root_element(), "register");
        assert_eq!(shown.len(), ip.registers.len());
        for register in ip.registers {
            let id = site::register(register);
            let section = by_id(&page, &id);
            let mut places = match register.location {
                Location::Memory { offset, count: 1, .. } => vec![format!("Offset 0x{offset:03X}")],
                Location::Memory { offset, count, stride, .. } => vec![
                    format!("Offset 0x{offset:03X}"),
                    format!("+ 0x{stride:X} * n, n = 0 to {}", count - 1),
                ],
                Location::Cp15 { operands, .. } => {
                    let place = operands.to_string().replacen("p15, ", "", 1);
                    let (opc1, rest) = place.split_once(", ").expect("operands");
                    vec![format!("p15, {opc1}, Rt, {rest}")]
                }
                Location::System { register: first, count: 1, .. } => vec![first.to_string()],
                Location::System { register: first, count, .. } => {
                    vec![format!("{first} to {}", first.plus(count - 1))]
                }
                _ => panic!("{id}: an unknown place"),
            };
            if let Location::Memory { page: Some(page), offset, .. } = register.location {
                places.extend(ip.units.iter().filter_map(|unit| {
                    let place = unit.page_offset(page)? + offset;
                    Some(format!("0x{place:X} from the base of the {}", unit.title))
                }));
            }
            let resets = register.resets.iter().filter_map(|reset| reset.value);
            places.extend(resets.map(|reset| format!("0x{reset:X}")));
            shows(&page, &id, places.iter().map(String::as_str));
            let rows = elements(with_class(section, "fields")[0], "tr");
            assert_eq!(rows.len() - 1, register.fields.len() + register.reserved.len());
            let bits = |node: &Node| -> Option<u64> {
                let high: u32 = node.attribute("data-high")?.parse().ok()?;
                let low: u32 = node.attribute("data-low")?.parse().ok()?;
                Some((u64::MAX >> (63 - high + low)) << low)
            };
            let of = |nodes: &[Node]| nodes.iter().filter_map(bits).fold(0, |all, one| all | one);
            assert_eq!(of(&rows), u64::MAX >> (64 - register.width), "{id}");
            assert_eq!(of(&with_class(section, "cell")), of(&rows), "{id}");
            for field in register.fields {
                let id = site::field(register, field);
                assert_eq!(bits(&by_id(&page, &id)), Some(field.bits.mask()), "{id}");
                let values = field.values.iter();
                let values = values.map(|of| format!("0x{:X} {} {}", of.value, of.name, of.doc));
                let texts: Vec<_> = values.chain([field.bits.to_string()]).collect();
                shows(&page, &id, texts.iter().map(String::as_str).chain([field.name]));
            }
        }
    }
}

#[test]
fn every_metric_and_finding_is_on_its_page() {
    for ip in IPS {
        let page = page(ip);
        for group in ip.groups {
            for metric in group.metrics {
                let inputs = metric.inputs.iter().filter_map(|input| match input {
                    arm_pmu_tables::Input::Event(event) => Some(*event),
                    _ => None,
                });
                shows(&page, &site::metric(ip, group, metric), inputs.chain([metric.doc]));
            }
            for figure in group.unavailable {
                shows(&page, &site::unavailable(ip, group, figure), [figure.reason]);
            }
        }
        for finding in ip.findings {
            let texts = [finding.cause, finding.read, finding.expected, finding.fix];
            shows(&page, &site::finding(finding), texts);
        }
    }
}

#[test]
fn platform_pages_show_all_hardware_facts() {
    for platform in PLATFORMS {
        let page = format!("platform-{}.html", platform.name);
        for instance in platform.instances {
            let section = by_id(&page, instance.name);
            let shown = text(section);
            if let Some(base) = instance.base {
                assert!(shown.contains(&format!("0x{:X} ", base.value)), "{shown}");
            }
            for number in instance.interrupts.iter().flat_map(|all| all.numbers) {
                assert!(shown.contains(&number.to_string()), "{shown}");
            }
            for port in instance.interfaces {
                let drawn =
                    with_class(section, "port").into_iter().find(|node| text(*node) == port.source);
                let drawn = text(drawn.expect(port.source).parent().expect("a row"));
                assert!(drawn.contains(port.name) && drawn.contains(port.title), "{drawn}");
            }
            for switch in instance.switches {
                assert!(says(&shown, switch.doc), "{shown}");
                assert!(switch.ways.iter().all(|way| says(&shown, way.doc)), "{shown}");
            }
            for stream in instance.streams {
                assert!(shown.contains(&format!("0x{:X} {}", stream.id, stream.name)), "{shown}");
            }
        }
        assert!(platform.wanted.iter().all(|wanted| says(&text(by_id(&page, "main")), wanted)));
    }
}

/// Links that other sites may have, one of each form. The names in a link come from the specs. RELEASING.md states when
/// specs may change, and `crates/<ip>/tests/manual.rs` compares the names with the manual.
const LINKS: [&str; 19] = [
    "cci400.html#r1.s.read-request-any",
    "cci550.html",
    "cci550.html#event-select",
    "cci550.html#event-select.source",
    "cci550.html#figure.si.stall-share-of-all-cycles",
    "cci550.html#global.snoop-filter-miss-bank-0-or-1",
    "cci550.html#metric.si.snoop-hit-rate-ace-lite",
    "cci550.html#mi.read-data-beat",
    "cci550.html#si.read-data-snoop-hit",
    "cci550.html#zero.niden-low",
    "cortex-a53.html#cortex-a53.l1i-tlb-refill",
    "cortex-a9.html#cycles",
    "cortex-a9.html#metric.cortex-a9.instructions-per-cycle",
    "guide-why-zero.html",
    "mmu600.html#ceid0.events-63-to-32",
    "mmu600.html#metric.tcu.configuration-cache-miss-ratio",
    "mmu600.html#tbu.main-tlb-miss",
    "platform-zynqmp.html",
    "platform-zynqmp.html#cci",
];

#[test]
fn links_keep_their_form() {
    let all: BTreeSet<String> = site::index().into_iter().map(|one| one.link).collect();
    let gone: Vec<_> = LINKS.iter().filter(|link| !all.contains(**link)).collect();
    assert!(gone.is_empty(), "nothing is at {gone:?}");
}

#[test]
fn the_search_index_has_every_name() {
    let index = site::index();
    let has = |kind: &str, name: &str| index.iter().any(|one| one.kind == kind && one.name == name);
    for ip in IPS {
        for group in ip.groups {
            assert!(group.events.iter().all(|event| has("event", event.name)));
            assert!(group.metrics.iter().all(|metric| has("metric", metric.name)));
            for event in group.events {
                for alias in event.aliases {
                    assert!(
                        index.iter().any(|one| one.names.contains(&alias.name)),
                        "{}",
                        alias.name
                    );
                }
            }
        }
        for register in ip.registers {
            assert!(has("register", register.name));
            let field = |name: &str| has("field", &format!("{}.{name}", register.name));
            assert!(register.fields.iter().all(|of| field(of.name)));
        }
        assert!(ip.findings.iter().all(|finding| has("reads zero", finding.name)));
    }
    let snoop_hit = index.iter().find(|one| one.link == "cci550.html#si.read-data-snoop-hit");
    let snoop_hit = snoop_hit.expect("an event");
    assert!(snoop_hit.numbers.contains(&(0x69, "event id at SI3".to_owned())));
}
