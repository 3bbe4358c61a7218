//! Tests the pages in Debian's Chromium, as files on disk. `cargo xtask ci browser` runs this.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arm_pmu_lookup::decode::{Decoded, decode};
use arm_pmu_lookup::search::Index;
use arm_pmu_lookup::{number, programming};
use arm_pmu_tables::{Field, IPS, Ip, Pmu, Register, Selection};
use headless_chrome::protocol::cdp::types::{Event, Method};
use headless_chrome::protocol::cdp::{Browser as Browser_, Emulation};
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use site::lines::Lines;

/// A browser with the site on disk, and the messages of its console.
struct Reader {
    _browser: Browser,
    tab: Arc<Tab>,
    directory: tempfile::TempDir,
    console: Arc<Mutex<Vec<String>>>,
}

impl Reader {
    fn open() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        for file in site::all().expect("pages") {
            fs::write(directory.path().join(&file.name), &file.text).expect("a page");
        }
        let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];
        let path = path.into_iter().map(Path::new).find(|path| path.exists());
        let path = path.expect("Chromium: `apt-get install chromium`").to_owned();
        let options = LaunchOptions {
            path: Some(path),
            // Tests run in containers, where Chromium cannot create a sandbox.
            sandbox: false,
            window_size: Some((1280, 900)),
            idle_browser_timeout: Duration::from_secs(120),
            args: vec![OsStr::new("--force-color-profile=srgb")],
            ..LaunchOptions::default()
        };
        let browser = Browser::new(options).expect("a browser");
        let tab = browser.new_tab().expect("a tab");
        let console = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&console);
        let listen = move |event: &Event| {
            let text = match event {
                Event::RuntimeExceptionThrown(thrown) => format!("{:?}", thrown.params),
                Event::RuntimeConsoleAPICalled(called) => format!("{:?}", called.params),
                Event::LogEntryAdded(added) => format!("{:?}", added.params),
                Event::NetworkRequestWillBeSent(request)
                    if !["file:", "data:"]
                        .iter()
                        .any(|own| request.params.request.url.starts_with(own)) =>
                {
                    format!("loads {}", request.params.request.url)
                }
                _ => return,
            };
            log.lock().expect("a log").push(text);
        };
        tab.add_event_listener(Arc::new(listen)).expect("a listener");
        tab.enable_runtime().expect("the console");
        tab.enable_log().expect("the log");
        Self { _browser: browser, tab, directory, console }
    }

    fn show(&self, page: &str) {
        let (file, anchor) = page.split_once('#').unwrap_or((page, ""));
        let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
        let address = format!("file://{}{anchor}", self.directory.path().join(file).display());
        // The same page with another anchor does not cause a navigation.
        self.go("about:blank");
        self.go(&address);
    }

    /// Opens a page, and waits until it is loaded. The library's own wait takes at least half a second for each page.
    fn go(&self, address: &str) {
        self.tab.navigate_to(address).expect(address);
        // During navigation, neither the old nor the new page answers.
        let is_there =
            format!("String(location.href === '{address}' && document.readyState === 'complete')");
        wait(address, || {
            let answer = self.tab.evaluate(&is_there, false).ok().and_then(|answer| answer.value);
            answer.is_some_and(|answer| answer == "true")
        });
    }

    /// Types a text into the search of a page, and returns the addresses that the search finds.
    fn search(&self, page: &str, text: &str) -> Value {
        self.show(page);
        self.keys(&["/"]);
        self.tab.type_str(text).expect(text);
        self.json("[...hits.querySelectorAll('a')].map((one) => one.getAttribute('href'))")
    }

    /// Makes the browser emulate this medium (such as print) and this colour scheme.
    fn emulate(&self, media: Option<&str>, scheme: &str) {
        let (name, value) = ("prefers-color-scheme".to_owned(), scheme.to_owned());
        let features = Some(vec![Emulation::MediaFeature { name, value }]);
        let media = Emulation::SetEmulatedMedia { media: media.map(str::to_owned), features };
        self.tab.call_method(media).expect(scheme);
    }

    fn set_width(&self, width: u32) {
        let metrics =
            json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false });
        let metrics: Emulation::SetDeviceMetricsOverride =
            serde_json::from_value(metrics).expect("a size");
        self.tab.call_method(metrics).expect("a width");
    }

    /// An expression whose value is a list of faults.
    fn has_none(&self, of: &str, faults: &str) {
        assert_eq!(self.json(faults), json!([]), "{of}");
    }

    /// The value of an expression, which has to be a string.
    fn text(&self, expression: &str) -> String {
        let value = self.tab.evaluate(expression, false).expect(expression).value;
        match value {
            Some(Value::String(text)) => text,
            other => panic!("{expression}: {other:?}"),
        }
    }

    fn json(&self, expression: &str) -> Value {
        self.parsed(expression)
    }

    fn parsed<T: DeserializeOwned>(&self, expression: &str) -> T {
        let text = self.text(&format!("JSON.stringify({expression})"));
        serde_json::from_str(&text).expect(expression)
    }

    fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.tab.press_key(key).expect(key);
        }
    }

    fn quiet(&self) {
        let said = self.console.lock().expect("a log");
        assert!(said.is_empty(), "{said:?}");
    }
}

