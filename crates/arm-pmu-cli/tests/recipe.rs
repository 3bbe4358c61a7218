//! Recipes, compared with stored ones. `cargo xtask ci recipes` runs the stored ones in the programs they are for.
//!
//! `UPDATE_RECIPES=1 cargo test -p arm-pmu-cli --test recipe` stores what the command prints now.

use std::fs;
use std::path::Path;

mod program;

/// Each stored file, and the command that prints it. The addresses are those of `cargo xtask linux`, where
/// memory stands for registers.
const STORED: &[(&str, &str)] = &[
    ("cci400.sh", "cci400 --base 0x5F090000 --count S3:READ_REQUEST_ANY cycles --for devmem"),
    ("zynqmp.sh", "zynqmp --count apu:READ_REQUEST_ANY --for devmem"),
    ("cci400.uboot", "cci400 --base 0x5F090000 --count S3:READ_REQUEST_ANY cycles --for u-boot"),
    ("cci400.gdb", "cci400 --base 0x5F090000 --count S3:READ_REQUEST_ANY cycles --for gdb"),
    ("cci400.openocd", "cci400 --base 0x5F090000 --count S3:READ_REQUEST_ANY cycles --for openocd"),
    ("cci400.xsdb", "cci400 --base 0x5F090000 --count S3:READ_REQUEST_ANY cycles --for xsdb"),
    ("cci400.h", "cci400 --base 0x5F090000 --count S3:READ_REQUEST_ANY cycles --for c"),
    ("cci500.h", "cci500 --base 0x5F100000 --count SI3:READ_DATA_SNOOP_HIT --for c"),
    (
        "mmu600-tbu.sh",
        "mmu600:tbu --base 0x5F31E000 --count TRANSACTION --no-identify --for devmem",
    ),
    ("mmu600-tbu.uboot", "mmu600:tbu --base 0x5F31E000 --count TRANSACTION --for u-boot"),
    ("mmu600-tbu.gdb", "mmu600:tbu --base 0x5F31E000 --count TRANSACTION --for gdb"),
    ("mmu600-tbu.h", "mmu600:tbu --base 0x5F31E000 --count TRANSACTION --for c"),
    ("arm1176.openocd", "arm1176 --count DATA_CACHE_MISS cycles --for openocd"),
    ("cortex-a8.openocd", "cortex-a8 --count DATA_CACHE_REFILL cycles --for openocd"),
];

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
    for (file, line) in STORED {
        let (status, made, error) = run(line);
        assert_eq!(status, 0, "{line}: {error}");
        assert!(made.is_ascii(), "{line}");
        let path = folder.join(file);
        if std::env::var_os("UPDATE_RECIPES").is_some() {
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(path, made).expect("a file");
            continue;
        }
        let stored = fs::read_to_string(path).unwrap_or_default();
        for (stored, made) in stored.lines().zip(made.lines()) {
            assert_eq!(stored, made, "{file}: UPDATE_RECIPES=1 stores the new one");
        }
        assert_eq!(stored.len(), made.len(), "{file}");
    }
    // Nothing else, which no command prints.
    let files = fs::read_dir(folder).expect("a folder").count();
    assert_eq!(files, STORED.len());
}

#[test]
fn what_has_no_recipe_is_refused_with_the_reason() {
    for (status, line, part) in REFUSED {
        let (found, out, error) = run(line);
        assert_eq!((found, out.as_str()), (*status, ""), "{line}");
        assert!(error.contains(part), "{line}: {error}");
    }
}
