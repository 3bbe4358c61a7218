//! Rules about PMUs in the Linux kernel.

use super::prelude::*;
use crate::generate::spec::registers::LinuxPmuSpec;
use crate::generate::spec::scalar::LinuxDriver;

/// Returns the PMUs of an IP, of its units and of other products.
fn all(spec: &Spec) -> impl Iterator<Item = &LinuxPmuSpec> {
    let units = spec.registers.units.iter().filter_map(|unit| unit.linux.as_ref());
    let architecture = spec.architecture.iter();
    let implementations = architecture.clone().flat_map(|of| of.implementations.iter());
    let also = implementations.flat_map(|implementation| implementation.also.iter());
    let products = also.chain(spec.registers.others.iter());
    let products = products.chain(architecture.flat_map(|of| of.others.iter()));
    let products = products.filter_map(|product| product.linux.as_ref());
    spec.registers.linux.iter().chain(units).chain(products)
}

/// The driver determines which names a PMU has.
pub fn has_the_names_of_its_driver(spec: &Spec, problems: &mut Problems) {
    use LinuxDriver::{ArmCci, ArmSmmuv3Pmu};
    for pmu in all(spec) {
        let driver = *pmu.driver;
        let is_of_smmu = driver == ArmSmmuv3Pmu;
        let keys = [
            ("name", &pmu.name, !is_of_smmu, !is_of_smmu),
            ("node", &pmu.node, driver == ArmCci, !is_of_smmu),
            ("parent", &pmu.parent, driver == ArmCci, driver == ArmCci),
            ("specific", &pmu.specific, false, is_of_smmu),
        ];
        for (key, text, is_needed, is_allowed) in keys {
            match text {
                Some(text) if !is_allowed => {
                    report(problems, text, format!("a PMU of this driver has no `{key}`"));
                }
                Some(text)
                    if !text.0.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"') =>
                {
                    report(problems, text, "a name in the kernel has no spaces and no quotes");
                }
                None if is_needed => {
                    report(problems, &pmu.driver, format!("the `{key}` of this PMU is missing"));
                }
                _ => {}
            }
        }
    }
}

/// Names and nodes of a Linux driver are unique, because the driver finds a PMU by its name or
/// node.
pub fn names_differ(spec: &Spec, problems: &mut Problems) {
    let names = all(spec).flat_map(|pmu| pmu.name.iter().chain(&pmu.node));
    // `all` returns PMUs of this spec's implementation twice, but with the same place, because the
    // architecture lists them too.
    for (name, place, first) in repeated(names.map(|text| (&text.0, &text.place))) {
        report(problems, place, format!("`{name}` is the name of another PMU"))
            .other(first, "here");
    }
}
