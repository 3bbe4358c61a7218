//! Parses times.

use std::time::Duration;

/// Parses a time with its unit: `500ms`, `2s`. A number without a unit is in milliseconds, as in `perf`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "not a time such as 500ms or 2s".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "ms" => 1e-3,
        "s" => 1.0,
        "us" => 1e-6,
        _ => return Err(wrong()),
    };
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    let time = Duration::try_from_secs_f64(number * unit).map_err(|_| wrong())?;
    if time < Duration::from_millis(1) {
        return Err("an interval has at least 1ms".to_owned());
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let milliseconds = |text| duration(text).map(|time| time.as_millis());
        assert_eq!(milliseconds("500ms"), Ok(500));
        assert_eq!(milliseconds("250"), Ok(250));
        assert_eq!(milliseconds("1.5s"), Ok(1500));
        for text in ["", "s", "-1s", "5m", "100us", "nans", "1e99s"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
