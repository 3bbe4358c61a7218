//! `arm-pmu export`

use std::fs;
use std::path::Path;

use arm_pmu_lookup::export::svd::cpu::Cpu;
use arm_pmu_lookup::export::svd::instance::{self, Instance};
use arm_pmu_lookup::export::svd::{self, merge};
use arm_pmu_lookup::export::{File, c, constant, csv, json};
use arm_pmu_lookup::kernel::is_cluster;
use arm_pmu_lookup::name;
use arm_pmu_tables::{IPS, Ip};

use crate::base::answer::Answer;
use crate::base::arguments::{Export as Arguments, Format};
use crate::base::failure::{Failure, refuse};
use crate::base::output;
use crate::base::platform::target::Subject;
use crate::base::text::distinct;

pub fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    if arguments.format == Format::Svd {
        return of_system(arguments);
    }
    let of_svd = [("--cpu", &arguments.cpu), ("--merge-into", &arguments.merge_into)];
    if let Some((name, _)) = of_svd.iter().find(|(_, value)| value.is_some()) {
        refuse!("{name} is for `arm-pmu export svd`");
    }
    written(of_ips(arguments)?, arguments.out.as_deref())
}

/// Prints a single file, or writes all files to a directory.
fn written(files: Vec<File>, directory: Option<&str>) -> Result<Answer, Failure> {
    let Some(directory) = directory else {
        return match <[File; 1]>::try_from(files) {
            Ok([file]) => Ok(Answer::text(file.text)),
            Err(files) => {
                let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
                Err(Failure::wrong_use(format!(
                    "name a directory with --out for these files: {}",
                    names.join(", ")
                )))
            }
        };
    };
    let mut text = String::new();
    for file in files {
        let path = Path::new(directory).join(&file.name);
        output::replace(&path, &file.text)?;
        text += &format!("{}\n", path.display());
    }
    Ok(Answer::text(text))
}

fn of_ips(arguments: &Arguments) -> Result<Vec<File>, Failure> {
    let mut names = Vec::new();
    for text in arguments.ips.iter().chain(&arguments.place.platform) {
        if !Subject::is_board(text) && arguments.place.platform.as_ref() != Some(text) {
            names.push(name::pmu(text)?.ip.name);
            continue;
        }
        let subject = Subject::board(text)?;
        for instance in subject.instances() {
            // A core without a table has nothing to export.
            if !is_cluster(instance) || instance.pmu().is_some() {
                names.push(subject.of(instance)?.pmu.ip.name);
            }
        }
    }
    let mut ips: Vec<_> = distinct(names.into_iter()).into_iter().filter_map(Ip::find).collect();
    if ips.is_empty() {
        ips = IPS.to_vec();
    }
    let mut files = Vec::new();
    for ip in ips {
        match arguments.format {
            Format::C => files.push(File { name: format!("{}.h", ip.name), text: c::header(ip)? }),
            Format::Csv => {
                files.push(File { name: format!("{}-events.csv", ip.name), text: csv::events(ip) });
                files.push(File {
                    name: format!("{}-registers.csv", ip.name),
                    text: csv::registers(ip),
                });
            }
            Format::Json | Format::Svd => {
                files.push(File { name: format!("{}.json", ip.name), text: json::document(ip)? })
            }
        }
    }
    // The schema is a second file, so it needs a directory.
    if arguments.format == Format::Json && arguments.out.is_some() {
        files.push(File { name: json::SCHEMA_NAME.to_owned(), text: json::SCHEMA.to_owned() });
    }
    Ok(files)
}

fn of_system(arguments: &Arguments) -> Result<Answer, Failure> {
    let mut instances = Vec::new();
    let mut board = None;
    for text in &arguments.ips {
        if !text.contains('@') && Subject::is_board(text) {
            board = Some(text);
            instances.extend(of_board(text)?);
        } else {
            instances.push(Instance::parse(text)?);
        }
    }
    if let Some(text) = &arguments.place.platform {
        board = Some(text);
        instances.extend(of_board(text)?);
    }
    if instances.is_empty() {
        refuse!("give each PMU with its address: {}", instance::HOW);
    }
    instance::give_names(&mut instances)?;
    instance::are_apart(&instances)?;
    let answer = match &arguments.merge_into {
        Some(file) => merged(file, &instances, arguments)?,
        None => {
            let platform = board.and_then(|text| Subject::board(text).ok()?.platform());
            let device = match (&arguments.device, platform) {
                (Some(device), _) => device.clone(),
                (None, Some(platform)) => constant(platform.name),
                (None, None) => "ARM_PMU".to_owned(),
            };
            if !instance::is_name(&device) {
                refuse!(
                    "`{device}` is not a name of a device: a letter, then letters, digits, underscores"
                );
            }
            let cpu = arguments.cpu.as_deref().map(Cpu::parse).transpose()?;
            let text = svd::document(&device, cpu.as_ref(), &instances)?;
            let file = File { name: format!("{device}.svd"), text };
            written(vec![file], arguments.out.as_deref())?
        }
    };
    Ok(Answer { warnings: svd::warnings(&instances), ..answer })
}

/// PMUs of a platform or, if given, one PMU. Core PMUs are omitted.
fn of_board(text: &str) -> Result<Vec<Instance>, Failure> {
    let subject = Subject::board(text)?;
    let mut all = Vec::new();
    for instance in subject.instances().into_iter().filter(|one| !is_cluster(one)) {
        let target = subject.of(instance)?;
        let (Some(base), false) = (instance.base, target.pmu.ip.space.is_core()) else {
            continue;
        };
        let pmu = target.with_unit()?.pmu;
        all.push(Instance { pmu, name: constant(instance.name), base: base.value });
    }
    if all.is_empty() {
        refuse!("the registers of {text} are in coprocessor 15, which an SVD file cannot describe");
    }
    Ok(all)
}

/// Adds these instances to a vendor's file. Prints the result, or replaces the file.
fn merged(file: &str, instances: &[Instance], arguments: &Arguments) -> Result<Answer, Failure> {
    let path = Path::new(file);
    let text = fs::read_to_string(path).map_err(|error| Failure::unreadable(file, error))?;
    let text = merge::merge(file, &text, instances, arguments.allow_overlap)?;
    if arguments.in_place {
        output::replace(path, &text)?;
        return Ok(Answer::text(format!("{file}\n")));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    written(vec![File { name, text }], arguments.out.as_deref())
}
