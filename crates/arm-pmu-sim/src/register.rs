//! Registers as data.

/// One row of a register map: the register at one or several offsets.
///
/// Each bit is in one of the masks, or it is reserved, reads as zero and ignores writes. The
/// devices of this crate load and store by these masks, so a row cannot contradict the device; a
/// register may have additional side effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    /// The name of the register.
    pub name: &'static str,
    /// Offset in bytes; for an array, offset of element 0.
    pub offset: usize,
    /// Number of elements.
    pub count: usize,
    /// Distance between elements, in bytes; 0 for a single register.
    pub stride: usize,
    /// Bits that hold the written value.
    pub read_write: u32,
    /// Bits that are readable and ignore writes.
    pub read_only: u32,
    /// Bits where writing 1 triggers an action, and writing 0 has no effect; they read as zero.
    pub write_one_to_act: u32,
    /// Set by the device; write 1 to clear.
    pub write_one_to_clear: u32,
    /// Write 1 to set; writing 0 has no effect.
    pub write_one_to_set: u32,
    /// Contents after reset; 0 where they are unknown.
    pub reset: u32,
    /// Bits that are unknown after reset.
    pub unknown: u32,
    /// Offset of the register that stores the bits. The offset differs from this register's own if
    /// two registers are views of the same bits, such as a set and a clear register.
    pub held_at: usize,
}

impl Register {
    /// Returns a single register of reserved bits, as the base of a row.
    pub(crate) const fn new(name: &'static str, offset: usize) -> Self {
        Self {
            name,
            offset,
            count: 1,
            stride: 0,
            read_write: 0,
            read_only: 0,
            write_one_to_act: 0,
            write_one_to_clear: 0,
            write_one_to_set: 0,
            reset: 0,
            unknown: 0,
            held_at: offset,
        }
    }

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
        if self.count == 1 {
            return if distance == 0 { Some(0) } else { None };
        }
        let stride = self.stride.max(4);
        let index = distance / stride;
        (distance % stride == 0 && index < self.count).then_some(index)
    }

    /// Returns the bits that are not reserved, whether or not they are readable.
    #[must_use]
    pub const fn defined(&self) -> u32 {
        self.readable() | self.write_one_to_act
    }

    /// Returns the bits that show their contents when read.
    #[must_use]
    pub const fn readable(&self) -> u32 {
        self.read_write | self.read_only | self.write_one_to_clear | self.write_one_to_set
    }
}
