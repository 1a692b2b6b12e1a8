//! A model as a tree of text, fine enough to be made smaller piece by piece.
//!
//! The tree knows nothing of types. Whether a smaller tree is still a model is for the compiler's
//! checker to say.

/// What a piece of a model is: a piece may stand in for another of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Text whose parts all have to stay.
    Fixed,
    /// Each part can be left out.
    List,
    Statement,
    /// A rule, start state or property, or what stands around some.
    Rule,
    Boolean,
    Number,
    /// An expression of another type.
    Value,
    TypeExpression,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Text(String),
    Tree(Tree),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub class: Class,
    pub parts: Vec<Part>,
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Part::Text(text.to_owned())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Part::Text(text)
    }
}

impl From<Tree> for Part {
    fn from(tree: Tree) -> Self {
        Part::Tree(tree)
    }
}

/// `tree!(Boolean, "!", condition)`: a tree of texts and trees.
#[macro_export]
macro_rules! tree {
    ($class:ident $(, $part:expr)* $(,)?) => {
        $crate::tree::Tree { class: $crate::tree::Class::$class, parts: vec![$($crate::tree::Part::from($part)),*] }
    };
}

impl Tree {
    pub fn list(items: Vec<Tree>) -> Tree {
        Tree { class: Class::List, parts: items.into_iter().map(Part::Tree).collect() }
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(words) => text.push_str(words),
                Part::Tree(tree) => tree.write(text),
            }
        }
    }

    pub fn size(&self) -> usize {
        let of = |part: &Part| match part {
            Part::Text(_) => 1,
            Part::Tree(tree) => tree.size(),
        };
        1 + self.parts.iter().map(of).sum::<usize>()
    }

    /// Smaller trees, the much smaller first: without some parts of a list, with a part in the
    /// place of the whole, with the simplest expression of a class.
    pub fn smaller(&self) -> Vec<Tree> {
        let mut found = Vec::new();
        if self.class == Class::List {
            self.without_some(&mut found);
        }
        if self.class != Class::Fixed && self.class != Class::List {
            let mut inner = Vec::new();
            self.descendants(self.class, &mut inner);
            found.extend(inner);
        }
        let simplest: &[&str] = match self.class {
            Class::Boolean => &["true", "false"],
            Class::Number => &["0", "1"],
            Class::TypeExpression => &["boolean", "0..1"],
            Class::Fixed | Class::List | Class::Statement | Class::Rule | Class::Value => &[],
        };
        for words in simplest {
            if self.text() != *words && !simplest.contains(&self.text().as_str()) {
                found.push(Tree { class: self.class, parts: vec![Part::from(*words)] });
            }
        }
        for (at, part) in self.parts.iter().enumerate() {
            let Part::Tree(tree) = part else { continue };
            for smaller in tree.smaller() {
                let mut parts = self.parts.clone();
                parts[at] = Part::Tree(smaller);
                found.push(Tree { class: self.class, parts });
            }
        }
        found
    }

    /// A list without half of its parts, a quarter, and so on.
    fn without_some(&self, found: &mut Vec<Tree>) {
        let mut length = self.parts.len();
        while length > 0 {
            for first in (0..self.parts.len()).step_by(length) {
                let mut parts = self.parts.clone();
                parts.drain(first..(first + length).min(parts.len()));
                found.push(Tree { class: Class::List, parts });
            }
            length /= 2;
        }
    }

    /// The nearest trees of a class below this one.
    fn descendants(&self, class: Class, found: &mut Vec<Tree>) {
        for part in &self.parts {
            let Part::Tree(tree) = part else { continue };
            if tree.class == class {
                found.push(tree.clone());
            } else {
                tree.descendants(class, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_shrinks_to_its_parts() {
        let inner = tree!(Boolean, "a");
        let whole = tree!(Boolean, "(", inner.clone(), " & ", tree!(Boolean, "b"), ")");
        assert_eq!(whole.text(), "(a & b)");
        let smaller: Vec<String> = whole.smaller().iter().map(Tree::text).collect();
        assert_eq!(
            smaller,
            ["a", "b", "true", "false", "(true & b)", "(false & b)", "(a & true)", "(a & false)"]
        );
    }

    #[test]
    fn a_list_loses_its_parts() {
        let list = Tree::list(vec![tree!(Statement, "a;"), tree!(Statement, "b;")]);
        let smaller: Vec<String> = list.smaller().iter().map(Tree::text).collect();
        assert_eq!(smaller, ["", "b;", "a;"]);
    }
}
