//! `arm-pmu export`

use std::path::Path;

use arm_pmu_tables::{IPS, Ip};

use super::Answer;
use crate::arguments::{Export as Arguments, Format};
use crate::export::svd::{self, instance};
use crate::export::{File, c, csv, json};
use crate::failure::Failure;
use crate::name;
use crate::output;

pub fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let files = match arguments.format {
        Format::Svd => svd_file(arguments)?,
        _ => of_ips(arguments)?,
    };
    let Some(directory) = &arguments.out else {
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
    let mut ips: Vec<&'static Ip> = Vec::new();
    for text in &arguments.ips {
        let ip = name::pmu(text)?.ip;
        if !ips.iter().any(|known| known.name == ip.name) {
            ips.push(ip);
        }
    }
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
    // For the reader of a single file on standard output there is no place beside it.
    if arguments.format == Format::Json && arguments.out.is_some() {
        files.push(File { name: json::SCHEMA_NAME.to_owned(), text: json::SCHEMA.to_owned() });
    }
    Ok(files)
}

fn svd_file(arguments: &Arguments) -> Result<Vec<File>, Failure> {
    if arguments.ips.is_empty() {
        return Err(Failure::wrong_use(format!("name what is where: {}", instance::HOW)));
    }
    let instances = arguments.ips.iter().map(|text| instance::Instance::parse(text));
    let mut instances = instances.collect::<Result<Vec<_>, _>>()?;
    instance::give_names(&mut instances)?;
    instance::are_apart(&instances)?;
    let text = svd::document("ARM_PMU", &instances)?;
    Ok(vec![File { name: "ARM_PMU.svd".to_owned(), text }])
}
