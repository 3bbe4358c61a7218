//! The program's own help texts.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().expect("to run xtask")
}

#[test]
fn help_fits_one_screen_and_succeeds() {
    for arguments in [&["--help"][..], &["-h"], &["help"]] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stderr.is_empty());
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.lines().count() <= 24, "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert!(text.starts_with("The tasks of this workspace"), "{text}");
    }
}

#[test]
fn the_help_of_each_task_fits_one_screen() {
    let text = String::from_utf8(run(&["--help"]).stdout).expect("text");
    let tasks = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let tasks: Vec<_> = tasks.map_while(|line| line.split_whitespace().next()).collect();
    assert!(tasks.contains(&"gen") && tasks.contains(&"new"), "{tasks:?}");
    for task in tasks {
        let output = run(&["help", task]);
        assert_eq!(output.status.code(), Some(0), "{task}");
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.lines().count() <= 24, "{text}");
    }
}

#[test]
fn an_unknown_task_suggests_a_near_name() {
    for (wrong, near) in [("genn", "'gen'"), ("fuz", "'fuzz'"), ("szie", "'size'")] {
        let output = run(&[wrong]);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(error.contains("similar") && error.contains(near), "{error}");
    }
    let error = String::from_utf8(run(&["gen", "--chekc"]).stderr).expect("text");
    assert!(error.contains("'--check'"), "{error}");
}
