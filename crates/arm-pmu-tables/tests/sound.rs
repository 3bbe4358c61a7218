//! Tests of the consistency of the tables.

use arm_pmu_core::metric::Term;
use arm_pmu_tables::{Expression, IPS, Input, Location, Pmu};

/// Each bit of a register is in exactly one field or reserved range.
#[test]
fn fields_and_reserved_bits_fill_each_register() {
    for register in IPS.iter().flat_map(|ip| ip.registers) {
        let fields = register.fields.iter().map(|field| field.bits.mask());
        let masks: Vec<u64> =
            fields.chain(register.reserved.iter().map(|of| of.bits.mask())).collect();
        let all = u64::MAX >> (64 - register.width);
        assert_eq!(masks.iter().fold(0, |all, mask| all | mask), all, "{}", register.name);
        assert_eq!(masks.iter().map(|mask| mask.count_ones()).sum::<u32>(), register.width);
    }
}

#[test]
fn references_between_tables_resolve() {
    for ip in IPS {
        let counters = &ip.counters;
        let register = |name: &str| ip.registers.iter().find(|of| of.name == name).expect(name);
        let paths = counters.event.iter().chain(&counters.source);
        for path in paths {
            let of = register(path.register);
            assert!(of.fields.iter().any(|field| field.name == path.field), "{path:?}");
        }
        for name in counters.value.iter().chain(counters.cycles.iter().map(|of| &of.register)) {
            register(name);
        }
        let each_has_its_own = counters.value.len() > 1;
        if each_has_its_own {
            assert_eq!(counters.value.len(), counters.count as usize, "{}", ip.name);
            assert_eq!(counters.event.len(), counters.count as usize, "{}", ip.name);
        }
        for of in ip.registers {
            match of.location {
                Location::Memory { page, block, .. } => {
                    for page in page.iter() {
                        let has = |unit: &arm_pmu_tables::Unit| unit.page_offset(page).is_some();
                        assert!(ip.units.iter().all(has), "{page}");
                    }
                    assert!(block.is_none_or(|block| ip.blocks.iter().any(|b| b.name == block)));
                }
                Location::Cp15 { .. } => {}
                Location::System { register, count, .. } => {
                    assert!((2..4).contains(&register.op0) && (1..=31).contains(&count));
                }
                _ => panic!("{} is nowhere", of.name),
            }
            if let Some(selector) = of.location.selector() {
                let fields = register(selector.register).fields;
                assert!(fields.iter().any(|field| field.name == selector.field));
            }
        }
        let mut only = Vec::new();
        only.extend(ip.groups.iter().flat_map(|group| group.unit));
        only.extend(ip.groups.iter().flat_map(|g| g.events).flat_map(|event| event.only));
        only.extend(ip.registers.iter().flat_map(|register| register.only));
        only.extend(ip.registers.iter().flat_map(|r| r.fields).flat_map(|field| field.only));
        only.extend(ip.findings.iter().flat_map(|finding| finding.only));
        only.extend(ip.alias_sources.iter().flat_map(|source| source.units));
        assert!(only.iter().all(|name| ip.unit(name).is_some()), "{}: {only:?}", ip.name);
    }
}

/// Evaluates the text of a formula.
struct Reader<'t> {
    rest: &'t str,
    value: &'t dyn Fn(&str) -> f64,
}

impl Reader<'_> {
    fn next(&mut self, operators: &str) -> Option<char> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next().filter(|c| operators.contains(*c))?;
        self.rest = &self.rest[1..];
        Some(first)
    }

    fn sum(&mut self) -> f64 {
        let mut sum = self.product();
        while let Some(operator) = self.next("+-") {
            let other = self.product();
            sum = if operator == '+' { sum + other } else { sum - other };
        }
        sum
    }

    fn product(&mut self) -> f64 {
        let mut product = self.factor();
        while let Some(operator) = self.next("*/") {
            let other = self.factor();
            product = if operator == '*' { product * other } else { product / other };
        }
        product
    }

    fn factor(&mut self) -> f64 {
        if self.next("(").is_some() {
            let sum = self.sum();
            assert_eq!(self.next(")"), Some(')'));
            return sum;
        }
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word.parse().unwrap_or_else(|_| (self.value)(word))
    }
}

#[test]
fn expressions_match_their_formulas() {
    let mut metrics = 0;
    for of in Pmu::all().flat_map(Pmu::metrics) {
        let metric = of.metric;
        // The sums and quotients of these numbers differ.
        let primes = [1009.0, 2003.0, 4001.0, 8009.0, 16007.0, 32003.0, 64007.0, 128_021.0];
        let counts = &primes[..metric.inputs.len()];
        let arguments: Vec<f64> = (0..metric.arguments.len()).map(|nth| 3.0 + nth as f64).collect();
        let value = |word: &str| {
            let is = |input: &Input| match input {
                Input::Event(name) => *name == word,
                Input::Cycles => word == "cycles",
                _ => false,
            };
            if let Some(nth) = metric.inputs.iter().position(is) {
                return counts[nth];
            }
            let nth = metric.arguments.iter().position(|of| of.name == word).expect(word);
            arguments[nth]
        };
        let mut reader = Reader { rest: metric.formula, value: &value };
        let expected = reader.sum();
        assert_eq!(reader.rest, "", "{}", metric.formula);
        let computed = metric.compute(counts, &arguments).expect("all inputs");
        assert!((computed - expected).abs() <= expected.abs() * 1e-12, "{}", metric.formula);
        assert_eq!(metric.compute(&counts[1..], &arguments), None, "an input is missing");
        assert_eq!(of.inputs().count(), metric.inputs.len());
        let cycles = of.inputs().filter(Option::is_none).count();
        assert_eq!(cycles, metric.inputs.iter().filter(|i| matches!(i, Input::Cycles)).count());
        metrics += 1;
    }
    assert!(metrics > 50, "{metrics}");
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

#[cfg(feature = "serde")]
#[test]
fn serialized_tables_have_the_words_of_the_specs() {
    let json = serde_json::to_value(IPS).unwrap();
    let cci400 = json.as_array().unwrap().iter().find(|ip| ip["name"] == "cci400").unwrap();
    assert_eq!(cci400["space"]["region"]["length"], 0xE000);
    assert_eq!(cci400["units"][1]["name"], "r0");
    let event = &cci400["groups"][0]["events"][9];
    assert_eq!(event["name"], "READ_TRACKER_FULL_STALL");
    assert_eq!(event["counted"], "cycles");
    assert_eq!(event["origin"]["confidence"], "A");
    assert_eq!(event["aliases"][0]["source"]["dialect"], "gator");
    let pmcr = cci400["registers"].as_array().unwrap().iter().find(|r| r["name"] == "PMCR");
    assert_eq!(pmcr.unwrap()["location"]["memory"]["offset"], 0x100);
    assert_eq!(pmcr.unwrap()["access"], "rw");
    let metric = &cci400["groups"][0]["metrics"][0];
    assert_eq!(metric["inputs"][0]["event"], "READ_DATA_SNOOP_HIT");
    assert_eq!(metric["expression"]["quotient"][0]["input"], 0);
}
