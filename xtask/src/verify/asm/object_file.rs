//! The functions in a library, and their calls.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use object::read::archive::ArchiveFile;
use object::{
    File, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SectionKind,
    SymbolKind,
};

/// The functions of a library, by name, with the names of symbols that each refers to, except data.
///
/// # Errors
///
/// If it is not an archive of object files.
pub fn functions(library: &[u8]) -> Result<BTreeMap<String, Vec<String>>> {
    let mut functions = BTreeMap::new();
    for member in ArchiveFile::parse(library).context("not an archive")?.members() {
        // The metadata of the compiler is a member too, an object file without functions or no
        // object file at all.
        if let Ok(file) = File::parse(member?.data(library)?) {
            functions.extend(functions_of(&file)?);
        }
    }
    Ok(functions)
}

/// The functions of an object file, by name.
///
/// # Errors
///
/// If it is damaged.
pub fn functions_of(file: &File<'_>) -> Result<BTreeMap<String, Vec<String>>> {
    let mut functions = BTreeMap::new();
    for symbol in file.symbols() {
        let (SymbolKind::Text, Some(index)) = (symbol.kind(), symbol.section_index()) else {
            continue;
        };
        let section = file.section_by_index(index)?;
        let range = symbol.address()..symbol.address() + symbol.size();
        let mut refers_to = Vec::new();
        for (offset, relocation) in section.relocations() {
            if range.contains(&offset)
                && let RelocationTarget::Symbol(target) = relocation.target()
                && let Some(name) = code_name(file, target)?
            {
                refers_to.push(name);
            }
        }
        functions.insert(symbol.name()?.to_owned(), refers_to);
    }
    Ok(functions)
}

/// The name of the function that a symbol stands for, if it may be one.
fn code_name(file: &File<'_>, index: object::SymbolIndex) -> Result<Option<String>> {
    let symbol = file.symbol_by_index(index)?;
    Ok(match symbol.kind() {
        SymbolKind::Text => Some(symbol.name()?.to_owned()),
        SymbolKind::Unknown if symbol.is_undefined() => Some(symbol.name()?.to_owned()),
        // The compiler gives each function a section, and a private one may be named by that.
        SymbolKind::Section => match symbol.section_index() {
            Some(section) => first_function(file, section)?,
            None => None,
        },
        _ => None,
    })
}

fn first_function(file: &File<'_>, index: SectionIndex) -> Result<Option<String>> {
    if file.section_by_index(index)?.kind() != SectionKind::Text {
        return Ok(None);
    }
    let mut symbols = file.symbols();
    let function = symbols.find(|symbol| {
        symbol.kind() == SymbolKind::Text
            && symbol.section_index() == Some(index)
            && symbol.size() > 0
    });
    Ok(function.map(|symbol| symbol.name().map(str::to_owned)).transpose()?)
}
