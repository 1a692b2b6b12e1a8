//! Pages that the server has the editor open in a browser: *explore*, and the report of a
//! counterexample.
//!
//! An explorer serves one text of one model on the loopback interface, as `mcc explore` does, until
//! that model is closed or another text of it is explored. Reports are files in a folder of the
//! server's own, which is removed when it ends.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use mcc_runtime::host::cli;
use mcc_runtime::host::random::unpredictable;

use super::document::Document;
use crate::explore::{Explored, Server};
use crate::interpret::Interpreter;
use crate::library::on_large_stack;
use crate::source::Source;

/// An explorer that answers, and the text that it is about.
struct Exploring {
    version: i32,
    server: Arc<Server>,
}

/// The explorers of all open models, at most one each, and the folder of reports.
#[derive(Default)]
pub struct Pages {
    explorers: HashMap<String, Exploring>,
    folder: Option<PathBuf>,
}

impl Pages {
    /// The address on which this text of a model can be explored.
    pub fn explore(&mut self, document: &Document) -> Result<String, String> {
        let uri = document.uri.as_str();
        if let Some(old) = self.explorers.get(uri).filter(|old| old.version == document.version) {
            return Ok(old.server.address());
        }
        self.close(uri);
        let name = document.name().to_owned();
        let source = Source::new(name, document.lines.text.clone());
        let (sender, answer) = channel();
        thread::spawn(move || on_large_stack(|| serve(&source, &sender)));
        let server = answer.recv().map_err(|_| "internal error: no explorer was started".to_owned())??;
        let address = server.address();
        self.explorers.insert(uri.to_owned(), Exploring { version: document.version, server });
        Ok(address)
    }

    /// Ends the explorer of a model, if there is one.
    pub fn close(&mut self, uri: &str) {
        if let Some(old) = self.explorers.remove(uri) {
            old.server.stop();
        }
    }

    /// A file for the report on a model, in a folder that is readable for this user alone.
    pub fn report(&mut self, document: &Document) -> Result<PathBuf, String> {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => {
                let folder = std::env::temp_dir().join(format!("mcc-lsp-{:016x}", unpredictable()));
                let failed = |error: io::Error| format!("cannot create {}: {error}", folder.display());
                private_folder(&folder).map_err(failed)?;
                self.folder.insert(folder).clone()
            }
        };
        let stem = Path::new(document.name()).file_stem().unwrap_or_default().to_owned();
        Ok(folder.join(stem).with_extension(format!("{}.html", document.version)))
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.explorers.values().for_each(|one| one.server.stop());
        if let Some(folder) = &self.folder {
            // What cannot be removed is left to the system, which clears its temporary files.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

#[cfg(unix)]
fn private_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Serves a model until the explorer is stopped; sends the server, or why there is none.
fn serve(source: &Source, sender: &Sender<Result<Arc<Server>, String>>) {
    let reading = crate::read(source);
    let Some(analysis) = reading.analysis else {
        let _ = sender.send(Err("the model has errors: there is nothing to explore yet".to_owned()));
        return;
    };
    let settings = match cli::parse(["mcc lsp".into()]) {
        Ok(options) => options.settings(),
        Err(error) => {
            let _ = sender.send(Err(error.to_string()));
            return;
        }
    };
    let interpreter = Interpreter::with_analysis(reading.model, analysis, source);
    let server = match Server::listen(0) {
        Ok(server) => Arc::new(server),
        Err(error) => {
            let _ = sender.send(Err(format!("cannot listen on 127.0.0.1: {error}")));
            return;
        }
    };
    if sender.send(Ok(server.clone())).is_ok() {
        server.run(Explored {
            interpreter: &interpreter,
            program: &reading.program,
            source,
            settings,
            arguments: Vec::new(),
        });
    }
}

/// The address of a file, as browsers write it.
pub fn file_address(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut address = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        match byte {
            b'/' | b':' | b'.' | b'-' | b'_' | b'~' => address.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => address.push(char::from(byte)),
            _ => address += &format!("%{byte:02X}"),
        }
    }
    address
}
