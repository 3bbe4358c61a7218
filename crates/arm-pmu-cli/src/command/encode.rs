//! `arm-pmu encode`.

use super::Answer;
use crate::arguments::Encode;
use crate::failure::Failure;
use crate::name::{self, Selected};
use crate::programming::{self, Write};
use crate::text::{ASIDE, NAME, Screen, WARNING, styled};
use crate::view;

/// An event on its counter.
struct Encoded {
    selected: Selected,
    counter: u32,
    writes: Vec<Write>,
}

pub fn run(arguments: &Encode, screen: Screen) -> Result<Answer, Failure> {
    let pmu = name::pmu(&arguments.ip)?;
    let count = pmu.ip.counters.count;
    let mut all = Vec::new();
    for (counter, event) in (arguments.counter..).zip(&arguments.events) {
        let selected = name::selection(pmu, event)?;
        let writes =
            (counter < count).then(|| programming::writes(&selected.selection, counter)).flatten();
        let Some(writes) = writes else {
            let last = count.saturating_sub(1);
            let text = format!(
                "there is no counter {counter} for `{event}`: {pmu} has counters 0 to {last}"
            );
            return Err(Failure::wrong_use(text));
        };
        all.push(Encoded { selected, counter, writes });
    }
    if arguments.json {
        return Answer::json(&view::Encode {
            pmu: pmu.to_string(),
            events: all.iter().map(document).collect(),
        });
    }
    Ok(Answer::text(text(&all, screen)))
}

fn document(one: &Encoded) -> view::Encoded {
    view::Encoded {
        event: one.selected.selection.to_string(),
        id: one.selected.selection.id(),
        counter: one.counter,
        writes: one.writes.iter().map(view::write).collect(),
        notes: one.selected.notes.clone(),
    }
}

fn text(all: &[Encoded], screen: Screen) -> String {
    let mut text = String::new();
    for one in all {
        let selection = &one.selected.selection;
        let digits = selection.of.ip.counters.id.width().div_ceil(4) as usize;
        text += &format!(
            "{}  event id 0x{:0digits$X}, on counter {}\n",
            styled(NAME, &selection.to_string()),
            selection.id(),
            one.counter
        );
        text += &screen.table(2, &[NAME], &one.writes.iter().map(row).collect::<Vec<_>>());
        for note in &one.selected.notes {
            text += &styled(WARNING, &screen.paragraph("  Note: ", note));
        }
    }
    text
}

/// `EVENT_SELECT[3]  = 0x00000069  SOURCE=0x3 EVENT=0x9  at 0x4000`.
pub fn row(write: &Write) -> Vec<String> {
    let fields = write.fields.iter().map(|(field, value)| format!("{}=0x{value:X}", field.name));
    let rest = if write.has_other_fields() {
        format!("in bits 0x{:08X}, others kept", write.mask())
    } else {
        String::new()
    };
    let place = match write.register.location {
        arm_pmu_tables::Location::Cp15 { operands, .. } => format!("at {operands}"),
        arm_pmu_tables::Location::Memory { page, .. } => {
            let offset = write.register.offset(write.element.unwrap_or(0)).unwrap_or(0);
            let page = page.map_or(String::new(), |page| format!(" of {page}"));
            format!("at 0x{offset:X}{page}")
        }
        _ => String::new(),
    };
    vec![
        write.name(),
        format!("= 0x{:08X}", write.value()),
        fields.collect::<Vec<_>>().join(" "),
        place,
        styled(ASIDE, &rest),
    ]
}
