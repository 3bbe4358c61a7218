//! `registers.rs` of an IP: where each register is, its typed content, and views of all of them.

use anyhow::{Context, Result};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Item;

use super::architecture::{self, Common};
use super::{decimal, doc, docs, hex, inner_doc, mask, svd, tidy, word};
use crate::generate::model::{
    Access, Bits, Block, Ip, Location, MainId, Named, Operands, Register, Reset, Space,
    SystemRegister, UserMode,
};
use crate::generate::names::{self, ident};

/// The items of the file: of the registers of all units, or of one whose registers differ.
pub fn emit(ip: &Ip, unit: Option<usize>) -> Result<syn::File> {
    let registers = match unit {
        Some(unit) => ip.registers_of(unit),
        None => ip.registers.clone(),
    };
    let unit = unit.and_then(|unit| ip.units.get(unit));
    let title = unit.map_or(&ip.title, |unit| &unit.title);
    let mut path = names::of_ip(&ip.name).module;
    if let Some(unit) = unit {
        path = format!("{path}::{}", names::unit_module(&unit.name));
    }
    let main_id = unit.map_or(&ip.main_id, |unit| &unit.main_id).as_ref();
    let documentation =
        |register: &Register, place: &str| Some(docs::register(ip, register, place));
    file(ip, &path, title, main_id, &registers, &[], &documentation)
}

/// The items of the file of an architecture: the registers that all implementations have alike.
pub fn common(of: &Common<'_>) -> Result<syn::File> {
    let documentation = |register: &Register, place: &str| {
        let shared = of.shared.iter().find(|shared| shared.register.name == register.name);
        architecture::documentation(shared?, place)
    };
    let path = names::of_ip(&of.ip.name).module;
    file(&of.ip, &path, &of.ip.title, None, &of.ip.registers, &[], &documentation)
}

/// The items of the file of one implementation: a view of all its registers, and those that not all
/// implementations have alike.
pub fn of_implementation(of: &Common<'_>, ip: &Ip) -> Result<syn::File> {
    let documentation =
        |register: &Register, place: &str| Some(docs::register(ip, register, place));
    let taken = of.shared.iter().filter(|shared| shared.has_one_type);
    let taken: Vec<&str> = taken.map(|shared| &*shared.register.name).collect();
    file(ip, "", &ip.title, ip.main_id.as_ref(), &ip.registers, &taken, &documentation)
}

/// The documentation of a register; `None` if the register belongs to another file.
type Documentation<'d> = dyn Fn(&Register, &str) -> Option<docs::OfRegister> + 'd;

