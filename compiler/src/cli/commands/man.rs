//! `mcc man`: the pages of the manual, made of what `--help` says.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Command, CommandFactory, Parser};
use clap_mangen::Man as Page;
use mcc_runtime::host::Target;

use super::super::options::Options;
use super::super::print::print;
use super::super::{Stop, internal};
use super::{Subcommand, command_line};

const EXAMPLES: &str = "\
Examples:
  mcc man | man -l -                        read the page of mcc
  mcc man ~/.local/share/man/man1           install the pages of mcc and of its subcommands";

/// Prints the manual page of mcc, or writes the pages of all subcommands
#[derive(Clone, Debug, Parser)]
#[command(name = "man", after_help = EXAMPLES)]
pub struct Man {
    /// Write all pages to this directory: `mcc.1`, `mcc-run.1` …
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl Subcommand for Man {
    fn run(self) -> Result<ExitCode, Stop> {
        match &self.directory {
            None => {
                let pages = pages().map_err(|error| internal(&error.to_string()))?;
                print(pages.first().map_or("", |(_, page)| page))?;
            }
            Some(directory) => write(directory).map_err(|error| Stop::Message {
                message: format!("cannot write to {}: {error}", directory.display()),
                help: None,
            })?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn write(directory: &Path) -> io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for (name, page) in pages()? {
        Target::open(&directory.join(name))?.write(page.as_bytes(), &mut io::sink())?;
    }
    Ok(())
}

/// The names and texts of all pages, that of mcc itself first.
fn pages() -> io::Result<Vec<(String, String)>> {
    let mut command = command_line(Options::command());
    // Gives subcommands their full names.
    command.build();
    let subcommands = command.get_subcommands().filter(|one| one.get_name() != "help");
    std::iter::once(&command).chain(subcommands).map(page).collect()
}

fn page(command: &Command) -> io::Result<(String, String)> {
    let mut text = Vec::new();
    let name = command.get_display_name().unwrap_or(command.get_name());
    let file = format!("{name}.1");
    Page::new(command.clone()).render(&mut text)?;
    String::from_utf8(text).map(|text| (file, text)).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subcommand_has_a_page() {
        let pages = pages().unwrap();
        assert_eq!(pages[0].0, "mcc.1");
        assert_eq!(pages.len(), 1 + super::super::ALL.len());
        for (name, text) in &pages {
            assert!(name.starts_with("mcc") && name.ends_with(".1"), "{name}");
            assert!(text.contains(".SH NAME") && text.contains(".SH OPTIONS"), "{name}: {text}");
        }
        let verify = pages.iter().find(|(name, _)| name == "mcc-verify.1").unwrap();
        assert!(verify.1.contains("junit") && verify.1.contains("Exit codes"), "{}", verify.1);
    }
}
