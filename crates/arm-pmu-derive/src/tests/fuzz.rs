//! Fuzz tests: the derive never panics, and parses valid Rust in the same way as syn.

use proc_macro2::TokenStream;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput};

use crate::syntax::{self, Definition, Value};
use crate::tokens::Tokens;

/// Tokens with a meaning for the derive, similar tokens, and others. The first seven tokens are
/// keys.
const TOKENS: &str = r##"
    name unit evntbus bits crate secure_exempt filterable
    nmae r#name event doc beats cycles cycle
    "READ" "WRITE" "" "\u{e9}" b"x" c"x" r#"X"# 'c' 'life
    0 8 0x08 0x08u8 1i32 1.5 0xFFFFF 99999999999999999999999999999999999999999 true
    = = = , , , - :: arm_pmu_core ( ) [ ] { } # ! .. < > &
    self Self enum A B _ $
"##;

/// Tokens in expressions, some of which resemble the end of an expression.
const EXPRESSION: &str = "1 1 A B u8 :: :: < < > > | || , , - -> = == << >> as ! & .. ( ) [ ] { }";

fn split(tokens: &'static str) -> Vec<&'static str> {
    tokens.split_whitespace().collect()
}

const ATTRIBUTES: &[&str] = &[
    "",
    "#[event]",
    "#[event = 1]",
    "#[event { name }] #[event[]]",
    "#[event::path(1)] #[::event(2)] #[a::b = 3]",
    "/// A line.\n",
    "/** A block. */",
    "#[doc(hidden)] #[doc = include_str!(\"x\")]",
];

const VISIBILITIES: &[&str] =
    &["", "pub", "pub(crate)", "pub(self)", "pub(super)", "pub(in crate)", "pub(in a::b)"];

const GENERICS: &[&str] =
    &["", "<>", "<T>", "<'a, T: Fn(u8) -> B<u8>,>", "<const N: usize = 1>", "<T = B<{ 1 }>>"];

const WHERE: &[&str] = &["", "where T: Copy", "where A<{ 1 }>: B<'a>, for<'a> &'a T: Copy,"];

/// A valid input, with spaces between its tokens.
const VALID: &str = r##"
    # [ event ( crate = :: arm_pmu_core , bits = 5 ) ]
    pub enum Sample {
        # [ doc = "One." ]
        # [ event ( name = "ONE" , unit = beats , evntbus = 8 , secure_exempt ) ]
        One = 0x08 ,
        # [ doc = "Two." ]
        # [ event ( name = "TWO" ) ]
        Two = 0x09 ,
    }
"##;

/// Runs the derive. Returns false if the source is not a valid definition, for which a compiler would not run the
/// derive.
fn derive(source: &str) -> bool {
    let Ok(tokens) = source.parse::<TokenStream>() else { return false };
    assert!(!crate::derive(tokens.clone()).is_empty());
    let Ok(by_second_parser) = syn::parse2::<DeriveInput>(tokens.clone()) else { return false };
    let read = Definition::parse(Tokens::new(tokens)).expect("what syn reads");
    // syn writes `>>` as `> >`, so both results are written in the same way.
    let [read, by_second_parser] = [written_again(read), by_syn(by_second_parser)]
        .map(|tokens| tokens.to_string().replace(' ', ""));
    assert_eq!(read, by_second_parser);
    true
}

/// Writes a parsed definition as tokens.
fn written_again(read: Definition) -> TokenStream {
    let Definition { attributes, vis, keyword, ident, generics, where_clause, variants } = read;
    let attributes = attributes.iter().map(written);
    let variants = variants.into_iter().map(|variant| {
        let syntax::Variant { attributes, ident, fields, discriminant } = variant;
        let attributes = attributes.iter().map(written);
        let discriminant = discriminant.map(|discriminant| quote!(= #discriminant));
        quote!(#(#attributes)* #ident #fields #discriminant)
    });
    quote!(#(#attributes)* #vis #keyword #ident #generics #where_clause { #(#variants),* })
}

fn written(attribute: &syntax::Attribute) -> TokenStream {
    let syntax::Attribute { name, value, tokens } = attribute;
    let again = match value {
        Value::None => quote!(#name),
        Value::Assigned(value) => quote!(#name = #value),
        Value::Other(rest) => quote!(#name #rest),
    };
    assert_eq!(again.to_string(), tokens.to_token_stream().to_string());
    quote!(#[#tokens])
}

/// Writes a definition that syn parsed, as tokens.
fn by_syn(input: DeriveInput) -> TokenStream {
    let DeriveInput { attrs, vis, ident, generics, data } = input;
    let where_clause = &generics.where_clause;
    let named = |attributes: Vec<Attribute>| {
        attributes.into_iter().filter(|attribute| attribute.path().get_ident().is_some())
    };
    let attributes = named(attrs);
    let (keyword, variants) = match data {
        Data::Enum(data) => (data.enum_token.into_token_stream(), data.variants),
        Data::Struct(data) => (data.struct_token.into_token_stream(), Punctuated::new()),
        Data::Union(data) => (data.union_token.into_token_stream(), Punctuated::new()),
    };
    let variants = variants.into_iter().map(|variant| {
        let syn::Variant { attrs, ident, fields, discriminant } = variant;
        let attributes = named(attrs);
        let discriminant = discriminant.map(|(_, discriminant)| quote!(= #discriminant));
        quote!(#(#attributes)* #ident #fields #discriminant)
    });
    quote!(#(#attributes)* #vis #keyword #ident #generics #where_clause { #(#variants),* })
}

fn tokens(most: usize) -> impl Strategy<Value = String> {
    vec(select(split(TOKENS)), 0..most).prop_map(|tokens| tokens.join(" "))
}

fn expression() -> impl Strategy<Value = String> {
    vec(select(split(EXPRESSION)), 1..10).prop_map(|tokens| balanced(&tokens.join(" ")))
}

/// Adds missing closing brackets at the end.
fn balanced(tokens: &str) -> String {
    let mut out = String::new();
    let mut open = Vec::new();
    for token in tokens.split_whitespace() {
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
fn a_valid_enum_is_accepted() {
    assert!(derive(VALID));
}

proptest! {
    #![proptest_config(ProptestConfig {
        // `cargo xtask fuzz specs --cases 1000000` runs more cases.
        cases: ProptestConfig::default().cases.max(1_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_attribute_lists_match_syn(on_enum in tokens(12), on_variant in tokens(16)) {
        let (on_enum, on_variant) = (balanced(&on_enum), balanced(&on_variant));
        let source = format!(
            "#[event({on_enum})] enum E {{ #[doc = \"A.\"] #[event({on_variant})] A = 1 }}"
        );
        prop_assert!(derive(&source), "syn refuses {}", source);
    }

    #[test]
    fn random_attribute_values_never_panic(key in select(split(TOKENS)[..7].to_vec()), value in tokens(4), code in tokens(4)) {
        let (value, code) = (balanced(&value), balanced(&code));
        derive(&format!(
            "#[event({key} = {value})] enum E {{ #[doc = {value}] #[event({key} = {value})] A = {code} }}"
        ));
    }

    #[test]
    fn random_enums_match_syn(
        on_enum in select(ATTRIBUTES),
        vis in select(VISIBILITIES),
        generics in select(GENERICS),
        clause in select(WHERE),
        on_variant in select(ATTRIBUTES),
        on_second in select(VISIBILITIES),
        fields in select(&["", "()", "{}", "(u8, pub B<u8, u8>)", "{ a: u8, b: (A, B) }"]),
        code in select(&["", "= 1", "= -A", "= (1, 2)", "= f(1, 2)", "= |a, b| a", "= A::<1, 2>::B", "= 1 < 2"]),
        comma in select(&["", ","]),
    ) {
        let source = format!(
            "{on_enum} {vis} enum E{generics} {clause} {{ \
                {on_variant} A {fields} {code}, \
                {on_enum} {on_second} r#type = 4 > 3, \
                B {code}{comma} \
            }}"
        );
        prop_assert!(derive(&source), "syn refuses {}", source);
    }

    #[test]
    fn structs_and_unions_match_syn(
        vis in select(VISIBILITIES),
        keyword in select(&["struct", "union"]),
        generics in select(GENERICS),
        clause in select(WHERE),
    ) {
        let mut sources = vec![format!("{clause} {{ a: u8, b: A<B, B> }}")];
        if keyword == "struct" {
            sources.extend([format!("{clause};"), format!("(u8, A<B, B>) {clause};")]);
        }
        for rest in sources {
            let source = format!("{vis} {keyword} E{generics} {rest}");
            prop_assert!(derive(&source), "syn refuses {}", source);
        }
    }

    #[test]
    fn random_code_expressions_never_panic(first in expression(), second in expression()) {
        derive(&format!("enum E {{ A = {first}, B = {second}, C }}"));
    }

    #[test]
    fn changed_enums_never_panic(
        mutations in vec((any::<Index>(), any::<Index>(), 0..4, select(split(TOKENS))), 1..4)
    ) {
        let mut tokens = split(VALID);
        for (at, other, how, token) in mutations {
            let (at, other) = (at.index(tokens.len()), other.index(tokens.len()));
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
