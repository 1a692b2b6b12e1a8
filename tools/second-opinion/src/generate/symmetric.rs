//! Types for models whose states are to be reduced by symmetry: one to three scalarsets, wherever
//! they may stand.

use crate::generate::types::{BOOLEAN, Kind, TypeId};
use crate::generate::{Dialect, Generator};
use crate::tree;
use crate::tree::Tree;

/// Sizes of scalarsets: few enough permutations in all to try each of them on each state.
const SIZES: [&[i64]; 12] =
    [&[2], &[3], &[3], &[4], &[4], &[2, 2], &[3, 2], &[3, 3], &[2, 4], &[2, 2, 2], &[3, 2, 2], &[2, 3, 3]];

impl Generator {
    pub fn choose_symmetric_types(&mut self) {
        self.add_type(false, Kind::Boolean);
        for (low, high) in [(0, 1), (0, 3)] {
            let named = self.random.percent(50);
            self.add_type(named, Kind::Range(low, high));
        }
        self.new_enum(true);
        let sizes = *self.random.pick(&SIZES);
        let scalarsets: Vec<TypeId> =
            sizes.iter().map(|size| self.add_type(true, Kind::Scalarset(*size))).collect();
        if self.random.percent(60) {
            // Some of the scalarsets, an enum that has a name, one that has none.
            let mut members: Vec<TypeId> = Vec::new();
            for scalarset in &scalarsets {
                if members.is_empty() || self.random.percent(60) {
                    members.push(*scalarset);
                }
            }
            if self.random.percent(40) {
                members.extend((0..scalarsets[0]).filter(|ty| matches!(self.types.kind(*ty), Kind::Enum(_))));
            }
            if members.len() < 2 || self.random.percent(30) {
                let inline = self.new_enum(false);
                members.push(inline);
            }
            self.random.shuffle(&mut members);
            self.add_type(true, Kind::Union(members));
        }
        // What a protocol has: something for each element, a pointer for each, a matrix, a bag of
        // elements.
        let of = |generator: &mut Self| *generator.random.pick(&scalarsets);
        for _ in 0..self.random.between(1, 3) {
            let (index, other) = (of(self), of(self));
            let kind = match self.random.below(8) {
                0 => Kind::Array(index, BOOLEAN),
                1 => Kind::Array(index, other),
                2 if self.types.count(index) * self.types.count(other) <= 9 => {
                    let row = self.add_type(true, Kind::Array(other, BOOLEAN));
                    Kind::Array(index, row)
                }
                3 => Kind::Multiset(self.random.between(1, 3), other),
                4 => {
                    let fields = vec![("f0".to_owned(), other), ("f1".to_owned(), BOOLEAN)];
                    let record = self.add_type(true, Kind::Record(fields));
                    match self.random.below(3) {
                        0 => Kind::Multiset(2, record),
                        1 => Kind::Array(index, record),
                        _ => Kind::Record(vec![("f0".to_owned(), record), ("f1".to_owned(), index)]),
                    }
                }
                5 => {
                    let bag = self.add_type(true, Kind::Multiset(1, other));
                    Kind::Array(index, bag)
                }
                6 => match self.types.list.iter().rposition(|ty| matches!(ty.kind, Kind::Union(_))) {
                    Some(union) if self.types.count(union) <= 6 => match self.random.percent(50) {
                        true => Kind::Array(union, BOOLEAN),
                        false => Kind::Array(index, union),
                    },
                    _ => Kind::Array(index, other),
                },
                _ => {
                    self.new_compound();
                    continue;
                }
            };
            self.add_type(true, kind);
        }
        if self.random.percent(30) {
            self.new_compound();
        }
    }

    /// Often a scalarset or a union, where a simple type is wanted.
    pub fn symmetric_type(&mut self, most: i64) -> Option<TypeId> {
        if self.dialect != Dialect::Symmetric || self.random.percent(40) {
            return None;
        }
        let types = (0..self.types.list.len()).filter(|ty| {
            matches!(self.types.kind(*ty), Kind::Scalarset(_) | Kind::Union(_))
                && self.types.count(*ty) <= most
        });
        let types: Vec<TypeId> = types.collect();
        (!types.is_empty()).then(|| *self.random.pick(&types))
    }

    /// The type of a variable that has to do with scalarsets, where such variables are wanted.
    pub fn symmetric_variable(&mut self) -> Option<TypeId> {
        if self.dialect != Dialect::Symmetric || self.random.percent(25) {
            return None;
        }
        let types = (0..self.types.list.len()).filter(|ty| {
            let index =
                matches!(self.types.kind(*ty), Kind::Array(index, _) if self.types.has_scalarset(*index));
            let inline = self.types.list[*ty].name.is_none();
            !inline && (index || self.types.has_scalarset(*ty)) && (2..=9).contains(&self.types.leaves(*ty))
        });
        let types: Vec<TypeId> = types.collect();
        (!types.is_empty()).then(|| *self.random.pick(&types))
    }

    /// A rule for all elements of the scalarsets, which changes little: that makes for many states.
    pub fn symmetric_rule(&mut self) -> Tree {
        let mark = self.scope.len();
        let mut header = tree!(Fixed, "ruleset ");
        let scalarsets: Vec<TypeId> = (0..self.types.list.len())
            .filter(|ty| matches!(self.types.kind(*ty), Kind::Scalarset(_)))
            .collect();
        for (at, ty) in scalarsets.iter().enumerate() {
            for twice in 0..self.random.between(1, 2) {
                let name = self.fresh_name("p");
                header.parts.push(if at + twice as usize > 0 { "; ".into() } else { "".into() });
                header.parts.push(format!("{name}: ").into());
                header.parts.push(self.types.spelling(*ty).into());
                self.declare_value(&name, *ty);
            }
        }
        header.parts.push(" do\n".into());
        self.names += 1;
        let mut rule = tree!(Rule, format!("rule \"s{}\" ", self.names));
        if self.random.percent(60) {
            self.pure = true;
            self.globals_writable = false;
            let guard = self.boolean(1);
            self.pure = false;
            self.globals_writable = true;
            rule.parts.extend([guard.into(), " ==>\n".into()]);
        }
        let mut statements = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            statements.extend(match self.random.percent(70) {
                true => self.assignment(0),
                false => self.multiset_statement(),
            });
        }
        self.scope.truncate(mark);
        rule.parts.extend(["begin\n".into(), Tree::list(statements).into(), "end;\n".into()]);
        tree!(Rule, header, Tree::list(vec![rule]), "end;\n")
    }
}