fn page(ip: &Ip) -> String {
    format!("{}.html", ip.name)
}

fn pages() -> impl Iterator<Item = String> {
    let files = site::all().expect("pages").into_iter().map(|file| file.name);
    files.filter(|name| name.ends_with(".html"))
}

/// Waits for an effect in the browser.
fn wait(what: &str, mut is_done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_done() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn keyboard_search_finds_the_meant_item() {
    let reader = Reader::open();
    // The typed text, and the page that Enter opens.
    let searches = [
        ("read_data_snoop_hit", "cci400.html#r1.s.read-data-snoop-hit"),
        ("PMCR.CEN", "cci400.html#pmcr.cen"),
        ("si_rrq_hs_any", "cci400.html#r1.s.read-request-any"),
        ("snoop hit rate", "cci400.html#metric.r1.s.snoop-hit-rate"),
        ("niden low", "cci400.html#zero.niden-low"),
        ("zynqmp", "platform-zynqmp.html"),
        ("0xFD6E0000", "platform-zynqmp.html#cci"),
        ("mmu600", "mmu600.html"),
    ];
    for (text, link) in searches {
        let all = reader.search("index.html", text);
        assert_eq!(all[0], link, "{text}: {all}");
        assert_eq!(reader.text("document.activeElement.id"), "query");
        let chosen = "document.getElementById(query.getAttribute('aria-activedescendant'))";
        assert_eq!(reader.text(&format!("{chosen}.getAttribute('href')")), link, "{text}");
        reader.keys(&["Enter"]);
        let end = format!("/{link}");
        wait(link, || reader.text("location.href").ends_with(&end));
    }
    // Queries by purpose. Items of the shown page come first.
    for (page, text, link) in [
        ("index.html", "why zero", "guide-why-zero.html"),
        ("index.html", "raspberry pi", "platform-bcm2835.html"),
        ("index.html", "bandwidth cci550", "cci550.html#metric.si.read-data-bytes"),
        ("cortex-a9.html", "cpi", "cortex-a9.html#metric.cortex-a9.instructions-per-cycle"),
        ("cortex-a53.html", "tlb misses", "cortex-a53.html#cortex-a53.l1i-tlb-refill"),
        ("cci550.html", "bandwith", "cci550.html#metric.si.read-data-bytes"),
        // If several IPs have an event id, the event of the page's own IP comes first.
        ("cci550.html", "0x69", "cci550.html#si.read-data-snoop-hit"),
        ("cci500.html", "0x69", "cci500.html#si.read-data-snoop-hit"),
    ] {
        let all = reader.search(page, text);
        assert_eq!(all[0], link, "{text}: {all}");
    }
    let why = reader.text("hits.querySelector('.why').textContent");
    assert!(why.contains("0x69: event id at SI3"), "{why}");
    // The arrow keys move, Escape closes the list, and a search without hits says so.
    reader.search("cci550.html", "snoop");
    let chosen = || reader.text("query.getAttribute('aria-activedescendant')");
    assert_eq!(chosen(), "hit-0");
    reader.keys(&["ArrowDown", "ArrowDown", "ArrowUp"]);
    assert_eq!(chosen(), "hit-1");
    reader.keys(&["Escape"]);
    let closed = reader.json("[hits.hidden, query.getAttribute('aria-expanded')]");
    assert_eq!(closed, json!([true, "false"]));
    reader.tab.type_str("qqq").expect("text");
    assert_eq!(reader.text("hits.textContent"), "nothing found");
    reader.quiet();
}

/// Typical queries: by purpose, by name, misspelt, with stop words and endings.
const QUERIES: &str = "bandwidth, throughput, dma, latency, ipc, cpi, mpki, tlb miss, \
    snoop filter back invalidate, dirty line written back, branch mispredict ratio, \
    waiting for instructions, stream id match, hit rate, page walks, back pressure, exclusive, barrier, \
    power off, clock gating, prefetching, evictions, misaligned, bandwith, instrutcions, si_rrq_hs, \
    front end, cci400 latency, how do I read zero, zebra";

#[test]
fn the_script_ranks_as_the_command_does() {
    let reader = Reader::open();
    reader.show("index.html");
    let all = site::index();
    let index = Index::new(all.iter().map(site::Entry::texts));
    for query in QUERIES.split(", ") {
        let found = index.search(query, |_| 0).entries;
        let links: Vec<_> = found.iter().map(|nth| (&all[*nth].kind, &all[*nth].link)).collect();
        let shown =
            reader.json(&format!("search('{query}').map(({{ one }}) => [one.kind, one.link])"));
        assert_eq!(shown, json!(links), "{query}");
    }
    reader.quiet();
}

#[test]
fn every_index_entry_is_found_by_name() {
    let reader = Reader::open();
    reader.show("index.html");
    // An IP can have several entries of the same kind with the same name, such as an event that
    // both revisions have.
    let lost = "index().filter((one) => !search(one.name).some((hit) => hit.one === one)).map((one) => one.name)";
    reader.has_none("the index", lost);
    assert!(reader.json("ENTRIES.length").as_u64() > Some(1000));
    reader.quiet();
}

/// Script that uses the form on a page to encode each selection, on counter 0 and on the last counter, and returns the
/// PMU, the event and the lines.
const ENCODE_ALL: &str = "(() => {
    const { pmu, source, event, counter } = document.querySelector('#encode form').elements;
    const change = (select, value) => {
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
    };
    const all = [];
    for (const { value: a } of [...pmu.options]) {
        change(pmu, a);
        for (const { value: b, text: at } of [...source.options]) {
            change(source, b);
            for (const { value: c, text: name } of [...event.options]) {
                change(event, c);
                for (const n of [0, counter.options.length - 1]) {
                    change(counter, n);
                    const lines = [...document.querySelectorAll('#lines > span')].map((what) =>
                        [what.textContent, what.nextSibling.textContent]);
                    all.push([DATA.pmus[a].name, at, name, n, lines]);
                }
            }
        }
    }
    return all;
})()";

