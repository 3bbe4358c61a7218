//! Suggestions for misspelt words: "did you mean ..?"

/// Returns the candidate closest to a misspelt `word`, if one is close enough.
pub(crate) fn closest(word: &str, candidates: &[&'static str]) -> Option<&'static str> {
    let word = fold(word);
    candidates
        .iter()
        .map(|&candidate| (distance(&word, &fold(candidate)), candidate))
        .filter(|&(distance, candidate)| distance <= 1.max(candidate.len() / 4))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Formats a list: "`a`, `b`, `c`".
pub(crate) fn list(words: &[&str]) -> String {
    let mut list = String::new();
    for word in words {
        let comma = if list.is_empty() { "" } else { ", " };
        list += &format!("{comma}`{word}`");
    }
    list
}

/// Removes letter case and separators, so `SecureExempt` equals `secure_exempt`.
fn fold(word: &str) -> Vec<char> {
    word.to_lowercase().chars().filter(|&c| c != '_').collect()
}

/// Number of letters to insert, remove, replace or swap with a neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    // cost[i][j] is the distance between the first i letters of `a` and the first j letters of `b`.
    let mut cost = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            cost[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = cost[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let least = replaced.min(cost[i - 1][j] + 1).min(cost[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least.min(cost[i - 2][j - 2] + 1)
                } else {
                    least
                }
            };
        }
    }
    cost[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{closest, distance};

    #[test]
    fn each_edit_costs_one() {
        let distance = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|word| word.chars().collect::<Vec<_>>());
            let there = distance(&a, &b);
            assert_eq!(there, distance(&b, &a));
            there
        };
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("abcdefgh", "badcfehg"), 4, "neighbours swapped four times");
        assert_eq!(distance("xabc", "abcy"), 2, "removed and inserted");
    }

    #[test]
    fn long_words_may_have_more_mistakes() {
        const KEYS: &[&str] = &["name", "evntbus", "secure_exempt", "secure_only", "architectural"];
        assert_eq!(closest("SecureExempt", KEYS), Some("secure_exempt"));
        assert_eq!(closest("secureonly", KEYS), Some("secure_only"));
        assert_eq!(closest("arhitctual", KEYS), Some("architectural"));
        assert_eq!(closest("arhitctul", KEYS), None);
        assert_eq!(closest("nm", KEYS), None);
        assert_eq!(closest("", KEYS), None);
    }
}
