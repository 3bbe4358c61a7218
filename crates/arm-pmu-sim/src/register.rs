//! Registers as data, and the journal of accesses to them.

use std::fmt::Debug;

use arm_pmu_core::bus::Word;

/// A row that describes one register. Each kind of register has its own type of row.
pub(crate) trait Row: Elements + Copy + Debug + 'static {
    /// Key of an access.
    type Key: Copy + Debug + PartialEq;
    type Value: Word;
    /// Property that decides which registers the software can access.
    type Requester: Copy + Debug + Eq;
    /// One entry of a journal.
    type Access: Copy + Debug;
    type Violation: Copy + Debug;
    /// Whether the device is a part of the core that accesses it. If so, all masters are on the same core, and a
    /// refused store causes its exception when it is issued, not when it arrives.
    const IN_CORE: bool;
    /// Journal entry of a synchronization.
    const SYNCHRONIZE: Self::Access;
    fn loaded(key: Self::Key, value: Self::Value) -> Self::Access;
    fn stored(key: Self::Key, value: Self::Value) -> Self::Access;
    fn masks(&self) -> Masks;
}

/// The registers of one row.
pub(crate) trait Elements {
    /// Key of one register in a register file.
    type Cell: Copy + Debug + Eq;
    /// Returns the keys of all registers of this row.
    fn cells(&self) -> impl Iterator<Item = Self::Cell>;
    /// Returns the index of the register in this row.
    fn index(&self, cell: Self::Cell) -> Option<usize>;
    /// Returns the key under which the bits of `cell` are stored; `cell` belongs to this row.
    fn held_at(&self, cell: Self::Cell) -> Self::Cell;
    /// Returns the name of a register for messages.
    fn describe(cell: Self::Cell) -> String;
}

/// The masks of a [`Register`], in fields with the same names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks {
    pub(crate) read_write: u64,
    pub(crate) read_only: u64,
    pub(crate) write_one_to_act: u64,
    pub(crate) write_one_to_clear: u64,
    pub(crate) write_one_to_set: u64,
    pub(crate) reset: u64,
    pub(crate) unknown: u64,
}

impl Masks {
    /// Returns the bits that hold contents.
    pub(crate) const fn readable(&self) -> u64 {
        self.read_write | self.read_only | self.write_one_to_clear | self.write_one_to_set
    }
}

