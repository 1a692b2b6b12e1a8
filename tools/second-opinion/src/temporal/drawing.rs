//! Small models as tables: which rule leads from which state where, and what follows from
//! priorities, assumptions and fairness.

use crate::random::Random;

/// How instances of a rule are to be treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    None,
    Weak,
    Strong,
}

/// A rule with its instances.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: &'static str,
    pub priority: u32,
    pub fairness: Fairness,
    /// For each instance and state, where it leads.
    pub leads: Vec<Vec<Option<usize>>>,
}

/// A model of one variable.
#[derive(Clone, Debug)]
pub struct Table {
    pub states: usize,
    pub starts: Vec<usize>,
    pub rules: Vec<Rule>,
    /// States that break the assumption of the model.
    pub excluded: Vec<bool>,
}

/// What happens in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The position of the rule, and which instance; none where the run stays for ever.
    pub fires: Option<(usize, usize)>,
    pub to: usize,
}

const NAMES: [&str; 3] = ["a", "b", "c"];
/// Spin's automata grow fast with the conditions of fairness.
const MOST_FAIR: usize = 2;

pub fn draw(random: &mut Random) -> Table {
    let states = random.between(2, 6) as usize;
    let excludes = random.percent(25);
    let excluded = (0..states).map(|state| excludes && state > 0 && random.percent(25)).collect();
    let prioritises = random.percent(25);
    let mut fair = if random.percent(60) { random.below(MOST_FAIR + 1) } else { 0 };
    let density = random.between(20, 55) as usize;
    let count = random.between(1, 3) as usize;
    let rules = (0..count).map(|at| {
        let instances = 1 + usize::from(random.percent(35));
        let one = |random: &mut Random| random.percent(density).then(|| random.below(states));
        let leads = (0..instances).map(|_| (0..states).map(|_| one(random)).collect()).collect();
        let priority = if prioritises { random.below(2) as u32 } else { 0 };
        let fairness = match fair >= instances {
            true => *random.pick(&[Fairness::Weak, Fairness::Strong]),
            false => Fairness::None,
        };
        if fairness != Fairness::None {
            fair -= instances;
        }
        Rule { name: NAMES[at], priority, fairness, leads }
    });
    let rules = rules.collect();
    let mut starts = vec![0];
    if random.percent(20) {
        starts.push(states - 1);
    }
    Table { states, starts, rules, excluded }
}

impl Table {
    /// The instances that fire in a state: guards, then priorities, then the assumption.
    pub fn edges(&self, state: usize) -> Vec<Edge> {
        let mut enabled = Vec::new();
        for (at, rule) in self.rules.iter().enumerate() {
            for (instance, leads) in rule.leads.iter().enumerate() {
                if let Some(to) = leads[state] {
                    enabled.push((rule.priority, Edge { fires: Some((at, instance)), to }));
                }
            }
        }
        let Some(first) = enabled.iter().map(|(priority, _)| *priority).min() else {
            return vec![Edge { fires: None, to: state }];
        };
        let first = enabled.into_iter().filter(|(priority, _)| *priority == first);
        first.map(|(_, edge)| edge).filter(|edge| !self.excluded[edge.to]).collect()
    }

    /// The start states that count.
    pub fn starts(&self) -> Vec<usize> {
        self.starts.iter().copied().filter(|start| !self.excluded[*start]).collect()
    }

    /// The fair instances.
    pub fn fair(&self) -> Vec<(usize, usize, Fairness)> {
        let rules = self.rules.iter().enumerate();
        let instances = rules
            .flat_map(|(at, rule)| (0..rule.leads.len()).map(move |instance| (at, instance, rule.fairness)));
        instances.filter(|(_, _, fairness)| *fairness != Fairness::None).collect()
    }

    /// Whether an instance would change a state.
    pub fn changes(&self, state: usize, rule: usize, instance: usize) -> bool {
        self.edges(state).iter().any(|edge| edge.fires == Some((rule, instance)) && edge.to != state)
    }
}
