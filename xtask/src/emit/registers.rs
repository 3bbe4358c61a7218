//! `registers.rs` of an IP: where each register is, its typed content, and views of all of them.

use anyhow::Result;
use proc_macro2::TokenStream;
use quote::quote;

use super::{decimal, doc, docs, hex, inner_doc, mask, svd, tidy};
use crate::model::{Block, Ip, Register};
use crate::names::{self, ident};

/// The items of the file.
pub fn emit(ip: &Ip) -> Result<TokenStream> {
    let text = inner_doc(&overview(ip));
    let length = hex(ip.length, 0);
    let view = view(ip);
    let blocks = ip.blocks.iter().enumerate().map(|(n, block)| block_view(ip, n, block));
    let modules = ip.registers.iter().map(|r| module(ip, r)).collect::<Result<Vec<_>>>()?;
    Ok(quote! {
        #text

        use core::fmt;

        use arm_pmu_core::{Bus, Memory};

        use super::field::Reg;

        /// How many bytes have to be mapped, from the base of the IP.
        pub const LENGTH: usize = #length;

        /// Where the registers are.
        pub type Space = Memory<LENGTH>;

        #view
        #(#blocks)*
        #(#modules)*
    })
}

/// The documentation of the file: an address map.
fn overview(ip: &Ip) -> Vec<String> {
    let mut lines = docs::paragraphs([
        format!("Registers of the {}.", ip.title),
        "[`Registers`] gives them on a device; the module of each has its fields, and works without \
         a device too."
            .to_owned(),
    ]);
    lines.push(String::new());
    let rows: Vec<_> =
        ip.registers.iter().map(|r| (offsets(r), link(r), r.title.clone())).collect();
    let [first, second] = [
        rows.iter().map(|row| row.0.len()).max().unwrap_or(0),
        rows.iter().map(|row| row.1.len()).max().unwrap_or(0),
    ];
    lines.push(format!("| {:first$} | {:second$} | |", "offset", "register"));
    lines.push(format!("|{:-<1$}|{2:-<3$}|-|", "", first + 2, "", second + 2));
    for (offset, name, title) in rows {
        lines.push(format!("| {offset:first$} | {name:second$} | {title} |"));
    }
    lines
}

fn link(register: &Register) -> String {
    format!("[{}]({})", register.name, names::register_module(&register.name))
}

/// Where it is, for a table.
fn offsets(register: &Register) -> String {
    let location = &register.location;
    let offset = format!("0x{:05X}", location.offset);
    match location.count {
        1 => offset,
        count => format!("{offset} + {:#X} * n, n = 0 to {}", location.stride, count - 1)
            .replace("0X", "0x"),
    }
}

/// The view of everything outside of blocks, and of the blocks.
fn view(ip: &Ip) -> TokenStream {
    let title = doc(&docs::paragraphs([
        format!("All registers of a {}.", ip.title),
        "It borrows the bus, so nothing that is taken from it outlives the borrow.".to_owned(),
    ]));
    let registers =
        ip.registers.iter().filter(|r| r.location.block.is_none()).map(|r| accessor(r, &quote!(0)));
    let blocks = ip.blocks.iter().map(|block| {
        let (name, view) =
            (ident(&names::block_accessor(&block.name)), ident(&names::block_type(&block.name)));
        let count = decimal(block.count);
        let text =
            doc(&docs::paragraphs([format!("All {} of them: {}", block.count, lower(&block.doc))]));
        quote! {
            #text
            #[inline(always)]
            pub fn #name(&self) -> [#view<'b, B>; #count] {
                let bus = self.bus;
                core::array::from_fn(|index| #view { bus, index })
            }
        }
    });
    quote! {
        #title
        pub struct Registers<'b, B> {
            bus: &'b B,
        }

        impl<'b, B: Bus<Space = Space>> Registers<'b, B> {
            /// The registers behind `bus`, which nobody else can use meanwhile.
            #[inline(always)]
            pub fn new(bus: &'b mut B) -> Self {
                Self { bus }
            }

            /// For this crate's driver, which owns the bus.
            #[allow(dead_code)]
            #[inline(always)]
            pub(crate) fn of(bus: &'b B) -> Self {
                Self { bus }
            }

            #(#registers)*
            #(#blocks)*
        }

        /// The device is not accessed.
        impl<B> fmt::Debug for Registers<'_, B> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("Registers")
            }
        }
    }
}

/// The view of one block.
fn block_view(ip: &Ip, number: usize, block: &Block) -> TokenStream {
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
    let of_block = ip.registers.iter().filter(|r| r.location.block == Some(number));
    let accessors = of_block.map(|r| accessor(r, &quote!(self.index)));
    quote! {
        #text
        pub struct #name<'b, B> {
            bus: &'b B,
            index: usize,
        }

        impl<'b, B: Bus<Space = Space>> #name<'b, B> {
            #(#accessors)*
        }

        /// Which one it is; the device is not accessed.
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
    let location = &register.location;
    if location.block.is_none() && location.count > 1 {
        let count = decimal(location.count);
        let text =
            format!(" {}: {}, all {} of them.", register.name, register.title, location.count);
        return quote! {
            #[doc = #text]
            #[inline(always)]
            pub fn #module(&self) -> [Reg<'b, #module::#spec, B>; #count] {
                let bus = self.bus;
                core::array::from_fn(|index| Reg::new(bus, index))
            }
        };
    }
    let text = format!(" {}: {}.", register.name, register.title);
    quote! {
        #[doc = #text]
        #[inline(always)]
        pub fn #module(&self) -> Reg<'b, #module::#spec, B> {
            Reg::new(self.bus, #index)
        }
    }
}

/// The module of a register.
fn module(ip: &Ip, register: &Register) -> Result<TokenStream> {
    let place = format!("Offset {}", offsets(register));
    let text = doc(&docs::register(register, &place, &ip.manual));
    let name = ident(&names::register_module(&register.name));
    let items = tidy::tidy(svd::render(register)?, register)?;
    // The struct that names the register comes first, its place right after it.
    let (first, rest) = items.split_at(1);
    let located = located(register);
    let reset = register.reset.map(|value| {
        let value = mask(value);
        quote! {
            /// The value after reset.
            pub const RESET: u32 = #value;
        }
    });
    Ok(quote! {
        #text
        pub mod #name {
            use arm_pmu_core::Located;

            use super::Space;
            use crate::generated::field;

            #(#first)*
            #located
            #reset
            #(#rest)*
        }
    })
}

fn located(register: &Register) -> TokenStream {
    let spec = ident(&names::register_spec(&register.name));
    let location = &register.location;
    let key = hex(location.offset, 0);
    let (initial, keep) = (mask(register.initial()), mask(register.keep()));
    let repeats = (location.count > 1).then(|| {
        let (count, stride) = (decimal(location.count), hex(location.stride, 0));
        quote! {
            const COUNT: usize = #count;
            const STRIDE: usize = #stride;
        }
    });
    quote! {
        impl Located for #spec {
            type Space = Space;
            const KEY: usize = #key;
            #repeats
            const INITIAL: u32 = #initial;
            const KEEP: u32 = #keep;
        }
    }
}

/// A sentence that follows a colon.
fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
