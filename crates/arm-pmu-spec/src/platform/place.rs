//! Rules about addresses.

use super::known::{KnownIp, KnownPlace};
use super::language::{Instance, Platform};
use super::scalar::Address;
use crate::problem::{Place, Problems, report};
use crate::read::At;

/// Size of the smallest page of a system.
const PAGE: u64 = 0x1000;

/// Address range of an instance, and the position of its base in the spec.
struct Range<'s> {
    owner: &'s str,
    first: u64,
    last: u64,
    place: &'s Place,
}

/// Checks that IPs in memory have a base, and that other IPs have none.
pub fn is_there(instance: &Instance, ip: &KnownIp, problems: &mut Problems) {
    match (ip.place, &instance.base) {
        (KnownPlace::Core, Some(base)) => {
            let message = format!("the registers of `{}` are in the core, not in memory", ip.name);
            report(problems, base, message).help("remove `base`");
        }
        (KnownPlace::Region(_) | KnownPlace::Pages, None) => {
            report(problems, &instance.name, "an IP in memory lacks its `base`")
                .help("give the base, or leave this instance out and list it under `wanted`");
        }
        _ => {}
    }
    for copy in instance.copies.iter() {
        if copy.base.is_none() && ip.place != KnownPlace::Core {
            report(problems, &copy.name, "a copy in memory lacks its `base`");
        }
    }
}

/// Checks that bases are page-aligned, and that the length covers all registers.
pub fn is_sound(instance: &Instance, ip: &KnownIp, problems: &mut Problems) {
    let bases = instance.base.iter().map(|base| &base.value);
    for base in bases.chain(instance.copies.iter().filter_map(|copy| copy.base.as_ref())) {
        if base.0 % PAGE != 0 {
            report(problems, base, format!("0x{:X} is not the start of a page of 4 KB", base.0));
        }
        if end(base, instance, ip).is_none() {
            report(problems, base, "the instance exceeds 64-bit addresses");
        }
    }
    if let (Some(length), KnownPlace::Region(own)) = (&instance.length, ip.place) {
        if length.value.0 < u64::from(own) {
            let message = format!(
                "0x{:X} bytes are too few for the registers of `{}`, which take 0x{own:X} bytes",
                length.value.0, ip.name
            );
            report(problems, &length.value, message);
        }
    }
}

/// Checks that instances do not overlap.
pub fn do_not_overlap(spec: &Platform, known: &[KnownIp], problems: &mut Problems) {
    let mut all: Vec<Range<'_>> = Vec::new();
    for instance in spec.instances.iter() {
        let Some(ip) = known.iter().find(|ip| ip.name == instance.ip.value.0) else { continue };
        let first = instance.base.iter().map(|base| (&*instance.name.0, &base.value));
        let copies = instance.copies.iter();
        let copies = copies.filter_map(|copy| Some((&*copy.name.0, copy.base.as_ref()?)));
        for (owner, base) in first.chain(copies) {
            for (first, last) in ranges(base, instance, ip) {
                all.push(Range { owner, first, last, place: &base.place });
            }
        }
    }
    all.sort_by_key(|range| (range.first, range.place.range.start));
    // Among the preceding ranges, the one with the highest end.
    let mut before: Option<&Range<'_>> = None;
    for range in &all {
        if let Some(other) = before.filter(|o| o.last >= range.first && o.place != range.place) {
            let message = format!("`{}` and `{}` overlap", range.owner, other.owner);
            report(problems, range.place, message).other(other.place, "the other");
        }
        if before.is_none_or(|before| before.last < range.last) {
            before = Some(range);
        }
    }
}

/// First and last byte of each region of an instance.
fn ranges(base: &At<Address>, instance: &Instance, ip: &KnownIp) -> Vec<(u64, u64)> {
    let range = |offset: u64, length: u64| {
        let first = base.0.checked_add(offset)?;
        Some((first, first.checked_add(length.checked_sub(1)?)?))
    };
    match ip.place {
        KnownPlace::Core | KnownPlace::Unchecked => Vec::new(),
        KnownPlace::Region(own) => {
            let length = instance.length.as_ref().map_or(u64::from(own), |length| length.value.0);
            range(0, length).into_iter().collect()
        }
        KnownPlace::Pages => {
            let unit = instance.unit.as_ref().and_then(|unit| ip.unit(&unit.value.0));
            let pages = unit.map_or(&[][..], |unit| &unit.pages);
            let page = |(_, offset, length): &(String, u32, u32)| {
                range(u64::from(*offset), u64::from(*length))
            };
            pages.iter().filter_map(page).collect()
        }
    }
}

/// Last byte of an instance; `None` if a region exceeds 64-bit addresses.
fn end(base: &At<Address>, instance: &Instance, ip: &KnownIp) -> Option<u64> {
    let parts = match ip.place {
        KnownPlace::Core | KnownPlace::Unchecked => return Some(base.0),
        KnownPlace::Region(_) => 1,
        KnownPlace::Pages => {
            let unit = instance.unit.as_ref().and_then(|unit| ip.unit(&unit.value.0));
            unit.map_or(0, |unit| unit.pages.len())
        }
    };
    let all = ranges(base, instance, ip);
    (all.len() == parts).then(|| all.iter().map(|(_, last)| *last).max().unwrap_or(base.0))
}
