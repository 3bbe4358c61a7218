//! Whatever the tokens are, there is an answer and no panic.

use proc_macro2::TokenStream;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use syn::DeriveInput;

/// Tokens that mean something to the derive, that almost do, and that do not at all.
const TOKENS: &[&str] = &[
    "name",
    "unit",
    "evntbus",
    "bits",
    "crate",
    "secure_exempt",
    "filterable",
    "nmae",
    "r#name",
    "event",
    "doc",
    "beats",
    "cycles",
    "cycle",
    "\"READ\"",
    "\"WRITE\"",
    "\"\"",
    "\"\u{e9}\"",
    "b\"x\"",
    "c\"x\"",
    "r#\"X\"#",
    "'c'",
    "'life",
    "0",
    "8",
    "0x08",
    "0x08u8",
    "1i32",
    "1.5",
    "0xFFFFF",
    "99999999999999999999999999999999999999999",
    "true",
    "=",
    "=",
    "=",
    ",",
    ",",
    ",",
    "-",
    "::",
    "arm_pmu_core",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "#",
    "!",
    "..",
    "<",
    ">",
    "&",
    "self",
    "Self",
    "enum",
    "A",
    "B",
    "_",
    "$",
];

/// A valid input, token by token.
const VALID: &[&str] = &[
    "#",
    "[",
    "event",
    "(",
    "crate",
    "=",
    "::",
    "arm_pmu_core",
    ",",
    "bits",
    "=",
    "5",
    ")",
    "]",
    "pub",
    "enum",
    "Sample",
    "{",
    "#",
    "[",
    "doc",
    "=",
    "\"One.\"",
    "]",
    "#",
    "[",
    "event",
    "(",
    "name",
    "=",
    "\"ONE\"",
    ",",
    "unit",
    "=",
    "beats",
    ",",
    "evntbus",
    "=",
    "8",
    ",",
    "secure_exempt",
    ")",
    "]",
    "One",
    "=",
    "0x08",
    ",",
    "#",
    "[",
    "doc",
    "=",
    "\"Two.\"",
    "]",
    "#",
    "[",
    "event",
    "(",
    "name",
    "=",
    "\"TWO\"",
    ")",
    "]",
    "Two",
    "=",
    "0x09",
    ",",
    "}",
];

/// Runs the derive if a compiler would. Says whether it ran.
fn derive(source: &str) -> bool {
    let Ok(tokens) = source.parse::<TokenStream>() else { return false };
    let Ok(input) = syn::parse2::<DeriveInput>(tokens) else { return false };
    assert!(!crate::derive(input).is_empty());
    true
}

fn soup(most: usize) -> impl Strategy<Value = String> {
    vec(select(TOKENS), 0..most).prop_map(|tokens| tokens.join(" "))
}

/// Closes what was opened, so that the soup stays where it was put.
fn balanced(soup: &str) -> String {
    let mut out = String::new();
    let mut open = Vec::new();
    for token in soup.split_whitespace() {
        match token {
            "(" => open.push(")"),
            "[" => open.push("]"),
            "{" => open.push("}"),
            ")" | "]" | "}" => match open.pop() {
                Some(close) => {
                    out.push_str(close);
                    continue;
                }
                None => continue,
            },
            _ => {}
        }
        out.push_str(token);
        out.push(' ');
    }
    out.extend(open.into_iter().rev());
    out
}

#[test]
fn valid_runs() {
    assert!(derive(&VALID.join(" ")));
}

proptest! {
    #![proptest_config(ProptestConfig {
        // `PROPTEST_CASES=1000000` looks longer.
        cases: ProptestConfig::default().cases.max(1_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn text(source in ".{0,200}") {
        derive(&source);
    }

    #[test]
    fn in_lists(on_enum in soup(12), on_variant in soup(16)) {
        let (on_enum, on_variant) = (balanced(&on_enum), balanced(&on_variant));
        let source = format!(
            "#[event({on_enum})] enum E {{ #[doc = \"A.\"] #[event({on_variant})] A = 1 }}"
        );
        prop_assert!(derive(&source), "syn refuses {}", source);
    }

    #[test]
    fn in_values(key in select(&TOKENS[..7]), value in soup(4), code in soup(4)) {
        let (value, code) = (balanced(&value), balanced(&code));
        derive(&format!(
            "#[event({key} = {value})] enum E {{ #[doc = {value}] #[event({key} = {value})] A = {code} }}"
        ));
    }

    #[test]
    fn mutated(
        mutations in vec((0..VALID.len(), 0..VALID.len(), 0..4, select(TOKENS)), 1..4)
    ) {
        let mut tokens = VALID.to_vec();
        for (at, other, how, token) in mutations {
            let (at, other) = (at % tokens.len(), other % tokens.len());
            match how {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, token),
                2 => tokens[at] = token,
                _ => tokens.swap(at, other),
            }
        }
        derive(&tokens.join(" "));
    }
}
