//! Rules about fields and values that differ between units or elements.

use super::lists::are_listed_once;
use super::location;
use super::prelude::*;
use super::units::{are_some, is_known};

/// If only some units or elements have a field, the field lists them, and states how its bits
/// behave in the others.
pub fn of_fields(spec: &Registers, register: &Register, problems: &mut Problems) {
    // Reserved bits cannot have these keys.
    for field in register.fields.iter().filter(|field| field.reserved.is_none()) {
        of_field(&spec.units, field, problems);
        of_elements(spec, register, field, problems);
        if let (Some(read), Some(access)) = (&field.read, &field.access)
            && **access != Access::WriteOneActs
        {
            report(problems, read, "only a `w1` field can read unpredictably")
                .other(access, "its access");
        }
    }
}

/// Checks a field that only certain elements or units have.
pub fn of_field(units: &List<Unit>, field: &Field, problems: &mut Problems) {
    are_some(units, &field.only, problems);
    match (field.limits().next(), &field.elsewhere) {
        (Some((key, place)), None) => {
            report(problems, place, format!("`{key}` needs an `elsewhere`"))
                .help("state how the bits are reserved where the field does not exist");
        }
        (None, Some(elsewhere)) if field.elements.complete && field.only.complete => {
            report(problems, elsewhere, "the field is everywhere")
                .help("`elsewhere` is only for fields with `elements` or `only`");
        }
        _ => {}
    }
    if let (Some((_, first)), Some((_, second))) = (field.limits().next(), field.limits().nth(1)) {
        let message = "a field is limited to elements or to units, not both";
        report(problems, second, message).other(first, "the other");
    }
}

/// Checks a field that only some elements have. Its register must be an array, and its bits must read as zero in the
/// other elements, so that one mask fits all elements.
fn of_elements(spec: &Registers, register: &Register, field: &Field, problems: &mut Problems) {
    let Some(first) = field.elements.first() else { return };
    let count = location::count(spec, register);
    are_listed_once(field.elements.iter().map(|element| (element.0, &element.place)), problems);
    let repeats = [register.count.is_some(), register.stride.is_some(), register.block.is_some()];
    if !repeats.contains(&true) {
        report(problems, first, "the register has no elements")
            .help("an array has `count` and `stride`");
    } else if let Some(beyond) = field.elements.iter().find(|element| element.0 >= count)
        && count > 1
    {
        report(problems, beyond, format!("the last element is {}", count - 1));
    } else if count > 1 && (0..count).all(|n| field.elements.iter().any(|element| element.0 == n)) {
        report(problems, first, "this lists all elements")
            .help("a property of every element needs no `elements`");
    }
    if let Some(elsewhere) = &field.elsewhere
        && **elsewhere != Reserved::Zero
    {
        report(
            problems,
            elsewhere,
            "a field of only some elements is `zero` in the other elements",
        );
    }
}

/// Checks that each unit has exactly one value after reset, and that this value fits the register.
pub fn of_resets(units: &List<Unit>, register: &Register, problems: &mut Problems) {
    match (&register.reset, register.resets.first()) {
        (Some(all), Some(one)) => {
            report(problems, one, "a register has either `reset` or `resets`")
                .other(all, "the other");
        }
        (None, None) if register.resets.complete => {
            let message = format!("{} lacks `reset`", register.name.0);
            report(problems, &register.name, message)
                .help("write `reset: unknown` if no source gives it");
        }
        _ => {}
    }
    let mut sound = register.resets.complete;
    let given = register.resets.iter().map(|reset| &reset.unit);
    for (name, place, first) in repeated(given.clone().map(|name| (&name.0, &name.place))) {
        sound = false;
        let message = format!("the reset value of `{name}` is given twice");
        report(problems, place, message).other(first, "first here");
    }
    for name in given.clone() {
        is_known(units, name, problems);
        sound &= units.iter().any(|unit| unit.name.0 == name.0);
    }
    // A value for an unknown or repeated unit is often the missing value, so both are reported as
    // one mistake.
    let missing = units.iter().find(|unit| given.clone().all(|name| name.0 != unit.name.0));
    if let Some(unit) = missing
        && !register.resets.is_empty()
        && sound
    {
        let message = format!("{} lacks the reset value of `{}`", register.name.0, unit.name.0);
        report(problems, &register.name, message)
            .help("list it in `resets`, as `unknown` if no source gives it");
    }
    // If fields also lie beyond the register, its width is wrong, which is reported already.
    let inside = register.fields.iter().all(|field| field.bits.high < register.bits());
    for (place, value, _) in register.all_resets().filter(|_| inside) {
        if let Reset::Known(value) = value
            && register.bits() == 32
            && value > u64::from(u32::MAX)
        {
            report(problems, place, format!("0x{value:X} does not fit 32 bits"));
        }
    }
}
