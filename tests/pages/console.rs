//! Runs the commands of a page, in a folder of its own, and brings what they print into the form of
//! the page.

use crate::blocks::Block;
use crate::support::{root, scratch, text};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Stands before `mcc`: what would be built is interpreted, so that a page takes no time.
const SHIM: &str = r#"#!/bin/sh
case "$1 $2" in
*" --help") ;;
"run "*) shift; exec "$MCC_BINARY" interpret "$@";;
"verify "*) shift; exec "$MCC_BINARY" verify --interpret "$@";;
esac
if [ "$2" = -o ]; then
    "$MCC_BINARY" check -q "$1" || exit
    printf '#!/bin/sh\nexec "$MCC_BINARY" interpret "%s" -- "$@"\n' "$1" > "$3"
    chmod +x "$3"
    exit
fi
exec "$MCC_BINARY" "$@"
"#;

/// The commands of one page, which see each other's files.
pub struct Session {
    folder: PathBuf,
    /// The exit code of the last command.
    status: i32,
}

impl Session {
    pub fn new(page: &str) -> Session {
        let folder = scratch("pages").join(page.replace(['/', '.'], "_"));
        let _ = std::fs::remove_dir_all(&folder);
        let programs = folder.join(".programs");
        std::fs::create_dir_all(&programs).expect("a scratch folder");
        let shim = programs.join("mcc");
        std::fs::write(&shim, SHIM).expect("the scratch folder is writable");
        make_executable(&shim);
        #[cfg(unix)]
        std::os::unix::fs::symlink(root().join("models"), folder.join("models")).expect("a link");
        Session { folder, status: 0 }
    }

    /// Writes what a block says to the file that it names.
    pub fn write(&self, block: &Block<'_>) -> Result<(), String> {
        let named = |key| block.value(key).map(|name| self.folder.join(name));
        if let Some(path) = named("file") {
            let parent = path.parent().unwrap_or(&self.folder);
            std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
            return std::fs::write(path, block.body).map_err(|error| error.to_string());
        }
        let (path, append) = match (named("append"), named("change")) {
            (Some(path), _) => (path, true),
            (None, Some(path)) => (path, false),
            (None, None) => return Ok(()),
        };
        let old = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let new = if append { format!("{old}\n{}", block.body) } else { changed(&old, block.body)? };
        std::fs::write(path, new).map_err(|error| error.to_string())
    }

    /// Runs the commands of a block. What comes back is the block as it should be.
    pub fn run(&mut self, block: &Block<'_>) -> String {
        let lines = |key| block.value(key).and_then(|number| number.parse().ok());
        let mut shown = String::new();
        for command in block.body.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let printed = self.command(command);
            let printed = printed.lines().map(str::trim_end).collect::<Vec<_>>();
            shown.push_str(&format!("$ {command}\n"));
            for line in cut(&printed, lines("head"), lines("tail")) {
                shown.push_str(line);
                shown.push('\n');
            }
        }
        shown
    }

    fn command(&mut self, command: &str) -> String {
        let path = std::env::var("PATH").unwrap_or_default();
        let programs = self.folder.join(".programs");
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!("exec 2>&1; (exit {}); {command}", self.status))
            .current_dir(&self.folder)
            .env("PATH", format!("{}:{path}", programs.display()))
            .env("MCC_BINARY", env!("CARGO_BIN_EXE_mcc"))
            .env("NO_COLOR", "1")
            .env_remove("COLUMNS")
            .output()
            .expect("a shell");
        self.status = output.status.code().unwrap_or(-1);
        text(&output.stdout)
    }
}

fn make_executable(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
}

/// The file with one paragraph replaced, the one that begins as the new one does: with the same
/// line, up to a name in quotes, if there is one.
fn changed(file: &str, paragraph: &str) -> Result<String, String> {
    let beginning = |text: &str| {
        let line = text.lines().next().unwrap_or_default();
        let quotes: Vec<usize> = line.match_indices('"').map(|(at, _)| at).collect();
        quotes.get(1).map_or(line, |end| &line[..*end]).to_owned()
    };
    let first = beginning(paragraph);
    let mut replaced = 0;
    let paragraphs: Vec<&str> = file
        .trim_end()
        .split("\n\n")
        .map(|old| {
            let is_it = beginning(old) == first;
            replaced += usize::from(is_it);
            if is_it { paragraph.trim_end() } else { old }
        })
        .collect();
    match replaced {
        1 => Ok(format!("{}\n", paragraphs.join("\n\n"))),
        number => Err(format!("{number} paragraphs of the file begin with `{first}`")),
    }
}

/// The first and the last lines, with `…` for those between.
fn cut<'a>(lines: &[&'a str], head: Option<usize>, tail: Option<usize>) -> Vec<&'a str> {
    let (Some(head), tail) = (head, tail.unwrap_or(0)) else { return lines.to_vec() };
    if lines.len() <= head + tail + 1 {
        return lines.to_vec();
    }
    let last = &lines[lines.len() - tail..];
    lines[..head].iter().chain(&["…"]).chain(last).copied().collect()
}

/// A text without what differs from run to run and from machine to machine: times, rates, sizes of
/// memory, numbers of threads, seeds.
pub fn comparable(text: &str) -> String {
    text.lines().map(comparable_line).collect::<Vec<_>>().join("\n")
}

fn comparable_line(line: &str) -> String {
    let line = without_rate(line);
    let words: Vec<&str> = line.split(' ').collect();
    let number = |word: &str| word.chars().next().is_some_and(|it| it.is_ascii_digit());
    let mut kept: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", |word| word.trim_end_matches([',', ';', ')']));
        let seconds = word.trim_end_matches([',', ';']);
        let varies = number(word)
            && (["KiB", "MiB", "GiB", "threads", "thread"].contains(&next)
                || seconds.strip_suffix('s').is_some_and(|it| it.parse::<f64>().is_ok())
                || at > 0 && ["--seed", "seed"].contains(&words[at - 1]));
        let unit = ["KiB", "MiB", "GiB"].iter().find(|unit| word.starts_with(**unit));
        let plural = if *word == "thread," { "threads," } else { word };
        kept.push(match (varies, unit) {
            (true, _) => "…".to_owned(),
            (false, Some(unit)) => word.replace(unit, "GiB"),
            (false, None) => plural.to_owned(),
        });
    }
    let mut line = kept.join(" ");
    // The last column of a table of runs is a time.
    if let Some((before, last)) = line.rsplit_once(' ')
        && last.len() == 4
        && last.as_bytes()[1] == b'.'
        && last.parse::<f64>().is_ok()
    {
        line = before.trim_end().to_owned();
    }
    line.trim_end().to_owned()
}

/// A line without ` (43,712 states/s)`, which only runs of some length have.
fn without_rate(line: &str) -> String {
    let Some((before, after)) = line.split_once(" states/s)") else { return line.to_owned() };
    match before.rsplit_once(" (") {
        Some((before, rate)) if rate.chars().all(|it| it.is_ascii_digit() || it == ',') => {
            format!("{before}{after}")
        }
        _ => line.to_owned(),
    }
}

#[test]
fn a_slow_machine_shows_the_same_page() {
    let [fast, slow] =
        ["fired in 0.05s, depth 36, 2 MiB", "fired in 0.34s (43,712 states/s), depth 36, 9 GiB"];
    assert_eq!(comparable(fast), comparable(slow));
    assert_ne!(comparable(fast), comparable("fired in 0.05s, depth 37, 2 MiB"));
}
