//! Tests of `arm-pmu export c`: a compiled program prints the numbers of the headers, which are compared with the tables.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use arm_pmu_lookup::export::constant;
use arm_pmu_tables::{Access, IPS, Ip, Location, Operands, Pmu, Register, Reserved, Space};

use super::run;

/// The test compares one event id: the id with this source number and this event code.
const SOURCE: u32 = 2;
const CODE: u32 = 5;

/// Warnings that GCC and LLVM have for C and C++.
const WARNINGS: [&str; 7] =
    ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-pedantic-errors", "-Werror"];

/// Source of a program that includes all headers and prints all macros.
fn program(directory: &Path) -> String {
    let mut text = String::from("#include <stdio.h>\n");
    // Each header is included twice to test its include guard.
    for ip in IPS.iter().chain(IPS) {
        let _ = writeln!(text, "#include \"{}.h\"", ip.name);
    }
    text += "static const struct { const char *name; unsigned long number; const char *text; } all[] = {\n";
    for ip in IPS.iter().map(|ip| ip.name) {
        let header = fs::read_to_string(directory.join(format!("{ip}.h"))).expect("a header");
        assert!(header.is_ascii() && header.ends_with("_H */\n"), "{ip}");
        for line in header.lines().filter_map(|line| line.strip_prefix("#define ")) {
            let Some((macro_of, value)) = line.split_once(' ') else { continue };
            let (name, parameters) = macro_of.split_once('(').unwrap_or((macro_of, ""));
            let (number, string) = match parameters {
                // The stride is in text such as `.. + MMU600_EVCNTR_STRIDE * (n))`.
                "n)" => {
                    let end = line.rsplit_once(" + ").expect("a sum").1;
                    let count = end.replace("_STRIDE * (n))", "_COUNT");
                    (format!("{name}({count} - 1u)"), "\"\"")
                }
                "" if value.trim_start().starts_with('"') => ("0".to_owned(), name),
                "" => (name.to_owned(), "\"\""),
                // A space separates the parameters of a macro.
                _ => (format!("{name}({SOURCE}u, {CODE}u)"), "\"\""),
            };
            let _ = writeln!(text, "    {{ \"{ip} {name}\", (unsigned long){number}, {string} }},");
        }
    }
    text + "};\nint main(void)\n{\n    for (unsigned n = 0; n < sizeof all / sizeof all[0]; n++) {\n\
        if (all[n].text[0]) printf(\"%s %s\\n\", all[n].name, all[n].text);\n\
        else printf(\"%s %lx\\n\", all[n].name, all[n].number);\n    }\n    return 0;\n}\n"
}

/// Compiles a file. Returns whether the compiler is installed; CI requires it.
fn compiles(compiler: &str, standard: &str, source: &Path, options: &[&str]) -> bool {
    let mut command = Command::new(compiler);
    command.arg(format!("-std={standard}")).args(WARNINGS).args(options).arg(source);
    let Ok(output) = command.output() else {
        assert!(std::env::var_os("CI").is_none(), "there is no {compiler}");
        eprintln!("skipped: there is no {compiler}");
        return false;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    true
}

/// Macros that the header of an IP must have, each with its possible names and printed text.
struct Wanted<'p> {
    ip: String,
    /// Printed macros.
    macros: &'p HashMap<&'p str, &'p str>,
    all: Vec<(Vec<String>, String)>,
}

