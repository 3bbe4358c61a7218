//! One function for each direction in which each CP15 register and each system register of AArch64 is accessed, so
//! that the instruction in it can be looked at. Each element of an array has a function; two more take the index at
//! run time. That none is left out is checked by `cargo xtask asm`, against the specs.
// A function that is to be found in the object by its name needs an attribute that counts as unsafe.
#![allow(unsafe_code)]

/// The type of a register's value.
#[cfg(target_arch = "arm")]
type Word = u32;
#[cfg(target_arch = "aarch64")]
type Word = u64;

/// One function. `Bus` and `Registers` are those of the module around it.
macro_rules! function {
    (read $unit:literal $register:ident $($element:literal)?) => {
        const _: () = {
            // SAFETY: no other item has a name of this form.
            #[unsafe(export_name = concat!(
                "encoding ", $unit, " ", stringify!($register) $(, " ", $element)?, " read"
            ))]
            extern "C" fn read(bus: &mut Bus) -> crate::encodings::Word {
                Registers::new(bus).$register()$([$element])?.read().bits()
            }
        };
    };
    (write $unit:literal $register:ident $($element:literal)?) => {
        const _: () = {
            // SAFETY: no other item has a name of this form.
            #[unsafe(export_name = concat!(
                "encoding ", $unit, " ", stringify!($register) $(, " ", $element)?, " write"
            ))]
            extern "C" fn write(bus: &mut Bus) {
                Registers::new(bus).$register()$([$element])?.write(|w| w);
            }
        };
    };
}

/// The functions of one PMU: `register: read write;`, or `array [0 1 2]: read write;`.
macro_rules! unit {
    ($unit:literal { $($register:ident $([$($element:literal)+])?: $($direction:ident)+;)* }) => {
        $(unit!(@register $unit $register [$($($element)+)?] $($direction)+);)*
    };
    (@register $unit:literal $register:ident $elements:tt $($direction:ident)+) => {
        $(unit!(@direction $direction $unit $register $elements);)+
    };
    (@direction $direction:ident $unit:literal $register:ident []) => {
        function!($direction $unit $register);
    };
    (@direction $direction:ident $unit:literal $register:ident [$($element:literal)+]) => {
        $(function!($direction $unit $register $element);)+
    };
}

#[cfg(target_arch = "arm")]
mod cp15;
#[cfg(target_arch = "aarch64")]
mod sysreg;
