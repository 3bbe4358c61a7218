//! A strict XML parser reads every page, and its content is compared with the tables.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use arm_pmu_tables::{IPS, Ip, Location, Origin, PLATFORMS};
use roxmltree::{Document, Node, ParsingOptions};
use site::File;

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| site::all().expect("pages"));

fn text_of(name: &str) -> &'static str {
    &FILES.iter().find(|file| file.name == name).expect("a page").text
}

fn page(ip: &Ip) -> &'static str {
    text_of(&format!("{}.html", ip.name))
}

fn parsed<'t>(name: &str, text: &'t str) -> Document<'t> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn by_id<'d>(document: &'d Document, id: &str) -> Node<'d, 'd> {
    let mut all = document.descendants().filter(|node| node.attribute("id") == Some(id));
    all.next().unwrap_or_else(|| panic!("nothing has the id {id}"))
}

fn text(node: Node) -> String {
    let all = node.descendants().filter(|node| node.is_text()).filter_map(|node| node.text());
    all.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text contains a sentence of the tables, whatever separates code and words.
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
    let files = site::all().expect("pages");
    let (guides, others): (Vec<_>, Vec<_>) =
        files.iter().partition(|file| file.name.starts_with("guide-"));
    let bytes = |files: &[&File]| files.iter().map(|file| file.text.len()).sum::<usize>();
    assert!(bytes(&guides) < 100_000, "{}", bytes(&guides));
    let bytes = bytes(&others);
    // The limit is for today's 14 IPs and the words of their descriptions; another IP may add to
    // it.
    let added = IPS.len().saturating_sub(14);
    assert!(bytes < 3_060_000 + 420_000 * added, "{bytes}");
    assert_eq!(others.len(), 4 + IPS.len() + PLATFORMS.len());
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
    let index = parsed("index.html", text_of("index.html"));
    for file in guide_files().iter().filter(|file| *file != "README.md") {
        let name = format!("guide-{}.html", file.trim_end_matches(".md"));
        let document = parsed(&name, text_of(&name));
        let shown = text(elements(document.root_element(), "main")[0]);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guides").join(file);
        let source = fs::read_to_string(source).expect("a guide");
        // The first words of each line of prose, and the lines of blocks.
        for line in source.lines().filter(|line| !line.starts_with("```") && !line.contains("](")) {
            let plain = line.trim_start_matches(|c: char| "#-|0123456789. ".contains(c));
            let words: String = plain.chars().take_while(|c| !"`*|~".contains(*c)).collect();
            assert!(says(&shown, &words), "{name}: {words}");
        }
        let links = elements(index.root_element(), "a");
        let linked = links.iter().any(|link| link.attribute("href") == Some(&name));
        assert!(linked, "index.html does not link to {name}");
    }
}

/// Time limit for displaying a page: on two busy processors, Chromium needs about 0.1 s for the
/// largest.
#[test]
fn pages_are_short_and_their_scripts_are_small() {
    for file in FILES.iter().filter(|file| file.name.ends_with(".html")) {
        let nodes = parsed(&file.name, &file.text).descendants().filter(Node::is_element).count();
        assert!(nodes < 8_500, "{}: {nodes} elements", file.name);
    }
    let (script, index) = (text_of("site.js").len(), text_of("search.js").len());
    let added = IPS.len().saturating_sub(14);
    assert!(script < 22_000 && index < 520_000 + 60_000 * added, "{script} {index}");
}

#[test]
fn pages_are_self_contained_and_links_resolve() {
    let all = &*FILES;
    let documents: HashMap<_, _> = all
        .iter()
        .filter(|file| file.name.ends_with(".html"))
        .map(|file| (file.name.as_str(), parsed(&file.name, &file.text)))
        .collect();
    let mut ids: HashSet<(&str, &str)> = HashSet::new();
    for (name, document) in &documents {
        for id in document.descendants().filter_map(|node| node.attribute("id")) {
            assert!(ids.insert((name, id)), "{name} has two of {id}");
        }
    }
    let leads = |from: &str, link: &str| {
        let (file, id) = link.split_once('#').unwrap_or((link, ""));
        let file = if file.is_empty() { from } else { file };
        let is_there = all.iter().any(|known| known.name == file);
        is_there && (id.is_empty() || ids.contains(&(file, id)))
    };
    let mut links = 0;
    for (name, document) in &documents {
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
        let shown = elements(document.root_element(), "main");
        assert!(!text(shown[0]).is_empty());
        // The output of a command in a guide is literal.
        let mut all = shown[0].descendants().filter(|node| node.is_text());
        let is_printed = |node: &Node| node.ancestors().any(|one| one.has_tag_name("pre"));
        let quoted = all.find(|node| !is_printed(node) && node.text().unwrap_or("").contains('`'));
        assert!(quoted.is_none(), "{name}: code in quotes: {quoted:?}");
    }
    for one in site::index() {
        assert!(leads("index.html", &one.link), "{} of {}: {}", one.name, one.of, one.link);
    }
    assert!(links > 1000, "{links}");
    for file in all {
        // The name space of SVG is not needed in HTML, so no address has a reason to be there.
        assert!(!file.text.contains("://"), "{}", file.name);
        assert!(file.text.is_ascii(), "{}", file.name);
    }
}