impl Wanted<'_> {
    /// Adds an expected macro, whose name is one of `names`, prefixed with the name of the unit or
    /// of the IP.
    fn text(&mut self, unit: Option<&str>, names: &[String], text: String) {
        let of_unit = unit.map(|unit| format!("{}_{}", self.ip, constant(unit)));
        let prefixes = of_unit.into_iter().chain([self.ip.clone()]);
        let prefixes: Vec<_> = prefixes.collect();
        let names =
            names.iter().flat_map(|name| prefixes.iter().map(move |of| format!("{of}_{name}")));
        self.all.push((names.collect(), text));
    }

    fn number(&mut self, unit: Option<&str>, name: String, number: impl Into<u64>) {
        self.text(unit, &[name], format!("{:x}", number.into()));
    }

    /// Adds the macros of the IP that belong to no register and no event.
    fn ip(&mut self, ip: &Ip) {
        self.number(None, "COUNTERS".to_owned(), ip.counters.count);
        if let Some(source) = ip.counters.id.source {
            let id = SOURCE << source.low | CODE << ip.counters.id.code.low;
            self.number(None, "EVENT_ID".to_owned(), id);
        }
        let ids = ip.units.iter().map(|unit| (Some(unit.name), unit.main_id.as_ref()));
        for (unit, id) in ids.chain([(None, ip.main_id.as_ref())]) {
            id.into_iter().for_each(|id| self.number(unit, "MAIN_ID_PART".to_owned(), id.part));
        }
        match ip.space {
            Space::Region { length } => self.number(None, "LENGTH".to_owned(), length),
            Space::Pages(pages) => {
                for page in pages {
                    self.number(None, format!("{}_LENGTH", constant(page.name)), page.length);
                }
                for unit in ip.units {
                    let places =
                        pages.iter().filter_map(|page| Some((page, unit.page_offset(page.name)?)));
                    let mut end = 0;
                    for (page, offset) in places {
                        self.number(Some(unit.name), constant(page.name), offset);
                        end = end.max(offset + page.length);
                    }
                    self.number(Some(unit.name), "LENGTH".to_owned(), end);
                }
            }
            _ => {}
        }
    }

    fn registers(&mut self, pmu: Pmu) {
        for register in pmu.registers() {
            let halves = register.width != register.access_width();
            // The words of a register: the end of the macro's name, and the first bit of the word.
            // A 64-bit register can have two words.
            let words: &[_] = if halves { &[("_LO", 0), ("_HI", 32)] } else { &[("", 0)] };
            for (end, first) in words {
                self.word(pmu, register, &format!("{}{end}", constant(register.name)), *first);
            }
        }
    }

    fn word(&mut self, pmu: Pmu, register: &Register, word: &str, first: u32) {
        let unit = pmu.unit.map(|unit| unit.name);
        let fields: Vec<_> = register.fields.iter().filter(|field| pmu.has(field.only)).collect();
        let bits = |value: u64| value >> first & u64::MAX >> (64 - register.access_width());
        let here: Vec<_> = fields.iter().filter(|field| bits(field.bits.mask()) != 0).collect();
        if first > 0 && here.is_empty() {
            return;
        }
        let mut number =
            |rest: &str, wanted: u64| self.number(unit, format!("{word}_{rest}"), wanted);
        match register.location {
            Location::Memory { page, offset, count, stride, .. } => {
                let base = page.zip(pmu.unit).and_then(|(page, unit)| unit.page_offset(page));
                let offset = u64::from(base.unwrap_or(0) + offset + first / 8);
                number("OFFSET", offset);
                if count > 1 {
                    number("COUNT", count.into());
                    number("STRIDE", stride.into());
                    number("AT", offset + u64::from(stride * (count - 1)));
                }
            }
            Location::Cp15 { operands: Operands { opc1, crn, crm, opc2, .. }, .. } => {
                for (rest, of) in [("OPC1", opc1), ("CRN", crn), ("CRM", crm), ("OPC2", opc2)] {
                    number(rest, of.into());
                }
                let text = format!("p15, {opc1}, %0, c{crn}, c{crm}, {opc2}");
                self.text(unit, &[format!("{word}_CP15")], text);
            }
            Location::System { register: encoding, count, .. } => {
                if count > 1 {
                    number("COUNT", count.into());
                }
                for element in 0..count {
                    let number = encoding.crm * 8 + encoding.op2 + element;
                    let (op0, op1, crn) = (encoding.op0, encoding.op1, encoding.crn);
                    let text = format!("S{op0}_{op1}_C{crn}_C{}_{}", number / 8, number % 8);
                    let element = if count > 1 { format!("_{element}") } else { String::new() };
                    self.text(unit, &[format!("{word}{element}_SYSREG")], text);
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
        let resets = register.resets.iter();
        let resets: Vec<_> =
            resets.filter(|of| of.unit.is_none() || unit.is_none() || of.unit == unit).collect();
        // If units share a register with different reset values, the initial value does not include a reset value.
        let shared = format!("{}_{word}_INITIAL", self.ip);
        let alone = !self.macros.contains_key(&*shared) || register.resets.len() < 2;
        let reset = resets.first().filter(|_| alone).and_then(|of| of.value);
        let mut number =
            |rest: &str, wanted: u64| self.number(unit, format!("{word}_{rest}"), wanted);
        number("KEEP", bits(written | of_rule(Reserved::ShouldBeZeroOrPreserved)));
        number("INITIAL", bits(reset.unwrap_or(0) & written | of_rule(Reserved::One)));
        for field in here {
            let name = constant(field.name);
            number(&format!("{name}_MASK"), bits(field.bits.mask()));
            number(&format!("{name}_SHIFT"), field.bits.low.saturating_sub(first).into());
            for value in field.values {
                number(&format!("{name}_{}", constant(value.name)), value.value.into());
            }
        }
        for of in resets {
            let Some(value) = of.value else { continue };
            let own = of.unit.map(|unit| format!("{word}_RESET_{}", constant(unit)));
            let names: Vec<_> = own.into_iter().chain([format!("{word}_RESET")]).collect();
            self.text(unit, &names, format!("{:x}", bits(value)));
        }
    }

    /// Adds the events and sources of a PMU.
    fn events(&mut self, pmu: Pmu) {
        let unit = pmu.unit.map(|unit| unit.name);
        for group in pmu.groups() {
            for source in group.sources {
                self.number(unit, format!("SOURCE_{}", constant(source.name)), source.id);
            }
            for event in group.events.iter().filter(|event| pmu.has(event.only)) {
                let name = format!("EVENT_{}", constant(event.name));
                let names = [format!("{}_{name}", constant(group.name)), name];
                self.text(unit, &names, format!("{:x}", event.code));
            }
        }
    }
}

#[test]
fn numbers_of_every_header_equal_the_tables() {
    let out = tempfile::tempdir().expect("a temporary directory");
    let folder = out.path().to_str().expect("a path");
    assert_eq!(run(&["c", "--out", folder]).0, 0);
    let [c, cpp, file] = ["all.c", "all.cpp", "all"].map(|name| out.path().join(name));
    for source in [&c, &cpp] {
        fs::write(source, program(out.path())).expect("to write");
    }
    compiles("clang", "c17", &c, &["-fsyntax-only"]);
    compiles("g++", "c++11", &cpp, &["-fsyntax-only"]);
    compiles("clang++", "c++20", &cpp, &["-fsyntax-only"]);
    if !compiles("gcc", "c99", &c, &["-o", file.to_str().expect("a path")]) {
        return;
    }
    let (_, printed, _) = super::program::run(&mut Command::new(file));
    for ip in IPS {
        let of_ip = format!("{} ", ip.name);
        let lines = printed.lines().filter_map(|line| line.strip_prefix(&*of_ip));
        let macros = lines.map(|line| line.split_once(' ').expect("a value")).collect();
        let mut wanted = Wanted { ip: constant(ip.name), macros: &macros, all: Vec::new() };
        wanted.ip(ip);
        for pmu in Pmu::all().filter(|pmu| pmu.ip.name == ip.name) {
            wanted.registers(pmu);
            wanted.events(pmu);
        }
        let mut unseen: HashSet<&str> = macros.keys().copied().collect();
        for (names, text) in &wanted.all {
            let name = names.iter().find(|name| macros.contains_key(name.as_str()));
            let name = name.unwrap_or_else(|| panic!("no {names:?}"));
            assert_eq!(macros[name.as_str()], text, "{name}");
            unseen.remove(name.as_str());
        }
        assert!(macros.len() > 50 && unseen.is_empty(), "{}: {unseen:?}", ip.name);
    }
}
