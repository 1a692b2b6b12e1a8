//! Expressions of every type.

use crate::generate::Generator;
use crate::generate::types::{BOOLEAN, Kind, TypeId};
use crate::tree;
use crate::tree::{Class, Tree};

/// Largest number of values of a range that arithmetic is generated for freely.
const NARROW: i64 = 16;

fn is_range(types: &super::types::Types, ty: TypeId) -> bool {
    matches!(types.kind(ty), Kind::Range(..))
}

impl Generator {
    /// A value of a type; `None` where there is none in scope.
    pub fn value(&mut self, ty: TypeId, depth: usize) -> Option<Tree> {
        match self.types.kind(ty).clone() {
            Kind::Boolean => Some(self.boolean(depth)),
            Kind::Range(low, high) => Some(self.within(low, high, depth)),
            Kind::Enum(members) => {
                if depth > 0 && self.random.percent(60) {
                    return self.read(ty, depth).or_else(|| self.value(ty, 0));
                }
                let name = self.random.pick(&members).clone();
                Some(tree!(Value, name))
            }
            Kind::Union(members) => {
                if self.random.percent(40)
                    && let Some(value) = self.read(ty, depth)
                {
                    return Some(value);
                }
                let member = *self.random.pick(&members);
                self.value(member, depth)
            }
            Kind::Scalarset(_) => match self.random.percent(60) {
                true => self.value_variable(ty).or_else(|| self.read(ty, depth)),
                false => self.read(ty, depth).or_else(|| self.value_variable(ty)),
            },
            Kind::Array(..) | Kind::Record(_) | Kind::Multiset(..) => self.read(ty, depth),
        }
    }

    /// A value of exactly this type that is read from somewhere: a place, a call, a choice between
    /// two.
    fn read(&mut self, ty: TypeId, depth: usize) -> Option<Tree> {
        if depth > 0 && self.random.percent(25) {
            let call = self.call_returning(ty, depth - 1);
            if call.is_some() {
                return call;
            }
        }
        if depth > 0 && self.types.is_simple(ty) && self.random.percent(10) {
            let condition = self.boolean(depth - 1);
            let (then, otherwise) = (self.value(ty, depth - 1)?, self.value(ty, depth - 1)?);
            return Some(tree!(Value, "(", condition, " ? ", then, " : ", otherwise, ")"));
        }
        // A union's value where a member's is needed: an error if it is another member's.
        if self.risky() && self.is_full() {
            let around = move |types: &super::types::Types, other: TypeId| match types.kind(other) {
                Kind::Union(members) => members.contains(&ty),
                _ => false,
            };
            if let Some(place) = self.place(&around, false, depth) {
                return Some(place.tree);
            }
        }
        self.place(&|_, other| other == ty, false, depth).map(|place| place.tree)
    }

    /// A number from `low` to `high`, but for the daring.
    pub fn within(&mut self, low: i64, high: i64, depth: usize) -> Tree {
        if self.risky() {
            return self.number(depth);
        }
        let size = high.saturating_sub(low).saturating_add(1);
        let choice = self.random.below(if depth == 0 { 55 } else { 100 });
        if (20..55).contains(&choice) {
            let inside = move |types: &super::types::Types, ty: TypeId| matches!(types.kind(ty), Kind::Range(least, most) if low <= *least && *most <= high);
            if let Some(place) = self.place(&inside, false, depth) {
                if self.random.percent(25) && low > i64::MIN && size <= NARROW {
                    // A counter that begins again.
                    let again = place.tree.clone();
                    return tree!(
                        Number,
                        "(",
                        place.tree,
                        format!(" = {high} ? {} : ", Self::literal(low)),
                        again,
                        " + 1)"
                    );
                }
                if size > NARROW && self.random.percent(35) {
                    return self.changed(place.tree, low, high);
                }
                return place.tree;
            }
        }
        if (55..75).contains(&choice) && size <= NARROW && low > i64::MIN / 2 {
            let number = self.number(depth - 1);
            return tree!(
                Number,
                "(((",
                number,
                format!(") % {size} + {size}) % {size} + {})", Self::literal(low))
            );
        }
        if (75..85).contains(&choice) {
            let condition = self.boolean(depth - 1);
            let (then, otherwise) = (self.within(low, high, depth - 1), self.within(low, high, depth - 1));
            return tree!(Number, "(", condition, " ? ", then, " : ", otherwise, ")");
        }
        if (85..95).contains(&choice) {
            let found = self.call_where(depth, |types, ty| {
                matches!(types.kind(ty), Kind::Range(least, most) if low <= *least && *most <= high)
            });
            if let Some(call) = found {
                return Tree { class: Class::Number, ..call };
            }
        }
        let constants = self.constants.iter().filter(|(_, value)| (low..=high).contains(value));
        let constants: Vec<String> = constants.map(|(name, _)| name.clone()).collect();
        if !constants.is_empty() && self.random.percent(30) {
            return tree!(Number, self.random.pick(&constants).clone());
        }
        let literal = match size <= NARROW {
            true => self.random.between(low, high),
            false => *self.random.pick(&[low, high, 0.clamp(low, high), 1.clamp(low, high)]),
        };
        tree!(Number, Self::literal(literal))
    }

