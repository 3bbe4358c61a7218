//! Searches by words, for `find` and the reference pages. The script of the pages uses the same data and rules.
//!
//! The score of a word depends on its rarity, on how well it matches, and on its position: in a name, another name,
//! the first sentence of a description, or the rest. The highest total is first. A hit need not contain all words.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Serialize;

/// Parameters of the ranking.
#[derive(Debug, Serialize)]
pub struct Ranking {
    /// Words that are ignored.
    ignored: Vec<&'static str>,
    /// Suffixes to replace, and their replacements.
    endings: Vec<(&'static str, &'static str)>,
    /// Stems of words that users type, each with the phrases that the tables use instead.
    meanings: Vec<(String, Vec<&'static str>)>,
    /// Weight of each text of an entry, in the order of [`Texts`].
    places: [u64; 5],
    /// Scores for the ways in which a typed word can match a word of an entry: it is equal, begins
    /// the word, is a part of it, or resembles it.
    same: u64,
    start: u64,
    part: u64,
    near: u64,
    /// Weight of the first phrase of a meaning; a typed word has the weight 16. Each further phrase weighs 1 less.
    meaning: u64,
    /// The whole query is also searched as one joined word; this rarity is assumed for that word.
    whole: u64,
    /// Extra score if the query equals the entry's name or one of its other names.
    name: u64,
    alias: u64,
    /// If an entry is unavailable, this number is added to the number of words in its name.
    unavailable: u64,
    /// Maximum number of words of a query.
    most: usize,
}

impl Ranking {
    fn read(text: &'static str) -> Self {
        let mut ranking = Self {
            ignored: Vec::new(),
            endings: Vec::new(),
            meanings: Vec::new(),
            places: [8, 10, 6, 4, 2],
            same: 8,
            start: 5,
            part: 3,
            near: 7,
            meaning: 12,
            whole: 30,
            name: 1_000_000,
            alias: 500_000,
            unavailable: 8,
            most: 20,
        };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some(words) = line.strip_prefix("- ") {
                ranking.ignored.extend(words.split(' '));
            } else if let Some(endings) = line.strip_prefix("~ ") {
                let ending = |text: &'static str| text.split_once('=').unwrap_or((text, ""));
                ranking.endings.extend(endings.split(' ').map(ending));
            } else if let Some((said, phrases)) = line.split_once(": ") {
                ranking.meanings.push((ranking.stems(said), phrases.split(" | ").collect()));
            }
        }
        ranking
    }

    /// Stem of a word: `miss` for `misses`, `missed` and `missing`.
    fn stem(&self, word: &str) -> String {
        let mut cuts =
            self.endings.iter().filter_map(|(end, by)| Some((word.strip_suffix(end)?, *by)));
        let cut = cuts.find(|(stem, other)| stem.len() + other.len() >= 3);
        cut.map_or_else(|| word.to_owned(), |(stem, other)| format!("{stem}{other}"))
    }

    /// Stems of all words of a phrase.
    fn stems(&self, phrase: &str) -> String {
        phrase.split(' ').map(|word| self.stem(word)).collect::<Vec<_>>().join(" ")
    }
}

/// Parameters of all searches.
pub static RANKING: LazyLock<Ranking> = LazyLock::new(|| Ranking::read(include_str!("words.txt")));

/// Texts of a searchable entry.
#[derive(Clone, Debug)]
pub struct Texts<'t> {
    /// IP or platform. A query that matches only this text does not find the entry.
    pub of: &'t str,
    /// Name of the entry.
    pub name: &'t str,
    /// Other names of the entry.
    pub aliases: Vec<&'t str>,
    /// Description in one sentence.
    pub doc: &'t str,
    /// All other texts about the entry.
    pub more: Vec<&'t str>,
    /// Whether the entry cannot be counted or read. Such entries are ranked lower.
    pub is_unavailable: bool,
}

/// A word that occurs in texts of entries.
#[derive(Debug)]
struct Word {
    text: String,
    stem: String,
    /// The entries that contain the word. The second number of each pair is an index of
    /// [`Ranking::places`]: where in the entry the word is.
    entries: Vec<(usize, usize)>,
}

/// Names of an entry, reduced to letters and digits.
#[derive(Debug)]
struct Names {
    name: String,
    aliases: Vec<String>,
    /// Number of words in the name. For unavailable entries, the number is larger, to rank them
    /// lower.
    length: u64,
}

