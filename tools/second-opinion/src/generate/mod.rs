//! Draws a model at random: well typed, small, and made so that most searches of its states end.
//!
//! - [`types`]: the types that a model declares
//! - [`scope`]: what can be named where, and the places that a name reaches
//! - [`expressions`], [`statements`], [`functions`], [`rules`]: one for each part of the language
//! - [`undefined`]: comparisons of what is undefined now and then
//! - [`processes`]: models of another kind, of processes and buffers
//! - [`asymmetric`]: loops over scalarsets that may show their order
//! - [`optimised`]: models of the shapes that optimisations key on
//!
//! What is drawn is not always accepted by the checker; such a model is left out, and counted.

mod asymmetric;
mod expressions;
mod functions;
mod optimised;
mod processes;
mod rules;
mod scope;
mod statements;
mod symmetric;
pub mod types;
mod undefined;

use crate::random::Random;
use crate::tree;
use crate::tree::Tree;
use functions::Function;
use scope::Variable;
use std::collections::BTreeSet;
use types::{Kind, Type, TypeId, Types};

/// What a model may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The whole language.
    Full,
    /// What Rumur accepts, and where it means the same.
    Rumur,
    /// The whole language, with much in it that has to do with scalarsets.
    Symmetric,
    /// Processes and buffers, see [`processes`].
    Processes,
    /// Loops that may show their order, see [`asymmetric`].
    Asymmetric,
    /// What optimisations key on, see [`optimised`].
    Optimised,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    Rule,
    Procedure,
    Function(TypeId),
}

/// A model that was drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub seed: u64,
    pub dialect: Dialect,
    pub tree: Tree,
    /// Whether a deadlock is an error.
    pub deadlock: bool,
    /// What it contains, as far as it was drawn on purpose; see [`crate::survey::FEATURES`].
    pub features: BTreeSet<&'static str>,
}

pub struct Generator {
    features: BTreeSet<&'static str>,
    random: Random,
    dialect: Dialect,
    /// How many of a hundred choices may go wrong when the model runs.
    risk: usize,
    /// States larger than a cache line are wanted.
    wide: bool,
    /// Names may hide others.
    shadows: bool,
    priorities: bool,
    types: Types,
    constants: Vec<(String, i64)>,
    functions: Vec<Function>,
    scope: Vec<Variable>,
    /// Names that must not be given again here.
    fixed_names: Vec<String>,
    names: usize,
    /// How many more statements may be drawn that hold others.
    statements: usize,
    loops: usize,
    /// How many indices are being drawn, one inside the other.
    indices: usize,
    body: Body,
    globals_writable: bool,
    /// Nothing may be changed here, not even through a `var` parameter.
    pure: bool,
}

/// The model of a seed.
pub fn draw(seed: u64, dialect: Dialect) -> Drawn {
    match dialect {
        Dialect::Processes => return processes::draw(seed),
        Dialect::Optimised => return optimised::draw(seed),
        Dialect::Asymmetric => return asymmetric::draw(seed),
        Dialect::Full | Dialect::Rumur | Dialect::Symmetric => {}
    }
    let mut random = Random::new(seed);
    let mut generator = Generator {
        risk: *random.pick(&[0, 0, 1, 2, 4, 8]),
        wide: dialect != Dialect::Symmetric && random.percent(15),
        shadows: random.percent(60),
        priorities: dialect != Dialect::Rumur && random.percent(15),
        random,
        features: BTreeSet::new(),
        dialect,
        types: Types::default(),
        constants: Vec::new(),
        functions: Vec::new(),
        scope: Vec::new(),
        fixed_names: Vec::new(),
        names: 0,
        statements: 30,
        loops: 0,
        indices: 0,
        body: Body::Rule,
        globals_writable: true,
        pure: false,
    };
    let deadlock = generator.random.percent(45);
    let tree = generator.model();
    Drawn { seed, dialect, tree, deadlock, features: generator.features }
}