/// PMU, source, event and counter of a selection, and its encoded lines with their titles.
type Encoded = (String, String, String, u32, Vec<(String, String)>);

#[test]
fn every_selection_is_encoded_as_the_command_does() {
    let reader = Reader::open();
    let mut encoded = 0;
    for ip in IPS {
        reader.show(&page(ip));
        let mut all = reader.parsed::<Vec<Encoded>>(ENCODE_ALL).into_iter();
        let pmus = Pmu::all().filter(|pmu| pmu.ip.name == ip.name);
        for pmu in pmus {
            let last = pmu.ip.counters.count - 1;
            for (at, selection) in in_order_of_the_form(pmu) {
                for counter in [0, last] {
                    let shown = all.next().unwrap_or_else(|| panic!("{pmu} {selection}"));
                    assert_eq!((shown.0, &shown.1), (pmu.to_string(), &at));
                    assert_encoded(pmu, &selection, counter, &shown.4);
                    encoded += 1;
                }
            }
        }
        assert!(all.next().is_none(), "{}", ip.name);
    }
    assert!(encoded > 1500, "{encoded}");
    reader.quiet();
}

/// All selections: by source, then by event.
fn in_order_of_the_form(pmu: Pmu) -> Vec<(String, Selection)> {
    let mut all = Vec::new();
    for group in pmu.groups() {
        let sources = group.sources.iter().map(Some);
        let none = group.sources.is_empty().then_some(None);
        for source in sources.chain(none) {
            let at = source.map_or(group.title.to_owned(), |s| format!("{}: {}", s.name, s.title));
            let own = pmu.selections().filter(|one| {
                std::ptr::eq(one.of.group, group)
                    && one.source.map(|s| s.id) == source.map(|s| s.id)
            });
            all.extend(own.map(|one| (at.clone(), one)));
        }
    }
    all
}

