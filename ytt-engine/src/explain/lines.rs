//! Numbers of lines of the output.

/// The first and the last number of each run of lines, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines(Vec<(usize, usize)>);

impl Lines {
    /// Adds a run that does not begin before the last one.
    pub(super) fn add_run(&mut self, first: usize, last: usize) {
        match self.0.last_mut() {
            Some(run) if first <= run.1.saturating_add(1) => run.1 = run.1.max(last),
            _ => self.0.push((first, last)),
        }
    }

    pub(super) fn union<'l>(all: impl Iterator<Item = &'l Lines>) -> Lines {
        let mut runs: Vec<(usize, usize)> = all.flat_map(|lines| &lines.0).copied().collect();
        runs.sort_unstable();
        let mut union = Lines::default();
        runs.into_iter().for_each(|(first, last)| union.add_run(first, last));
        union
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.iter().copied()
    }

    pub(super) fn count(&self) -> usize {
        let lengths = self.runs().map(|(first, last)| last.saturating_add(1).saturating_sub(first));
        lengths.fold(0, usize::saturating_add)
    }
}
