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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_numbers_are_parsed() {
        let all = [
            ("0x69", Some(0x69)),
            ("105", Some(105)),
            ("0b101", Some(5)),
            ("0xdead_BEEF", Some(0xDEAD_BEEF)),
        ];
        for (text, value) in all {
            assert_eq!(number(text), value, "{text}");
        }
        for text in ["", "0x", "0x+1", "-1", "+1", "1h", "0b2", "0x1_0000_0000_0000_0000"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
