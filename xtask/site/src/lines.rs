//! The lines of Rust and C that the form on a page shows. Tests compile and run programs that contain all these lines.

use std::fmt::Write as _;

use arm_pmu_lookup::export::constant;
use arm_pmu_lookup::programming::{self, Write};
use arm_pmu_tables::{Ip, Location, Pmu, Selection, Space};

use crate::encode;

/// The lines for a selection on a counter. The script of the page replaces the same placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// A statement for the driver.
    pub rust: String,
    /// A line for each write to a register.
    pub c: Vec<String>,
}

impl Lines {
    /// `None` if the PMU has no such counter.
    #[must_use]
    pub fn new(pmu: Pmu, selection: &Selection, counter: u32) -> Option<Self> {
        let event = encode::rust(pmu, selection.of);
        let event = event.replace("{source}", selection.source.map_or("", |source| source.name));
        let line = |write: &Write| {
            let (_, c) = encode::place(pmu, write);
            c.replace("{value}", &format!("0x{:08X}", write.value()))
        };
        Some(Self {
            rust: format!("pmu.counter({counter}).unwrap().count({event});"),
            c: programming::writes(selection, counter)?.iter().map(line).collect(),
        })
    }
}

/// If an IP can have more counters than this, devices differ in their number of counters, and the driver uses `DEFAULT`
/// unless a program requests more.
const MOST: u32 = 30;
const DEFAULT: u32 = 4;

/// Every selection of a PMU. The selections use the counters in turn.
fn all(pmu: Pmu, counters: u32) -> impl Iterator<Item = (Selection, u32, Lines)> {
    let counters = (0..counters).cycle();
    let lines = move |(selection, counter)| {
        let lines = Lines::new(pmu, &selection, counter)?;
        Some((selection, counter, lines))
    };
    pmu.selections().zip(counters).filter_map(lines)
}

/// Tests for `tests/lines.rs`, one for each PMU: a driver runs every Rust line, and then reports its configuration.
#[must_use]
pub fn rust() -> String {
    let mut text = String::new();
    for pmu in Pmu::all() {
        let name = function(pmu);
        let krate = pmu.ip.rust;
        let unit = pmu.unit.map_or("", |unit| unit.rust);
        let module = if unit.is_empty() { krate.to_owned() } else { format!("{krate}::{unit}") };
        let (parameters, buses) = match pmu.ip.space {
            Space::Pages(pages) => (vec!["_"; pages.len()], vec!["Silent::new()"; pages.len()]),
            _ => (vec!["_"], vec!["Silent::new()"]),
        };
        let (parameters, buses) = (parameters.join(", "), buses.join(", "));
        let _ = writeln!(text, "#[test]\nfn {name}() {{");
        let _ = writeln!(text, "    let mut pmu = <{module}::Pmu<{parameters}>>::new({buses});");
        let count = pmu.ip.counters.count;
        for (selection, counter, lines) in all(pmu, if count > MOST { DEFAULT } else { count }) {
            let _ = writeln!(text, "    {}", lines.rust);
            let _ = writeln!(text, "    counts(pmu.counter({counter}), \"{selection}\");");
        }
        text += "}\n";
    }
    text
}

/// `lines_of_cci400_r0`. Without the prefix, a name could be a keyword, such as `union` in C.
fn function(pmu: Pmu) -> String {
    format!("lines_of_{}", pmu.to_string().replace([':', '-'], "_"))
}

/// The PMUs of an IP.
fn pmus(ip: &Ip) -> impl Iterator<Item = Pmu> {
    Pmu::all().filter(move |pmu| pmu.ip.name == ip.name)
}

/// Returns C code for an IP, with two functions for each selection: `of_page_N` has the lines of the page, and
/// `of_header_N` does the same with the macros of the exported header. Also returns the number of pairs of functions.
#[must_use]
pub fn c(ip: &'static Ip) -> Option<(String, usize)> {
    let (word, parameter) = match ip.registers.first()?.location {
        Location::Memory { .. } => ("uint32_t", "uintptr_t base"),
        Location::System { .. } => ("uint64_t", "void"),
        _ => ("uint32_t", "void"),
    };
    let prefix = constant(ip.name);
    let mut text = format!("#include <stdint.h>\n#include \"{}.h\"\n\n", ip.name);
    let mut n = 0;
    for pmu in pmus(ip) {
        for (selection, counter, lines) in all(pmu, pmu.ip.counters.count) {
            let page = lines.c.join("\n    ");
            let _ = writeln!(text, "void of_page_{n}({parameter})\n{{\n    {page}\n}}\n");
            let _ = writeln!(text, "void of_header_{n}({parameter})\n{{\n    {word} v;");
            for write in &programming::writes(&selection, counter)? {
                let unit = match write.register.location {
                    Location::Memory { page: None, .. } => None,
                    // The cores of one IP have separate registers.
                    _ => pmu.unit,
                };
                let unit = unit.map_or(String::new(), |unit| constant(unit.name) + "_");
                let name = format!("{prefix}_{unit}{}", constant(write.register.name));
                let (load, store) = accesses(write, &name);
                if write.has_other_fields() {
                    let keep = !write.mask() & (u64::MAX >> (64 - write.register.width));
                    let long = if write.register.width > 32 { "lu" } else { "u" };
                    let value = write.value();
                    let _ = writeln!(text, "    {load};");
                    let _ = writeln!(text, "    v = (v & 0x{keep:08X}{long}) | 0x{value:08X}u;");
                } else {
                    let _ = writeln!(text, "    v = 0x{:08X}u;", write.value());
                }
                let _ = writeln!(text, "    {store};");
            }
            text += "}\n\n";
            n += 1;
        }
    }
    Some((text, n))
}

/// The C code that reads a register into `v` and writes it from `v`. The code uses the macro that the exported header
/// defines for the register.
fn accesses(write: &Write, name: &str) -> (String, String) {
    let of_core = |load: String, store: String| {
        (
            format!("__asm__ volatile({load} : \"=r\"(v))"),
            format!("__asm__ volatile({store} :: \"r\"(v))"),
        )
    };
    match write.register.location {
        Location::Memory { .. } => {
            let offset = match write.element {
                Some(element) => format!("{name}_AT({element}u)"),
                None => format!("{name}_OFFSET"),
            };
            let register = format!("*(volatile uint32_t *)(base + {offset})");
            (format!("v = {register}"), format!("{register} = v"))
        }
        Location::System { count, .. } => {
            let which = match write.element {
                Some(element) if count > 1 => format!("_{element}"),
                _ => String::new(),
            };
            let register = format!("{name}{which}_SYSREG");
            of_core(format!("\"mrs %0, \" {register}"), format!("\"msr \" {register} \", %0\""))
        }
        _ => of_core(format!("\"mrc \" {name}_CP15"), format!("\"mcr \" {name}_CP15")),
    }
}
