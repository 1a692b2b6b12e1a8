//! The searches that are compared with a plain one.

use super::Plan;

/// How a search is run.
#[derive(Clone, Debug)]
pub struct Way {
    pub arguments: Vec<String>,
    /// It keeps few states and evicts others, so it may take too long.
    pub evicts: bool,
    /// It goes on behind states that break a property, so it may find more.
    pub goes_behind: bool,
}

impl Way {
    fn new(text: &str) -> Self {
        let arguments: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let goes_behind = text.contains("-vdfs --sleep");
        Way { arguments, evicts: false, goes_behind }
    }

    pub fn name(&self) -> String {
        self.arguments.join(" ")
    }

    fn sleeps(&self) -> bool {
        self.arguments.iter().any(|argument| argument.starts_with("--sleep"))
    }
}

/// All searches but the plain one, for a model with this number of states.
pub fn ways(plan: &Plan, states: u64) -> Vec<Way> {
    let mut ways: Vec<Way> = [
        "--sleep -j1",
        "--sleep -j2 --threads-from 1",
        "--sleep -b -j1",
        "--compress-paths -j1",
        "--compress-paths -j2 --threads-from 1",
        "-vdfs",
        "-vdfs --compress-paths",
        "-vdfs --sleep",
        "-vdfs --sleep -b",
        "-vdfs --sleep=path",
    ]
    .map(Way::new)
    .into();
    for sleep in ["", "--sleep", "--sleep=path"] {
        for fraction in &plan.fractions {
            let entries = ((states as f64 * fraction) as u64).max(1);
            ways.extend(plan.policies.iter().map(|policy| {
                let text =
                    format!("-vdfs {sleep} --cache-states {entries} --replace {policy} --seed {}", plan.seed);
                Way { evicts: true, ..Way::new(&text) }
            }));
        }
    }
    ways.retain(|way| !(plan.symmetry && way.sleeps()));
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_those_that_can_be_compared() {
        let policies = vec!["small".to_owned(), "type".to_owned()];
        let mut plan =
            Plan { fractions: vec![0.5, 0.1], policies, states: 1, most: 1, symmetry: false, seed: 1 };
        let names = |plan: &Plan| ways(plan, 100).iter().map(Way::name).collect::<Vec<_>>();
        assert_eq!(names(&plan).len(), 10 + 3 * 2 * 2);
        assert!(
            names(&plan).contains(&"-vdfs --sleep=path --cache-states 10 --replace type --seed 1".into())
        );
        assert!(ways(&plan, 100).iter().all(|way| way.evicts == way.name().contains("cache")));
        plan.symmetry = true;
        assert!(names(&plan).iter().all(|name| !name.contains("sleep")));
        assert_eq!(names(&plan).len(), 4 + 4);
    }
}
