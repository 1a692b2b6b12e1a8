//! The words that give a model its outline: what starts an item, what opens a block, what closes
//! one.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Const,
    Type,
    Var,
    /// `function` and `procedure`.
    Function,
    /// `externfun` and `externproc`.
    External,
    Rule,
    Startstate,
    Ruleset,
    Choose,
    Alias,
    Invariant,
    Assert,
    /// `assume`, `cover` and `liveness`, which are names in models written for CMurphi.
    Property,
    Pctl,
    /// `reject`, `deadlock` and `ltl`, which are names unless a string follows.
    Temporal,
    /// `fair` and `strong`, which are names unless a rule follows.
    Fair,
    Strong,
    If,
    For,
    While,
    Switch,
    Record,
    /// `forall` and `exists`.
    Quantified,
    Do,
    Of,
    End(End),
    /// A name, or a word that does not matter for the outline.
    Other,
}

/// What an end word says it closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Any,
    Alias,
    Choose,
    Quantified,
    For,
    Function,
    If,
    Record,
    Rule,
    Ruleset,
    Startstate,
    Switch,
    While,
}

impl Word {
    pub fn of(text: &str) -> Word {
        // The longest word here has 13 letters; a longer one is a name.
        let mut buffer = [0; 16];
        let Some(lower) = buffer.get_mut(..text.len()) else { return Word::Other };
        lower.copy_from_slice(text.as_bytes());
        lower.make_ascii_lowercase();
        match &*lower {
            b"const" => Word::Const,
            b"type" => Word::Type,
            b"var" => Word::Var,
            b"function" | b"procedure" => Word::Function,
            b"externfun" | b"externproc" => Word::External,
            b"rule" => Word::Rule,
            b"startstate" => Word::Startstate,
            b"ruleset" => Word::Ruleset,
            b"choose" => Word::Choose,
            b"alias" => Word::Alias,
            b"invariant" => Word::Invariant,
            b"assert" => Word::Assert,
            b"assume" | b"cover" | b"liveness" => Word::Property,
            b"pctl" => Word::Pctl,
            b"reject" | b"deadlock" | b"ltl" => Word::Temporal,
            b"fair" => Word::Fair,
            b"strong" => Word::Strong,
            b"if" => Word::If,
            b"for" => Word::For,
            b"while" => Word::While,
            b"switch" => Word::Switch,
            b"record" => Word::Record,
            b"forall" | b"exists" => Word::Quantified,
            b"do" => Word::Do,
            b"of" => Word::Of,
            b"end" => Word::End(End::Any),
            b"endalias" => Word::End(End::Alias),
            b"endchoose" => Word::End(End::Choose),
            b"endforall" | b"endexists" | b"endexist" => Word::End(End::Quantified),
            b"endfor" => Word::End(End::For),
            b"endfunction" | b"endprocedure" => Word::End(End::Function),
            b"endif" => Word::End(End::If),
            b"endrecord" => Word::End(End::Record),
            b"endrule" => Word::End(End::Rule),
            b"endruleset" => Word::End(End::Ruleset),
            b"endstartstate" => Word::End(End::Startstate),
            b"endswitch" => Word::End(End::Switch),
            b"endwhile" => Word::End(End::While),
            _ => Word::Other,
        }
    }

    /// The specific end word of the block that this word opens, or `None` if it opens none.
    pub fn closed_by(self) -> Option<End> {
        match self {
            Word::Function => Some(End::Function),
            Word::Rule => Some(End::Rule),
            Word::Startstate => Some(End::Startstate),
            Word::Ruleset => Some(End::Ruleset),
            Word::Choose => Some(End::Choose),
            Word::Alias => Some(End::Alias),
            Word::If => Some(End::If),
            Word::For => Some(End::For),
            Word::While => Some(End::While),
            Word::Switch => Some(End::Switch),
            Word::Record => Some(End::Record),
            Word::Quantified => Some(End::Quantified),
            Word::Const
            | Word::Type
            | Word::Var
            | Word::External
            | Word::Invariant
            | Word::Assert
            | Word::Property
            | Word::Pctl
            | Word::Temporal
            | Word::Fair
            | Word::Strong
            | Word::Do
            | Word::Of
            | Word::End(_)
            | Word::Other => None,
        }
    }
}
