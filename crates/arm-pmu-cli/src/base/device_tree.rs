//! A device tree with resolved addresses and references.

use std::collections::HashMap;
use std::iter::successors;

/// A node with its properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Name with the unit address; empty for the root.
    pub name: String,
    pub properties: Vec<(String, Vec<u8>)>,
    /// Index of the parent among all nodes; `None` for the root.
    pub parent: Option<usize>,
}

/// All nodes, with their references.
pub struct Tree<'t> {
    nodes: &'t [Node],
    /// Indices of the nodes, level by level.
    levels: Vec<usize>,
    phandles: HashMap<u32, usize>,
}

/// A node and its tree.
#[derive(Clone, Copy)]
pub struct Place<'t> {
    tree: &'t Tree<'t>,
    number: usize,
}

/// Reason why a part of a node cannot be parsed, worded as the end of a sentence.
pub type Unreadable = String;

impl<'t> Tree<'t> {
    pub fn new(nodes: &'t [Node]) -> Self {
        let mut levels: Vec<_> = (0..nodes.len()).collect();
        let parents = |number: &usize| successors(Some(*number), |of| nodes[*of].parent).count();
        levels.sort_by_cached_key(parents);
        let mut tree = Self { nodes, levels, phandles: HashMap::new() };
        let mut phandles = HashMap::new();
        // Old trees have `linux,phandle`.
        for place in tree.all() {
            for own in ["phandle", "linux,phandle"].iter().filter_map(|name| place.cell(name)) {
                phandles.entry(own).or_insert(place.number);
            }
        }
        tree.phandles = phandles;
        tree
    }

    pub fn all(&'t self) -> impl Iterator<Item = Place<'t>> {
        self.levels.iter().map(|number| Place { tree: self, number: *number })
    }

    pub fn root(&'t self) -> Place<'t> {
        Place { tree: self, number: 0 }
    }

    /// The node with this path.
    #[cfg(target_os = "linux")]
    pub fn at(&'t self, path: &str) -> Option<Place<'t>> {
        self.all().find(|place| place.path() == path)
    }

    pub fn by_phandle(&'t self, phandle: u32) -> Option<Place<'t>> {
        let number = *self.phandles.get(&phandle)?;
        Some(Place { tree: self, number })
    }
}

impl<'t> Place<'t> {
    pub fn node(self) -> &'t Node {
        &self.tree.nodes[self.number]
    }

    pub fn tree(self) -> &'t Tree<'t> {
        self.tree
    }

    pub fn parent(self) -> Option<Self> {
        Some(Self { number: self.node().parent?, ..self })
    }

    pub fn is(self, other: Self) -> bool {
        self.number == other.number
    }

    pub fn children(self) -> impl Iterator<Item = Self> {
        self.tree.all().filter(move |place| place.node().parent == Some(self.number))
    }

    /// Name with the unit address: `cci@2c090000`.
    pub fn name(self) -> &'t str {
        &self.node().name
    }

    /// Path in the tree: `/cpus/cpu@0`; empty for the root.
    pub fn path(self) -> String {
        let parent = self.parent().map(Self::path).unwrap_or_default();
        if self.name().is_empty() { parent } else { format!("{parent}/{}", self.name()) }
    }

    /// Label in the source, if the blob has it (`dtc -@`).
    pub fn label(self) -> Option<&'t str> {
        let symbols = self.tree.root().children().find(|child| child.name() == "__symbols__")?;
        let path = self.path();
        let mut all = symbols.node().properties.iter();
        let label = all.find(|(label, _)| symbols.texts(label).first() == Some(&path.as_str()))?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_label =
            label.0.starts_with(|c: char| c.is_ascii_alphabetic()) && label.0.chars().all(is_name);
        is_label.then_some(label.0.as_str())
    }

    pub fn property(self, name: &str) -> Option<&'t [u8]> {
        let mut all = self.node().properties.iter();
        all.find(|(own, _)| own == name).map(|(_, value)| value.as_slice())
    }

    pub fn cell(self, name: &str) -> Option<u32> {
        match self.cells(name)?[..] {
            [cell] => Some(cell),
            _ => None,
        }
    }

    /// Property as 32-bit words.
    pub fn cells(self, name: &str) -> Option<Vec<u32>> {
        cells(self.property(name)?)
    }

    /// Nodes that a property refers to; invalid references are omitted.
    pub fn references(self, name: &str) -> Vec<Self> {
        let all = self.cells(name).unwrap_or_default();
        all.iter().filter_map(|phandle| self.tree.by_phandle(*phandle)).collect()
    }

