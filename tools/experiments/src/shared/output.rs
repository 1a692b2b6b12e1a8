//! The files that a command writes: tables, figures, drawings.

use super::ExperimentError;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Where tables and figures go.
#[derive(Args, Clone, Debug, Default)]
pub struct Output {
    /// Write all figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables to a file as well
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write everything into this directory, in files named after the command; options for single
    /// files come first
    #[arg(long = "output", value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// Where a drawing goes.
#[derive(Args, Clone, Debug, Default)]
pub struct Drawing {
    /// Draw the figures; with several drawings, the model's name goes into the file's
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

impl Output {
    /// Prints the tables, and writes tables and figures where the options say.
    pub fn publish(
        &self,
        command: &str,
        tables: &str,
        figures: &impl Serialize,
    ) -> Result<(), ExperimentError> {
        println!("{tables}");
        if let Some(path) = self.place(&self.markdown, &format!("{command}.md")) {
            write(&path, tables)?;
        }
        if let Some(path) = self.place(&self.json, &format!("{command}.json")) {
            write(&path, &(serde_json::to_string_pretty(figures)? + "\n"))?;
        }
        Ok(())
    }

    /// Writes drawings, each with the name of its model. `name` is that of the file in the
    /// directory.
    pub fn draw(
        &self,
        given: &Option<PathBuf>,
        name: &str,
        drawings: &[(&str, String)],
    ) -> Result<(), ExperimentError> {
        let Some(path) = self.place(given, name) else { return Ok(()) };
        for (model, drawing) in drawings {
            write(&plot_path(&path, model, drawings.len()), drawing)?;
        }
        Ok(())
    }

    fn place(&self, given: &Option<PathBuf>, name: &str) -> Option<PathBuf> {
        given.clone().or_else(|| Some(self.directory.as_ref()?.join(name)))
    }
}

/// Writes a file, and makes its directory if need be.
fn write(path: &Path, text: &str) -> Result<(), ExperimentError> {
    let written =
        path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
    written.map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

/// Where a model's drawing goes; where there are several, the model's name goes into the file's.
fn plot_path(path: &Path, model: &str, models: usize) -> PathBuf {
    if models == 1 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}_{model}.svg"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_several_models_has_its_own_drawing() {
        let path = Path::new("plots/rates.svg");
        assert_eq!(plot_path(path, "ring", 1), path);
        assert_eq!(plot_path(path, "ring", 2), Path::new("plots/rates_ring.svg"));
    }

    #[test]
    fn a_directory_gets_all_files_that_have_no_place_of_their_own() {
        let place = tempfile::tempdir().unwrap();
        let directory = Some(place.path().join("new"));
        let own = place.path().join("own.json");
        let output = Output { json: Some(own.clone()), markdown: None, directory };
        output.publish("sweep", "| a |", &[1]).unwrap();
        output.draw(&None, "sweep.svg", &[("ring", "<svg/>".to_owned())]).unwrap();
        assert_eq!(std::fs::read_to_string(own).unwrap(), "[\n  1\n]\n");
        assert_eq!(std::fs::read_to_string(place.path().join("new/sweep.md")).unwrap(), "| a |");
        assert_eq!(std::fs::read_to_string(place.path().join("new/sweep.svg")).unwrap(), "<svg/>");
        Output::default().draw(&None, "sweep.svg", &[("ring", String::new())]).unwrap();
    }
}
