//! Start and end of the fields of every register.

use super::ip;
use crate::generate::emit::pmcg::is_group;
use crate::generate::load::names;
use crate::generate::model::{Ip, Register};
use crate::tests::root;

/// Fields of registers, typed a second time from the manuals, because the masks of the simulated devices do not show
/// where a field ends. Each line names one or more registers, and then the fields that each of them has; `N` stands for
/// the number of the last event counter.
type Fields = &'static str;

const ARM11: Fields = "
ACCESS_VALIDATION V:0
PMNC FCC:30 FC1:29 FC0:28 EvtCount0:27-20 EvtCount1:19-12 X:11 OCC:10 OC1:9 OC0:8 ECC:6 EC1:5 EC0:4 D:3 C:2 P:1 E:0
CCNT,PMN0,PMN1 COUNT:31-0
";

/// Fields of the registers of an ARMv7 PMU, in both versions (PMUv1 and PMUv2).
const ARMV7: Fields = "
PMCR IMP:31-24 IDCODE:23-16 N:15-11 DP:5 X:4 D:3 C:2 P:1 E:0
PMCNTENSET,PMCNTENCLR,PMOVSR,PMINTENSET,PMINTENCLR C:31 P:N-0
PMSWINC P:N-0
PMSELR SEL:4-0
PMCCNTR,PMXEVCNTR COUNT:31-0
PMUSERENR EN:0
";

const ARMV7_1: Fields = "
PMXEVTYPER EVT_COUNT:7-0
";

/// Fields of version 2, as in Linux and QEMU.
const ARMV7_2: Fields = "
PMXEVTYPER P:31 U:30 NSK:29 NSU:28 NSH:27 EVT_COUNT:7-0
PMOVSSET C:31 P:N-0
";

const CCI400: Fields = "
SECURE_ACCESS NON_SECURE_REGISTER_ACCESS_OVERRIDE:0
PMCR PMU_CNT_NUM:15-11 DP:5 EX:4 CCD:3 CCR:2 RST:1 CEN:0
EVENT_SELECT SOURCE:7-5 EVENT:4-0
CYCLE_COUNT COUNT:31-0
CYCLE_COUNT_CONTROL ENABLE:0
CYCLE_OVERFLOW_STATUS FLAG:0
";

/// All CCIs.
const CCI: Fields = "
PID4 SIZE:7-4 DES_2:3-0
PID0 PART_0:7-0
PID1 DES_0:7-4 PART_1:3-0
PID2 REVISION:7-4 JEDEC:3 DES_1:2-0
PID3 REVAND:7-4 CMOD:3-0
EVENT_COUNT COUNT:31-0
COUNT_CONTROL ENABLE:0
OVERFLOW_STATUS FLAG:0
";

const CCI500: Fields = "
SECURE_ACCESS DEBUG_MONITOR_SECURITY_OVERRIDE:1 NON_SECURE_REGISTER_ACCESS_OVERRIDE:0
";

const CCI550: Fields = "
SECURE_ACCESS SECURE_OBSERVATION_OVERRIDE:2 DEBUG_MONITOR_SECURITY_OVERRIDE:1 NON_SECURE_REGISTER_ACCESS_OVERRIDE:0
";

const CCI5XX: Fields = "
PMCR PMU_CNT_NUM:15-11 EX:4 RST:1 CEN:0
INTERFACE_MONITOR_CONTROL ENABLE:0
EVENT_SELECT SOURCE:8-5 EVENT:4-0
SLAVE_MONITOR OUTSTANDING_SNOOPS:31-24 OUTSTANDING_WRITES:23-16 OUTSTANDING_READS:15-8 STALLED_CD_CHANNEL:7 \
     STALLED_CR_CHANNEL:6 STALLED_AC_CHANNEL:5 STALLED_B_CHANNEL:4 STALLED_W_CHANNEL:3 STALLED_AW_CHANNEL:2 \
     STALLED_R_CHANNEL:1 STALLED_AR_CHANNEL:0
MASTER_MONITOR OUTSTANDING_WRITES:23-16 OUTSTANDING_READS:15-8 STALLED_B_CHANNEL:4 STALLED_W_CHANNEL:3 \
     STALLED_AW_CHANNEL:2 STALLED_R_CHANNEL:1 STALLED_AR_CHANNEL:0
";

