//! Rules about the bits of one register.

use super::prelude::*;
use crate::generate::model::letters;
use crate::generate::spec::registers::NamedValueSpec;

/// Checks that each field is reserved, or has a name, an access and a text.
pub fn are_whole(register: &Register, problems: &mut Problems) {
    for field in register.fields.iter() {
        let given = [
            ("name", field.name.as_ref().map(|at| &at.place)),
            ("access", field.access.as_ref().map(|at| &at.place)),
            ("doc", field.doc.as_ref().map(|at| &at.place)),
        ];
        if let Some(reserved) = &field.reserved {
            let limits = field.limits().map(|(key, place)| (key, Some(place)));
            let others = [
                ("read", field.read.as_ref().map(|at| &at.place)),
                ("elsewhere", field.elsewhere.as_ref().map(|at| &at.place)),
                ("aliases", field.aliases.first().map(|at| &at.place)),
                ("values", field.values.first().map(|value| &value.place)),
                ("events_from", field.events_from.as_ref().map(|at| &at.place)),
            ];
            for (key, place) in given.into_iter().chain(limits).chain(others) {
                if let Some(place) = place {
                    report(problems, place, format!("reserved bits have no `{key}`"))
                        .other(reserved, "reserved");
                }
            }
            continue;
        }
        let missing: Vec<_> =
            given.iter().filter(|(_, place)| place.is_none()).map(|(key, _)| *key).collect();
        if missing.len() == 3 {
            report(problems, field, "bits are either reserved or a field")
                .help("give `reserved`, or `name`, `access` and `doc`");
        } else if !missing.is_empty() {
            report(problems, field, format!("a field lacks `{}`", missing.join("` and `")));
        }
    }
}

/// Bits lie inside the register, and software can access all bits of a field in one access.
pub fn are_inside(register: &Register, problems: &mut Problems) {
    let width = register.bits();
    // Reported once: a register that lacks `words` has several such bits.
    if let Some(bits) = register.fields.iter().map(|f| &f.bits).find(|bits| bits.high >= width) {
        let message = format!("bit {} is outside of a {width}-bit register", bits.high);
        let last = width - 1;
        let help = match width {
            32 => format!("its bits are {last} to 0; a register of 64 bits has `words: 2`"),
            _ => format!("its bits are {last} to 0"),
        };
        report(problems, bits, message).help(help);
    }
    for field in register.fields.iter() {
        let bits = &field.bits;
        if bits.high >= width {
            continue;
        }
        let is_in_two = bits.high > 31 && bits.low < 32 && register.sysreg.is_none();
        if is_in_two && field.reserved.is_none() {
            report(problems, bits, "a field must not cross the 32-bit words of its register")
                .help("each word has its own access: split the field, and name both parts");
        }
    }
}

/// High bit first.
pub fn are_in_order(register: &Register, problems: &mut Problems) {
    for pair in register.fields.windows(2) {
        // A bit beyond the end is a separate problem.
        let inside = pair[1].bits.high < register.bits();
        if pair[1].bits.low > pair[0].bits.high && inside {
            report(problems, &pair[1].bits, "fields are listed high bit first")
                .other(&pair[0].bits, "these come after it");
        }
    }
}

/// Checks that every bit of a register belongs to exactly one field.
pub fn cover_the_register(register: &Register, problems: &mut Problems) {
    let mut owners: [Option<&At<Bits>>; 64] = [None; 64];
    let mut clashes = false;
    for field in register.fields.iter() {
        let clash =
            (field.bits.low..=field.bits.high).rev().find(|bit| owners[*bit as usize].is_some());
        if let Some(bit) = clash
            && let Some(owner) = owners[bit as usize]
        {
            clashes = true;
            report(problems, &field.bits, format!("bit {bit} is taken already"))
                .other(owner, "here");
        }
        for bit in field.bits.low..=field.bits.high {
            owners[bit as usize].get_or_insert(&field.bits);
        }
    }
    let (inside, beyond) = owners.split_at(register.bits() as usize);
    let is_missing = |(_, owner): &(usize, &Option<&At<Bits>>)| owner.is_none();
    let missing: u64 =
        inside.iter().enumerate().filter(is_missing).map(|(bit, _)| 1_u64 << bit).sum();
    // Bits that are listed twice or beyond the end are often the missing bits with a typing error.
    // The two problems are then one mistake, so only one is reported.
    let mistyped = clashes || beyond.iter().any(Option::is_some);
    if missing != 0 && register.fields.complete && !mistyped {
        let bits = if missing.is_power_of_two() { "bit" } else { "bits" };
        let message = format!("{} lacks {bits} {}", register.name.0, ranges(missing));
        report(problems, &register.name, message)
            .help("describe every bit on exactly one line, including reserved bits");
    }
}

