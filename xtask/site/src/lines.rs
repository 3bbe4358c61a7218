//! The lines of Rust and C that the form of a page shows, and programs with all these lines, which tests compile and
//! run.

use std::fmt::Write as _;

use arm_pmu_lookup::export::constant;
use arm_pmu_lookup::programming::{self, Write};
use arm_pmu_tables::{Ip, Location, Pmu, Selection, Space};

use crate::encode;

/// The lines for a selection on a counter. The script fills in the same gaps.
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

/// C code that runs every line on an array, and checks the written place and value with the macros of the exported
/// header. `None` for an IP without memory-mapped registers.
#[must_use]
pub fn c_in_memory(ip: &'static Ip) -> Option<String> {
    if !matches!(ip.registers.first()?.location, Location::Memory { .. }) {
        return None;
    }
    let prefix = constant(ip.name);
    let mut text =
        format!("#include <stdint.h>\n#include <stdio.h>\n#include \"{}.h\"\n\n", ip.name);
    text += "static uint32_t memory[0x40000];\n\
             static int wrong;\n\n\
             static void is(const char *what, uint32_t offset, uint32_t value)\n{\n\
             \x20   uint32_t found = memory[offset / 4];\n\
             \x20   memory[offset / 4] = 0xFFFFFFFFu;\n\
             \x20   if (found == value)\n        return;\n\
             \x20   printf(\"%s: 0x%08lX at 0x%lX\\n\", what, (unsigned long)found, (unsigned long)offset);\n\
             \x20   wrong = 1;\n}\n\n";
    for pmu in pmus(ip) {
        let _ = writeln!(text, "static void {}(uintptr_t base)\n{{", function(pmu));
        for (selection, counter, lines) in all(pmu, pmu.ip.counters.count) {
            let writes = programming::writes(&selection, counter)?;
            for (line, write) in lines.c.iter().zip(&writes) {
                let register = constant(write.register.name);
                let unit = match write.register.location {
                    Location::Memory { page: Some(_), .. } => pmu.unit?.name,
                    _ => "",
                };
                let unit = if unit.is_empty() { String::new() } else { constant(unit) + "_" };
                let offset = match write.element {
                    Some(element) => format!("{prefix}_{unit}{register}_AT({element}u)"),
                    None => format!("{prefix}_{unit}{register}_OFFSET"),
                };
                // The bits of other fields stay unchanged.
                let kept = if write.has_other_fields() { !write.mask() & 0xFFFF_FFFF } else { 0 };
                let value = write.value() | kept;
                let _ = writeln!(text, "    {line}");
                let _ = writeln!(text, "    is(\"{pmu} {selection}\", {offset}, 0x{value:08X}u);");
            }
        }
        text += "}\n\n";
    }
    text += "int main(void)\n{\n    uint32_t n;\n    uintptr_t base = (uintptr_t)memory;\n";
    text += "    for (n = 0; n < sizeof memory / 4; n++)\n        memory[n] = 0xFFFFFFFFu;\n";
    for pmu in pmus(ip) {
        let _ = writeln!(text, "    {}(base);", function(pmu));
    }
    // No line wrote to any other place.
    text += "    for (n = 0; n < sizeof memory / 4; n++)\n        if (memory[n] != 0xFFFFFFFFu)\n            is(\"elsewhere\", 4 * n, 0xFFFFFFFFu);\n";
    text += "    return wrong;\n}\n";
    Some(text)
}

/// C for a core: for each selection, the function `of_page_N` has the page's lines, and `of_header_N` does the same
/// with the macros of the exported header. Also returns the number of these pairs. `None` for an IP whose registers are
/// in memory.
#[must_use]
pub fn c_of_core(ip: &'static Ip) -> Option<(String, usize)> {
    let word = match ip.registers.first()?.location {
        Location::Cp15 { .. } => "uint32_t",
        Location::System { .. } => "uint64_t",
        _ => return None,
    };
    let prefix = constant(ip.name);
    let mut text = format!("#include <stdint.h>\n#include \"{}.h\"\n\n", ip.name);
    let mut n = 0;
    for pmu in pmus(ip) {
        for (selection, counter, lines) in all(pmu, pmu.ip.counters.count) {
            let writes = programming::writes(&selection, counter)?;
            let _ =
                writeln!(text, "void of_page_{n}(void)\n{{\n    {}\n}}\n", lines.c.join("\n    "));
            let _ = writeln!(text, "void of_header_{n}(void)\n{{\n    {word} v;");
            for write in &writes {
                // The cores of one IP have separate registers.
                let unit = pmu.unit.map_or(String::new(), |unit| constant(unit.name) + "_");
                let name = format!("{prefix}_{unit}{}", constant(write.register.name));
                let (load, store) = instructions(write, &name);
                if write.has_other_fields() {
                    let keep = !write.mask() & (u64::MAX >> (64 - write.register.width));
                    let long = if write.register.width > 32 { "lu" } else { "u" };
                    let value = write.value();
                    let _ = writeln!(text, "    __asm__ volatile({load} : \"=r\"(v));");
                    let _ = writeln!(text, "    v = (v & 0x{keep:08X}{long}) | 0x{value:08X}u;");
                } else {
                    let _ = writeln!(text, "    v = 0x{:08X}u;", write.value());
                }
                let _ = writeln!(text, "    __asm__ volatile({store} :: \"r\"(v));");
            }
            text += "}\n\n";
            n += 1;
        }
    }
    Some((text, n))
}

/// The C code that reads and writes a register of a core, with its macro of the exported header.
fn instructions(write: &Write, name: &str) -> (String, String) {
    match write.register.location {
        Location::System { count, .. } => {
            let which = match write.element {
                Some(element) if count > 1 => format!("_{element}"),
                _ => String::new(),
            };
            let register = format!("{name}{which}_SYSREG");
            (format!("\"mrs %0, \" {register}"), format!("\"msr \" {register} \", %0\""))
        }
        _ => (format!("\"mrc \" {name}_CP15"), format!("\"mcr \" {name}_CP15")),
    }
}
