//! Problems in specs: problems of the language, and the files of an IP.

pub use arm_pmu_spec::problem::{File, Files, Place, Problem, Problems, Source};

/// The source files of one IP.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The name of the IP.
    pub ip: String,
    /// Its own file, or its architecture's.
    pub registers: Source,
    /// The file in the directory with the shared rows. Without text if there is none.
    pub common_registers: Source,
    pub events: Source,
    /// The events that all implementations of the architecture can have. Without text if there are none.
    pub common_events: Source,
    /// Without text if there is none: an IP need not have findings.
    pub findings: Source,
    /// The file of the architecture.
    pub shared_findings: Source,
    /// The file of all IPs.
    pub common_findings: Source,
    /// Without a text if the IP has no metrics.
    pub metrics: Source,
    /// The file of the architecture.
    pub common_metrics: Source,
    /// Without a text if the IP has no aliases.
    pub aliases: Source,
}

#[cfg(test)]
impl Sources {
    /// All files.
    pub fn all_mut(&mut self) -> [&mut Source; 10] {
        let Self {
            ip: _,
            registers,
            common_registers,
            events,
            common_events,
            findings,
            shared_findings,
            common_findings,
            metrics,
            common_metrics,
            aliases,
        } = self;
        [
            registers,
            common_registers,
            events,
            common_events,
            metrics,
            common_metrics,
            aliases,
            findings,
            shared_findings,
            common_findings,
        ]
    }
}

impl Files for Sources {
    fn get(&self, file: File) -> &Source {
        match file {
            File::Registers => &self.registers,
            File::CommonRegisters => &self.common_registers,
            File::Events => &self.events,
            File::CommonEvents => &self.common_events,
            File::Findings => &self.findings,
            File::SharedFindings => &self.shared_findings,
            File::CommonFindings => &self.common_findings,
            File::Metrics => &self.metrics,
            File::CommonMetrics => &self.common_metrics,
            File::Aliases => &self.aliases,
            File::Platform => unreachable!("a platform is no file of an IP"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::good;

    #[test]
    fn as_many_are_shown_as_anybody_reads() {
        let shown = |count| {
            let mut sources = good::sources("demo");
            let text = sources.events.text.as_mut().expect("a good spec");
            let wrong = format!("reserved_sources: [{}]", vec!["x"; count].join(", "));
            *text = text.replace("reserved_sources: [0x3]", &wrong);
            let mut problems = good::load(&sources).1;
            let text = good::render(&mut problems, &sources);
            let last = text.lines().last().filter(|line| line.starts_with("and "));
            (text.matches("error: `x` is not").count(), last.map(str::to_owned))
        };
        assert_eq!(shown(50), (50, None));
        assert_eq!(shown(51), (50, Some("and 1 more: fix these first".to_owned())));
    }
}
