//! Parses numbers.

/// Parses a number such as `0x69`, `105` or `0b101`, with optional `_` between digits.
#[must_use]
pub fn number(text: &str) -> Option<u64> {
    let digits = text.replace('_', "").to_ascii_lowercase();
    let (digits, radix) = match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => (digits.as_str(), 10),
    };
    // `from_str_radix` would accept a sign.
    let plain = digits.chars().all(|digit| digit.is_digit(radix));
    if plain { u64::from_str_radix(digits, radix).ok() } else { None }
}
