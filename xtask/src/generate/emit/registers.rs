//! Generates `registers.rs` of an IP: the places of registers, their typed contents, and views of
//! all registers.

use std::collections::BTreeSet;

use anyhow::{Context, Result};

use super::architecture::{self, Common};
use super::format::comment;
use super::prelude::*;
use super::{mask, svd, tidy, word};

/// Returns the items of a file: for the registers of all units, or of one unit that has its own
/// registers.
pub fn emit(ip: &Ip, unit: Option<usize>) -> Result<Vec<String>> {
    let registers = match unit {
        Some(unit) => ip.registers_of(unit),
        None => ip.registers.clone(),
    };
    let unit = ip.unit(unit);
    let title = unit.map_or(&ip.title, |unit| &unit.title);
    let mut path = names::of_ip(&ip.name).module;
    if let Some(unit) = unit {
        path = format!("{path}::{}", names::unit_module(&unit.name));
    }
    let main_id = unit.map_or(&ip.main_id, |unit| &unit.main_id).as_ref();
    let documentation =
        |register: &Register, place: &str| Some(docs::register(ip, register, place));
    file(ip, &path, (title, main_id), &registers, None, None, &documentation)
}

/// Returns the items of an architecture's file: the registers that all implementations share, and
/// views with the number of counters as a parameter.
pub fn common(of: &Common<'_>, ips: &[&Ip]) -> Result<Vec<String>> {
    let documentation = |register: &Register, place: &str| {
        let shared = of.shared.iter().find(|shared| shared.register.name == register.name);
        architecture::documentation(shared?, place)
    };
    let ip = &of.ip;
    let path = names::of_ip(&ip.name).module;
    let head = (&*ip.title, None);
    if !has_counters(ip) {
        return file(ip, &path, head, &ip.registers, None, None, &documentation);
    }
    let words: Vec<Register> = ip.registers.iter().flat_map(Register::words).collect();
    let largest = words.iter().map(Register::count).max().unwrap_or(1);
    let views_of_all = taken_views(ip, &[], largest);
    let mut items = file(ip, &path, head, &ip.registers, None, Some(views_of_all), &documentation)?;
    let takers = ips.iter().filter(|ip| of.has_views_of(ip));
    let lacks: BTreeSet<_> = takers.map(|ip| of.lacks(ip)).chain([Vec::new()]).collect();
    for lacks in lacks {
        let name = module_of_views(&lacks);
        let left = words.iter().filter(|word| !lacks.contains(&&*word.name));
        let left: Vec<_> = left.cloned().collect();
        let mut title = ip.title.clone();
        if !lacks.is_empty() {
            title += &format!(" without {}", lacks.join(" and "));
        }
        let mut views = views(ip, &title, &left);
        let user_mode = |word: &&Register| word.user.is_some_and(|rule| rule != UserMode::Never);
        if !words.iter().filter(user_mode).any(|word| lacks.contains(&&*word.name))
            && !lacks.is_empty()
        {
            views[2] = "pub use super::views::UserRegisters;\n".to_owned();
        }
        let import = "use super::*;\n".to_owned();
        let views = format::indented(&format::spaced([import].into_iter().chain(views)));
        items.push(format!(
            "/// Views of a {title} with `N` event counters.\npub mod {name} {{\n{views}}}\n"
        ));
    }
    Ok(items)
}

/// Returns the items in the file of one implementation: a view of all its registers, and the registers that other
/// implementations do not share.
pub fn of_implementation(of: &Common<'_>, ip: &Ip) -> Result<Vec<String>> {
    let documentation =
        |register: &Register, place: &str| Some(docs::register(ip, register, place));
    let head = (&*ip.title, ip.main_id.as_ref());
    let views = (has_counters(&of.ip) && of.has_views_of(ip)).then(|| {
        let lacks = of.lacks(ip);
        let import = format!("use crate::generated::registers::{};\n", module_of_views(&lacks));
        let views = taken_views(ip, &lacks, ip.counters.count);
        [import].into_iter().chain(views).collect()
    });
    file(ip, "", head, &ip.registers, Some(of), views, &documentation)
}

/// Returns the documentation of a register; `None` if the register belongs to another file.
type Documentation<'d> = dyn Fn(&Register, &str) -> Option<docs::OfRegister> + 'd;

