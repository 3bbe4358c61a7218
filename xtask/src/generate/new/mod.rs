//! `cargo xtask new`: the skeleton of a new IP.
//!
//! The files under `xtask/template` are those of an IP of their own, called `skeleton-ip`: a small
//! memory-mapped PMU with a driver, a simulated device and tests. They are copied with the names
//! changed, and the lists that name every IP get one more line each.

mod edit;
mod name;
mod write;

use std::path::Path;

use anyhow::Result;

use crate::output::outln;
use edit::{Edit, edits};
use name::Names;
use write::File;

use crate::generate::lock;

#[derive(clap::Args)]
pub struct Arguments {
    /// The name of the crate, of the directory of its specs, and of the feature of the facade
    #[arg(value_name = "IP")]
    name: String,
    /// What documentation calls it, for example "CoreLink CCI-600"; the name in capitals if left out
    #[arg(long)]
    title: Option<String>,
}

/// # Errors
///
/// If the name cannot be that of a new IP, or a file cannot be read or written. Nothing has changed
/// then.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let names = Names::new(&arguments.name, arguments.title.as_deref())?;
    // A run of `gen` would see half of it.
    lock::writing(root, || make(root, &names))
}

fn make(root: &Path, names: &Names) -> Result<()> {
    write::remove_left_overs(root)?;
    names.are_free(root, TEMPLATE.into_iter().chain(edit::templates()))?;
    let mut files = Vec::new();
    for (path, template) in TEMPLATE {
        files.push(File::Text { path: names.put_into(path), text: names.put_into(template) });
    }
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let path = format!("crates/{}/{license}", names.ip.package);
        files.push(File::Link { path, to: format!("../../{license}") });
    }
    for Edit { path, text } in edits(root, names)? {
        files.push(File::Text { path, text });
    }
    write::all(root, &files)?;
    let package = &names.ip.package;
    outln!("{} files written. Next:", files.len());
    outln!("  1. cargo xtask gen && cargo fmt && cargo test -p {package} -p xtask");
    outln!("     passes: it is a PMU that was made up");
    outln!(
        "  2. put the registers and events of the manual into specs/{package}, with their sources"
    );
    outln!(
        "  3. type them again into crates/arm-pmu-sim/src/{}.rs, and make it hostile",
        names.ip.module
    );
    outln!("  4. write what the driver has to do in crates/{package}/src/hardware.rs");
    Ok(())
}

/// A file of the template: where it goes, and its text.
macro_rules! template {
    ($to:literal, $from:literal) => {
        ($to, include_str!(concat!("../../../template/", $from)))
    };
}

/// Where each file of the template goes, and its text.
const TEMPLATE: [(&str, &str); 18] = [
    template!("specs/skeleton-ip/registers.yaml", "specs/registers.yaml"),
    template!("specs/skeleton-ip/events.yaml", "specs/events.yaml"),
    template!("crates/skeleton-ip/Cargo.toml", "crate/manifest.toml"),
    template!("crates/skeleton-ip/README.md", "crate/README.md"),
    template!("crates/skeleton-ip/src/lib.rs", "crate/src/lib.rs"),
    template!("crates/skeleton-ip/src/monitor.rs", "crate/src/monitor.rs"),
    template!("crates/skeleton-ip/src/pmu.rs", "crate/src/pmu.rs"),
    template!("crates/skeleton-ip/src/probe.rs", "crate/src/probe.rs"),
    template!("crates/skeleton-ip/src/hardware.rs", "crate/src/hardware.rs"),
    template!("crates/skeleton-ip/src/running.rs", "crate/src/running.rs"),
    template!("crates/skeleton-ip/tests/driver.rs", "crate/tests/driver.rs"),
    template!("crates/skeleton-ip/tests/manual.rs", "crate/tests/manual.rs"),
    template!("crates/skeleton-ip/tests/probe.rs", "crate/tests/probe.rs"),
    template!("crates/skeleton-ip/tests/ui.rs", "crate/tests/ui.rs"),
    template!(
        "crates/skeleton-ip/tests/ui/fail/third_counter.rs",
        "crate/tests/ui/fail/third_counter.rs"
    ),
    template!(
        "crates/skeleton-ip/tests/ui/fail/third_counter.stderr",
        "crate/tests/ui/fail/third_counter.stderr"
    ),
    template!(
        "crates/skeleton-ip/tests/ui/pass/legal_neighbours.rs",
        "crate/tests/ui/pass/legal_neighbours.rs"
    ),
    template!("crates/arm-pmu-sim/src/skeleton_ip.rs", "device.rs"),
];
