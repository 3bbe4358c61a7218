//! Layout of the tables: lists, calls of setters, texts.

use std::fmt::{UpperHex, Write as _};

use arm_pmu_spec::scalar::Bits;

pub fn each<T, R>(items: &[T], to: impl Fn(&T) -> R) -> Vec<R> {
    items.iter().map(to).collect()
}

/// Maximum length of a line that contains no text.
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

/// Indents all lines except the first by four more columns.
pub fn deeper(item: &str) -> String {
    item.replace('\n', "\n    ")
}

/// Returns the lines of a list, with several short items on a line.
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

/// Lays out a constructor and its method calls: each long call has its own line, and short calls
/// share lines.
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

/// Returns the call `.name(&[..])`, or no text if the list is empty.
pub fn list_call(name: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    format!(".{name}(&{})", list_of(items))
}

/// A value that the generated tables contain.
pub trait Code {
    /// The value as an expression.
    fn code(&self) -> String;

    /// A call of the setter `name` with the value; empty if the value is absent.
    fn call(&self, name: &str) -> String {
        format!(".{name}({})", self.code())
    }
}

impl Code for String {
    fn code(&self) -> String {
        quoted(self)
    }
}

impl Code for u32 {
    fn code(&self) -> String {
        self.to_string()
    }
}

/// A number in hexadecimal.
pub struct Hex<T>(pub T);

impl<T: UpperHex> Code for Hex<T> {
    fn code(&self) -> String {
        format!("0x{:X}", self.0)
    }
}

impl Code for Bits {
    fn code(&self) -> String {
        format!("Bits::new({}, {})", self.high, self.low)
    }
}

impl Code for bool {
    fn code(&self) -> String {
        self.to_string()
    }

    fn call(&self, name: &str) -> String {
        if *self { format!(".{name}()") } else { String::new() }
    }
}

impl<T: Code> Code for Option<T> {
    fn code(&self) -> String {
        self.as_ref().map_or("None".to_owned(), |value| format!("Some({})", value.code()))
    }

    fn call(&self, name: &str) -> String {
        self.as_ref().map_or(String::new(), |value| value.call(name))
    }
}

impl<T: Code> Code for Vec<T> {
    fn code(&self) -> String {
        format!("&[{}]", each(self, T::code).join(", "))
    }

    fn call(&self, name: &str) -> String {
        list_call(name, &each(self, T::code))
    }
}

/// Implements [`Code`] for structs. Each struct is listed with the arguments of `new`, and the keys
/// that have setters.
macro_rules! constructed {
    ($($From:ident => $To:ident($($argument:ident $(as $Number:ident)?),*) {
        $($key:ident $(as $Value:ident)?),*
    })*) => { $(
        impl Code for $From {
            fn code(&self) -> String {
                let arguments = [$( constructed!(@argument self.$argument $(, $Number)?).code() ),*];
                let start = format!("{}::new({})", stringify!($To), arguments.join(", "));
                let calls: &[String] = &[$(
                    constructed!(@key self.$key $(, $Value)?).call(stringify!($key))
                ),*];
                // If there is only one call, it stays on the line of `start`.
                if let [call] = calls { start + call } else { chain(start, calls) }
            }
        }
    )* };
    (@argument $value:expr) => { $value };
    (@argument $value:expr, $Number:ident) => { $Number($value) };
    (@key $value:expr) => { $value };
    (@key $value:expr, $Number:ident) => { $value.map($Number) };
}

/// Implements [`Code`] for enums whose variants are words of the spec language.
macro_rules! named {
    ($($Word:ident),*) => { $(
        impl Code for $Word {
            fn code(&self) -> String {
                format!("{}::{self:?}", stringify!($Word))
            }
        }
    )* };
}

pub(super) use {constructed, named};