/// Score of an entry, its coverage if all words have equal weights, and its coverage without the
/// words of the IP or platform.
type Score = (u64, u64, u64);

/// Index of searchable texts.
#[derive(Debug)]
pub struct Index {
    words: Vec<Word>,
    names: Vec<Names>,
}

/// Result of a search.
#[derive(Debug, Default)]
pub struct Found {
    /// Indices of the hits, best first.
    pub entries: Vec<usize>,
    /// Words of the query without a match.
    pub unknown: Vec<String>,
}

impl Index {
    /// Creates an index. Entries with equal scores keep the order of `texts`.
    #[must_use]
    pub fn new<'t>(texts: impl Iterator<Item = Texts<'t>>) -> Self {
        let mut index = Self { words: Vec::new(), names: Vec::new() };
        let mut known: HashMap<String, usize> = HashMap::new();
        for (entry, of) in texts.enumerate() {
            let whole = folded(of.of);
            let places =
                [vec![of.of, &whole], vec![of.name], of.aliases.clone(), vec![of.doc], of.more];
            for (place, texts) in places.into_iter().enumerate() {
                for text in texts.into_iter().flat_map(tokens) {
                    let number = *known.entry(text).or_insert_with_key(|text| {
                        let (text, stem) = (text.clone(), RANKING.stem(text));
                        index.words.push(Word { text, stem, entries: Vec::new() });
                        index.words.len() - 1
                    });
                    index.words[number].entries.push((entry, place));
                }
            }
            index.names.push(Names {
                name: folded(of.name),
                aliases: of.aliases.into_iter().map(folded).collect(),
                length: tokens(of.name).count() as u64
                    + if of.is_unavailable { RANKING.unavailable } else { 0 },
            });
        }
        index
    }

    /// Finds the entries that match enough words. `number` returns an extra score if a number in the query matches an
    /// entry.
    #[must_use]
    pub fn search(&self, query: &str, number: impl Fn(usize) -> u64) -> Found {
        let words = words(query);
        let mut scores: Vec<Score> = vec![(0, 0, 0); self.names.len()];
        let mut unknown = Vec::new();
        for term in terms(&words) {
            let of_term = self.term(term);
            if of_term.iter().all(|score| *score == (0, 0, 0)) {
                unknown.extend_from_slice(term);
            }
            add(&mut scores, &of_term);
        }
        let whole = folded(query);
        // If no word matches, the words joined into one can still match; otherwise the joined words only change the
        // order of the results.
        let is_unknown = scores.iter().all(|score| score.2 == 0);
        if words.len() > 1 || is_unknown {
            let of_whole = self.whole(&whole).into_iter();
            let ranks =
                |(score, fits, own)| if is_unknown { (score, fits, own) } else { (score, 0, 0) };
            add(&mut scores, &of_whole.map(ranks).collect::<Vec<_>>());
        }
        let mut is_exact = false;
        let own = scores.iter().filter(|score| score.2 > 0);
        let most = own.map(|score| score.1).max().unwrap_or(0);
        for (entry, (names, score)) in self.names.iter().zip(&mut scores).enumerate() {
            let exact = if whole.is_empty() {
                0
            } else if names.name == whole {
                RANKING.name
            } else if names.aliases.contains(&whole) {
                RANKING.alias
            } else {
                0
            };
            let exact = exact.max(number(entry));
            // Among names with all typed words, the shortest name gets the highest score.
            score.0 = score.0 * 20 / (19 + names.length) + exact;
            if exact > 0 {
                (score.1, score.2) = (most.max(1), 1);
                is_exact = true;
            }
        }
        // If the query is a single exact name, all words must match; otherwise, slightly more than half of the words
        // must match.
        let is_one = !query.trim().contains(' ');
        let least = if is_exact && is_one { most.max(1) } else { (most * 11 / 20).max(1) };
        let is_hit = |score: &Score| score.1 >= least && score.2 > 0;
        let hits = scores.iter().enumerate().filter(|(_, score)| is_hit(score));
        let mut entries: Vec<_> = hits.map(|(entry, _)| entry).collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(scores[*entry].0));
        Found { entries, unknown }
    }

    /// Index of the other name that matched, if it matched better than the entry's own name.
    #[must_use]
    pub fn alias(&self, entry: usize, aliases: &[&str], query: &str) -> Option<usize> {
        let names = &self.names[entry];
        let whole = folded(query);
        if names.name == whole {
            return None;
        }
        if let Some(exact) = names.aliases.iter().position(|alias| *alias == whole) {
            return Some(exact);
        }
        let words = words(query);
        let fits = |text: &str, folded: &str| {
            let fits = |word: &String| {
                let (stem, mut all) = (RANKING.stem(word), tokens(text));
                is_in(word, folded) || all.any(|other| fit(word, &stem, &other, None) > 0)
            };
            words.iter().filter(|word| fits(word)).count()
        };
        // The entry's own name is stored without gaps, so its words cannot be compared separately.
        let own = words.iter().filter(|word| names.name.contains(&RANKING.stem(word))).count();
        let all = aliases.iter().zip(&names.aliases).map(|(text, folded)| fits(text, folded));
        let best = all.enumerate().fold(
            (0, own),
            |best, (nth, count)| {
                if count > best.1 { (nth, count) } else { best }
            },
        );
        (best.1 > own).then_some(best.0)
    }

    /// Returns scores for the words as typed, or for words of the tables that have the same
    /// meaning.
    fn term(&self, said: &[String]) -> Vec<Score> {
        let mut scores = self.phrase(said.iter().map(String::as_str), said.len());
        let text = said.join(" ");
        let stems = RANKING.stems(&text);
        let mut meanings = RANKING.meanings.iter().filter(|(said, _)| *said == stems).peekable();
        let is_known = meanings.peek().is_some() || scores.iter().any(|score| score.0 > 0);
        let similar =
            RANKING.meanings.iter().filter(|(said, _)| !is_known && is_near(&stems, said));
        for (_, phrases) in meanings.chain(similar) {
            for (phrase, sixteenths) in phrases.iter().zip((1..=RANKING.meaning).rev()) {
                let other = self.phrase(phrase.split(' '), said.len());
                for (score, other) in scores.iter_mut().zip(other) {
                    let part = |score: u64| score * sixteenths / 16;
                    *score = larger(*score, (part(other.0), part(other.1), part(other.2)));
                }
            }
        }
        if !is_known && said.len() == 1 && scores.iter().all(|score| score.0 == 0) {
            scores =
                self.word(&text, |other| u64::from(is_near(&text, &other.text)) * RANKING.near);
        }
        let top = scores.iter().map(|score| score.1).max().unwrap_or(0);
        let having = scores.iter().filter(|score| score.1 > 0 && score.1 * 2 >= top).count();
        let rarity = rarity(scores.len(), having);
        scores.into_iter().map(|of| (of.0 * rarity, of.1 * rarity, of.2 * rarity)).collect()
    }

    /// Scores for a phrase, scaled to `length` words.
    fn phrase<'w>(
        &self,
        words: impl Iterator<Item = &'w str> + Clone,
        length: usize,
    ) -> Vec<Score> {
        let mut scores = vec![(0, 0, 0); self.names.len()];
        let count = words.clone().count() as u64;
        for word in words {
            let stem = RANKING.stem(word);
            add(
                &mut scores,
                &self.word(word, |other| fit(word, &stem, &other.text, Some(&other.stem))),
            );
        }
        let share = |score: u64| score * length as u64 / count;
        scores.into_iter().map(|of| (share(of.0), share(of.1), share(of.2))).collect()
    }

    /// Scores of all entries for a word.
    fn word(&self, word: &str, fit: impl Fn(&Word) -> u64) -> Vec<Score> {
        let mut best: Vec<Score> = vec![(0, 0, 0); self.names.len()];
        for other in &self.words {
            let fit = fit(other);
            for (entry, place) in other.entries.iter().filter(|_| fit > 0) {
                let own = if *place == 0 { 0 } else { fit };
                best[*entry] = larger(best[*entry], (fit * RANKING.places[*place], fit, own));
            }
        }
        // A word also matches across a gap in a name: `frontend` in `FRONT_END`.
        for (names, best) in self.names.iter().zip(&mut best) {
            let start = RANKING.start;
            if is_in(word, &names.name) {
                *best = larger(*best, (start * RANKING.places[1], start, start));
            } else if names.aliases.iter().any(|alias| is_in(word, alias)) {
                *best = larger(*best, (start * RANKING.places[2], start, start));
            }
        }
        best
    }

    /// Scores each entry by whether its names contain the whole query.
    fn whole(&self, whole: &str) -> Vec<Score> {
        let [_, name, alias, ..] = RANKING.places;
        let fit = |names: &Names| {
            let (fit, place) = if whole.len() < 3 {
                (0, 0)
            } else if names.name.starts_with(whole) {
                (RANKING.start, name)
            } else if names.name.contains(whole) {
                (RANKING.part, name)
            } else if names.aliases.iter().any(|alias| alias.contains(whole)) {
                (RANKING.part, alias)
            } else {
                (0, 0)
            };
            let coverage = fit * RANKING.whole;
            (coverage * place, coverage, coverage)
        };
        self.names.iter().map(fit).collect()
    }
}

