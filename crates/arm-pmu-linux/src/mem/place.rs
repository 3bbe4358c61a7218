//! Location of registers, and the check that the kernel does not use them.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::Error;

/// A physical address, and the permitted accesses.
#[derive(Clone, Debug)]
pub struct Place {
    pub(crate) address: u64,
    pub(crate) root: PathBuf,
    may_crash: bool,
    pub(crate) first: usize,
}

/// The map of a UIO device that contains the registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UioMap {
    /// Path of the device in `/dev`.
    pub(crate) device: PathBuf,
    pub(crate) number: u32,
    /// Offset of the registers in the map.
    pub(crate) offset: u64,
}

impl Place {
    /// Creates a place for the registers that begin at this physical address.
    #[must_use]
    pub fn new(address: u64) -> Self {
        Self { address, root: PathBuf::from("/"), may_crash: false, first: 0 }
    }

    /// Accepts that an access can stop the whole machine.
    #[must_use]
    pub fn i_may_crash(self) -> Self {
        Self { may_crash: true, ..self }
    }

    /// Selects the offset that is read first. The default is 0.
    #[must_use]
    pub fn first_access(self, offset: usize) -> Self {
        Self { first: offset, ..self }
    }

    /// Returns the place at this offset.
    pub(crate) fn at(&self, offset: u64) -> Self {
        Self { address: self.address.saturating_add(offset), ..self.clone() }
    }

    /// Reads kernel files below a directory other than `/`, for tests.
    #[must_use]
    pub fn root(self, root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), ..self }
    }

    /// Checks that the kernel does not use `length` bytes. Does not access the registers.
    ///
    /// # Errors
    ///
    /// Fails if the kernel uses a byte, or if a kernel file cannot be read.
    pub fn check(&self, length: u64) -> Result<(), Error> {
        // UIO devices are meant for programs, so these checks do not apply.
        if self.uio(length)?.is_none() {
            self.check_memory(length)?;
            self.check_drivers(length)?;
        }
        if self.may_crash { Ok(()) } else { Err(Error::MayCrash { address: self.address }) }
    }

    fn end(&self, length: u64) -> u64 {
        self.address.saturating_add(length.saturating_sub(1))
    }

    /// Rejects system RAM, and registers that `/proc/iomem` assigns to a driver.
    fn check_memory(&self, length: u64) -> Result<(), Error> {
        let path = self.root.join("proc/iomem");
        let text = fs::read_to_string(&path).map_err(|error| Error::file(&path, error))?;
        let rows: Vec<_> = text.lines().filter_map(row).collect();
        if !rows.is_empty() && rows.iter().all(|(_, last, _)| *last == 0) {
            return Err(Error::file(&path, "shows no addresses without root (CAP_SYS_ADMIN)"));
        }
        let address = self.address;
        for (first, last, name) in rows {
            if first > self.end(length) || last < address {
                continue;
            }
            match name {
                "System RAM" => return Err(Error::Memory { address }),
                // Reserved memory and buses have no driver.
                "reserved" | "Reserved" => {}
                name if name.starts_with("PCI Bus") => {}
                name => return Err(Error::Driver { address, device: name.to_owned() }),
            }
        }
        Ok(())
    }

    /// Rejects registers of a device with a bound driver. A driver can use more registers than it claims: the CCI
    /// driver does not claim the control page. The name of a device from a device tree begins with the address.
    fn check_drivers(&self, length: u64) -> Result<(), Error> {
        let devices = self.root.join("sys/bus/platform/devices");
        let Ok(entries) = fs::read_dir(&devices) else { return Ok(()) };
        for entry in entries.map_while(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let number =
                name.split('.').next().and_then(|digits| u64::from_str_radix(digits, 16).ok());
            let range = self.address..=self.end(length);
            let is_here = number.is_some_and(|first| range.contains(&first));
            if is_here && entry.path().join("driver").exists() {
                return Err(Error::Driver { address: self.address, device: name });
            }
        }
        Ok(())
    }

    /// Finds the UIO map that contains all of these bytes.
    pub(crate) fn uio(&self, length: u64) -> Result<Option<UioMap>, Error> {
        let class = self.root.join("sys/class/uio");
        let Ok(devices) = fs::read_dir(&class) else { return Ok(None) };
        for device in devices.map_while(Result::ok) {
            let name = device.file_name();
            let Ok(maps) = fs::read_dir(device.path().join("maps")) else { continue };
            for map in maps.map_while(Result::ok) {
                let number = map.file_name().to_string_lossy().trim_start_matches("map").parse();
                let Ok(number) = number else { continue };
                let first = number_in(&map.path().join("addr"))?;
                let size = number_in(&map.path().join("size"))?;
                let last = first.saturating_add(size.saturating_sub(1));
                if first <= self.address && self.end(length) <= last {
                    let device = self.root.join("dev").join(&name);
                    return Ok(Some(UioMap { device, number, offset: self.address - first }));
                }
            }
        }
        Ok(None)
    }
}

