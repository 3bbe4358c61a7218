//! Every register of a spec against the simulated device: map, width, every bit, access.
//!
//! The device has the map typed from the documents a second time (ARCHITECTURE.md, invariant 3).
//! The test compares the behavior of the registers, access by access, and not only the device's
//! table.

/// The test of a device, with the comparisons of the calling module.
macro_rules! compare {
    ($name:ident: $Device:ty) => {
        #[test]
        fn $name() {
            the_maps_agree::<$Device>();
            every_bit_behaves_as_the_spec_says::<$Device>();
            what_modify_and_write_start_from_harms_nothing::<$Device>();
        }
    };
}

mod cp15;
mod fields;
mod memory;
mod sysreg;

use std::path::Path;

use crate::generate::load::load;
use crate::generate::model::Ip;

fn ip(name: &str) -> Ip {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let loaded = load(&root, &[name.to_owned()]).expect("the spec has no problems");
    loaded.ips.into_iter().find(|ip| ip.name == name).expect("the named IP")
}

/// Zeros, ones, and each bit alone.
fn patterns() -> impl Iterator<Item = u32> {
    [0, u32::MAX].into_iter().chain((0..32).map(|bit| 1 << bit))
}
