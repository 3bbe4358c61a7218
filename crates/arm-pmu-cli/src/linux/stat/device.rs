//! Finds the StreamID of a device behind an SMMU.
//!
//! No kernel file contains the StreamID, so it is computed from ACPI's IORT or the device tree, as in Linux's
//! `of_iommu_configure_dev` and `of_map_id`. The link `iommu` shows whether the kernel uses the SMMU for the device.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use arm_pmu::mmu700::StreamFilter;
use arm_pmu_lookup::number;
use arm_pmu_tables::{Platform, Pmu, same_name};

use super::iort;
use crate::base::device_tree::Tree;
use crate::base::failure::Failure;
use crate::linux::files;
use crate::linux::stream::{self, Typed};

/// Streams to count on SMMU PMUs.
#[derive(Clone, Debug)]
pub struct Streams {
    /// Text of the option.
    text: String,
    /// Filter for the streams; `None` counts all streams. StreamIDs have up to 32 bits.
    pub filter: Option<StreamFilter>,
    /// Lowest and highest StreamID; `None` for all streams.
    pub span: Option<(u32, u32)>,
    /// Description of the streams, with source and confidence.
    pub how: String,
}

/// Option value for all streams.
const ALL: &str = "all";

impl Streams {
    /// Label of the streams' counts: `0x42`, `0x40-0x47`, `all`.
    pub fn label(&self) -> String {
        match self.span {
            None => ALL.to_owned(),
            Some((first, last)) if first == last => format!("{first:#x}"),
            Some((first, last)) => format!("{first:#x}-{last:#x}"),
        }
    }

    /// Fails if the PMU compares fewer bits than the StreamIDs have. The number of bits depends on the product.
    pub fn fit(&self, pmu: Pmu) -> Result<(), Failure> {
        let last = self.span.map_or(0, |(_, last)| last);
        let wrong = |error: &dyn std::fmt::Display| {
            Failure::wrong_use(format!("--device {}: on {pmu}, {error}", self.text))
        };
        macro_rules! fits {
            ($($id:ident {
                name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
                cycles: $cycles:ident, krate: $krate:path, $($rest:tt)*
            })*) => {
                match pmu.to_string().as_str() {
                    $( $name => {
                        use $krate as krate;
                        krate::StreamFilter::exactly(last).map(drop).map_err(|error| wrong(&error))
                    } )*
                    _ => Ok(()),
                }
            };
        }
        arm_pmu::for_each_pmu!(smmuv3_pmcg => fits)
    }
}

/// Compatible string of SMMUs with one-cell StreamIDs.
const SMMU: &str = "arm,smmu-v3";

/// Finds the streams of an option: `all`, a StreamID, a span, a name on the board, or a device of this system.
pub fn find(
    root: &Path,
    platform: Option<&'static Platform>,
    text: &str,
) -> Result<Streams, Failure> {
    let wrong = |why: &dyn std::fmt::Display| Failure::wrong_use(format!("--device {text}: {why}"));
    let (filter, span, how) = if text == ALL {
        (None, None, "All devices, without a filter".to_owned())
    } else if text.contains("..") {
        let Typed { filter, ids, assumed, .. } = stream::parse(text).map_err(|why| wrong(&why))?;
        let (first, last) = (ids.start, ids.end - 1);
        let mut how = format!("StreamIDs {first:#x} to {last:#x}, as given");
        assumed.iter().for_each(|why| how += &format!(". {}", why.trim_end_matches('.')));
        (Some(filter), Some((first, last)), how)
    } else {
        let (id, how) = match number(text).and_then(|number| u32::try_from(number).ok()) {
            Some(id) => (id, "as given".to_owned()),
            None => of_name(root, platform, text).map_err(|why| wrong(&why))?,
        };
        let filter = StreamFilter::exactly(id).map_err(|error| wrong(&error))?;
        (Some(filter), Some((id, id)), format!("StreamID {id:#x} ({text}): {how}"))
    };
    Ok(Streams { text: text.to_owned(), filter, span, how })
}

