//! Converts a parsed platform to the types of the tables. The result lives until the program ends.

use arm_pmu_spec::platform::model as m;

mod t {
    pub use arm_pmu_tables::platform::*;
    pub use arm_pmu_tables::{Bits, Confidence, Origin, Platform};
}

/// Conversion to the corresponding type in `arm_pmu_tables`.
pub trait Leaked {
    type To: 'static;

    fn leaked(&self) -> Self::To;
}

/// Implements the conversion of structs. Each row lists the arguments of `new`, the other keys, and the keys whose
/// absence means an empty list.
macro_rules! structs {
    ($($From:ident => $To:ident($($argument:ident),*) { $($key:ident),* } $([$list:ident])?)*) => { $(
        impl Leaked for m::$From {
            type To = t::$To;

            fn leaked(&self) -> t::$To {
                #[allow(unused_mut)]
                let mut made = t::$To::new($(self.$argument.leaked()),*);
                $( made.$key = self.$key.leaked(); )*
                $( made.$list = self.$list.leaked().unwrap_or_default(); )?
                made
            }
        }
    )* };
}

structs! {
    Platform => Platform(name, title, vendor) { also, notes, instances, wanted }
    Instance => Instance(name, ip) {
        title, unit, core, cpus, base, length, interrupts, linux, device_tree, clock, interfaces, streams, switches,
        faults, notes
    }
    CpuList => Cpus(numbers, origin) { labels }
    Interrupts => Interrupts(controller, numbers, origin) { of, per_cpu, wiring, trigger, note } [affinity]
    DeviceTree => DeviceTree(state, origin) { node, label, missing }
    Clock => Clock(origin) { name, hertz, note }
    Interface => Interface(port, name, title, origin) { condition, beat_bytes }
    Stream => Stream(id, name, title, origin) {}
    Switch => Switch(name, doc, written_by, origin) {
        register, address, bits, on, reset, seen_from_elsewhere, ways
    }
    Way => Way(stage, doc, origin) { fails }
    Fault => Fault(name, doc, effect, origin) { fix, symptom, announced }
}

/// Converts words. `gen` makes the words of the tables from the words of the spec language.
macro_rules! words {
    ($($Word:ident),*) => { $(
        impl Leaked for m::$Word {
            type To = t::$Word;

            fn leaked(&self) -> t::$Word {
                let mut all = t::$Word::ALL.iter();
                *all.find(|value| value.word() == self.word()).expect("a word of the spec")
            }
        }
    )* };
}

words!(Controller, Wiring, Trigger, NodeState, Writer, Stage, Symptom, Confidence);

/// Converts other types.
macro_rules! each {
    ($($From:ty $(where $T:ident)? => $To:ty: |$of:ident| $made:expr;)*) => { $(
        impl$(<$T: Leaked>)? Leaked for $From {
            type To = $To;

            fn leaked(&self) -> $To {
                let $of = self;
                $made
            }
        }
    )* };
}

each! {
    bool => bool: |of| *of;
    u32 => u32: |of| *of;
    u64 => u64: |of| *of;
    String => &'static str: |of| Box::leak(of.clone().into_boxed_str());
    (String, u32) => t::Announced: |of| t::Announced { page: of.0.leaked(), offset: of.1 };
    m::Bits => t::Bits: |of| t::Bits::new(of.high, of.low);
    m::Origin => t::Origin: |of| of.confidence.leaked().source(of.source.leaked());
    m::Fact<T> where T => t::Fact<T::To>: |of| t::Fact::new(of.value.leaked(), of.origin.leaked());
    Option<T> where T => Option<T::To>: |of| of.as_ref().map(T::leaked);
    Vec<T> where T => &'static [T::To]: |of| Box::leak(of.iter().map(T::leaked).collect());
}
