//! Tests of completion and manual pages with shells and page readers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

mod program;

/// Standard output of a program, followed by its errors. `None` if the program is not installed; CI requires it.
fn printed(program: &str, arguments: &[&str]) -> Option<String> {
    let own = program::path();
    let own = own.parent().expect("a directory");
    let path = format!("{}:{}", own.display(), std::env::var("PATH").expect("a path"));
    let mut command = Command::new(program);
    command.args(arguments).env("PATH", path).current_dir(env!("CARGO_MANIFEST_DIR"));
    let Ok(output) = command.stdin(Stdio::null()).output() else {
        assert!(std::env::var_os("CI").is_none(), "there is no {program}");
        eprintln!("skipped: there is no {program}");
        return None;
    };
    let text = [output.stdout, output.stderr].concat();
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// Lines that a user types, each with the candidates that the shell offers.
const TYPED: [(&str, &[&str]); 6] = [
    ("arm-pmu enc", &["encode"]),
    ("arm-pmu show cci400:", &["cci400:r1", "cci400:r0"]),
    ("arm-pmu show cci550 si3:read_data_s", &["si3:read_data_snoop_hit", "si3:read_data_stall"]),
    ("arm-pmu decode cci550 EVENT_S", &["EVENT_SELECT="]),
    ("arm-pmu stat -e cci550:SI3:READ_REQUEST_A", &["cci550:SI3:READ_REQUEST_ANY"]),
    ("arm-pmu report READ", &["README.md"]),
];

#[test]
fn bash_offers_the_same_candidates() {
    for (line, expected) in TYPED {
        // In bash, `$2` is the text after the last colon or equals sign.
        let last = line.rsplit([' ', ':', '=']).next().unwrap_or_default();
        let front =
            line.rsplit(' ').next().unwrap_or_default().strip_suffix(last).expect("a front");
        let script = format!(
            "source <(arm-pmu completions bash); COMP_LINE='{line}'; COMP_POINT={}; \
             _arm_pmu arm-pmu '{last}' x; printf '{front}%s\\n' \"${{COMPREPLY[@]}}\"",
            line.len()
        );
        let Some(offered) = printed("bash", &["-c", &script]) else { return };
        assert_eq!(offered.lines().collect::<Vec<_>>(), expected, "{line}");
    }
}

#[test]
fn bash_has_a_completion_function() {
    let script = "source <(arm-pmu completions bash); complete -p arm-pmu";
    let Some(registered) = printed("bash", &["-c", script]) else { return };
    assert_eq!(registered, "complete -F _arm_pmu arm-pmu\n");
}

#[test]
fn fish_offers_the_same_candidates() {
    for (line, expected) in TYPED {
        let script = format!("arm-pmu completions fish | source; complete -C '{line}'");
        let Some(offered) = printed("fish", &["--no-config", "-c", &script]) else { return };
        let names = offered.lines().map(|line| line.split('\t').next().unwrap_or_default());
        assert_eq!(names.collect::<Vec<_>>(), expected, "{line}");
    }
}

/// Without a terminal, zsh does not complete, so the test prints the candidates that the script passes to zsh.
#[test]
fn zsh_offers_the_same_candidates() {
    for (line, expected) in TYPED {
        let words = line.split(' ').count();
        let script = format!(
            "compdef() {{}}; _describe() {{ print -rl -- \"${{(P@)argv[-1]}}\" }}; \
             source <(arm-pmu completions zsh); words=({line}); CURRENT={words}; \
             _clap_dynamic_completer_arm_pmu"
        );
        let Some(offered) = printed("zsh", &["-f", "-c", &script]) else { return };
        // zsh escapes colons in names, so an unescaped colon ends the name.
        let name = |line: &str| {
            let line = line.replace("\\:", "\0");
            line.split(':').next().unwrap_or_default().replace('\0', ":")
        };
        assert_eq!(offered.lines().map(name).collect::<Vec<_>>(), expected, "{line}");
    }
}

/// Writes the pages, and returns their paths.
fn pages(name: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let output = program::command().arg("man").arg(&directory).output();
    let output = output.expect("a run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let written = String::from_utf8_lossy(&output.stdout).into_owned();
    let pages: Vec<_> = written.lines().map(PathBuf::from).collect();
    assert!(pages.len() >= 10 && pages.iter().all(|page| page.is_file()), "{pages:?}");
    pages
}

#[test]
fn mandoc_accepts_the_pages() {
    for page in pages("mandoc") {
        let page = page.to_str().expect("a path");
        let Some(said) = printed("mandoc", &["-T", "lint", "-W", "warning", page]) else { return };
        // Pages have a version in place of a date.
        let said: Vec<_> = said.lines().filter(|line| !line.contains("missing date")).collect();
        assert!(said.is_empty(), "{said:?}");
    }
}

#[test]
fn a_page_matches_the_help() {
    let pages = pages("help");
    let perf = pages.iter().find(|page| page.ends_with("arm-pmu-perf.1")).expect("a page");
    let page = fs::read_to_string(perf).expect("a page").replace('\\', "");
    for part in [
        ".TH ARM-PMU-PERF 1 ",
        "[-- <COMMAND>...]",
        "fB--stream",
        "One StreamID, or a span: 0x42, 0x40..0x44",
        "\narm-pmu perf arm1176 DATA_CACHE_MISS -- ./bench\n",
        ".SH \"EXIT STATUS\"",
        "arm-pmu-report(1)",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
}

#[test]
fn unwritable_pages_are_an_error() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("a file");
    fs::write(&file, "").expect("a file");
    let output = program::command().arg("man").arg(&file).output();
    let output = output.expect("a run");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains("cannot be written"), "{error}");
}