/// Finds the StreamID of a name on the board, or of a device.
fn of_name(
    root: &Path,
    platform: Option<&'static Platform>,
    text: &str,
) -> Result<(u32, String), String> {
    let instances = platform.into_iter().flat_map(|platform| platform.instances);
    let on_board = instances.flat_map(|one| one.streams).find(|one| same_name(one.name, text));
    if let Some(stream) = on_board {
        let grade = stream.origin.confidence;
        return Ok((stream.id, format!("from the board's file [{grade}]")));
    }
    let device =
        directory(root, text).ok_or("there is no such device, network interface or disk")?;
    let (device, is_pci) =
        on_bus(&device).ok_or("it is neither on a PCI bus nor on a platform bus")?;
    let link = files::link(&device.join("iommu"));
    let (id, from) = if is_pci { of_pci(root, &device)? } else { of_platform(root, &device)? };
    let sure = match link {
        Some(smmu) if smmu.starts_with("smmu3.") => format!("and the kernel uses {smmu} for it"),
        Some(other) => {
            return Err(format!("its transactions pass {other}, which is not an SMMUv3"));
        }
        None => "but the kernel uses no SMMU for it, so its events may not be counted".to_owned(),
    };
    Ok((id, format!("computed from {from}, {sure}")))
}

/// Canonical path of a device in sysfs.
fn directory(root: &Path, text: &str) -> Option<PathBuf> {
    if text.is_empty() || text.contains('/') {
        return None;
    }
    let sys = root.join("sys");
    let places = [
        sys.join("bus/pci/devices").join(text),
        // `lspci` omits the segment 0000.
        sys.join("bus/pci/devices").join(format!("0000:{text}")),
        sys.join("class/net").join(text).join("device"),
        sys.join("class/block").join(text),
        sys.join("bus/platform/devices").join(text),
    ];
    places.iter().find_map(|place| fs::canonicalize(place).ok())
}

/// Finds the device or nearest ancestor that is on the PCI or platform bus, and whether this is PCI.
fn on_bus(device: &Path) -> Option<(PathBuf, bool)> {
    device.ancestors().find_map(|device| match files::link(&device.join("subsystem"))?.as_str() {
        "pci" => Some((device.to_owned(), true)),
        "platform" => Some((device.to_owned(), false)),
        _ => None,
    })
}

/// Reads the StreamID from `iommus`: each entry is the phandle of an SMMU and a StreamID.
fn of_platform(root: &Path, device: &Path) -> Result<(u32, String), String> {
    let name = files::name(device);
    let path = node(device).ok_or_else(|| {
        format!("{name} has no node in the device tree, so its StreamID is not known")
    })?;
    let nodes = files::device_tree(root);
    let tree = Tree::new(&nodes);
    let cells = tree.at(&path).and_then(|node| node.cells("iommus")).unwrap_or_default();
    let of_smmus = cells.chunks_exact(2).filter(|entry| is_smmu(&tree, entry[0]));
    let ids: Vec<_> = of_smmus.map(|entry| entry[1]).collect();
    match ids[..] {
        [id] => Ok((id, format!("`iommus` of {path}"))),
        [] => Err(format!("{path} has no `iommus` with an SMMUv3 in the device tree")),
        _ => {
            let all: Vec<_> = ids.iter().map(|id| format!("{id:#x}")).collect();
            Err(format!(
                "it has several StreamIDs, and a filter takes one of them: {}",
                all.join(", ")
            ))
        }
    }
}

