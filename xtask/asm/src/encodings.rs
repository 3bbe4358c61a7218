//! One function for each direction in which each CP15 register is accessed, so that the instruction in
//! it can be looked at. That none is left out is checked by `cargo xtask asm`, against the specs.
// A function that is to be found in the object by its name needs an attribute that counts as unsafe.
#![allow(unsafe_code)]

macro_rules! direction {
    (read, $unit:literal, $register:ident) => {
        // SAFETY: no other item has a name of this form.
        #[unsafe(export_name = concat!("encoding ", $unit, " ", stringify!($register), " read"))]
        extern "C" fn read(bus: &mut super::Cp15) -> u32 {
            super::Registers::new(bus).$register().read().bits()
        }
    };
    (write, $unit:literal, $register:ident) => {
        // SAFETY: no other item has a name of this form.
        #[unsafe(export_name = concat!("encoding ", $unit, " ", stringify!($register), " write"))]
        extern "C" fn write(bus: &mut super::Cp15) {
            super::Registers::new(bus).$register().write(|w| w);
        }
    };
}

macro_rules! unit {
    ($unit:literal { $($register:ident: $($direction:ident)+;)* }) => {
        $(mod $register { $(direction!($direction, $unit, $register);)+ })*
    };
}

mod arm1136 {
    use arm11::Cp15;
    use arm11::arm1136::registers::Registers;
    unit! { "arm1136" {
        pmnc: read write;
        ccnt: read write;
        pmn0: read write;
        pmn1: read write;
    } }
}

mod arm1156 {
    use arm11::Cp15;
    use arm11::arm1156::registers::Registers;
    unit! { "arm1156" {
        pmnc: read write;
        ccnt: read write;
        pmn0: read write;
        pmn1: read write;
    } }
}

mod arm1176 {
    use arm11::Cp15;
    use arm11::arm1176::registers::Registers;
    unit! { "arm1176" {
        pmnc: read write;
        ccnt: read write;
        pmn0: read write;
        pmn1: read write;
        access_validation: read write;
    } }
}

mod cortex_a7 {
    use cortex_a7::Cp15;
    use cortex_a7::registers::Registers;
    unit! { "cortex-a7" {
        pmcr: read write;
        pmcntenset: read write;
        pmcntenclr: read write;
        pmovsr: read write;
        pmswinc: write;
        pmselr: read write;
        pmccntr: read write;
        pmxevtyper: read write;
        pmxevcntr: read write;
        pmuserenr: read write;
        pmintenset: read write;
        pmintenclr: read write;
        pmovsset: read write;
    } }
}

mod cortex_a8 {
    use cortex_a8::Cp15;
    use cortex_a8::registers::Registers;
    unit! { "cortex-a8" {
        pmcr: read write;
        pmcntenset: read write;
        pmcntenclr: read write;
        pmovsr: read write;
        pmswinc: write;
        pmselr: read write;
        pmccntr: read write;
        pmxevtyper: read write;
        pmxevcntr: read write;
        pmuserenr: read write;
        pmintenset: read write;
        pmintenclr: read write;
    } }
}

mod cortex_a9 {
    use cortex_a9::Cp15;
    use cortex_a9::registers::Registers;
    unit! { "cortex-a9" {
        pmcr: read write;
        pmcntenset: read write;
        pmcntenclr: read write;
        pmovsr: read write;
        pmswinc: write;
        pmselr: read write;
        pmccntr: read write;
        pmxevtyper: read write;
        pmxevcntr: read write;
        pmuserenr: read write;
        pmintenset: read write;
        pmintenclr: read write;
    } }
}
