//! Random formulas, in the words of a model and in those of Spin, and their meaning on a run that
//! goes round in a loop.

use super::drawing::Table;
use crate::random::Random;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The state is one of these.
    In(Vec<bool>),
    /// A rule fires, or one instance of it.
    Fired(usize, Option<usize>),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    Release(Box<Formula>, Box<Formula>),
    LeadsTo(Box<Formula>, Box<Formula>),
}

use Formula::{
    Always, And, Eventually, Fired, Implies, In, LeadsTo, Next, Not, Or, Release, Until, WeakUntil,
};

/// One with a temporal operator, since anything else is decided in the start state; and small, as
/// Spin needs long for large ones, to which fairness is added.
pub fn draw(random: &mut Random, table: &Table) -> Formula {
    let fair = table.fair().len();
    loop {
        let depth = random.between(2, 3) as u32;
        let formula = any(random, table, depth);
        if formula.nexts() + fair <= 2 && formula.temporal() && formula.size() + 2 * fair <= 9 {
            return formula;
        }
    }
}

fn any(random: &mut Random, table: &Table, depth: u32) -> Formula {
    if depth == 0 || random.percent(12) {
        return atom(random, table);
    }
    let one = |random: &mut Random| Box::new(any(random, table, depth - 1));
    match random.below(16) {
        0 => Not(one(random)),
        1 => And(one(random), one(random)),
        2 => Or(one(random), one(random)),
        3 => Implies(one(random), one(random)),
        4 | 5 => Next(one(random)),
        6..9 => Always(one(random)),
        9..11 => Eventually(one(random)),
        11 | 12 => Until(one(random), one(random)),
        13 => WeakUntil(one(random), one(random)),
        14 => Release(one(random), one(random)),
        _ => LeadsTo(one(random), one(random)),
    }
}

fn atom(random: &mut Random, table: &Table) -> Formula {
    if random.percent(30) {
        let rule = random.below(table.rules.len());
        let instances = table.rules[rule].leads.len();
        let instance = (instances > 1 && random.percent(60)).then(|| random.below(instances));
        return Fired(rule, instance);
    }
    In((0..table.states).map(|_| random.percent(45)).collect())
}

impl Formula {
    fn parts(&self) -> Vec<&Formula> {
        match self {
            In(_) | Fired(..) => Vec::new(),
            Not(one) | Next(one) | Always(one) | Eventually(one) => vec![one],
            And(left, right)
            | Or(left, right)
            | Implies(left, right)
            | Until(left, right)
            | WeakUntil(left, right)
            | Release(left, right)
            | LeadsTo(left, right) => vec![left, right],
        }
    }

    fn size(&self) -> usize {
        1 + self.parts().iter().map(|part| part.size()).sum::<usize>()
    }

    fn nexts(&self) -> usize {
        usize::from(matches!(self, Next(_))) + self.parts().iter().map(|part| part.nexts()).sum::<usize>()
    }

    fn temporal(&self) -> bool {
        let own = !matches!(self, In(_) | Fired(..) | Not(_) | And(..) | Or(..) | Implies(..));
        own || self.parts().iter().any(|part| part.temporal())
    }

    /// As a model says it.
    pub fn murphi(&self, table: &Table) -> String {
        let of = |one: &Formula| one.murphi(table);
        match self {
            In(states) => {
                let named = states.iter().enumerate().filter(|(_, is_in)| **is_in);
                let named: Vec<String> = named.map(|(state, _)| format!("x = {state}")).collect();
                match named.is_empty() {
                    true => "(x < 0)".to_owned(),
                    false => format!("({})", named.join(" | ")),
                }
            }
            Fired(rule, None) => format!("fired(\"{}\")", table.rules[*rule].name),
            Fired(rule, Some(instance)) => format!("fired(\"{}\", {instance})", table.rules[*rule].name),
            Not(one) => format!("(!{})", of(one)),
            And(left, right) => format!("({} & {})", of(left), of(right)),
            Or(left, right) => format!("({} | {})", of(left), of(right)),
            Implies(left, right) => format!("({} -> {})", of(left), of(right)),
            Next(one) => format!("(next {})", of(one)),
            Always(one) => format!("(always {})", of(one)),
            Eventually(one) => format!("(<> {})", of(one)),
            Until(left, right) => format!("({} until {})", of(left), of(right)),
            WeakUntil(left, right) => format!("({} weakuntil {})", of(left), of(right)),
            Release(left, right) => format!("({} release {})", of(left), of(right)),
            LeadsTo(left, right) => format!("({} ~> {})", of(left), of(right)),
        }
    }

