//! The pages' lines of C: compiled, run, and compared with the exported headers.

use std::fs;
use std::path::Path;
use std::process::Command;

use arm_pmu_lookup::export;
use arm_pmu_tables::IPS;
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
    let (mut in_memory, mut of_cp15, mut of_aarch64) = (0, 0, 0);
    for ip in IPS {
        let header = export::c::header(ip).expect("a header");
        fs::write(path(&format!("{}.h", ip.name)), header).expect("a header");
        let (source, program) = (path(&format!("{}.c", ip.name)), path(ip.name));
        let warnings = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror"];
        let files = ["-I", &folder, "-o", &program, &source];
        if let Some(text) = lines::c_in_memory(ip) {
            fs::write(&source, text).expect("a source");
            if output("gcc", &[&warnings[..], &files[..]].concat()).is_none() {
                return;
            }
            assert_eq!(output(&program, &[]).as_deref(), Some(""), "{}", ip.name);
            in_memory += 1;
        }
        if let Some((text, many)) = lines::c_of_core(ip) {
            fs::write(&source, text).expect("a source");
            let is_64 = ip.registers[0].width == 64;
            let tools = if is_64 { "aarch64-linux-gnu" } else { "arm-linux-gnueabihf" };
            let own: &[&str] =
                if is_64 { &[] } else { &["-march=armv7-a", "-mfpu=vfpv3-d16", "-marm"] };
            let compiler = format!("{tools}-gcc");
            if output(&compiler, &[&warnings[..], &["-c"], own, &files[..]].concat()).is_none() {
                return;
            }
            let code = output(&format!("{tools}-objdump"), &["-d", &program]).expect("objdump");
            assert_eq!(pairs(&code), many, "{}", Path::new(&program).display());
            if is_64 { of_aarch64 += 1 } else { of_cp15 += 1 }
        }
    }
    assert!(in_memory > 3 && of_cp15 > 3 && of_aarch64 > 1, "{in_memory} {of_cp15} {of_aarch64}");
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
