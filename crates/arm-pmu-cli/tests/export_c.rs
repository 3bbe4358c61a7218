//! `arm-pmu export c`: the headers as compilers see them, number by number beside the Rust.

mod rust_values;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use arm_pmu_tables::{IPS, Ip, Location};
use rust_values::{CODE, SOURCE, Value, Values, constant};

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
                    let id = format!("{name}({SOURCE}u, {CODE}u)");
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

/// What was printed for an IP.
fn values(printed: &str, ip: &str) -> Values {
    let lines = printed.lines().filter_map(|line| line.strip_prefix(ip)?.strip_prefix(' '));
    let value = |line: &str| {
        let (name, value) = line.split_once(' ').expect("a value");
        let number = u64::from_str_radix(value, 16).map(Value::Number);
        (name.to_owned(), number.unwrap_or_else(|_| Value::Text(value.to_owned())))
    };
    lines.map(value).collect()
}

/// Offsets on pages from the base of each unit.
fn placed(ip: &Ip, wanted: &mut Values) {
    let prefix = constant(ip.name);
    let number = |wanted: &Values, name: &str| match wanted.get(name) {
        Some(Value::Number(number)) => *number,
        other => panic!("{name}: {other:?}"),
    };
    for register in ip.registers {
        let Location::Memory { page: Some(page), .. } = register.location else { continue };
        for end in ["", "_LO", "_HI"] {
            let name = format!("{}{end}", constant(register.name));
            let Some(Value::Number(offset)) = wanted.remove(&format!("{prefix}_{name}_OFFSET"))
            else {
                continue;
            };
            for unit in ip.units.iter().map(|unit| constant(unit.name)) {
                let base = number(wanted, &format!("{prefix}_{unit}_{}", constant(page)));
                let offset = Value::Number(base + offset);
                wanted.insert(format!("{prefix}_{unit}_{name}_OFFSET"), offset);
            }
        }
    }
    // Of arrays, the last element.
    for (name, stride) in wanted.clone() {
        let (Some(array), Value::Number(stride)) = (name.strip_suffix("_STRIDE"), stride) else {
            continue;
        };
        let last = stride * (number(wanted, &format!("{array}_COUNT")) - 1);
        let register = array.strip_prefix(&format!("{prefix}_")).expect("a prefix");
        let units =
            ip.units.iter().map(|unit| format!("{prefix}_{}_{register}", constant(unit.name)));
        for place in units.chain([array.to_owned()]) {
            if let Some(Value::Number(offset)) = wanted.get(&format!("{place}_OFFSET")).cloned() {
                wanted.insert(format!("{place}_AT"), Value::Number(offset + last));
            }
        }
    }
}

#[test]
fn every_number_is_that_of_the_rust() {
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
            let mut found = values(&printed, ip.name);
            let mut wanted = rust_values::of_ip(ip);
            assert!(wanted.len() > 50, "{}: {}", ip.name, wanted.len());
            placed(ip, &mut wanted);
            for (name, value) in &wanted {
                assert_eq!(
                    found.remove(name).as_ref(),
                    Some(value),
                    "{name} in {standard} of {compiler}"
                );
            }
            assert!(found.is_empty(), "not in Rust: {found:?}");
        }
    }
}