/// The items of a file with these registers, below the `path`. Those that are `taken` are defined in `registers.rs`
/// of the crate.
fn file(
    ip: &Ip,
    path: &str,
    title: &str,
    main_id: Option<&MainId>,
    registers: &[Register],
    taken: &[&str],
    documentation: &Documentation<'_>,
) -> Result<syn::File> {
    let words: Vec<Register> = registers.iter().flat_map(Register::words).collect();
    let mut overview = overview(ip, title, &words);
    overview.extend(if taken.is_empty() {
        example(path, &words)
    } else {
        vec![String::new(), docs::link_to_example("crate::registers")]
    });
    let text = inner_doc(&overview);
    let spaces = spaces(ip, main_id, title, &words, !taken.is_empty());
    let units = places_of_pages(ip);
    let mut of_blocks = vec![Vec::new(); ip.blocks.len()];
    for word in &words {
        if let Some(of_block) = block_of(word).and_then(|number| of_blocks.get_mut(number)) {
            of_block.push(word);
        }
    }
    let is_taken = |word: &Register| taken.contains(&word.name.as_str());
    let (taken_blocks, blocks): (Vec<_>, Vec<_>) = ip
        .blocks
        .iter()
        .zip(&of_blocks)
        .partition(|(_, words)| words.iter().all(|word| is_taken(word)) && !taken.is_empty());
    let blocks = blocks
        .into_iter()
        .map(|(block, words)| block_view(words, block, ip.architecture.is_some()));
    let taken_blocks =
        taken_blocks.into_iter().map(|(block, _)| ident(&names::block_type(&block.name)));
    let taken_words = words
        .iter()
        .filter(|word| is_taken(word))
        .map(|word| ident(&names::register_module(&word.name)));
    let length = matches!(ip.space, Space::Region { .. }).then(|| quote!(LENGTH,));
    let taken_items = (!taken.is_empty()).then(|| {
        quote! {
            pub use crate::generated::registers::{#length Space #(, #taken_blocks)* #(, #taken_words)*};
        }
    });
    // User mode is a matter of drivers, whose views have all their registers.
    let has_driver = |ip: &Ip| ip.architecture.as_ref().is_some_and(|of| of.counters.is_some());
    let has_user_mode = has_user_mode(&words) && (!is_common(ip) || has_driver(ip));
    let names = match ip.space {
        Space::Region { .. } | Space::Pages(_) => quote!(
            use arm_pmu_core::bus::Bus;
        ),
        Space::Cp15 if has_user_mode => {
            quote!(
                use arm_pmu_core::bus::{Bus, RegisterAccess, RegisterSpec, UserMode};
            )
        }
        Space::System if has_user_mode => {
            quote!(
                use arm_pmu_core::bus::{Bus, RegisterAccess, RegisterSpec, SystemRegister, UserMode};
            )
        }
        Space::Cp15 | Space::System => quote!(
            use arm_pmu_core::bus::Bus;
        ),
    };
    let core = if is_common(ip) { format!("core with {title}") } else { title.to_owned() };
    let access = has_user_mode.then(|| user_mode(ip, &core, &words));
    let mut file: syn::File = syn::parse2(quote! {
        #text

        use core::fmt;

        #names

        pub use crate::generated::field;
        use crate::generated::field::Reg;

        #taken_items
        #(#spaces)*
        #access
        #units
        #(#blocks)*
    })?;
    for register in words.iter().filter(|word| !is_taken(word)) {
        file.items.push(module(ip, register, documentation)?);
    }
    Ok(file)
}

/// The documentation of the file: an address map.
fn overview(ip: &Ip, title: &str, words: &[Register]) -> Vec<String> {
    let views = match &ip.space {
        Space::Pages(pages) => {
            let views = pages.iter().map(|page| format!("[`{}`]", names::page_view(&page.name)));
            format!("{} give them", views.collect::<Vec<_>>().join(" and "))
        }
        Space::Region { .. } | Space::Cp15 | Space::System => "[`Registers`] gives them".to_owned(),
    };
    let mut lines = docs::paragraphs([
        format!("Registers of the {title}."),
        format!(
            "{views} on a device. The module of each register has its fields, and works without a device too."
        ),
    ]);
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

/// The values of the first register that has a plain bit, without a device. The documentation of each register leads
/// here.
fn example(path: &str, words: &[Register]) -> Vec<String> {
    let is_plain = |bits: Bits, named: &Named| {
        let is_everywhere = named.elements.is_empty() && named.only.is_empty();
        bits.width() == 1
            && named.access == Access::ReadWrite
            && is_everywhere
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
        "// A value to write, and the same as it is read.".to_owned(),
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

/// The place of a register, for a table.
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
        (Location::System { register, count }, _) => encodings(*register, *count),
    }
}

/// The encoding, or the first and last of an array.
fn encodings(first: SystemRegister, count: u32) -> String {
    let number = first.crm * 8 + first.op2 + count - 1;
    let last = SystemRegister { crm: number / 8, op2: number % 8, ..first };
    if count == 1 { first.to_string() } else { format!("{first} to {last}") }
}

/// The offset, or all of an array.
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

/// Whether the file is that of an architecture.
fn is_common(ip: &Ip) -> bool {
    ip.architecture.is_some() && !ip.units.is_empty()
}

/// Each space that holds registers, with its view.
fn spaces(
    ip: &Ip,
    main_id: Option<&MainId>,
    title: &str,
    words: &[Register],
    taken: bool,
) -> Vec<TokenStream> {
    match &ip.space {
        Space::Region { length } => {
            let length = hex(*length, 0);
            let text = if is_common(ip) {
                format!("The registers that every {title} has.")
            } else {
                format!("All registers of {}.", docs::with_article(title))
            };
            let view = view(ip, &text, "Registers", "Space", words);
            let space = (!taken).then(|| {
                quote! {
                    /// Number of bytes to map, from the base of the IP.
                    pub const LENGTH: usize = #length;

                    pub use crate::generated::space::Space;
                }
            });
            vec![quote! {
                #space
                #view
            }]
        }
        Space::Pages(pages) => pages
            .iter()
            .enumerate()
            .map(|(number, page)| {
                let length = hex(page.length, 0);
                let constant = ident(&format!("{}_LENGTH", names::page_offset(&page.name)));
                let (view_name, space_name) =
                    (names::page_view(&page.name), names::page_type(&page.name));
                let space = ident(&space_name);
                let of_page: Vec<_> =
                    words.iter().filter(|word| on_page(word, number)).cloned().collect();
                let text = format!("All registers on {}. {}", docs::lower(&page.title), page.doc);
                let view = view(ip, &text, &view_name, &space_name, &of_page);
                let length_doc = format!(" Length of {} in bytes.", docs::lower(&page.title));
                quote! {
                    #[doc = #length_doc]
                    pub const #constant: usize = #length;

                    pub use crate::generated::space::#space;

                    #view
                }
            })
            .collect(),
        Space::Cp15 | Space::System => {
            let main_id = main_id.map(|main_id| {
                let part = hex(main_id.part, 3);
                let text = doc(&docs::paragraphs([
                    "Bits 15 to 4 of the Main ID Register of this processor: its part number."
                        .to_owned(),
                    docs::origin(&main_id.origin, &ip.manual),
                ]));
                quote! {
                    #text
                    pub const MAIN_ID_PART: u16 = #part;
                }
            });
            let text = if is_common(ip) {
                format!("The registers that every {title} has.")
            } else {
                format!("All registers of the PMU of {}.", docs::with_article(title))
            };
            let view = view(ip, &text, "Registers", "Space", words);
            let space = (!taken).then(|| {
                quote!(
                    pub use crate::generated::space::Space;
                )
            });
            vec![quote! {
                #space

                #main_id
                #view
            }]
        }
    }
}

fn on_page(register: &Register, number: usize) -> bool {
    matches!(register.location, Location::Memory { page: Some(page), .. } if page == number)
}

/// Whether the specs describe access in User mode.
fn has_user_mode(words: &[Register]) -> bool {
    words.iter().any(|register| register.user.is_some())
}

/// The table of accesses in User mode, and the view with only these registers.
fn user_mode(ip: &Ip, title: &str, words: &[Register]) -> TokenStream {
    let with_rule = || words.iter().filter_map(|register| Some((register, register.user?)));
    let count = decimal(with_rule().count() as u32);
    let rows = with_rule().map(|(register, rule)| {
        let name = &register.name;
        let module = ident(&names::register_module(name));
        let spec = ident(&names::register_spec(name));
        let rule = match rule {
            UserMode::Enabled => quote!(Enabled),
            UserMode::Never => quote!(Never),
            UserMode::Read => quote!(Read),
        };
        quote!(RegisterAccess::new(#name, #module::#spec::LOCATION.key(), UserMode::#rule),)
    });
    let text = doc(&docs::paragraphs([
        match ip.space {
            Space::System => {
                format!("The registers of the PMU of a {title} to which EL0 has or can get access.")
            }
            _ => format!(
                "The registers of the PMU of a {title} to which User mode has or can get access."
            ),
        },
        "It borrows the bus, so its registers cannot outlive the borrow.".to_owned(),
    ]));
    let accessors = with_rule().filter_map(|(register, rule)| match rule {
        UserMode::Enabled => Some(accessor(register, &quote!(0))),
        UserMode::Read => {
            let module = ident(&names::register_module(&register.name));
            let spec = ident(&names::register_spec(&register.name));
            let mode = if let Space::System = ip.space { "EL0" } else { "User mode" };
            let text = format!(" {}: {}. {mode} can only read it.", register.name, register.title);
            Some(quote! {
                #[doc = #text]
                #[inline(always)]
                pub fn #module(&self) -> #module::R {
                    Reg::<#module::#spec, B>::new(self.bus, 0).read()
                }
            })
        }
        UserMode::Never => None,
    });
    let constructors = constructors();
    let access = match ip.space {
        Space::System => quote! {
            /// Access at EL0 to each register; of an array, the row is that of all elements.
            ///
            /// Higher Exception levels have the access of the register itself, unless one above them traps it.
            pub const ACCESS: [RegisterAccess<SystemRegister>; #count] = [#(#rows)*];
        },
        _ => quote! {
            /// User mode access to each register.
            ///
            /// Privileged modes have the access of the register itself, in both security states.
            pub const ACCESS: [RegisterAccess; #count] = [#(#rows)*];
        },
    };
    quote! {
        #access

        #text
        pub struct UserRegisters<'b, B> {
            bus: &'b B,
        }

        impl<'b, B: Bus<Space = Space>> UserRegisters<'b, B> {
            #constructors

            #(#accessors)*
        }

        /// Does not access the device.
        impl<B> fmt::Debug for UserRegisters<'_, B> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("UserRegisters")
            }
        }
    }
}

/// What names a register of a core in an instruction.
fn operands(register: &Register) -> TokenStream {
    match register.location {
        Location::Cp15 { operands: Operands { opc1, crn, crm, opc2 }, .. } => {
            let [opc1, crn, crm, opc2] = [opc1, crn, crm, opc2].map(decimal);
            quote!(Operands { opc1: #opc1, crn: #crn, crm: #crm, opc2: #opc2 })
        }
        Location::System { register: SystemRegister { op0, op1, crn, crm, op2 }, .. } => {
            let [op0, op1, crn, crm, op2] = [op0, op1, crn, crm, op2].map(decimal);
            quote!(SystemRegister { op0: #op0, op1: #op1, crn: #crn, crm: #crm, op2: #op2 })
        }
        Location::Memory { .. } => TokenStream::new(),
    }
}

/// Where each unit has its pages: a module for each unit.
fn places_of_pages(ip: &Ip) -> TokenStream {
    let Space::Pages(pages) = &ip.space else { return TokenStream::new() };
    let modules = ip.units.iter().map(|unit| {
        let name = ident(&names::unit_module(&unit.name));
        let mut text = vec![format!(
            "Offsets of the pages in the region of {}.",
            docs::with_article(&unit.title)
        )];
        text.extend([String::new(), docs::link_to_example("self")]);
        let text = doc(&text);
        let ends =
            pages.iter().zip(&unit.pages).map(|(page, of_unit)| of_unit.offset + page.length);
        let length = hex(ends.max().unwrap_or(0), 0);
        let region = super::space::region(pages);
        let offsets = pages.iter().zip(&unit.pages).map(|(page, of_unit)| {
            let constant = ident(&names::page_offset(&page.name));
            let mut texts = vec![format!("The offset of {}.", docs::lower(&page.title))];
            if of_unit.origin.confidence != crate::generate::model::Confidence::A {
                texts.push(docs::origin(&of_unit.origin, &ip.manual));
            }
            let text = doc(&docs::paragraphs(texts));
            let offset = hex(of_unit.offset, 0);
            quote! {
                #text
                pub const #constant: usize = #offset;
            }
        });
        quote! {
            #text
            pub mod #name {
                /// Number of bytes to map for all pages, from the base of the unit.
                pub const LENGTH: usize = #length;
                #(#offsets)*
                #region
            }
        }
    });
    quote!(#(#modules)*)
}

/// The view of everything outside of blocks, and of the blocks.
fn view(ip: &Ip, title: &str, view_name: &str, space: &str, words: &[Register]) -> TokenStream {
    let title = doc(&docs::paragraphs([
        title.to_owned(),
        "It borrows the bus, so its registers cannot outlive the borrow.".to_owned(),
    ]));
    let (view, space) = (ident(view_name), ident(space));
    let registers = words.iter().filter(|r| block_of(r).is_none()).map(|r| accessor(r, &quote!(0)));
    let blocks = ip.blocks.iter().map(|block| {
        let (name, view) =
            (ident(&names::block_accessor(&block.name)), ident(&names::block_type(&block.name)));
        let (count, one) = (decimal(block.count), one_of(&name));
        let text = doc(&docs::paragraphs([format!(
            "All {} of them: {}",
            block.count,
            docs::lower(&block.doc)
        )]));
        quote! {
            #text
            #[inline(always)]
            pub fn #name(&self) -> [#view<'b, B>; #count] {
                let bus = self.bus;
                core::array::from_fn(|index| #view { bus, index })
            }

            /// Returns one of them, for this crate's driver: an array of all is more code in a loop.
            #[allow(dead_code)]
            #[inline(always)]
            pub(crate) fn #one(&self, index: usize) -> #view<'b, B> {
                #view { bus: self.bus, index }
            }
        }
    });
    let constructors = constructors();
    quote! {
        #title
        pub struct #view<'b, B> {
            bus: &'b B,
        }

        impl<'b, B: Bus<Space = #space>> #view<'b, B> {
            #constructors

            #(#registers)*
            #(#blocks)*
        }

        /// Does not access the device.
        impl<B> fmt::Debug for #view<'_, B> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(#view_name)
            }
        }
    }
}

/// How users and the driver get at all registers of a bus.
fn constructors() -> TokenStream {
    quote! {
        /// Returns the registers behind `bus`, which stays borrowed.
        #[inline(always)]
        pub fn new(bus: &'b mut B) -> Self {
            Self { bus }
        }

        /// Returns the registers, for this crate's driver, which owns the bus.
        #[allow(dead_code)]
        #[inline(always)]
        pub(crate) fn shared(bus: &'b B) -> Self {
            Self { bus }
        }
    }
}

fn block_of(register: &Register) -> Option<usize> {
    match register.location {
        Location::Memory { block, .. } => block,
        Location::Cp15 { .. } | Location::System { .. } => None,
    }
}

/// The view of one block.
fn block_view(words: &[&Register], block: &Block, is_common: bool) -> TokenStream {
    let name_text = names::block_type(&block.name);
    let name = ident(&name_text);
    let text = doc(&docs::paragraphs([
        block.doc.clone(),
        format!(
            "{}, at 0x{:05X} + 0x{:X} * n, n = 0 to {}.",
            block.title,
            block.offset,
            block.stride,
            block.count - 1
        ),
    ]));
    let accessors = words.iter().map(|r| accessor(r, &quote!(self.index)));
    // The views of implementations make it too.
    let visibility = is_common.then(|| quote!(pub(crate)));
    quote! {
        #text
        pub struct #name<'b, B> {
            #visibility bus: &'b B,
            #visibility index: usize,
        }

        impl<'b, B: Bus<Space = Space>> #name<'b, B> {
            #(#accessors)*
        }

        /// Shows the number of the block. Does not access the device.
        impl<B> fmt::Debug for #name<'_, B> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(#name_text).field(&self.index).finish()
            }
        }
    }
}