/// Returns the items of a generated file that defines these registers; `path` is the path of its
/// module. The types that an implementation takes from the architecture are defined in the crate's
/// `registers.rs`.
fn file(
    ip: &Ip,
    path: &str,
    (title, main_id): (&str, Option<&MainId>),
    registers: &[Register],
    of: Option<&Common<'_>>,
    taken_views: Option<Vec<String>>,
    documentation: &Documentation<'_>,
) -> Result<Vec<String>> {
    let words: Vec<Register> = registers.iter().flat_map(Register::words).collect();
    let is_taken = |word: &Register| of.is_some_and(|of| of.has_one_type(word));
    let is_per_counter =
        |word: &Register| word.named().any(|(_, named)| named.per_counter || word.count() > 1);
    // A register type of the architecture has bits and elements for the maximum number of counters,
    // so the documentation states how many exist.
    let limit = (in_core(ip) && words.iter().any(|word| is_taken(word) && is_per_counter(word)))
        .then(|| {
            let count = ip.counters.count;
            format!(
                "The {title} has {count} event counters: in a field with a bit for each counter, bits 0 to {} \
                 exist. The others read as zero.",
                count - 1
            )
        });
    let mut overview = overview(ip, title, &words, limit);
    overview.extend(match of {
        None => example(path, &words),
        Some(_) => vec![String::new(), docs::link_to_example("crate::registers")],
    });
    let mut items = vec![format::marked("//!", &overview)];
    let mut of_blocks = vec![Vec::new(); ip.blocks.len()];
    for word in &words {
        if let Some(of_block) = block_of(word).and_then(|number| of_blocks.get_mut(number)) {
            of_block.push(word);
        }
    }
    let (taken_blocks, blocks): (Vec<_>, Vec<_>) = ip
        .blocks
        .iter()
        .zip(&of_blocks)
        .partition(|(_, words)| words.iter().all(|word| is_taken(word)) && of.is_some());
    if (taken_views.is_none() || is_common(ip)) && has_user_mode(ip, &words) {
        let operands = if let Space::System = ip.space { "SystemRegister, " } else { "" };
        items.push(format!(
            "use arm_pmu_core::bus::{{RegisterAccess, RegisterSpec, {operands}UserMode}};\n"
        ));
    }
    items.push("pub use crate::generated::field;\n".to_owned());
    if of.is_some() {
        let length = matches!(ip.space, Space::Region { .. }).then_some("LENGTH");
        let space = length.into_iter().chain(["Space"]).map(str::to_owned);
        let blocks = taken_blocks.iter().map(|(block, _)| names::block_type(&block.name));
        let taken_words = words.iter().filter(|word| is_taken(word));
        let taken_words = taken_words.map(|word| names::register_module(&word.name));
        let taken: Vec<_> = space.chain(blocks).chain(taken_words).collect();
        items.push(format::import("pub use crate::generated::registers", &taken));
    }
    items.extend(spaces(ip, main_id, title, &words, of.is_some()));
    if in_core(ip) {
        items.extend(taken_views.unwrap_or_else(|| views(ip, title, &words).into()));
    }
    items.extend(places_of_pages(ip));
    let is_shared = ip.architecture.is_some();
    items.extend(blocks.into_iter().map(|(block, words)| block_view(words, block, is_shared)));
    for register in words.iter().filter(|word| !is_taken(word)) {
        items.push(module(ip, register, documentation)?);
    }
    Ok(items)
}

