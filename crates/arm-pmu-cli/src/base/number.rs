//! Formats numbers for readers.

use arm_pmu_tables::Measure;

use super::perf_stat::recording::Number;

/// Separates groups of digits: `1,234,567`.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with about four digits, or with all digits of its integer part.
pub fn decimal(value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    let size = value.abs();
    let text = if size == 0.0 {
        return "0".to_owned();
    } else if size >= 1000.0 || size.fract() == 0.0 {
        grouped(&format!("{size:.0}"))
    } else if size >= 100.0 {
        format!("{size:.1}")
    } else if size >= 10.0 {
        format!("{size:.2}")
    } else if size >= 0.0001 {
        format!("{size:.4}")
    } else {
        format!("{size:.2e}")
    };
    format!("{sign}{text}")
}

pub fn number(number: Number) -> String {
    match number {
        Number::Integer(value) => grouped(&value.to_string()),
        Number::Decimal(value) => decimal(value),
    }
}

/// Marks an estimate.
pub fn marked(is_estimate: bool, text: String) -> String {
    if is_estimate { format!("~{text}") } else { text }
}

/// Formats a metric's value with its unit.
pub fn measured(measure: Option<Measure>, value: f64) -> String {
    match measure {
        Some(Measure::Percent) => format!("{} %", decimal(value * 100.0)),
        Some(Measure::PerThousand) => format!("{} per 1000", decimal(value * 1000.0)),
        Some(Measure::Bytes) => format!("{} bytes", decimal(value.round())),
        _ => decimal(value),
    }
}

/// Formats a change: `+12.5 %`.
pub fn change(from: f64, to: f64) -> String {
    if from == to {
        return "0 %".to_owned();
    }
    if from == 0.0 {
        return "from 0".to_owned();
    }
    let percent = (to - from) / from * 100.0;
    let sign = if percent < 0.0 { "-" } else { "+" };
    if percent.abs() >= 10_000.0 {
        return format!("x {}", decimal((to / from).round()));
    }
    format!("{sign}{:.1} %", percent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_small_numbers_are_kept() {
        assert_eq!(decimal(-2.5), "-2.5000");
        assert_eq!(decimal(0.000_001_23), "1.23e-6");
    }

    #[test]
    fn changes_are_percentages_or_factors() {
        assert_eq!(change(100.0, 99.0), "-1.0 %");
        assert_eq!(change(0.0, 5.0), "from 0");
        assert_eq!(change(1.0, 1001.0), "x 1,001");
    }
}
