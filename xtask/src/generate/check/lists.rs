//! Rules about lists of names of any kind.

use std::collections::HashMap;
use std::fmt::Display;
use std::hash::Hash;

use crate::generate::problem::{Place, Problems, report};
use crate::generate::spec::read::{At, suggest};
use crate::generate::spec::scalar::Name;

/// No list contains an item twice.
pub fn are_listed_once<'s, N: Copy + Display + Eq + Hash>(
    items: impl Iterator<Item = (N, &'s Place)>,
    problems: &mut Problems,
) {
    let mut taken = HashMap::new();
    for (item, place) in items {
        let first = *taken.entry(item).or_insert(place);
        if first != place {
            report(problems, place, format!("`{item}` is listed twice")).other(first, "first here");
        }
    }
}

pub fn unknown<'s>(
    what: &str,
    name: &At<Name>,
    known: impl Iterator<Item = &'s str>,
    problems: &mut Problems,
) {
    report(problems, name, format!("there is no {what} `{}`", name.0))
        .help(suggest(&name.0, &known.collect::<Vec<_>>()));
}