/// Looks up the StreamID for a RequesterID in the `iommu-map` of the host bridge.
fn of_pci(root: &Path, device: &Path) -> Result<(u32, String), String> {
    let address = stream::pci(&files::name(device));
    let (segment, rid) = address.ok_or("its name is not a PCI address")?;
    let Some(path) = device.ancestors().skip(1).find_map(node) else {
        return of_acpi(root, segment, rid);
    };
    let nodes = files::device_tree(root);
    let tree = Tree::new(&nodes);
    let bridge = tree.at(&path);
    let mask = bridge.and_then(|bridge| bridge.cell("iommu-map-mask")).unwrap_or(u32::MAX);
    let map = bridge.and_then(|bridge| bridge.cells("iommu-map")).unwrap_or_default();
    let masked = rid & mask;
    for entry in map.chunks_exact(4) {
        let [first, phandle, id, length] = [entry[0], entry[1], entry[2], entry[3]];
        if masked < first || masked - first >= length {
            continue;
        }
        if !is_smmu(&tree, phandle) {
            return Err(format!("`iommu-map` of {path} leads to no SMMUv3"));
        }
        return Ok((masked - first + id, format!("`iommu-map` of {path}")));
    }
    Err(format!("`iommu-map` of {path} has no entry for {rid:#x}"))
}

/// Reads the StreamID from ACPI's IORT, on machines without a device tree.
fn of_acpi(root: &Path, segment: u32, rid: u32) -> Result<(u32, String), String> {
    let table = fs::read(root.join("sys/firmware/acpi/tables/IORT"));
    let table = table.map_err(|error| match error.kind() {
        ErrorKind::PermissionDenied => {
            "no device tree describes it, and root alone may read the IORT of ACPI".to_owned()
        }
        _ => "no device tree and no IORT of ACPI describes it".to_owned(),
    })?;
    let id =
        iort::stream_of_pci(&table, segment, rid).map_err(|why| format!("IORT of ACPI: {why}"))?;
    Ok((id, format!("the IORT of ACPI, for {rid:#x} of segment {segment:#x}")))
}

/// Whether the node with this phandle is an SMMUv3.
fn is_smmu(tree: &Tree, phandle: u32) -> bool {
    tree.by_phandle(phandle).is_some_and(|node| node.is_compatible(SMMU))
}

