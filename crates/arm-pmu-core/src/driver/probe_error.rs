//! What probing a device can find.

use core::fmt;

use super::product::{self, Product};
use crate::bus::BusError;

/// The device behind a bus is not the one that its driver looked for. Holds the bus.
pub struct ProbeError<B> {
    kind: ProbeErrorKind,
    bus: B,
}

/// What a driver found in place of its device: [`ProbeError::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ProbeErrorKind {
    /// A register access failed.
    BusError(BusError),
    /// Everything reads as zero: this software has no access in its security state, or the device
    /// has no clock or no power.
    ReadsAsZero,
    /// Everything reads as ones: no device answers at this address.
    ReadsAsOnes,
    /// Another product: [`product`](Self::product) names it.
    Part {
        /// The part number that was read.
        found: u16,
        /// The part number of the IP.
        expected: u16,
    },
    /// Another processor: [`product`](Self::product) names it.
    Processor {
        /// The Main ID Register, as the caller read it.
        main_id: u32,
    },
    /// Privileged software has not opened the PMU to User mode.
    UserModeClosed,
    /// The PMU answers, but its identification registers read as zero, so that nothing proves which
    /// product it is.
    Unidentified,
    /// The right product, in a revision with other event numbers: [`driver`](Self::driver) says which driver
    /// is for it.
    Revision {
        /// The part number of the IP.
        part: u16,
        /// The revision code that was read.
        found: u8,
    },
    /// The right product, but not the registers of its PMU: the base is that of another part of it.
    Architecture {
        /// The device architecture register as it was read.
        found: u32,
        /// That of the PMU.
        expected: u32,
    },
    /// The right product, built with options that this driver does not know.
    Configuration {
        /// The configuration register as it was read.
        found: u32,
        /// The one value that this driver knows.
        expected: u32,
    },
    /// The right product with a number of counters that this driver does not know.
    Counters {
        /// The number of counters that was read.
        found: u8,
        /// The number of counters of the IP.
        expected: u8,
    },
}

impl ProbeErrorKind {
    /// The number that was read, as a [diagnosis](crate::diagnose::Diagnosis) reports it.
    #[doc(hidden)]
    #[must_use]
    pub fn value(self) -> u32 {
        match self {
            Self::BusError(_) | Self::ReadsAsZero | Self::UserModeClosed | Self::Unidentified => 0,
            Self::ReadsAsOnes => u32::MAX,
            Self::Part { found, .. } => found.into(),
            Self::Processor { main_id } => main_id,
            Self::Revision { found, .. } | Self::Counters { found, .. } => found.into(),
            Self::Architecture { found, .. } | Self::Configuration { found, .. } => found,
        }
    }

    /// The product that was found in place of the expected one: `"CCI-500"`. `None` if its number is not known,
    /// or if the kind is not [`Part`](Self::Part), [`Processor`](Self::Processor) or
    /// [`Revision`](Self::Revision).
    ///
    /// The number alone decides. It is Arm's, and another designer can use the same.
    ///
    /// ```
    /// use arm_pmu_core::driver::ProbeErrorKind;
    ///
    /// let found = ProbeErrorKind::Part { found: 0x422, expected: 0x423 };
    /// assert_eq!((found.product(), found.driver()), (Some("CCI-500"), Some("cci500::Pmu")));
    /// assert_eq!(
    ///     found.to_string(),
    ///     "part number 0x422 (CCI-500: use cci500::Pmu), expected 0x423 (CCI-550)"
    /// );
    /// ```
    #[must_use]
    pub fn product(self) -> Option<&'static str> {
        self.found().map(|found| found.name)
    }

    /// The driver for the device that was found, by its path: `"cci400::r0::Pmu"`. `None` if this family of
    /// crates has none, or if the kind does not tell.
    #[must_use]
    pub fn driver(self) -> Option<&'static str> {
        match self {
            Self::Revision { part, found } => product::driver_of_revision(part, found),
            _ => self.found()?.driver,
        }
    }

    fn found(self) -> Option<Product> {
        match self {
            Self::Part { found, .. } => product::of_part(found),
            Self::Processor { main_id } => product::of_main_id(main_id),
            Self::Revision { part, .. } => product::of_part(part),
            _ => None,
        }
    }
}