fn assert_encoded(pmu: Pmu, selection: &Selection, counter: u32, lines: &[(String, String)]) {
    let of = |what: &str| -> Vec<&str> {
        lines.iter().filter(|(title, _)| title == what).map(|(_, text)| text.as_str()).collect()
    };
    let digits = pmu.ip.counters.id.width().div_ceil(4) as usize;
    assert_eq!(of("event id"), [format!("0x{:0digits$X}", selection.id())], "{selection}");
    let writes = programming::writes(selection, counter).expect("writes");
    let shown = of("write");
    assert_eq!(shown.len(), writes.len());
    for (shown, write) in shown.iter().zip(&writes) {
        assert!(
            shown.starts_with(&format!("{} = 0x{:08X} at ", write.name(), write.value())),
            "{shown}"
        );
        assert_eq!(shown.contains("change the bits"), write.has_other_fields(), "{shown}");
    }
    // The lines that `tests/lines.rs` and `tests/c_lines.rs` compile.
    let compiled = Lines::new(pmu, selection, counter).expect("a counter");
    assert_eq!(of("Rust"), [compiled.rust]);
    assert_eq!(of("C"), [compiled.c.join("\n")]);
    assert_eq!(of("Linux").first().map(|line| (*line).to_owned()), site::perf_of(pmu, selection));
}

/// Script that types a value into the form of a register, and returns the bits with their values, and the lines above
/// the table.
const DECODE: &str = "((id, value) => {
    const section = document.getElementById(id);
    const input = section.querySelector('.decode input');
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    const rows = [...section.querySelectorAll('.fields tbody tr')];
    return {
        rows: rows.map((row) => [row.dataset.high, row.dataset.low, row.querySelector('.value').firstChild.data,
            row.querySelector('.value code')?.textContent, row.querySelector('.named')?.textContent]),
        lit: [...section.querySelectorAll('.cell.lit')].map((cell) => [cell.dataset.high, cell.dataset.low]),
        lines: [...section.querySelectorAll('.decoded p')].map((line) => line.textContent),
        invalid: input.getAttribute('aria-invalid'),
    };
})";

/// The result of [`DECODE`].
#[derive(Deserialize)]
struct Decoding {
    /// Highest and lowest bit, value, name of the value, and its meaning.
    rows: Vec<(String, String, String, Option<String>, Option<String>)>,
    lit: Vec<(String, String)>,
    lines: Vec<String>,
    invalid: Option<String>,
}

#[test]
fn every_example_is_decoded_as_the_command_does() {
    let reader = Reader::open();
    let decoding = |register: &Register, value: &str| -> Decoding {
        reader.parsed(&format!("{DECODE}('{}', '{value}')", site::register(register)))
    };
    let mut decoded = 0;
    for ip in IPS {
        reader.show(&page(ip));
        for pmu in Pmu::all().filter(|pmu| pmu.ip.name == ip.name) {
            for register in pmu.registers() {
                for value in site::examples(pmu, register) {
                    let shown = decoding(register, &format!("{value:#x}"));
                    let explained = decode(pmu, &format!("{}={value:#x}", register.name));
                    assert_decoded(pmu, register, &shown, &explained.expect(register.name));
                    decoded += 1;
                }
            }
        }
        for wrong in ["x", "0x1_0000_0000_0000_0000", "-1", "0x"] {
            let shown = decoding(&ip.registers[0], wrong);
            assert_eq!(shown.invalid.as_deref(), Some("true"), "{wrong}");
            assert!(shown.lit.is_empty(), "{wrong}");
        }
    }
    assert!(decoded > 400, "{decoded}");
    reader.quiet();
}

