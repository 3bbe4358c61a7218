//! The task `export c`: the headers as compilers see them, number by number beside the Rust.

mod rust_values;
mod workspace;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use rust_values::{CODE, SOURCE, Value, Values};

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
                    let count = name.replace("_AT", "_COUNT");
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
                None if name.ends_with("_CP15") => {
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

#[test]
fn every_number_is_that_of_the_rust() {
    let out = tempfile::tempdir().expect("a temporary directory");
    workspace::real(&["export", "c", "--out", out.path().to_str().expect("text")]);
    let ips = workspace::real_ips();
    let text = program(&ips, out.path());
    for (compiler, standard, name) in [
        ("cc", "c99", "all.c"),
        ("cc", "c17", "all.c"),
        ("c++", "c++11", "all.cpp"),
        ("c++", "c++20", "all.cpp"),
    ] {
        let source = out.path().join(name);
        fs::write(&source, &text).expect("to write");
        let Some(printed) = printed(compiler, standard, &source) else { continue };
        for ip in &ips {
            let mut found = values(&printed, ip);
            let mut wanted = rust_values::of_ip(ip);
            assert!(wanted.len() > 50, "{ip}: {}", wanted.len());
            // Of arrays, the last element.
            for (name, stride) in wanted.clone() {
                let (Some(array), Value::Number(stride)) = (name.strip_suffix("_STRIDE"), stride)
                else {
                    continue;
                };
                let number = |of: &str| match wanted.get(&format!("{array}_{of}")) {
                    Some(Value::Number(number)) => *number,
                    other => panic!("{array}: {other:?}"),
                };
                let last = number("OFFSET") + stride * (number("COUNT") - 1);
                wanted.insert(format!("{array}_AT"), Value::Number(last));
            }
            for (name, value) in &wanted {
                assert_eq!(found.remove(name).as_ref(), Some(value), "{name} in {standard}");
            }
            assert!(found.is_empty(), "not in Rust: {found:?}");
        }
    }
}

#[test]
fn texts_end_no_comment() {
    let workspace = workspace::Workspace::new();
    let odd = "title: \"*/ #error /* // ??/ \\\\\"\n";
    for (file, title) in [
        ("registers", "title: DEMO-1 Example Interconnect\n"),
        ("registers", "title: Lock Access Register\n"),
        ("events", "title: slave interface\n"),
    ] {
        workspace.change(&format!("specs/demo/{file}.yaml"), title, odd);
    }
    let out = workspace.path("out");
    workspace.ok(&["export", "c", "--out", out.to_str().expect("text")]);
    let source = out.join("one.c");
    let text = "#include <stdio.h>\n#include \"demo.h\"\nint main(void)\n{\n    printf(\"demo LOCK %x\\n\", \
                DEMO_LOCK_OFFSET);\n    return 0;\n}\n";
    fs::write(&source, text).expect("to write");
    for standard in ["c99", "c17"] {
        if let Some(printed) = printed("cc", standard, &source) {
            assert_eq!(printed, "demo LOCK 4\n");
        }
    }
}
