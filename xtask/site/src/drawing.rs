//! Registers as drawings: 16 bits in a picture, so that two pictures fit a wide screen, and one fits a narrow screen.

use arm_pmu_lookup::programming::parts;
use arm_pmu_lookup::words;
use arm_pmu_tables::{Bits, Ip, Register};

use crate::anchor;

/// Widths in the drawing: `BIT` for the box of a bit, and `LETTER` for a letter.
const BIT: u32 = 40;
const LETTER: f32 = 7.9;
const LINE: u32 = 15;

/// 16 bits of a register.
pub struct Drawing {
    pub label: String,
    pub height: u32,
    /// Lower edge of the box with the names.
    pub bottom: u32,
    pub scale: Scale,
    pub cells: Vec<Cell>,
    /// Digits of the value after reset; empty unless the value is known and the same in all units.
    pub reset: Vec<(u32, u64)>,
}

/// The numbers above the bits. Most pictures on a page have the same numbers, so the page contains each scale only
/// once.
#[derive(Clone, PartialEq)]
pub struct Scale {
    /// Name by which drawings on the page refer to the scale.
    pub id: String,
    /// Bit numbers, each with the position of the bit's middle: for all bits, or only for the first and the last bit.
    pub numbers: Vec<(u32, u32)>,
}

/// The part of a field, or of reserved bits, that one picture shows.
pub struct Cell {
    /// All bits of the field in the register.
    pub bits: Bits,
    pub left: u32,
    pub width: u32,
    pub lines: Vec<Line>,
    /// The address of the field.
    pub anchor: Option<String>,
    /// In one sentence.
    pub title: String,
    /// Text below it.
    pub access: &'static str,
}

/// One line of a field's name: the text, its position, and whether the text is rotated.
pub struct Line {
    pub text: String,
    pub x: u32,
    pub y: u32,
    pub turned: bool,
}

/// The middle of a cell.
impl Cell {
    pub fn middle(&self) -> u32 {
        self.left + self.width / 2
    }
}

const TOP: u32 = 22;

/// All bits of a register, the highest first.
pub fn draw(ip: &Ip, register: &'static Register) -> Vec<Drawing> {
    let all = |tall: u32| -> Vec<Drawing> {
        let firsts = (0..register.width / 16).rev().map(|nth| nth * 16);
        firsts.map(|first| half(ip, register, first, tall)).collect()
    };
    // The height of the tallest drawing.
    let tall = all(44).iter().map(|drawing| drawing.bottom - TOP).max();
    all(tall.unwrap_or(44))
}

fn half(ip: &Ip, register: &'static Register, first: u32, least: u32) -> Drawing {
    let last = first + 15;
    let place = |bit: u32| (last - bit) * BIT;
    let mut names = Vec::new();
    for (bits, part) in parts(register).into_iter().filter(|(bits, _)| inside(*bits, first)) {
        let field = match part {
            Ok(field) => field,
            Err(rule) => {
                let title = format!("{bits}: {}", words::reserved(rule));
                names.push((bits, words::reserved_cell(rule), None, title, ""));
                continue;
            }
        };
        let units = words::titles(ip, field.only);
        let only = if units.is_empty() { String::new() } else { format!(" {units} only.") };
        names.push((
            bits,
            field.name,
            Some(anchor::field(register, field)),
            format!("{bits} {}: {}.{only}", field.name, words::field_access(field)),
            field.access.word(),
        ));
    }
    let wrapped: Vec<_> = names
        .iter()
        .map(|(bits, name, ..)| wrap(name, (bits.high.min(last) - bits.low.max(first) + 1) * BIT))
        .collect();
    let longest = |(turned, lines): &(bool, Vec<String>)| {
        let letters = lines.iter().map(String::len).max().unwrap_or(0);
        if *turned { (letters as f32 * LETTER) as u32 + 16 } else { lines.len() as u32 * LINE + 16 }
    };
    let tall = wrapped.iter().map(longest).max().unwrap_or(0).max(least);
    let bottom = TOP + tall;
    let cells = names.into_iter().zip(wrapped).map(|(one, (turned, texts))| {
        let (bits, _, anchor, title, access) = one;
        let left = place(bits.high.min(last));
        let width = (bits.high.min(last) - bits.low.max(first) + 1) * BIT;
        let count = texts.len() as u32;
        let lines = texts.into_iter().zip(0..).map(|(text, nth)| {
            // Distance from the middle of the block of lines to this line.
            let shift = (nth * LINE) as i32 - ((count - 1) * LINE) as i32 / 2;
            let (x, y) = (left + width / 2, TOP + tall / 2);
            let (x, y) = if turned {
                (x.saturating_add_signed(shift), y)
            } else {
                (x, y.saturating_add_signed(shift))
            };
            Line { text, x, y, turned }
        });
        Cell { bits, left, width, lines: lines.collect(), anchor, title, access }
    });
    // If a picture shows only reserved bits, its first and last bit numbers suffice.
    let inner = register.reserved.iter().any(|of| of.bits.low <= first && of.bits.high >= last);
    let shown = || (first..=last).filter(move |bit| !inner || *bit == first || *bit == last);
    let reset = match register.resets {
        [one] => one.value,
        _ => None,
    };
    Drawing {
        label: format!("Bits {last} to {first} of {}", register.name),
        height: bottom + if reset.is_some() { 38 } else { 20 },
        bottom,
        scale: Scale {
            id: format!("{}-{last}-{first}", if inner { "ends" } else { "bits" }),
            numbers: shown().map(|bit| (bit, place(bit) + BIT / 2)).collect(),
        },
        cells: cells.collect(),
        reset: reset.map_or(Vec::new(), |value| {
            shown().map(|bit| (place(bit) + BIT / 2, value >> bit & 1)).collect()
        }),
    }
}

