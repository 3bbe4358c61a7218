//! A PMU by the name of its platform: `zynqmp`, or `zynqmp:cci`.

use arm_pmu_tables::platform::{Instance, Switch};
use arm_pmu_tables::{Platform, Pmu};

use crate::failure::Failure;
use crate::name;

/// A PMU, and what is known of its place.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub pmu: Pmu,
    /// In a platform.
    pub instance: Option<&'static Instance>,
}

impl Target {
    /// The address of the registers, as it is written on a command line; `given` counts more than the platform.
    pub fn base(&self, given: Option<&str>) -> Option<String> {
        let known = || Some(format!("0x{:X}", self.instance?.base?.value));
        given.map(str::to_owned).or_else(known)
    }

    /// The name of an event in which an interface may have the name of the board: `apu:READ_REQUEST_ANY`.
    pub fn event(&self, text: &str) -> String {
        let interface = text.split_once(':').and_then(|(interface, event)| {
            let known = self.instance?.interfaces.iter();
            let mut named = known.filter(|one| one.name.eq_ignore_ascii_case(interface));
            // Of several, each is for other silicon.
            let only = (named.next()?, named.next());
            if let (one, None) = only { Some(format!("{}:{event}", one.source)) } else { None }
        });
        interface.unwrap_or_else(|| text.to_owned())
    }

    /// The switches that a cause of this name is about: `NIDEN_LOW` about NIDEN.
    pub fn switches(&self, finding: &str) -> impl Iterator<Item = &'static Switch> {
        let all = self.instance.map_or(&[][..], |instance| instance.switches);
        let subject = finding.split('_').next().unwrap_or_default().to_owned();
        all.iter().filter(move |switch| switch.name == subject)
    }
}

/// The PMU that this names: an IP with its unit, or a platform with its instance.
pub fn target(text: &str) -> Result<Target, Failure> {
    let (platform, instance) = match text.split_once(':') {
        Some((platform, instance)) => (platform, Some(instance)),
        None => (text, None),
    };
    let Some(platform) = Platform::find(platform) else {
        return Ok(Target { pmu: name::one_unit(name::pmu(text)?)?, instance: None });
    };
    let names = || {
        let all = platform.instances.iter();
        all.map(|one| format!("{}:{}", platform.name, one.name)).collect::<Vec<_>>().join(", ")
    };
    let instance = match (instance, platform.instances) {
        (Some(name), _) => platform.instance(name).ok_or_else(|| {
            Failure::not_found(format!(
                "{} has no PMU `{name}`; there are {}",
                platform.name,
                names()
            ))
        })?,
        (None, [only]) => only,
        (None, _) => {
            let text = format!("{} has several PMUs; name one: {}", platform.name, names());
            return Err(Failure::wrong_use(text));
        }
    };
    let pmu = instance.pmu().ok_or_else(|| {
        Failure::not_found(format!("{}:{} is of no known IP", platform.name, instance.name))
    })?;
    Ok(Target { pmu: name::one_unit(pmu)?, instance: Some(instance) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_platform_stands_for_its_only_pmu() {
        let cci = target("ZynqMP").expect("a platform");
        assert_eq!(cci.pmu.to_string(), "cci400:r1");
        assert_eq!(cci.base(None).as_deref(), Some("0xFD6E0000"));
        assert_eq!(cci.base(Some("0x1000")).as_deref(), Some("0x1000"));
        assert_eq!(cci.event("APU:READ_REQUEST_ANY"), "S3:READ_REQUEST_ANY");
        assert_eq!(cci.event("S4:READ_REQUEST_ANY"), "S4:READ_REQUEST_ANY");
        assert_eq!(cci.event("cycles"), "cycles");
        assert_eq!(cci.switches("NIDEN_LOW").count(), 1);
        assert_eq!(cci.switches("CLOCK_STANDS_STILL").count(), 0);
        assert_eq!(target("zynqmp:cci").expect("an instance").pmu.to_string(), "cci400:r1");
        let (status, text) = target("zynqmp:gpu")
            .map_or_else(|e| (e.exit_status(), e.to_string()), |_| (0, String::new()));
        assert!(status == 1 && text.contains("there are zynqmp:cci"), "{text}");
        assert!(target("cci400").expect("an IP").instance.is_none());
    }
}
