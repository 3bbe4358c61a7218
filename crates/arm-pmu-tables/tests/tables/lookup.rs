//! Tests that lookup finds every entry by each name and number, and nothing for other texts.

use arm_pmu_tables::{
    Alias, Dialect, EventMatch, FoundBy, IPS, Ip, Matched, Pmu, RegisterMatch, same_name,
};
use proptest::prelude::*;

fn pmu(name: &str) -> Pmu {
    Pmu::find(name).expect(name)
}

/// All PMUs, followed by all IPs without a unit.
fn all() -> impl Iterator<Item = Pmu> {
    let whole = IPS.iter().filter(|ip| !ip.units.is_empty()).map(|ip| Pmu { ip, unit: None });
    Pmu::all().chain(whole)
}

/// Returns the events that a text can mean; for the cycle counter, the name of its register.
fn codes(pmu: Pmu, text: &str) -> Vec<String> {
    let code = |found: EventMatch| match found.what {
        Matched::Event(of, None) => format!("0x{:02X} {}", of.event.code, of.event.name),
        Matched::Event(of, Some(source)) => {
            format!("0x{:02X} {} at {}", of.event.code, of.event.name, source.name)
        }
        Matched::Cycles(counter) => counter.register.to_owned(),
        other => panic!("{other:?}"),
    };
    pmu.find_events(text).map(code).collect()
}

#[test]
fn ips_and_units_are_found_by_name() {
    assert!(IPS.is_sorted_by_key(|ip| ip.name));
    for ip in IPS {
        for name in [ip.name, ip.rust, ip.product] {
            assert_eq!(Ip::find(name).map(|found| found.name), Some(ip.name));
            assert_eq!(Ip::find(&name.to_uppercase()).map(|found| found.name), Some(ip.name));
        }
    }
    for name in ["cortex-a57", "Cortex-A57", "cortex_a57"] {
        assert_eq!(pmu(name).to_string(), "cortex-a72");
    }
    for pmu in all() {
        let name = pmu.to_string();
        assert_eq!(Pmu::find(&name).map(|found| found.to_string()), Some(name));
    }
    assert_eq!(
        pmu("ARM1176").to_string(),
        "arm11:arm1176",
        "a unit is found without the name of its IP"
    );
    for name in ["", ":", "cci400:", "cci400:r2", ":r1", "tcu", "r0", "cci999", "cci400:r1:r1"] {
        assert!(Pmu::find(name).is_none(), "{name}");
    }
    assert!(pmu("cci400").is_ambiguous() && !pmu("cci400:r0").is_ambiguous());
    assert!(!pmu("cci550").is_ambiguous());
}

#[test]
fn events_are_found_by_name_and_alias() {
    for pmu in all() {
        for of in pmu.events() {
            let is_it = |found: &EventMatch| match found.what {
                Matched::Event(found, _) => std::ptr::eq(found.event, of.event),
                _ => false,
            };
            for name in [of.event.name.to_owned(), of.event.name.to_lowercase().replace('_', "-")] {
                let found = pmu.find_events(&name).filter(is_it);
                let by_name = found.filter(|found| matches!(found.by, FoundBy::Name)).count();
                assert_eq!(by_name, 1, "{pmu} {name}");
            }
            for alias in of.event.aliases {
                let is_alias = |found: &EventMatch| match found.by {
                    FoundBy::Alias(by) => std::ptr::eq(by, alias),
                    _ => false,
                };
                let found = pmu.find_events(alias.name).filter(is_it).filter(is_alias).count();
                let unit = pmu.unit.map(|unit| unit.name);
                assert_eq!(found, usize::from(alias.is_of(unit)), "{pmu} {}", alias.name);
            }
        }
    }
}

#[test]
fn events_are_found_by_code_and_id() {
    for pmu in all() {
        for selection in pmu.selections() {
            let of = selection.of;
            let finds = |text: &str, is_source: bool| {
                let is = |found: &EventMatch| match found.what {
                    Matched::Event(event, source) => {
                        std::ptr::eq(event.event, of.event)
                            && (!is_source
                                || source.map(|s| s.id) == selection.source.map(|s| s.id))
                    }
                    _ => false,
                };
                assert!(pmu.find_events(text).any(|found| is(&found)), "{pmu} {selection} {text}");
            };
            finds(&format!("{:#x}", of.event.code), false);
            finds(&of.event.code.to_string(), false);
            finds(&format!("0x{:04X}", selection.id()), selection.source.is_some());
            finds(&selection.to_string(), true);
            finds(&format!("{}:{}", of.group.name, of.event.name), false);
        }
    }
}