fn assert_decoded(pmu: Pmu, register: &Register, shown: &Decoding, command: &Decoded) {
    let place = |high: &str, low: &str| -> (u32, u32) {
        (high.parse().expect("a bit"), low.parse().expect("a bit"))
    };
    let mut of_page = HashMap::new();
    for (high, low, value, name, meaning) in &shown.rows {
        let (place, value) = (place(high, low), number(value).expect("a number"));
        of_page.insert(place, value);
        let is_it = |field: &&Field| (field.bits.high, field.bits.low) == place;
        let named = register.fields.iter().find(is_it).and_then(|field| field.named(value));
        assert_eq!(name.as_deref(), named.map(|value| value.name), "{pmu} {}", register.name);
        let wanted = named.map(|of| format!("0x{:X} {} {}", of.value, of.name, of.doc));
        assert_eq!(*meaning, wanted, "{pmu} {}", register.name);
    }
    let of_command = command.bits.iter().map(|bits| ((bits.high, bits.low), bits.value));
    assert_eq!(of_page, of_command.collect(), "{pmu} {}", register.name);
    let lit: HashSet<_> = shown.lit.iter().map(|(high, low)| place(high, low)).collect();
    let set = of_page.iter().filter(|(_, value)| **value != 0).map(|(place, _)| *place);
    assert_eq!(
        lit,
        set.collect(),
        "{}: the page must highlight exactly the fields that are not zero",
        register.name
    );
    let lines = &shown.lines;
    for event in &command.events {
        let wanted = format!("{}, event id 0x{:X}", event.event, event.id);
        let of_pmu = |line: &&String| {
            line.contains(&wanted) && (pmu.unit.is_none() || line.contains(&format!(" of {pmu}")))
        };
        assert!(lines.iter().any(|line| of_pmu(&line)), "{wanted} in {lines:?}");
    }
    for warning in &command.warnings {
        // The page covers all units, so bits that are reserved in this unit may be shown as a field
        // of another unit.
        let of_other = register.fields.iter().any(|field| {
            !pmu.has(field.only) && warning.starts_with(&format!("reserved bits {} ", field.bits))
        });
        // A unit can have an event that another unit lacks.
        let no_event = warning.contains(" no event") || warning.contains("has no event");
        if !of_other && !no_event {
            assert!(lines.iter().any(|line| line.contains(warning)), "{warning} in {lines:?}");
        }
    }
}

#[test]
fn pages_show_all_facts_without_script() {
    let reader = Reader::open();
    reader.tab.call_method(Emulation::SetScriptExecutionDisabled { value: true }).expect("off");
    for ip in IPS {
        reader.show(&page(ip));
        // Every control that is shown works, and every fact is shown.
        let visible = |selector: &str| {
            let all = format!("[...document.querySelectorAll('{selector}')]");
            reader.json(&format!("{all}.filter((one) => one.checkVisibility()).length"))
        };
        assert_eq!(visible("input, select, button"), 0, "{}", ip.name);
        let events: usize = ip.groups.iter().map(|group| group.events.len()).sum();
        assert_eq!(visible(".events tbody tr"), events);
        let halves: u32 = ip.registers.iter().map(|register| register.width / 16).sum();
        assert_eq!(visible(".bits svg"), halves);
    }
}

