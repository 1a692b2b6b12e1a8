//! Whether a search comes by a certain state: for experiments on what is missed.

/// A state to look out for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    #[default]
    Off,
    /// Remember the last new state.
    Last,
    /// See whether this one is found: its words, as the model computes on them.
    State(Box<[u64]>),
}

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    pub words: Box<[u64]>,
    pub found: bool,
}

impl Watch {
    /// `last`, or the words of a state in hexadecimal.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "last" {
            return Ok(Watch::Last);
        }
        let word =
            |at: usize| text.get(16 * at..16 * at + 16).and_then(|word| u64::from_str_radix(word, 16).ok());
        let words: Option<Box<[u64]>> = (0..text.len() / 16).map(word).collect();
        let words = words.filter(|words| words.len() * 16 == text.len() && !words.is_empty());
        words
            .map(Watch::State)
            .ok_or_else(|| "\"last\", or sixteen hexadecimal digits for each word of a state".to_owned())
    }

    /// A new state was found.
    #[inline(always)]
    pub fn see(&self, state: &[u64], watched: &mut Watched) {
        match self {
            Watch::Off => {}
            Watch::Last => *watched = Watched { words: state.into(), found: true },
            Watch::State(words) => watched.found |= **words == *state,
        }
    }
}

impl Watched {
    /// As [`Watch::parse`] reads it.
    pub fn text(&self) -> String {
        self.words.iter().map(|word| format!("{word:016x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_again() {
        let watched = Watched { words: [1, u64::MAX, 0xabc].into(), found: true };
        assert_eq!(Watch::parse(&watched.text()), Ok(Watch::State(watched.words)));
        assert_eq!(Watch::parse("last"), Ok(Watch::Last));
        for wrong in ["", "first", "12", "00000000000000zz", "000000000000000é", "00000000000000001"] {
            assert!(Watch::parse(wrong).is_err(), "{wrong}");
        }
    }
}
