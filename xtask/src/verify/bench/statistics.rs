//! The median.

/// The median. Unlike the mean, it does not change with
/// one round in which the machine was busy. 0 without figures.
pub fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (below, above) = (sorted.len().saturating_sub(1) / 2, sorted.len() / 2);
    match (sorted.get(below), sorted.get(above)) {
        (Some(below), Some(above)) => f64::midpoint(*below, *above),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(median(&[100.0, 1.0]), 50.5);
        assert_eq!(median(&[3.0, 100.0, 1.0]), 3.0);
        assert_eq!(median(&[4.0, 1.0, 3.0, 100.0]), 3.5);
    }
}
