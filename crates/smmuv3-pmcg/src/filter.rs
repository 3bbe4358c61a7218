//! Filter of the streams whose events are counted.

use core::fmt;
use core::ops::Range;

/// Selects the streams whose events are counted.
///
/// One filter applies to all counters of a PMU. StreamIDs have `BITS` bits: 24 in an
/// MMU-600, 32 in an MMU-700.
///
/// Events that are not [filterable](arm_pmu_core::event::Event::filterable) are counted for all
/// streams. `Pmu::unfiltered` returns the counters that count such events.
///
/// ```
/// type StreamFilter = smmuv3_pmcg::StreamFilter<24>;
///
/// let one = StreamFilter::exactly(0x42)?;
/// let four = StreamFilter::span(0x40..0x44)?;
/// assert_eq!(four.to_string(), "Non-secure StreamIDs 0x40 to 0x43");
///
/// // The hardware compares only aligned spans of 2^n StreamIDs.
/// let refused = StreamFilter::span(0x41..0x44).unwrap_err();
/// assert!(refused.to_string().contains("0x40..0x44"));
/// # Ok::<(), smmuv3_pmcg::InvalidFilter<24>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamFilter<const BITS: u32> {
    /// Whether `stream_id` encodes a span.
    pub(crate) span: bool,
    /// Value for SMR0.
    pub(crate) stream_id: u32,
    /// Whether the filter compares Secure StreamIDs instead of Non-secure StreamIDs.
    pub(crate) secure: bool,
}

/// Returns the number of StreamIDs. A PMU may compare fewer bits: see `match_streams`.
const fn stream_ids(bits: u32) -> u64 {
    assert!(0 < bits && bits <= 32, "a StreamID has from 1 to 32 bits");
    1 << bits
}

impl<const BITS: u32> StreamFilter<BITS> {
    const STREAM_IDS: u64 = stream_ids(BITS);

    /// Value of SMR0 with all `BITS` bits of a StreamID set.
    const ALL_ONES: u32 = (Self::STREAM_IDS - 1) as u32;

    /// Filter for every stream; Secure streams are counted only under Secure observation (SCR.SO).
    ///
    /// The value for SMR0 is all ones for any number of implemented bits, because SMR0 ignores ones in other bits.
    pub const ALL: Self = Self { span: true, stream_id: u32::MAX, secure: false };

    /// Filter for every stream of the Non-secure state.
    pub const ALL_NON_SECURE: Self =
        Self { span: true, stream_id: Self::ALL_ONES >> 1, secure: false };

    /// Filter for every stream of the Secure state. See [`secure`](Self::secure).
    pub const ALL_SECURE: Self = Self::ALL_NON_SECURE.secure();

    /// Creates a filter for one stream of the Non-secure state.
    ///
    /// # Errors
    ///
    /// Returns an error if `stream_id` has more than `BITS` bits.
    pub const fn exactly(stream_id: u32) -> Result<Self, InvalidFilter<BITS>> {
        if stream_id > Self::ALL_ONES {
            return Err(InvalidFilter::TooLarge { stream_id });
        }
        Ok(Self { span: false, stream_id, secure: false })
    }

