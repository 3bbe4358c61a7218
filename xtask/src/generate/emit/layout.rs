//! Layout of the tables: lists, calls of setters, texts.

use std::fmt::Write as _;

pub fn each<T, R>(items: &[T], to: impl Fn(&T) -> R) -> Vec<R> {
    items.iter().map(to).collect()
}

/// The longest line without a text.
const WIDTH: usize = 100;

/// The usual indent of a list.
const INDENTED: usize = 16;

/// Items in brackets: on one line, or each on its own.
pub fn list_of(items: &[String]) -> String {
    let line = format!("[{}]", items.join(", "));
    if INDENTED + line.len() <= WIDTH && !line.contains('\n') && items.len() < 8 {
        return line;
    }
    let items: String = items.iter().map(|item| format!("    {},\n", deeper(item))).collect();
    format!("[\n{items}]")
}

/// The lines after the first, four columns further.
pub fn deeper(item: &str) -> String {
    item.replace('\n', "\n    ")
}

/// Items of a list, several short ones on a line.
pub fn packed(entries: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for entry in entries {
        let is_short = |text: &str| !text.contains('\n');
        match lines.last_mut() {
            Some(line)
                if is_short(line)
                    && is_short(&entry)
                    && INDENTED + line.len() + entry.len() + 3 <= WIDTH =>
            {
                let _ = write!(line, ", {entry}");
            }
            _ => lines.push(entry),
        }
    }
    lines
}

/// A constructor and its method calls: a long call on its own line, short calls together.
pub fn chain(start: String, calls: &[String]) -> String {
    let mut text = start;
    let mut room = 0_usize;
    for call in calls.iter().filter(|call| !call.is_empty()) {
        let alone = call.len() > 40 || call.contains('\n');
        if alone || call.len() > room {
            let _ = write!(text, "\n    {}", deeper(call));
            room = if alone { 0 } else { WIDTH - 8 - call.len() };
        } else {
            text.push_str(call);
            room -= call.len();
        }
    }
    text
}

pub fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// `.name("text")`, if there is one.
pub fn text_call(name: &str, text: Option<&str>) -> String {
    text.map_or(String::new(), |text| format!(".{name}({text:?})"))
}

/// `.name(&[..])`, if there is any.
pub fn list_call(name: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    format!(".{name}(&{})", list_of(items))
}
