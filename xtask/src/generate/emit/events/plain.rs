//! Generates the `Selection` of an IP whose events have no sources.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::format;
use super::{event_type, selection};
use crate::generate::implementation::has_thresholds;
use crate::generate::model::{Group, Ip};
use crate::generate::names::ident;

/// Returns the selection of a counter: an event id that equals the event's code.
pub fn emit(ip: &Ip, group: &Group, unit: Option<usize>) -> TokenStream {
    let width = ip.counters.id_width();
    let example = group.events_of(unit).next().map_or("", |event| &event.name);
    let threshold = match has_thresholds(ip) {
        true if ip.is_generic() => "; threshold crate::Threshold\n",
        true => "; threshold arm_pmuv3::Threshold\n",
        false => "",
    };
    let call = format!(
        "{}, {:?};\nid of {width} bits, as {}, 0 to \"{:#X}\";\nexample {example:?}\n{threshold}",
        event_type(ip, group, unit),
        selection::path(ip, unit),
        selection::number_type(ip.counters.event),
        (1_u32 << width) - 1,
    );
    let definition = format::call("event_selection", &call);
    let events = ident(&event_type(ip, group, unit));
    let beside_cycles = ip.counters.cycles.then(|| {
        quote! {
            /// For functions that also count cycles, such as [`measure`](arm_pmu_core::measure::measure).
            impl From<#events> for EventOrCycles<Selection> {
                #[inline]
                fn from(event: #events) -> Self {
                    Self::Event(Selection::event(event))
                }
            }
        }
    });
    quote! {
        #definition

        impl From<#events> for Selection {
            #[inline]
            fn from(event: #events) -> Self {
                Self::event(event)
            }
        }

        #beside_cycles
    }
}
