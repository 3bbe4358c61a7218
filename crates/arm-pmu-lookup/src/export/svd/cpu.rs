//! The processor of an SVD file, which debuggers need.

use super::xml::Xml;
use crate::Error;
use crate::error::refuse;
use crate::near;

/// Cortex-A processors in the schema of CMSIS-SVD 1.3.10.
const NAMES: [&str; 9] = ["CA5", "CA7", "CA8", "CA9", "CA15", "CA17", "CA53", "CA57", "CA72"];

/// A processor and its revision.
#[derive(Debug)]
pub struct Cpu {
    name: &'static str,
    revision: String,
}

impl Cpu {
    /// Parses `CA53` or `CA53:r0p4`.
    ///
    /// # Errors
    ///
    /// Fails if the SVD format has no name for this core.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (name, revision) = text.split_once(':').unwrap_or((text, "r0p0"));
        let known = NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name));
        let name = known.ok_or_else(|| {
            let near = near::suggestion(name, NAMES);
            Error::wrong_use(format!(
                "SVD has no processor `{name}`{near}; there are {}",
                NAMES.join(", ")
            ))
        })?;
        let is_revision = || {
            let (major, minor) = revision.strip_prefix('r')?.split_once('p')?;
            Some(major.parse::<u8>().is_ok() && minor.parse::<u8>().is_ok())
        };
        if is_revision() != Some(true) {
            refuse!("`{revision}` is not a revision, as in --cpu CA53:r0p4");
        }
        Ok(Self { name, revision: revision.to_owned() })
    }

    /// The schema requires all elements; the last two describe the interrupt controller of Cortex-M.
    pub fn write(&self, xml: &mut Xml) {
        xml.open("cpu", &[]);
        xml.element("name", self.name);
        xml.element("revision", &self.revision);
        xml.element("endian", "little");
        xml.element("nvicPrioBits", "0");
        xml.element("vendorSystickConfig", "false");
        xml.close("cpu");
    }
}
