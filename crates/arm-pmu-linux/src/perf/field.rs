//! Bits of an event's arguments, from the files of `format/`.

/// The words `config` and `config1` to `config3` of an event.
pub(crate) type Words = [u64; 4];

/// Bits of an argument: `config:0-4`, `config1:33` or `config:0-7,32-35`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    word: usize,
    /// First and last bit of each part, the lowest part first.
    parts: Vec<(u32, u32)>,
}

impl Field {
    /// Parses the text of a file in `format/`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (word, parts) = text.trim().split_once(':')?;
        let word = word_number(word)?;
        let parts = parts.split(',').map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.parse().ok()?, last.parse().ok()?);
            (first <= last && last < u64::BITS).then_some((first, last))
        });
        Some(Self { word, parts: parts.collect::<Option<_>>()? })
    }

    /// Sets the bits to a value; `None` if the value has more bits.
    #[must_use]
    pub(crate) fn set(&self, words: &mut Words, mut value: u64) -> Option<()> {
        let word = words.get_mut(self.word)?;
        let mut changed = *word;
        for (first, last) in &self.parts {
            let mask = u64::MAX >> (u64::BITS - 1 - (last - first));
            changed = changed & !(mask << first) | (value & mask) << first;
            value = if mask == u64::MAX { 0 } else { value >> mask.count_ones() };
        }
        if value != 0 {
            return None;
        }
        *word = changed;
        Some(())
    }
}

/// Index of a word: 1 for `config1`.
pub(crate) fn word_number(name: &str) -> Option<usize> {
    ["config", "config1", "config2", "config3"].iter().position(|word| *word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_replace_only_the_field_bits() {
        for (format, value, words) in [
            ("config:0-4\n", 0x1F, [0xFF5F, 0, 0, 0]),
            ("config:4-7", 0xA, [0xFFA0, 0, 0, 0]),
            ("config1:33", 1, [0xFF50, 1 << 33, 0, 0]),
            ("config:0-7,32-35", 0xABC, [0xA_0000_FFBC, 0, 0, 0]),
            ("config3:0-63", u64::MAX, [0xFF50, 0, 0, u64::MAX]),
        ] {
            let mut changed = [0xFF50, 0, 0, 0];
            let set = Field::parse(format).expect("a field").set(&mut changed, value);
            assert_eq!((set, changed), (Some(()), words), "{format}");
        }
    }

    #[test]
    fn a_too_wide_value_is_rejected_unchanged() {
        for (format, value) in
            [("config:0-4", 0x20), ("config1:33", 2), ("config:0-7,32-35", 0x1000)]
        {
            let mut words = [7; 4];
            assert_eq!(Field::parse(format).expect("a field").set(&mut words, value), None);
            assert_eq!(words, [7; 4]);
        }
    }

    #[test]
    fn malformed_fields_are_rejected() {
        for text in ["", "config", "config:", "config:a", "config:4-0", "config:64", "config9:0"] {
            assert_eq!(Field::parse(text), None, "{text:?}");
        }
    }
}
