//! Where the fields of every register begin and end.

use std::path::Path;

use super::ip;
use crate::generate::emit::pmcg::is_group;
use crate::generate::load::names;
use crate::generate::model::{Ip, Register};

/// Name, high bit, low bit of every field wider than one bit or without a neighbour of its kind, typed
/// from the references a second time: the masks above do not see where one field ends and the next
/// begins.
type Row = (&'static str, &'static [(&'static str, u32, u32)]);
type Fields = &'static [Row];

const ARM11: Fields = &[
    ("ACCESS_VALIDATION", &[("V", 0, 0)]),
    (
        "PMNC",
        &[
            ("FCC", 30, 30),
            ("FC1", 29, 29),
            ("FC0", 28, 28),
            ("EvtCount0", 27, 20),
            ("EvtCount1", 19, 12),
            ("X", 11, 11),
            ("OCC", 10, 10),
            ("OC1", 9, 9),
            ("OC0", 8, 8),
            ("ECC", 6, 6),
            ("EC1", 5, 5),
            ("EC0", 4, 4),
            ("D", 3, 3),
            ("C", 2, 2),
            ("P", 1, 1),
            ("E", 0, 0),
        ],
    ),
    ("CCNT", &[("COUNT", 31, 0)]),
    ("PMN0", &[("COUNT", 31, 0)]),
    ("PMN1", &[("COUNT", 31, 0)]),
];

/// The highest bit of a field with a bit for each event counter.
const LAST: u32 = u32::MAX;

/// The fields of an ARMv7 PMU, of version 1 or 2.
macro_rules! armv7 {
    ($pmxevtyper:expr $(, $more:expr)*) => {
        &[
            (
                "PMCR",
                &[
                    ("IMP", 31, 24),
                    ("IDCODE", 23, 16),
                    ("N", 15, 11),
                    ("DP", 5, 5),
                    ("X", 4, 4),
                    ("D", 3, 3),
                    ("C", 2, 2),
                    ("P", 1, 1),
                    ("E", 0, 0),
                ],
            ),
            ("PMCNTENSET", &[("C", 31, 31), ("P", LAST, 0)]),
            ("PMCNTENCLR", &[("C", 31, 31), ("P", LAST, 0)]),
            ("PMOVSR", &[("C", 31, 31), ("P", LAST, 0)]),
            ("PMSWINC", &[("P", LAST, 0)]),
            ("PMSELR", &[("SEL", 4, 0)]),
            ("PMCCNTR", &[("COUNT", 31, 0)]),
            ("PMXEVTYPER", $pmxevtyper),
            ("PMXEVCNTR", &[("COUNT", 31, 0)]),
            ("PMUSERENR", &[("EN", 0, 0)]),
            ("PMINTENSET", &[("C", 31, 31), ("P", LAST, 0)]),
            ("PMINTENCLR", &[("C", 31, 31), ("P", LAST, 0)]),
            $($more,)*
        ]
    };
}

/// PMXEVTYPER of version 2 of the PMU: as in Linux and QEMU.
const WITH_FILTER: &[(&str, u32, u32)] = &[
    ("P", 31, 31),
    ("U", 30, 30),
    ("NSK", 29, 29),
    ("NSU", 28, 28),
    ("NSH", 27, 27),
    ("EVT_COUNT", 7, 0),
];

const CCI400: Fields = &[
    ("SECURE_ACCESS", &[("NON_SECURE_REGISTER_ACCESS_OVERRIDE", 0, 0)]),
    (
        "PMCR",
        &[
            ("PMU_CNT_NUM", 15, 11),
            ("DP", 5, 5),
            ("EX", 4, 4),
            ("CCD", 3, 3),
            ("CCR", 2, 2),
            ("RST", 1, 1),
            ("CEN", 0, 0),
        ],
    ),
    ("PID4", &[("SIZE", 7, 4), ("DES_2", 3, 0)]),
    ("PID0", &[("PART_0", 7, 0)]),
    ("PID1", &[("DES_0", 7, 4), ("PART_1", 3, 0)]),
    ("PID2", &[("REVISION", 7, 4), ("JEDEC", 3, 3), ("DES_1", 2, 0)]),
    ("PID3", &[("REVAND", 7, 4), ("CMOD", 3, 0)]),
    ("EVENT_SELECT", &[("SOURCE", 7, 5), ("EVENT", 4, 0)]),
    ("EVENT_COUNT", &[("COUNT", 31, 0)]),
    ("CYCLE_COUNT", &[("COUNT", 31, 0)]),
    ("COUNT_CONTROL", &[("ENABLE", 0, 0)]),
    ("CYCLE_COUNT_CONTROL", &[("ENABLE", 0, 0)]),
    ("OVERFLOW_STATUS", &[("FLAG", 0, 0)]),
    ("CYCLE_OVERFLOW_STATUS", &[("FLAG", 0, 0)]),
];

/// What differs from the CCI-550.
const CCI500: Fields = &[(
    "SECURE_ACCESS",
    &[("DEBUG_MONITOR_SECURITY_OVERRIDE", 1, 1), ("NON_SECURE_REGISTER_ACCESS_OVERRIDE", 0, 0)],
)];

const CCI550: Fields = &[
    (
        "SECURE_ACCESS",
        &[
            ("SECURE_OBSERVATION_OVERRIDE", 2, 2),
            ("DEBUG_MONITOR_SECURITY_OVERRIDE", 1, 1),
            ("NON_SECURE_REGISTER_ACCESS_OVERRIDE", 0, 0),
        ],
    ),
    ("PMCR", &[("PMU_CNT_NUM", 15, 11), ("EX", 4, 4), ("RST", 1, 1), ("CEN", 0, 0)]),
    ("INTERFACE_MONITOR_CONTROL", &[("ENABLE", 0, 0)]),
    ("PID4", &[("SIZE", 7, 4), ("DES_2", 3, 0)]),
    ("PID0", &[("PART_0", 7, 0)]),
    ("PID1", &[("DES_0", 7, 4), ("PART_1", 3, 0)]),
    ("PID2", &[("REVISION", 7, 4), ("JEDEC", 3, 3), ("DES_1", 2, 0)]),
    ("PID3", &[("REVAND", 7, 4), ("CMOD", 3, 0)]),
    ("EVENT_SELECT", &[("SOURCE", 8, 5), ("EVENT", 4, 0)]),
    ("EVENT_COUNT", &[("COUNT", 31, 0)]),
    ("COUNT_CONTROL", &[("ENABLE", 0, 0)]),
    ("OVERFLOW_STATUS", &[("FLAG", 0, 0)]),
    (
        "SLAVE_MONITOR",
        &[
            ("OUTSTANDING_SNOOPS", 31, 24),
            ("OUTSTANDING_WRITES", 23, 16),
            ("OUTSTANDING_READS", 15, 8),
            ("STALLED_CD_CHANNEL", 7, 7),
            ("STALLED_CR_CHANNEL", 6, 6),
            ("STALLED_AC_CHANNEL", 5, 5),
            ("STALLED_B_CHANNEL", 4, 4),
            ("STALLED_W_CHANNEL", 3, 3),
            ("STALLED_AW_CHANNEL", 2, 2),
            ("STALLED_R_CHANNEL", 1, 1),
            ("STALLED_AR_CHANNEL", 0, 0),
        ],
    ),
    (
        "MASTER_MONITOR",
        &[
            ("OUTSTANDING_WRITES", 23, 16),
            ("OUTSTANDING_READS", 15, 8),
            ("STALLED_B_CHANNEL", 4, 4),
            ("STALLED_W_CHANNEL", 3, 3),
            ("STALLED_AW_CHANNEL", 2, 2),
            ("STALLED_R_CHANNEL", 1, 1),
            ("STALLED_AR_CHANNEL", 0, 0),
        ],
    ),
];

/// An SMMUv3 PMCG with these fields of PMAUTHSTATUS.
macro_rules! pmcg {
    ($pmauthstatus:expr) => {
        &[
            ("EVCNTR", &[("COUNTER_VALUE", 31, 0)]),
            (
                "EVTYPER",
                &[
                    ("OVFCAP", 31, 31),
                    ("FILTER_SEC_SID", 30, 30),
                    ("FILTER_SID_SPAN", 29, 29),
                    ("EVENT", 15, 0),
                ],
            ),
            ("SVR", &[("SHADOW_COUNTER_VALUE", 31, 0)]),
            ("SMR0", &[("STREAMID", 31, 0)]),
            ("CNTENSET0", &[("CNTEN", LAST, 0)]),
            ("CNTENCLR0", &[("CNTEN", LAST, 0)]),
            ("INTENSET0", &[("INTEN", LAST, 0)]),
            ("INTENCLR0", &[("INTEN", LAST, 0)]),
            ("OVSCLR0", &[("OVS", LAST, 0)]),
            ("OVSSET0", &[("OVS", LAST, 0)]),
            ("CAPR", &[("CAPTURE", 0, 0)]),
            ("SCR", &[("READS_AS_ONE", 31, 31), ("NSRA", 1, 1), ("SO", 0, 0)]),
            (
                "CFGR",
                &[
                    ("SID_FILTER_TYPE", 23, 23),
                    ("CAPTURE", 22, 22),
                    ("MSI", 21, 21),
                    ("RELOC_CTRS", 20, 20),
                    ("SIZE", 13, 8),
                    ("NCTR", 5, 0),
                ],
            ),
            ("CR", &[("E", 0, 0)]),
            ("CEID0", &[("EVENTS_63_TO_32", 63, 32), ("EVENTS_31_TO_0", 31, 0)]),
            ("CEID1", &[("EVENTS_127_TO_96", 63, 32), ("EVENTS_95_TO_64", 31, 0)]),
            ("IRQ_CTRL", &[("IRQEN", 0, 0)]),
            ("IRQ_CTRLACK", &[("IRQEN", 0, 0)]),
            ("AIDR", &[("ARCH_MAJOR_REV", 7, 4), ("ARCH_MINOR_REV", 3, 0)]),
            ("PMAUTHSTATUS", $pmauthstatus),
            (
                "PMDEVARCH",
                &[
                    ("ARCHITECT", 31, 21),
                    ("PRESENT", 20, 20),
                    ("REVISION", 19, 16),
                    ("ARCHID", 15, 0),
                ],
            ),
            ("PMDEVTYPE", &[("SUB_TYPE", 7, 4), ("CLASS", 3, 0)]),
            ("PIDR4", &[("SIZE", 7, 4), ("DES_2", 3, 0)]),
            ("PIDR5", &[]),
            ("PIDR6", &[]),
            ("PIDR7", &[]),
            ("PIDR0", &[("PART_0", 7, 0)]),
            ("PIDR1", &[("DES_0", 7, 4), ("PART_1", 3, 0)]),
            ("PIDR2", &[("REVISION", 7, 4), ("JEDEC", 3, 3), ("DES_1", 2, 0)]),
            ("PIDR3", &[("REVAND", 7, 4), ("CMOD", 3, 0)]),
            ("CIDR1", &[("CLASS", 7, 4), ("PREAMBLE", 3, 0)]),
        ]
    };
}

/// PMAUTHSTATUS of a group that shows its authentication.
const AUTHENTICATION: &[(&str, u32, u32)] = &[
    ("SNI", 7, 7),
    ("SNE", 6, 6),
    ("SI", 5, 5),
    ("SE", 4, 4),
    ("NSNI", 3, 3),
    ("NSNE", 2, 2),
    ("NSI", 1, 1),
    ("NSE", 0, 0),
];

/// The interrupts of an L2C-310, from the register header of the Zynq-7000.
const L2C_310_INTERRUPTS: &[(&str, u32, u32)] = &[
    ("DECERR", 8, 8),
    ("SLVERR", 7, 7),
    ("ERRRD", 6, 6),
    ("ERRRT", 5, 5),
    ("ERRWD", 4, 4),
    ("ERRWT", 3, 3),
    ("PARRD", 2, 2),
    ("PARRT", 1, 1),
    ("ECNTR", 0, 0),
];

/// By NuttX, and DDI 0246A for the configuration registers.
const L2C_310: Fields = &[
    (
        "REG0_CACHE_ID",
        &[("IMPLEMENTER", 31, 24), ("CACHE_ID", 15, 10), ("PART", 9, 6), ("RELEASE", 5, 0)],
    ),
    ("REG2_EV_COUNTER_CTRL", &[("RESET_1", 2, 2), ("RESET_0", 1, 1), ("ENABLE", 0, 0)]),
    ("REG2_EV_COUNTER1_CFG", &[("SOURCE", 5, 2), ("INTERRUPT", 1, 0)]),
    ("REG2_EV_COUNTER0_CFG", &[("SOURCE", 5, 2), ("INTERRUPT", 1, 0)]),
    ("REG2_EV_COUNTER1", &[("COUNT", 31, 0)]),
    ("REG2_EV_COUNTER0", &[("COUNT", 31, 0)]),
    ("REG2_INT_MASK", L2C_310_INTERRUPTS),
    ("REG2_INT_MASK_STATUS", L2C_310_INTERRUPTS),
    ("REG2_INT_RAW_STATUS", L2C_310_INTERRUPTS),
    ("REG2_INT_CLEAR", L2C_310_INTERRUPTS),
];

/// The filter by Exception level, from Arm's register pages and Linux.
macro_rules! filter {
    ($($event:expr)?) => {
        &[
            ("P", 31, 31),
            ("U", 30, 30),
            ("NSK", 29, 29),
            ("NSU", 28, 28),
            ("NSH", 27, 27),
            ("M", 26, 26),
            $($event)?
        ]
    };
}

/// A bit for the cycle counter, and one for each event counter.
const EACH_COUNTER: &[(&str, u32, u32)] = &[("C", 31, 31), ("P", LAST, 0)];

/// By Linux and QEMU; PMCR_EL0 by DDI 0500D, PMUSERENR_EL0 by DDI 0595.
macro_rules! pmuv3 {
    ($events:expr, $highest:literal) => {
        &[
            (
                "PMCR_EL0",
                &[
                    ("IMP", 31, 24),
                    ("IDCODE", 23, 16),
                    ("N", 15, 11),
                    ("LC", 6, 6),
                    ("DP", 5, 5),
                    ("X", 4, 4),
                    ("D", 3, 3),
                    ("C", 2, 2),
                    ("P", 1, 1),
                    ("E", 0, 0),
                ],
            ),
            ("PMCNTENSET_EL0", EACH_COUNTER),
            ("PMCNTENCLR_EL0", EACH_COUNTER),
            ("PMOVSCLR_EL0", EACH_COUNTER),
            ("PMSWINC_EL0", &[("P", LAST, 0)]),
            ("PMCEID0_EL0", $events),
            ("PMCEID1_EL0", $events),
            ("PMCCNTR_EL0", &[("COUNT", 63, 0)]),
            ("PMUSERENR_EL0", &[("ER", 3, 3), ("CR", 2, 2), ("SW", 1, 1), ("EN", 0, 0)]),
            ("PMINTENSET_EL1", EACH_COUNTER),
            ("PMINTENCLR_EL1", EACH_COUNTER),
            ("PMOVSSET_EL0", EACH_COUNTER),
            ("PMEVCNTR_EL0", &[("COUNT", 31, 0)]),
            ("PMEVTYPER_EL0", filter!(("EVT_COUNT", $highest, 0))),
            ("PMCCFILTR_EL0", filter!()),
        ]
    };
}

/// The references of a kind of PMU: an IP has the fields of one of them.
fn references(ip: &Ip) -> Vec<Vec<Row>> {
    let rows = |fields: &[Fields]| -> Vec<Row> { fields.concat() };
    match ip.architecture.as_ref().map_or(&*ip.name, |architecture| &architecture.name) {
        "arm11" => vec![rows(&[ARM11])],
        "armv7-pmu" => vec![
            rows(&[armv7!(&[("EVT_COUNT", 7, 0)])]),
            rows(&[armv7!(WITH_FILTER, ("PMOVSSET", &[("C", 31, 31), ("P", LAST, 0)]))]),
        ],
        "arm-pmuv3" => vec![
            rows(&[pmuv3!(&[("EVENTS", 31, 0)], 9)]),
            // PMUv3p1.
            rows(&[pmuv3!(&[("EXTENDED", 63, 32), ("EVENTS", 31, 0)], 15)]),
        ],
        "cci400" => vec![rows(&[CCI400])],
        "cci5xx" => vec![rows(&[CCI500, CCI550]), rows(&[CCI550])],
        "l2c-310" => vec![rows(&[L2C_310])],
        _ if is_group(ip) => vec![rows(&[pmcg!(AUTHENTICATION)]), rows(&[pmcg!(&[])])],
        other => panic!("the fields of {other} are not here"),
    }
}

/// The first register whose fields differ from the reference.
fn difference(ip: &Ip, reference: &[Row]) -> Option<String> {
    let last = ip.counters.count - 1;
    let differs = |register: &&Register| {
        let found: Vec<_> = register
            .named()
            .map(|(bits, field)| (field.name.as_str(), bits.high, bits.low))
            .collect();
        match reference.iter().find(|(name, _)| *name == register.name) {
            Some((_, fields)) => {
                let high = |high| if high == LAST { last } else { high };
                let fields = fields.iter().map(|(name, bit, low)| (*name, high(*bit), *low));
                !fields.eq(found)
            }
            // Identification bytes that are one constant each, or nothing.
            None => {
                let preamble = found == [("PREAMBLE", 7, 0)] && register.name.starts_with("CID");
                let nothing = found.is_empty() && register.name.starts_with("PID");
                !preamble && !nothing
            }
        }
    };
    ip.registers.iter().find(differs).map(|register| register.name.clone())
}

#[test]
fn fields_begin_and_end_where_the_references_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in names(&root).expect("specs") {
        let ip = ip(&name);
        let differences = references(&ip).iter().map(|of| difference(&ip, of)).collect::<Vec<_>>();
        assert!(differences.contains(&None), "{name}: {differences:?}");
        for register in &ip.registers {
            let writable = register.named().any(|(_, field)| field.access.can_write());
            assert_eq!(register.access.can_write(), writable, "{name} {}", register.name);
        }
    }
}