    /// Creates a filter for a range of streams of the Non-secure state.
    ///
    /// The number of StreamIDs must be a power of two, and the first StreamID a multiple of that number.
    /// A range cannot include the last of all 2^32 StreamIDs; [`from_fields`](Self::from_fields) creates
    /// spans that do.
    ///
    /// # Errors
    ///
    /// Returns an error if the hardware has no filter for exactly this range.
    pub const fn span(stream_ids: Range<u32>) -> Result<Self, InvalidFilter<BITS>> {
        let Range { start, end } = stream_ids;
        if start >= end {
            return Err(InvalidFilter::Empty);
        }
        if end as u64 > Self::STREAM_IDS {
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

    /// Creates a filter for the Non-secure stream whose StreamID is the requester ID of a PCI function.
    ///
    /// The requester ID contains `bus` in bits 15 to 8, `device` in bits 7 to 3 and `function` in
    /// bits 2 to 0.
    ///
    /// A system can add an offset to the requester ID (`iommu-map` in a device tree, an ID mapping in the
    /// IORT of ACPI). In that case, use [`exactly`](Self::exactly) with the sum.
    ///
    /// ```
    /// type StreamFilter = smmuv3_pmcg::StreamFilter<24>;
    ///
    /// assert_eq!(StreamFilter::from_bdf(0x01, 0, 0)?, StreamFilter::exactly(0x100)?);
    /// // All functions of device 3 on bus 1, 01:03.0 to 01:03.7.
    /// let id = StreamFilter::from_bdf(0x01, 3, 0)?.stream_id();
    /// let device = StreamFilter::span(id..id + 8)?;
    /// # assert_eq!(device.to_string(), "Non-secure StreamIDs 0x118 to 0x11f");
    /// # Ok::<(), smmuv3_pmcg::InvalidFilter<24>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `device` is above 31 or `function` above 7.
    pub const fn from_bdf(bus: u8, device: u8, function: u8) -> Result<Self, InvalidFilter<BITS>> {
        if device > 31 || function > 7 {
            return Err(InvalidFilter::PciFunction { device, function });
        }
        Self::exactly((bus as u32) << 8 | (device as u32) << 3 | function as u32)
    }

    /// Creates a Non-secure filter from EVTYPER0.FILTER_SID_SPAN and SMR0.STREAMID.
    ///
    /// Linux calls these fields `filter_span` and `filter_stream_id` (arm_smmuv3_pmu driver).
    ///
    /// With `span` false, `stream_id` is one StreamID. With `span` true, the lowest bit that is 0,
    /// and all bits below it, are not compared. With `span` true, a `stream_id` of `u32::MAX` or of 2^`BITS` - 1 gives
    /// [`ALL`](Self::ALL). Linux programs `u32::MAX` while `filter_enable` is 0.
    ///
    /// ```
    /// type StreamFilter = smmuv3_pmcg::StreamFilter<24>;
    ///
    /// // perf stat -e smmuv3_pmcg_X/transaction,filter_enable=1,filter_span=1,filter_stream_id=0x42/
    /// let filter = StreamFilter::from_fields(true, 0x42)?;
    /// assert_eq!(filter, StreamFilter::span(0x42..0x44)?);
    /// assert_eq!((filter.is_span(), filter.stream_id()), (true, 0x42));
    /// # Ok::<(), smmuv3_pmcg::InvalidFilter<24>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `stream_id` has more than `BITS` bits and is not the span `u32::MAX`.
    pub const fn from_fields(span: bool, stream_id: u32) -> Result<Self, InvalidFilter<BITS>> {
        if span && (stream_id == u32::MAX || stream_id == Self::ALL_ONES) {
            Ok(Self::ALL)
        } else if stream_id > Self::ALL_ONES {
            Err(InvalidFilter::TooLarge { stream_id })
        } else {
            Ok(Self { span, stream_id, secure: false })
        }
    }

    /// Returns whether [`stream_id`](Self::stream_id) encodes a span.
    ///
    /// The value is EVTYPER0.FILTER_SID_SPAN, which Linux calls `filter_span`.
    #[must_use]
    pub const fn is_span(self) -> bool {
        self.span
    }

    /// Returns one StreamID, or the code of a [span](Self::from_fields).
    ///
    /// The value is SMR0.STREAMID, which Linux calls `filter_stream_id`.
    ///
    /// The method is the inverse of [`from_fields`](Self::from_fields), except for the [security
    /// state](Self::is_secure). For [`ALL`](Self::ALL), the result is `u32::MAX`.
    #[must_use]
    pub const fn stream_id(self) -> u32 {
        self.stream_id
    }

    /// Returns whether the filter compares Secure StreamIDs.
    ///
    /// For [`ALL`](Self::ALL), the result is `false`.
    ///
    /// This is EVTYPER0.FILTER_SEC_SID.
    #[must_use]
    pub const fn is_secure(self) -> bool {
        self.secure
    }

    /// Returns the same filter for the Secure state.
    ///
    /// Secure and Non-secure StreamIDs are different streams.
    ///
    /// The filter takes effect only under Secure observation (SCR.SO), which only Secure software
    /// can enable. Without Secure observation, the hardware compares Non-secure StreamIDs instead.
    /// If the driver can read that Secure observation is off, the counts are
    /// [disturbed](arm_pmu_core::count::CountError::Disturbed).
    ///
    /// [`ALL`](Self::ALL) does not change.
    #[must_use]
    pub const fn secure(self) -> Self {
        let everything = self.span && self.stream_id == Self::ALL.stream_id;
        Self { secure: !everything, ..self }
    }

    /// Returns whether this is a span that starts at StreamID 0, like [`ALL`](Self::ALL).
    ///
    /// SMR0 then has all its ones below its zeros.
    pub(crate) const fn is_from_zero(self) -> bool {
        self.span && self.stream_id & self.stream_id.wrapping_add(1) == 0
    }

    /// Returns the first and the last StreamID.
    const fn ends(self) -> (u32, u32) {
        if !self.span {
            return (self.stream_id, self.stream_id);
        }
        // The lowest zero, and all bits below it, are not compared.
        let not_compared = self.stream_id ^ self.stream_id.wrapping_add(1);
        (self.stream_id & !not_compared, (self.stream_id | not_compared) & Self::ALL_ONES)
    }
}

/// Returns [`ALL`](StreamFilter::ALL) by default.
impl<const BITS: u32> Default for StreamFilter<BITS> {
    fn default() -> Self {
        Self::ALL
    }
}

impl<const BITS: u32> fmt::Display for StreamFilter<BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("all StreamIDs");
        }
        let state = if self.secure { "Secure" } else { "Non-secure" };
        match self.ends() {
            (first, last) if first == last => write!(f, "{state} StreamID {first:#x}"),
            (0, last) if last == Self::ALL_ONES => write!(f, "all {state} StreamIDs"),
            (first, last) => write!(f, "{state} StreamIDs {first:#x} to {last:#x}"),
        }
    }
}

