//! `arm-pmu encode`.

use arm_pmu::arm_pmuv3::Threshold;
use arm_pmu_lookup::name;
use arm_pmu_lookup::perf_name::What;
use arm_pmu_lookup::programming::{self, Write};
use arm_pmu_tables::Location;

use crate::base::answer::Answer;
use crate::base::arguments::Encode;
use crate::base::failure::{Failure, refuse};
use crate::base::platform::target;
use crate::base::text::{NAME, Screen, styled};
use crate::lookup::view;

struct Encoded {
    what: What,
    id: u32,
    counter: u32,
    writes: Vec<Write>,
}

pub fn run(arguments: &Encode, screen: Screen) -> Result<Answer, Failure> {
    let platform = arguments.place.platform.as_ref();
    let (subject, events) = target::subject(arguments.ip.as_ref(), platform, &arguments.events)?;
    if events.is_empty() {
        refuse!("give an event");
    }
    let split = |event| {
        let split = Threshold::split(event).map(|(event, condition)| (event, Some(condition)));
        split.unwrap_or((event, None))
    };
    let (events, conditions): (Vec<_>, Vec<_>) = events.into_iter().map(split).unzip();
    let target = subject.one(&events)?;
    let pmu = target.pmu;
    let count = pmu.ip.counters.count;
    let mut all = Vec::new();
    for ((counter, event), condition) in (arguments.counter..).zip(events).zip(conditions) {
        let name = target.event(event)?;
        let what = name::event(pmu, &name);
        let (what, id) = what.map_err(|failure| target.with_interfaces(&name, failure))?;
        let writes =
            (counter < count).then(|| programming::writes_of_id(pmu.ip, id, counter)).flatten();
        let Some(mut writes) = writes else {
            let last = count.saturating_sub(1);
            refuse!("there is no counter {counter} for `{event}`: {pmu} has counters 0 to {last}");
        };
        if let Some(condition) = condition {
            let (tc, th) = (condition.options() >> 12, condition.events());
            let of_counter = writes.last_mut();
            if !of_counter.is_some_and(|write| write.add("TC", tc) && write.add("TH", th)) {
                refuse!("`{event}{condition}` has a threshold: {pmu} has none");
            }
        }
        all.push(Encoded { what, id, counter, writes });
    }
    if arguments.json {
        let document =
            |one: &Encoded| view::Encoded::new(&one.what, one.id, one.counter, &one.writes);
        let events = all.iter().map(document).collect();
        return Answer::json(&view::Encode { pmu: pmu.to_string(), events });
    }
    let digits = pmu.ip.counters.id.width().div_ceil(4) as usize;
    Ok(Answer::text(text(&all, digits, screen)))
}

fn text(all: &[Encoded], digits: usize, screen: Screen) -> String {
    let mut text = String::new();
    for one in all {
        text += &format!(
            "{}  event id 0x{:0digits$X}, on counter {}\n",
            styled(NAME, &one.what.to_string()),
            one.id,
            one.counter
        );
        text += &writes(&one.writes, screen);
    }
    text
}

/// Table of register writes, with the bits to preserve.
pub fn writes(all: &[Write], screen: Screen) -> String {
    let mut text = screen.whole().table(2, &[NAME], &all.iter().map(row).collect::<Vec<_>>());
    for write in all.iter().filter(|write| write.has_other_fields()) {
        let rule = format!(
            "{}: the value is in bits 0x{:08X}. Keep the other fields, but write 0 to fields where writing 1 has an effect.",
            write.name(),
            write.mask()
        );
        text += &screen.paragraph("  ", &rule);
    }
    text
}

/// Row such as `EVENT_SELECT[3]  = 0x00000069  SOURCE=0x3 EVENT=0x9  at 0x4000`.
fn row(write: &Write) -> Vec<String> {
    let fields = write.fields.iter().map(|(field, value)| format!("{}=0x{value:X}", field.name));
    let place = match write.register.location {
        Location::Cp15 { operands, .. } => format!("at {operands}"),
        Location::System { register, .. } => {
            format!("at {}", register.plus(write.element.unwrap_or(0)))
        }
        Location::Memory { page, .. } => {
            let offset = write.register.offset(write.element.unwrap_or(0)).unwrap_or(0);
            let page = page.map_or(String::new(), |page| format!(" of {page}"));
            format!("at 0x{offset:X}{page}")
        }
        _ => String::new(),
    };
    let value = format!("= 0x{:08X}", write.value());
    vec![write.name(), value, fields.collect::<Vec<_>>().join(" "), place]
}
