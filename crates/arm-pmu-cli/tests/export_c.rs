//! Tests of `arm-pmu export c`: compilers print the numbers of the headers, and the tests compare them with the tables.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use arm_pmu_lookup::export::constant;
use arm_pmu_tables::{Access, IPS, Ip, Location, Operands, Pmu, Reserved, Space};

/// Source and event of the compared event id.
const SOURCE: u32 = 2;
const CODE: u32 = 5;

/// Warnings that GCC and LLVM have for C and C++.
const WARNINGS: [&str; 7] =
    ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-pedantic-errors", "-Werror"];

/// Source of a program that includes all headers and prints all macros. Also returns the names of the macros by header.
fn program(ips: &[String], directory: &Path) -> String {
    let mut text = String::from("#include <stdio.h>\n");
    // Each header is included twice to test its include guard.
    for ip in ips.iter().chain(ips) {
        let _ = writeln!(text, "#include \"{ip}.h\"");
    }
    text += "int main(void)\n{\n";
    for ip in ips {
        let header = fs::read_to_string(directory.join(format!("{ip}.h"))).expect("a header");
        assert!(header.is_ascii() && header.ends_with("_H */\n"), "{ip}");
        for line in header.lines().filter_map(|line| line.strip_prefix("#define ")) {
            let Some((name, value)) = line.split_once(' ') else { continue };
            let _ = match name.split_once('(') {
                Some((name, "n)")) => {
                    // The stride is in text such as `.. + MMU600_EVCNTR_STRIDE * (n))`.
                    let end = line.rsplit_once(" + ").expect("a sum").1;
                    let count = end.replace("_STRIDE * (n))", "_COUNT");
                    writeln!(
                        text,
                        "    printf(\"{ip} {name} %lx\\n\", (unsigned long){name}({count} - 1u));"
                    )
                }
                // A space separates the parameters of a macro.
                Some((name, _)) => {
                    let id = format!("{name}({SOURCE}u, {CODE}u)");
                    writeln!(text, "    printf(\"{ip} {name} %lx\\n\", (unsigned long){id});")
                }
                None if value.trim_start().starts_with('"') => {
                    writeln!(text, "    printf(\"{ip} {name} %s\\n\", {name});")
                }
                None => {
                    writeln!(text, "    printf(\"{ip} {name} %lx\\n\", (unsigned long){name});")
                }
            };
        }
    }
    text + "    return 0;\n}\n"
}

