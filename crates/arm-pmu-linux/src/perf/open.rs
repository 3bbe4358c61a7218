//! Opens selections as kernel events, with checks that the kernel does not make.

use libc::{EACCES, EINVAL, EMFILE, ENFILE, ENODEV, ENOSYS, EPERM, ESRCH};

use super::call::{Event, Whose};
use super::device::Device;
use super::error::Error;
use super::field::Words;
use super::group::Group;
use super::kind::{Kind, Parts};
use super::options::{Options, Target};

/// Finds the kernel PMU.
pub(crate) fn find<S: Kind>(options: &Options) -> Result<Device, Error> {
    let names = options.sysfs.names()?;
    let missing = |wanted: &str| Error::NoDevice {
        wanted: wanted.to_owned(),
        needs: S::NEEDS,
        present: names.clone(),
    };
    let name = match (&options.device, S::PARTS, S::DEVICE) {
        (Some(name), ..) => name.as_str(),
        (None, [], Some(name)) if !name.ends_with('_') => {
            let is_present = |name: &&str| names.iter().any(|present| present == name);
            let mut all = std::iter::once(name).chain(S::ALSO.iter().copied());
            all.find(is_present).unwrap_or(name)
        }
        (None, _, None) => return Err(missing("without a name; give one with `Options::device`")),
        (None, _, Some(start)) => return only_unit::<S>(start, options, &names, missing),
    };
    let device = options.sysfs.device(name)?.ok_or_else(|| missing(name))?;
    match (S::PARTS, device.identifier) {
        ([part, ..], Some(identifier)) if !is_of::<S>(identifier) => {
            Err(Error::WrongDevice { device: device.name, identifier, part: *part })
        }
        _ => Ok(device),
    }
}

/// Finds the only PMU whose name starts with the prefix of the kind. If the kind has part numbers, the identifier must
/// have one of them.
fn only_unit<S: Kind>(
    start: &str,
    options: &Options,
    names: &[String],
    missing: impl Fn(&str) -> Error,
) -> Result<Device, Error> {
    let mut found = Vec::new();
    let mut unknown = Vec::new();
    for name in names.iter().filter(|name| name.starts_with(start)) {
        if let Some(device) = options.sysfs.device(name)? {
            match device.identifier {
                _ if S::PARTS.is_empty() => found.push(device),
                Some(identifier) if is_of::<S>(identifier) => found.push(device),
                Some(_) => {}
                None => unknown.push(device.name),
            }
        }
    }
    if found.len() > 1 || (found.is_empty() && !unknown.is_empty()) {
        let names = found.into_iter().map(|device| device.name).chain(unknown).collect();
        return Err(Error::SeveralDevices { names });
    }
    let part = S::PARTS.first().map(|part| format!(" with the part number {part:#x}"));
    found.pop().ok_or_else(|| missing(&format!("{start}*{}", part.unwrap_or_default())))
}

/// Whether the highest 12 bits of an identifier are an accepted part number.
fn is_of<S: Kind>(identifier: u64) -> bool {
    S::PARTS.iter().any(|part| identifier >> 20 == u64::from(*part))
}

/// Translates a selection to a kernel event, without opening it.
pub(crate) fn event<S: Kind>(
    device: &Device,
    options: &Options,
    selection: S::Selection,
) -> Result<Event, Error> {
    let mut words = [0; 4];
    match S::parts(selection) {
        Parts::Cycles => cycles(device, &mut words)?,
        Parts::Event { id, unknown: true, .. } => {
            return Err(Error::NotListed { device: device.name.clone(), id });
        }
        Parts::Event { code, source, threshold, .. } => {
            device.set(&mut words, "event", code.into())?;
            // In Linux and in this crate, 0 means no threshold.
            if threshold != 0 {
                device.set(&mut words, "threshold", u64::from(threshold) & 0xFFF)?;
                device.set(&mut words, "threshold_compare", u64::from(threshold) >> 13)?;
                device.set(&mut words, "threshold_count", u64::from(threshold) >> 12 & 1)?;
            }
            if let Some(source) = source {
                device.set(&mut words, "source", source.into())?;
            }
        }
    }
    if let Some(filter) = options.stream {
        if filter.is_secure {
            let argument = "filter_secure";
            return Err(Error::NoArgument { device: device.name.clone(), argument });
        }
        device.set(&mut words, "filter_enable", 1)?;
        device.set(&mut words, "filter_span", filter.is_span.into())?;
        device.set(&mut words, "filter_stream_id", filter.id.into())?;
    }
    if options.read_in_user_mode {
        device.set(&mut words, USER_READS, 1)?;
    }
    Ok(Event { pmu: device.number, config: words })
}

/// Cycles are named `cycles` on interconnects and `cpu_cycles` on cores.
fn cycles(device: &Device, words: &mut Words) -> Result<(), Error> {
    let named = ["cycles", "cpu_cycles"].iter().find_map(|name| device.set_named(words, name));
    match named {
        Some(set) => set,
        // The ARM11 driver has no event names; in the manual, cycles are event 0xff.
        None if device.fields.is_none() => device.set(words, "event", 0xFF),
        None => Err(Error::NoArgument { device: device.name.clone(), argument: "cycles" }),
    }
}