/// The method of a view that gives a register, or all elements of an array.
fn accessor(register: &Register, index: &TokenStream) -> TokenStream {
    let module = ident(&names::register_module(&register.name));
    let spec = ident(&names::register_spec(&register.name));
    let count = register.count();
    if block_of(register).is_none() && count > 1 {
        let text = format!(" {}: {}, all {count} of them.", register.name, register.title);
        let (count, one) = (decimal(count), one_of(&module));
        let aliases = aliases(&register.aliases);
        return quote! {
            #[doc = #text]
            #aliases
            #[inline(always)]
            pub fn #module(&self) -> [Reg<'b, #module::#spec, B>; #count] {
                let bus = self.bus;
                core::array::from_fn(|index| Reg::new(bus, index))
            }

            /// Returns one of them, for this crate's driver: an array of all is more code in a loop.
            #[allow(dead_code)]
            #[inline(always)]
            pub(crate) fn #one(&self, index: usize) -> Reg<'b, #module::#spec, B> {
                Reg::new(self.bus, index)
            }
        };
    }
    let text = doc(&docs::paragraphs([accessor_text(register)]));
    let aliases = aliases(&register.aliases);
    quote! {
        #text
        #aliases
        #[inline(always)]
        pub fn #module(&self) -> Reg<'b, #module::#spec, B> {
            Reg::new(self.bus, #index)
        }
    }
}