/// Compiles and runs a program. `None` if the compiler is not installed.
fn printed(compiler: &str, standard: &str, source: &Path) -> Option<String> {
    let out = source.with_extension(standard);
    let mut command = Command::new(compiler);
    command.arg(format!("-std={standard}")).args(WARNINGS).arg("-o").arg(&out).arg(source);
    let Ok(output) = command.output() else {
        assert!(std::env::var_os("CI").is_none(), "there is no {compiler}");
        eprintln!("skipped: there is no {compiler}");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(out).output().expect("to run it");
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// Printed macros of an IP: hexadecimal numbers and texts.
struct Header<'p> {
    ip: String,
    macros: HashMap<&'p str, &'p str>,
    /// Names of the compared macros.
    seen: RefCell<HashSet<String>>,
}

impl<'p> Header<'p> {
    fn new(printed: &'p str, ip: &str) -> Self {
        let lines = printed.lines().filter_map(|line| line.strip_prefix(ip)?.strip_prefix(' '));
        let macros = lines.map(|line| line.split_once(' ').expect("a value")).collect();
        Self { ip: constant(ip), macros, seen: RefCell::default() }
    }

    /// Text of a macro of the unit, or of the IP.
    fn text(&self, unit: Option<&str>, name: &str) -> Option<&'p str> {
        let of_unit = unit.map(|unit| format!("{}_{}_{name}", self.ip, constant(unit)));
        let of_ip = format!("{}_{name}", self.ip);
        let name =
            of_unit.into_iter().chain([of_ip]).find(|name| self.macros.contains_key(&**name))?;
        let text = self.macros[&*name];
        self.seen.borrow_mut().insert(name);
        Some(text)
    }

    fn number(&self, unit: Option<&str>, name: &str) -> Option<u64> {
        let text = self.text(unit, name)?;
        Some(u64::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{name}: {text}")))
    }

    fn unseen(&self) -> Vec<&str> {
        let seen = self.seen.borrow();
        self.macros.keys().copied().filter(|name| !seen.contains(*name)).collect()
    }
}

/// Compares the macros of the IP, without registers and events.
fn compare_ip(ip: &Ip, header: &Header) {
    let equal = |unit, name: &str, wanted: u32| {
        assert_eq!(header.number(unit, name), Some(wanted.into()), "{}: {name}", ip.name);
    };
    equal(None, "COUNTERS", ip.counters.count);
    if let Some(source) = ip.counters.id.source {
        equal(None, "EVENT_ID", SOURCE << source.low | CODE << ip.counters.id.code.low);
    }
    let ids = ip.units.iter().map(|unit| (Some(unit.name), unit.main_id.as_ref()));
    for (unit, id) in ids.chain([(None, ip.main_id.as_ref())]) {
        id.into_iter().for_each(|id| equal(unit, "MAIN_ID_PART", id.part));
    }
    match ip.space {
        Space::Region { length } => equal(None, "LENGTH", length),
        Space::Pages(pages) => {
            for page in pages {
                equal(None, &format!("{}_LENGTH", constant(page.name)), page.length);
            }
            for unit in ip.units {
                let places: Vec<_> = pages
                    .iter()
                    .filter_map(|page| Some((page, unit.page_offset(page.name)?)))
                    .collect();
                for (page, offset) in &places {
                    equal(Some(unit.name), &constant(page.name), *offset);
                }
                let end = places.iter().map(|(page, offset)| offset + page.length).max();
                equal(Some(unit.name), "LENGTH", end.expect("a page"));
            }
        }
        _ => {}
    }
}

/// Compares the registers of a PMU.
fn compare_registers(pmu: Pmu, header: &Header) {
    let unit = pmu.unit.map(|unit| unit.name);
    for register in pmu.registers() {
        let halves = register.width != register.access_width();
        // Each word of a register with its first bit: a 64-bit register can have two words.
        let words: &[(&str, u32)] = if halves { &[("_LO", 0), ("_HI", 32)] } else { &[("", 0)] };
        let fields: Vec<_> = register.fields.iter().filter(|field| pmu.has(field.only)).collect();
        for (end, first) in words {
            let bits = |value: u64| value >> first & u64::MAX >> (64 - register.access_width());
            let here: Vec<_> = fields.iter().filter(|field| bits(field.bits.mask()) != 0).collect();
            if *first > 0 && here.is_empty() {
                continue;
            }
            let word = format!("{}{end}", constant(register.name));
            let equal = |rest: &str, wanted: u64| {
                let name = format!("{word}_{rest}");
                assert_eq!(header.number(unit, &name), Some(wanted), "{pmu}: {name}");
            };
            let text = |rest: &str, wanted: &str| {
                let name = format!("{word}_{rest}");
                assert_eq!(header.text(unit, &name), Some(wanted), "{pmu}: {name}");
            };
            match register.location {
                Location::Memory { page, offset, count, stride, .. } => {
                    let base = page.zip(pmu.unit).and_then(|(page, unit)| unit.page_offset(page));
                    let offset = u64::from(base.unwrap_or(0) + offset + first / 8);
                    equal("OFFSET", offset);
                    if count > 1 {
                        equal("COUNT", count.into());
                        equal("STRIDE", stride.into());
                        equal("AT", offset + u64::from(stride * (count - 1)));
                    }
                }
                Location::Cp15 { operands: Operands { opc1, crn, crm, opc2, .. }, .. } => {
                    for (rest, number) in
                        [("OPC1", opc1), ("CRN", crn), ("CRM", crm), ("OPC2", opc2)]
                    {
                        equal(rest, number.into());
                    }
                    text("CP15", &format!("p15, {opc1}, %0, c{crn}, c{crm}, {opc2}"));
                }
                Location::System { register: encoding, count, .. } => {
                    if count > 1 {
                        equal("COUNT", count.into());
                    }
                    for element in 0..count {
                        let number = encoding.crm * 8 + encoding.op2 + element;
                        let name = format!(
                            "S{}_{}_C{}_C{}_{}",
                            encoding.op0,
                            encoding.op1,
                            encoding.crn,
                            number / 8,
                            number % 8
                        );
                        let rest = if count > 1 {
                            format!("{element}_SYSREG")
                        } else {
                            "SYSREG".to_owned()
                        };
                        text(&rest, &name);
                    }
                }
                _ => {}
            }
            let of_rule = |rule: Reserved| {
                let own = register.reserved.iter().map(|of| (of.bits, of.reserved));
                let elsewhere = register.fields.iter().filter(|field| !pmu.has(field.only));
                let elsewhere = elsewhere.filter_map(|field| Some((field.bits, field.elsewhere?)));
                let bits = own.chain(elsewhere).filter(|(_, of)| *of == rule);
                bits.fold(0, |mask, (bits, _)| mask | bits.mask())
            };
            let written = fields.iter().filter(|field| field.access == Access::ReadWrite);
            let written = written.fold(0, |mask, field| mask | field.bits.mask());
            equal("KEEP", bits(written | of_rule(Reserved::ShouldBeZeroOrPreserved)));
            let resets = register.resets.iter();
            let resets: Vec<_> = resets
                .filter(|of| of.unit.is_none() || unit.is_none() || of.unit == unit)
                .collect();
            // If units share a register but have different reset values, the initial value excludes them.
            let shared = format!("{}_{word}_INITIAL", header.ip);
            let alone = !header.macros.contains_key(&*shared) || register.resets.len() < 2;
            let reset = resets.first().filter(|_| alone).and_then(|of| of.value);
            equal("INITIAL", bits(reset.unwrap_or(0) & written | of_rule(Reserved::One)));
            for of in resets {
                let Some(value) = of.value else { continue };
                let own = of.unit.map(|unit| format!("{word}_RESET_{}", constant(unit)));
                let found = own.and_then(|own| header.number(unit, &own));
                let found = found.or_else(|| header.number(unit, &format!("{word}_RESET")));
                assert_eq!(found, Some(bits(value)), "{pmu}: the reset of {word}");
            }
            for field in here {
                let name = constant(field.name);
                equal(&format!("{name}_MASK"), bits(field.bits.mask()));
                equal(&format!("{name}_SHIFT"), field.bits.low.saturating_sub(*first).into());
                for value in field.values {
                    equal(&format!("{name}_{}", constant(value.name)), value.value.into());
                }
            }
        }
    }
}

/// Compares the events and sources of a PMU.
fn compare_events(pmu: Pmu, header: &Header) {
    let unit = pmu.unit.map(|unit| unit.name);
    for group in pmu.groups() {
        for source in group.sources {
            let found = header.number(unit, &format!("SOURCE_{}", constant(source.name)));
            assert_eq!(found, Some(source.id.into()), "{pmu}: {}", source.name);
        }
        for event in group.events.iter().filter(|event| pmu.has(event.only)) {
            let name = format!("EVENT_{}", constant(event.name));
            let found = header.number(unit, &format!("{}_{name}", constant(group.name)));
            let found = found.or_else(|| header.number(unit, &name));
            assert_eq!(found, Some(event.code.into()), "{pmu}: {name}");
        }
    }
}

#[test]
fn numbers_of_every_header_equal_the_tables() {
    let out = tempfile::tempdir().expect("a temporary directory");
    let made = Command::new(env!("CARGO_BIN_EXE_arm-pmu"))
        .args(["export", "c", "--out"])
        .arg(out.path())
        .status();
    assert!(made.expect("a run").success());
    let ips: Vec<String> = IPS.iter().map(|ip| ip.name.to_owned()).collect();
    let text = program(&ips, out.path());
    for (compiler, standard, name) in [
        ("gcc", "c99", "all.c"),
        ("clang", "c17", "all.c"),
        ("g++", "c++11", "all.cpp"),
        ("clang++", "c++20", "all.cpp"),
    ] {
        let source = out.path().join(name);
        fs::write(&source, &text).expect("to write");
        let Some(printed) = printed(compiler, standard, &source) else { continue };
        for ip in IPS {
            let header = Header::new(&printed, ip.name);
            compare_ip(ip, &header);
            for pmu in Pmu::all().filter(|pmu| pmu.ip.name == ip.name) {
                compare_registers(pmu, &header);
                compare_events(pmu, &header);
            }
            assert!(header.macros.len() > 50, "{} in {standard} of {compiler}", ip.name);
            assert_eq!(header.unseen(), [""; 0], "{} in {standard} of {compiler}", ip.name);
        }
    }
}
