//! Values of a field that are neither listed nor reserved.

use std::ops::RangeInclusive;

/// Returns the values of a field of `width` bits that are neither listed nor reserved, as ranges.
///
/// Returns `None` if there are none, or if a value is listed twice, listed and reserved, or too
/// wide: such a value is often a missing value with a typing error.
pub fn gaps(
    width: u32,
    listed: impl Iterator<Item = u32>,
    reserved: impl Iterator<Item = RangeInclusive<u32>>,
) -> Option<Vec<RangeInclusive<u32>>> {
    // A field wider than an event id is a mistake in the registers.
    if width > 16 {
        return None;
    }
    let count = 1u32 << width;
    let mut known = vec![false; count as usize];
    for range in reserved {
        let (first, last) = (*range.start(), *range.end());
        if last >= count {
            return None;
        }
        known[first as usize..=last as usize].fill(true);
    }
    for value in listed {
        let known = known.get_mut(value as usize)?;
        if *known {
            return None;
        }
        *known = true;
    }
    let mut gaps: Vec<RangeInclusive<u32>> = Vec::new();
    for value in (0..count).filter(|value| !known[*value as usize]) {
        match gaps.last_mut() {
            Some(last) if last.end() + 1 == value => *last = *last.start()..=value,
            _ => gaps.push(value..=value),
        }
    }
    Some(gaps).filter(|gaps| !gaps.is_empty())
}

/// Formats a message about missing values. Numbers are written as in specs, with at least `digits`
/// digits.
pub fn message(what: &str, gaps: &[RangeInclusive<u32>], digits: usize) -> String {
    let range = |range: &RangeInclusive<u32>| {
        let (first, last) = (range.start(), range.end());
        if first == last {
            format!("0x{first:0digits$X}")
        } else {
            format!("0x{first:0digits$X}-0x{last:0digits$X}")
        }
    };
    let ranges: Vec<_> = gaps.iter().map(range).collect();
    let one = gaps.len() == 1 && gaps.iter().all(|range| range.start() == range.end());
    let (plural, are) = if one { ("", "is") } else { ("s", "are") };
    format!("{what}{plural} {} {are} neither listed nor reserved", ranges.join(", "))
}
