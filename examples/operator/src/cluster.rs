//! What objects are applied to.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use serde_json::Value;

/// What applying an object did, in the words of kubectl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Created,
    Configured,
    Unchanged,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Change::Created => "created",
            Change::Configured => "configured",
            Change::Unchanged => "unchanged",
        })
    }
}

/// A cluster: the one seam between the operator and the world.
pub trait Cluster {
    /// Makes an object what it should be.
    fn apply(&mut self, kind: &str, name: &str, json: Value) -> io::Result<Change>;
}

/// A cluster that is only remembered. All its objects are in one namespace.
#[derive(Debug, Default)]
pub struct Memory {
    objects: BTreeMap<(String, String), Value>,
}

impl Cluster for Memory {
    fn apply(&mut self, kind: &str, name: &str, json: Value) -> io::Result<Change> {
        let key = (kind.to_owned(), name.to_owned());
        Ok(match self.objects.get(&key) {
            Some(known) if *known == json => Change::Unchanged,
            known => {
                let change = if known.is_some() { Change::Configured } else { Change::Created };
                self.objects.insert(key, json);
                change
            }
        })
    }
}

/// Prints each object as one line of JSON, and changes nothing.
pub struct DryRun<'a> {
    pub out: &'a mut dyn Write,
}

impl Cluster for DryRun<'_> {
    fn apply(&mut self, _kind: &str, _name: &str, json: Value) -> io::Result<Change> {
        writeln!(self.out, "{json}")?;
        Ok(Change::Unchanged)
    }
}
