use arm_pmu_derive::Event;

macro_rules! sample {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $(#[$doc:meta])* $variant:ident = $code:expr }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
        $(#[$meta])*
        $vis enum $name {
            $(#[$doc])*
            $variant = $code,
        }
    };
}

sample! {
    #[event[bits = 5]]
    pub(crate) enum Sample {
        #[doc = concat!("A beat of read data", " was accepted.")]
        #[event(name = "READ_DATA_BEAT")]
        ReadDataBeat = 0x08 + 1
    }
}

fn main() {
    let _ = Sample::ALL;
}