/// Path of a device's node in the device tree.
fn node(device: &Path) -> Option<String> {
    let node = fs::canonicalize(device.join("of_node")).ok()?.display().to_string();
    node.split_once("devicetree/base").map(|(_, path)| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::made_up::System;

    const TREE: &str = "sys/firmware/devicetree/base";
    const BRIDGE: &str = "sys/devices/platform/40000000.pcie/pci0000:00";

    fn cells(system: System, path: &str, cells: &[u32]) -> System {
        let bytes = cells.iter().flat_map(|cell| cell.to_be_bytes());
        system.file(&format!("{TREE}/{path}"), bytes.collect::<Vec<_>>())
    }

    /// Adds a link in `sys`.
    fn link(system: System, path: &str, to: &str) -> System {
        let to = system.path().join(to);
        system.link(path, to)
    }

    fn stream(system: &System, text: &str) -> Result<(u32, String), String> {
        let found = find(system.path(), None, text).map_err(|error| error.to_string())?;
        Ok((found.span.expect("a stream").0, found.how))
    }

    /// A system with a network card behind PCI, an Ethernet controller on the platform bus, and a disk with two
    /// StreamIDs.
    fn system() -> System {
        let mut system =
            System::new().file(&format!("{TREE}/smmu@5000/compatible"), "arm,smmu-v3\0");
        for (property, of) in [
            ("smmu@5000/phandle", &[7][..]),
            ("dma/phandle", &[8]),
            // Bus 1 has StreamIDs from 0x1000.
            ("pcie@40000000/iommu-map", &[0, 8, 0, 0x100, 0x100, 7, 0x1000, 0x100]),
            // The first entry belongs to another IOMMU.
            ("ethernet/iommus", &[8, 4, 7, 3]),
            ("mmc/iommus", &[7, 5, 7, 6]),
        ] {
            system = cells(system, property, of);
        }
        let devices = "sys/devices/platform";
        let disk = format!("{devices}/mmc/block/mmcblk0");
        fs::create_dir_all(system.path().join(&disk)).expect("a directory");
        let card = |device: &str| format!("{BRIDGE}/0000:{device}");
        for device in ["00:02.0", "01:02.1"].map(card) {
            system = link(system, &format!("{device}/subsystem"), "sys/bus/pci");
            let smmu = "sys/class/iommu/smmu3.0x0000000000005000";
            system = link(system, &format!("{device}/iommu"), smmu);
            let name = device.rsplit('/').next().unwrap_or_default();
            system = link(system, &format!("sys/bus/pci/devices/{name}"), &device);
        }
        for (path, to) in [
            ("sys/class/net/eth0/device", card("01:02.1").as_str()),
            ("sys/class/net/eth1/device", &format!("{devices}/10810000.ethernet")),
            ("sys/class/block/mmcblk0", &disk),
        ] {
            system = link(system, path, to);
        }
        for (device, node) in
            [("40000000.pcie", "pcie@40000000"), ("10810000.ethernet", "ethernet"), ("mmc", "mmc")]
        {
            let path = format!("{devices}/{device}");
            system = link(system, &format!("{path}/of_node"), &format!("{TREE}/{node}"));
            system = link(system, &format!("{path}/subsystem"), "sys/bus/platform");
        }
        system
    }

    #[test]
    fn pci_devices_map_through_their_host_bridge() {
        let system = system();
        let (id, how) = stream(&system, "eth0").expect("a stream");
        assert_eq!(id, 0x1000 + 0x11);
        assert_eq!(
            how,
            "StreamID 0x1011 (eth0): computed from `iommu-map` of /pcie@40000000, and the kernel uses \
             smmu3.0x0000000000005000 for it"
        );
        for name in ["0000:01:02.1", "01:02.1"] {
            assert_eq!(stream(&system, name).expect("a stream").0, id);
        }
        // The mask removes the device number and keeps bus and function.
        let system = cells(system, "pcie@40000000/iommu-map-mask", &[0x107]);
        assert_eq!(stream(&system, "eth0").expect("a stream").0, 0x1001);
        let error = stream(&system, "00:02.0").expect_err("another IOMMU");
        assert!(error.contains("leads to no SMMUv3"), "{error}");
        let system = cells(system, "pcie@40000000/iommu-map-mask", &[0xFFFF]);
        let system = cells(system, "pcie@40000000/iommu-map", &[0x100, 7, 0, 0x11]);
        let error = stream(&system, "eth0").expect_err("outside of the map");
        assert!(error.ends_with("has no entry for 0x111"), "{error}");
    }

    #[test]
    fn a_board_device_has_its_node_stream() {
        let system = system();
        let (id, how) = stream(&system, "eth1").expect("a stream");
        assert_eq!(id, 3);
        assert!(how.contains("`iommus` of /ethernet, but the kernel uses no SMMU for it"), "{how}");
        assert_eq!(stream(&system, "10810000.ethernet").map_err(|_| ()), Err(()));
        let error = stream(&system, "mmcblk0").expect_err("two streams");
        assert!(error.ends_with("takes one of them: 0x5, 0x6"), "{error}");
        let error = stream(&system, "eth9").expect_err("no device");
        assert!(error.contains("no such device, network interface or disk"), "{error}");
    }

    #[test]
    fn acpi_replaces_a_missing_device_tree() {
        let system = system();
        let node = "sys/devices/platform/40000000.pcie/of_node";
        fs::remove_file(system.path().join(node)).expect("a link");
        let error = stream(&system, "eth0").expect_err("no tree");
        assert!(error.ends_with("no device tree and no IORT of ACPI describes it"), "{error}");
        let table = iort::tests::table(&[(0, &[[0x100, 0xFF, 0x2_0000, 1, 0]])]);
        let system = system.file("sys/firmware/acpi/tables/IORT", table);
        let (id, how) = stream(&system, "eth0").expect("a stream");
        assert_eq!(id, 0x2_0011);
        assert!(how.contains("the IORT of ACPI, for 0x111 of segment 0x0"), "{how}");
        let error = stream(&system, "00:02.0").expect_err("another bus");
        assert!(
            error
                .ends_with("IORT of ACPI: the root complex of segment 0x0 has no mapping for 0x10"),
            "{error}"
        );
    }
}
