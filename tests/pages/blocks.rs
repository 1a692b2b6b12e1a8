//! Fenced blocks of a page, with the words behind their fences.

/// A fenced block.
pub struct Block<'a> {
    /// The line of the opening fence, counted from 1.
    pub line: usize,
    /// The words behind the fence.
    pub marks: Vec<&'a str>,
    /// The lines between the fences.
    pub body: &'a str,
    /// Where the body stands in the page.
    start: usize,
}

impl<'a> Block<'a> {
    pub fn is(&self, language: &str) -> bool {
        self.marks.first() == Some(&language)
    }

    /// The value of a mark `key=value`.
    pub fn value(&self, key: &str) -> Option<&'a str> {
        self.marks
            .iter()
            .find_map(|mark| mark.split_once('=').filter(|(name, _)| *name == key))
            .map(|it| it.1)
    }

    pub fn names_a_file(&self) -> bool {
        ["file", "change", "append"].iter().any(|key| self.value(key).is_some())
    }
}

/// All fenced blocks of a page, in their order.
pub fn of(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, Vec<&str>, usize)> = None;
    let mut offset = 0;
    for (number, line) in page.split_inclusive('\n').enumerate() {
        let end = offset + line.len();
        if let Some(fence) = line.strip_prefix("```") {
            match open.take() {
                Some((line, marks, start)) => {
                    blocks.push(Block { line, marks, body: &page[start..offset], start });
                }
                None => open = Some((number + 1, fence.split_whitespace().collect(), end)),
            }
        }
        offset = end;
    }
    blocks
}

/// The page without its fenced blocks.
pub fn outside(page: &str) -> String {
    let mut text = String::new();
    let mut at = 0;
    for block in of(page) {
        text.push_str(&page[at..block.start]);
        at = block.start + block.body.len();
    }
    text + &page[at..]
}

/// The page with other bodies of some of its blocks, which come in their order.
pub fn with_bodies(page: &str, edits: &[(&Block<'_>, String)]) -> String {
    let mut text = String::new();
    let mut at = 0;
    for (block, body) in edits {
        text.push_str(&page[at..block.start]);
        text.push_str(body);
        at = block.start + block.body.len();
    }
    text + &page[at..]
}
