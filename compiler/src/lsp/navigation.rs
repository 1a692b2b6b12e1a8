//! From a name to its declaration, to all its uses, and to another name.

use lsp_types::{Location, Position, Range, TextEdit, Uri};

use super::document::Known;
use super::names::{Names, SymbolId};
use super::text::Lines;
use crate::source::Source;
use crate::syntax::keywords;
use crate::syntax::recover;

fn symbol(known: &Known, lines: &Lines, at: Position) -> Option<SymbolId> {
    known.names.at(lines.offset(at)).map(|one| one.symbol)
}

pub fn definition(uri: &Uri, known: &Known, lines: &Lines, at: Position) -> Option<Location> {
    let symbol = known.names.symbol(symbol(known, lines, at)?)?;
    Some(Location::new(uri.clone(), lines.range(symbol.span)))
}

/// All places of a name; without its declaration if that is not wanted.
pub fn references(known: &Known, lines: &Lines, at: Position, with_declaration: bool) -> Vec<Range> {
    let Some(id) = symbol(known, lines, at) else { return Vec::new() };
    let declared = known.names.symbol(id).map(|symbol| symbol.span);
    let uses = known.names.uses(id).filter(|one| with_declaration || Some(one.span) != declared);
    uses.map(|one| lines.range(one.span)).collect()
}

/// What would be renamed.
pub fn prepare(known: &Known, lines: &Lines, at: Position) -> Result<Range, String> {
    if known.reading.program.damaged {
        return Err(
            "repair the syntax errors first: names in text that cannot be parsed would be missed".into()
        );
    }
    let one = known.names.at(lines.offset(at)).ok_or("there is no name that is declared in this model")?;
    Ok(lines.range(one.span))
}

/// The changes that give a name another spelling, or why that is impossible. The new text is
/// resolved again: every name must stand for what it stood for.
pub fn rename(known: &Known, lines: &Lines, at: Position, new: &str) -> Result<Vec<TextEdit>, String> {
    prepare(known, lines, at)?;
    let is_name = new.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && new.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
    let taken = ["true", "false", "boolean"].iter().any(|word| new.eq_ignore_ascii_case(word));
    if !is_name || taken || keywords::is_keyword(new) {
        return Err(format!(
            "`{new}` cannot be a name: names have letters, digits and `_`, and are no keywords"
        ));
    }
    let id = symbol(known, lines, at).ok_or("there is no name here")?;
    let uses: Vec<_> = known.names.uses(id).collect();
    let mut text = String::with_capacity(known.source.text.len());
    let mut end = 0;
    for one in &uses {
        text += known.source.text.get(end..one.span.start as usize).unwrap_or("");
        text += new;
        end = one.span.end as usize;
    }
    text += known.source.text.get(end..).unwrap_or("");
    let source = Source::new(known.source.name.clone(), text);
    let (program, _) = recover(&source);
    let renamed = Names::of(&program, source.text.len());
    let meaning = |names: &Names| names.occurrences.iter().map(|one| one.symbol).collect::<Vec<_>>();
    if program.damaged || meaning(&renamed) != meaning(&known.names) {
        return Err(format!("`{new}` already means something else where the name is used"));
    }
    Ok(uses.iter().map(|one| TextEdit::new(lines.range(one.span), new.to_owned())).collect())
}
