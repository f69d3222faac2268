//! How generated code names the run-time half of the engine.

use std::path::Path;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use ytt_engine::codegen::call::Call;
use ytt_engine::codegen::manifest;

/// What `ytt_engine` is called in a package: as the call says, or as the manifest does.
pub(crate) fn engine(call: &Call, package: &Path) -> Option<TokenStream> {
    if let Some(path) = &call.engine {
        return Some(path.clone());
    }
    let text = std::fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
    let name = manifest::engine_name(&text, &manifest::workspace_manifest(package))?;
    let name = Ident::new(&name, Span::call_site());
    Some(quote!(::#name))
}

/// What is said if there is no name.
pub(crate) fn missing_engine() -> String {
    manifest::missing_engine("`crate = path`")
}
