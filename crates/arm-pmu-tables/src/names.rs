//! Comparison of names in any spelling.

/// Whether the letters and digits of two names are equal. Case and other characters are ignored.
///
/// ```
/// assert!(arm_pmu_tables::same_name("READ_DATA_SNOOP_HIT", "read-data-snoop-hit"));
/// assert!(!arm_pmu_tables::same_name("ETMEXTOUT_0", "ETMEXTOUT_1"));
/// ```
#[must_use]
pub fn same_name(one: &str, other: &str) -> bool {
    letters(one).eq(letters(other))
}

pub(crate) fn letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
}