    pub fn texts(self, name: &str) -> Vec<&'t str> {
        let Some(bytes) = self.property(name) else { return Vec::new() };
        let texts = bytes.split(|byte| *byte == 0).filter(|text| !text.is_empty());
        texts.filter_map(|text| std::str::from_utf8(text).ok()).collect()
    }

    pub fn is_compatible(self, with: &str) -> bool {
        self.texts("compatible").contains(&with)
    }

    /// Whether Linux creates a device for the node.
    pub fn is_enabled(self) -> bool {
        let own = self.texts("status").first().is_none_or(|status| ["okay", "ok"].contains(status));
        own && self.parent().is_none_or(Self::is_enabled)
    }

    pub fn refers_to(self, property: &str) -> Result<Option<Self>, Unreadable> {
        if self.property(property).is_none() {
            return Ok(None);
        }
        let phandle = self
            .cell(property)
            .ok_or(format!("`{property}` of {} is not a reference", self.name()))?;
        let found = self.tree.by_phandle(phandle);
        found.map(Some).ok_or(format!(
            "`{property}` of {} refers to the unknown phandle 0x{phandle:x}",
            self.name()
        ))
    }

    /// Addresses and lengths in `reg`, in the address space of the parent.
    pub fn registers(self) -> Result<Vec<(u64, u64)>, Unreadable> {
        let own = self.property("reg").ok_or(format!("{} has no `reg`", self.name()))?;
        let parent = self.parent().ok_or("the root has no address".to_owned())?;
        let (address, size) = parent.sizes()?;
        let wrong =
            || format!("entries of `reg` of {} do not have {address} + {size} cells", self.name());
        let own = cells(own).ok_or_else(wrong)?;
        if own.is_empty() || own.len() % (address + size) != 0 {
            return Err(wrong());
        }
        let entries = own.chunks(address + size);
        Ok(entries.map(|entry| (number(&entry[..address]), number(&entry[address..]))).collect())
    }

    /// Address of the first registers as seen by the processors, and their length.
    pub fn address(self) -> Result<(u64, u64), Unreadable> {
        let (address, length) = self.registers()?[0];
        Ok((self.as_seen_by_processors(address)?, length))
    }

    /// Numbers of cells of an address and of a length in child nodes.
    fn sizes(self) -> Result<(usize, usize), Unreadable> {
        let size = |name, default| match (self.property(name), self.cell(name)) {
            (None, _) => Ok(default),
            (Some(_), Some(cells @ 0..=2)) => Ok(cells as usize),
            _ => Err(format!("`{name}` of {} is not 0, 1 or 2", self.shown())),
        };
        match (size("#address-cells", 2)?, size("#size-cells", 1)?) {
            (0, _) => Err(format!("nodes in {} have no addresses", self.shown())),
            sizes => Ok(sizes),
        }
    }

    /// Name for messages; empty for the root.
    pub fn shown(self) -> &'t str {
        if self.name().is_empty() { "the root" } else { self.name() }
    }

    /// Translates an address in `reg` to the address space of the processors.
    fn as_seen_by_processors(self, mut address: u64) -> Result<u64, Unreadable> {
        let mut bus = self.parent();
        while let Some(here) = bus {
            let Some(above) = here.parent() else { break };
            address = here.translated(above, address)?;
            bus = Some(above);
        }
        Ok(address)
    }

    fn translated(self, above: Self, address: u64) -> Result<u64, Unreadable> {
        let ranges = self.property("ranges");
        let ranges = ranges
            .ok_or(format!("{} has no `ranges`, so nothing in it has an address", self.name()))?;
        if ranges.is_empty() {
            return Ok(address);
        }
        let ((own, size), (outer, _)) = (self.sizes()?, above.sizes()?);
        let cells = cells(ranges).unwrap_or_default();
        let entry = own + outer + size;
        if cells.is_empty() || cells.len() % entry != 0 {
            return Err(format!(
                "entries of `ranges` of {} do not have {entry} cells",
                self.name()
            ));
        }
        let entries = cells.chunks(entry).map(|entry| {
            let (start, rest) = entry.split_at(own);
            let (to, length) = rest.split_at(outer);
            (number(start), number(to), number(length))
        });
        let found = entries.clone().find_map(|(start, to, length)| {
            let offset = address.checked_sub(start)?;
            (offset < length).then(|| to.checked_add(offset)).flatten()
        });
        found.ok_or_else(|| {
            let end = entries.map(|(start, _, length)| start.saturating_add(length)).max();
            format!(
                "0x{address:x} is in no entry of `ranges` of {}, the last of which ends at 0x{:x}",
                self.name(),
                end.unwrap_or(0)
            )
        })
    }
}

/// Splits bytes into 32-bit words; `None` if the length is 0 or not a multiple of 4.
fn cells(bytes: &[u8]) -> Option<Vec<u32>> {
    if bytes.len() % 4 != 0 {
        return None;
    }
    bytes.chunks(4).map(|word| Some(u32::from_be_bytes(word.try_into().ok()?))).collect()
}

fn number(cells: &[u32]) -> u64 {
    cells.iter().fold(0, |number, cell| number << 32 | u64::from(*cell))
}
