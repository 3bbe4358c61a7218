//! Derives the confidence and the source text of each fact from the legend.

pub use arm_pmu_spec::legend::{ALL, Facts, Legend};

use crate::generate::problem::{Problems, report};
use crate::generate::spec::LegendEntry;
use crate::generate::spec::events::Events;
use crate::generate::spec::findings::{CommonFindings, Findings};
use crate::generate::spec::metrics::Metrics;
use crate::generate::spec::read::{List, Read};
use crate::generate::spec::registers::Registers;

/// A file with a legend.
pub trait HasLegend: Read + Facts {
    fn legend(&mut self) -> &mut List<LegendEntry>;
}

macro_rules! files {
    ($($File:ty),*) => { $(
        impl HasLegend for $File {
            fn legend(&mut self) -> &mut List<LegendEntry> {
                &mut self.legend
            }
        }
    )* };
}

files!(Registers, Events, Metrics, Findings, CommonFindings);

/// Applies the legend of an IP's file. All sources in such a legend describe this IP.
pub fn apply(file: &mut impl HasLegend, problems: &mut Problems) {
    let entries = std::mem::take(file.legend());
    for entry in entries.iter() {
        let of = entry.of.first().map(|of| &of.place);
        if let Some(place) = of.or(entry.manual.then_some(&entry.name.place)) {
            report(problems, place, "only the legend of an architecture has this key")
                .help("remove `of` and `manual`: this file is about one IP");
        }
    }
    let legend = Legend::new(&entries, None);
    file.each_fact(&mut |fact| legend.apply(fact, problems));
    legend.is_sound(problems);
    *file.legend() = entries;
}
