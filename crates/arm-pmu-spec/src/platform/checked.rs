//! Values of a valid spec, without positions.

use super::scalar::{Address, Cpus, Id};
use crate::read::{Checked, wrapped};

wrapped!(Address: u64, Cpus: Vec<u32>, Id: String);

/// Confidence and source of a valid mapping.
macro_rules! origin {
    ($mapping:expr) => {
        $crate::platform::model::Origin {
            confidence: $mapping.confidence.as_deref().copied().unwrap_or(Confidence::D),
            source: $mapping.source.checked().unwrap_or_default(),
        }
    };
}

pub(super) use origin;