/// Returns the documentation at the head of the generated file, which contains an address map.
fn overview(ip: &Ip, title: &str, words: &[Register], limit: Option<String>) -> Vec<String> {
    let views = match &ip.space {
        Space::Pages(pages) => {
            let views = pages.iter().map(|page| format!("[`{}`]", names::page_view(&page.name)));
            format!("{} give them", views.collect::<Vec<_>>().join(" and "))
        }
        Space::Region { .. } | Space::Cp15 | Space::System => "[`Registers`] gives them".to_owned(),
    };
    let texts = [
        format!("Registers of the {title}."),
        format!(
            "{views} on a device. The module of each register has its fields, and works without a device too."
        ),
    ];
    let mut lines = docs::paragraphs(texts.into_iter().chain(limit));
    lines.push(String::new());
    let rows: Vec<_> = words.iter().map(|r| (place(ip, r), link(r), r.title.clone())).collect();
    let [first, second] = [
        rows.iter().map(|row| row.0.len()).max().unwrap_or(0),
        rows.iter().map(|row| row.1.len()).max().unwrap_or(0),
    ];
    let heading = match ip.space {
        Space::Region { .. } | Space::Pages(_) => "offset",
        Space::Cp15 => "instruction",
        Space::System => "encoding",
    };
    lines.push(format!("| {heading:first$} | {:second$} | |", "register"));
    lines.push(format!("|{:-<1$}|{2:-<3$}|-|", "", first + 2, "", second + 2));
    for (offset, name, title) in rows {
        lines.push(format!("| {offset:first$} | {name:second$} | {title} |"));
    }
    lines
}

/// Returns an example that uses values of a register without a device. The register is the first one that has a one-bit
/// `rw` field. The documentation of each register links to this place.
fn example(path: &str, words: &[Register]) -> Vec<String> {
    let is_plain = |bits: Bits, named: &Named| {
        let is_everywhere = named.elements.is_empty() && named.only.is_empty();
        bits.width() == 1
            && named.access == Access::ReadWrite
            && is_everywhere
            && !named.is_later
            && !named.per_counter
    };
    let found = words.iter().find_map(|word| {
        let (bits, bit) = word.named().find(|(bits, named)| is_plain(*bits, named))?;
        Some((names::register_module(&word.name), names::field_accessor(&bit.name), bits.low))
    });
    let Some((register, bit, low)) = found else {
        return vec![String::new(), docs::link_to_example("crate#how-to")];
    };
    [
        String::new(),
        "# Example".to_owned(),
        String::new(),
        "```".to_owned(),
        format!("use {path}::registers::{register};"),
        String::new(),
        "// A value to write, and the same bits as a read value.".to_owned(),
        format!("let bits = {register}::W::encode(|w| w.{bit}().set_bit());"),
        format!("let value = {register}::R::from_bits(bits);"),
        format!("assert!(value.{bit}().bit_is_set());"),
        "println!(\"{value:?}\");".to_owned(),
        String::new(),
        "// Getters are `const fn`.".to_owned(),
        format!("const IS_SET: bool = {register}::R::from_bits(1 << {low}).{bit}().bit_is_set();"),
        "assert!(IS_SET);".to_owned(),
        "```".to_owned(),
    ]
    .to_vec()
}

fn link(register: &Register) -> String {
    format!("[{}]({})", register.name, names::register_module(&register.name))
}

fn place(ip: &Ip, register: &Register) -> String {
    match (&register.location, &ip.space) {
        (Location::Memory { page: Some(page), .. }, Space::Pages(pages)) => {
            let page = pages.get(*page).map_or("", |page| &page.title);
            format!("{page}, {}", offsets(register, 3))
        }
        (Location::Memory { .. }, _) => offsets(register, 5),
        (Location::Cp15 { operands, .. }, _) => {
            let Operands { opc1, crn, crm, opc2 } = operands;
            format!("p15, {opc1}, Rt, c{crn}, c{crm}, {opc2}")
        }
        (Location::System { register, count, .. }, _) => encodings(*register, *count),
    }
}

/// Formats the encoding of a register, or the first and last encodings of an array.
fn encodings(first: SystemRegister, count: u32) -> String {
    let number = first.crm * 8 + first.op2 + count - 1;
    let last = SystemRegister { crm: number / 8, op2: number % 8, ..first };
    if count == 1 { first.to_string() } else { format!("{first} to {last}") }
}

fn offsets(register: &Register, digits: usize) -> String {
    let Location::Memory { offset, count, stride, .. } = register.location else {
        return String::new();
    };
    let offset = format!("0x{offset:0digits$X}");
    match count {
        1 => offset,
        count => format!("{offset} + {stride:#X} * n, n = 0 to {}", count - 1).replace("0X", "0x"),
    }
}

const fn in_core(ip: &Ip) -> bool {
    matches!(ip.space, Space::Cp15 | Space::System)
}

