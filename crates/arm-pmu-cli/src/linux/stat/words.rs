//! Splits a command line into words as a shell does, without expansion.

/// Splits a line into words; quotation marks allow spaces in a word.
///
/// # Errors
///
/// Fails on an open quotation mark, a backslash at the end, or a line without a word.
pub fn words(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next().ok_or("a ' has no end")? {
                        '\'' => break,
                        letter => word.push(letter),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next().ok_or("a \" has no end")? {
                        '"' => break,
                        '\\' => match letters.next().ok_or("a \" has no end")? {
                            letter @ ('"' | '\\') => word.push(letter),
                            letter => word.extend(['\\', letter]),
                        },
                        letter => word.push(letter),
                    }
                }
            }
            '\\' => {
                let letter = letters.next().ok_or("a letter is missing behind \\")?;
                word.get_or_insert_default().push(letter);
            }
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if words.is_empty() { Err("there is no word") } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_split_as_in_a_shell() {
        let all: &[(&str, &[&str])] = &[
            ("./bench", &["./bench"]),
            ("  a\tb  c ", &["a", "b", "c"]),
            ("sh -c 'exit 7; # $x'", &["sh", "-c", "exit 7; # $x"]),
            (r#"a "b \" \\ \n" ''"#, &["a", r#"b " \ \n"#, ""]),
            (r"a\ b 'c'd", &["a b", "cd"]),
        ];
        for (text, expected) in all {
            assert_eq!(words(text).expect("words"), *expected, "{text}");
        }
        for text in ["", "  ", "'a", "\"a", "\"a\\", "a\\"] {
            assert!(words(text).is_err(), "{text}");
        }
    }
}
