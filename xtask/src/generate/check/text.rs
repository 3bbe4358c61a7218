//! Rules about the texts for people.

use crate::generate::problem::{Problem, Problems};
use crate::generate::spec::events::Events;
use crate::generate::spec::read::At;
use crate::generate::spec::registers::Registers;
use crate::generate::spec::scalar::Text;

/// Texts of registers, fields and blocks.
pub fn of_registers(spec: &Registers, problems: &mut Problems) {
    for page in spec.pages.iter() {
        is_a_sentence(&page.doc, [&page.name.0, &page.title.0], problems);
    }
    for block in spec.blocks.iter() {
        is_a_sentence(&block.doc, [&block.name.0, &block.title.0], problems);
    }
    for register in spec.registers.iter() {
        let names = [&*register.name.0, &register.title.0];
        is_a_sentence(&register.doc, names, problems);
        register.note.iter().for_each(|note| is_a_sentence(note, names, problems));
        for field in register.fields.iter() {
            if let (Some(doc), Some(name), None) = (&field.doc, &field.name, &field.reserved) {
                is_a_sentence(doc, [&name.0], problems);
            }
        }
    }
}

/// Texts of events.
pub fn of_events(spec: &Events, problems: &mut Problems) {
    for event in spec.groups.iter().flat_map(|group| group.events.iter()) {
        is_a_sentence(&event.doc, [&event.name.0], problems);
        event.note.iter().for_each(|note| is_a_sentence(note, [&event.name.0], problems));
    }
}

/// A text is a sentence that says more than the name and the title.
pub fn is_a_sentence<const N: usize>(text: &At<Text>, names: [&str; N], problems: &mut Problems) {
    let letters = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    if names.iter().any(|name| letters(&text.0) == letters(name)) {
        problems.push(Problem::new(&text.place, "the text only repeats the name"));
    } else if !text.0.ends_with('.') {
        problems.push(Problem::new(&text.place, "a text is a sentence and ends with a full stop"));
    }
}
