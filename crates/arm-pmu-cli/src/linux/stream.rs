//! Parses StreamIDs as numbers, PCI addresses, or spans.

use std::ops::Range;

use arm_pmu::mmu700::StreamFilter;
use arm_pmu_lookup::number;

/// A parsed StreamID or span.
#[derive(Debug)]
pub struct Typed {
    pub filter: StreamFilter,
    pub ids: Range<u32>,
    /// Assumptions about the board.
    pub assumed: Vec<String>,
    /// Note about the exclusive end of a span.
    pub inside: Option<String>,
}

/// Segment and RequesterID of a PCI address: `0000:05:02.3`, `05:02.3`.
pub fn pci(text: &str) -> Option<(u32, u32)> {
    let hexadecimal = |text: &str, most: u32| {
        let digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(text, 16).ok().filter(|number| digits && *number <= most)
    };
    let (rest, function) = text.split_once('.')?;
    let (rest, device) = rest.rsplit_once(':')?;
    let (segment, bus) = rest.rsplit_once(':').unwrap_or(("0", rest));
    let rid =
        hexadecimal(bus, 0xFF)? << 8 | hexadecimal(device, 31)? << 3 | hexadecimal(function, 7)?;
    Some((hexadecimal(segment, u32::MAX)?, rid))
}

/// Parses a StreamID or a span.
pub fn parse(text: &str) -> Result<Typed, String> {
    let mut assumed = Vec::new();
    let Some((first, end)) = text.split_once("..") else {
        let first = one(text, &mut assumed)?;
        let filter = StreamFilter::exactly(first).map_err(|error| error.to_string())?;
        // No number follows the highest StreamID, so it cannot have an exclusive end.
        let ids = first..first.saturating_add(1);
        return Ok(Typed { filter, ids, assumed, inside: None });
    };
    let (first, end) = (one(first, &mut assumed)?, one(end, &mut assumed)?);
    let inside = match first..end {
        ids if ids.is_empty() => {
            format!("the end, {end:#x}, is not included, so the span is empty")
        }
        ids if ids.len() == 1 => {
            format!("the end, {end:#x}, is not included, so the span is {first:#x} alone")
        }
        _ => format!("{first:#x} to {:#x}: the end, {end:#x}, is not included", end - 1),
    };
    let with_end =
        end.checked_add(1).filter(|end| *end > first && StreamFilter::span(first..*end).is_ok());
    let meant = with_end.map_or(String::new(), |behind| {
        format!("; {first:#x} to {end:#x} are {first:#x}..{behind:#x}")
    });
    if end.saturating_sub(first) == 1 {
        let alone = format!("; {first:#x} alone is written without a span");
        return Err(format!("{inside}{meant}{alone}"));
    }
    let filter =
        StreamFilter::span(first..end).map_err(|error| format!("{error} ({inside}{meant})"))?;
    let inside = Some(format!("StreamIDs {inside}."));
    Ok(Typed { filter, ids: first..end, assumed, inside })
}

fn one(text: &str, assumed: &mut Vec<String>) -> Result<u32, String> {
    if let Some(id) = number(text).and_then(|number| u32::try_from(number).ok()) {
        return Ok(id);
    }
    let Some((segment, rid)) = pci(text) else {
        return Err(format!(
            "`{text}` is no StreamID of 32 bits and no PCI address, as in 0x42 or 0000:05:02.3"
        ));
    };
    if segment != 0 {
        return Err(format!(
            "{text} has the RequesterID {rid:#x} in segment {segment:#x}, whose StreamIDs have a base: add {rid:#x} \
             to the base in `iommu-map` of its host bridge, or in the IORT of ACPI, and give the sum"
        ));
    }
    assumed.push(format!(
        "StreamID {rid:#x} is the RequesterID of {text}, as with an identity `iommu-map`, which is usual; `iommu-map` \
         of its host bridge, or the IORT of ACPI, may add a base."
    ));
    Ok(rid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_a_pci_address_has_a_range() {
        assert_eq!(pci("0001:ff:1f.7"), Some((1, 0xFFFF)));
        for text in ["05:20.0", "05:02.8", "100:02.0", "+5:02.0", "05:02", ":02.0"] {
            assert_eq!(pci(text), None, "{text}");
        }
    }
}
