//! Diagnosis of devices that no kernel driver uses.
#![allow(unsafe_code)]

use arm_pmu_core::bus::{MemorySpace, TwoPages};
use arm_pmu_core::diagnose::{Diagnose, Diagnosis, Finding, Outcome};

use super::error::Error;
use super::place::Place;
use super::registers::Registers;
use crate::traffic::Lines;

/// Declares each device from one row.
macro_rules! devices {
    ($(
        #[doc = $doc:literal]
        $Device:ident = $name:literal, $kind:ident $place:ident $krate:ident $(:: $unit:ident)?;
    )*) => {
        /// A memory-mapped device. The kernel uses its PMU registers only in a PMU driver.
        ///
        /// An L2C-310 is excluded, because the kernel uses its other registers for cache
        /// maintenance.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Device {
            $( #[doc = $doc] $Device, )*
        }

        impl Device {
            /// All devices.
            pub const ALL: &'static [Self] = &[$( Self::$Device ),*];

            /// Finds a device by its name in the tables: `cci400:r1`, `cci550`, `mmu600:tcu`.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $( $name => Some(Self::$Device), )*
                    _ => None,
                }
            }

            /// Offset and length of the PMU's registers. The other registers of an SMMU belong to the SMMU driver.
            fn pages(self) -> Vec<(u64, usize)> {
                match self {
                    $( Self::$Device => pages!($place $krate $($unit)?), )*
                }
            }

            /// Runs the diagnosis of the PMU's driver.
            fn run(self, place: &Place, work: impl FnMut()) -> Result<DeviceDiagnosis, Error> {
                Ok(match self {
                    $( Self::$Device => diagnose!($kind $place place work $krate $($unit)?), )*
                })
            }
        }
    };
}

macro_rules! pages {
    (region $krate:ident $($unit:ident)?) => {
        vec![(0, $krate::Space::LENGTH)]
    };
    (pages $krate:ident $unit:ident) => {
        both::<$krate::registers::$unit::Region>()
    };
}

macro_rules! diagnose {
    // Outside of Secure state, reading the identification of a CCI-400 can be fatal.
    (cci400 region $place:ident $work:ident $krate:ident $unit:ident) => {
        report(&$krate::$unit::Pmu::new(open_first($place)?).diagnose_counters(None, $work))
    };
    ($kind:ident region $place:ident $work:ident $krate:ident) => {
        report(&$krate::Pmu::new(open_first($place)?).diagnose_with(None, $work))
    };
    ($kind:ident pages $place:ident $work:ident $krate:ident $unit:ident) => {{
        let (page0, page1) = open_pages::<$krate::registers::$unit::Region>($place)?;
        report(&$krate::$unit::Pmu::new(page0, page1).diagnose_with(None, $work))
    }};
}

include!("generated/devices.rs");

/// Result of the diagnosis of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceDiagnosis {
    /// Outcome of the diagnosis.
    pub outcome: Outcome,
    /// Findings, the most decisive first.
    pub findings: Vec<DeviceFinding>,
}

/// A finding of any device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceFinding {
    /// Name such as `NIDEN_LOW`.
    pub name: &'static str,
    /// Value that was read.
    pub value: u32,
    /// Cause, value, fix and source, on one line each.
    pub text: String,
}

/// Offset of PMCR in a CCI. Software in both security states can read the register.
const PMCR: usize = 0x100;

/// Bytes to write and read while counting: more than the size of most caches.
const WORK: usize = 8 << 20;

impl Device {
    /// Checks that the kernel does not use the PMU's registers. Does not access the device.
    ///
    /// The place is the base address of the device; for a TBU, the base address of the TBU.
    ///
    /// # Errors
    ///
    /// Fails in the cases of [`Place::check`].
    pub fn check(self, place: &Place) -> Result<(), Error> {
        self.pages()
            .into_iter()
            .try_for_each(|(offset, length)| place.at(offset).check(length as u64))
    }

    /// Runs the driver's diagnosis of zero counts, while this process writes and reads memory.
    ///
    /// The driver identifies the device before any write, and restores the registers that it wrote. The identification
    /// of a CCI-400 is not read, because outside of Secure state the read can be fatal.
    ///
    /// A wrong address has the risks of a program that writes to the file `/dev/mem`: the device at this address is
    /// read and possibly written. [`Place::i_may_crash`] accepts this risk. The memory of the calling process is safe.
    ///
    /// # Errors
    ///
    /// Fails if the kernel uses the registers or does not map them, if the risk was not accepted, or if
    /// the first read fails.
    pub fn diagnose(self, place: &Place) -> Result<DeviceDiagnosis, Error> {
        // All pages are checked before the first access.
        self.check(place)?;
        let mut lines = Lines::new(WORK);
        self.run(place, || {
            lines.write();
        })
    }
}

fn both<S: TwoPages>() -> Vec<(u64, usize)> {
    vec![(S::PAGE0 as u64, S::Page0::LENGTH), (S::PAGE1 as u64, S::Page1::LENGTH)]
}