/// Parses a row such as `  5f099000-5f09dfff : 5f099000.pmu pmu@9000`.
fn row(line: &str) -> Option<(u64, u64, &str)> {
    let (range, name) = line.split_once(" : ")?;
    let (first, last) = range.trim().split_once('-')?;
    let number = |digits| u64::from_str_radix(digits, 16).ok();
    Some((number(first)?, number(last)?, name))
}

fn number_in(path: &Path) -> Result<u64, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
    let digits = text.trim().trim_start_matches("0x");
    u64::from_str_radix(digits, 16).map_err(|_| Error::file(path, "is no address"))
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    /// `/proc/iomem` of the Linux bench, with the PMU of a CCI-400 and an SMMU.
    const IOMEM: &str = "\
09000000-09000fff : pl011@9000000
  09000000-09000fff : 9000000.pl011 pl011@9000000
40000000-5effffff : System RAM
  40210000-416fffff : Kernel code
5f000000-5fffffff : reserved
  5f099000-5f09dfff : 5f099000.pmu pmu@9000
";

    fn system(iomem: &str) -> tempfile::TempDir {
        made_up::system(&[
            ("proc/iomem", iomem),
            ("sys/bus/platform/devices/5f090000.cci/driver/name", ""),
            ("sys/bus/platform/devices/5f320000.pmcg/modalias", ""),
            ("sys/class/uio/uio0/maps/map1/addr", "0x000000005f400000\n"),
            ("sys/class/uio/uio0/maps/map1/size", "0x10000\n"),
        ])
    }

    fn check(iomem: &str, address: u64) -> Result<(), Error> {
        let root = system(iomem);
        Place::new(address).i_may_crash().root(root.path()).check(0x1000)
    }

    #[test]
    fn addresses_used_by_the_kernel_are_rejected() {
        for (address, refusal) in [
            (0x4000_0000, "is memory of the system"),
            (0x5EFF_F000, "is memory of the system"),
            // The driver claims the first address, and uses the second without a claim.
            (0x5F09_A000, "driver of 5f099000.pmu pmu@9000"),
            (0x5F09_0000, "driver of 5f090000.cci"),
            // A device without a driver, reserved memory, a UIO device, and an unused address.
            (0x5F32_0000, ""),
            (0x5F10_0000, ""),
            (0x5F40_0000, ""),
            (0x1_0000_0000, ""),
        ] {
            let text = check(IOMEM, address).err().map_or(String::new(), |error| error.to_string());
            let is_expected = text.contains(refusal) && text.is_empty() == refusal.is_empty();
            assert!(is_expected, "{address:#x}: {text}");
        }
        // A region that contains only the first byte of the driver's region is rejected.
        let root = system(IOMEM);
        let place = Place::new(0x5F09_1000).i_may_crash().root(root.path());
        assert_eq!(place.check(0x8000), Ok(()));
        assert!(place.check(0x8001).is_err());
    }

    #[test]
    fn a_dangerous_address_needs_acceptance() {
        let root = system(IOMEM);
        let place = Place::new(0x5F32_0000).root(root.path());
        assert_eq!(place.check(0x1000), Err(Error::MayCrash { address: 0x5F32_0000 }));
        // Memory is rejected in any case, so the error does not ask for consent.
        let place = Place::new(0x4000_0000).root(root.path());
        assert_eq!(place.check(0x1000), Err(Error::Memory { address: 0x4000_0000 }));
    }

    #[test]
    fn hidden_addresses_are_an_error() {
        let hidden = "00000000-00000000 : System RAM\n  00000000-00000000 : Kernel code\n";
        let text = check(hidden, 0x5F32_0000).expect_err("a refusal").to_string();
        assert!(
            text.ends_with("proc/iomem: shows no addresses without root (CAP_SYS_ADMIN)"),
            "{text}"
        );
        let nothing = Place::new(0x5F32_0000).i_may_crash().root("/no/such/folder");
        assert!(nothing.check(0x1000).is_err());
    }

    #[test]
    fn a_uio_map_covers_all_registers() {
        let root = system(IOMEM);
        let uio =
            |address, length| Place::new(address).root(root.path()).uio(length).expect("maps");
        let map = uio(0x5F40_2000, 0x1000).expect("a map");
        assert_eq!((map.number, map.offset), (1, 0x2000));
        assert!(map.device.ends_with("dev/uio0"));
        assert_eq!(uio(0x5F40_2000, 0x1_0000), None);
    }
}
