//! Every event, source, register, finding and metric of the tables is that of the typed crates, and the
//! other way round.

use std::fmt::{Debug, Display};

use arm_pmu::bus::RegisterSpec;
use arm_pmu::event::Event;
use arm_pmu::metric::{About, UnavailableMetric};
use arm_pmu_core::bus::{Operands, Space, SystemRegister};
use arm_pmu_core::diagnose::Finding;
use arm_pmu_tables::{Group, Location, Pmu, Register, Selection};

/// Each PMU: the module of the typed crate, its findings and its lists of figures, if there are some, and its
/// enums of events with those of sources.
macro_rules! pmus {
    ($( $name:literal => $module:path
        $(, findings $finding:path)?
        $(, figures $figures:ident $($unavailable:ident)?)?:
        $( $Event:ident $(of $Source:ident)? ),*; )*
    ) => {
        #[test]
        fn every_pmu_is_compared() {
            let mut compared = [$( $name ),*];
            let mut all: Vec<_> = Pmu::all().map(|pmu| pmu.to_string()).collect();
            compared.sort();
            all.sort();
            assert_eq!(all, compared);
        }

        #[test]
        fn selections_are_those_of_the_typed_crates() {
            $({
                use $module as typed;
                selections::<typed::Selection>(pmu($name));
            })*
        }

        #[test]
        fn events_are_those_of_the_typed_crates() {
            $({
                use $module as typed;
                let groups = [$( events::<typed::$Event>(pmu($name), stringify!($Event)) ),*];
                assert_eq!(pmu($name).groups().count(), groups.len(), "{}", $name);
            })*
        }

        #[test]
        fn sources_are_those_of_the_typed_crates() {
            $($($({
                use $module as typed;
                let group = pmu($name).groups().find(|g| g.rust_source == stringify!($Source));
                let group = group.expect(stringify!($Source));
                let typed = typed::events::$Source::ALL.iter();
                let typed = typed.map(|source| (u32::from(source.id()), source.name()));
                let tables = group.sources.iter().map(|source| (source.id, source.name));
                assert_eq!(typed.collect::<Vec<_>>(), tables.collect::<Vec<_>>(), "{}", $name);
            })?)*)*
        }

        #[test]
        fn findings_are_those_of_the_typed_crates() {
            $({
                let typed: usize = 0 $( + {
                    use $finding as Typed;
                    findings::<Typed>(pmu($name), Typed::ALL.as_ref())
                })?;
                assert_eq!(pmu($name).findings().count(), typed, "{}", $name);
            })*
        }

        #[test]
        fn metrics_are_those_of_the_typed_crates() {
            $({
                #[allow(unused_imports, reason = "an IP need not have metrics")]
                use $module as typed;
                let figures: &[&[About]] = &[$( typed::metrics::$figures )?];
                let unavailable: &[&[UnavailableMetric]] = &[$($( typed::metrics::$unavailable )?)?];
                metrics(pmu($name), &figures.concat(), &unavailable.concat());
            })*
        }
    };
}