fn inside(bits: Bits, first: u32) -> bool {
    bits.low < first + 16 && bits.high >= first
}

/// Breaks a name into lines that fit a cell. Returns the lines, and whether they have to be
/// rotated.
fn wrap(name: &str, width: u32) -> (bool, Vec<String>) {
    let fits = |text: &str, room: f32| text.len() as f32 * LETTER + 6.0 <= room;
    if fits(name, width as f32) {
        return (false, vec![name.to_owned()]);
    }
    let level = lines(name, ((width as f32 - 6.0) / LETTER) as usize);
    if level.len() <= 3 && level.iter().all(|line| fits(line, width as f32)) {
        return (false, level);
    }
    let rows = (width / LINE).max(1) as usize;
    // The smallest line length with which the name fits in the rows.
    let lines = (8..=name.len()).map(|longest| lines(name, longest)).find(|all| all.len() <= rows);
    (true, lines.unwrap_or_else(|| vec![name.to_owned()]))
}

/// Breaks a name after `_` into lines of at most this length, if possible.
fn lines(name: &str, longest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in name.split_inclusive('_') {
        match lines.last_mut() {
            Some(line) if line.len() + part.len() <= longest => line.push_str(part),
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use arm_pmu_tables::IPS;

    use super::*;

    #[test]
    fn each_register_bit_is_drawn_once() {
        for ip in IPS {
            for register in ip.registers {
                let mut drawn = 0;
                for (drawing, first) in draw(ip, register).iter().rev().zip((0..).step_by(16)) {
                    let width: u32 = drawing.cells.iter().map(|cell| cell.width).sum();
                    assert_eq!(width, 16 * BIT, "{} {}", ip.name, register.name);
                    let mut left = 0;
                    for cell in &drawing.cells {
                        assert_eq!(cell.left, left, "{} {}", ip.name, register.name);
                        left += cell.width;
                        let text: String =
                            cell.lines.iter().map(|line| line.text.as_str()).collect();
                        let field = register.fields.iter().find(|field| field.bits == cell.bits);
                        assert!(field.is_none_or(|field| field.name == text), "{text}");
                        for line in &cell.lines {
                            let long = line.text.len() as f32 * LETTER;
                            let room = if line.turned { drawing.bottom - TOP } else { cell.width };
                            assert!(long <= room as f32, "{text} in {}", register.name);
                        }
                    }
                    drawn += drawing.cells.iter().filter(|cell| inside(cell.bits, first)).count();
                }
                assert!(drawn >= register.fields.len() + register.reserved.len());
            }
        }
    }
}
