//! Tests of the consistency of the tables.

use arm_pmu_core::metric::Term;
use arm_pmu_tables::{Expression, IPS, Input, Location, Metric, Pmu};

/// Writes an expression as a formula, with parentheses where an operator binds less tightly than `least`.
fn written(metric: &Metric, expression: &Expression, least: u32) -> String {
    let (one, operator, other, binds) = match expression {
        Expression::Number(number) => return number.to_string(),
        Expression::Argument(nth) => return metric.arguments[*nth].name.to_owned(),
        Expression::Input(nth) => match metric.inputs[*nth] {
            Input::Event(name) => return name.to_owned(),
            _ => return "cycles".to_owned(),
        },
        Expression::Sum(one, other) => (one, '+', other, 1),
        Expression::Difference(one, other) => (one, '-', other, 1),
        Expression::Product(one, other) => (one, '*', other, 2),
        Expression::Quotient(one, other) => (one, '/', other, 2),
        other => panic!("{other:?}"),
    };
    let [one, other] =
        [(one, binds), (other, binds + 1)].map(|(of, least)| written(metric, of, least));
    if binds < least {
        format!("({one} {operator} {other})")
    } else {
        format!("{one} {operator} {other}")
    }
}

#[test]
fn expressions_match_their_formulas() {
    for of in Pmu::all().flat_map(Pmu::metrics) {
        assert_eq!(written(of.metric, &of.metric.expression, 0), of.metric.formula);
        let cycles = of.metric.inputs.iter().map(|input| matches!(input, Input::Cycles));
        assert!(of.inputs().map(|event| event.is_none()).eq(cycles), "{}", of.metric.formula);
    }
}

#[test]
fn expressions_work_with_any_number_type() {
    let of = Pmu::find("cci550").unwrap().find_metrics("SNOOP_HIT_RATE").next().unwrap();
    let counts = [15, 8, 12].map(Term::from);
    let exact = of.metric.expression.evaluate(&counts, &[], Term::from).unwrap();
    assert_eq!(exact.get().unwrap().to_string(), "15 / 20");
    const ONE: Expression = Expression::Number(1);
    const HALF: Expression = Expression::Quotient(&ONE, &Expression::Number(2));
    const ALL: Expression = Expression::Difference(
        &Expression::Sum(&Expression::Input(0), &HALF),
        &Expression::Product(&Expression::Argument(0), &HALF),
    );
    assert_eq!(ALL.evaluate(&[3.0], &[5.0], |n| n as f64), Some(1.0));
    assert_eq!(ALL.evaluate(&[3.0], &[], |n| n as f64), None);
}

#[test]
fn reset_values_depend_on_the_unit() {
    let reset = |pmu: &str, register: &str| {
        let pmu = Pmu::find(pmu).unwrap();
        let found = pmu.find_registers(register).next().unwrap().register;
        found.reset(pmu.unit.map(|unit| unit.name))
    };
    assert_eq!(reset("cci550", "PMCR"), Some(0x4000));
    assert_eq!(reset("cci400", "PMCR"), Some(0x2000));
    assert_eq!(reset("cci400", "PID2"), None, "not the same in all revisions");
    // Each unit has a different value.
    assert_ne!(reset("mmu600:tcu", "CEID0"), reset("mmu600:tbu", "CEID0"));
    assert_eq!(reset("mmu600", "CEID0"), None, "of which unit?");
}

#[test]
fn references_between_tables_resolve() {
    for ip in IPS {
        let counters = &ip.counters;
        let register = |name: &str| ip.registers.iter().find(|of| of.name == name).expect(name);
        let paths = counters.event.iter().chain(&counters.source).map(|of| (of.register, of.field));
        let selectors = ip.registers.iter().filter_map(|of| of.location.selector());
        for (name, field) in paths.chain(selectors.map(|of| (of.register, of.field))) {
            let has_field = register(name).fields.iter().any(|of| of.name == field);
            assert!(has_field, "{} has no {name}.{field}", ip.name);
        }
        let cycles = counters.cycles.iter().map(|of| &of.register);
        for name in counters.value.iter().chain(cycles) {
            register(name);
        }
        if let [_, _, ..] = counters.value {
            let each = [counters.value.len(), counters.event.len()];
            assert_eq!(each, [counters.count as usize; 2], "{}", ip.name);
        }
        for of in ip.registers {
            let Location::Memory { page, block, .. } = of.location else { continue };
            let has_page = |page| ip.units.iter().all(|unit| unit.page_offset(page).is_some());
            assert!(page.is_none_or(has_page), "{}", of.name);
            let is_block = |block| ip.blocks.iter().any(|known| known.name == block);
            assert!(block.is_none_or(is_block), "{}", of.name);
        }
        let fields = ip.registers.iter().flat_map(|of| of.fields).map(|of| of.only);
        let registers = ip.registers.iter().map(|of| of.only);
        let events = ip.groups.iter().flat_map(|of| of.events).map(|of| of.only);
        let findings = ip.findings.iter().map(|of| of.only);
        for name in fields.chain(registers).chain(events).chain(findings).flatten() {
            assert!(ip.unit(name).is_some(), "{}: {name}", ip.name);
        }
    }
}
