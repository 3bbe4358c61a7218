//! Compiles the lines of C that the pages show, and compares them with the exported headers.

use std::collections::HashMap;
use std::fs;
use std::process::Command;

use arm_pmu_lookup::export;
use arm_pmu_tables::{IPS, Space};
use site::lines;

/// The output of a program that has to succeed. `None` if the program is missing; in CI, that is a failure.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let Ok(output) = Command::new(program).args(arguments).output() else {
        assert!(std::env::var_os("CI").is_none(), "there is no {program}");
        eprintln!("skipped: there is no {program}");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}\n{said}{complained}");
    Some(said)
}

#[test]
fn c_lines_compile_and_match_the_header() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let folder = directory.path().to_string_lossy();
    let mut checked = HashMap::new();
    for ip in IPS {
        let header = export::c::header(ip).expect("a header");
        fs::write(path(&format!("{}.h", ip.name)), header).expect("a header");
        let (source, object) = (path(&format!("{}.c", ip.name)), path(ip.name));
        let (text, many) = lines::c(ip).expect("lines");
        fs::write(&source, text).expect("a source");
        let (tools, own): (_, &[&str]) = match ip.space {
            Space::Cp15 => ("arm-linux-gnueabihf", &["-march=armv7-a", "-mfpu=vfpv3-d16", "-marm"]),
            _ => ("aarch64-linux-gnu", &[]),
        };
        let warnings = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror"];
        let files = ["-c", "-I", &folder, "-o", &object, &source];
        if output(&format!("{tools}-gcc"), &[&warnings[..], own, &files].concat()).is_none() {
            return;
        }
        let code = output(&format!("{tools}-objdump"), &["-d", &object]).expect("objdump");
        assert_eq!(pairs(&code), many, "{}", ip.name);
        *checked.entry((tools, ip.space.is_core())).or_insert(0) += 1;
    }
    assert!(checked.len() == 3 && checked.values().all(|ips| *ips > 3), "{checked:?}");
}

/// Number of pairs of functions. The two functions of a pair must have the same instructions.
fn pairs(code: &str) -> usize {
    let mut pairs = 0;
    let mut of_page: Option<(&str, Vec<&str>)> = None;
    for function in code.split("\n\n").filter(|text| text.contains(">:\n")) {
        let Some((head, body)) = function.split_once(">:\n") else { continue };
        let Some((_, name)) = head.rsplit_once('<') else { continue };
        // A line has an address, the encoding, and the instruction.
        let body: Vec<_> =
            body.lines().filter_map(|line| line.split_once(":\t")).map(|l| l.1).collect();
        if let Some(number) = name.strip_prefix("of_page_") {
            of_page = Some((number, body));
        } else if let Some(number) = name.strip_prefix("of_header_") {
            assert_eq!(of_page.take(), Some((number, body)));
            pairs += 1;
        }
    }
    pairs
}
