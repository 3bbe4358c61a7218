//! Which streams are counted.

use core::fmt;
use core::ops::Range;

/// The streams whose events are counted: one filter for all four counters of a PMU.
///
/// Events that are not [filterable](arm_pmu_core::event::Event::filterable) are counted whatever the stream:
/// [`Pmu::unfiltered`](crate::Pmu::unfiltered) tells of which counters that is true.
///
/// ```
/// use mmu600::StreamFilter;
///
/// let one = StreamFilter::exactly(0x42)?;
/// let four = StreamFilter::span(0x40..0x44)?;
/// assert_eq!(four.to_string(), "Non-secure StreamIDs 0x40 to 0x43");
///
/// // The hardware can compare aligned spans of a power of two only.
/// let refused = StreamFilter::span(0x41..0x44).unwrap_err();
/// assert!(refused.to_string().contains("0x40..0x44"));
/// # Ok::<(), mmu600::InvalidFilter>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamFilter {
    /// Whether `stream_id` encodes a span.
    pub(crate) span: bool,
    /// As SMR0 wants it.
    pub(crate) stream_id: u32,
    /// Whether Secure StreamIDs are compared, and not Non-secure ones.
    pub(crate) secure: bool,
}

/// StreamIDs have 24 bits. A PMU may compare fewer of them: see `match_streams`.
const STREAM_IDS: u32 = 1 << 24;

impl StreamFilter {
    /// Every stream; those of the Secure state only under Secure observation (SCR.SO).
    pub const ALL: Self = Self { span: true, stream_id: STREAM_IDS - 1, secure: false };

    /// Every stream of the Non-secure state.
    pub const ALL_NON_SECURE: Self =
        Self { span: true, stream_id: STREAM_IDS / 2 - 1, secure: false };

    /// Every stream of the Secure state. See [`secure`](Self::secure).
    pub const ALL_SECURE: Self = Self::ALL_NON_SECURE.secure();

    /// One stream of the Non-secure state.
    ///
    /// # Errors
    ///
    /// If a StreamID cannot be that large.
    pub const fn exactly(stream_id: u32) -> Result<Self, InvalidFilter> {
        if stream_id >= STREAM_IDS {
            return Err(InvalidFilter::TooLarge { stream_id });
        }
        Ok(Self { span: false, stream_id, secure: false })
    }

    /// The streams of the Non-secure state with these StreamIDs: a power of two of them, the first a
    /// multiple of how many there are.
    ///
    /// # Errors
    ///
    /// If the hardware has no filter for exactly these.
    pub const fn span(stream_ids: Range<u32>) -> Result<Self, InvalidFilter> {
        let Range { start, end } = stream_ids;
        if start >= end {
            return Err(InvalidFilter::Empty);
        }
        if end > STREAM_IDS {
            return Err(InvalidFilter::TooLarge { stream_id: end - 1 });
        }
        let length = end - start;
        if !length.is_power_of_two() || start % length != 0 {
            return Err(InvalidFilter::NoSpan { start, end });
        }
        if length == 1 {
            return Self::exactly(start);
        }
        // The lowest zero, and all bits below it, are not compared.
        Ok(Self { span: true, stream_id: start | (length / 2 - 1), secure: false })
    }

    /// The same for the Secure state: Secure and Non-secure StreamIDs are different streams.
    ///
    /// It takes effect only under Secure observation (SCR.SO), which Secure software switches on.
    /// Without it the hardware would compare Non-secure StreamIDs in their place: where the driver can
    /// read that Secure observation is off, the counts are [lost](arm_pmu_core::count::CountError::Disturbed).
    ///
    /// [`ALL`](Self::ALL) stays what it is.
    #[must_use]
    pub const fn secure(self) -> Self {
        let everything = self.span && self.stream_id == Self::ALL.stream_id;
        Self { secure: !everything, ..self }
    }

    /// Whether it is a span that starts at StreamID 0: SMR0 then has ones below zeros. So is
    /// [`ALL`](Self::ALL).
    pub(crate) const fn is_from_zero(self) -> bool {
        self.span && self.stream_id & (self.stream_id + 1) == 0
    }

    /// The StreamIDs, first and last.
    const fn ends(self) -> (u32, u32) {
        if !self.span {
            return (self.stream_id, self.stream_id);
        }
        let not_compared = 2_u32.pow(self.stream_id.trailing_ones() + 1) - 1;
        (self.stream_id & !not_compared, (self.stream_id | not_compared) & (STREAM_IDS - 1))
    }
}

/// Everything.
impl Default for StreamFilter {
    fn default() -> Self {
        Self::ALL
    }
}

impl fmt::Display for StreamFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("all StreamIDs");
        }
        let state = if self.secure { "Secure" } else { "Non-secure" };
        match self.ends() {
            (first, last) if first == last => write!(f, "{state} StreamID {first:#x}"),
            (0, last) if last == STREAM_IDS - 1 => write!(f, "all {state} StreamIDs"),
            (first, last) => write!(f, "{state} StreamIDs {first:#x} to {last:#x}"),
        }
    }
}

/// Streams that no filter of the hardware stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum InvalidFilter {
    /// A StreamID has 24 bits.
    TooLarge {
        /// The StreamID that was asked for.
        stream_id: u32,
    },
    /// The range has no StreamID.
    Empty,
    /// A span has a power of two of StreamIDs and starts at a multiple of that.
    NoSpan {
        /// The first StreamID that was asked for.
        start: u32,
        /// The first one after the range.
        end: u32,
    },
}

