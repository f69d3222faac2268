//! `as fields`.
use super::Maker;
use crate::Rendered;
use crate::codegen::call::StaticItem;
use crate::yaml::NodeRef;
use proc_macro2::TokenStream;

pub(super) fn fields(_: &mut Maker<'_>, _: &StaticItem, _: &Rendered, _: &[NodeRef<'_>]) -> TokenStream {
    TokenStream::new()
}