pmus! {
    "cortex-a72" => arm_pmu::cortex_a72, findings arm_pmu::cortex_a72::Finding, figures METRICS NOT_COMPUTABLE:
        CortexA72Event;
    "cortex-a55" => arm_pmu::cortex_a55, findings arm_pmu::cortex_a55::Finding, figures METRICS NOT_COMPUTABLE:
        CortexA55Event;
    "arm11:arm1136" => arm_pmu::arm11::arm1136, findings arm_pmu::arm11::arm1136::Finding, figures METRICS NOT_COMPUTABLE:
        Arm1136Event;
    "arm11:arm1156" => arm_pmu::arm11::arm1156, findings arm_pmu::arm11::arm1156::Finding, figures METRICS NOT_COMPUTABLE:
        Arm1156Event;
    "arm11:arm1176" => arm_pmu::arm11::arm1176, findings arm_pmu::arm11::arm1176::Finding, figures METRICS NOT_COMPUTABLE:
        Arm1176Event;
    "cci400:r1" => arm_pmu::cci400, findings arm_pmu::cci400::Finding, figures METRICS NOT_COMPUTABLE:
        SlaveEvent of SlaveSource, MasterEvent of MasterSource;
    "cci400:r0" => arm_pmu::cci400::r0, findings arm_pmu::cci400::Finding, figures METRICS NOT_COMPUTABLE:
        SlaveEvent of SlaveSource, MasterEvent of MasterSource;
    "cci500" => arm_pmu::cci500, findings arm_pmu::cci500::Finding, figures METRICS NOT_COMPUTABLE:
        SlaveEvent of SlaveSource, MasterEvent of MasterSource, GlobalEvent of GlobalSource;
    "cci550" => arm_pmu::cci550, findings arm_pmu::cci550::Finding, figures METRICS NOT_COMPUTABLE:
        SlaveEvent of SlaveSource, MasterEvent of MasterSource, GlobalEvent of GlobalSource;
    "cortex-a53" => arm_pmu::cortex_a53, findings arm_pmu::cortex_a53::Finding, figures METRICS NOT_COMPUTABLE:
        CortexA53Event;
    "cortex-a7" => arm_pmu::cortex_a7, findings arm_pmu::cortex_a7::Finding, figures METRICS NOT_COMPUTABLE:
        CortexA7Event;
    "cortex-a8" => arm_pmu::cortex_a8, findings arm_pmu::cortex_a8::Finding, figures METRICS NOT_COMPUTABLE:
        CortexA8Event;
    "cortex-a9" => arm_pmu::cortex_a9, findings arm_pmu::cortex_a9::Finding, figures METRICS NOT_COMPUTABLE:
        CortexA9Event;
    "l2c-310" => arm_pmu::l2c_310, findings arm_pmu::l2c_310::Finding, figures METRICS NOT_COMPUTABLE:
        L2c310Event;
    "mmu600:tcu" => arm_pmu::mmu600::tcu, findings arm_pmu::mmu600::Finding, figures METRICS:
        TcuEvent;
    "mmu600:tbu" => arm_pmu::mmu600::tbu, findings arm_pmu::mmu600::Finding, figures METRICS NOT_COMPUTABLE:
        TbuEvent;
    "mmu700:tcu" => arm_pmu::mmu700::tcu, findings arm_pmu::mmu700::Finding, figures METRICS:
        TcuEvent;
    "mmu700:tbu" => arm_pmu::mmu700::tbu, findings arm_pmu::mmu700::Finding, figures METRICS NOT_COMPUTABLE:
        TbuEvent;
}

fn pmu(name: &str) -> Pmu {
    Pmu::find(name).expect(name)
}

/// Of all ids that there can be.
fn selections<S: TryFrom<u16> + Display>(pmu: Pmu) {
    let tables: Vec<Selection> = pmu.selections().collect();
    let mut listed = 0;
    for id in 0..=u16::MAX {
        let of_tables = tables.iter().filter(|selection| selection.id() == u32::from(id));
        let of_tables: Vec<_> = of_tables.map(ToString::to_string).collect();
        let typed: Vec<_> = S::try_from(id).ok().map(|s| s.to_string()).into_iter().collect();
        assert_eq!(of_tables, typed, "{pmu} {id:#x}");
        listed += typed.len();
    }
    assert_eq!(tables.len(), listed);
    let width = pmu.ip.counters.id.width();
    assert!(tables.iter().all(|selection| selection.id() >> width == 0));
}

#[test]
fn bits_of_evntbus_are_those_of_the_typed_crates() {
    for selection in pmu("cci400:r1").selections() {
        let id = u16::try_from(selection.id()).expect("an id");
        let typed = arm_pmu::cci400::Selection::from_id(id).expect("an event");
        assert_eq!(selection.evntbus(), typed.evntbus().map(u32::from), "{selection}");
        assert!(selection.evntbus().is_some(), "{selection}");
    }
    for selection in pmu("cci400:r0").selections().chain(pmu("cci500").selections()) {
        assert_eq!(selection.evntbus(), None, "{selection}");
    }
}

fn group_of(pmu: Pmu, rust: &str) -> &'static Group {
    let own = pmu.unit.and_then(|unit| unit.rust_events);
    let is = |group: &&Group| own.filter(|_| group.rust.is_empty()).unwrap_or(group.rust) == rust;
    pmu.groups().find(is).expect(rust)
}