impl<B> ProbeError<B> {
    /// For drivers.
    #[doc(hidden)]
    pub const fn new(kind: ProbeErrorKind, bus: B) -> Self {
        Self { kind, bus }
    }

    /// What was found.
    #[must_use]
    pub const fn kind(&self) -> ProbeErrorKind {
        self.kind
    }

    /// Gives the bus back.
    pub fn into_bus(self) -> B {
        self.bus
    }
}

impl fmt::Display for ProbeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BusError(fault) => fault.fmt(f),
            Self::ReadsAsZero => f.write_str(
                "everything reads as zero: no access from this security state, or no clock or power",
            ),
            Self::ReadsAsOnes => f.write_str("everything reads as ones: no device at this address"),
            Self::Part { found, expected } => {
                write!(f, "part number {found:#05x}")?;
                write_product(self.found(), f)?;
                write!(f, ", expected {expected:#05x}")?;
                match product::of_part(*expected) {
                    Some(expected) => write!(f, " ({})", expected.name),
                    None => Ok(()),
                }
            }
            Self::Processor { main_id } => {
                write!(f, "another processor: its Main ID Register reads {main_id:#010x}")?;
                write_product(self.found(), f)
            }
            Self::UserModeClosed => {
                f.write_str("privileged software has not opened the PMU to User mode")
            }
            Self::Unidentified => f.write_str(
                "the PMU answers but the identification registers read as zero (Secure access only?)",
            ),
            Self::Revision { found, .. } => {
                write!(f, "revision code {found}: its event numbers are not those of this driver")?;
                match self.driver() {
                    Some(driver) => write!(f, "; use {driver}"),
                    None => Ok(()),
                }
            }
            Self::Architecture { found, expected } => {
                write!(
                    f,
                    "the device architecture register reads {found:#010x}, expected {expected:#010x}: \
                     not the registers of a PMU"
                )
            }
            Self::Configuration { found, expected } => {
                write!(f, "the configuration register reads {found:#010x}, expected {expected:#010x}")
            }
            Self::Counters { found, expected } => {
                write!(f, "{found} counters, expected {expected}")
            }
        }
    }
}

/// In parentheses, what was found and the driver for it.
fn write_product(found: Option<Product>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match found {
        Some(Product { name, driver: Some(driver), .. }) => write!(f, " ({name}: use {driver})"),
        Some(Product { name, .. }) => write!(f, " ({name})"),
        None => Ok(()),
    }
}

impl core::error::Error for ProbeErrorKind {}

impl<B> fmt::Display for ProbeError<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl<B> fmt::Debug for ProbeError<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProbeError").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl<B> core::error::Error for ProbeError<B> {}

/// For `?` in functions that do not return the bus.
impl<B> From<ProbeError<B>> for ProbeErrorKind {
    fn from(error: ProbeError<B>) -> Self {
        error.kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_kind_is_the_number_that_was_read() {
        for (kind, value) in [
            (ProbeErrorKind::BusError(BusError::new()), 0),
            (ProbeErrorKind::ReadsAsZero, 0),
            (ProbeErrorKind::ReadsAsOnes, u32::MAX),
            (ProbeErrorKind::Part { found: 0x422, expected: 0x420 }, 0x422),
            (ProbeErrorKind::Processor { main_id: 0x410F_B767 }, 0x410F_B767),
            (ProbeErrorKind::UserModeClosed, 0),
            (ProbeErrorKind::Unidentified, 0),
            (ProbeErrorKind::Revision { part: 0x420, found: 5 }, 5),
            (ProbeErrorKind::Architecture { found: 7, expected: 8 }, 7),
            (ProbeErrorKind::Configuration { found: 9, expected: 8 }, 9),
            (ProbeErrorKind::Counters { found: 6, expected: 4 }, 6),
        ] {
            assert_eq!(kind.value(), value, "{kind}");
        }
    }
}
