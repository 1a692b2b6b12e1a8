//! The types of a generated model.

use crate::generate::Generator;
use crate::tree;
use crate::tree::Tree;

/// A position in the list of types.
pub type TypeId = usize;

/// Where booleans stand in every model.
pub const BOOLEAN: TypeId = 0;

/// How deep types nest.
const MAX_NESTING: usize = 3;

#[derive(Clone, Debug)]
pub enum Kind {
    Boolean,
    Range(i64, i64),
    Enum(Vec<String>),
    Scalarset(i64),
    Union(Vec<TypeId>),
    Array(TypeId, TypeId),
    Record(Vec<(String, TypeId)>),
    Multiset(i64, TypeId),
}

#[derive(Clone, Debug)]
pub struct Type {
    /// `None`: written out wherever it is used.
    pub name: Option<String>,
    pub kind: Kind,
}

#[derive(Clone, Debug, Default)]
pub struct Types {
    pub list: Vec<Type>,
}

impl Types {
    pub fn kind(&self, ty: TypeId) -> &Kind {
        &self.list[ty].kind
    }

    pub fn is_simple(&self, ty: TypeId) -> bool {
        !matches!(self.kind(ty), Kind::Array(..) | Kind::Record(_) | Kind::Multiset(..))
    }

    /// The number of values of a simple type, as far as anyone would count.
    pub fn count(&self, ty: TypeId) -> i64 {
        match self.kind(ty) {
            Kind::Boolean => 2,
            Kind::Range(low, high) => high.saturating_sub(*low).saturating_add(1),
            Kind::Enum(members) => members.len() as i64,
            Kind::Scalarset(size) => *size,
            Kind::Union(members) => members.iter().map(|member| self.count(*member)).sum(),
            Kind::Array(..) | Kind::Record(_) | Kind::Multiset(..) => 0,
        }
    }

    /// The number of simple values in a value.
    pub fn leaves(&self, ty: TypeId) -> i64 {
        match self.kind(ty) {
            Kind::Array(index, element) => self.count(*index) * self.leaves(*element),
            Kind::Record(fields) => fields.iter().map(|(_, field)| self.leaves(*field)).sum(),
            Kind::Multiset(capacity, element) => capacity * (1 + self.leaves(*element)),
            _ => 1,
        }
    }