/// Returns whether the file describes an architecture.
fn is_common(ip: &Ip) -> bool {
    ip.architecture.is_some() && !ip.units.is_empty()
}

fn spaces(
    ip: &Ip,
    main_id: Option<&MainId>,
    title: &str,
    words: &[Register],
    taken: bool,
) -> Vec<String> {
    let space = |name: &str| format!("pub use crate::generated::space::{name};\n");
    match &ip.space {
        Space::Region { length } => {
            let text = if is_common(ip) {
                format!("The registers that every {title} has.")
            } else {
                format!("All registers of {}.", docs::with_article(title))
            };
            let view = view(ip, &text, "Registers", "Space", words);
            if taken {
                return vec![view];
            }
            let doc = "/// Number of bytes to map, from the base of the IP.";
            let length = format!("{doc}\npub const LENGTH: usize = 0x{length:X};\n");
            vec![length, space("Space"), view]
        }
        Space::Pages(pages) => {
            let of_page = |(number, page): (usize, &Page)| {
                let (view_name, space_name) =
                    (names::page_view(&page.name), names::type_name(&page.name));
                let words: Vec<_> =
                    words.iter().filter(|word| on_page(word, number)).cloned().collect();
                let title = docs::lower(&page.title);
                let length = format!(
                    "/// Length of {title} in bytes.\npub const {}_LENGTH: usize = 0x{:X};\n",
                    names::page_offset(&page.name),
                    page.length,
                );
                let text = format!("All registers on {title}. {}", page.doc);
                [length, space(&space_name), view(ip, &text, &view_name, &space_name, &words)]
            };
            pages.iter().enumerate().flat_map(of_page).collect()
        }
        Space::Cp15 | Space::System => {
            let space = (!taken).then(|| space("Space"));
            let main_id = main_id.map(|main_id| {
                let text = doc([
                    "Bits 15 to 4 of the Main ID Register of this processor: its part number."
                        .to_owned(),
                    docs::origin(&main_id.origin, &ip.manual),
                ]);
                format!("{text}pub const MAIN_ID_PART: u16 = 0x{:03X};\n", main_id.part)
            });
            space.into_iter().chain(main_id).collect()
        }
    }
}

fn on_page(register: &Register, number: usize) -> bool {
    matches!(register.location, Location::Memory { page: Some(page), .. } if page == number)
}

/// Returns the view of all registers, the table of accesses in User mode, and the view of the registers that User mode
/// can access. The table and the second view are empty if User mode can access no register.
fn views(ip: &Ip, title: &str, words: &[Register]) -> [String; 3] {
    let all = view(ip, &all_registers(ip, title), "Registers", "Space", words);
    let [access, user_mode] = match has_user_mode(ip, words) {
        true => user_mode(ip, title, words),
        false => Default::default(),
    };
    [all, access, user_mode]
}

/// Returns the same views, as aliases for types of an architecture's module.
fn taken_views(ip: &Ip, lacks: &[&str], counters: u32) -> Vec<String> {
    let module = module_of_views(lacks);
    let alias = |text: String, name: &str| {
        format!("{}pub type {name}<'b, B> = {module}::{name}<'b, B, {counters}>;\n", doc([text]))
    };
    vec![
        format!("pub use {module}::ACCESS;\n"),
        alias(all_registers(ip, &ip.title), "Registers"),
        alias(user_mode_registers(ip, &ip.title), "UserRegisters"),
    ]
}

fn all_registers(ip: &Ip, title: &str) -> String {
    if is_common(ip) {
        format!("The registers that every {title} has.")
    } else {
        format!("All registers of the PMU of {}.", docs::with_article(title))
    }
}

fn user_mode_registers(ip: &Ip, title: &str) -> String {
    let core =
        if is_common(ip) { format!("a core with {title}") } else { docs::with_article(title) };
    let mode = if let Space::System = ip.space { "EL0" } else { "User mode" };
    format!("The PMU registers of {core} that {mode} can access, always or with permission.")
}

/// Returns the name of the module that contains the views of a PMU without these registers.
fn module_of_views(lacks: &[&str]) -> String {
    let modules = lacks.iter().map(|name| names::register_module(name));
    modules.fold("views".to_owned(), |name, lacks| format!("{name}_without_{lacks}"))
}