    /// As Spin says it; `atom` names the propositions, and `bit` one that changes with each step.
    pub fn spin(&self, atom: &mut dyn FnMut(&Formula) -> String, bit: &str) -> String {
        match self {
            In(_) | Fired(..) => atom(self),
            Not(one) => format!("(! {})", one.spin(atom, bit)),
            And(left, right) => format!("({} && {})", left.spin(atom, bit), right.spin(atom, bit)),
            Or(left, right) => format!("({} || {})", left.spin(atom, bit), right.spin(atom, bit)),
            Implies(left, right) => format!("({} -> {})", left.spin(atom, bit), right.spin(atom, bit)),
            // Not every Spin has an operator for it.
            Next(one) => {
                let one = one.spin(atom, bit);
                format!("(({bit} && ({bit} U (!{bit} && {one}))) || (!{bit} && (!{bit} U ({bit} && {one}))))")
            }
            Always(one) => format!("([] {})", one.spin(atom, bit)),
            Eventually(one) => format!("(<> {})", one.spin(atom, bit)),
            Until(left, right) => format!("({} U {})", left.spin(atom, bit), right.spin(atom, bit)),
            WeakUntil(left, right) => {
                let (left, right) = (left.spin(atom, bit), right.spin(atom, bit));
                format!("(({left} U {right}) || ([] {left}))")
            }
            Release(left, right) => format!("({} V {})", left.spin(atom, bit), right.spin(atom, bit)),
            LeadsTo(left, right) => {
                format!("([] ({} -> (<> {})))", left.spin(atom, bit), right.spin(atom, bit))
            }
        }
    }

    /// The value at each position of a run, which goes on from its last position at `back`.
    pub fn values(&self, run: &[(usize, Option<(usize, usize)>)], back: usize) -> Vec<bool> {
        let of = |one: &Formula| one.values(run, back);
        let following = |at: usize| if at + 1 < run.len() { at + 1 } else { back };
        // All positions from one on: those behind it, and those of the loop.
        let from = |at: usize| (at.min(back)..run.len()).filter(move |&other| other >= at || other >= back);
        // The positions in the order in which the run comes to them, each once.
        let ahead = |at: usize| {
            let mut order: Vec<usize> = (at..run.len()).collect();
            order.extend(back..at.max(back));
            order
        };
        let until = |left: &[bool], right: &[bool], at: usize| {
            let order = ahead(at);
            let end = order.iter().position(|&one| right[one]);
            end.is_some_and(|end| order[..end].iter().all(|&one| left[one]))
        };
        let each = |value: &dyn Fn(usize) -> bool| (0..run.len()).map(value).collect::<Vec<bool>>();
        match self {
            In(states) => each(&|at| states[run[at].0]),
            Fired(rule, instance) => each(&|at| {
                run[at].1.is_some_and(|(fired, which)| {
                    fired == *rule && instance.is_none_or(|instance| instance == which)
                })
            }),
            Not(one) => of(one).iter().map(|value| !value).collect(),
            And(left, right) => of(left).iter().zip(of(right)).map(|(left, right)| *left && right).collect(),
            Or(left, right) => of(left).iter().zip(of(right)).map(|(left, right)| *left || right).collect(),
            Implies(left, right) => {
                of(left).iter().zip(of(right)).map(|(left, right)| !*left || right).collect()
            }
            Next(one) => {
                let one = of(one);
                each(&|at| one[following(at)])
            }
            Always(one) => {
                let one = of(one);
                each(&|at| from(at).all(|other| one[other]))
            }
            Eventually(one) => {
                let one = of(one);
                each(&|at| from(at).any(|other| one[other]))
            }
            Until(left, right) => {
                let (left, right) = (of(left), of(right));
                each(&|at| until(&left, &right, at))
            }
            WeakUntil(left, right) => {
                let (left, right) = (of(left), of(right));
                each(&|at| until(&left, &right, at) || from(at).all(|other| left[other]))
            }
            Release(left, right) => {
                let (left, right): (Vec<bool>, Vec<bool>) = (
                    of(left).iter().map(|value| !value).collect(),
                    of(right).iter().map(|value| !value).collect(),
                );
                each(&|at| !until(&left, &right, at))
            }
            LeadsTo(left, right) => {
                let (left, right) = (of(left), of(right));
                each(&|at| from(at).all(|one| !left[one] || from(one).any(|other| right[other])))
            }
        }
    }
}
