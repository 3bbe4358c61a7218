//! Generates `space.rs` of an IP: the spaces of its registers, and the permit for creating
//! locations.

use super::prelude::*;

pub fn emit(ip: &Ip) -> Vec<String> {
    let text = inner_doc([format!("The register spaces of the {}.", ip.title)]);
    let permit = "\
/// Permission to create locations in these spaces.
///
/// The field is private, and so is the module, so no other crate can create a permit.
#[derive(Clone, Copy, Debug)]
pub struct Permit(());

/// The permit for the registers that the specs describe.
pub(super) const PERMIT: Permit = Permit(());
";
    let memory = |name: &str, text: &str, length: u32, page: String| {
        format!(
            "{}
impl arm_pmu_core::bus::MemorySpace for {name} {{
    const LENGTH: usize = 0x{length:X};
{page}}}
",
            space(name, text, "usize", "Permit")
        )
    };
    let in_core = |key: &str, of: &str| {
        let space = space("Space", "Space of the registers.", key, "Permit");
        format!("{space}\nimpl arm_pmu_core::bus::{of} for Space {{}}\n")
    };
    let spaces = match &ip.space {
        Space::Region { length } => {
            vec![memory("Space", "Space of the registers.", *length, String::new())]
        }
        Space::Pages(pages) => {
            let of_page = |(number, page): (usize, &Page)| {
                let text = format!("Space of the registers on {}.", docs::lower(&page.title));
                let number = format!("    const PAGE: usize = {number};\n");
                memory(&names::type_name(&page.name), &text, page.length, number)
            };
            pages.iter().enumerate().map(of_page).collect()
        }
        Space::Cp15 => vec![in_core("arm_pmu_core::bus::Operands", "Cp15Space")],
        Space::System => vec![in_core("arm_pmu_core::bus::SystemRegister", "SysregSpace")],
    };
    [text, permit.to_owned()].into_iter().chain(spaces).collect()
}

/// Returns a space, with the type that identifies a register in it.
fn space(name: &str, text: &str, key: &str, permit: &str) -> String {
    format!(
        "/// {text}
#[derive(Debug)]
pub enum {name} {{}}

impl arm_pmu_core::bus::Space for {name} {{
    type Key = {key};

    type Permit = {permit};
}}
"
    )
}

/// Returns the definition of the space that covers a whole unit with its two pages. It belongs in
/// the module that has the page offsets.
pub fn region(pages: &[Page]) -> String {
    let [page0, page1] = pages else { return String::new() };
    let text = "\
Space of the whole unit. The region consists of the pages and has no registers of its
/// own.";
    format!(
        "{}
impl arm_pmu_core::bus::MemorySpace for Region {{
    const LENGTH: usize = LENGTH;
}}

impl arm_pmu_core::bus::TwoPages for Region {{
    type Page0 = super::{};

    type Page1 = super::{};
    const PAGE0: usize = {};
    const PAGE1: usize = {};
}}
",
        space("Region", text, "usize", "core::convert::Infallible"),
        names::type_name(&page0.name),
        names::type_name(&page1.name),
        names::page_offset(&page0.name),
        names::page_offset(&page1.name),
    )
}
