//! How many findings each check may have in each group: `ratchet.txt`, a line `check group count`
//! for each that has any.

use crate::checks::{CHECKS, Check, Finding};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Findings that are shown of a group that has too many.
const SHOWN: usize = 12;

/// The counts that are allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ratchet(BTreeMap<(String, String), usize>);

/// Where the counts stand.
pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ratchet.txt")
}

impl Ratchet {
    /// Lines that cannot be read allow nothing.
    pub fn parse(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let counts = lines.filter_map(|line| {
            let mut words = line.split_whitespace();
            let (check, group) = (words.next()?, words.next()?);
            Some(((check.to_owned(), group.to_owned()), words.next()?.parse().ok()?))
        });
        Ratchet(counts.collect())
    }

    fn allowed(&self, check: Check, group: &str) -> usize {
        self.0.get(&(check.name().to_owned(), group.to_owned())).copied().unwrap_or(0)
    }

    /// The groups that have more findings than they may, in words.
    pub fn judge(&self, check: Check, findings: &[Finding]) -> Result<(), String> {
        let mut text = String::new();
        for (group, found) in grouped(findings) {
            let allowed = self.allowed(check, group);
            if found.len() <= allowed {
                continue;
            }
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{} in {group}: {} found, {allowed} allowed", check.name(), found.len());
            for Finding { path, line, message, .. } in found.iter().take(SHOWN) {
                let _ = writeln!(text, "  {path}:{line}: {message}");
            }
        }
        if text.is_empty() {
            return Ok(());
        }
        let command = "cargo run -p mcc-conventions --";
        let _ = writeln!(text, "`{command} {} FOLDER` lists all of a folder", check.name());
        Err(text)
    }

    /// Each count, lowered to what was found. None rises, but for checks that had no line at all.
    #[must_use]
    pub fn lowered(&self, check: Check, findings: &[Finding]) -> Self {
        let is_new = self.0.keys().all(|(name, _)| name != check.name());
        let mut counts = self.0.clone();
        counts.retain(|(name, _), _| name != check.name());
        for (group, found) in grouped(findings) {
            let allowed = if is_new { found.len() } else { self.allowed(check, group).min(found.len()) };
            if allowed > 0 {
                counts.insert((check.name().to_owned(), group.to_owned()), allowed);
            }
        }
        Ratchet(counts)
    }

    pub fn render(&self) -> String {
        let mut text = String::from(
            "# Findings that each check may have in each folder. The counts may fall and must not rise:\n\
             # `cargo run -p mcc-conventions -- --lower` lowers them to what there is.\n",
        );
        for check in CHECKS.map(Check::name) {
            for ((_, group), count) in self.0.iter().filter(|((name, _), _)| name == check) {
                let _ = writeln!(text, "{check} {group} {count}");
            }
        }
        text
    }
}

fn grouped(findings: &[Finding]) -> BTreeMap<&str, Vec<&Finding>> {
    let mut groups: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        groups.entry(&finding.group).or_default().push(finding);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(group: &str, count: usize) -> Vec<Finding> {
        let finding = Finding {
            group: group.to_owned(),
            path: format!("{group}/a.rs"),
            line: 1,
            message: "120 columns".to_owned(),
        };
        vec![finding; count]
    }

    #[test]
    fn counts_fall_and_do_not_rise() {
        let ratchet = Ratchet::parse("# head\nwidth runtime 3\n");
        assert_eq!(ratchet.judge(Check::Width, &findings("runtime", 3)), Ok(()));
        let many = ratchet.judge(Check::Width, &findings("runtime", 4)).unwrap_err();
        assert!(many.contains("width in runtime: 4 found, 3 allowed"), "{many}");
        assert!(ratchet.judge(Check::Width, &findings("compiler", 1)).is_err());
        assert_eq!(ratchet.lowered(Check::Width, &findings("runtime", 9)), ratchet);
        let lower = ratchet.lowered(Check::Width, &findings("runtime", 2));
        assert!(lower.render().contains("width runtime 2\n"));
        assert_eq!(Ratchet::parse(&lower.render()), lower);
        assert!(lower.lowered(Check::Width, &[]).render().lines().all(|line| line.starts_with('#')));
    }
}
