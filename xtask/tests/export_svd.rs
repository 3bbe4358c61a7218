//! The task `export svd`, its file read again by the reader of svd2rust, which had no part in writing it.

mod workspace;

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use serde_json::Value;
use svd_parser::svd::{Access, Device, FieldInfo, ModifiedWriteValues, PeripheralInfo};
use svd_parser::{Config, ValidateLevel};
use workspace::Workspace;

fn parse(text: &str) -> Device {
    let strict = Config::default().validate_level(ValidateLevel::Strict).expand(true);
    svd_parser::parse_with_config(text, &strict).expect("an SVD file")
}

/// What this workspace exports with these instances.
fn exported(instances: &[&str]) -> String {
    let out = tempfile::tempdir().expect("a temporary directory");
    let path = out.path().join("system.svd");
    let instances = instances.iter().flat_map(|instance| ["--instance", instance]);
    let arguments = ["export", "svd", "--out", path.to_str().expect("text")];
    workspace::real(&arguments.into_iter().chain(instances).collect::<Vec<_>>());
    fs::read_to_string(path).expect("to read")
}

const SYSTEM: [&str; 5] = [
    "cci400@0xFD6E0000",
    "cci550@0x2A09_0000",
    "mmu600-tcu=SMMU@0x4000_0000",
    "mmu600-tbu@0x4004_0000",
    "mmu600-tbu@0x1_0000_0000",
];

/// A register as a reader sees it.
#[derive(Debug)]
struct Seen {
    fields: BTreeMap<String, FieldInfo>,
}

/// Every register of a peripheral, those of clusters too, by its address.
fn registers(peripheral: &PeripheralInfo) -> BTreeMap<u64, Seen> {
    let seen = |register: &svd_parser::svd::Register| {
        let fields = register.fields().map(|field| (field.name.clone(), (**field).clone()));
        Seen { fields: fields.collect() }
    };
    let mut found = BTreeMap::new();
    for register in peripheral.registers() {
        found.insert(peripheral.base_address + u64::from(register.address_offset), seen(register));
    }
    for cluster in peripheral.clusters() {
        for register in cluster.registers() {
            let offset = cluster.address_offset + register.address_offset;
            found.insert(peripheral.base_address + u64::from(offset), seen(register));
        }
    }
    found
}

