//! Extracted from the manual by a program, so that the test finds slips in the spec.

use super::Core;

#[rustfmt::skip]
pub const CORE: Core = Core {
    common: &[0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x08, 0x11],
    own: &[],
    units: &[],
};