fn larger(one: Score, other: Score) -> Score {
    (one.0.max(other.0), one.1.max(other.1), one.2.max(other.2))
}

fn add(scores: &mut [Score], others: &[Score]) {
    for (score, other) in scores.iter_mut().zip(others) {
        *score = (score.0 + other.0, score.1 + other.1, score.2 + other.2);
    }
}

/// Ten times the logarithm of a word's rarity.
fn rarity(all: usize, having: usize) -> u64 {
    ((1.0 + all as f64 / having.max(1) as f64).log2() * 10.0) as u64
}

/// The words of a query that are not ignored; all its words if every word would be ignored.
fn words(query: &str) -> Vec<String> {
    let is_ignored = |word: &String| RANKING.ignored.contains(&word.as_str());
    let all: Vec<_> = tokens(query).take(RANKING.most).collect();
    let some: Vec<_> = all.iter().filter(|word| !is_ignored(word)).cloned().collect();
    if some.is_empty() { all } else { some }
}

/// Splits words into known phrases and single words.
fn terms(words: &[String]) -> Vec<&[String]> {
    let mut terms = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        let is_said = |length: &usize| {
            let stems = rest.get(..*length).map(|words| RANKING.stems(&words.join(" ")));
            stems.is_some_and(|stems| RANKING.meanings.iter().any(|(said, _)| *said == stems))
        };
        let length = [3, 2].into_iter().find(is_said).unwrap_or(1);
        let (term, others) = rest.split_at(length);
        terms.push(term);
        rest = others;
    }
    terms
}

