//! A device tree with what a node inherits: addresses, interrupts, references.

use super::blob::Node;

/// All nodes, each behind its parent.
pub struct Tree<'t> {
    nodes: Vec<(&'t Node, Option<usize>)>,
}

/// A node in its tree.
#[derive(Clone, Copy)]
pub struct Place<'t> {
    tree: &'t Tree<'t>,
    number: usize,
}

/// An input of an interrupt controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    pub number: u32,
    /// The flags of the binding of GICs.
    pub flags: Option<u32>,
}

/// The controller of some interrupts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Controller {
    /// Its shared interrupts.
    Gic,
    /// The name of its node.
    Other(String),
}

/// Why something that a node says cannot be read, as the end of a sentence.
pub type Unreadable = String;

impl<'t> Tree<'t> {
    pub fn new(root: &'t Node) -> Self {
        let mut nodes = vec![(root, None)];
        let mut next = 0;
        while let Some((node, _)) = nodes.get(next).copied() {
            nodes.extend(node.children.iter().map(|child| (child, Some(next))));
            next += 1;
        }
        Self { nodes }
    }

    pub fn all(&'t self) -> impl Iterator<Item = Place<'t>> {
        (0..self.nodes.len()).map(|number| Place { tree: self, number })
    }

    pub fn root(&'t self) -> Place<'t> {
        Place { tree: self, number: 0 }
    }

    fn by_phandle(&'t self, phandle: u32) -> Option<Place<'t>> {
        // Old trees have the second name.
        let names = ["phandle", "linux,phandle"];
        self.all().find(|place| names.iter().any(|name| place.cell(name) == Some(phandle)))
    }
}

impl<'t> Place<'t> {
    pub fn node(self) -> &'t Node {
        self.tree.nodes[self.number].0
    }

    pub fn parent(self) -> Option<Self> {
        Some(Self { number: self.tree.nodes[self.number].1?, ..self })
    }

    pub fn is(self, other: Self) -> bool {
        self.number == other.number
    }

    pub fn children(self) -> impl Iterator<Item = Self> {
        self.tree.all().filter(move |place| place.parent().is_some_and(|parent| parent.is(self)))
    }

    /// `cci@2c090000`
    pub fn name(self) -> &'t str {
        &self.node().name
    }

    pub fn property(self, name: &str) -> Option<&'t [u8]> {
        let mut all = self.node().properties.iter();
        all.find(|(own, _)| own == name).map(|(_, value)| value.as_slice())
    }

    fn cell(self, name: &str) -> Option<u32> {
        match cells(self.property(name)?)?[..] {
            [cell] => Some(cell),
            _ => None,
        }
    }

