//! Adds peripherals to an SVD file and leaves the rest unchanged.

use std::collections::HashMap;

use roxmltree::{Document, Node, ParsingOptions};

use super::FOUR_GIGABYTES;
use super::instance::Instance;
use super::xml::Xml;
use crate::Error;

/// Returns the text of the file with the instances after its last peripheral.
///
/// # Errors
///
/// Fails if the file cannot be parsed, or if a name or address of an instance is already used.
pub fn merge(
    file: &str,
    text: &str,
    instances: &[Instance],
    allow_overlap: bool,
) -> Result<String, Error> {
    let wrong = |what: String| Error::wrong_use(format!("{file}: {what}"));
    if is_deep(text) {
        return Err(wrong(format!("the elements are more than {DEPTH} levels deep")));
    }
    let start = text.len() - text.trim_start_matches('\u{FEFF}').len();
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text[start..], options)
        .map_err(|error| wrong(format!("the file is not XML: {error}")))?;
    let device = document.root_element();
    let peripherals = child(device, "peripherals").filter(|_| device.has_tag_name("device"));
    let peripherals = peripherals
        .ok_or_else(|| wrong("the file is not SVD: no device with peripherals".into()))?;
    if content(device, "addressUnitBits").and_then(number).is_some_and(|bits| bits != 8) {
        return Err(wrong("`addressUnitBits` is not 8".into()));
    }
    let all = || peripherals.children().filter(|node| node.has_tag_name("peripheral"));
    let last = all().next_back().ok_or_else(|| wrong("the file has no peripherals".into()))?;
    are_new(instances, all(), allow_overlap).map_err(wrong)?;

    let version: f32 =
        device.attribute("schemaVersion").and_then(|v| v.parse().ok()).unwrap_or(1.1);
    let end = start + last.range().end;
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let indent = indent(&text[..start + last.range().start]);
    let mut xml = Xml::of_version(version);
    super::peripherals(&mut xml, instances)?;
    let mut merged = text[..end].to_owned();
    for line in xml.body().lines() {
        merged += line_end;
        merged += indent;
        merged += line;
    }
    merged += &text[end..];
    Ok(merged)
}

/// Maximum depth of elements. The parser is recursive, so this limits its stack; SVD files have
/// about ten levels.
const DEPTH: usize = 100;

/// Whether elements are more than [`DEPTH`] levels deep.
fn is_deep(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        let others = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<!", ">"), ("<?", "?>")];
        let other = others.iter().find(|(begin, _)| rest.starts_with(begin));
        let end = other.map_or(">", |(_, end)| end);
        let Some((markup, behind)) = rest.split_once(end) else { return false };
        depth = match other {
            Some(_) => depth,
            None if markup.starts_with("</") => depth.saturating_sub(1),
            None => depth + usize::from(!markup.ends_with('/')),
        };
        if depth > DEPTH {
            return true;
        }
        rest = behind;
    }
    false
}

/// Checks that no instance has the name of a peripheral in the file or, unless allowed, overlaps a peripheral.
fn are_new<'n>(
    instances: &[Instance],
    peripherals: impl Iterator<Item = Node<'n, 'n>> + Clone,
    allow_overlap: bool,
) -> Result<(), String> {
    let of_name: HashMap<_, _> =
        peripherals.clone().filter_map(|node| Some((content(node, "name")?, node))).collect();
    for instance in instances {
        for node in peripherals.clone() {
            let Some(name) = content(node, "name") else { continue };
            if name.eq_ignore_ascii_case(&instance.name) {
                return Err(format!(
                    "the file already has a peripheral {name}; choose another name, as in IP=NAME@BASE"
                ));
            }
            let base = content(node, "baseAddress").and_then(number);
            let Some(base) = base.filter(|_| !allow_overlap) else { continue };
            // A peripheral without address blocks inherits the blocks of `derivedFrom`.
            let like = node.attribute("derivedFrom").and_then(|name| of_name.get(name));
            let with_blocks =
                if child(node, "addressBlock").is_some() { Some(&node) } else { like };
            for block in with_blocks.iter().flat_map(|node| node.children()) {
                let value = |name| content(block, name).and_then(number).map(u128::from);
                let (Some(offset), Some(size)) = (value("offset"), value("size")) else { continue };
                let start = u128::from(base) + offset;
                let mut ranges = instance.ranges();
                if ranges.any(|own| own.start < start + size && start < own.end) {
                    // Some files contain a negative size as a 32-bit number.
                    let four_gigabytes = u128::from(FOUR_GIGABYTES);
                    let is_too_long = start < four_gigabytes && start + size > four_gigabytes;
                    let past = if is_too_long {
                        format!(
                            ", whose block at 0x{start:X} has 0x{size:X} bytes and ends past 4 GB: \
                             correct that size"
                        )
                    } else {
                        String::new()
                    };
                    return Err(format!(
                        "{} at 0x{:X} overlaps its {name} at 0x{base:X}{past}; --allow-overlap adds \
                         it nevertheless",
                        instance.name, instance.base
                    ));
                }
            }
        }
    }
    Ok(())
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn content<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    Some(child(node, name)?.text()?.trim())
}

/// Parses a number in SVD syntax: `0x40`, `#100`, `0b100`, `64`, with an optional factor (`4k`).
fn number(text: &str) -> Option<u64> {
    let text = text.trim_start_matches('+').to_ascii_lowercase();
    let (digits, radix) = match (text.strip_prefix("0x"), text.strip_prefix('#')) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => match text.strip_prefix("0b") {
            Some(digits) => (digits, 2),
            None => (text.as_str(), 10),
        },
    };
    let factors = [('k', 1 << 10), ('m', 1 << 20), ('g', 1 << 30), ('t', 1 << 40)];
    let factor = factors.iter().find_map(|(end, by)| Some((digits.strip_suffix(*end)?, *by)));
    let (digits, by) = factor.unwrap_or((digits, 1));
    u64::from_str_radix(digits, radix).ok()?.checked_mul(by)
}

/// Indentation of an element; empty if the element does not begin its line.
fn indent(before: &str) -> &str {
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    if line.trim().is_empty() { line } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_svd_syntax_are_read() {
        let all = [
            ("0x40021000", 0x4002_1000),
            ("0X10", 16),
            ("#101", 5),
            ("0b11", 3),
            ("4k", 4096),
            ("+8", 8),
            ("0x1G", 1 << 30),
        ];
        for (text, value) in all {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in ["", "0x", "zebra", "0xFFFFFFFFFFFFFFFFk"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