#[test]
fn pages_show_events_completely() {
    let mut ids = 0;
    for ip in IPS {
        let page = page(ip);
        let document = parsed(ip.name, page);
        let mut rows = 0;
        for group in ip.groups {
            for event in group.events {
                let row = by_id(&document, &site::event(ip, group, event));
                let cells: Vec<_> = row.children().filter(Node::is_element).collect();
                assert_eq!(text(cells[0]), format!("0x{:02X}", event.code), "{}", event.name);
                assert!(text(cells[1]).starts_with(event.name), "{}", event.name);
                assert!(says(&text(cells[2]), event.doc), "{}", event.name);
                assert_grade(cells[3], &event.origin);
                // Digits of an id: as many as its bits need.
                let digits = ip.counters.id.width().div_ceil(4) as usize;
                let expected: Vec<_> = group
                    .sources
                    .iter()
                    .map(|source| {
                        let id = ip.counters.id.compose(Some(source), event.code);
                        (source.name.to_owned(), format!("0x{id:0digits$X}"))
                    })
                    .collect();
                let shown: Vec<_> = with_class(row, "ids")
                    .iter()
                    .flat_map(|all| all.children().filter(|node| node.has_tag_name("span")))
                    .map(|span| {
                        let codes: Vec<_> =
                            span.children().filter(Node::is_element).map(text).collect();
                        let id = codes[1].split(' ').next().unwrap_or_default().to_owned();
                        (codes[0].clone(), id)
                    })
                    .collect();
                assert_eq!(shown, expected, "{}", event.name);
                ids += shown.len();
                rows += 1;
            }
        }
        let shown = with_class(document.root_element(), "events");
        let shown: usize = shown.iter().map(|table| elements(*table, "tr").len() - 1).sum();
        assert_eq!(shown, rows, "{}", ip.name);
    }
    assert!(ids > 500, "{ids}");
}

fn assert_grade(node: Node, origin: &Origin) {
    assert!(text(node).ends_with(&format!("grade {}", origin.confidence)), "{}", text(node));
}

fn elements<'d>(node: Node<'d, 'd>, name: &str) -> Vec<Node<'d, 'd>> {
    node.descendants().filter(|node| node.has_tag_name(name)).collect()
}

#[test]
fn pages_show_registers_completely() {
    let (mut fields, mut values) = (0, 0);
    for ip in IPS {
        let page = page(ip);
        let document = parsed(ip.name, page);
        let shown = with_class(document.root_element(), "register");
        assert_eq!(shown.len(), ip.registers.len());
        for register in ip.registers {
            let section = by_id(&document, &site::register(register));
            let data = text(with_class(section, "data")[0]);
            match register.location {
                Location::Memory { page, offset, count, stride, .. } => {
                    assert!(data.starts_with(&format!("Offset 0x{offset:03X}")), "{data}");
                    if count > 1 {
                        assert!(
                            data.contains(&format!("+ 0x{stride:X} * n, n = 0 to {}", count - 1))
                        );
                    }
                    for unit in ip.units {
                        if let Some(base) = page.and_then(|page| unit.page_offset(page)) {
                            let place = format!(
                                "0x{:X} from the base of the {}",
                                base + offset,
                                unit.title
                            );
                            assert!(data.contains(&place), "{data}");
                        }
                    }
                }
                Location::Cp15 { operands, .. } => {
                    let place = operands.to_string().replacen("p15, ", "", 1);
                    let (opc1, rest) = place.split_once(", ").expect("operands");
                    assert!(data.contains(&format!("p15, {opc1}, Rt, {rest}")), "{data}");
                }
                Location::System { register: first, count, .. } => {
                    let last = first.plus(count - 1).to_string();
                    let all = if count > 1 { format!("{first} to {last}") } else { last };
                    assert!(data.contains(&format!(" {all}")), "{data}");
                }
                _ => panic!("{data}"),
            }
            for reset in register.resets.iter().filter_map(|reset| reset.value) {
                assert!(data.contains(&format!("0x{reset:X}")), "{data}");
            }
            let rows = elements(with_class(section, "fields")[0], "tr");
            assert_eq!(rows.len() - 1, register.fields.len() + register.reserved.len());
            let bits = |node: &Node| -> Option<u64> {
                let high: u32 = node.attribute("data-high")?.parse().ok()?;
                let low: u32 = node.attribute("data-low")?.parse().ok()?;
                Some((u64::MAX >> (63 - high + low)) << low)
            };
            let all = rows.iter().filter_map(bits).fold(0, |all, one| all ^ one);
            assert_eq!(all, u64::MAX >> (64 - register.width), "{}", register.name);
            let drawn = with_class(section, "cell");
            let drawn = drawn.iter().filter_map(bits).fold(0, |all, one| all | one);
            assert_eq!(drawn, all, "{}", register.name);
            for field in register.fields {
                let row = by_id(&document, &site::field(register, field));
                assert_eq!(bits(&row), Some(field.bits.mask()), "{}", field.name);
                let cells: Vec<_> = row.children().filter(Node::is_element).map(text).collect();
                assert_eq!(cells[0], field.bits.to_string());
                assert_eq!(cells[1], field.name);
                let named: Vec<_> = elements(row, "li")
                    .iter()
                    .map(|one| (one.attribute("data-value"), text(*one)))
                    .collect();
                assert_eq!(named.len(), field.values.len(), "{}", field.name);
                for ((value, shown), known) in named.iter().zip(field.values) {
                    assert_eq!(*value, Some(known.value.to_string().as_str()));
                    assert_eq!(*shown, format!("0x{:X} {} {}", known.value, known.name, known.doc));
                    values += 1;
                }
                if let [one] = register.resets
                    && let Some(value) = one.value
                {
                    let value = (value & field.bits.mask()) >> field.bits.low;
                    let number = u64::from_str_radix(cells[4].trim_start_matches("0x"), 16);
                    assert_eq!(number, Ok(value), "{} of {}", field.name, register.name);
                }
                fields += 1;
            }
        }
    }
    assert!(fields > 200 && values > 20, "{fields} {values}");
}

