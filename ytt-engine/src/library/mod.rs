//! Libraries: trees of files, and the runs that render them.

pub(crate) mod report;
pub(crate) mod route;
pub(crate) mod schemas;
mod unused;
pub(crate) mod values;
