//! The models to measure: read from their files, in every size that was asked for.

use crate::define;
use crate::tools::Language;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// One model as it is measured: in one size, with symmetry reduction or without.
#[derive(Clone)]
pub struct Model {
    /// The model's own name. What distinguishes this size or variant is appended to it.
    family: String,
    stem: OsString,
    /// Bytes, for the comments of old models are not always UTF-8.
    murphi: Vec<u8>,
    /// The other half of a pair, where there is one.
    promela: Option<Vec<u8>>,
    pub symmetry: bool,
    /// What was defined otherwise than in its text: `N=7`.
    sizes: Vec<String>,
}

impl Model {
    /// How tables call it.
    pub fn name(&self) -> String {
        let mut marks = self.sizes.clone();
        marks.extend(self.symmetry.then(|| "symmetry".to_owned()));
        if marks.is_empty() { self.family.clone() } else { format!("{} ({})", self.family, marks.join(", ")) }
    }

    /// The name that all sizes of it share.
    pub fn family(&self) -> String {
        Model { sizes: Vec::new(), ..self.clone() }.name()
    }

    /// Its size among those that were asked for.
    pub fn size(&self) -> Option<String> {
        (!self.sizes.is_empty()).then(|| self.sizes.join(", "))
    }

    pub fn text(&self, language: Language) -> Option<&[u8]> {
        match language {
            Language::Murphi => Some(&self.murphi),
            Language::Promela => self.promela.as_deref(),
        }
    }

    pub fn file_name(&self, language: Language) -> OsString {
        let mut name = self.stem.clone();
        name.push(".");
        name.push(language.extension());
        name
    }
}

/// `--define NAME=VALUE,…`: a constant and the values that it takes, one after the other.
#[derive(Clone, Debug)]
pub struct Definition {
    name: String,
    values: Vec<i64>,
}

impl FromStr for Definition {
    type Err = String;

    fn from_str(text: &str) -> Result<Definition, String> {
        let (name, values) = text.split_once('=').ok_or("it has the form NAME=VALUE or NAME=VALUE,VALUE")?;
        let values = values
            .split(',')
            .map(|value| value.trim().parse().map_err(|_| format!("`{value}` is no number")));
        let values = values.collect::<Result<Vec<i64>, String>>()?;
        Ok(Definition { name: name.trim().to_owned(), values })
    }
}

/// Reads the models, those that keep all their states first, each in every size.
pub fn read(
    plain: &[PathBuf],
    symmetric: &[PathBuf],
    definitions: &[Definition],
) -> Result<Vec<Model>, String> {
    // Two models of one name are distinguished by their folders.
    let distinct: HashSet<&PathBuf> = plain.iter().chain(symmetric).collect();
    let mut stems: HashMap<&OsStr, u32> = HashMap::new();
    for path in distinct {
        *stems.entry(path.file_stem().unwrap_or_default()).or_default() += 1;
    }
    let mut models = Vec::new();
    for (path, symmetry) in
        plain.iter().map(|path| (path, false)).chain(symmetric.iter().map(|path| (path, true)))
    {
        let stem = path.file_stem().unwrap_or_default();
        let folder = path.parent().and_then(Path::file_name).filter(|_| stems[stem] > 1);
        models.push(Model {
            family: folder.map_or(PathBuf::new(), PathBuf::from).join(stem).display().to_string(),
            stem: stem.to_owned(),
            murphi: fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?,
            promela: other_half(path)?,
            symmetry,
            sizes: Vec::new(),
        });
    }
    for definition in definitions {
        models = sized(models, definition)?;
    }
    Ok(models)
}

/// The Promela half of a pair is the file beside it that ends in `.pml`.
fn other_half(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let path = path.with_extension(Language::Promela.extension());
    match fs::read(&path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// The models with every value of a constant that they declare; those that do not declare it stay
/// as they are.
fn sized(models: Vec<Model>, definition: &Definition) -> Result<Vec<Model>, String> {
    let mut all = Vec::new();
    let mut found = false;
    for model in models {
        for &value in &definition.values {
            let Some(murphi) = define::in_murphi(&model.murphi, &definition.name, value) else {
                all.push(model);
                break;
            };
            found = true;
            let mut sized = Model { murphi, ..model.clone() };
            if let Some(text) = &model.promela {
                let promela = define::in_promela(text, &definition.name, value);
                let lacking =
                    || format!("{}: its Promela half does not define {}", model.family, definition.name);
                sized.promela = Some(promela.ok_or_else(lacking)?);
            }
            sized.sizes.push(format!("{}={value}", definition.name));
            all.push(sized);
        }
    }
    if found { Ok(all) } else { Err(format!("no model declares a constant {}", definition.name)) }
}