#[test]
fn registers_are_found_by_name_and_offset() {
    for ip in IPS {
        let pmu = Pmu { ip, unit: None };
        for register in ip.registers {
            let is = |found: &RegisterMatch| std::ptr::eq(found.register, register);
            for name in register.aliases.iter().chain([&register.name, &register.rust]) {
                let found: Vec<_> = pmu.find_registers(name).collect();
                assert!(matches!(&found[..], [found] if is(found)), "{} {name}", ip.name);
            }
            for field in register.fields {
                for name in field.aliases.iter().chain([&field.name]) {
                    let path = format!("{}.{name}", register.name.to_lowercase());
                    let mut found = pmu.find_registers(&path);
                    let field_found = found.next().and_then(|found| found.field).expect(&path);
                    assert!(std::ptr::eq(field_found, field) && found.next().is_none(), "{path}");
                }
            }
            for element in 0..register.count() {
                let Some(offset) = register.offset(element) else { continue };
                let array = register.count() > 1;
                let found = |text: String| {
                    let found: Vec<_> = pmu.find_registers(&text).filter(is).collect();
                    assert_eq!(found.len(), 1, "{text}");
                    assert_eq!(found[0].element, array.then_some(element), "{text}");
                };
                found(format!("{offset:#x}"));
                if array {
                    found(format!("{}[{element}]", register.name));
                }
            }
            let beyond = format!("{}[{}]", register.name, register.count());
            assert_eq!(pmu.find_registers(&beyond).count(), 0, "{beyond}");
        }
    }
}

#[test]
fn unavailable_metrics_name_an_event() {
    let names: Vec<_> = Pmu::all().flat_map(Pmu::events).map(|of| of.event.name).collect();
    for of in Pmu::all().flat_map(Pmu::unavailable) {
        let mut words =
            of.figure.reason.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        assert!(words.any(|word| names.contains(&word)), "{} {}", of.ip.name, of.figure.name);
    }
}

#[test]
fn paged_registers_are_found_by_unit_base() {
    // Page 1 is at 0x22000 in the TCU, and at 0x12000 in the TBU.
    let found = |name: &str, offset: &str| {
        let found = pmu(name).find_registers(offset);
        let text = |found: RegisterMatch| {
            let unit = found.from_unit.map_or("-", |unit| unit.name);
            format!("{} {:?} {unit}", found.register.name, found.element)
        };
        found.map(text).collect::<Vec<_>>()
    };
    assert_eq!(found("mmu600:tcu", "0x22004"), ["EVCNTR Some(1) tcu"]);
    assert_eq!(found("mmu600:tbu", "0x12004"), ["EVCNTR Some(1) tbu"]);
    assert_eq!(found("mmu600:tbu", "0x22004"), [""; 0]);
    assert_eq!(found("mmu600", "0x22004"), ["EVCNTR Some(1) tcu"]);
    // Both words of a 64-bit register are found by offset and by name.
    assert_eq!(found("mmu600:tcu", "0xE24"), ["CEID0 None -"]);
    assert_eq!(found("mmu600:tcu", "CEID0_HI"), ["CEID0 None -"]);
    assert_eq!(found("mmu600:tcu", "0xE22"), [""; 0], "no word is there");
    assert_eq!(found("arm11:arm1176", "ACCESS_VALIDATION"), ["ACCESS_VALIDATION None -"]);
    assert_eq!(found("arm11:arm1136", "ACCESS_VALIDATION"), [""; 0], "only an ARM1176 has it");
    assert_eq!(found("cci550", "PMCR_LO"), [""; 0], "a register of 32 bits has one word");
}

#[test]
fn metrics_are_found_by_name_and_group() {
    for pmu in all() {
        for of in pmu.metrics() {
            let finds = |text: &str| {
                let found =
                    pmu.find_metrics(text).filter(|found| std::ptr::eq(found.metric, of.metric));
                assert_eq!(found.count(), 1, "{pmu} {text}");
            };
            finds(&of.metric.name.to_lowercase());
            finds(&format!("{}:{}", of.group.name, of.metric.name));
            assert!(of.inputs().flatten().all(|input| pmu.has(input.event.only)), "{pmu}");
        }
    }
    assert_eq!(pmu("cci550").find_metrics("master:SNOOP_HIT_RATE").count(), 0);
}

#[test]
fn ambiguous_names_give_all_meanings() {
    let arm1176 = pmu("arm11:arm1176");
    assert_eq!(
        codes(arm1176, "DCACHE_ACCESS"),
        ["0x09 DATA_CACHE_ACCESS_CACHEABLE", "0x0A DATA_CACHE_ACCESS"]
    );
    assert_eq!(codes(pmu("arm1136"), "dcache-access"), ["0x09 DATA_CACHE_ACCESS_CACHEABLE"]);
    let cortex_a8 = pmu("cortex-a8");
    let cycles = codes(cortex_a8, "CPU_CYCLES");
    let events = cycles.iter().filter(|code| *code == "0x11 CYCLE").count();
    let counters = cycles.iter().filter(|code| *code == "PMCCNTR").count();
    assert_eq!((events, counters, cycles.len()), (2, 2, 4), "{cycles:?}");
    assert_eq!(codes(cortex_a8, "0xFF"), ["PMCCNTR"], "what Linux uses to select the counter");
    assert_eq!(codes(cortex_a8, "cycles"), ["PMCCNTR"]);
    assert_eq!(
        codes(pmu("cci400:r0"), "cycles"),
        ["CYCLE_COUNT"; 2],
        "its own name and Linux's name"
    );
    // gator uses the same name for an event of slave interfaces and an event of master interfaces.
    let both = codes(pmu("cci400:r1"), "CCI-400: Write stall: tracker full");
    assert_eq!(both, ["0x13 WRITE_TRACKER_FULL_STALL", "0x06 WRITE_TRACKER_FULL_STALL"]);
    // The same code occurs in several units and groups.
    assert_eq!(codes(pmu("mmu600"), "0x80").len(), 2);
    assert_eq!(codes(pmu("mmu600:tbu"), "0x80"), ["0x80 MAIN_TLB_LOOKUP"]);
}