/// Score of a query's word against a word of a text.
fn fit(word: &str, stem: &str, other: &str, stem_of_other: Option<&str>) -> u64 {
    let start = if stem.len() >= 4 { stem } else { word };
    if word == other || stem_of_other.map_or_else(|| RANKING.stem(other) == stem, |of| of == stem) {
        RANKING.same
    } else if start.len() >= 4 && other.starts_with(start) {
        RANKING.start
    } else if word.len() >= 4 && other.contains(word) {
        RANKING.part
    } else {
        0
    }
}

/// Whether a name, written without spaces, contains a word. Short words are excluded, because they would match by
/// chance.
fn is_in(word: &str, name: &str) -> bool {
    word.len() >= 5 && name.contains(word)
}

/// Whether a word can be a misspelling of another. Numbers and short words must be exact.
fn is_near(word: &str, other: &str) -> bool {
    let allowed = match word.len() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    };
    let letters = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    letters
        && allowed > 0
        && other.len().abs_diff(word.len()) <= allowed
        && strsim::osa_distance(word, other) <= allowed
}

/// Words that occur in the texts but not in `others`, without duplicates. The search index of the reference pages
/// stores only these words of the texts.
#[must_use]
pub fn further_words<'t>(texts: impl IntoIterator<Item = &'t str>, others: &[&str]) -> String {
    let mut known: HashSet<_> =
        others.iter().flat_map(|text| tokens(text)).map(|word| RANKING.stem(&word)).collect();
    let is_new = |word: &String| {
        word.starts_with(|first: char| first.is_ascii_alphabetic())
            && !RANKING.ignored.contains(&word.as_str())
            && known.insert(RANKING.stem(word))
    };
    texts.into_iter().flat_map(tokens).filter(is_new).collect::<Vec<_>>().join(" ")
}

fn tokens(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase)
}

/// Letters and digits of a name, in lower case.
#[must_use]
pub fn folded(text: &str) -> String {
    tokens(text).collect()
}