/// Error: the hardware has no filter for these streams, whose StreamIDs have `BITS` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum InvalidFilter<const BITS: u32> {
    /// A StreamID has `BITS` bits.
    TooLarge {
        /// The requested StreamID.
        stream_id: u32,
    },
    /// The range has no StreamID.
    Empty,
    /// PCI has devices 0 to 31 on a bus, and functions 0 to 7 of a device.
    PciFunction {
        /// The device number.
        device: u8,
        /// The function number.
        function: u8,
    },
    /// A span has 2^n StreamIDs and starts at a multiple of 2^n.
    NoSpan {
        /// First requested StreamID.
        start: u32,
        /// First StreamID after the range.
        end: u32,
    },
}

impl<const BITS: u32> InvalidFilter<BITS> {
    /// Returns the smallest span that includes the requested streams.
    ///
    /// Returns `None` if there is no such span.
    #[must_use]
    pub const fn smallest_span(self) -> Option<Range<u32>> {
        let Self::NoSpan { start, end } = self else { return None };
        if start >= end || end as u64 > stream_ids(BITS) {
            return None;
        }
        // Bits that differ between the first and the last StreamID, and all lower bits, are not
        // compared.
        let differ = start ^ (end - 1);
        let not_compared = ((1_u64 << (u32::BITS - differ.leading_zeros())) - 1) as u32;
        // A range cannot include the last of all 2^32 StreamIDs.
        match (start | not_compared).checked_add(1) {
            Some(end) => Some(start & !not_compared..end),
            None => None,
        }
    }
}