/// Opens selections as a group.
pub(crate) fn group<S: Kind>(
    device: &Device,
    options: &Options,
    selections: &[S::Selection],
) -> Result<Group, Error> {
    let target = target::<S>(device, options)?;
    if options.read_in_user_mode {
        user_reads::<S>(device, options, target)?;
    }
    let events: Result<Vec<_>, _> =
        selections.iter().map(|one| event::<S>(device, options, *one)).collect();
    let events = events?;
    let no_user_mode = || Error::NoUserMode { device: device.name.clone() };
    if S::WHOLE_SYSTEM && options.user_only {
        return Err(no_user_mode());
    }
    if let Target::Processor(cpu) = target {
        if options.sysfs.online().is_some_and(|online| !online.contains(&cpu)) {
            return Err(Error::CpuOffline { cpu });
        }
    }
    let open = |events: &[Event]| Group::open(events, whose(target), options.user_only);
    // The driver of a core checks for a free counter only when siblings are opened, because the leader is disabled.
    // Therefore the whole group is opened once as siblings of an additional leader.
    if !S::WHOLE_SYSTEM && events.len() > 1 {
        let with_leader: Vec<_> = events.iter().chain(&events[..1]).cloned().collect();
        if let Err((nth, error)) = open(&with_leader) {
            if nth > 1 && error.raw_os_error() == Some(EINVAL) && open(&with_leader[..1]).is_ok() {
                return Err(Error::DoNotFit { asked: events.len(), accepted: nth - 1 });
            }
        }
    }
    let opened = open(&events).map_err(|(nth, error)| match (error.raw_os_error(), target) {
        (Some(EPERM | EACCES), _) => Error::NotAllowed {
            paranoid: options.sysfs.paranoid(),
            allowed_up_to: match target {
                Target::Processor(_) => 0,
                _ if options.user_only => 2,
                _ => 1,
            },
            has_right: options.sysfs.has_right(),
        },
        (Some(ENOSYS), _) => Error::NoPerf,
        (Some(EMFILE | ENFILE), _) => Error::TooManyFiles,
        (Some(ESRCH), Target::Process(process)) => Error::NoSuchProcess { process },
        (Some(ENODEV), Target::Processor(cpu)) => Error::CpuOffline { cpu },
        (Some(ESRCH | ENODEV) | None, _) => Error::system("perf_event_open", &error),
        // An event that can be opened alone was rejected because it does not fit with the other
        // events.
        (Some(EINVAL), _) if nth > 0 && open(&events[nth..=nth]).is_ok() => {
            Error::DoNotFit { asked: events.len(), accepted: nth }
        }
        // A Cortex-A8 and an ARM11 cannot exclude modes.
        (Some(EINVAL), _)
            if options.user_only
                && Group::open(&events[nth..=nth], whose(target), false).is_ok() =>
        {
            no_user_mode()
        }
        (Some(code), _) => Error::Refused {
            device: device.name.clone(),
            selection: selections.get(nth).map_or_else(String::new, ToString::to_string),
            code,
        },
    });
    let mut group = opened?;
    if options.read_in_user_mode {
        match group.read_in_user_mode() {
            Ok(true) => {}
            Ok(false) => {
                return Err(no_user_reads(
                    device,
                    "free counters of 32 bits, and a kernel that permits it",
                ));
            }
            Err(error) => return Err(Error::system("the kernel did not map the counters", &error)),
        }
    }
    Ok(group)
}

/// Checks the known requirements of reads in user mode.
fn user_reads<S: Kind>(device: &Device, options: &Options, target: Target) -> Result<(), Error> {
    let missing = |needs: &str| Err(no_user_reads(device, needs));
    if S::WHOLE_SYSTEM {
        return missing("the PMU of a core");
    }
    if !cfg!(target_arch = "aarch64") {
        return missing("a processor of AArch64");
    }
    if target != Target::ThisThread {
        return missing("a PMU that counts the same thread that reads it (`Target::ThisThread`)");
    }
    let has_argument = device.fields.as_ref().is_some_and(|fields| fields.contains_key(USER_READS));
    match options.sysfs.user_access() {
        Some(true) if has_argument => {}
        Some(false) if has_argument => {
            return missing("`sysctl kernel.perf_user_access=1`, as root");
        }
        _ => return missing("Linux 5.17 or later"),
    }
    let online = options.sysfs.online().unwrap_or_default();
    let of_pmu = device.processors()?.unwrap_or_else(|| online.clone());
    let allowed = options.sysfs.allowed().unwrap_or_default();
    if allowed.iter().any(|cpu| online.contains(cpu) && !of_pmu.contains(cpu)) {
        let list: Vec<_> = of_pmu.iter().map(u32::to_string).collect();
        return missing(&format!(
            "a thread that runs only on its processors (taskset -c {})",
            list.join(",")
        ));
    }
    Ok(())
}

/// Name of the argument that permits reads in user mode.
const USER_READS: &str = "rdpmc";

fn no_user_reads(device: &Device, needs: &str) -> Error {
    Error::NoUserReads { device: device.name.clone(), needs: needs.to_owned() }
}

/// Returns what the PMU counts. The processor that reads an interconnect can change, so it is looked up each time.
fn target<S: Kind>(device: &Device, options: &Options) -> Result<Target, Error> {
    let mask = device.cpu_mask()?;
    match (mask, options.target) {
        (Some(_), Some(_)) => Err(Error::WholeSystemOnly { device: device.name.clone() }),
        (Some(mask), None) => Ok(Target::Processor(mask.first().copied().unwrap_or(0))),
        (None, None) if S::WHOLE_SYSTEM => Err(Error::File {
            path: device.directory.join("cpumask"),
            why: "cannot be read".to_owned(),
        }),
        (None, target) => Ok(target.unwrap_or(Target::ThisThread)),
    }
}

fn whose(target: Target) -> Whose {
    match target {
        Target::ThisThread => Whose { thread: 0, cpu: -1 },
        // A number that does not fit is replaced by the maximum, which the kernel rejects, because
        // no process or processor has this number.
        Target::Process(process) => {
            Whose { thread: process.try_into().unwrap_or(i32::MAX), cpu: -1 }
        }
        Target::Processor(cpu) => Whose { thread: -1, cpu: cpu.try_into().unwrap_or(i32::MAX) },
    }
}
