//! Every register of a spec against the simulated device: map, width, every bit, access.
//!
//! The device has the map typed from the documents a second time (ARCHITECTURE.md, invariant 3). What is
//! compared is not only its table but what its registers do, access by access.

/// A test for each device, of the comparisons that the module in which it is called has.
macro_rules! compare {
    ($($name:ident: $Device:ident;)*) => {
        /// What is compared: IP and unit.
        pub const COMPARED: &[(&str, Option<usize>)] =
            &[$((<$Device as Device>::IP, <$Device as Device>::UNIT)),*];
        $(
            #[test]
            fn $name() {
                the_maps_agree::<$Device>();
                every_bit_behaves_as_the_spec_says::<$Device>();
                what_modify_and_write_start_from_harms_nothing::<$Device>();
            }
        )*
    };
}

mod cp15;
mod fields;
mod memory;
mod sysreg;

use std::path::Path;

use crate::generate::load::{load, names};
use crate::generate::model::{Ip, Space};

fn ip(name: &str) -> Ip {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    load(&root, &[name.to_owned()]).expect("the spec has no problems").ips.remove(0)
}

/// Zeros, ones, and each bit alone.
fn patterns() -> impl Iterator<Item = u32> {
    [0, u32::MAX].into_iter().chain((0..32).map(|bit| 1 << bit))
}

#[test]
fn every_ip_and_each_unit_with_registers_of_its_own_has_a_device() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let compared = [cp15::COMPARED, memory::COMPARED, sysreg::COMPARED].concat();
    for name in names(&root).expect("specs") {
        let ip = ip(&name);
        let apart = ip.registers_differ() || matches!(ip.space, Space::Pages(_));
        let units = if apart { (0..ip.units.len()).map(Some).collect() } else { vec![None] };
        for unit in units {
            assert!(compared.contains(&(&name, unit)), "{name} {unit:?}");
        }
    }
}
