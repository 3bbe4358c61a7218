//! Generates `space.rs` of an IP: the spaces of its registers, and the permit for creating
//! locations.

use proc_macro2::Literal;

use super::prelude::*;

pub fn emit(ip: &Ip) -> TokenStream {
    let text = inner_doc(&docs::paragraphs([format!("The register spaces of the {}.", ip.title)]));
    let spaces = match &ip.space {
        Space::Region { length } => vec![memory("Space", "Space of the registers.", *length, None)],
        Space::Pages(pages) => pages
            .iter()
            .enumerate()
            .map(|(number, page)| {
                let text = format!("Space of the registers on {}.", docs::lower(&page.title));
                memory(&names::page_type(&page.name), &text, page.length, Some(number))
            })
            .collect(),
        Space::Cp15 => vec![in_core("Operands", "Cp15Space")],
        Space::System => vec![in_core("SystemRegister", "SysregSpace")],
    };
    quote! {
        #text

        /// Permission to create locations in these spaces.
        ///
        /// The field is private, and so is the module, so no other crate can create a permit.
        #[derive(Clone, Copy, Debug)]
        pub struct Permit(());

        /// For registers that the specs describe.
        pub(super) const PERMIT: Permit = Permit(());

        #(#spaces)*
    }
}

fn memory(name: &str, text: &str, length: u32, page: Option<usize>) -> TokenStream {
    let page = page.map(|number| {
        let number = Literal::usize_unsuffixed(number);
        quote!(const PAGE: usize = #number;)
    });
    let (name, text, length) = (ident(name), format!(" {text}"), hex(length, 0));
    quote! {
        #[doc = #text]
        #[derive(Debug)]
        pub enum #name {}

        impl arm_pmu_core::bus::Space for #name {
            type Key = usize;
            type Permit = Permit;
        }

        impl arm_pmu_core::bus::MemorySpace for #name {
            const LENGTH: usize = #length;
            #page
        }
    }
}

/// Returns the space of a core's registers, with the type that identifies a register in it.
fn in_core(key: &str, space: &str) -> TokenStream {
    let (key, space) = (ident(key), ident(space));
    quote! {
        /// Space of the registers.
        #[derive(Debug)]
        pub enum Space {}

        impl arm_pmu_core::bus::Space for Space {
            type Key = arm_pmu_core::bus::#key;
            type Permit = Permit;
        }

        impl arm_pmu_core::bus::#space for Space {}
    }
}

/// Returns the space of a whole unit with two pages, for the module with the page offsets.
pub fn region(pages: &[Page]) -> TokenStream {
    let [page0, page1] = pages else { return TokenStream::new() };
    let [type0, type1] = [page0, page1].map(|page| ident(&names::page_type(&page.name)));
    let [offset0, offset1] = [page0, page1].map(|page| ident(&names::page_offset(&page.name)));
    quote! {
        /// Space of the whole unit. The region consists of the pages and has no registers of its
        /// own.
        #[derive(Debug)]
        pub enum Region {}

        impl arm_pmu_core::bus::Space for Region {
            type Key = usize;
            type Permit = core::convert::Infallible;
        }

        impl arm_pmu_core::bus::MemorySpace for Region {
            const LENGTH: usize = LENGTH;
        }

        impl arm_pmu_core::bus::TwoPages for Region {
            type Page0 = super::#type0;
            type Page1 = super::#type1;
            const PAGE0: usize = #offset0;
            const PAGE1: usize = #offset1;
        }
    }
}