fn events<E: Event>(pmu: Pmu, rust: &str) {
    let group = group_of(pmu, rust);
    let events: Vec<_> = group.events.iter().filter(|event| pmu.has(event.only)).collect();
    assert_eq!(events.len(), E::ALL.len());
    for (of_tables, typed) in events.iter().zip(E::ALL) {
        let name = of_tables.name;
        assert_eq!(of_tables.code, u32::from(typed.code()), "{name}");
        assert_eq!(name, typed.name());
        assert_eq!(of_tables.doc, typed.summary());
        assert_eq!(of_tables.counted.word(), typed.unit().to_string(), "{name}");
        assert_eq!(of_tables.evntbus, typed.evntbus().map(u32::from), "{name}");
        // The derived `Debug` gives the variant.
        assert_eq!(of_tables.rust, format!("{typed:?}"));
        let flags = [
            (of_tables.secure_exempt, typed.secure_exempt()),
            (of_tables.ace_only, typed.ace_only()),
            (of_tables.never_fires, typed.never_fires()),
            (of_tables.filterable, typed.filterable()),
            (of_tables.secure_only, typed.secure_only()),
            (of_tables.architectural, typed.architectural()),
        ];
        assert!(flags.iter().all(|(table, typed)| table == typed), "{name}: {flags:?}");
    }
}

/// How many there are.
fn findings<F: Finding + Debug>(pmu: Pmu, typed: &[F]) -> usize {
    let of_tables: Vec<_> = pmu.findings().collect();
    assert_eq!(of_tables.len(), typed.len(), "{pmu}");
    for (of_tables, typed) in of_tables.iter().zip(typed) {
        assert_eq!(of_tables.rust, format!("{typed:?}"));
        assert_eq!(of_tables.name, typed.name());
        assert_eq!(of_tables.cause, typed.to_string());
        assert_eq!((of_tables.read, of_tables.expected), (typed.read(), typed.expected()));
        assert_eq!(of_tables.fix, typed.fix());
        assert_eq!(of_tables.ambiguous, typed.is_ambiguous());
        let party = format!("{:?}", typed.fixable_by());
        assert_eq!(format!("{:?}", of_tables.fixable_by), party, "{}", of_tables.name);
    }
    typed.len()
}

fn metrics(pmu: Pmu, typed: &[About], unavailable: &[UnavailableMetric]) {
    let of_tables: Vec<_> = pmu.metrics().collect();
    assert_eq!(of_tables.len(), typed.len(), "{pmu}");
    for (of_tables, typed) in of_tables.iter().zip(typed) {
        let metric = of_tables.metric;
        assert_eq!(metric.name, typed.name);
        assert_eq!(metric.measure.word(), typed.unit.to_string());
        assert_eq!((metric.formula, metric.doc), (typed.formula, typed.doc));
        assert_eq!(metric.caveat.unwrap_or(""), typed.caveat);
    }
    let of_tables: Vec<_> =
        pmu.unavailable().map(|of| (of.figure.name, of.figure.reason)).collect();
    let typed: Vec<_> = unavailable.iter().map(|none| (none.name, none.reason)).collect();
    assert_eq!(of_tables, typed, "{pmu}");
}

/// The register whose word has this module, and whether that is the high word.
fn word(ip: &str, module: &str) -> (&'static Register, bool) {
    let registers = pmu(ip).ip.registers;
    if let Some(register) = registers.iter().find(|register| register.rust == module) {
        return (register, false);
    }
    let low = module.replace("_hi", "_lo");
    (registers.iter().find(|register| register.rust == low).expect(module), true)
}

fn in_memory<R: RegisterSpec<Space: Space<Key = usize>>>(ip: &str, module: &str) -> &'static str {
    let (register, high) = word(ip, module);
    let Location::Memory { offset, count, stride, .. } = register.location else {
        panic!("{module} is not in memory")
    };
    let of_tables = [offset + if high { 4 } else { 0 }, count, stride].map(|n| n as usize);
    let typed = R::LOCATION;
    assert_eq!(of_tables, [typed.key(), typed.count(), typed.stride()], "{ip}: {module}");
    register.name
}

fn in_cp15<R: RegisterSpec<Space: Space<Key = Operands>>>(ip: &str, module: &str) -> &'static str {
    let (register, _) = word(ip, module);
    let Location::Cp15 { operands, .. } = register.location else {
        panic!("{module} is not in CP15")
    };
    let Operands { opc1, crn, crm, opc2 } = R::LOCATION.key();
    let typed = [opc1, crn, crm, opc2].map(u32::from);
    assert_eq!([operands.opc1, operands.crn, operands.crm, operands.opc2], typed, "{module}");
    register.name
}