impl InvalidFilter {
    /// The smallest span that holds the streams which were asked for, and others. `None` if there is
    /// none.
    #[must_use]
    pub const fn smallest_span(self) -> Option<Range<u32>> {
        let Self::NoSpan { start, end } = self else { return None };
        if start >= end || end > STREAM_IDS {
            return None;
        }
        // Bits that differ between the first and the last StreamID, and all below, are not compared.
        let differ = start ^ (end - 1);
        let not_compared = (1_u32 << (u32::BITS - differ.leading_zeros())) - 1;
        Some(start & !not_compared..(start | not_compared) + 1)
    }
}

impl fmt::Display for InvalidFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { stream_id } => {
                write!(f, "the StreamID {stream_id:#x} has more than 24 bits")
            }
            Self::Empty => f.write_str("the range has no StreamID"),
            Self::NoSpan { start, end } => {
                write!(
                    f,
                    "a span has a power of two of StreamIDs and starts at a multiple of that: \
                     {start:#x}..{end:#x} has {} from {start:#x}",
                    end.saturating_sub(*start)
                )?;
                match self.smallest_span() {
                    Some(span) => {
                        write!(f, "; {:#x}..{:#x} holds them all", span.start, span.end)
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

impl core::error::Error for InvalidFilter {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn spans_are_aligned_powers_of_two() {
        for start in 0..64 {
            for end in 0..=64 {
                let span = StreamFilter::span(start..end);
                let length = end.saturating_sub(start);
                let possible = length.is_power_of_two() && start % length == 0;
                assert_eq!(span.is_ok(), possible, "{start}..{end}");
                match span {
                    Ok(span) => assert_eq!(span.ends(), (start, end - 1)),
                    Err(InvalidFilter::Empty) => assert!(start >= end),
                    Err(refused) => {
                        let smallest = refused.smallest_span().unwrap();
                        assert!(StreamFilter::span(smallest.clone()).is_ok());
                        assert!(smallest.start <= start && end <= smallest.end);
                        // Half of it does not hold them.
                        let half = smallest.start + (smallest.end - smallest.start) / 2;
                        assert!(start < half && half < end, "{start}..{end}");
                    }
                }
            }
        }
    }

    /// Anybody can make an error.
    #[test]
    fn no_error_panics() {
        let span = |start, end| {
            let error = InvalidFilter::NoSpan { start, end };
            assert!(!error.to_string().is_empty());
            error.smallest_span()
        };
        assert_eq!(span(0, 0), None);
        assert_eq!(span(9, 3), None);
        assert_eq!(span(0, u32::MAX), None);
        assert_eq!(span(u32::MAX, 0), None);
        assert_eq!(span(4, 5), Some(4..5));
        assert_eq!(span(1, STREAM_IDS), Some(0..STREAM_IDS));
        assert_eq!(span(1, STREAM_IDS + 1), None);
    }

    #[test]
    fn the_ends_of_the_stream_ids() {
        let last = STREAM_IDS - 1;
        assert!(StreamFilter::exactly(last).is_ok());
        assert_eq!(
            StreamFilter::exactly(STREAM_IDS),
            Err(InvalidFilter::TooLarge { stream_id: STREAM_IDS })
        );
        assert_eq!(StreamFilter::span(0..STREAM_IDS), Ok(StreamFilter::ALL_NON_SECURE));
        assert_eq!(
            StreamFilter::span(0..STREAM_IDS + 1),
            Err(InvalidFilter::TooLarge { stream_id: STREAM_IDS })
        );
        assert_eq!(StreamFilter::span(last..STREAM_IDS), StreamFilter::exactly(last));
        assert_eq!(StreamFilter::span(last - 1..STREAM_IDS).unwrap().ends(), (last - 1, last));
    }

    #[test]
    fn filters_and_errors_read_well() {
        let shown = |filter: StreamFilter| filter.to_string();
        assert_eq!(shown(StreamFilter::default()), "all StreamIDs");
        assert_eq!(shown(StreamFilter::ALL.secure()), "all StreamIDs");
        assert_eq!(shown(StreamFilter::ALL_NON_SECURE), "all Non-secure StreamIDs");
        assert_eq!(shown(StreamFilter::ALL_SECURE), "all Secure StreamIDs");
        let one = StreamFilter::exactly(0x42).unwrap();
        assert_eq!(shown(one), "Non-secure StreamID 0x42");
        assert_eq!(
            shown(StreamFilter::span(0..8).unwrap()),
            "Non-secure StreamIDs 0x0 to 0x7",
            "not all"
        );
        assert_eq!(
            shown(StreamFilter::span(0x42..0x44).unwrap().secure()),
            "Secure StreamIDs 0x42 to 0x43"
        );
        assert_eq!(InvalidFilter::Empty.to_string(), "the range has no StreamID");
        assert_eq!(InvalidFilter::Empty.smallest_span(), None);
        assert_eq!(
            InvalidFilter::TooLarge { stream_id: 0x100_0000 }.to_string(),
            "the StreamID 0x1000000 has more than 24 bits"
        );
        assert_eq!(
            StreamFilter::span(3..6).unwrap_err().to_string(),
            "a span has a power of two of StreamIDs and starts at a multiple of that: 0x3..0x6 has 3 \
             from 0x3; 0x0..0x8 holds them all"
        );
    }
}
