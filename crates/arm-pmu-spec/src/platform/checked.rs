//! Contents of a valid spec, without the places in the file.

use super::scalar::{Address, Id};
use crate::read::{Checked, wrapped};

wrapped!(Address: u64, Id: String);

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
