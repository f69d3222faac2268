//! Libraries: trees of files, and the runs that render them.

pub(crate) mod route;
pub(crate) mod schemas;
pub(crate) mod values;
