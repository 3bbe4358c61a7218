//! Errors from probing a device.

use core::fmt;

use super::product::{self, Product};
use crate::bus::BusError;

/// Probing found a device that the driver does not support.
///
/// The error owns the bus, and [`into_bus`](Self::into_bus) returns the bus. If the bus borrows a local device, the
/// function cannot return the error (`?` causes E0515), but can return its [`kind`](Self::kind):
///
/// ```
/// # use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};
/// # struct Device;
/// # struct Pmu;
/// # impl Pmu { fn probe(bus: &Device) -> Result<Self, ProbeError<&Device>> {
/// #     Err(ProbeError::new(ProbeErrorKind::ReadsAsZero, bus))
/// # } }
/// fn count() -> Result<(), Box<dyn std::error::Error>> {
///     let device = Device;
///     let mut pmu = Pmu::probe(&device).map_err(|error| error.kind())?;
/// #   let _ = &mut pmu;
///     Ok(())
/// }
/// # assert!(count().is_err());
/// ```
///
/// In a function that returns a [`ProbeErrorKind`], `?` compiles without `map_err`.
pub struct ProbeError<B> {
    kind: ProbeErrorKind,
    bus: B,
}

/// Reason for a failed probe. See [`ProbeError::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ProbeErrorKind {
    /// A register access failed.
    BusError(BusError),
    /// All registers read as zero.
    ///
    /// Software in this security state has no access, or the device has no clock or power.
    ReadsAsZero,
    /// All registers read as ones: no device answers at this address.
    ReadsAsOnes,
    /// The part number belongs to another product: see [`product`](Self::product).
    Part {
        /// Part number that was read.
        found: u16,
        /// Part number that the driver supports.
        expected: u16,
    },
    /// The driver does not support this processor: see [`product`](Self::product).
    Processor {
        /// Main ID Register value that the caller passed.
        main_id: u32,
    },
    /// The core has no PMUv3.
    PmuVersion {
        /// ID_AA64DFR0_EL1.PMUVer that the caller passed: 0 without a PMU, 15 for an implementation-defined PMU.
        found: u8,
    },
    /// Privileged software has not opened the PMU to User mode.
    UserModeClosed,
    /// The PMU answers, but its identification registers read as zero.
    ///
    /// The product cannot be identified.
    Unidentified,
    /// The product is supported, but not this revision, whose event codes differ.
    ///
    /// [`driver`](Self::driver) returns the driver of this revision.
    Revision {
        /// Part number that the driver supports.
        part: u16,
        /// Revision code that was read.
        found: u8,
    },
    /// The product is supported, but the registers at the base address belong to another device.
    Architecture {
        /// Value that was read from the device architecture register.
        found: u32,
        /// Value of this register in the PMU.
        expected: u32,
    },
    /// The product is supported, but not its configuration.
    ///
    /// The error text lists the differences: width and page of the counters, filter, capture.
    Configuration {
        /// CFGR value that was read from the SMMUv3 Performance Monitor Counter Group.
        found: u32,
        /// The only CFGR value that the driver supports.
        expected: u32,
    },
    /// The product is supported, but not its number of counters.
    Counters {
        /// Number of counters that the device reports.
        found: u8,
        /// Number of counters that the driver needs.
        expected: u8,
    },
}

impl ProbeErrorKind {
    /// Returns the value that was read, for [`Found::value`](crate::diagnose::Found::value).
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn value(self) -> u32 {
        match self {
            Self::BusError(_) | Self::ReadsAsZero | Self::UserModeClosed | Self::Unidentified => 0,
            Self::ReadsAsOnes => u32::MAX,
            Self::Part { found, .. } => found.into(),
            Self::Processor { main_id } => main_id,
            Self::Revision { found, .. }
            | Self::Counters { found, .. }
            | Self::PmuVersion { found } => found.into(),
            Self::Architecture { found, .. } | Self::Configuration { found, .. } => found,
        }
    }