    /// A number of a wide range, computed from one so that it stays in the range.
    fn changed(&mut self, number: Tree, low: i64, high: i64) -> Tree {
        let mut ways = vec!["(", "("];
        if low == !high {
            ways.push("(~");
        }
        let before = *self.random.pick(&ways);
        let mut ways = vec![""];
        if low <= 0 && high >= 0 {
            ways.extend([" / 2", " / 3", " % 2", " / 4611686018427387904", " >> 1", " >> 62"]);
        }
        if low <= -(1 << 62) && high >= 1 << 62 {
            ways.extend([" / (-2)", " % (-7)", " % 9223372036854775807"]);
        }
        if (low, high) == (i64::MIN, i64::MAX) {
            ways.extend([" << 1", " << 63", " ^ 9223372036854775807"]);
        }
        let after = *self.random.pick(&ways);
        tree!(Number, before, number, after, ")")
    }

    /// A number as it may stand anywhere in an expression; two minus signs would begin a comment.
    pub fn literal(value: i64) -> String {
        if value == i64::MIN {
            return format!("(-{} - 1)", i64::MAX);
        }
        if value < 0 { format!("({value})") } else { value.to_string() }
    }

    /// A small number.
    pub fn number(&mut self, depth: usize) -> Tree {
        let choice = self.random.below(if depth == 0 { 50 } else { 100 });
        match choice {
            0..20 => {
                let value = self.random.between(-2, 5);
                match value > 0 && self.random.percent(20) {
                    true => tree!(Number, format!("0x{value:x}")),
                    false => tree!(Number, Self::literal(value)),
                }
            }
            20..50 => {
                let most = if self.risky() { i64::MAX } else { 400 };
                let narrow = move |types: &super::types::Types, ty: TypeId| {
                    matches!(types.kind(ty), Kind::Range(..)) && types.count(ty) <= most
                };
                match self.place(&narrow, false, depth) {
                    Some(place) => place.tree,
                    None => tree!(Number, "1"),
                }
            }
            50..74 => {
                let (left, right) = (self.number(depth - 1), self.number(depth - 1));
                let operator = *self.random.pick(&[" + ", " - ", " * ", " + ", " - "]);
                match self.random.percent(25) {
                    true => tree!(Number, left, operator, right),
                    false => tree!(Number, "(", left, operator, right, ")"),
                }
            }
            74..80 => {
                let left = self.number(depth - 1);
                let right = match self.risky() {
                    true => self.number(depth - 1),
                    false => tree!(Number, *self.random.pick(&["2", "3", "(-2)", "5"])),
                };
                let operator = *self.random.pick(&[" / ", " % "]);
                tree!(Number, "(", left, operator, right, ")")
            }
            80..84 => tree!(Number, "(-", tree!(Number, "(", self.number(depth - 1), "))")),
            84..90 => self.bitwise(depth),
            90..94 => {
                let condition = self.boolean(depth - 1);
                let (then, otherwise) = (self.number(depth - 1), self.number(depth - 1));
                tree!(Number, "(", condition, " ? ", then, " : ", otherwise, ")")
            }
            94..97 => match self.multiset_count(depth) {
                Some(count) => count,
                None => self.number(depth - 1),
            },
            _ if self.risky() && self.is_full() => {
                let large = [i64::MAX, i64::MIN, i64::MAX - 1, 1 << 62];
                let value = *self.random.pick(&large);
                tree!(Number, Self::literal(value))
            }
            _ => {
                let found = self.call_where(depth, |types, ty| matches!(types.kind(ty), Kind::Range(..)));
                match found {
                    Some(call) => Tree { class: Class::Number, ..call },
                    None => self.number(depth - 1),
                }
            }
        }
    }