impl<const BITS: u32> fmt::Display for InvalidFilter<BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { stream_id } => {
                write!(f, "the StreamID {stream_id:#x} has more than {BITS} bits")
            }
            Self::Empty => f.write_str("the range has no StreamID"),
            Self::PciFunction { device, function } => write!(
                f,
                "device {device}, function {function}: PCI has devices 0 to 31 and functions 0 to 7"
            ),
            Self::NoSpan { start, end } => {
                write!(
                    f,
                    "a span has 2^n StreamIDs and starts at a multiple of 2^n: \
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

impl<const BITS: u32> core::error::Error for InvalidFilter<BITS> {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{InvalidFilter as Invalid, StreamFilter as Filter};
    use std::string::ToString;

    type StreamFilter = Filter<24>;
    type InvalidFilter = Invalid<24>;

    const STREAM_IDS: u32 = 1 << 24;
    const ALL_ONES: u32 = STREAM_IDS - 1;

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
                        // Neither half of the span includes the range.
                        let half = smallest.start + (smallest.end - smallest.start) / 2;
                        assert!(start < half && half < end, "{start}..{end}");
                    }
                }
            }
        }
    }

    /// Returns whether the hardware matches a StreamID, by the rule of SMR0.
    fn matches(span: bool, code: u32, stream_id: u32) -> bool {
        let mut not_compared = 0;
        if span {
            while code & (1 << not_compared) != 0 {
                not_compared += 1;
            }
            not_compared += 1;
        }
        (stream_id ^ code) >> not_compared == 0
    }

    /// Returns small codes, large codes, and codes spread over the whole range.
    fn codes() -> impl Iterator<Item = u32> {
        let dense = (0..0x1000).chain(STREAM_IDS - 0x1000..STREAM_IDS);
        let sparse = (0..0x1000_u32).map(|n| n.wrapping_mul(0x9E37_79B1) >> 8);
        let ones = (0..24).map(|bits| (1 << bits) - 1);
        dense.chain(sparse).chain(ones)
    }

    #[test]
    fn filters_survive_a_round_trip_through_fields() {
        for (code, span) in codes().flat_map(|code| [(code, false), (code, true)]) {
            let filter = StreamFilter::from_fields(span, code).unwrap();
            let expected = if span && code == ALL_ONES { u32::MAX } else { code };
            assert_eq!((filter.is_span(), filter.stream_id()), (span, expected));
            assert_eq!(StreamFilter::from_fields(filter.is_span(), filter.stream_id()), Ok(filter));
            if filter == StreamFilter::ALL {
                continue;
            }
            let (first, last) = filter.ends();
            for stream_id in [first, last] {
                assert!(matches(span, code, stream_id), "{code:#x}: {stream_id:#x}");
            }
            for other in [first.wrapping_sub(1), last + 1].map(|id| id & ALL_ONES) {
                let inside = (first..=last).contains(&other);
                assert_eq!(matches(span, code, other), inside, "{code:#x}: {other:#x}");
            }
            // A span has the same fields whether it is created from a range or from fields.
            let range = if span {
                StreamFilter::span(first..last + 1)
            } else {
                StreamFilter::exactly(first)
            };
            assert_eq!(range, Ok(filter), "{code:#x}");
        }
    }

    #[test]
    fn filters_accept_fields_up_to_their_limits() {
        let fields = StreamFilter::from_fields;
        assert_eq!(fields(true, u32::MAX), Ok(StreamFilter::ALL), "as Linux programs it");
        assert_eq!(fields(true, ALL_ONES), Ok(StreamFilter::ALL));
        assert_eq!(fields(true, ALL_ONES / 2), Ok(StreamFilter::ALL_NON_SECURE));
        assert_eq!(fields(false, ALL_ONES), StreamFilter::exactly(ALL_ONES));
        for (span, stream_id) in [(false, u32::MAX), (false, STREAM_IDS), (true, STREAM_IDS)] {
            assert_eq!(fields(span, stream_id), Err(InvalidFilter::TooLarge { stream_id }));
        }
        let too_large = Err(InvalidFilter::TooLarge { stream_id: STREAM_IDS });
        assert_eq!(StreamFilter::exactly(STREAM_IDS), too_large);
        assert_eq!(StreamFilter::span(0..STREAM_IDS + 1), too_large);
        let secure = fields(true, 0x42).unwrap().secure();
        assert!(secure.is_secure() && !StreamFilter::ALL.secure().is_secure());
        assert_eq!((secure.is_span(), secure.stream_id()), (true, 0x42));
    }

    #[test]
    fn pci_functions_are_requester_ids() {
        for bus in [0, 1, 0x80, 0xFF] {
            for device in 0..=32 {
                for function in 0..=8 {
                    let filter = StreamFilter::from_bdf(bus, device, function);
                    if device < 32 && function < 8 {
                        let low = device * 8 + function;
                        let id = u32::from(u16::from_be_bytes([bus, low]));
                        assert_eq!(filter, StreamFilter::exactly(id));
                    } else {
                        assert_eq!(filter, Err(InvalidFilter::PciFunction { device, function }));
                    }
                }
            }
        }
        let error = StreamFilter::from_bdf(0, 32, 0).unwrap_err();
        let text = "device 32, function 0: PCI has devices 0 to 31 and functions 0 to 7";
        assert_eq!((error.to_string().as_str(), error.smallest_span()), (text, None));
    }

    /// `InvalidFilter` is public, so users can create any value of it.
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
    fn filters_and_errors_have_clear_texts() {
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
            "a span has 2^n StreamIDs and starts at a multiple of 2^n: 0x3..0x6 has 3 \
             from 0x3; 0x0..0x8 holds them all"
        );
    }

    #[test]
    fn stream_ids_can_have_32_bits() {
        type Wide = Filter<32>;
        assert_eq!(Wide::from_fields(true, u32::MAX), Ok(Wide::ALL));
        assert_eq!(Wide::ALL_NON_SECURE.stream_id(), u32::MAX / 2);
        assert_eq!(Wide::ALL_NON_SECURE.to_string(), "all Non-secure StreamIDs");
        let last = Wide::exactly(u32::MAX).unwrap();
        assert!(last != Wide::ALL && last.ends() == (u32::MAX, u32::MAX));
        let half = Wide::span(0..1 << 31).unwrap();
        assert_eq!((half.ends(), half.stream_id()), ((0, u32::MAX / 2), u32::MAX / 4));
        let top = Wide::from_fields(true, !(1 << 3)).unwrap();
        assert_eq!(top.ends(), (u32::MAX - 15, u32::MAX));
        // The range would have to end at 2^32, which does not fit in a `u32`.
        let refused = Wide::span(1..u32::MAX).unwrap_err();
        assert_eq!(refused, Invalid::NoSpan { start: 1, end: u32::MAX });
        assert_eq!(refused.smallest_span(), None);
        assert!(!refused.to_string().contains("holds them all"));
        let refused = Wide::span(0x8000_0001..0x8000_0004).unwrap_err();
        assert_eq!(refused.smallest_span(), Some(0x8000_0000..0x8000_0004));
    }
}
