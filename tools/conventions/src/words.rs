//! Phrases that a reader who knows model checking would have to translate, each with what to write.

/// A phrase, in lower case, and what to write instead.
pub type Phrase = (&'static str, &'static str);

/// They are looked for as whole words, in whatever case.
pub const PHRASES: [Phrase; 50] = [
    ("tells", "reports, prints"),
    ("told", "reported"),
    ("a way to the error", "a trace, a path, a counterexample"),
    ("goes a walk", "a random walk"),
    ("takes the place of", "evicts, replaces"),
    ("took the place of", "evicted, replaced"),
    ("forget", "evict"),
    ("forgets", "evicts"),
    ("forgetting", "evicting"),
    ("forgotten", "evicted"),
    ("seen to", "ensured"),
    ("made to last", "synced"),
    ("names of elements", "identities of scalarset elements"),
    ("so many", "the quantity by its name"),
    ("that many", "the quantity by its name"),
    ("so few", "the quantity by its name"),
    ("the same as above", "what it is"),
    ("foretell", "predict"),
    ("whoever asked", "the caller"),
    ("desk", "a worker, a channel"),
    ("desks", "workers, channels"),
    ("clerk", "a worker, an inserter"),
    ("clerks", "workers, inserters"),
    ("keeper", "a search context"),
    ("keepers", "search contexts"),
    ("right state", "a valid state"),
    ("right states", "valid states"),
    ("wrong state", "a violating state"),
    ("wrong states", "violating states"),
    ("by the clock", "wall-clock time"),
    ("in times of", "relative to"),
    ("thousand million", "billion"),
    ("way to the error", "a trace, a path, a counterexample"),
    ("has a say", "has an effect"),
    ("nothing to tell", "nothing to report"),
    ("tell apart", "distinguish"),
    ("telling", "likely, reporting"),
    ("go round in circles", "revisit states"),
    ("goes round in circles", "revisits states"),
    ("whatever it be", "what it is"),
    ("whatever becomes of", "however it ends"),
    ("in the same go", "in the same run"),
    ("in the mean", "on average"),
    ("named anew", "permuted"),
    ("foretold", "predicted"),
    ("whoever asks", "the caller"),
    ("come home", "end"),
    ("comes home", "ends"),
    ("go home", "end"),
    ("postman", "a channel"),
];

/// Beginnings of a doc comment that do not stand alone.
pub const OPENINGS: [&str; 3] = ["The same", "Does that", "Likewise"];

/// The phrases in a text.
pub fn found(text: &str) -> impl Iterator<Item = Phrase> {
    let text = text.to_lowercase();
    PHRASES.into_iter().filter(move |(phrase, _)| contains(&text, phrase))
}

fn contains(text: &str, phrase: &str) -> bool {
    let is_letter = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_found() {
        let names = |text: &str| found(text).map(|(phrase, _)| phrase).collect::<Vec<_>>();
        assert_eq!(names("Told so many times"), ["told", "so many"]);
        assert!(names("the desktop is untold").is_empty());
    }
}