    fn bitwise(&mut self, depth: usize) -> Tree {
        // Rumur takes these only between numbers whose type has no name: what is computed has none.
        let (left, right) = (self.number(depth - 1), self.number(depth - 1));
        match self.random.below(6) {
            0 => tree!(Number, "((", left, " + 0) & (", right, " + 0))"),
            1 => tree!(Number, "((", left, " + 0) | (", right, " + 0))"),
            2 => tree!(Number, "((", left, ") ^ (", right, "))"),
            3 => tree!(Number, "(~(", left, "))"),
            4 if self.is_full() && self.random.percent(50) => {
                let shift = *self.random.pick(&["0", "1", "3", "62", "63", "64", "65", "(-1)"]);
                let sign = *self.random.pick(&[" << ", " >> "]);
                tree!(Number, "((", left, ")", sign, shift, ")")
            }
            4 => {
                let left = self.within(0, 3, 0);
                tree!(Number, "((", left, ") << ", *self.random.pick(&["0", "1", "2"]), ")")
            }
            _ => {
                let left = self.within(0, 3, 0);
                tree!(Number, "((", left, ") >> ", *self.random.pick(&["0", "1", "2"]), ")")
            }
        }
    }

    fn multiset_count(&mut self, depth: usize) -> Option<Tree> {
        let bag = self.place(&|types, ty| matches!(types.kind(ty), Kind::Multiset(..)), false, depth)?;
        let name = self.new_name("k");
        let mark = self.scope.len();
        self.declare_slot(&name, &bag);
        let condition = self.boolean(depth.saturating_sub(1));
        self.scope.truncate(mark);
        Some(tree!(Number, format!("multisetcount({name}: "), bag.tree, ", ", condition, ")"))
    }

    pub fn boolean(&mut self, depth: usize) -> Tree {
        if depth == 0 {
            return match self.random.below(10) {
                0 => tree!(Boolean, *self.random.pick(&["true", "false"])),
                1..4 => self.comparison(0),
                _ => match self.place(&|_, ty| ty == BOOLEAN, false, 0) {
                    Some(place) => place.tree,
                    None => self.comparison(0),
                },
            };
        }
        let depth = depth - 1;
        match self.random.below(100) {
            0..12 => self.boolean(0),
            12..42 => self.comparison(depth),
            42..60 => {
                let (left, right) = (self.boolean(depth), self.boolean(depth));
                match self.random.below(8) {
                    0..3 => tree!(Boolean, "(", left, " & ", right, ")"),
                    3..5 => tree!(Boolean, "(", left, " | ", right, ")"),
                    5 => tree!(Boolean, "(", left, *self.random.pick(&[" && ", " || "]), right, ")"),
                    _ => tree!(Boolean, "(", left, " -> ", right, ")"),
                }
            }
            60..66 => tree!(Boolean, "(!", tree!(Boolean, "(", self.boolean(depth), ")"), ")"),
            66..78 => self.quantified(depth),
            78..84 => {
                let simple = |types: &super::types::Types, ty: TypeId| types.is_simple(ty);
                match self.place(&simple, false, depth) {
                    Some(place) if !place.variable.is_value => {
                        tree!(Boolean, "isundefined(", place.tree, ")")
                    }
                    _ => self.boolean(depth),
                }
            }
            84..88 => self.membership(depth),
            88..92 => {
                let (condition, then, otherwise) =
                    (self.boolean(depth), self.boolean(depth), self.boolean(depth));
                tree!(Boolean, "(", condition, " ? ", then, " : ", otherwise, ")")
            }
            _ => match self.call_returning(BOOLEAN, depth) {
                Some(call) => Tree { class: Class::Boolean, ..call },
                None => self.comparison(depth),
            },
        }
    }

