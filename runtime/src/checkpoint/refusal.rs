//! The messages for a directory of checkpoints that cannot be used: why, and what to do instead.

use super::directory::DirectoryError;
use super::manifest::{Difference, FORMAT, Manifest, ManifestError};
use crate::refusal::Refusal;
use crate::text::{place, printable};
use std::path::Path;

fn fresh(directory: &Path) -> String {
    format!("begin anew, with another --checkpoint-directory or after removing {}", place(directory))
}

/// A directory that cannot be used at all.
pub fn unusable(option: &'static str, directory: &Path, unusable: &DirectoryError) -> Refusal {
    let place = place(directory);
    let (why, instead) = match unusable {
        DirectoryError::InUse => (
            format!("another process uses {place}"),
            "wait until it has ended, or another directory".to_owned(),
        ),
        DirectoryError::Failed(error) => {
            (format!("{place} cannot be used: {error}"), "another directory, or other permissions".to_owned())
        }
        DirectoryError::Manifest(ManifestError::Foreign) => (
            format!("{place} has a file called manifest that is none of ours"),
            "another directory".to_owned(),
        ),
        DirectoryError::Manifest(ManifestError::Format(format)) => (
            format!(
                "the checkpoint in {place} has format {format}, and this verifier reads format \
                 {FORMAT}"
            ),
            format!("the verifier that wrote it, or {}", fresh(directory)),
        ),
        DirectoryError::Manifest(ManifestError::Damaged) => (
            format!("the checkpoint in {place} is damaged: its manifest is not what was written"),
            fresh(directory),
        ),
        DirectoryError::Manifest(ManifestError::Implausible(field)) => (
            format!(
                "the checkpoint in {place} is damaged: no search writes such a value of \
                 \"{field}\" into its manifest"
            ),
            fresh(directory),
        ),
        DirectoryError::Missing(name) => (
            format!("the checkpoint in {place} is damaged: the file {} is missing", printable(name)),
            fresh(directory),
        ),
        DirectoryError::Length { name, expected, found } => (
            format!(
                "the checkpoint in {place} is damaged: the file {} has {found} bytes instead of \
                 {expected}",
                printable(name)
            ),
            fresh(directory),
        ),
    };
    Refusal::of(option, why).instead(instead)
}

/// A search that would begin where another one was saved.
pub fn occupied(directory: &Path, manifest: &Manifest) -> Refusal {
    let (place, standing) = (place(directory), &manifest.standing);
    let why = format!(
        "there is a checkpoint of {} in {place} already, of level {} with {} states",
        printable(&manifest.identity.model),
        standing.level,
        standing.states
    );
    Refusal::of("--checkpoint", why).instead(format!(
        "--resume {place} to go on from there, another --checkpoint-directory, or remove {place}"
    ))
}

/// There is nothing to go on from.
pub fn empty(directory: &Path) -> Refusal {
    let place = place(directory);
    Refusal::of("--resume", format!("there is no checkpoint in {place}")).instead(format!(
        "the directory that was named when the search began, or begin it: --checkpoint 30 \
         --checkpoint-directory {place}"
    ))
}

/// A checkpoint of another search.
pub fn different(directory: &Path, differences: &[Difference], command: String) -> Refusal {
    let why = format!("the checkpoint in {} belongs to another search", place(directory));
    let mut refusal = Refusal::of("--resume", why);
    for Difference { what, there, here } in differences {
        let [what, there, here] = [what, there, here].map(|text| printable(text));
        refusal = refusal.detail(format!("{what}: {there} there, {here} here"));
    }
    refusal.instead(command).instead(fresh(directory))
}
