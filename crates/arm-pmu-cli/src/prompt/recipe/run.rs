//! `arm-pmu recipe`: prints a recipe.

use arm_pmu_lookup::export::svd::instance::regions;
use arm_pmu_lookup::name;
use arm_pmu_tables::{Pmu, Space};
use clap::ValueEnum as _;

use super::core;
use super::program::CYCLES;
use super::render::{self, C, Devmem, Gdb, Recipe, Tcl, UBoot};
use crate::base::answer::Answer;
use crate::base::arguments::{Language, Recipe as Arguments};
use crate::base::failure::{Failure, refuse};
use crate::base::platform::target::{self, Target};

pub fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let (subject, _) =
        target::subject(arguments.ip.as_ref(), arguments.place.platform.as_ref(), &[])?;
    let target = subject.one(&arguments.count)?.with_unit()?;
    let pmu = target.pmu;
    if let Some(why) = pmu.ip.no_recipe {
        let name = pmu.ip.name;
        let text =
            format!("there is no recipe for {name}: {why}. Use the crate {name}, or arm-pmu perf");
        return Err(Failure::not_found(text));
    }
    let events = arguments.count.iter().map(|text| target.event(text));
    let events = events.collect::<Result<Vec<_>, _>>()?;
    let what = selections(&target, &events)?;
    let command = command_line(arguments, &target, &what);
    if let (Some(Language::C), true) = (arguments.language, core::is_known(pmu)) {
        pages(pmu, arguments.base.as_deref())?;
        return Ok(Answer::text(core::header(pmu, &command, &what)?));
    }
    if let Space::System = pmu.ip.space {
        let c = if core::is_known(pmu) { "--for c, or " } else { "" };
        refuse!(
            "only a core itself reaches the system registers of {pmu}: use {c}the crate {}",
            pmu.ip.name
        );
    }
    if what.is_empty() {
        refuse!("recipe needs --count <EVENT>...: EVENT, SOURCE:EVENT, an event id, or cycles");
    }
    let language = arguments.language.map(language);
    if let Some(refusal) = language.and_then(|language| language.refusal(pmu)) {
        return Err(Failure::wrong_use(refusal));
    }
    let pages = pages(pmu, target.base(arguments.base.as_deref()).as_deref())?;
    let program = super::program(pmu, &pages, !arguments.no_identify, &what)?;
    let Some(language) = language else { return Answer::json(&program) };
    let recipe = Recipe { pmu, pages, program: &program, command: &command };
    Ok(Answer::text(render::render(&recipe, language)?))
}

fn language(of: Language) -> &'static dyn render::Language {
    match of {
        Language::Devmem => &Devmem,
        Language::UBoot => &UBoot,
        Language::Gdb => &Gdb,
        Language::Openocd => &Tcl::OpenOcd,
        Language::Xsdb => &Tcl::Xsdb,
        Language::C => &C,
    }
}

/// Base of each page of registers.
pub fn pages(pmu: Pmu, base: Option<&str>) -> Result<Vec<u64>, Failure> {
    if pmu.ip.space.is_core() {
        return match base {
            None => Ok(Vec::new()),
            Some(_) => refuse!("{pmu} has registers of a core, so it has no --base"),
        };
    }
    let regions = regions(pmu);
    let length = regions.iter().map(|(offset, length)| offset + length).max().unwrap_or(0);
    let Some(base) = base else {
        refuse!("where is the {}? Give the address of the PMU: --base 0xFD6E0000", pmu.ip.product);
    };
    let Some(address) = arm_pmu_lookup::number(base) else {
        refuse!("`{base}` is not an address; an example: --base 0xFD6E0000");
    };
    if address % 0x1000 != 0 {
        refuse!("the base 0x{address:X} is not the start of a 4 KiB page");
    }
    if address.checked_add(length.into()).is_none() {
        refuse!("the registers of {pmu} do not fit after 0x{address:X}");
    }
    Ok(regions.into_iter().map(|(offset, _)| address + u64::from(offset)).collect())
}

fn selections(target: &Target, wanted: &[String]) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for text in wanted {
        let is_cycles = text.eq_ignore_ascii_case(CYCLES);
        let name = if is_cycles && target.pmu.ip.counters.cycles.is_some() {
            CYCLES.to_owned()
        } else {
            let selection = name::selection(target.pmu, text);
            selection.map_err(|failure| target.with_interfaces(text, failure))?.to_string()
        };
        names.push(name);
    }
    Ok(names)
}

/// Command line that prints the same recipe.
fn command_line(arguments: &Arguments, target: &Target, what: &[String]) -> String {
    let mut line = "arm-pmu recipe".to_owned();
    let named = arguments.place.platform.as_ref().or(arguments.ip.as_ref());
    if let Some(named) = named {
        line += &format!(" {named}");
        // A platform with several PMUs needs the name of the instance, which the events do not contain.
        if let (Some(platform), Some(instance)) = (target.platform, target.instance) {
            if platform.instances.len() > 1 && !named.contains(&format!(":{}", instance.name)) {
                line += &format!(":{}", instance.name);
            }
        }
    }
    if let Some(base) = &arguments.base {
        line += &format!(" --base {base}");
    }
    if !what.is_empty() {
        line += &format!(" --count {}", what.join(" "));
    }
    if arguments.no_identify {
        line += " --no-identify";
    }
    let language = arguments.language.and_then(|of| of.to_possible_value());
    line + &language.map_or_else(String::new, |of| format!(" --for {}", of.get_name()))
}
