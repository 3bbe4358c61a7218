//! Follows the interrupts of a node to the last controller. Sources: the Devicetree specification 0.4, section 2.4,
//! and Linux (`drivers/irqchip`, `arch/arm`) for controllers stacked on a GIC.

use crate::base::device_tree::{Place, Unreadable};

/// An interrupt input of the last controller.
#[derive(Clone, Copy)]
pub struct Interrupt<'t> {
    pub controller: Place<'t>,
    pub kind: Kind,
    pub number: u32,
    /// Trigger in the encoding of the GIC binding.
    pub sense: Option<u32>,
    /// Node with the cores that share a private interrupt; `None` for all cores.
    partition: Option<Place<'t>>,
}

/// An interrupt that was followed to its controller, or the reason why this was not possible.
pub type Followed<'t> = Result<Interrupt<'t>, Unreadable>;

/// Cells of an interrupt, and its controller or nexus; `None` for an empty entry.
type Specifier<'t> = (Option<Place<'t>>, Vec<u32>);

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Shared,
    Private,
    /// INTID in the extended ranges of a GICv3.
    Extended,
    /// Interrupt of a controller that is not a GIC.
    Other,
}

impl<'t> Interrupt<'t> {
    /// Cores that share a private interrupt; `None` for all cores.
    pub fn cores(&self) -> Option<Vec<Place<'t>>> {
        self.partition.map(|partition| partition.references("affinity"))
    }

    pub fn is_per_cpu(&self) -> bool {
        match self.kind {
            Kind::Private => true,
            Kind::Extended => self.number < 4096,
            Kind::Other => self.controller.is_compatible("brcm,bcm2836-l1-intc"),
            Kind::Shared => false,
        }
    }

    pub fn intid(&self) -> u32 {
        match self.kind {
            Kind::Shared => self.number + 32,
            Kind::Private => self.number + 16,
            Kind::Extended | Kind::Other => self.number,
        }
    }
}

/// Maximum number of stacked controllers; real trees have at most three.
const DEEPEST: usize = 16;
/// Maximum number of nodes up to an interrupt parent; real trees have fewer than ten.
const FARTHEST: usize = 128;