/// Returns whether there are views for User mode. Only drivers need these views, so an architecture
/// without a driver has none.
fn has_user_mode(ip: &Ip, words: &[Register]) -> bool {
    let has_driver = |ip: &Ip| ip.architecture.as_ref().is_some_and(|of| of.counters.is_some());
    words.iter().any(|register| register.user.is_some()) && (!is_common(ip) || has_driver(ip))
}

/// Returns code: a table of the accesses that User mode has, and a view of the registers in the
/// table.
fn user_mode(ip: &Ip, title: &str, words: &[Register]) -> [String; 2] {
    let with_rule = || words.iter().filter_map(|register| Some((register, register.user?)));
    let count = with_rule().count();
    let rows: String = with_rule()
        .map(|(register, rule)| {
            let name = &register.name;
            let (module, spec) = (names::register_module(name), names::register_spec(name));
            format!(
                "    RegisterAccess::new({name:?}, {module}::{spec}::LOCATION.key(), UserMode::{rule:?}),\n"
            )
        })
        .collect();
    let text = docs::paragraph(&user_mode_registers(ip, title));
    let rows_of_view = with_rule().filter_map(|(register, rule)| match rule {
        UserMode::Enabled => Some(row(register, has_counters(ip))),
        UserMode::Read => {
            let (register, mode) =
                (register, if let Space::System = ip.space { "EL0" } else { "User mode" });
            let text = format!("{}: {}. {mode} can only read it.", register.name, register.title);
            let (module, spec) =
                (names::register_module(&register.name), names::register_spec(&register.name));
            Some(format!("{}{module}: {spec} => R;\n", comment(&[text])))
        }
        UserMode::Never => None,
    });
    let view =
        view_of(&text, "pub", &format!("UserRegisters{}(Space)", parameter(ip)), rows_of_view);
    let (comment_of_access, key) = match ip.space {
        Space::System => (
            "/// Access at EL0 to each register; an array has one row.\n\
             ///\n\
             /// Higher Exception levels have the access of the register itself, unless one above them traps it.",
            "<SystemRegister>",
        ),
        _ => (
            "/// User mode access to each register.\n\
             ///\n\
             /// Privileged modes have the access of the register itself, in both security states.",
            "",
        ),
    };
    let access = format!(
        "{comment_of_access}\npub const ACCESS: [RegisterAccess{key}; {count}] = [\n{rows}];\n"
    );
    [access, view]
}

/// Returns whether the register views have a const parameter for the number of counters.
fn has_counters(ip: &Ip) -> bool {
    is_common(ip) && matches!(ip.space, Space::System)
}

fn parameter(ip: &Ip) -> &'static str {
    if has_counters(ip) { "[N]" } else { "" }
}

/// Returns a module for each unit of an IP with pages: the offsets of the unit's pages.
fn places_of_pages(ip: &Ip) -> Vec<String> {
    let Space::Pages(pages) = &ip.space else { return Vec::new() };
    let module = |unit: &PmuUnit| {
        let text =
            format!("Offsets of the pages in the region of {}.", docs::with_article(&unit.title));
        let text = doc([text, docs::link_to_example("self")]);
        let placed = || pages.iter().zip(&unit.pages);
        let end = placed().map(|(page, of_unit)| of_unit.offset + page.length).max().unwrap_or(0);
        let length = format!(
            "/// Number of bytes to map for all pages, from the base of the unit.\n\
             pub const LENGTH: usize = 0x{end:X};\n"
        );
        let offsets = placed().map(|(page, of_unit)| {
            let mut texts = vec![format!("The offset of {}.", docs::lower(&page.title))];
            if of_unit.origin.confidence != Confidence::A {
                texts.push(docs::origin(&of_unit.origin, &ip.manual));
            }
            let (constant, offset) = (names::page_offset(&page.name), of_unit.offset);
            format!("{}pub const {constant}: usize = 0x{offset:X};\n", doc(texts))
        });
        let items = [length].into_iter().chain(offsets).chain([super::space::region(pages)]);
        let items = format::indented(&format::spaced(items));
        format!("{text}pub mod {} {{\n{items}}}\n", names::unit_module(&unit.name))
    };
    ip.units.iter().map(module).collect()
}