fn peripheral<'d>(device: &'d Device, name: &str) -> &'d PeripheralInfo {
    device.get_peripheral(name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn a_strict_reader_takes_it() {
    let device = parse(&exported(&SYSTEM));
    let places: Vec<_> =
        device.peripherals.iter().map(|p| (p.name.as_str(), p.base_address)).collect();
    assert_eq!(
        places,
        [
            ("CCI400", 0xFD6E_0000),
            ("CCI550", 0x2A09_0000),
            ("SMMU", 0x4000_0000),
            ("MMU600_TBU_0", 0x4004_0000),
            ("MMU600_TBU_1", 0x1_0000_0000),
        ]
    );
    assert_eq!(device.schema_version, "1.3");
}

#[test]
fn a_second_instance_is_derived_from_the_first() {
    let text = exported(&SYSTEM);
    assert_eq!(text.matches("derivedFrom").count(), 1);
    let first = text.find("<name>MMU600_TBU_0</name>").expect("the first");
    let second = text.find("<peripheral derivedFrom=\"MMU600_TBU_0\">").expect("the second");
    assert!(first < second, "readers want the one that is derived from first");
    let device = parse(&text);
    let [first, second] =
        ["MMU600_TBU_0", "MMU600_TBU_1"].map(|name| registers(peripheral(&device, name)));
    assert!(!first.is_empty());
    let offsets = |of: BTreeMap<u64, Seen>, base: u64| -> Vec<_> {
        of.into_keys().map(|address| address - base).collect()
    };
    assert_eq!(offsets(first, 0x4004_0000), offsets(second, 0x1_0000_0000));
}

/// The registers that the JSON has, with each element of arrays, by their offset from the base.
fn wanted(ip: &str, unit: Option<&str>) -> BTreeMap<u64, BTreeMap<String, (u32, u32, String)>> {
    let out = tempfile::tempdir().expect("a temporary directory");
    workspace::real(&["export", "json", ip, "--out", out.path().to_str().expect("text")]);
    let text = fs::read_to_string(out.path().join(format!("{ip}.json"))).expect("to read");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let number = |value: &Value| value.as_u64();
    let mut found: BTreeMap<u64, BTreeMap<_, _>> = BTreeMap::new();
    for register in document["registers"].as_array().expect("registers") {
        let units = document["units"].as_array();
        let of_unit = units.and_then(|all| all.iter().find(|of| of["name"].as_str() == unit));
        let page = register["page"].as_str().map_or(0, |page| {
            number(&of_unit.expect("the unit")["pages"][page]).expect("an offset")
        });
        let first = page + number(&register["offset"]).expect("an offset");
        let stride = number(&register["stride"]).unwrap_or(0);
        for n in 0..number(&register["count"]).unwrap_or(1) {
            let start = first + n * stride;
            found.entry(start).or_default();
            for field in register["fields"].as_array().expect("fields") {
                let only = field["elements"].as_array();
                if only.is_some_and(|only| !only.contains(&n.into())) {
                    continue;
                }
                let text = |key: &str| field[key].as_str().expect("text").to_owned();
                let bits = text("bits");
                let (high, low) = bits.split_once(':').expect("bits");
                let [high, low] = [high, low].map(|bit| bit.parse::<u32>().expect("a bit"));
                let word = low / 32;
                let bits = (high - 32 * word, low - 32 * word, text("access"));
                let of_word = found.entry(start + u64::from(word) * 4).or_default();
                of_word.insert(text("name"), bits);
            }
        }
    }
    found
}

#[test]
fn every_register_and_field_is_where_the_json_has_it() {
    let device = parse(&exported(&SYSTEM));
    for (name, base, ip, unit) in [
        ("CCI400", 0xFD6E_0000, "cci400", None),
        ("CCI550", 0x2A09_0000, "cci550", None),
        ("SMMU", 0x4000_0000, "mmu600", Some("tcu")),
        ("MMU600_TBU_1", 0x1_0000_0000, "mmu600", Some("tbu")),
    ] {
        let mut seen = registers(peripheral(&device, name));
        for (offset, fields) in wanted(ip, unit) {
            let register = seen.remove(&(base + offset));
            let mut register = register.unwrap_or_else(|| panic!("{name} has none at {offset:#x}"));
            for (field, (high, low, access)) in fields {
                let found = register.fields.remove(&field);
                let found = found.unwrap_or_else(|| panic!("{name} lacks {field} at {offset:#x}"));
                assert_eq!((found.msb(), found.lsb()), (high, low), "{name}, {field}");
                let wanted = match &*access {
                    "rw" => (Access::ReadWrite, None),
                    "ro" => (Access::ReadOnly, None),
                    "wo" => (Access::WriteOnly, None),
                    "w1" => (Access::WriteOnly, Some(ModifiedWriteValues::OneToSet)),
                    "w1c" => (Access::ReadWrite, Some(ModifiedWriteValues::OneToClear)),
                    "w1s" => (Access::ReadWrite, Some(ModifiedWriteValues::OneToSet)),
                    other => panic!("{other}"),
                };
                assert_eq!(
                    (found.access, found.modified_write_values),
                    (wanted.0.into(), wanted.1)
                );
            }
            assert!(register.fields.is_empty(), "{name} at {offset:#x}: {register:?}");
        }
        assert!(seen.is_empty(), "{name}: {:#x?}", seen.keys());
    }
}

/// `python3 -m pip install cmsis-svd lxml`: the first has the schema.
#[test]
fn the_schema_of_cmsis_takes_it() {
    const CHECK: &str = "
import os, sys
try:
    import cmsis_svd
    from lxml import etree
except ImportError as missing:
    print('skipped:', missing)
    sys.exit()
path = os.path.join(os.path.dirname(cmsis_svd.__file__), 'schemas', 'CMSIS-SVD_1_3_10.xsd')
schema = etree.XMLSchema(etree.parse(path))
schema.assertValid(etree.parse(sys.argv[1]))
print('valid')
";
    let out = tempfile::tempdir().expect("a temporary directory");
    let path = out.path().join("system.svd");
    fs::write(&path, exported(&SYSTEM)).expect("to write");
    let Ok(output) = Command::new("python3").args(["-c", CHECK]).arg(&path).output() else {
        eprintln!("skipped: there is no python3");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    eprint!("{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn what_cannot_be_an_instance_is_refused() {
    let error = |ip: &str, instances: &[&str]| {
        let workspace = Workspace::of(ip);
        let out = workspace.path("x.svd");
        let instances = instances.iter().flat_map(|instance| ["--instance", instance]);
        let arguments = ["export", "svd", "--out", out.to_str().expect("text")];
        let error = workspace.fails(&arguments.into_iter().chain(instances).collect::<Vec<_>>());
        assert!(!out.exists());
        error
    };
    for (ip, instances, message) in [
        ("demo", &["demo"][..], "`demo`: an instance is written as"),
        ("demo", &["demo@"], "`` is no address"),
        ("demo", &["demo@40000000"], "`40000000` is no address"),
        ("demo", &["demo@0x+4"], "`0x+4` is no address"),
        ("demo", &["demo@0x1_0000_0000_0000_0000"], "is no address"),
        ("demo", &["demo@0x2"], "0x2 is not a multiple of 4"),
        ("demo", &["demo@0xFFFFFFFFFFFFF000"], "does not end below 2^64"),
        ("demo", &["dmeo@0x0"], "there is no `dmeo`; did you mean `demo`?"),
        ("demo", &["demo=@0x0"], "`` is no name of a peripheral"),
        ("demo", &["demo=a-b@0x0"], "`a-b` is no name of a peripheral"),
        (
            "demo",
            &["demo=X@0x0", "demo=x@0x10000"],
            "two instances are called x: at 0x0 and at 0x10000",
        ),
        ("demo", &["demo@0x0", "demo@0x2FFC"], "DEMO_1 at 0x2FFC lies across DEMO_0 at 0x0"),
        ("pages", &["pages@0x0"], "pages is several units; name one: `pages-near`, `pages-far`"),
        (
            "pages",
            &["pages-near@0x0", "pages-far@0x1000"],
            "PAGES_FAR at 0x1000 lies across PAGES_NEAR",
        ),
        ("cores", &["cores@0x0"], "are in coprocessor 15"),
    ] {
        let found = error(ip, instances);
        assert!(found.contains(message), "{instances:?}: {found}");
    }
}

#[test]
fn elements_without_a_field_are_registers_of_their_own() {
    let workspace = Workspace::of("pages");
    let out = workspace.path("x.svd");
    let arguments = ["export", "svd", "--instance", "pages-far@0x100000", "--out"];
    workspace.ok(&[&arguments[..], &[out.to_str().expect("text")]].concat());
    let device = parse(&workspace.read("x.svd"));
    let far = peripheral(&device, "PAGES_FAR");
    let fields = |name: &str| -> Vec<String> {
        let register = far.registers().find(|register| register.name == name).expect("it");
        register.fields().map(|field| field.name.clone()).collect()
    };
    assert_eq!(fields("SELECT0"), ["FILTER", "EVENT"]);
    assert_eq!(fields("SELECT1"), ["EVENT"]);
    // Words of 64 bits, and the page of the counters at its place in this unit.
    assert_eq!(fields("EVENTS_HI"), ["HIGH"]);
    let count = far.registers().find(|register| register.name == "COUNT1").expect("it");
    assert_eq!(count.address_offset, 0x1004);
}

#[test]
fn texts_are_text_in_xml() {
    let workspace = Workspace::new();
    let title = "title: DEMO-1 Example Interconnect\n";
    workspace.change("specs/demo/registers.yaml", title, "title: \"D & <E> \\\"Q\\\"\"\n");
    let out = workspace.path("x.svd");
    let arguments = ["export", "svd", "--instance", "demo@0x0", "--out"];
    workspace.ok(&[&arguments[..], &[out.to_str().expect("text")]].concat());
    let device = parse(&workspace.read("x.svd"));
    let text = peripheral(&device, "DEMO").description.as_deref();
    assert!(text.is_some_and(|text| text.starts_with("D & <E> \"Q\". ")), "{text:?}");
}