fn in_system<R: RegisterSpec<Space: Space<Key = SystemRegister>>>(
    ip: &str,
    module: &str,
) -> &'static str {
    let (of_table, _) = word(ip, module);
    let Location::System { register, count } = of_table.location else {
        panic!("{module} is no system register")
    };
    let SystemRegister { op0, op1, crn, crm, op2 } = R::LOCATION.key();
    let typed = [op0, op1, crn, crm, op2].map(u32::from);
    let of_tables = [register.op0, register.op1, register.crn, register.crm, register.op2];
    assert_eq!(of_tables, typed, "{module}");
    // The type of an architecture has the counters of every core.
    assert!(count as usize <= R::LOCATION.count(), "{module}");
    of_table.name
}

/// Each IP: where its registers are, and the module and type of each.
macro_rules! registers {
    ($( $ip:literal $place:ident $path:path: $( $module:ident $Spec:ident ),*; )*) => {
        #[test]
        fn registers_are_where_those_of_the_typed_crates_are() {
            let mut seen = Vec::new();
            $({
                use $path as typed;
                let mut names = vec![
                    $( $place::<typed::$module::$Spec>($ip, stringify!($module)) ),*
                ];
                let all: Vec<_> = pmu($ip).registers().map(|register| register.name).collect();
                names.sort_by_key(|name| all.iter().position(|known| known == name));
                // Both words of 64 bits have the name of the register.
                names.dedup();
                assert_eq!(names, all, "{}", $ip);
                seen.push(pmu($ip).ip.name);
            })*
            seen.sort();
            seen.dedup();
            assert!(seen.into_iter().eq(arm_pmu_tables::IPS.iter().map(|ip| ip.name)));
        }
    };
}