#[test]
fn scopes_precede_a_colon() {
    let cci400 = pmu("cci400:r1");
    assert_eq!(codes(cci400, "S3:evict"), ["0x12 EVICT at S3"]);
    assert_eq!(codes(cci400, "S3:si_wrq_hs_evict"), ["0x12 EVICT at S3"]);
    assert_eq!(codes(cci400, "slave:EVICT"), ["0x12 EVICT"]);
    assert_eq!(codes(cci400, "SlaveEvent::Evict"), ["0x12 EVICT"]);
    assert_eq!(codes(cci400, "0x72"), ["0x12 EVICT at S3"]);
    for wrong in ["M1:EVICT", "S5:EVICT", "EVICT:S3", "r0:EVICT", "S3:", "S3", ""] {
        assert_eq!(codes(cci400, wrong), [""; 0], "{wrong}");
    }
    assert_eq!(codes(pmu("cci400"), "r0:EVICT"), ["0x12 EVICT"]);
    assert_eq!(codes(pmu("arm11"), "arm1176:PROCEDURE_CALL"), ["0x23 PROCEDURE_CALL"]);
    assert_eq!(codes(pmu("arm11"), "arm1136:PROCEDURE_CALL"), [""; 0]);
}

#[test]
fn only_numbers_are_parsed_as_numbers() {
    let cci550 = pmu("cci550");
    assert_eq!(codes(cci550, "9").len(), codes(cci550, "0x09").len());
    for text in ["+9", "-9", "0x", "0x+9", "9h", "0x1_0", "4294967296", "0x100000000"] {
        assert_eq!(codes(cci550, text), [""; 0], "{text}");
    }
    // An event id is not wider than its field.
    assert_eq!(codes(cci550, "0x1_0000"), [""; 0]);
    assert_eq!(codes(cci550, "0x269"), [""; 0]);
}

/// `aliases.csv` contains the number of names in each source list. A name counts once for each unit with the event.
#[test]
fn aliases_have_the_number_of_their_sources() {
    let count = |ip: &'static Ip, dialect: Dialect| {
        let of = |pmu: Pmu, aliases: &'static [Alias]| {
            let unit = pmu.unit.map(|unit| unit.name);
            let is = |alias: &&Alias| alias.dialect() == dialect && alias.is_of(unit);
            aliases.iter().filter(is).count()
        };
        let pmus = Pmu::all().filter(|pmu| std::ptr::eq(pmu.ip, ip));
        let counts = pmus.map(|pmu| {
            let cycles = ip.counters.cycles.map_or(0, |counter| of(pmu, counter.aliases));
            cycles + pmu.events().map(|event| of(pmu, event.event.aliases)).sum::<usize>()
        });
        counts.sum::<usize>()
    };
    for line in include_str!("../aliases.csv").lines().skip(1) {
        let [ip, program, names] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let ip = Ip::find(ip).expect(ip);
        let dialect = Dialect::ALL.iter().find(|dialect| dialect.word() == program);
        let found = count(ip, *dialect.expect(program));
        assert_eq!(found.to_string(), names, "{line}");
    }
}

proptest! {
    #[test]
    fn any_text_has_an_answer(text in "[A-Za-z0-9_:.\\[\\]x+-]{0,24}|.{0,40}|0x[0-9A-F]{0,12}") {
        for pmu in all() {
            for found in pmu.find_events(&text) {
                if let (Matched::Event(of, _), FoundBy::Name) = (found.what, found.by) {
                    let name = text.rsplit(':').next().unwrap_or_default();
                    prop_assert!(same_name(name, of.event.name), "{} {}", text, of.event.name);
                }
            }
            for found in pmu.find_registers(&text) {
                prop_assert!(found.element.is_none_or(|n| n < found.register.count()));
            }
            prop_assert!(pmu.find_metrics(&text).all(|of| text.len() >= of.metric.name.len() / 2));
        }
        prop_assert!(Pmu::find(&text).is_none_or(|pmu| !pmu.ip.name.is_empty()));
    }
}