impl<'t> Place<'t> {
    /// Returns the interrupts in the order of the node, with an error for each interrupt that cannot be followed.
    /// `None` if there are none.
    ///
    /// # Errors
    ///
    /// Fails if the number of interrupts is unknown.
    pub fn interrupts(self) -> Result<Option<Vec<Followed<'t>>>, Unreadable> {
        let Some(specifiers) = self.specifiers()? else { return Ok(None) };
        let unit: Vec<_> = self.cells("reg").unwrap_or_default();
        let follow = |(controller, cells): Specifier<'t>| match controller {
            Some(controller) => controller.follow(self, unit.clone(), cells),
            None => Err(format!("an entry of `interrupts-extended` of {} is empty", self.name())),
        };
        Ok(Some(specifiers.into_iter().map(follow).collect()))
    }

    /// Splits the property into the cells of each interrupt.
    fn specifiers(self) -> Result<Option<Vec<Specifier<'t>>>, Unreadable> {
        let name = self.name();
        let mut all = Vec::new();
        if self.property("interrupts-extended").is_some() {
            let cells = self.cells("interrupts-extended").unwrap_or_default();
            let mut rest = &cells[..];
            while let Some((phandle, after)) = rest.split_first() {
                rest = after;
                if *phandle == 0 {
                    all.push((None, Vec::new()));
                    continue;
                }
                let controller = self.tree().by_phandle(*phandle).ok_or(format!(
                    "`interrupts-extended` of {name} refers to the unknown phandle 0x{phandle:x}"
                ))?;
                let (own, after) = controller
                    .interrupt_cells()
                    .map(|width| rest.split_at_checked(width))?
                    .ok_or(format!("`interrupts-extended` of {name} ends inside an entry"))?;
                all.push((Some(controller), own.to_vec()));
                rest = after;
            }
        } else if self.property("interrupts").is_some() {
            let controller = self.interrupt_parent()?;
            let width = controller.interrupt_cells()?;
            let cells = self.cells("interrupts").unwrap_or_default();
            if cells.is_empty() || cells.len() % width != 0 {
                return Err(format!("entries of `interrupts` of {name} do not have {width} cells"));
            }
            all.extend(cells.chunks(width).map(|own| (Some(controller), own.to_vec())));
        } else {
            return Ok(None);
        }
        Ok(Some(all))
    }

    /// Finds the `interrupt-parent` of this node or of an ancestor, or an ancestor with `#interrupt-cells`.
    fn interrupt_parent(self) -> Result<Self, Unreadable> {
        let mut here = self;
        for _ in 0..FARTHEST {
            let next = match here.refers_to("interrupt-parent")? {
                Some(named) => named,
                None => match here.parent() {
                    Some(parent) => parent,
                    None => break,
                },
            };
            if next.property("#interrupt-cells").is_some() {
                return Ok(next);
            }
            if next.is(here) || next.property("interrupt-controller").is_some() {
                return Err(format!("{} has no `#interrupt-cells`", next.shown()));
            }
            here = next;
        }
        Err(format!("{} has no `interrupt-parent`", self.name()))
    }

    fn interrupt_cells(self) -> Result<usize, Unreadable> {
        match self.cell("#interrupt-cells") {
            Some(cells @ 1..=8) => Ok(cells as usize),
            _ => Err(format!("{} has no `#interrupt-cells`", self.shown())),
        }
    }

    /// Follows an interrupt of `device`, starting at this controller or nexus.
    fn follow(
        self,
        device: Self,
        mut unit: Vec<u32>,
        mut cells: Vec<u32>,
    ) -> Result<Interrupt<'t>, Unreadable> {
        let mut here = self;
        for _ in 0..DEEPEST {
            let is_controller = here.property("interrupt-controller").is_some();
            if here.property("interrupt-map").is_some() {
                let (next, of_parent, own) = here.mapped(device, &unit, &cells)?;
                (unit, cells) = (of_parent, own);
                if next.is(here) {
                    return here.input(&cells);
                }
                here = next;
            } else if here.is_gic() {
                return here.input(&cells);
            } else if let Some(passed) = here.stacked(&cells) {
                cells = passed?;
                here = here.interrupt_parent()?;
            } else if is_controller {
                let is_root = here.interrupt_parent().map_or(true, |parent| parent.is(here));
                let own = ["interrupts", "interrupts-extended"];
                if !is_root || own.iter().any(|name| here.property(name).is_some()) {
                    return Err(here.hides_numbers());
                }
                return here.input(&cells);
            } else {
                here = here.interrupt_parent()?;
            }
        }
        Err(format!(
            "the interrupts of {} pass through controllers that form a loop",
            device.name()
        ))
    }

    fn hides_numbers(self) -> Unreadable {
        let kind = self.texts("compatible").first().copied().unwrap_or("?");
        format!("no device tree contains the GIC inputs behind {} ({kind})", self.name())
    }

    /// Looks up cells in `interrupt-map`. Returns the next node, and its address and interrupt cells.
    fn mapped(
        self,
        device: Self,
        unit: &[u32],
        cells: &[u32],
    ) -> Result<(Self, Vec<u32>, Vec<u32>), Unreadable> {
        let name = self.shown();
        let wrong = || format!("`interrupt-map` of {name} is not a list of entries");
        let address = self.address_cells();
        let mut wanted = unit.to_vec();
        wanted.resize(address, 0);
        wanted.extend(cells);
        let mask = self.cells("interrupt-map-mask").unwrap_or_default();
        let map = self.cells("interrupt-map").ok_or_else(wrong)?;
        let mut rest = &map[..];
        while !rest.is_empty() {
            let (own, after) = rest.split_at_checked(wanted.len()).ok_or_else(wrong)?;
            let (phandle, after) = after.split_first().ok_or_else(wrong)?;
            let parent = self.tree().by_phandle(*phandle).ok_or_else(wrong)?;
            // As in Linux, a missing `#address-cells` means 0 cells.
            let address = parent.cell("#address-cells").unwrap_or(0) as usize;
            let (of_parent, after) = after.split_at_checked(address).ok_or_else(wrong)?;
            let width = parent.interrupt_cells()?;
            let (specifier, after) = after.split_at_checked(width).ok_or_else(wrong)?;
            let mut pairs = own.iter().zip(&wanted).enumerate();
            let is_it = pairs.all(|(nth, (own, wanted))| {
                (own ^ wanted) & mask.get(nth).copied().unwrap_or(u32::MAX) == 0
            });
            if is_it && parent.is_enabled() {
                return Ok((parent, of_parent.to_vec(), specifier.to_vec()));
            }
            rest = after;
        }
        Err(format!("`interrupt-map` of {name} has no entry for an interrupt of {}", device.name()))
    }

    /// Number of cells of a unit address in an interrupt map.
    fn address_cells(self) -> usize {
        let mut here = Some(self);
        while let Some(place) = here {
            if let Some(cells) = place.cell("#address-cells") {
                return cells.min(8) as usize;
            }
            here = place.parent();
        }
        2
    }

    fn is_gic(self) -> bool {
        let is = |text: &&str| {
            matches!(*text, "arm,pl390" | "arm,gic-400" | "arm,gic-v3" | "hisilicon,hip04-intc")
                || *text == "qcom,msm-qgic2"
                || text.ends_with("gic") && !text.starts_with("mti,")
        };
        self.texts("compatible").iter().any(is)
    }

    /// Returns the cells that a stacked controller passes to its parent. If the tree lacks the interrupt number,
    /// returns an error. `None` for other controllers.
    fn stacked(self, cells: &[u32]) -> Option<Result<Vec<u32>, Unreadable>> {
        let has = |start: &str, end: &str| {
            let is = |text: &&str| text.starts_with(start) && text.ends_with(end);
            self.texts("compatible").iter().any(is)
        };
        let sense = cells.last().copied().unwrap_or(0);
        let shared = |number: Option<u32>| {
            number.map(|number| vec![0, number, sense]).ok_or_else(|| self.hides_numbers())
        };
        let three = [
            ("fsl,imx", "-gpc"),
            ("mediatek,", "-sysirq"),
            ("mediatek,", "-cirq"),
            ("nvidia,tegra", "-ictlr"),
            ("ti,omap", "-wugen-mpu"),
            ("allwinner,sun", "-r-intc"),
            ("socionext,", "-exiu"),
        ];
        let two = [("fsl,", "-mscm-ir"), ("socionext,", "-aidet")];
        Some(match *cells {
            [_, _, _] if three.iter().any(|(start, end)| has(start, end)) => Ok(cells.to_vec()),
            [number, _] if two.iter().any(|(start, end)| has(start, end)) => shared(Some(number)),
            [0, input, _] if has("mstar,", "mst-intc") => {
                let range = self.cells("mstar,irqs-map-range").unwrap_or_default();
                let number = range.first().and_then(|first| first.checked_add(input));
                shared(number.filter(|number| range.get(1).is_some_and(|last| number <= last)))
            }
            [pin, _] if has("qcom,", "pdc") => {
                let ranges = self.cells("qcom,pdc-ranges").unwrap_or_default();
                shared(ranges.chunks_exact(3).find_map(|range| {
                    let offset = pin.checked_sub(range[0]).filter(|offset| *offset < range[2])?;
                    range[1].checked_add(offset)
                }))
            }
            [pin, _] if has("qcom,", "mpm") => {
                let pins = self.cells("qcom,mpm-pin-map").unwrap_or_default();
                shared(pins.chunks_exact(2).find(|own| own[0] == pin).map(|own| own[1]))
            }
            _ => return None,
        })
    }

    /// Decodes the cells of an interrupt whose controller is this node, the last of the chain.
    fn input(self, cells: &[u32]) -> Result<Interrupt<'t>, Unreadable> {
        let of = |kind, number, sense| Interrupt {
            controller: self,
            kind,
            number,
            sense,
            partition: None,
        };
        let name = self.shown();
        if !self.is_gic() {
            let numbered = |text: &&str| {
                *text == "brcm,bcm2836-l1-intc"
                    || text.starts_with("atmel,") && text.ends_with("-aic")
            };
            return match *cells {
                [number] => Ok(of(Kind::Other, number, None)),
                [number, sense, ..] if self.texts("compatible").iter().any(numbered) => {
                    Ok(of(Kind::Other, number, Some(sense)))
                }
                _ => Err(format!(
                    "interrupts of {name} have {} cells of unknown meaning",
                    cells.len()
                )),
            };
        }
        let [kind, number, flags, ref more @ ..] = *cells else {
            return Err(format!(
                "interrupts of {name} have {} cells, but a GIC needs 3",
                cells.len()
            ));
        };
        // Ranges are from the GIC architecture, IHI 0048 and IHI 0069.
        let (kind, base, count) = match kind {
            0 => (Kind::Shared, 0, 988),
            1 => (Kind::Private, 0, 16),
            2 => (Kind::Extended, 4096, 1024),
            3 => (Kind::Extended, 1056, 64),
            _ => return Err(format!("{name} is a GIC, which has no interrupts of kind {kind}")),
        };
        if number >= count {
            return Err(format!("{name} is a GIC, which has no interrupt {number} of this kind"));
        }
        let partition = more.first().and_then(|phandle| self.tree().by_phandle(*phandle));
        Ok(Interrupt { partition, ..of(kind, base + number, Some(flags & 0xF)) })
    }
}
