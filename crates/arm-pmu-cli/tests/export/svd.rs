//! Tests of `arm-pmu export svd` with the parser that svd2rust uses. `cargo xtask ci exports` compares all registers and
//! fields with the tables, with another parser.

use arm_pmu_tables::Pmu;
use svd_parser::svd::Device;
use svd_parser::{Config, ValidateLevel};

use super::one;

fn parse(text: &str) -> Device {
    let strict = Config::default().validate_level(ValidateLevel::Strict).expand(true);
    svd_parser::parse_with_config(text, &strict).expect("an SVD file")
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    super::run(&[&["svd"], arguments].concat())
}

fn exported(arguments: &[&str]) -> String {
    one(&[&["svd"], arguments].concat())
}

const SYSTEM: [&str; 5] = [
    "cci400@0xFD6E0000",
    "cci550@0x2A09_0000",
    "mmu600:tcu=SMMU@0x4000_0000",
    "mmu600:tbu@0x4004_0000",
    "mmu600:tbu@0x1_0000_0000",
];

/// An export of a platform includes its PMUs with their addresses.
#[test]
fn a_platform_has_all_its_pmus() {
    let mut peripherals = 0;
    for platform in arm_pmu_tables::PLATFORMS {
        let (status, text, error) = run(&[platform.name]);
        let bases: Vec<_> =
            platform.instances.iter().filter_map(|one| Some(one.base?.value)).collect();
        if bases.is_empty() {
            assert!(status == 2 && error.contains("coprocessor 15"), "{}: {error}", platform.name);
            continue;
        }
        if error.contains("is unknown; try one: ") {
            // The last word of the error names a revision of the CCI-400.
            let unit = error.trim_end().rsplit(' ').next().expect("a name").to_owned();
            let device = parse(&exported(&["--platform", &unit]));
            assert_eq!(device.peripherals.len(), 1, "{unit}");
            continue;
        }
        assert_eq!(status, 0, "{}: {error}", platform.name);
        let device = parse(&text);
        assert_eq!(device.name, platform.name.replace('-', "_").to_ascii_uppercase());
        let found: Vec<_> = device.peripherals.iter().map(|p| p.base_address).collect();
        assert_eq!(found, bases, "{}", platform.name);
        peripherals += found.len();
    }
    assert!(peripherals > 100, "{peripherals}");
    let device = parse(&exported(&["agilex5:tsn-tbu", "cci550@0x2A09_0000", "--device", "MINE"]));
    let names: Vec<_> = device.peripherals.iter().map(|p| p.name.as_str()).collect();
    assert_eq!((device.name.as_str(), names), ("MINE", vec!["TSN_TBU", "CCI550"]));
}

#[test]
fn arrays_and_secure_registers_are_marked() {
    let text = exported(&["mmu600:tbu@0x0", "--device", "SOC", "--cpu", "ca53:r0p4"]);
    assert!(text.contains("<name>SOC</name>") && text.contains("<revision>r0p4</revision>"));
    assert!(text.contains("<licenseText>SPDX-License-Identifier: MIT OR Apache-2.0</licenseText>"));
    // `dimIndex` names EVTYPER1 to EVTYPER3. Arrays that start at 0 need no `dimIndex`.
    assert_eq!(text.matches("<dimIndex>").count(), 1);
    assert!(text.contains("<dimIndex>1,2,3</dimIndex>"));
    let secure = Pmu::find("mmu600:tbu").expect("it").registers();
    let secure = secure.filter(|register| register.non_secure.is_some()).count();
    assert!(secure > 0 && text.matches("<protection>s</protection>").count() == secure);
    let cpu = parse(&text).cpu.expect("a processor");
    assert_eq!((&*cpu.name, &*cpu.revision), ("CA53", "r0p4"));
    for (cpu, message) in [
        ("CA54", "near: CA5, CA53, CA57"),
        ("CA53:4", "`4` is not a revision"),
        ("CM4", "there are CA5"),
    ] {
        let (status, _, error) = run(&["cci550@0x0", "--cpu", cpu]);
        assert!(status == 2 && error.contains(message), "{error}");
    }
    let (status, _, error) = run(&["cci550@0x0", "--device", "a b"]);
    assert!(status == 2 && error.contains("`a b` is not a name of a device"), "{error}");
}

#[test]
fn a_base_above_4_gb_gives_a_warning() {
    let (status, text, error) = run(&["mmu600:tbu@0x1_0000_0000", "cci550@0x0"]);
    assert!(status == 0 && text.contains("<baseAddress>0x100000000</baseAddress>"));
    assert!(error.contains("MMU600_TBU at 0x100000000: the base is above 4 GB"), "{error}");
    assert!(!error.contains("CCI550"), "{error}");
}