/// Relative luminance of a colour according to WCAG, and whether an element itself contains text.
const LIGHT: &str = "
    const channels = (colour) => colour.match(/[0-9.]+/g).map(Number);
    const light = (colour) => {
        const [r, g, b] = channels(colour).slice(0, 3).map((one) => {
            const part = one / 255;
            return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const faults = [];";

/// Texts with too little contrast, and focusable elements without an outline.
const AUDIT: &str = "
    const contrast = (one, other) => {
        const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
    };
    const behind = (element) => {
        for (let at = element; at !== null; at = at.parentElement) {
            const own = at.querySelector?.(':scope > rect');
            if (own && at instanceof SVGElement) return getComputedStyle(own).fill;
            const colour = getComputedStyle(at).backgroundColor;
            if ((channels(colour)[3] ?? 1) > 0) return colour;
        }
        return 'rgb(255, 255, 255)';
    };
    for (const element of document.querySelectorAll('body *')) {
        if (!hasText(element) || !element.checkVisibility()) continue;
        const style = getComputedStyle(element);
        const colour = element instanceof SVGElement ? style.fill : style.color;
        const below = element.matches('.access, .bit, .reset') ? getComputedStyle(document.body).backgroundColor : behind(element);
        const ratio = contrast(colour, below);
        if (ratio < 4.5) faults.push(`${element.tagName}.${element.className} ${colour} on ${below}: ${ratio.toFixed(2)}`);
    }
    return [...new Set(faults)];";

#[test]
fn pages_are_accessible() {
    let reader = Reader::open();
    for name in ["index.html", "cci550.html", "mmu600.html", "platform-zynqmp.html"] {
        for scheme in ["light", "dark"] {
            reader.emulate(None, scheme);
            reader.show(name);
            if name == "cci550.html" {
                // On this page, highlighted bits and search results are checked too.
                reader.json(&format!("{DECODE}('pmcr', '0x80004001')"));
                reader.keys(&["/"]);
                reader.tab.type_str("snoop").expect("text");
            }
            reader.has_none(
                &format!("{name}, {scheme}"),
                &format!("(() => {{ {LIGHT} {AUDIT} }})()"),
            );
        }
        names(&reader, name);
        focus(&reader, name);
        let levels = reader.json(
            "[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1]))",
        );
        let levels: Vec<_> =
            levels.as_array().expect("levels").iter().filter_map(Value::as_u64).collect();
        assert_eq!(levels[0], 1, "{name}");
        assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{name}: {levels:?}");
    }
    reader.quiet();
}

/// The full tree as JSON. The library's type rejects names that newer browsers send.
#[derive(Debug, Serialize)]
struct AccessibilityTree {}

impl Method for AccessibilityTree {
    const NAME: &'static str = "Accessibility.getFullAXTree";
    type ReturnObject = Value;
}

/// Every link, control and image has a name in the tree that the browser gives to a screen reader.
fn names(reader: &Reader, page: &str) {
    let tree = reader.tab.call_method(AccessibilityTree {}).expect("a tree");
    let used = "link button combobox textbox searchbox listbox option image navigation";
    let mut checked = 0;
    let nodes = tree["nodes"].as_array().expect("nodes").iter();
    for node in nodes.filter(|node| node["ignored"] == false) {
        let text = |key: &str| node[key]["value"].as_str().unwrap_or_default().to_owned();
        if used.split(' ').any(|role| text("role") == role) {
            assert!(!text("name").trim().is_empty(), "{page}: without a name: {node}");
            checked += 1;
        }
    }
    assert!(checked > 10, "{page}: {checked}");
}

/// Tab reaches the first links and fields one after the other, and the focus is visible.
fn focus(reader: &Reader, page: &str) {
    reader.show(page);
    let mut last = String::new();
    for _ in 0..12 {
        reader.keys(&["Tab"]);
        let now = reader.json(
            "(() => { const at = document.activeElement; const style = getComputedStyle(at);
                return [at.outerHTML.slice(0, 90), style.outlineStyle, parseFloat(style.outlineWidth)]; })()",
        );
        let at = now[0].as_str().expect("an element").to_owned();
        assert_ne!(at, last, "{page}: the focus stays");
        assert_ne!(now[1], "none", "{page}: {at}");
        assert!(now[2].as_f64() > Some(0.9), "{page}: {at}");
        last = at;
    }
}

/// Presses the button of each line, and reads the clipboard: [shown, copied, text of the button].
fn copied(reader: &Reader) -> Vec<[String; 3]> {
    let buttons = reader.json("document.querySelectorAll('#lines button').length");
    let mut all = Vec::new();
    for nth in 0..buttons.as_u64().expect("a number") {
        let button = format!("document.querySelectorAll('#lines button')[{nth}]");
        reader.text(&format!("{button}.focus(), ''"));
        reader.keys(&["Enter"]);
        wait("the button", || reader.text(&format!("{button}.textContent")) != "Copy");
        assert_eq!(reader.json(&format!("document.activeElement === {button}")), true);
        let shown = reader.text(&format!("{button}.previousSibling.textContent"));
        let clipboard = reader.tab.evaluate("navigator.clipboard.readText()", true);
        let clipboard = clipboard.expect("a clipboard").value;
        let clipboard = clipboard.and_then(|text| text.as_str().map(str::to_owned));
        all.push([shown, clipboard.expect("text"), reader.text(&format!("{button}.textContent"))]);
    }
    all
}

#[test]
fn the_copy_button_copies_its_line() {
    let reader = Reader::open();
    let permissions = Browser_::GrantPermissions {
        permissions: vec![
            Browser_::PermissionType::ClipboardReadWrite,
            Browser_::PermissionType::ClipboardSanitizedWrite,
        ],
        origin: None,
        browser_context_id: None,
    };
    reader.tab.call_method(permissions).expect("permissions");
    let refuse = "navigator.clipboard.writeText = () => Promise.reject(new Error('refused')), ''";
    let nothing = "document.execCommand = () => false, ''";
    let clear = "navigator.clipboard.writeText('before')";
    for name in ["cci550.html", "cortex-a8.html", "mmu600.html"] {
        reader.show(name);
        let lines = copied(&reader);
        assert!(lines.len() >= 4, "{name}: {lines:?}");
        for [shown, copied, button] in &lines {
            assert_eq!((copied, button.as_str()), (shown, "Copied"), "{name}");
        }
        // Without the clipboard API, a page can still copy a selection.
        reader.show(name);
        reader.tab.evaluate(clear, true).expect("a clipboard");
        reader.text(refuse);
        for [shown, copied, button] in copied(&reader) {
            assert_eq!((copied, button.as_str()), (shown, "Copied"), "{name}");
        }
        // If the browser does not let the page copy, the button selects the line and shows which
        // keys copy it.
        reader.show(name);
        reader.tab.evaluate(clear, true).expect("a clipboard");
        reader.text(refuse);
        reader.text(nothing);
        for [shown, copied, button] in copied(&reader) {
            assert_eq!((copied.as_str(), button.as_str()), ("before", "Selected: press Ctrl+C"));
            assert!(!shown.is_empty(), "{name}");
        }
        let last = reader.text("document.querySelector('#lines code:last-of-type').textContent");
        assert_eq!(reader.text("getSelection().toString()"), last, "{name}");
    }
    reader.quiet();
}

/// Lists the faults of a printed page: controls that are shown, facts that are hidden, text too pale for white paper,
/// and dark backgrounds.
const PRINTED: &str = "
    const clear = (colour) => colour === 'transparent' || /, 0\\)$/.test(colour);
    const say = (what, element) => faults.push(`${what}: ${element.outerHTML.slice(0, 90)}`);
    for (const one of document.querySelectorAll('input, select, button, .top nav, .contents, .skip, .top kbd, summary')) {
        if (one.checkVisibility()) say('of no use on paper', one);
    }
    const options = { contentVisibilityAuto: true, checkVisibilityCSS: true };
    for (const one of document.querySelectorAll('main :is(h1, h2, h3, p, table, td, th, dt, dd, li, svg, math, figure)')) {
        if (one.closest('.contents, .js, .away') || one.matches('.value')) continue;
        if (!one.checkVisibility(options)) say('hidden', one);
        else if (one.textContent.trim() !== '' && one.getBoundingClientRect().height < 4) say('flat', one);
    }
    for (const one of document.querySelectorAll('body, body *')) {
        if (!one.checkVisibility(options)) continue;
        const style = getComputedStyle(one);
        const ink = one instanceof SVGElement ? style.fill : style.color;
        if (hasText(one) && 1.05 / (light(ink) + 0.05) < 7) say(`${ink} on white`, one);
        const paper = one.matches('rect') ? style.fill : style.backgroundColor;
        if (!clear(paper) && light(paper) < 0.8) say(`on ${paper}`, one);
    }
    return [...new Set(faults)].slice(0, 8);";

