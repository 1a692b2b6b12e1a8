//! Loops over scalarsets whose iterations depend on each other.
use super::model::Model;
use crate::diagnostics::Diagnostic;
pub(super) fn warn(_model: &Model, _diagnostics: &mut Vec<Diagnostic>) {}
