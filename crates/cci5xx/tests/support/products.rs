/// Includes the tests beside the caller once for each product, as a module.
macro_rules! products {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        $($rest:tt)*
    })*) => { $(
        mod $pmu {
            #[allow(unused_imports, reason = "selections need no device")]
            use arm_pmu_sim::$Device as Device;
            use $krate as product;

            include!("tests.rs");
        }
    )* };
}