    /// Returns the name of the product at this address, for example `"CCI-500"`.
    ///
    /// The result is `None` if the part number is unknown, or if the kind is not
    /// [`Part`](Self::Part), [`Processor`](Self::Processor) or [`Revision`](Self::Revision).
    ///
    /// The name depends only on the part number, which Arm assigned. Another designer can use the
    /// same part number for another product.
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
    #[inline]
    pub fn product(self) -> Option<&'static str> {
        self.found().map(|found| found.name)
    }

    /// Returns the path of the driver for the device, for example `"cci400::r0::Pmu"`.
    ///
    /// The result is `None` if there is no driver, or if the kind does not identify the device.
    #[must_use]
    #[inline]
    pub fn driver(self) -> Option<&'static str> {
        match self {
            Self::Revision { part, found } => product::driver_of_revision(part, found),
            _ => self.found()?.driver,
        }
    }

    #[inline]
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
    /// Creates a probe error.
    #[doc(hidden)]
    pub const fn new(kind: ProbeErrorKind, bus: B) -> Self {
        Self { kind, bus }
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ProbeErrorKind {
        self.kind
    }

    /// Consumes the error and returns the bus.
    pub fn into_bus(self) -> B {
        self.bus
    }
}

impl fmt::Display for ProbeErrorKind {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BusError(error) => error.fmt(f),
            Self::ReadsAsZero => f.write_str(
                "everything reads as zero: no access from this security state, or no clock or power",
            ),
            Self::ReadsAsOnes => f.write_str("all bits read as one: no device at this address"),
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
            Self::PmuVersion { found: 0 } => f.write_str("the core has no PMU for this software"),
            Self::PmuVersion { found } => {
                write!(f, "the PMU of the core is not PMUv3: its version reads {found}")
            }
            Self::UserModeClosed => {
                f.write_str("privileged software has not opened the PMU to User mode")
            }
            Self::Unidentified => f.write_str(
                "the PMU answers but the identification registers read as zero (Secure access only?)",
            ),
            Self::Revision { found, .. } => {
                write!(f, "revision code {found}: its event numbers differ from this driver's")?;
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
                write!(f, "the configuration register reads {found:#010x}, expected {expected:#010x}")?;
                write_options(*found, *expected, f)
            }
            Self::Counters { found, expected } => {
                write!(f, "{found} counters, expected {expected}")
            }
        }
    }
}

/// Writes the product name, followed by its driver in parentheses.
#[inline]
fn write_product(found: Option<Product>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match found {
        Some(Product { name, driver: Some(driver), .. }) => write!(f, " ({name}: use {driver})"),
        Some(Product { name, .. }) => write!(f, " ({name})"),
        None => Ok(()),
    }
}

/// Writes the options that differ between two values of CFGR (IHI 0070 10.5.2.13).
#[inline]
fn write_options(found: u32, expected: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut before = ": ";
    // The field SIZE is the width minus one.
    let width = |configuration: u32| (configuration >> 8 & 0x3F) + 1;
    if width(found) != width(expected) {
        write!(f, "{before}counters of {} bits instead of {}", width(found), width(expected))?;
        before = ", ";
    }
    for (bit, one, zero) in [
        (20, "counters on page 1", "counters on page 0"), // RELOC_CTRS
        (21, "interrupts by message", "no interrupts by message"), // MSI
        (22, "capture", "no capture"),                    // CAPTURE
        (23, "one filter for all counters", "a filter for each counter"), // SID_FILTER_TYPE
    ] {
        if (found ^ expected) >> bit & 1 == 1 {
            write!(f, "{before}{}", if found >> bit & 1 == 1 { one } else { zero })?;
            before = ", ";
        }
    }
    Ok(())
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

/// Allows `?` in functions that do not return the bus.
impl<B> From<ProbeError<B>> for ProbeErrorKind {
    fn from(error: ProbeError<B>) -> Self {
        error.kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_returns_the_value_read() {
        for (kind, value) in [
            (ProbeErrorKind::BusError(BusError::new()), 0),
            (ProbeErrorKind::ReadsAsZero, 0),
            (ProbeErrorKind::ReadsAsOnes, u32::MAX),
            (ProbeErrorKind::Part { found: 0x422, expected: 0x420 }, 0x422),
            (ProbeErrorKind::Processor { main_id: 0x410F_B767 }, 0x410F_B767),
            (ProbeErrorKind::PmuVersion { found: 15 }, 15),
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
