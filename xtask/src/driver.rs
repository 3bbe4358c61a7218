//! The driver of an IP that is programmed as another one: that one's files, with the names changed.
//!
//! Two IPs with the same PMU have drivers that differ in names only. A crate of IPs to share it would
//! be one more thing to publish and to name in every message of the compiler; so the files are kept the
//! same by the generator, as `field.rs` is.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::emit::{Generated, header};
use crate::files;
use crate::load::load;
use crate::model::Ip;
use crate::names;

/// The tests of a driver that are taken over with it, each as a directory.
const TESTS: [&str; 2] = ["diagnose", "driver"];

/// The most bytes that a file of a driver may have.
const LONGEST: u64 = 1 << 20;

/// The driver of an IP that has that of another, and its tests: the directories and their files.
///
/// Nothing if the driver is written by hand; but if it was taken over before, the directories without
/// a file.
///
/// # Errors
///
/// If there is no driver to take over, or it cannot be read.
pub fn files(root: &Path, ip: &Ip) -> Result<Vec<(String, Vec<Generated>)>> {
    if let Some(name) = &ip.driver {
        return take(root, ip, name).with_context(|| {
            format!("specs/{}/registers.yaml: cannot take the driver of `{name}`", ip.name)
        });
    }
    let tests = TESTS.map(|test| (tests_of(ip, test), "main.rs"));
    let directories = [(driver_of(ip), "mod.rs")].into_iter().chain(tests);
    let left = directories.filter(|(directory, first_file)| {
        files::has_header(&root.join(directory).join(first_file))
    });
    Ok(left.map(|(directory, _)| (directory, Vec::new())).collect())
}

fn driver_of(ip: &Ip) -> String {
    format!("crates/{}/src/driver", ip.name)
}

fn tests_of(ip: &Ip, test: &str) -> String {
    format!("crates/{}/tests/{test}", ip.name)
}

fn take(root: &Path, ip: &Ip, name: &String) -> Result<Vec<(String, Vec<Generated>)>> {
    let of = load(root, std::slice::from_ref(name))?.ips.remove(0);
    let names = [Names::new(&of), Names::new(ip)];
    let krate = format!("crates/{name}");
    // What the crate offers is said in `lib.rs`, which is each crate's own.
    let by_hand = |file: &str| file.ends_with(".rs") && file != "lib.rs";
    let mut driver = renamed(root, &format!("{krate}/src"), by_hand, &names)?;
    if driver.is_empty() {
        bail!("{krate}/src has none of its own");
    }
    let modules = driver.iter().map(|file| {
        let module = file.name.trim_end_matches(".rs");
        format!("pub(crate) mod {module};\n")
    });
    let about = format!("//! The driver, which is that of the {}.\n\n", names[0].product);
    let text = header(&format!("{krate}/src")) + &about + &modules.collect::<String>();
    driver.push(Generated { name: "mod.rs".to_owned(), text });
    let mut taken = vec![(driver_of(ip), driver)];
    let directory = format!("{krate}/tests");
    for test in
        TESTS.iter().filter(|test| root.join(&directory).join(format!("{test}.rs")).exists())
    {
        let mut files = renamed(root, &directory, |file| file == format!("{test}.rs"), &names)?;
        for file in &mut files {
            file.name = "main.rs".to_owned();
        }
        taken.push((tests_of(ip, test), files));
    }
    Ok(taken)
}

/// Files of a directory, with the names changed.
fn renamed(
    root: &Path,
    directory: &str,
    which: impl Fn(&str) -> bool,
    [from, to]: &[Names; 2],
) -> Result<Vec<Generated>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join(directory)).with_context(|| directory.to_owned())? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if !which(name) {
            continue;
        }
        let text = files::read_regular(&path, LONGEST, "a source file");
        let text = text.and_then(|bytes| Ok(String::from_utf8(bytes)?));
        let text = text.with_context(|| path.display().to_string())?;
        let text = text.replace(&from.krate, &to.krate).replace(&from.witness, &to.witness);
        let text = text.replace(&from.product, &to.product);
        let text = header(&format!("{directory}/{name}")) + &text;
        files.push(Generated { name: name.to_owned(), text });
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// What an IP is called.
struct Names {
    /// The crate, in code.
    krate: String,
    /// The simulated device.
    witness: String,
    /// In a sentence.
    product: String,
}

impl Names {
    fn new(ip: &Ip) -> Self {
        let letters = |text: &str| text.replace('-', "").to_lowercase();
        // `CCI-550` of `CoreLink CCI-550 Cache Coherent Interconnect`.
        let product = ip.title.split(' ').find(|word| letters(word) == letters(&ip.name));
        let names = names::of_ip(&ip.name);
        Self {
            krate: names.module,
            witness: names.type_name,
            product: product.unwrap_or(&ip.title).to_owned(),
        }
    }
}