fn open<S: MemorySpace>(place: &Place) -> Result<Registers<S>, Error> {
    // SAFETY: no kernel driver uses the registers, and the bus lives for one diagnosis. With `i_may_crash`, the
    // caller accepts the risk that the device is missing or that another program maps the registers. Then the access
    // acts like a write to `/dev/mem`: the device can misbehave, but no memory of this process is accessed.
    unsafe { Registers::open(place) }
}

/// Opens the bus of a CCI.
fn open_first<S: MemorySpace>(place: &Place) -> Result<Registers<S>, Error> {
    open(&place.clone().first_access(PMCR))
}

type Pages<S> = (Registers<<S as TwoPages>::Page0>, Registers<<S as TwoPages>::Page1>);

fn open_pages<S: TwoPages>(place: &Place) -> Result<Pages<S>, Error> {
    Ok((open(&place.at(S::PAGE0 as u64))?, open(&place.at(S::PAGE1 as u64))?))
}

fn report<F: Finding>(diagnosis: &Diagnosis<F>) -> DeviceDiagnosis {
    let finding = |found: arm_pmu_core::diagnose::Found<F>| DeviceFinding {
        name: found.finding.name(),
        value: found.value,
        text: found.to_string(),
    };
    DeviceDiagnosis {
        outcome: diagnosis.outcome(),
        findings: diagnosis.findings().map(finding).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::made_up::memory;
    use super::*;

    const BASE: u64 = 0x4_0000;

    /// The registers keep all written values, as in a device without a clock.
    fn system(words: &[(u64, u32)]) -> tempfile::TempDir {
        let mut bytes = vec![0; 0xA_0000];
        for (offset, word) in words {
            let at = usize::try_from(BASE + offset).expect("an index");
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        memory(&bytes)
    }

    fn place(root: &tempfile::TempDir) -> Place {
        Place::new(BASE).root(root.path()).i_may_crash()
    }

    fn names(report: &DeviceDiagnosis) -> Vec<&str> {
        report.findings.iter().map(|finding| finding.name).collect()
    }

    /// `PMCR` of a CCI with four counters, in bits 15 to 11 of the register.
    const FOUR_COUNTERS: (u64, u32) = (0x100, 4 << 11);

    #[test]
    fn a_clockless_cci_400_is_diagnosed_and_restored() {
        for device in [Device::Cci400R0, Device::Cci400R1] {
            let root = system(&[FOUR_COUNTERS, (0x9004, 0x1234_5678), (0xA000, 0x65)]);
            let mut before = fs::read(root.path().join("dev/mem")).expect("a file");
            let report = device.diagnose(&place(&root)).expect("a diagnosis");
            assert_eq!(names(&report), ["CLOCK_STANDS_STILL"], "{device:?}");
            assert_eq!((report.outcome, report.findings[0].value), (Outcome::Wrong, 0));
            assert!(report.findings[0].text.contains("\n  fix by:    "), "{report:?}");
            // The device is a file without read-only bits, so a write to PMCR also clears the
            // number of counters.
            before[0x4_0100..0x4_0104].fill(0);
            assert!(fs::read(root.path().join("dev/mem")).expect("a file") == before);
        }
    }

    #[test]
    fn an_absent_device_is_not_written() {
        let root = system(&[]);
        let before = fs::read(root.path().join("dev/mem")).expect("a file");
        for device in Device::ALL {
            let report = device.diagnose(&place(&root)).expect("a diagnosis");
            assert_eq!(names(&report), ["READS_AS_ZERO"], "{device:?}");
        }
        assert!(fs::read(root.path().join("dev/mem")).expect("a file") == before);
    }

    #[test]
    fn a_driver_on_any_page_prevents_access() {
        let root = system(&[FOUR_COUNTERS]);
        let iomem = |text: String| fs::write(root.path().join("proc/iomem"), text).expect("a file");
        // The kernel's CCI driver claims only the PMU. The SMMU driver claims registers around the PMU's pages.
        let (smmu, first, last) = (BASE + 0xDFF, BASE + 0x9000, BASE + 0xDFFF);
        iomem(format!("{BASE:x}-{smmu:x} : arm-smmu-v3\n{first:x}-{last:x} : pmu@9000\n"));
        let refused = Device::Cci400R1.diagnose(&place(&root)).expect_err("a refusal");
        assert!(matches!(refused, Error::Driver { .. }), "{refused}");
        assert_eq!(Device::Mmu600Tcu.check(&place(&root)), Ok(()));
        let page1 = BASE + u64::try_from(mmu600::registers::tcu::PAGE1).expect("an address");
        iomem(format!("{page1:x}-{page1:x} : pmcg\n"));
        // Page 0 must not be accessed either.
        fs::remove_file(root.path().join("dev/mem")).expect("a file");
        let refused = Device::Mmu600Tcu.diagnose(&place(&root)).expect_err("a refusal");
        assert_eq!(refused, Error::Driver { address: page1, device: "pmcg".to_owned() });
    }
}
