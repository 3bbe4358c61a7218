//! Macros for types of the spec language, each with a parser and a JSON Schema.

/// Declares a mapping of the spec language and its parser.
///
/// The kinds of keys are `required`, `optional`, `list` and `flag`. Specs with [common rows](crate::common) also have
/// `shared` (the default is the architecture's value), `rows` (a list with common rows) and `shared_rows`. The doc
/// comments document the language. In a fact, `with source` adds the keys of the [source](mod@crate::origin), and `with
/// origin` also adds the section of the manual.
#[macro_export]
macro_rules! mapping {
    (
        $(#[doc = $doc:literal])*
        $what:literal => $Name:ident with origin { $($keys:tt)* }
    ) => {
        $crate::mapping! {
            $(#[doc = $doc])*
            $what => $Name with source {
                $($keys)*
                optional section: $crate::read::At<$crate::scalar::Section>,
            }
        }
    };
    (
        $(#[doc = $doc:literal])*
        $what:literal => $Name:ident with source { $($keys:tt)* }
    ) => {
        $crate::mapping! {
            $(#[doc = $doc])*
            @sourced $what => $Name {
                $($keys)*
                optional confidence: $crate::read::At<$crate::scalar::Confidence>,
                list from: $crate::read::At<$crate::scalar::Reference>,
                optional source as "basis": $crate::read::At<$crate::scalar::Text>,
            }
        }
    };
    (
        $(#[doc = $doc:literal])*
        $(@$sourced:ident)? $what:literal => $Name:ident {
            $( $(#[doc = $key_doc:literal])* $kind:ident $key:ident $(as $text:literal)? : $Type:ty, )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug)]
        pub struct $Name {
            /// Position of the mapping.
            #[allow(dead_code, reason = "not every rule needs the place of every mapping")]
            pub place: $crate::problem::Place,
            $( $(#[doc = $key_doc])* pub $key: $crate::mapping!(@field $kind $Type), )*
        }

        impl AsRef<$crate::problem::Place> for $Name {
            fn as_ref(&self) -> &$crate::problem::Place {
                &self.place
            }
        }

        impl $crate::read::Read for $Name {
            fn read(
                node: &$crate::yaml::Node,
                problems: &mut $crate::problem::Problems,
            ) -> Option<Self> {
                let known = [$( $crate::mapping!(@text $key $($text)?) ),*];
                let mut map = $crate::read::Map::new(node, $what, &known, problems)?;
                $( let $key =
                    $crate::mapping!(@read $kind map, $crate::mapping!(@text $key $($text)?), problems); )*
                map.done()?;
                Some(Self {
                    place: node.place.clone(),
                    $( $key: $crate::mapping!(@take $kind $key), )*
                })
            }

            fn describe(
                definitions: &mut $crate::schema::Definitions,
            ) -> $crate::schema::Value {
                $crate::schema::mapping(definitions, $what, concat!($($doc),*), &[
                    $( $crate::schema::Key {
                        name: $crate::mapping!(@text $key $($text)?),
                        kind: stringify!($kind),
                        doc: concat!($($key_doc),*),
                        schema: $crate::mapping!(@schema $kind $Type),
                        common: <$crate::common::CommonRows as $crate::read::Read>::describe,
                    }, )*
                ])
            }
        }

        impl $crate::legend::Facts for $Name {
            fn each_fact(&mut self, with: &mut dyn FnMut($crate::legend::Fact<'_>)) {
                $( $crate::mapping!(@each $kind self.$key, with); )*
                $( $crate::mapping!(@$sourced self, $what, with); )?
            }
        }
    };
    (@read shared $map:ident, $name:expr, $problems:ident) => { $map.required($name, $problems) };
    (@read rows $map:ident, $name:expr, $problems:ident) => { $map.list($name, $problems) };
    (@read shared_rows $map:ident, $name:expr, $problems:ident) => { $map.required($name, $problems) };
    (@read $kind:ident $map:ident, $name:expr, $problems:ident) => { $map.$kind($name, $problems) };
    (@schema flag $Type:ty) => { |_| $crate::schema::Value::Null };
    (@schema $kind:ident $Type:ty) => { <$Type as $crate::read::Read>::describe };
    (@field required $Type:ty) => { $Type };
    (@field optional $Type:ty) => { Option<$Type> };
    (@field shared $Type:ty) => { $Type };
    (@field list $Type:ty) => { $crate::read::List<$Type> };
    (@field rows $Type:ty) => { $crate::read::List<$Type> };
    (@field shared_rows $Type:ty) => { $crate::read::List<$Type> };
    (@field flag $Type:ty) => { bool };
    (@take required $key:ident) => { $key? };
    (@take shared $key:ident) => { $key? };
    (@take shared_rows $key:ident) => { $key? };
    (@take $kind:ident $key:ident) => { $key };
    (@each required $key:expr, $with:ident) => { $crate::legend::Facts::each_fact(&mut $key, $with) };
    (@each shared $key:expr, $with:ident) => { $crate::legend::Facts::each_fact(&mut $key, $with) };
    (@each optional $key:expr, $with:ident) => {
        $key.iter_mut().for_each(|value| $crate::legend::Facts::each_fact(value, $with))
    };
    (@each flag $key:expr, $with:ident) => { let _ = &$with; };
    (@each $kind:ident $key:expr, $with:ident) => {
        $key.items.iter_mut().for_each(|item| $crate::legend::Facts::each_fact(item, $with))
    };
    (@sourced $self:ident, $what:literal, $with:ident) => {
        $with($crate::legend::Fact {
            what: $what,
            place: &$self.place,
            from: &$self.from,
            confidence: &mut $self.confidence,
            source: &mut $self.source,
        })
    };
    (@text $key:ident) => { stringify!($key) };
    (@text $key:ident $text:literal) => { $text };
}

/// Declares a mapping, and the type of its value without positions.
#[macro_export]
macro_rules! plain {
    (
        $(#[doc = $doc:literal])*
        $what:literal => $Spec:ident, $(#[derive($($Also:ident),*)])? $Name:ident {
            $( $(#[doc = $key_doc:literal])* $kind:ident $key:ident $(as $text:literal)? : $Type:ty, )*
        }
    ) => {
        $crate::mapping! {
            $(#[doc = $doc])*
            $what => $Spec {
                $( $(#[doc = $key_doc])* $kind $key $(as $text)? : $Type, )*
            }
        }

        $(#[doc = $doc])*
        #[derive(Clone, Debug $($(, $Also)*)?)]
        pub struct $Name {
            $( $(#[doc = $key_doc])*
            pub $key: <$crate::mapping!(@field $kind $Type) as $crate::read::Checked>::As, )*
        }

        impl $crate::read::Checked for $Spec {
            type As = $Name;

            fn checked(&self) -> $Name {
                $Name { $( $key: $crate::read::Checked::checked(&self.$key), )* }
            }
        }
    };
}

/// Declares an enumeration of words in the spec language.
#[macro_export]
macro_rules! words {
    (
        $(#[doc = $doc:literal])*
        $what:literal => $Name:ident {
            $( $(#[doc = $word_doc:literal])* $word:literal => $Variant:ident, )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Name { $( $(#[doc = $word_doc])* $Variant, )* }

        impl $Name {
            /// Documentation and words.
            pub const DECLARATION: $crate::schema::Words = $crate::schema::Words {
                name: stringify!($Name),
                doc: concat!($($doc),*),
                words: &[$( ($word, stringify!($Variant), concat!($($word_doc),*)) ),*],
            };

            /// All values, in order.
            #[allow(dead_code, reason = "not every enumeration is iterated")]
            pub const ALL: &'static [Self] = &[$( Self::$Variant ),*];

            /// Word in the spec.
            #[allow(dead_code, reason = "not every enumeration is printed")]
            pub fn word(self) -> &'static str {
                match self { $( Self::$Variant => $word, )* }
            }
        }

        impl $crate::legend::Facts for $Name {}

        impl $crate::read::Checked for $Name {
            type As = Self;

            fn checked(&self) -> Self {
                *self
            }
        }

        impl $crate::read::Read for $Name {
            fn read(
                node: &$crate::yaml::Node,
                problems: &mut $crate::problem::Problems,
            ) -> Option<Self> {
                let (text, _) = $crate::read::scalar(node, $what, problems)?;
                match text {
                    $( $word => Some(Self::$Variant), )*
                    _ => {
                        let message = format!("`{}` is not {}", $crate::read::shown(text), $what);
                        $crate::problem::report(problems, node, message)
                            .help($crate::read::suggest(text, &[$($word),*]));
                        None
                    }
                }
            }

            fn describe(_: &mut $crate::schema::Definitions) -> $crate::schema::Value {
                $crate::schema::words(&Self::DECLARATION)
            }
        }
    };
}

pub use {mapping, plain, words};