registers! {
    "cortex-a72" in_system arm_pmu::cortex_a72::registers:
        pmcr_el0 PmcrEl0Spec, pmcntenset_el0 PmcntensetEl0Spec, pmcntenclr_el0 PmcntenclrEl0Spec,
        pmovsclr_el0 PmovsclrEl0Spec, pmswinc_el0 PmswincEl0Spec, pmceid0_el0 Pmceid0El0Spec,
        pmceid1_el0 Pmceid1El0Spec, pmccntr_el0 PmccntrEl0Spec, pmuserenr_el0 PmuserenrEl0Spec,
        pmintenset_el1 PmintensetEl1Spec, pmintenclr_el1 PmintenclrEl1Spec,
        pmovsset_el0 PmovssetEl0Spec, pmevcntr_el0 PmevcntrEl0Spec,
        pmevtyper_el0 PmevtyperEl0Spec, pmccfiltr_el0 PmccfiltrEl0Spec;
    "cortex-a55" in_system arm_pmu::cortex_a55::registers:
        pmcr_el0 PmcrEl0Spec, pmcntenset_el0 PmcntensetEl0Spec, pmcntenclr_el0 PmcntenclrEl0Spec,
        pmovsclr_el0 PmovsclrEl0Spec, pmswinc_el0 PmswincEl0Spec, pmceid0_el0 Pmceid0El0Spec,
        pmceid1_el0 Pmceid1El0Spec, pmccntr_el0 PmccntrEl0Spec, pmuserenr_el0 PmuserenrEl0Spec,
        pmintenset_el1 PmintensetEl1Spec, pmintenclr_el1 PmintenclrEl1Spec,
        pmovsset_el0 PmovssetEl0Spec, pmevcntr_el0 PmevcntrEl0Spec,
        pmevtyper_el0 PmevtyperEl0Spec, pmccfiltr_el0 PmccfiltrEl0Spec;
    "arm11:arm1136" in_cp15 arm_pmu::arm11::arm1136::registers:
        pmnc PmncSpec, ccnt CcntSpec, pmn0 Pmn0Spec, pmn1 Pmn1Spec;
    "arm11:arm1156" in_cp15 arm_pmu::arm11::arm1156::registers:
        pmnc PmncSpec, ccnt CcntSpec, pmn0 Pmn0Spec, pmn1 Pmn1Spec;
    "arm11:arm1176" in_cp15 arm_pmu::arm11::arm1176::registers:
        pmnc PmncSpec, ccnt CcntSpec, pmn0 Pmn0Spec, pmn1 Pmn1Spec,
        access_validation AccessValidationSpec;
    "cci400" in_memory arm_pmu::cci400::registers:
        secure_access SecureAccessSpec, pmcr PmcrSpec, pid4 Pid4Spec, pid5 Pid5Spec, pid6 Pid6Spec,
        pid7 Pid7Spec, pid0 Pid0Spec, pid1 Pid1Spec, pid2 Pid2Spec, pid3 Pid3Spec, cid0 Cid0Spec,
        cid1 Cid1Spec, cid2 Cid2Spec, cid3 Cid3Spec, cycle_count CycleCountSpec,
        cycle_count_control CycleCountControlSpec, cycle_overflow_status CycleOverflowStatusSpec,
        event_select EventSelectSpec, event_count EventCountSpec, count_control CountControlSpec,
        overflow_status OverflowStatusSpec;
    "cci500" in_memory arm_pmu::cci500::registers:
        pmcr PmcrSpec, interface_monitor_control InterfaceMonitorControlSpec, pid4 Pid4Spec,
        pid5 Pid5Spec, pid6 Pid6Spec, pid7 Pid7Spec, pid0 Pid0Spec, pid1 Pid1Spec, pid2 Pid2Spec,
        pid3 Pid3Spec, cid0 Cid0Spec, cid1 Cid1Spec, cid2 Cid2Spec, cid3 Cid3Spec,
        event_select EventSelectSpec, event_count EventCountSpec, count_control CountControlSpec,
        overflow_status OverflowStatusSpec, slave_monitor SlaveMonitorSpec,
        secure_access SecureAccessSpec, master_monitor MasterMonitorSpec;
    "cci550" in_memory arm_pmu::cci550::registers:
        pmcr PmcrSpec, interface_monitor_control InterfaceMonitorControlSpec, pid4 Pid4Spec,
        pid5 Pid5Spec, pid6 Pid6Spec, pid7 Pid7Spec, pid0 Pid0Spec, pid1 Pid1Spec, pid2 Pid2Spec,
        pid3 Pid3Spec, cid0 Cid0Spec, cid1 Cid1Spec, cid2 Cid2Spec, cid3 Cid3Spec,
        event_select EventSelectSpec, event_count EventCountSpec, count_control CountControlSpec,
        overflow_status OverflowStatusSpec, slave_monitor SlaveMonitorSpec,
        secure_access SecureAccessSpec, master_monitor MasterMonitorSpec;
    "cortex-a53" in_system arm_pmu::cortex_a53::registers:
        pmcr_el0 PmcrEl0Spec, pmcntenset_el0 PmcntensetEl0Spec, pmcntenclr_el0 PmcntenclrEl0Spec,
        pmovsclr_el0 PmovsclrEl0Spec, pmswinc_el0 PmswincEl0Spec, pmceid0_el0 Pmceid0El0Spec,
        pmceid1_el0 Pmceid1El0Spec, pmccntr_el0 PmccntrEl0Spec, pmuserenr_el0 PmuserenrEl0Spec,
        pmintenset_el1 PmintensetEl1Spec, pmintenclr_el1 PmintenclrEl1Spec,
        pmovsset_el0 PmovssetEl0Spec, pmevcntr_el0 PmevcntrEl0Spec,
        pmevtyper_el0 PmevtyperEl0Spec, pmccfiltr_el0 PmccfiltrEl0Spec;
    "cortex-a7" in_cp15 arm_pmu::cortex_a7::registers:
        pmcr PmcrSpec, pmcntenset PmcntensetSpec, pmcntenclr PmcntenclrSpec, pmovsr PmovsrSpec,
        pmswinc PmswincSpec, pmselr PmselrSpec, pmccntr PmccntrSpec, pmxevtyper PmxevtyperSpec,
        pmxevcntr PmxevcntrSpec, pmuserenr PmuserenrSpec, pmintenset PmintensetSpec,
        pmintenclr PmintenclrSpec, pmovsset PmovssetSpec;
    "cortex-a8" in_cp15 arm_pmu::cortex_a8::registers:
        pmcr PmcrSpec, pmcntenset PmcntensetSpec, pmcntenclr PmcntenclrSpec, pmovsr PmovsrSpec,
        pmswinc PmswincSpec, pmselr PmselrSpec, pmccntr PmccntrSpec, pmxevtyper PmxevtyperSpec,
        pmxevcntr PmxevcntrSpec, pmuserenr PmuserenrSpec, pmintenset PmintensetSpec,
        pmintenclr PmintenclrSpec;
    "cortex-a9" in_cp15 arm_pmu::cortex_a9::registers:
        pmcr PmcrSpec, pmcntenset PmcntensetSpec, pmcntenclr PmcntenclrSpec, pmovsr PmovsrSpec,
        pmswinc PmswincSpec, pmselr PmselrSpec, pmccntr PmccntrSpec, pmxevtyper PmxevtyperSpec,
        pmxevcntr PmxevcntrSpec, pmuserenr PmuserenrSpec, pmintenset PmintensetSpec,
        pmintenclr PmintenclrSpec;
    "l2c-310" in_memory arm_pmu::l2c_310::registers:
        reg0_cache_id Reg0CacheIdSpec, reg2_ev_counter_ctrl Reg2EvCounterCtrlSpec,
        reg2_ev_counter1_cfg Reg2EvCounter1CfgSpec, reg2_ev_counter0_cfg Reg2EvCounter0CfgSpec,
        reg2_ev_counter1 Reg2EvCounter1Spec, reg2_ev_counter0 Reg2EvCounter0Spec,
        reg2_int_mask Reg2IntMaskSpec, reg2_int_mask_status Reg2IntMaskStatusSpec,
        reg2_int_raw_status Reg2IntRawStatusSpec, reg2_int_clear Reg2IntClearSpec;
    "mmu600" in_memory arm_pmu::mmu600::registers:
        evcntr EvcntrSpec, evtyper EvtyperSpec, svr SvrSpec, smr0 Smr0Spec,
        cntenset0_lo Cntenset0LoSpec, cntenclr0_lo Cntenclr0LoSpec, intenset0_lo Intenset0LoSpec,
        intenclr0_lo Intenclr0LoSpec, ovsclr0_lo Ovsclr0LoSpec, ovsset0_lo Ovsset0LoSpec,
        capr CaprSpec, scr ScrSpec, cfgr CfgrSpec, cr CrSpec, ceid0_lo Ceid0LoSpec,
        ceid0_hi Ceid0HiSpec, ceid1_lo Ceid1LoSpec, ceid1_hi Ceid1HiSpec, irq_ctrl IrqCtrlSpec,
        irq_ctrlack IrqCtrlackSpec, aidr AidrSpec, pmauthstatus PmauthstatusSpec,
        pmdevarch PmdevarchSpec, pmdevtype PmdevtypeSpec, pidr4 Pidr4Spec, pidr5 Pidr5Spec,
        pidr6 Pidr6Spec, pidr7 Pidr7Spec, pidr0 Pidr0Spec, pidr1 Pidr1Spec, pidr2 Pidr2Spec,
        pidr3 Pidr3Spec, cidr0 Cidr0Spec, cidr1 Cidr1Spec, cidr2 Cidr2Spec, cidr3 Cidr3Spec;
    "mmu700" in_memory arm_pmu::mmu700::registers:
        evcntr EvcntrSpec, evtyper EvtyperSpec, svr SvrSpec, smr0 Smr0Spec,
        cntenset0_lo Cntenset0LoSpec, cntenclr0_lo Cntenclr0LoSpec, intenset0_lo Intenset0LoSpec,
        intenclr0_lo Intenclr0LoSpec, ovsclr0_lo Ovsclr0LoSpec, ovsset0_lo Ovsset0LoSpec,
        capr CaprSpec, scr ScrSpec, cfgr CfgrSpec, cr CrSpec, ceid0_lo Ceid0LoSpec,
        ceid0_hi Ceid0HiSpec, ceid1_lo Ceid1LoSpec, ceid1_hi Ceid1HiSpec, irq_ctrl IrqCtrlSpec,
        irq_ctrlack IrqCtrlackSpec, aidr AidrSpec, pmauthstatus PmauthstatusSpec,
        pmdevarch PmdevarchSpec, pmdevtype PmdevtypeSpec, pidr4 Pidr4Spec, pidr5 Pidr5Spec,
        pidr6 Pidr6Spec, pidr7 Pidr7Spec, pidr0 Pidr0Spec, pidr1 Pidr1Spec, pidr2 Pidr2Spec,
        pidr3 Pidr3Spec, cidr0 Cidr0Spec, cidr1 Cidr1Spec, cidr2 Cidr2Spec, cidr3 Cidr3Spec;
}
