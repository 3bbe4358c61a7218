//! ACPI's IORT table: maps a PCI device to its StreamID.
//!
//! Source of the layout: Arm's "IO Remapping Table" (DEN 0049) and `include/acpi/actbl2.h` of Linux. Source of the
//! rules: `drivers/acpi/arm64/iort.c`.

use std::ops::RangeInclusive;

/// Length of the header of ACPI tables.
const HEADER: usize = 36;

// Node types.
const ROOT_COMPLEX: u8 = 2;
const SMMU_V3: u8 = 4;

/// Flag of a mapping: the output does not depend on the input.
const SINGLE: u32 = 1;

/// Bytes of a node.
#[derive(Clone, Copy)]
struct Node<'t>(&'t [u8]);

/// Maps a range of ids of one node to ids of another: first id, length minus one, first id of the other node, offset of
/// the other node in the table, and flags.
type Mapping = [u32; 5];

/// Ids of the range.
fn ids([first, more, ..]: Mapping) -> RangeInclusive<u32> {
    first..=first.saturating_add(more)
}

/// Finds the StreamID of a PCI device by its segment and RequesterID. An error describes the missing part of the table.
pub fn stream_of_pci(table: &[u8], segment: u32, rid: u32) -> Result<u32, String> {
    if table.get(..4) != Some(b"IORT") {
        return Err("it is not an IORT".to_owned());
    }
    let damaged = || "it ends early".to_owned();
    let nodes = nodes(table).ok_or_else(damaged)?;
    let root = nodes.iter().find(|node| node.is_root_complex(segment));
    let root = root.ok_or_else(|| format!("it has no root complex of segment {segment:#x}"))?;
    let mappings = root.mappings().ok_or_else(damaged)?;
    let [first, _, output, to, flags] = holding(&mappings, rid).ok_or_else(|| {
        format!("the root complex of segment {segment:#x} has no mapping for {rid:#x}")
    })?;
    let to = Node::at(table, to as usize).ok_or_else(damaged)?;
    if to.kind() != SMMU_V3 {
        return Err(format!("{rid:#x} of segment {segment:#x} leads to no SMMUv3"));
    }
    Ok(if flags & SINGLE == 0 { (rid - first).wrapping_add(output) } else { output })
}

/// Finds the mapping of an id. Some firmware stores the length in place of the length minus one, so the last id of one
/// range can also be the first id of another. Such an id belongs to the second range.
fn holding(mappings: &[Mapping], number: u32) -> Option<Mapping> {
    let holds = |of: &Mapping| of[4] & SINGLE != 0 || ids(*of).contains(&number);
    let is_last = |of: &Mapping| number == *ids(*of).end() && number > of[0];
    let all = || mappings.iter().copied().filter(holds);
    all().find(|of| !is_last(of)).or_else(|| all().next())
}

/// All nodes; `None` if a node is incomplete.
fn nodes(table: &[u8]) -> Option<Vec<Node<'_>>> {
    let number = word(table, HEADER)?;
    let mut offset = word(table, HEADER + 4)? as usize;
    let mut nodes = Vec::new();
    for _ in 0..number {
        let node = Node::at(table, offset)?;
        offset += node.0.len();
        nodes.push(node);
    }
    Some(nodes)
}

impl<'t> Node<'t> {
    /// Length of the header of nodes.
    const HEAD: usize = 16;

    fn at(table: &'t [u8], offset: usize) -> Option<Self> {
        let rest = table.get(offset..)?;
        let length = u16::from_le_bytes(rest.get(1..3)?.try_into().ok()?);
        let whole = rest.get(..length.into())?;
        (whole.len() >= Self::HEAD).then_some(Self(whole))
    }

    fn kind(self) -> u8 {
        self.0[0]
    }

    fn is_root_complex(self, segment: u32) -> bool {
        // The segment number is after the memory properties and the ATS attribute.
        self.kind() == ROOT_COMPLEX && word(self.0, Self::HEAD + 12) == Some(segment)
    }

    fn mappings(self) -> Option<Vec<Mapping>> {
        let number = word(self.0, 8)? as usize;
        let first = word(self.0, 12)? as usize;
        let mapping = |nth: usize| {
            let at = |field: usize| word(self.0, first + 20 * nth + 4 * field);
            Some([at(0)?, at(1)?, at(2)?, at(3)?, at(4)?])
        };
        (0..number).map(mapping).collect()
    }
}