/// Formats a mask as ranges of bits, high first.
fn ranges(mask: u64) -> String {
    let mut found = Vec::new();
    let mut bit = 64;
    while bit > 0 {
        bit -= 1;
        if mask >> bit & 1 == 0 {
            continue;
        }
        let high = bit;
        while bit > 0 && mask >> (bit - 1) & 1 == 1 {
            bit -= 1;
        }
        found.push(Bits { high, low: bit }.to_string());
    }
    found.join(", ")
}

pub fn name_their_values(register: &Register, problems: &mut Problems) {
    for field in register.fields.iter() {
        let acts = |access: &&At<Access>| {
            !matches!(***access, Access::ReadWrite | Access::ReadOnly | Access::WriteOnly)
        };
        if let (Some(first), Some(access)) =
            (field.values.first(), field.access.as_ref().filter(acts))
        {
            let message = format!("a field that is {} has no `values`", access.word());
            report(problems, first, message)
                .other(access, "writing 1 acts")
                .help("its values are 0 and 1: describe both in `doc`");
            continue;
        }
        let width = field.bits.width();
        for (nth, value) in field.values.iter().enumerate() {
            if u64::from(value.value.0) > field.bits.mask() >> field.bits.low {
                let bits = if width == 1 { "1 bit".to_owned() } else { format!("{width} bits") };
                let message = format!("0x{:X} does not fit into {bits}", value.value.0);
                report(problems, &value.value, message).other(&field.bits, "the field");
            }
            let before = field.values.iter().take(nth);
            if let Some(same) = before.clone().find(|other| other.value.0 == value.value.0) {
                let message = format!("0x{:X} has a name already", value.value.0);
                report(problems, &value.value, message).other(&same.value, "here");
            }
            // Look-ups and case-insensitive languages treat such names as equal.
            let is_same =
                |other: &&NamedValueSpec| letters(&other.name.0) == letters(&value.name.0);
            if let Some(same) = before.clone().find(is_same) {
                let message = format!("the name `{}` is taken already", value.name.0);
                report(problems, &value.name, message).other(&same.name, "here");
            }
        }
    }
}

pub fn fit_the_access(register: &Register, problems: &mut Problems) {
    let whole = *register.access;
    if !matches!(whole, Access::ReadWrite | Access::ReadOnly | Access::WriteOnly) {
        report(problems, &register.access, "a register is rw, ro or wo")
            .help("describe in each field what writing 1 does");
        return;
    }
    for field in register.fields.iter() {
        let Some(access) = &field.access else { continue };
        let too_much =
            access.can_read() && !whole.can_read() || access.can_write() && !whole.can_write();
        if too_much {
            let message = format!(
                "a field of a register that is {} cannot be {}",
                whole.word(),
                access.word()
            );
            report(problems, access, message).other(&register.access, "access of the register");
        }
    }
}

/// Bits that always read as zero are zero after a reset.
pub fn allow_the_reset_value(known: &List<Unit>, register: &Register, problems: &mut Problems) {
    let units = register.resets.iter().map(|reset| Some(&reset.unit.value));
    let units = register.reset.iter().map(|_| None).chain(units);
    for ((place, reset, _), unit) in register.all_resets().zip(units) {
        let Reset::Known(reset) = reset else { continue };
        let wrong = |field: &&Field| {
            reset & field.bits.mask() != 0
                && (reads_as_zero(field) || is_zero_in(field, known, unit))
        };
        let mut set = register.fields.iter().filter(wrong).peekable();
        if let Some(first) = set.peek().map(|field| &field.bits.place) {
            let set = set.fold(0, |set, field| set | reset & field.bits.mask());
            let (bits, read) =
                if set.is_power_of_two() { ("bit", "reads") } else { ("bits", "read") };
            let message =
                format!("the reset value sets {bits} {}, which {read} as zero", ranges(set));
            report(problems, place, message).other(first, "reads as zero");
        }
    }
}

fn reads_as_zero(field: &Field) -> bool {
    let reserved = field.reserved.as_ref().is_some_and(|r| **r == Reserved::Zero);
    let acts = field.access.as_ref().is_some_and(|a| **a == Access::WriteOneActs);
    reserved || acts && field.read.is_none()
}

/// Returns whether the field does not exist in the unit and its bits read as zero there; with
/// `None`, whether this is so in any unit.
fn is_zero_in(field: &Field, known: &List<Unit>, unit: Option<&Name>) -> bool {
    let is_known = |only: &At<Name>| known.iter().any(|unit| unit.name.value == only.value);
    let elsewhere = field.elsewhere.as_ref().is_some_and(|r| **r == Reserved::Zero);
    let has = |unit: &Name| field.only.iter().any(|only| only.value == *unit);
    let limited = !field.only.is_empty() && field.only.iter().all(is_known);
    elsewhere && limited && !unit.is_some_and(has)
}