const PMCG: Fields = "
EVCNTR COUNTER_VALUE:31-0
EVTYPER OVFCAP:31 FILTER_SEC_SID:30 FILTER_SID_SPAN:29 EVENT:15-0
SVR SHADOW_COUNTER_VALUE:31-0
SMR0 STREAMID:31-0
CNTENSET0,CNTENCLR0 CNTEN:N-0
INTENSET0,INTENCLR0 INTEN:N-0
OVSCLR0,OVSSET0 OVS:N-0
CAPR CAPTURE:0
SCR READS_AS_ONE:31 NSRA:1 SO:0
CFGR SID_FILTER_TYPE:23 CAPTURE:22 MSI:21 RELOC_CTRS:20 SIZE:13-8 NCTR:5-0
CR E:0
CEID0 EVENTS_63_TO_32:63-32 EVENTS_31_TO_0:31-0
CEID1 EVENTS_127_TO_96:63-32 EVENTS_95_TO_64:31-0
IRQ_CTRL,IRQ_CTRLACK IRQEN:0
AIDR ARCH_MAJOR_REV:7-4 ARCH_MINOR_REV:3-0
PMDEVARCH ARCHITECT:31-21 PRESENT:20 REVISION:19-16 ARCHID:15-0
PMDEVTYPE SUB_TYPE:7-4 CLASS:3-0
PIDR4 SIZE:7-4 DES_2:3-0
PIDR0 PART_0:7-0
PIDR1 DES_0:7-4 PART_1:3-0
PIDR2 REVISION:7-4 JEDEC:3 DES_1:2-0
PIDR3 REVAND:7-4 CMOD:3-0
CIDR1 CLASS:7-4 PREAMBLE:3-0
";

/// Field of a PMCG with an authentication interface.
const AUTHENTICATION: Fields = "
PMAUTHSTATUS SNI:7 SNE:6 SI:5 SE:4 NSNI:3 NSNE:2 NSI:1 NSE:0
";

const NO_AUTHENTICATION: Fields = "
PMAUTHSTATUS
";

/// Sources: NuttX; DDI 0246A for the configuration registers; the register header of the Zynq-7000 for the
/// interrupts.
const L2C_310: Fields = "
REG0_CACHE_ID IMPLEMENTER:31-24 CACHE_ID:15-10 PART:9-6 RELEASE:5-0
REG2_EV_COUNTER_CTRL RESET_1:2 RESET_0:1 ENABLE:0
REG2_EV_COUNTER1_CFG,REG2_EV_COUNTER0_CFG SOURCE:5-2 INTERRUPT:1-0
REG2_EV_COUNTER1,REG2_EV_COUNTER0 COUNT:31-0
REG2_INT_MASK,REG2_INT_MASK_STATUS,REG2_INT_RAW_STATUS,REG2_INT_CLEAR DECERR:8 SLVERR:7 ERRRD:6 ERRRT:5 ERRWD:4 ERRWT:3 PARRD:2 PARRT:1 ECNTR:0
";

/// Sources: Linux and QEMU; DDI 0500D for PMCR_EL0; DDI 0595 for PMUSERENR_EL0.
const PMUV3: Fields = "
PMCR_EL0 IMP:31-24 IDCODE:23-16 N:15-11 LC:6 DP:5 X:4 D:3 C:2 P:1 E:0
PMCNTENSET_EL0,PMCNTENCLR_EL0,PMOVSCLR_EL0,PMINTENSET_EL1,PMINTENCLR_EL1,PMOVSSET_EL0 C:31 P:N-0
PMSWINC_EL0 P:N-0
PMCCNTR_EL0 COUNT:63-0
PMUSERENR_EL0 ER:3 CR:2 SW:1 EN:0
PMEVCNTR_EL0 COUNT:31-0
PMCCFILTR_EL0 P:31 U:30 NSK:29 NSU:28 NSH:27 M:26
";

/// The filter by Exception level is from Arm's register pages and Linux.
const PMUV3_0: Fields = "
PMCEID0_EL0,PMCEID1_EL0 EVENTS:31-0
PMEVTYPER_EL0 P:31 U:30 NSK:29 NSU:28 NSH:27 M:26 EVT_COUNT:9-0
";

const PMUV3_1: Fields = "
PMCEID0_EL0,PMCEID1_EL0 EXTENDED:63-32 EVENTS:31-0
PMEVTYPER_EL0 P:31 U:30 NSK:29 NSU:28 NSH:27 M:26 EVT_COUNT:15-0
";

const PMUV3_4: Fields = "
PMMIR_EL1 THWIDTH:23-20 BUS_WIDTH:19-16 BUS_SLOTS:15-8 SLOTS:7-0
";

const PMUV3_5: Fields = "
PMCR_EL0 IMP:31-24 IDCODE:23-16 N:15-11 LP:7 LC:6 DP:5 X:4 D:3 C:2 P:1 E:0
PMEVCNTR_EL0 COUNT:63-0
";