fn word(bytes: &[u8], offset: usize) -> Option<u32> {
    let word = bytes.get(offset..offset.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}

#[cfg(test)]
pub mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A table with an ITS group, an SMMUv3, and a root complex for each segment. The numbers of a mapping are: first
    /// id, stored length, output, node (0 is the ITS group, 1 the SMMU), flags.
    pub fn table(complexes: &[(u32, &[[u32; 5]])]) -> Vec<u8> {
        let mut table = vec![0; 48];
        let its = node(0, &[1, 0], &[]);
        // Fields of the SMMU: base address, flags, a reserved word, VATOS, model and four interrupts.
        let smmu = node(4, &[0x4000_0000, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], &[]);
        let places = [table.len() as u32, (table.len() + its.len()) as u32];
        table.extend([its, smmu].concat());
        for (segment, mappings) in complexes {
            let placed = |[first, number, output, to, flags]: &[u32; 5]| {
                [*first, *number, *output, places[*to as usize], *flags]
            };
            let mappings: Vec<_> = mappings.iter().map(placed).collect();
            table.extend(node(2, &[1, 0, 0, *segment, 64], &mappings));
        }
        table[..4].copy_from_slice(b"IORT");
        let length = table.len() as u32;
        table[4..8].copy_from_slice(&length.to_le_bytes());
        table[36..40].copy_from_slice(&(2 + complexes.len() as u32).to_le_bytes());
        table[40..44].copy_from_slice(&48_u32.to_le_bytes());
        table[8] = 6;
        table[9] = 0_u8.wrapping_sub(table.iter().fold(0, |sum, byte| sum.wrapping_add(*byte)));
        table
    }

    fn node(kind: u8, data: &[u32], mappings: &[[u32; 5]]) -> Vec<u8> {
        let mut node = vec![kind, 0, 0, 0, 0, 0, 0, 0];
        node.extend((mappings.len() as u32).to_le_bytes());
        node.extend((16 + 4 * data.len() as u32).to_le_bytes());
        let words = data.iter().chain(mappings.iter().flatten());
        node.extend(words.flat_map(|word| word.to_le_bytes()));
        let length = node.len() as u16;
        node[1..3].copy_from_slice(&length.to_le_bytes());
        node
    }

    #[test]
    fn segments_and_mappings_give_the_stream() {
        let table = table(&[
            (0, &[[0, 0xFF, 0, 0, 0], [0x100, 0xFF, 0x1_0000, 1, 0], [0x200, 0xFDFF, 0x200, 1, 0]]),
            (3, &[[0, 0, 0x77, 1, 1]]),
        ]);
        let stream = |segment, rid| stream_of_pci(&table, segment, rid);
        assert_eq!(stream(0, 0x112), Ok(0x1_0012));
        assert_eq!(stream(0, 0x1FF), Ok(0x1_00FF));
        assert_eq!(stream(0, 0x200), Ok(0x200));
        assert_eq!(stream(0, 0xFFFF), Ok(0xFFFF));
        assert!(stream(0, 0x12).unwrap_err().contains("leads to no SMMUv3"));
        // A mapping with the flag "single mapping" has the same output for every input.
        assert_eq!(stream(3, 0xABC), Ok(0x77));
        assert!(stream(1, 0x112).unwrap_err().contains("no root complex of segment 0x1"));
    }

    #[test]
    fn range_ends_may_belong_to_the_next() {
        // For 0x100 ids, some firmware stores 0x100 as the length, although the IORT has to store
        // the length minus 1.
        let table = table(&[(0, &[[0, 0x100, 0x1000, 1, 0], [0x100, 0x100, 0x5000, 1, 0]])]);
        assert_eq!(stream_of_pci(&table, 0, 0xFF), Ok(0x10FF));
        assert_eq!(stream_of_pci(&table, 0, 0x100), Ok(0x5000));
        assert_eq!(stream_of_pci(&table, 0, 0x200), Ok(0x5100));
        assert!(stream_of_pci(&table, 0, 0x201).unwrap_err().contains("has no mapping for 0x201"));
    }

    #[test]
    fn a_truncated_table_has_no_stream() {
        let table = table(&[(0, &[[0, 0xFFFF, 0, 1, 0]])]);
        assert_eq!(stream_of_pci(&table, 0, 5), Ok(5));
        for length in 0..table.len() {
            assert!(stream_of_pci(&table[..length], 0, 5).is_err(), "{length} bytes");
        }
    }

    proptest! {
        #[test]
        fn changed_tables_never_panic(
            changes in proptest::collection::vec((0_usize..200, any::<u8>()), 1..6),
            rid in any::<u32>(),
        ) {
            let mut table = table(&[(0, &[[0, 0xFF, 0, 0, 0], [0x100, 0xFF, 0x1000, 1, 0]])]);
            for (nth, byte) in changes {
                if let Some(place) = table.get_mut(nth) {
                    *place = byte;
                }
            }
            let _ = stream_of_pci(&table, 0, rid);
        }
    }
}
