//! What a sound spec says, without the places in the file.

use super::language::{Controller, NodeState, Stage, Trigger, Wiring, Writer};
use super::scalar::{Address, Id};
use crate::read::{At, List};
use crate::scalar::{Bits, Decimal, Hex, Name, Text};

/// A type of the spec language, and the type of what it says.
pub trait Checked {
    /// The type in the model.
    type As;

    /// What it says.
    fn checked(&self) -> Self::As;
}

impl<T: Checked> Checked for At<T> {
    type As = T::As;

    fn checked(&self) -> T::As {
        self.value.checked()
    }
}

impl<T: Checked> Checked for Option<T> {
    type As = Option<T::As>;

    fn checked(&self) -> Self::As {
        self.as_ref().map(T::checked)
    }
}

impl<T: Checked> Checked for List<T> {
    type As = Vec<T::As>;

    fn checked(&self) -> Self::As {
        self.iter().map(T::checked).collect()
    }
}

/// Types with one value in them.
macro_rules! wrapped {
    ($($Type:ident: $Value:ty),*) => { $(
        impl Checked for $Type {
            type As = $Value;

            fn checked(&self) -> $Value {
                self.0.clone()
            }
        }
    )* };
}

wrapped!(Address: u64, Decimal: u32, Hex: u32, Id: String, Name: String, Text: String);

/// Types of the model too.
macro_rules! themselves {
    ($($Type:ident),*) => { $(
        impl Checked for $Type {
            type As = Self;

            fn checked(&self) -> Self {
                *self
            }
        }
    )* };
}

themselves!(Bits, bool, Controller, NodeState, Stage, Trigger, Wiring, Writer);

/// The confidence and source of a mapping that keeps all rules.
macro_rules! origin {
    ($mapping:expr) => {
        $crate::platform::model::Origin {
            confidence: $mapping.confidence.as_deref().copied().unwrap_or(Confidence::D),
            source: $mapping.source.checked().unwrap_or_default(),
        }
    };
}

pub(super) use origin;