const PMUV3_7: Fields = "
PMCR_EL0 IMP:31-24 IDCODE:23-16 N:15-11 FZO:9 LP:7 LC:6 DP:5 X:4 D:3 C:2 P:1 E:0
PMEVTYPER_EL0 TC:63-61 TH:43-32 P:31 U:30 NSK:29 NSU:28 NSH:27 M:26 EVT_COUNT:15-0
";

/// Sources: 107721_0001, the manual of the DSU-120AE, and Linux for the cycle counter.
const DSU: Fields = "
CLUSTERPMCR_EL1 IMP:31-24 IDCODE:23-16 N:15-11 FZO:9 E:0
CLUSTERPMCNTENSET_EL1,CLUSTERPMCNTENCLR_EL1,CLUSTERPMOVSSET_EL1,CLUSTERPMOVSCLR_EL1,CLUSTERPMINTENSET_EL1,CLUSTERPMINTENCLR_EL1 C:31 P:N-0
CLUSTERPMSELR_EL1 SEL:4-0
CLUSTERPMCCNTR_EL1,CLUSTERPMXEVCNTR_EL1 COUNT:63-0
CLUSTERPMXEVTYPER_EL1 EVT_COUNT:15-0
CLUSTERPMMDCR_EL3 EPMAD:1 SPME:0
CLUSTERPMCEID0_EL1 SECOND:63-32 EVENTS:31-0
CLUSTERPMCEID1_EL1 EVENTS:31-0
";

/// Returns the references for a kind of PMU. The fields of an IP must match one of them.
fn references(ip: &Ip) -> Vec<Vec<Fields>> {
    match ip.architecture.as_ref().map_or(&*ip.name, |architecture| &architecture.name) {
        "arm11" => vec![vec![ARM11]],
        "armv7-pmu" => vec![vec![ARMV7, ARMV7_1], vec![ARMV7, ARMV7_2]],
        // If several maps have a row for a register, the row of the first map applies.
        "arm-pmuv3" => vec![
            vec![PMUV3, PMUV3_0],
            vec![PMUV3, PMUV3_1],
            vec![PMUV3_4, PMUV3_1, PMUV3],
            vec![PMUV3_5, PMUV3_4, PMUV3_1, PMUV3],
            vec![PMUV3_7, PMUV3_5, PMUV3_4, PMUV3_1, PMUV3],
        ],
        "cci400" => vec![vec![CCI, CCI400]],
        "cci5xx" => vec![vec![CCI, CCI5XX, CCI500], vec![CCI, CCI5XX, CCI550]],
        "dsu" => vec![vec![DSU]],
        "l2c-310" => vec![vec![L2C_310]],
        _ if is_group(ip) => vec![vec![PMCG, AUTHENTICATION], vec![PMCG, NO_AUTHENTICATION]],
        other => panic!("this file has no fields for {other}"),
    }
}

/// Returns the first register whose fields differ from the reference.
fn difference(ip: &Ip, reference: &[Fields]) -> Option<String> {
    let last = format!(":{}-", ip.counters.count - 1);
    let rows: Vec<_> = reference.iter().flat_map(|rows| rows.lines()).collect();
    let differs = |register: &&Register| {
        let found = register.named().map(|(bits, field)| {
            let low = if bits.low == bits.high { "".into() } else { format!("-{}", bits.low) };
            format!("{}:{}{low}", field.name, bits.high)
        });
        let found = found.collect::<Vec<_>>().join(" ");
        let rows = rows.iter().map(|row| row.split_once(' ').unwrap_or((row, "")));
        match rows.clone().find(|(names, _)| names.split(',').any(|name| name == register.name)) {
            Some((_, fields)) => fields.replace(":N-", &last) != found,
            // Identification registers need no row: a CID has one constant, and a PID has no field.
            None if register.name.starts_with("CID") => found != "PREAMBLE:7-0",
            None => !(register.name.starts_with("PID") && found.is_empty()),
        }
    };
    ip.registers.iter().find(differs).map(|register| register.name.clone())
}

#[test]
fn fields_begin_and_end_where_the_references_say() {
    for name in names(root()).expect("specs") {
        let ip = ip(&name);
        let differences = references(ip).iter().map(|of| difference(ip, of)).collect::<Vec<_>>();
        assert!(differences.contains(&None), "{name}: {differences:?}");
        for register in &ip.registers {
            let writable = register.named().any(|(_, field)| field.access.can_write());
            assert_eq!(register.access.can_write(), writable, "{name} {}", register.name);
        }
    }
}