/// Defines the row type and the journal entry types for one kind of registers.
macro_rules! register_kind {
    (
        $(#[$row_doc:meta])*
        $Row:ident {
            $(#[$key_doc:meta])*
            $key:ident: $Key:ty,
            $($(#[$field_doc:meta])* $field:ident: $Type:ty = $default:expr,)*
        }
        value: $Value:ty, software: $Requester:ty, violation: $Violation:ty, in_core: $in_core:literal;

        $(#[$access_doc:meta])*
        $Access:ident: $read:literal, $written:literal, $waited:literal
    ) => {
        $(#[$row_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $Row {
            /// The name of the register.
            pub name: &'static str,
            $(#[$key_doc])*
            pub $key: $Key,
            $($(#[$field_doc])* pub $field: $Type,)*
            /// Bits that hold the written value.
            pub read_write: $Value,
            /// Bits that are readable and ignore writes.
            pub read_only: $Value,
            /// Bits where writing 1 triggers an action, and writing 0 has no effect. These bits hold no value.
            pub write_one_to_act: $Value,
            /// Set by the device; write 1 to clear.
            pub write_one_to_clear: $Value,
            /// Write 1 to set; writing 0 has no effect.
            pub write_one_to_set: $Value,
            /// Contents after reset; 0 where they are unknown.
            pub reset: $Value,
            /// Bits that are unknown after reset.
            pub unknown: $Value,
            /// Place of the register that stores the bits. The place differs from this register's own place if two
            /// registers are views of the same bits, such as a set and a clear register.
            pub held_at: $Key,
        }

        impl $Row {
            /// Returns the row of a register with only reserved bits. Other rows start from it, and
            /// add bits.
            pub(crate) const fn new(name: &'static str, $key: $Key) -> Self {
                Self {
                    name,
                    $key,
                    $($field: $default,)*
                    read_write: 0,
                    read_only: 0,
                    write_one_to_act: 0,
                    write_one_to_clear: 0,
                    write_one_to_set: 0,
                    reset: 0,
                    unknown: 0,
                    held_at: $key,
                }
            }

            /// Returns the bits that show their contents when read.
            #[must_use]
            pub const fn readable(&self) -> $Value {
                self.read_write | self.read_only | self.write_one_to_clear | self.write_one_to_set
            }
        }

        $(#[$access_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Access {
            #[doc = $read]
            Load {
                $(#[$key_doc])*
                $key: $Key,
                /// Value returned to software; 0 if the access failed.
                value: $Value,
            },
            #[doc = concat!($written, " The entry is added when the store is issued, possibly before it takes effect.")]
            Store {
                $(#[$key_doc])*
                $key: $Key,
                /// Value written, whether or not it took effect.
                value: $Value,
            },
            #[doc = $waited]
            Synchronize,
        }

        impl $crate::register::Row for $Row {
            type Key = $Key;
            type Value = $Value;
            type Requester = $Requester;
            type Access = $Access;
            type Violation = $Violation;
            const IN_CORE: bool = $in_core;
            const SYNCHRONIZE: $Access = $Access::Synchronize;

            fn loaded($key: $Key, value: $Value) -> $Access {
                $Access::Load { $key, value }
            }

            fn stored($key: $Key, value: $Value) -> $Access {
                $Access::Store { $key, value }
            }

            fn masks(&self) -> $crate::register::Masks {
                $crate::register::Masks {
                    read_write: self.read_write.into(),
                    read_only: self.read_only.into(),
                    write_one_to_act: self.write_one_to_act.into(),
                    write_one_to_clear: self.write_one_to_clear.into(),
                    write_one_to_set: self.write_one_to_set.into(),
                    reset: self.reset.into(),
                    unknown: self.unknown.into(),
                }
            }
        }
    };
}
pub(crate) use register_kind;

register_kind! {
    /// One row of a register map: the register at one or several offsets.
    ///
    /// Each bit is in one of the masks, or it is reserved, reads as zero and ignores writes. The
    /// devices of this crate load and store by these masks, so a row cannot contradict the device; a
    /// register may have additional side effects.
    Register {
        /// Offset in bytes; for an array, offset of element 0.
        offset: usize,
        /// Number of elements.
        count: usize = 1,
        /// Distance between elements, in bytes; 0 for a single register.
        stride: usize = 0,
    }
    value: u32, software: crate::Security, violation: crate::MemoryViolation, in_core: false;

    /// One entry of a device's journal, which lists the accesses in program order.
    Access: "A register was read.", "A register was written.",
        "Software waited until its earlier accesses had reached the device."
}

impl Register {
    /// Returns a single register that software can only read.
    pub(crate) const fn constant(
        name: &'static str,
        offset: usize,
        read_only: u32,
        value: u32,
    ) -> Self {
        Self { read_only, reset: value, ..Self::new(name, offset) }
    }

    /// Returns the register in a page that starts at `base`.
    pub(crate) const fn moved(self, base: usize) -> Self {
        Self { offset: base + self.offset, held_at: base + self.held_at, ..self }
    }

    /// Returns the offset of element `index`.
    ///
    /// # Panics
    ///
    /// If `index` is not less than `count`.
    #[must_use]
    pub const fn element(&self, index: usize) -> usize {
        assert!(index < self.count, "register index out of range");
        self.offset + index * self.stride
    }

    /// Returns the offsets of all elements.
    pub fn elements(&self) -> impl Iterator<Item = usize> + use<> {
        let register = *self;
        (0..register.count).map(move |index| register.element(index))
    }

    /// Returns the element at `offset`, if there is one.
    #[must_use]
    pub fn index_of(&self, offset: usize) -> Option<usize> {
        let distance = offset.checked_sub(self.offset)?;
        let stride = self.stride.max(4);
        (distance % stride == 0 && distance / stride < self.count).then_some(distance / stride)
    }

    /// Returns the bits that are not reserved, whether or not they are readable.
    #[must_use]
    pub const fn defined(&self) -> u32 {
        self.readable() | self.write_one_to_act
    }
}

impl Elements for Register {
    type Cell = usize;

    fn cells(&self) -> impl Iterator<Item = usize> {
        self.elements()
    }

    fn index(&self, offset: usize) -> Option<usize> {
        self.index_of(offset)
    }

    fn held_at(&self, offset: usize) -> usize {
        self.held_at + (offset - self.offset)
    }

    fn describe(offset: usize) -> String {
        format!("{offset:#x}")
    }
}