/// Returns the view that has a method for each block, and for each register outside of the blocks.
fn view(ip: &Ip, title: &str, view_name: &str, space: &str, words: &[Register]) -> String {
    let registers =
        words.iter().filter(|r| block_of(r).is_none()).map(|r| row(r, has_counters(ip)));
    let blocks = ip.blocks.iter().map(|block| {
        let (name, view) = (names::block_accessor(&block.name), names::block_type(&block.name));
        let text =
            docs::paragraph(&format!("All {} of them: {}", block.count, docs::lower(&block.doc)));
        format!("{}{name}, {name}_at: [{view}<_>; {}];\n", comment(&text), block.count)
    });
    let text = docs::paragraph(title);
    view_of(
        &text,
        "pub",
        &format!("{view_name}{}({space})", parameter(ip)),
        registers.chain(blocks),
    )
}

/// Returns a call of core's `register_view!` with a row for each method.
fn view_of(
    text: &[String],
    visibility: &str,
    name: &str,
    rows: impl Iterator<Item = String>,
) -> String {
    let head = format!("{}{visibility} struct {name};\n", comment(text));
    let body: String = std::iter::once(head).chain(rows).collect();
    format::call("register_view", &body)
}

fn block_of(register: &Register) -> Option<usize> {
    match register.location {
        Location::Memory { block, .. } => block,
        Location::Cp15 { .. } | Location::System { .. } => None,
    }
}

fn block_view(words: &[&Register], block: &Block, is_common: bool) -> String {
    let name = names::block_type(&block.name);
    let text = docs::paragraphs([
        block.doc.clone(),
        format!(
            "{}, at 0x{:05X} + 0x{:X} * n, n = 0 to {}.",
            block.title,
            block.offset,
            block.stride,
            block.count - 1
        ),
    ]);
    // The code of an implementation's view also creates this view.
    let visibility = if is_common { "pub(crate)" } else { "" };
    let rows = words.iter().map(|register| row(register, false));
    view_of(&text, visibility, &format!("{name}(Space)[index]"), rows)
}

/// Returns the view's row for a register, or for all elements of an array. If the view has the number
/// of counters as a parameter, the array has one element for each counter.
fn row(register: &Register, has_counters: bool) -> String {
    let (name, spec) =
        (names::register_module(&register.name), names::register_spec(&register.name));
    let aliases = aliases(&register.aliases);
    let count = register.count();
    if block_of(register).is_none() && count > 1 {
        let (elements, count) = if has_counters {
            ("one for each event counter".to_owned(), "N".to_owned())
        } else {
            (format!("all {count} of them"), count.to_string())
        };
        let text = format!("{}: {}, {elements}.", register.name, register.title);
        return format!("{}{aliases}{name}, {name}_at: [{spec}; {count}];\n", comment(&[text]));
    }
    let text = comment(&docs::paragraph(&accessor_text(register)));
    format!("{text}{aliases}{name}: {spec};\n")
}

/// Returns other names under which a search finds an item.
fn aliases(aliases: &[String]) -> String {
    aliases.iter().map(|alias| format!("#[doc(alias = {alias:?})]\n")).collect()
}

fn accessor_text(register: &Register) -> String {
    let what = format!("{}: {}", register.name, register.title);
    match register.location.selector() {
        Some(selector) => format!(
            "{what}, of the counter that {}.{} selects. Call [`Bus::synchronize`] between the selection and this access.",
            selector.register, selector.field
        ),
        None => what + ".",
    }
}

