//! Helpers for derived implementations of `serde` traits.
//!
//! All modules use these helpers, so this module imports none of them. `formats` is a separate module, because it
//! imports traits from other modules.

use core::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

/// A text that is deserialized and discarded.
pub(crate) struct AnyText;

impl<'de> Deserialize<'de> for AnyText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Self)
    }
}

impl Visitor<'_> for AnyText {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }
}

/// Serialization of arrays of any length, as tuples.
///
/// `serde` itself supports arrays of at most 32 elements.
pub(crate) mod arrays {
    use core::fmt;
    use core::marker::PhantomData;

    use serde::de::{Error, SeqAccess, Visitor};
    use serde::ser::SerializeTuple;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer, const N: usize>(
        items: &[T; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(N)?;
        items.iter().try_for_each(|item| tuple.serialize_element(item))?;
        tuple.end()
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[T; N], D::Error> {
        deserializer.deserialize_tuple(N, Items(PhantomData))
    }

    struct Items<T, const N: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Items<T, N> {
        type Value = [T; N];

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "an array of {N}")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<[T; N], A::Error> {
            let mut items = [const { None }; N];
            for (nth, item) in items.iter_mut().enumerate() {
                let next = sequence.next_element()?;
                *item = Some(next.ok_or_else(|| Error::invalid_length(nth, &self))?);
            }
            Ok(items.map(|item: Option<T>| match item {
                Some(item) => item,
                None => unreachable!("the loop above has set every item"),
            }))
        }
    }
}
