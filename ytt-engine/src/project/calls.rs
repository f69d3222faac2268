//! Steps that only calls of a macro and builders take.

use super::Project;
use super::given::{GivenStep, Key};
use crate::diag::Voice;

impl Project {
    /// Makes reports speak of what this reader wrote, where it was not `Project`.
    pub(crate) fn spoken(self, voice: Voice) -> Project {
        self.with(|steps| steps.voice = voice)
    }

    /// As [`Project::data_value_env`], or with `yaml` as [`Project::data_value_env_yaml`], for a key whose parts are
    /// known: dots in them are part of a name, and a first part with `@` in front is a library.
    ///
    /// What is wrong is at [`Origin::Rust`](crate::source::Origin::Rust) of this step: the span of the first label starts
    /// at 0 for the value, and at `i + 1` for part `i` of `key`.
    #[track_caller]
    pub(crate) fn data_value_variable(
        self,
        key: &[String],
        variable: &str,
        text: Option<String>,
        yaml: bool,
    ) -> Project {
        self.give(GivenStep::variable(Key::Parts(key.to_vec()), variable, text, yaml))
    }
}