    fn comparison(&mut self, depth: usize) -> Tree {
        let equality = *self.random.pick(&[" = ", " != ", " = "]);
        if self.random.percent(45) {
            let signs = [" < ", " <= ", " > ", " >= ", " = ", " != "];
            let sign = *self.random.pick(&signs);
            let (left, right) = (self.number(depth), self.number(depth));
            return tree!(Boolean, "(", left, sign, right, ")");
        }
        let ty = self.usable_type();
        let can = !matches!(self.types.kind(ty), Kind::Multiset(..)) || self.is_full();
        if can && let (Some(left), Some(right)) = (self.value(ty, depth), self.value(ty, depth)) {
            return tree!(Boolean, "(", left, equality, right, ")");
        }
        tree!(Boolean, "(", self.number(depth), equality, self.number(depth), ")")
    }

    fn membership(&mut self, depth: usize) -> Tree {
        let union = |types: &super::types::Types, ty: TypeId| matches!(types.kind(ty), Kind::Union(_));
        let place = self.place(&union, false, depth);
        if let Some(place) = place
            && let Kind::Union(members) = self.types.kind(place.ty).clone()
        {
            let member = *self.random.pick(&members);
            return tree!(Boolean, "ismember(", place.tree, ", ", self.types.spelling(member), ")");
        }
        self.comparison(depth)
    }

    fn quantified(&mut self, depth: usize) -> Tree {
        let mark = self.scope.len();
        let mut header = self.quantifier();
        if self.is_full() && self.random.percent(20) {
            header = tree!(Fixed, header, "; ", self.quantifier());
        }
        let word = *self.random.pick(&["forall ", "exists "]);
        self.note("a quantifier");
        let body = self.boolean(depth);
        self.scope.truncate(mark);
        tree!(Boolean, word, header, " do ", body, " end")
    }

    /// `i: T` or `i := a to b by c`, with the variable put in scope.
    pub fn quantifier(&mut self) -> Tree {
        if self.random.percent(55) {
            let ty = self.simple_type(5);
            let name = self.new_name("i");
            let header = tree!(Fixed, format!("{name}: "), self.types.spelling(ty));
            self.declare_value(&name, ty);
            return header;
        }
        let (range, header) = self.steps();
        let name = self.new_name("i");
        self.declare_value(&name, range);
        tree!(Fixed, format!("{name} := "), header)
    }

    /// `a to b by c` and a type that holds all its values.
    fn steps(&mut self) -> (TypeId, Tree) {
        if !self.is_full() || self.random.percent(40) {
            let known = [("0 to 2", 0, 2), ("3 to 1 by -1", 1, 3), ("0 to 4 by 2", 0, 4), ("1 to 1", 1, 1)];
            let empty = [("2 to 0", 0, 2), ("0 to 2 by -1", 0, 2)];
            let (text, low, high) = match self.is_full() && self.random.percent(30) {
                true => {
                    self.note("an empty loop");
                    *self.random.pick(&empty)
                }
                false => *self.random.pick(&known),
            };
            return (self.range_type(low, high), tree!(Fixed, text));
        }
        // A loop that is daring with its bounds might never end.
        let risk = std::mem::take(&mut self.risk);
        let (from, upto) = (self.within(-1, 2, 1), self.within(-1, 3, 1));
        let header = match self.random.below(5) {
            0 => tree!(Fixed, from, " to ", upto, " by 2"),
            1 => tree!(Fixed, upto, " to ", from, " by -1"),
            2 => {
                // Zero is an error of the run, but not as a constant.
                let step = self.place(&|types, ty| types.count(ty) <= 8 && is_range(types, ty), false, 1);
                let step = step.map_or(tree!(Number, "1"), |place| place.tree);
                tree!(Fixed, upto, " to ", from, " by ", step)
            }
            _ => tree!(Fixed, from, " to ", upto),
        };
        self.risk = risk;
        (self.range_type(-1, 3), header)
    }
}