/// Returns the module of a register.
fn module(ip: &Ip, register: &Register, documentation: &Documentation<'_>) -> Result<String> {
    let place = match (&register.location, &ip.space) {
        (Location::Cp15 { .. }, _) => format!("`MRC/MCR {}`", place(ip, register)),
        (Location::System { .. }, _) => format!("`MRS/MSR {}`", place(ip, register)),
        (Location::Memory { page: Some(page), .. }, Space::Pages(pages)) => {
            let page = pages.get(*page).map_or("", |page| &page.title);
            format!("{page}, offset {}", offsets(register, 3))
        }
        _ => format!("Offset {}", offsets(register, 5)),
    };
    let docs::OfRegister { mut text, meanings } = documentation(register, &place)
        .with_context(|| format!("{} does not belong to this file", register.name))?;
    text.extend([String::new(), docs::link_to_example("self")]);
    let operands = match register.location {
        Location::Cp15 { .. } => "use arm_pmu_core::bus::Operands;\n",
        Location::System { .. } => "use arm_pmu_core::bus::SystemRegister;\n",
        Location::Memory { .. } => "",
    };
    let space = space_of(ip, register);
    let imports = format!(
        "{operands}use crate::generated::field;\nuse crate::generated::space::{{PERMIT, {space}}};\n"
    );
    let tidied = tidy::tidy(svd::render(register)?, register, &meanings)?;
    let definition = definition(ip, register, &space, &tidied.shown);
    let items = format::indented(&format::spaced([imports, definition]));
    Ok(format!(
        "{}{}pub mod {} {{\n{}}}\n",
        comment(&text),
        aliases(&register.aliases),
        names::register_module(&register.name),
        format::spaced([items, format::of_module(tidied.items)]),
    ))
}

fn space_of(ip: &Ip, register: &Register) -> String {
    let page = match (&register.location, &ip.space) {
        (Location::Memory { page: Some(page), .. }, Space::Pages(pages)) => pages.get(*page),
        _ => None,
    };
    page.map_or_else(|| "Space".to_owned(), |page| names::type_name(&page.name))
}

/// Returns the values after reset as constants, for each unit if they differ.
fn resets(ip: &Ip, register: &Register) -> String {
    let constant = |reset: &Reset| {
        let value = mask(&ip.space, reset.value?);
        let unit = ip.unit(reset.unit);
        // If each unit's registers are in a separate file, a register has only one reset value in
        // that file, so the constant's name does not include the unit.
        let unit = unit.filter(|_| register.resets.len() > 1);
        let (suffix, of) = unit.map_or_else(Default::default, |unit| {
            let of = format!(", in {}", docs::with_article(&unit.title));
            (format!("_{}", names::page_offset(&unit.name)), of)
        });
        Some(format!("/// The value after reset{of}.\npub const RESET{suffix} = {value};\n"))
    };
    register.resets.iter().filter_map(constant).collect()
}

/// Returns a call of core's `register!`, which defines the types of the register.
fn definition(ip: &Ip, register: &Register, space: &str, shown: &[String]) -> String {
    let (name, spec) = (&register.name, names::register_spec(&register.name));
    let location = match register.location {
        Location::Memory { offset, count, stride, .. } if count > 1 => {
            format!("array(PERMIT, 0x{offset:X}, {count}, 0x{stride:X})")
        }
        Location::Memory { offset, .. } => format!("at(PERMIT, 0x{offset:X})"),
        Location::Cp15 { operands: Operands { opc1, crn, crm, opc2 }, .. } => format!(
            "cp15(PERMIT, Operands {{ opc1: {opc1}, crn: {crn}, crm: {crm}, opc2: {opc2} }})"
        ),
        Location::System {
            register: SystemRegister { op0, op1, crn, crm, op2 }, count, ..
        } => {
            let register = format!(
                "SystemRegister {{ op0: {op0}, op1: {op1}, crn: {crn}, crm: {crm}, op2: {op2} }}"
            );
            match count {
                1 => format!("sysreg(PERMIT, {register})"),
                _ => format!("sysregs(PERMIT, {register}, {count})"),
            }
        }
    };
    let (initial, keep) = (mask(&ip.space, register.initial()), mask(&ip.space, register.keep()));
    let shown = match shown {
        [] => String::new(),
        fields => format!("({})", fields.join(", ")),
    };
    let read = register.access.can_read().then(|| format!("read{shown}"));
    let write = register.access.can_write().then(|| "write".to_owned());
    let access = read.into_iter().chain(write).collect::<Vec<_>>().join(", ");
    let access = docs::paragraph(&format!("access {access};")).join("\n    ");
    let body = format!(
        "{name:?}: {spec}({}), {space};\n{location};\ninitial {initial}, keep {keep};\n{access}\n{}",
        word(&ip.space),
        resets(ip, register)
    );
    format::call("register", &body)
}