    fn nesting(&self, ty: TypeId) -> usize {
        match self.kind(ty) {
            Kind::Array(_, inner) | Kind::Multiset(_, inner) => 1 + self.nesting(*inner),
            Kind::Record(fields) => {
                1 + fields.iter().map(|(_, field)| self.nesting(*field)).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// Whether `clear` is refused.
    pub fn has_scalarset(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            Kind::Scalarset(_) => true,
            Kind::Union(members) => members.iter().any(|member| self.has_scalarset(*member)),
            Kind::Array(_, inner) | Kind::Multiset(_, inner) => self.has_scalarset(*inner),
            Kind::Record(fields) => fields.iter().any(|(_, field)| self.has_scalarset(*field)),
            Kind::Boolean | Kind::Range(..) | Kind::Enum(_) => false,
        }
    }

    /// The type as it is written where it is used.
    pub fn spelling(&self, ty: TypeId) -> Tree {
        match &self.list[ty].name {
            Some(name) => tree!(Fixed, name.clone()),
            None => self.definition(ty),
        }
    }

    /// The type written out.
    pub fn definition(&self, ty: TypeId) -> Tree {
        match self.kind(ty) {
            Kind::Boolean => tree!(Fixed, "boolean"),
            Kind::Range(i64::MIN, high) => {
                tree!(TypeExpression, format!("-{} - 1..{high}", i64::MAX))
            }
            Kind::Range(low, high) => tree!(TypeExpression, format!("{low}..{high}")),
            Kind::Enum(members) => tree!(TypeExpression, format!("enum {{ {} }}", members.join(", "))),
            Kind::Scalarset(size) => tree!(TypeExpression, format!("scalarset({size})")),
            Kind::Union(members) => {
                let mut union = tree!(TypeExpression, "union { ");
                for (at, member) in members.iter().enumerate() {
                    union.parts.push(if at > 0 { ", ".into() } else { "".into() });
                    union.parts.push(self.spelling(*member).into());
                }
                union.parts.push(" }".into());
                union
            }
            Kind::Array(index, element) => {
                tree!(TypeExpression, "array [", self.spelling(*index), "] of ", self.spelling(*element))
            }
            Kind::Record(fields) => {
                let fields = fields.iter();
                let fields =
                    fields.map(|(name, ty)| tree!(Fixed, format!("{name}: "), self.spelling(*ty), "; "));
                tree!(TypeExpression, "record ", Tree::list(fields.collect()), "end")
            }
            Kind::Multiset(capacity, element) => {
                tree!(TypeExpression, format!("multiset [{capacity}] of "), self.spelling(*element))
            }
        }
    }
}

impl Generator {
    pub fn add_type(&mut self, named: bool, kind: Kind) -> TypeId {
        let name = named.then(|| format!("t{}", self.types.list.len()));
        self.types.list.push(Type { name, kind });
        self.types.list.len() - 1
    }

    pub fn new_enum(&mut self, named: bool) -> TypeId {
        let first = self.types.list.len();
        let count = self.random.between(1, 4);
        let members = (0..count).map(|member| format!("e{first}_{member}")).collect();
        self.add_type(named, Kind::Enum(members))
    }

    pub fn new_range(&mut self) -> TypeId {
        let narrow = [(0, 1), (0, 2), (0, 3), (-2, 1), (-3, -1), (5, 5), (0, 0), (1, 3), (-1, 0), (7, 9)];
        let middle = [(0, 254), (0, 255), (-128, 127), (0, 300), (-40000, 40000), (0, 65534), (1, 1 << 30)];
        let full = [
            (i64::MIN, i64::MAX),
            (i64::MIN, i64::MAX),
            (i64::MIN, i64::MAX),
            (i64::MIN, i64::MAX - 1),
            (i64::MIN + 1, i64::MAX),
            (0, i64::MAX),
            (i64::MIN, -1),
            (-1, i64::MAX - 2),
            (i64::MAX - 1, i64::MAX),
            (0, (1 << 32) - 2),
            (1, 1 << 32),
        ];
        let (low, high) = match self.random.below(100) {
            0..70 => *self.random.pick(&narrow),
            70..80 => *self.random.pick(&middle),
            _ if self.is_full() => *self.random.pick(&full),
            _ => (-(1 << 30), 1 << 30),
        };
        let named = self.random.percent(60);
        self.add_type(named, Kind::Range(low, high))
    }

    /// Fills the list of types.
    pub fn choose_types(&mut self) {
        if self.dialect == super::Dialect::Symmetric {
            return self.choose_symmetric_types();
        }
        self.add_type(false, Kind::Boolean);
        for _ in 0..self.random.between(1, 3) {
            self.new_range();
        }
        for _ in 0..self.random.below(3) {
            self.new_enum(true);
        }
        for _ in 0..*self.random.pick(&[0, 0, 1, 1, 2]) {
            let size = self.random.between(1, 3);
            self.add_type(true, Kind::Scalarset(size));
        }
        if self.is_full() && self.random.percent(45) {
            let members = (0..self.types.list.len())
                .filter(|ty| matches!(self.types.kind(*ty), Kind::Enum(_) | Kind::Scalarset(_)));
            let mut members: Vec<TypeId> = members.collect();
            if members.is_empty() || self.random.percent(40) {
                let inline = self.new_enum(false);
                members.push(inline);
            }
            self.random.shuffle(&mut members);
            self.add_type(true, Kind::Union(members));
        }
        for _ in 0..1 + self.random.below(5) {
            self.new_compound();
        }
    }

    pub fn new_compound(&mut self) {
        let most = if self.wide { 160 } else { 10 };
        let fits = |generator: &Generator, ty: TypeId, times: i64| {
            let types = &generator.types;
            types.nesting(ty) < MAX_NESTING && types.leaves(ty).saturating_mul(times) <= most
        };
        let inner = self.usable_type();
        let kind = match self.random.below(if self.is_full() { 12 } else { 8 }) {
            0..4 => {
                let index = self.simple_type(if self.wide { 20 } else { 4 });
                if !fits(self, inner, self.types.count(index)) {
                    return;
                }
                Kind::Array(index, inner)
            }
            4..8 => {
                let mut fields = Vec::new();
                for at in 0..self.random.between(1, 3) {
                    let ty = self.usable_type();
                    let taken: i64 = fields.iter().map(|(_, ty)| self.types.leaves(*ty)).sum();
                    if fits(self, ty, 1) && taken + self.types.leaves(ty) <= most {
                        // Fields may be called like variables.
                        let name = if self.random.percent(20) { "v" } else { "f" };
                        fields.push((format!("{name}{at}"), ty));
                    }
                }
                Kind::Record(fields)
            }
            _ => {
                let capacity = self.random.between(1, 3);
                if !fits(self, inner, capacity + 1) {
                    return;
                }
                Kind::Multiset(capacity, inner)
            }
        };
        let named = self.random.percent(75);
        self.add_type(named, kind);
    }

    /// An array that takes more than 64 bytes.
    pub fn large_type(&mut self) -> TypeId {
        let element = self.usable_type();
        let element = if (1..8).contains(&self.types.leaves(element)) { element } else { BOOLEAN };
        let count = 72 / self.types.leaves(element) + self.random.between(0, 9);
        let low = *self.random.pick(&[0, 1, -3]);
        let index = self.range_type(low, low + count - 1);
        self.add_type(false, Kind::Array(index, element))
    }

    /// Any type that a variable may have; not the enums that are written inside a union.
    pub fn usable_type(&mut self) -> TypeId {
        loop {
            let ty = match self.random.percent(50) {
                true => self.random.below(self.types.list.len()),
                false => self.types.list.len() - 1 - self.random.below(self.types.list.len().min(3)),
            };
            let Type { name, kind } = &self.types.list[ty];
            if name.is_some() || !matches!(kind, Kind::Enum(_)) {
                return ty;
            }
        }
    }

    /// A simple type of at most `most` values.
    pub fn simple_type(&mut self, most: i64) -> TypeId {
        if let Some(ty) = self.symmetric_type(most) {
            return ty;
        }
        for _ in 0..20 {
            let ty = self.usable_type();
            if self.types.is_simple(ty) && self.types.count(ty) <= most {
                return ty;
            }
        }
        BOOLEAN
    }
}
