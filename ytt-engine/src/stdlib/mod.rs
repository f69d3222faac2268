//! Contract only; replaced by the branch `stdlib`.
use crate::eval::ModuleFn;
/// The module of that name.
pub(crate) fn module(_name: &str) -> Option<ModuleFn> {
    None
}
