//! Recipes, compared with stored ones: one of memory for each program, one of CP15, and one of a device with two pages.
//! `cargo xtask ci recipes` runs all of `recipes/commands.txt` in the programs they are for.

use std::fs;
use std::path::Path;

use snapbox::{Data, assert_data_eq};

mod program;

/// The name of each recipe, and the command that prints it. `cargo xtask linux` has these addresses, where
/// memory stands for registers.
const COMMANDS: &str = include_str!("recipes/commands.txt");

/// Requests without a recipe, each with a part of the message.
const REFUSED: &[(i32, &str, &str)] = &[
    (
        2,
        "arm1176 --count DATA_CACHE_MISS --for devmem",
        "only the core itself and its debugger reach",
    ),
    (2, "arm1176 --count DATA_CACHE_MISS --for u-boot", "use --for openocd"),
    (2, "arm1176 --count DATA_CACHE_MISS --for gdb", "GDB has no commands"),
    (2, "cortex-a8 --count DATA_CACHE_REFILL --for xsdb", "SoCs of AMD"),
    (2, "cortex-a8 --count DATA_CACHE_REFILL --for c", "Use the crate cortex-a8"),
    (2, "arm1176 --base 0x1000 --count DATA_CACHE_MISS --for openocd", "and so no --base"),
    (2, "cci400 --count S3:READ_REQUEST_ANY --for c", "Give its address"),
    (2, "cci400 --base fd6e --count S3:READ_REQUEST_ANY --for c", "`fd6e` is no address"),
    (2, "cci400 --base 0xfd6e0004 --count S3:READ_REQUEST_ANY --for c", "not at a page"),
    (2, "cci400 --base 0xfffffffffffff000 --count S3:READ_REQUEST_ANY --for c", "do not fit"),
    (2, "cci400 --base 0 --count READ_REQUEST_ANY --for c", "needs a source"),
    (1, "cci400 --base 0 --count S3:READ_REQUEST_ALL --for c", "near: READ_REQUEST_ANY"),
    (1, "cci500 --base 0 --count cycles --for c", "has no event `cycles`"),
    (2, "cci400 --base 0 --count cycles cycles --for c", "more than once"),
    (2, "mmu600 --base 0 --count TRANSACTION --for c", "name one: mmu600:tcu"),
    (
        2,
        "mmu600:tbu --base 0 --count TRANSACTION TRANSACTION TRANSACTION TRANSACTION TRANSACTION --for c",
        "5 events, but the PMU has 4 counters",
    ),
    (1, "l2c-310 --base 0 --count DATA_READ_HIT --for c", "its counters saturate"),
    (1, "mmu700:tcu --base 0 --count TLB_MISS --for gdb", "no recipe for mmu700"),
    (2, "cci400 --base 0 --count S3:READ_REQUEST_ANY --for basic", "invalid value 'basic'"),
];

fn run(line: &str) -> (i32, String, String) {
    let output = program::command().arg("recipe").args(line.split(' ')).output().expect("a run");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a status"), text(output.stdout), text(output.stderr))
}

#[test]
fn recipes_are_as_stored() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recipes");
    let mut stored_ones = 0;
    for line in COMMANDS.lines() {
        let (file, line) = line.split_once(": ").expect("a name and a command");
        let (status, made, error) = run(line);
        assert_eq!(status, 0, "{line}: {error}");
        assert!(made.is_ascii(), "{line}");
        let path = folder.join(file);
        if !path.exists() {
            continue;
        }
        stored_ones += 1;
        assert_data_eq!(made, Data::read_from(&path, None).raw());
    }
    // Nothing else, which no command prints, but the list of commands.
    let files = fs::read_dir(folder).expect("a folder").count();
    assert_eq!(files, stored_ones + 1);
}

#[test]
fn a_missing_recipe_has_a_reason() {
    for (status, line, part) in REFUSED {
        let (found, out, error) = run(line);
        assert_eq!((found, out.as_str()), (*status, ""), "{line}");
        assert!(error.contains(part), "{line}: {error}");
    }
}