#[test]
fn every_page_can_be_printed() {
    let reader = Reader::open();
    // Width of the text on A4 paper: with a browser's usual margins, and with wide margins.
    for (width, scheme) in [(717, "light"), (600, "dark")] {
        reader.set_width(width);
        for name in pages() {
            reader.emulate(Some("screen"), scheme);
            reader.show(&name);
            reader.emulate(Some("print"), scheme);
            reader.has_none(&name, &format!("(() => {{ {LIGHT} {PRINTED} }})()"));
        }
    }
    reader.emulate(None, "light");
    reader.show("cci550.html");
    let pdf = reader.tab.print_to_pdf(None).expect("a document");
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 50_000, "{}", pdf.len());
    if let Some(file) = std::env::var_os("SITE_PDF") {
        fs::write(file, pdf).expect("a file");
    }
    reader.quiet();
}

/// Elements beyond the right edge of the window.
const BEYOND: &str = "[...document.querySelectorAll('main *')]
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .slice(0, 3).map((one) => one.outerHTML.slice(0, 100))";

#[test]
fn nothing_is_wider_than_a_narrow_screen() {
    let reader = Reader::open();
    let mut faults = Vec::new();
    for name in pages() {
        reader.show(&name);
        for width in [360, 768, 1280] {
            reader.set_width(width);
            let wide = reader.json("document.documentElement.scrollWidth");
            if wide.as_u64() > Some(width.into()) {
                faults.push(format!("{name} at {width}: {wide}, {}", reader.json(BEYOND)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    reader.quiet();
}