    /// The texts of a property.
    pub fn texts(self, name: &str) -> Vec<&'t str> {
        let Some(bytes) = self.property(name) else { return Vec::new() };
        let texts = bytes.split(|byte| *byte == 0).filter(|text| !text.is_empty());
        texts.filter_map(|text| std::str::from_utf8(text).ok()).collect()
    }

    pub fn is_compatible(self, with: &str) -> bool {
        self.texts("compatible").contains(&with)
    }

    /// Whether Linux makes a device of it.
    pub fn is_enabled(self) -> bool {
        let own = self.texts("status").first().is_none_or(|status| ["okay", "ok"].contains(status));
        own && self.parent().is_none_or(Self::is_enabled)
    }

    /// The node to which a property refers.
    pub fn refers_to(self, property: &str) -> Result<Option<Self>, Unreadable> {
        if self.property(property).is_none() {
            return Ok(None);
        }
        let phandle = self
            .cell(property)
            .ok_or(format!("`{property}` of {} is no reference", self.name()))?;
        let found = self.tree.by_phandle(phandle);
        found.map(Some).ok_or(format!(
            "`{property}` of {} refers to 0x{phandle:x}, which no node has",
            self.name()
        ))
    }

    /// Addresses and lengths in the address space of the parent.
    pub fn registers(self) -> Result<Vec<(u64, u64)>, Unreadable> {
        let own = self.property("reg").ok_or(format!("{} has no `reg`", self.name()))?;
        let parent = self.parent().ok_or("the root has no address".to_owned())?;
        let (address, size) = parent.sizes()?;
        let wrong =
            || format!("`reg` of {} has not {address} + {size} cells an entry", self.name());
        let own = cells(own).ok_or_else(wrong)?;
        if own.is_empty() || own.len() % (address + size) != 0 {
            return Err(wrong());
        }
        let entries = own.chunks(address + size);
        Ok(entries.map(|entry| (number(&entry[..address]), number(&entry[address..]))).collect())
    }

    /// The cells of an address and of a length in the nodes below it.
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

    /// Its name for messages; that of the root is empty.
    pub fn shown(self) -> &'t str {
        if self.name().is_empty() { "the root" } else { self.name() }
    }

    /// An address of `reg` as processors see it.
    pub fn as_seen_by_processors(self, mut address: u64) -> Result<u64, Unreadable> {
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
            return Err(format!("`ranges` of {} has not {entry} cells an entry", self.name()));
        }
        let found = cells.chunks(entry).find_map(|entry| {
            let (start, rest) = entry.split_at(own);
            let (to, length) = rest.split_at(outer);
            let offset = address.checked_sub(number(start))?;
            (offset < number(length)).then(|| number(to).checked_add(offset)).flatten()
        });
        found.ok_or(format!("0x{address:x} is in no entry of `ranges` of {}", self.name()))
    }

    /// The interrupts, in the order of the node; none if it has none.
    pub fn interrupts(self) -> Result<Option<(Controller, Vec<Interrupt>)>, Unreadable> {
        let name = self.name();
        let (controller, specifiers) = if let Some(extended) = self.property("interrupts-extended")
        {
            let cells = cells(extended).unwrap_or_default();
            let first = cells.first().and_then(|first| self.tree.by_phandle(*first));
            let controller =
                first.ok_or(format!("`interrupts-extended` of {name} refers to no node"))?;
            let width = controller.interrupt_cells()? + 1;
            let entries: Vec<_> = cells.chunks(width).collect();
            if entries.iter().any(|entry| entry.len() != width || entry[0] != cells[0]) {
                return Err(format!("`interrupts-extended` of {name} is of several controllers"));
            }
            (controller, entries.iter().flat_map(|entry| entry[1..].to_vec()).collect())
        } else if let Some(own) = self.property("interrupts") {
            (self.interrupt_parent()?, cells(own).unwrap_or_default())
        } else {
            return Ok(None);
        };
        let width = controller.interrupt_cells()?;
        if specifiers.is_empty() || specifiers.len() % width != 0 {
            return Err(format!("`interrupts` of {name} has not {width} cells an entry"));
        }
        let is_gic = controller.texts("compatible").iter().any(|text| text.contains("gic"));
        if !is_gic {
            if controller.property("interrupt-map").is_some() {
                return Err(format!(
                    "the interrupts of {name} pass the map of {}",
                    controller.name()
                ));
            }
            let number = |entry: &[u32]| Interrupt { number: entry[0], flags: None };
            let all = specifiers.chunks(width).map(number).collect();
            return Ok(Some((Controller::Other(controller.name().to_owned()), all)));
        }
        if width < 3 {
            return Err(format!(
                "{} has {width} cells an interrupt, and a GIC has 3",
                controller.name()
            ));
        }
        let all = specifiers.chunks(width).map(|entry| match entry[0] {
            0 => Ok(Interrupt { number: entry[1], flags: Some(entry[2]) }),
            _ => Err(format!("an interrupt of {name} is private to a core")),
        });
        Ok(Some((Controller::Gic, all.collect::<Result<_, _>>()?)))
    }

    fn interrupt_parent(self) -> Result<Self, Unreadable> {
        let mut here = Some(self);
        while let Some(place) = here {
            if let Some(parent) = place.refers_to("interrupt-parent")? {
                return Ok(parent);
            }
            here = place.parent();
        }
        Err(format!("{} has no `interrupt-parent`", self.name()))
    }

    fn interrupt_cells(self) -> Result<usize, Unreadable> {
        match self.cell("#interrupt-cells") {
            Some(cells @ 1..=8) => Ok(cells as usize),
            _ => Err(format!("{} has no `#interrupt-cells`", self.name())),
        }
    }
}

/// Words of 32 bits, if it is some.
fn cells(bytes: &[u8]) -> Option<Vec<u32>> {
    if bytes.len() % 4 != 0 {
        return None;
    }
    bytes.chunks(4).map(|word| Some(u32::from_be_bytes(word.try_into().ok()?))).collect()
}

fn number(cells: &[u32]) -> u64 {
    cells.iter().fold(0, |number, cell| number << 32 | u64::from(*cell))
}
