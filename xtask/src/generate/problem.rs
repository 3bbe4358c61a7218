//! Problems in specs: the reporting that the spec language provides, and the kinds of files of an
//! IP.

pub use arm_pmu_spec::problem::{File, Files, Place, Problems, Source, report};

/// Kinds of files of an IP, in the order of the enum.
pub const KINDS: [File; 10] = [
    // The file of the IP, or of its architecture.
    File::Registers,
    // `registers.yaml` in the directory whose rows the IP shares.
    File::CommonRegisters,
    File::Events,
    File::CommonEvents,
    File::Metrics,
    File::CommonMetrics,
    File::Aliases,
    File::Findings,
    File::SharedFindings,
    File::CommonFindings,
];

/// The source files of one IP. A file that is missing or unreadable has no text.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Name of the IP.
    pub ip: String,
    files: [Source; KINDS.len()],
}

impl Sources {
    pub fn new(ip: &str, file: impl FnMut(File) -> Source) -> Self {
        Self { ip: ip.to_owned(), files: KINDS.map(file) }
    }

    pub fn text(&self, file: File) -> Option<&str> {
        self.get(file).text.as_deref()
    }

    #[cfg(test)]
    pub fn get_mut(&mut self, file: File) -> &mut Source {
        &mut self.files[file as usize]
    }

    #[cfg(test)]
    pub fn all_mut(&mut self) -> &mut [Source] {
        &mut self.files
    }
}

impl Files for Sources {
    fn get(&self, file: File) -> &Source {
        &self.files[file as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::File;
    use crate::tests::good;

    #[test]
    fn problem_output_is_limited() {
        let shown = |count| {
            let mut sources = good::sources("demo");
            let text = sources.get_mut(File::Events).text.as_mut().expect("a good spec");
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
