//! Rules about texts for readers.

pub use arm_pmu_spec::text::is_a_sentence;

use crate::generate::problem::Problems;
use crate::generate::spec::events::Events;
use crate::generate::spec::registers::Registers;

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
            for value in field.values.iter() {
                is_a_sentence(&value.doc, [&value.name.0], problems);
            }
        }
    }
}

pub fn of_events(spec: &Events, problems: &mut Problems) {
    for event in spec.groups.iter().flat_map(|group| group.events.iter()) {
        event.doc.iter().for_each(|doc| is_a_sentence(doc, [&event.name.0], problems));
        event.note.iter().for_each(|note| is_a_sentence(note, [&event.name.0], problems));
    }
}