/// A vendor's file of an older version, with carriage returns, tabs, comments and unusual spaces.
const VENDOR: &str = "\u{FEFF}<?xml version='1.0'?>\r\n<!-- </peripherals> -->\r\n<device schemaVersion=\"1.1\">\r\n\
\t<name>SOC</name><version>1</version>\r\n\t<description><![CDATA[ </peripherals> ]]></description>\r\n\
\t<addressUnitBits>8</addressUnitBits><width>32</width>\r\n\t<peripherals>\r\n\
\t\t<peripheral>\r\n\t\t\t<name>UART0</name>\r\n\t\t\t<description>d</description><baseAddress>0x40000000</baseAddress>\r\n\
\t\t\t<addressBlock><offset>0</offset><size>0x1000</size><usage>registers</usage></addressBlock>\r\n\
\t\t\t<registers><register><name>A</name><description>d</description><addressOffset>0</addressOffset>\
<size>32</size></register></registers>\r\n\t\t</peripheral>\r\n\
\t\t<peripheral  derivedFrom = 'UART0'><name>UART1</name><baseAddress>0x40010000</baseAddress></peripheral> <!-- odd -->\r\n\
\t</peripherals >\r\n</device>\r\n<!-- end -->";

#[test]
fn a_file_of_a_vendor_keeps_every_byte() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("vendor.svd");
    let file = path.to_str().expect("text");
    std::fs::write(&path, VENDOR).expect("a file");
    let tbus = ["mmu600:tbu@0x50000000", "mmu600:tbu@0x60000000"];
    let out = directory.path().join("new");
    let (status, _, error) =
        run(&[&tbus[..], &["--merge-into", file, "--out", out.to_str().expect("text")]].concat());
    assert_eq!(status, 0, "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), VENDOR, "only the new one changed");
    let (status, merged, error) = run(&[&tbus[..], &["--merge-into", file]].concat());
    assert_eq!((status, &*error), (0, ""));
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), VENDOR, "it was only printed");
    assert_eq!(merged, std::fs::read_to_string(out.join("vendor.svd")).expect("a file"));
    let (status, printed, error) =
        run(&[&tbus[..], &["--merge-into", file, "--in-place"]].concat());
    assert_eq!((status, printed.trim_end(), &*error), (0, file, ""));
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), merged);
    let end = VENDOR.find(" <!-- odd -->").expect("it");
    assert!(merged.starts_with(&VENDOR[..end]) && merged.ends_with(&VENDOR[end..]));
    let added = &merged[end..merged.len() - (VENDOR.len() - end)];
    assert!(added.starts_with("\r\n\t\t<peripheral>\r\n\t\t  <name>MMU600_TBU_0</name>\r\n"));
    assert_eq!(added.matches('\n').count(), added.matches("\r\n").count());
    assert!(!added.contains("protection"), "which SVD 1.1 does not have");
    let names: Vec<_> = parse(merged.trim_start_matches('\u{FEFF}'))
        .peripherals
        .iter()
        .map(|of| of.name.clone())
        .collect();
    assert_eq!(names, ["UART0", "UART1", "MMU600_TBU_0", "MMU600_TBU_1"]);

    for (instance, message) in [
        (
            "mmu600:tbu=mmu600_tbu_0@0x70000000",
            "has a peripheral MMU600_TBU_0; choose another name",
        ),
        ("cci550@0x3FFFF000", "CCI550 at 0x3FFFF000 overlaps its UART0 at 0x40000000"),
        ("cci550@0x40010000", "overlaps its UART1 at 0x40010000"),
        ("cci550@0x60010000", "overlaps its MMU600_TBU_1 at 0x60000000"),
    ] {
        let (status, _, error) = run(&[instance, "--merge-into", file]);
        assert!(status == 2 && error.contains(message), "{error}");
    }
    let deep = "<device>".repeat(100_000);
    for (text, message) in [
        (&*deep, "more than 100 levels deep"),
        ("zebra", "the file is not XML"),
        ("<svg/>", "the file is not SVD"),
        ("<device><peripherals/></device>", "the file has no peripherals"),
    ] {
        std::fs::write(&path, text).expect("a file");
        let (status, _, error) = run(&["cci550@0x0", "--merge-into", file]);
        assert!(status == 2 && error.contains(message), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), text);
    }
    let (status, _, error) = run(&["cci550@0x0", "--merge-into", "/none/at/all.svd"]);
    assert!(status == 2 && error.contains("cannot be read"), "{error}");
}

#[test]
fn a_second_instance_is_derived_from_the_first() {
    let text = exported(&SYSTEM);
    assert_eq!(text.matches("derivedFrom").count(), 1);
    let first = text.find("<name>MMU600_TBU_0</name>").expect("the first");
    let second = text.find("<peripheral derivedFrom=\"MMU600_TBU_0\">").expect("the second");
    assert!(
        first < second,
        "readers need the base peripheral before the peripheral derived from it"
    );
    assert_eq!(parse(&text).peripherals.len(), SYSTEM.len());
}