impl Generator {
    fn note(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    fn is_full(&self) -> bool {
        self.dialect != Dialect::Rumur
    }

    fn risky(&mut self) -> bool {
        self.random.percent(self.risk)
    }

    /// True with a probability of `percent`, and false in models that must not fail.
    fn daring(&mut self, percent: usize) -> bool {
        self.risk > 0 && self.random.percent(percent)
    }

    /// A range with these bounds, written out where it is used.
    fn range_type(&mut self, low: i64, high: i64) -> TypeId {
        let is_it = |ty: &Type| {
            ty.name.is_none() && matches!(ty.kind, Kind::Range(least, most) if (least, most) == (low, high))
        };
        match self.types.list.iter().position(is_it) {
            Some(known) => known,
            None => {
                self.types.list.push(Type { name: None, kind: Kind::Range(low, high) });
                self.types.list.len() - 1
            }
        }
    }

    fn model(&mut self) -> Tree {
        self.choose_types();
        for at in 0..self.random.below(3) {
            let value = self.random.between(-2, 4);
            self.constants.push((format!("c{at}"), value));
        }
        let declared = self.types.list.len();
        let variables = self.variables();
        let mut functions = Vec::new();
        for _ in 0..self.random.below(4) {
            functions.extend(self.function());
        }
        let mut rules = vec![self.start()];
        if self.random.percent(15) {
            rules.push(self.start());
        }
        if self.dialect == Dialect::Symmetric {
            for _ in 0..self.random.between(2, 4) {
                rules.push(self.symmetric_rule());
            }
        }
        for _ in 0..self.random.between(1, 4) {
            rules.extend(self.rules(2));
        }
        if self.random.percent(80) {
            rules.extend(self.tick());
        }
        for _ in 0..self.random.below(3) {
            rules.push(self.property());
        }

        let undefined = self.undefined_part();

        let constants = self.constants.iter();
        let mut items: Vec<Tree> =
            constants.map(|(name, value)| tree!(Fixed, format!("const {name}: {value};\n"))).collect();
        for ty in 0..declared {
            if let Some(name) = &self.types.list[ty].name {
                items.push(tree!(Fixed, format!("type {name}: "), self.types.definition(ty), ";\n"));
            }
        }
        let mut rest = variables;
        rest.extend(functions);
        rest.extend(rules);
        // Names of types and constants have to be known before; the rest comes in any order, though
        // not in Rumur.
        if self.is_full() && self.random.percent(20) {
            self.random.shuffle(&mut rest);
        }
        items.extend(undefined);
        items.extend(rest);
        Tree::list(items)
    }

    fn variables(&mut self) -> Vec<Tree> {
        let count = match self.dialect {
            Dialect::Full
            | Dialect::Rumur
            | Dialect::Processes
            | Dialect::Asymmetric
            | Dialect::Optimised => *self.random.pick(&[1, 1, 2, 2, 3, 4]),
            Dialect::Symmetric => *self.random.pick(&[2, 3, 3, 4]),
        };
        let mut declarations = Vec::new();
        let mut most = match self.dialect {
            Dialect::Symmetric => 12,
            Dialect::Full
            | Dialect::Rumur
            | Dialect::Processes
            | Dialect::Asymmetric
            | Dialect::Optimised
                if self.wide =>
            {
                200
            }
            Dialect::Full
            | Dialect::Rumur
            | Dialect::Processes
            | Dialect::Asymmetric
            | Dialect::Optimised => 8,
        };
        for at in 0..count {
            let small = count == 1 && self.random.percent(55);
            let ty = match self.symmetric_variable() {
                Some(ty) => ty,
                None if small && self.random.percent(65) => types::BOOLEAN,
                None if small => self.range_type(3, 3),
                None => self.usable_type(),
            };
            if self.types.leaves(ty) > most {
                continue;
            }
            most -= self.types.leaves(ty);
            let name = format!("v{at}");
            declarations.push(tree!(Fixed, format!("var {name}: "), self.types.spelling(ty), ";\n"));
            self.scope.push(Variable { global: true, ..Variable::named(&name, ty) });
        }
        if self.wide {
            let (name, ty) = (String::from("wide"), self.large_type());
            declarations.push(tree!(Fixed, format!("var {name}: "), self.types.spelling(ty), ";\n"));
            self.scope.push(Variable { global: true, ..Variable::named(&name, ty) });
        }
        declarations
    }
}