#[test]
fn every_metric_and_finding_is_on_its_page() {
    for ip in IPS {
        let page = page(ip);
        let document = parsed(ip.name, page);
        for group in ip.groups {
            for metric in group.metrics {
                let shown = text(by_id(&document, &site::metric(ip, group, metric)));
                for input in metric.inputs {
                    if let arm_pmu_tables::Input::Event(event) = input {
                        assert!(shown.matches(event).count() >= 2, "formula and list: {shown}");
                    }
                }
                assert!(says(&shown, metric.doc), "{shown}");
            }
            for figure in group.unavailable {
                let shown = text(by_id(&document, &site::unavailable(ip, group, figure)));
                assert!(says(&shown, figure.reason), "{shown}");
            }
        }
        for finding in ip.findings {
            let shown = text(by_id(&document, &site::finding(finding)));
            for part in [finding.cause, finding.read, finding.expected, finding.fix] {
                assert!(says(&shown, part), "{shown}");
            }
        }
    }
}

#[test]
fn platform_pages_show_all_hardware_facts() {
    for platform in PLATFORMS {
        let name = format!("platform-{}.html", platform.name);
        let document = parsed(&name, text_of(&name));
        for instance in platform.instances {
            let section = by_id(&document, instance.name);
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
        assert!(platform.wanted.iter().all(|wanted| says(&text(by_id(&document, "main")), wanted)));
    }
}

/// Pages whose links are all stored: one IP with event sources, one with units, and one platform. The other pages have
/// links of the same form, and pages of platforms the names of their files. `crates/<ip>/tests/manual.rs` checks the names in them against the manual.
const WITH_STORED_LINKS: [&str; 3] = ["cci550.html", "mmu600.html", "platform-zynqmp.html"];

/// Every link in `tests/links.txt` must keep its target. `cargo xtask store site` stores new links. A page without
/// stored links is not published yet.
#[test]
fn stored_links_stay_valid() {
    let links = site::index().into_iter().map(|one| one.link);
    let is_stored = |link: &String| match link.split_once('#') {
        Some((page, _)) => WITH_STORED_LINKS.contains(&page),
        None => !link.starts_with("platform-") || WITH_STORED_LINKS.contains(&link.as_str()),
    };
    let now: BTreeSet<String> = links.filter(is_stored).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/links.txt");
    let stored = fs::read_to_string(&file).unwrap_or_default();
    let stored: BTreeSet<String> = stored.lines().map(str::to_owned).collect();
    let gone: Vec<_> = stored.difference(&now).collect();
    assert!(gone.is_empty(), "nothing is at {gone:?}");
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        let lines: String = now.iter().map(|link| format!("{link}\n")).collect();
        fs::write(&file, lines).expect("the stored links");
        return;
    }
    let page = |link: &str| link.split('#').next().unwrap_or_default().to_owned();
    let published: HashSet<_> = stored.iter().map(|link| page(link)).collect();
    let new: Vec<_> =
        now.difference(&stored).filter(|link| published.contains(&page(link))).collect();
    assert!(new.is_empty(), "to be stored: {new:?}");
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
