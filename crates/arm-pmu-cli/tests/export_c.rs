//! `arm-pmu export c`: the headers as compilers see them, number by number beside the tables.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use arm_pmu_lookup::export::constant;
use arm_pmu_tables::{IPS, Location, Pmu};

/// All warnings that both compilers of GCC and of LLVM have for C and C++.
const WARNINGS: [&str; 7] =
    ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-pedantic-errors", "-Werror"];

/// A program that includes all headers and prints every macro of them; and the names of macros by header.
fn program(ips: &[String], directory: &Path) -> String {
    let mut text = String::from("#include <stdio.h>\n");
    // Twice: the second time there is nothing in them.
    for ip in ips.iter().chain(ips) {
        let _ = writeln!(text, "#include \"{ip}.h\"");
    }
    text += "int main(void)\n{\n";
    for ip in ips {
        let header = fs::read_to_string(directory.join(format!("{ip}.h"))).expect("a header");
        assert!(header.is_ascii() && header.ends_with("_H */\n"), "{ip}");
        for line in header.lines().filter_map(|line| line.strip_prefix("#define ")) {
            let Some((name, _)) = line.split_once(' ') else { continue };
            let _ = match name.split_once('(') {
                Some((name, "n)")) => {
                    // As `.. + MMU600_EVCNTR_STRIDE * (n))`.
                    let end = line.rsplit_once(" + ").expect("a sum").1;
                    let count = end.replace("_STRIDE * (n))", "_COUNT");
                    writeln!(
                        text,
                        "    printf(\"{ip} {name} %lx\\n\", (unsigned long){name}({count} - 1u));"
                    )
                }
                // Parameters have a space between them.
                Some((name, _)) => {
                    let id = format!("{name}(2u, 5u)");
                    writeln!(text, "    printf(\"{ip} {name} %lx\\n\", (unsigned long){id});")
                }
                None if name.ends_with("_CP15") || name.ends_with("_SYSREG") => {
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

/// Compiles and runs it. `None` if there is no such compiler.
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

/// The printed numbers of an IP, by the names of macros.
fn numbers(printed: &str, ip: &str) -> HashMap<String, u64> {
    let lines = printed.lines().filter_map(|line| line.strip_prefix(ip)?.strip_prefix(' '));
    let number = |line: &str| {
        let (name, value) = line.split_once(' ').expect("a value");
        Some((name.to_owned(), u64::from_str_radix(value, 16).ok()?))
    };
    lines.filter_map(number).collect()
}

/// Compares registers, fields and events of a PMU with the tables, and returns how many numbers that were.
fn compare(pmu: Pmu, found: &HashMap<String, u64>) -> usize {
    let ip = constant(pmu.ip.name);
    let of_unit = pmu.unit.map(|unit| format!("{ip}_{}", constant(unit.name)));
    let find = |name: &str| {
        let own = of_unit.as_ref().and_then(|unit| found.get(&format!("{unit}_{name}")));
        own.or_else(|| found.get(&format!("{ip}_{name}"))).copied()
    };
    // A register of 64 bits can be two words.
    let whole = |register: &str, rest: &str| {
        let low =
            find(&format!("{register}{rest}")).or_else(|| find(&format!("{register}_LO{rest}")));
        let high = find(&format!("{register}_HI{rest}")).unwrap_or(0);
        low.unwrap_or(0) | high << 32
    };
    let mut compared = 0;
    let mut equal = |what: &str, found: u64, wanted: u64| {
        assert_eq!(found, wanted, "{pmu}: {what}");
        compared += 1;
    };
    for register in pmu.registers() {
        let name = constant(register.name);
        if let Location::Memory { page, offset, count, stride, .. } = register.location {
            let base = page.zip(pmu.unit).and_then(|(page, unit)| unit.page_offset(page));
            let first = u64::from(base.unwrap_or(0) + offset);
            let find = |end: &str| {
                let place =
                    find(&format!("{name}_{end}")).or_else(|| find(&format!("{name}_LO_{end}")));
                place.unwrap_or_else(|| panic!("{pmu}: {name}_{end}"))
            };
            equal(&name, find("OFFSET"), first);
            if count > 1 {
                equal(&name, find("AT"), first + u64::from(stride * (count - 1)));
            }
        }
        for field in register.fields.iter().filter(|field| pmu.has(field.only)) {
            let mask = format!("_{}_MASK", constant(field.name));
            equal(&format!("{name}{mask}"), whole(&name, &mask), field.bits.mask());
        }
    }
    for group in pmu.groups() {
        for event in group.events.iter().filter(|event| pmu.has(event.only)) {
            let end = format!("EVENT_{}", constant(event.name));
            let own = find(&format!("{}_{end}", constant(group.name)));
            let code = own.or_else(|| find(&end)).unwrap_or_else(|| panic!("{pmu}: {end}"));
            equal(&end, code, event.code.into());
        }
    }
    compared
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
            let found = numbers(&printed, ip.name);
            for pmu in Pmu::all().filter(|pmu| pmu.ip.name == ip.name) {
                assert!(compare(pmu, &found) > 20, "{pmu} in {standard} of {compiler}");
            }
        }
    }
}