/// Other names under which a search finds an item.
fn aliases(aliases: &[String]) -> TokenStream {
    aliases.iter().map(|alias| quote!(#[doc(alias = #alias)])).collect()
}

/// The name of the method that gives one element of what the method `all` gives.
fn one_of(all: &Ident) -> Ident {
    format_ident!("{all}_at")
}

fn accessor_text(register: &Register) -> String {
    let what = format!("{}: {}", register.name, register.title);
    match &register.location {
        Location::Cp15 { selected_by: Some(selector), .. } => format!(
            "{what}, of the counter that {}.{} selects. Call [`Bus::synchronize`] between the selection and this access.",
            selector.register, selector.field
        ),
        _ => what + ".",
    }
}

/// The module of a register. What svd2rust made goes in as it is, and is not parsed again.
fn module(ip: &Ip, register: &Register, documentation: &Documentation<'_>) -> Result<Item> {
    let place = match (&register.location, &ip.space) {
        (Location::Cp15 { .. }, _) => format!("`MRC/MCR {}`", place(ip, register)),
        (Location::System { .. }, _) => format!("`MRS/MSR {}`", place(ip, register)),
        (Location::Memory { page: Some(page), .. }, Space::Pages(pages)) => {
            let page = pages.get(*page).map_or("", |page| &page.title);
            format!("{page}, offset {}", offsets(register, 3))
        }
        _ => format!("Offset {}", offsets(register, 5)),
    };
    let documentation = documentation(register, &place)
        .with_context(|| format!("{} is not of the file", register.name))?;
    let mut text = documentation.text;
    text.extend([String::new(), docs::link_to_example("self")]);
    let text = doc(&text);
    let name = ident(&names::register_module(&register.name));
    let space = space_of(ip, register);
    let spec = register_spec(ip, register, &space);
    let resets = resets(ip, register);
    let operands = match register.location {
        Location::Cp15 { .. } => quote!(, Operands),
        Location::System { .. } => quote!(, SystemRegister),
        Location::Memory { .. } => TokenStream::new(),
    };
    let aliases = aliases(&register.aliases);
    let mut module: syn::ItemMod = syn::parse2(quote! {
        #text
        #aliases
        pub mod #name {
            use arm_pmu_core::bus::{Location #operands};

            use crate::generated::field;
            use crate::generated::space::{PERMIT, #space};

            #spec
            #resets
        }
    })?;
    let (_, items) = module.content.get_or_insert_default();
    let mut contents =
        tidy::tidy(svd::render(register)?, register, &documentation.meanings)?.into_iter();
    // The struct that names the register comes first, its place right after it.
    let uses = items.iter().take_while(|item| matches!(item, Item::Use(_))).count();
    items.splice(uses..uses, contents.next());
    items.extend(contents);
    Ok(Item::Mod(module))
}

/// The type of the space that holds the register.
fn space_of(ip: &Ip, register: &Register) -> Ident {
    let page = match (&register.location, &ip.space) {
        (Location::Memory { page: Some(page), .. }, Space::Pages(pages)) => pages.get(*page),
        _ => None,
    };
    page.map_or_else(|| ident("Space"), |page| ident(&names::page_type(&page.name)))
}

/// The value after reset, of each unit if they differ.
fn resets(ip: &Ip, register: &Register) -> TokenStream {
    let constant = |reset: &Reset| {
        let (value, ux) = (mask(&ip.space, reset.value?), word(&ip.space));
        let unit = reset.unit.and_then(|unit| ip.units.get(unit));
        // With registers of its own a unit is the only one here.
        let unit = unit.filter(|_| register.resets.len() > 1);
        let name = match unit {
            Some(unit) => ident(&format!("RESET_{}", names::page_offset(&unit.name))),
            None => ident("RESET"),
        };
        let of =
            unit.map_or(String::new(), |unit| format!(", in {}", docs::with_article(&unit.title)));
        let text = format!(" The value after reset{of}.");
        Some(quote! {
            #[doc = #text]
            pub const #name: #ux = #value;
        })
    };
    register.resets.iter().filter_map(constant).collect()
}

/// The implementation of `RegisterSpec`.
fn register_spec(ip: &Ip, register: &Register, space: &Ident) -> TokenStream {
    let spec = ident(&names::register_spec(&register.name));
    let (initial, keep) = (mask(&ip.space, register.initial()), mask(&ip.space, register.keep()));
    // A location is that of a word of 32 bits if nothing else is said.
    let (ux, of_location) = match ip.space {
        Space::System => (word(&ip.space), quote!(#space, u64)),
        _ => (word(&ip.space), quote!(#space)),
    };
    let location = match register.location {
        Location::Memory { offset, count, stride, .. } if count > 1 => {
            let (offset, count, stride) = (hex(offset, 0), decimal(count), hex(stride, 0));
            quote!(Location::array(PERMIT, #offset, #count, #stride))
        }
        Location::Memory { offset, .. } => {
            let offset = hex(offset, 0);
            quote!(Location::at(PERMIT, #offset))
        }
        Location::Cp15 { .. } => {
            let operands = operands(register);
            quote!(Location::cp15(PERMIT, #operands))
        }
        Location::System { count, .. } if count > 1 => {
            let (first, count) = (operands(register), decimal(count));
            quote!(Location::sysregs(PERMIT, #first, #count))
        }
        Location::System { .. } => {
            let register = operands(register);
            quote!(Location::sysreg(PERMIT, #register))
        }
    };
    // With the path, as a register may be named REGISTER.
    quote! {
        impl arm_pmu_core::bus::RegisterSpec for #spec {
            type Space = #space;
            type Ux = #ux;
            const LOCATION: Location<#of_location> = #location;
            const INITIAL: #ux = #initial;
            const KEEP: #ux = #keep;
        }
    }
}
