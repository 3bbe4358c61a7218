//! Generates the methods of a register's values, as svd2rust writes them: readers and writers of fields, and enums
//! of named values.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitInt;

use super::{decimal, doc, docs};
use crate::generate::model::{Access, Bits, Named, NamedValue, Register};
use crate::generate::names::{self, ident};

/// A field, with the meaning for its documentation.
struct Field<'m> {
    bits: Bits,
    named: &'m Named,
    meaning: &'m str,
}

/// Returns the methods of `R`, then the methods of `W`, then the named values, low bit first.
///
/// Fields are in the order of the manual, high bit first. `meanings` has the meaning of each field, which appears
/// once: at the read method, or at the write method of a write-only field.
pub fn emit(register: &Register, meanings: &[String]) -> TokenStream {
    let fields = register.named().zip(meanings);
    let fields: Vec<_> =
        fields.map(|((bits, named), meaning)| Field { bits, named, meaning }).collect();
    let readers: TokenStream = fields.iter().map(|field| field.reader(register)).collect();
    let readers = (!readers.is_empty()).then(|| quote!(impl R { #readers }));
    // core's `register!` implements it from the names of fields.
    let debug = (readers.is_none() && register.access.can_read()).then(|| {
        quote! {
            impl core::fmt::Debug for R {
                fn fmt(&self, f: &mut core::fmt::Formatter) -> core::fmt::Result {
                    write!(f, "{}", self.bits())
                }
            }
        }
    });
    let writers: TokenStream = fields.iter().map(|field| field.writer(register)).collect();
    let writers = register.access.can_write().then(|| quote!(impl W { #writers }));
    let values = fields.iter().rev().filter(|field| !field.named.values.is_empty());
    let values: TokenStream = values.map(Field::values).collect();
    quote!(#readers #debug #writers #values)
}

impl Field<'_> {
    /// Returns the documentation and attributes of a method.
    fn attributes(&self, text: &str) -> TokenStream {
        let text = doc(&docs::paragraph(text));
        let aliases = &self.named.aliases;
        quote!(#text #[inline(always)] #(#[doc(alias = #aliases)])*)
    }

    /// Returns bits and name of the field, with what writing 1 does.
    fn title(&self) -> String {
        let noun = if self.bits.width() == 1 { "Bit" } else { "Bits" };
        let acts = match self.named.access {
            Access::WriteOneActs | Access::WriteOneClears | Access::WriteOneSets => {
                format!(" ({})", docs::field_access(self.named))
            }
            _ => String::new(),
        };
        format!("{noun} {}, {}{acts}", self.bits, self.named.name)
    }

    /// Returns the enum of the named values, if there are any.
    fn enumeration(&self) -> Option<syn::Ident> {
        (!self.named.values.is_empty()).then(|| ident(&names::field_values(&self.named.name)))
    }

    /// Returns the type of the value, unless it is the default of readers and writers.
    fn value_type(&self) -> Option<syn::Ident> {
        let number = match self.bits.width() {
            1..=8 => None,
            width => Some(number_type(width)),
        };
        self.enumeration().or(number)
    }

    fn reader(&self, register: &Register) -> TokenStream {
        if !docs::reads_a_value(self.named) {
            return TokenStream::new();
        }
        let attributes = self.attributes(&format!("{}. {}", self.title(), self.meaning));
        let name = ident(&names::field_accessor(&self.named.name));
        let argument = self.value_type().map(|of| quote!(<#of>));
        let Bits { low, .. } = self.bits;
        let width = self.bits.width();
        let shifted = if low == 0 {
            quote!(self.bits)
        } else {
            let low = decimal(low);
            quote!((self.bits >> #low))
        };
        let mask = mask(self.bits.mask() >> low);
        let value = match width {
            _ if width == register.width => quote!(self.bits),
            1 => quote!((#shifted & #mask) != 0),
            _ if number_type(width) == number_type(register.width) => quote!(#shifted & #mask),
            _ => {
                let number = number_type(width);
                quote!((#shifted & #mask) as #number)
            }
        };
        let reader = ident(if width == 1 { "BitReader" } else { "FieldReader" });
        quote! {
            #attributes
            pub const fn #name(&self) -> field::#reader #argument {
                field::#reader::new(#value)
            }
        }
    }

    fn writer(&self, register: &Register) -> TokenStream {
        if !self.named.access.can_write() {
            return TokenStream::new();
        }
        let accessor = names::field_accessor(&self.named.name);
        let attributes = self.attributes(&if docs::reads_a_value(self.named) {
            let method = docs::method_of("R", &accessor);
            format!("{}: see [`R::{accessor}`]({method}).", self.title())
        } else {
            format!("{}. {}", self.title(), self.meaning)
        });
        let (name, spec) = (ident(&accessor), ident(&names::register_spec(&register.name)));
        let (writer, width) = self.writer_type();
        let value = self.value_type().map(|of| quote!(, #of));
        let low = decimal(self.bits.low);
        quote! {
            #attributes
            pub fn #name(&mut self) -> field::#writer<'_, #spec #width #value> {
                field::#writer::new(self, #low)
            }
        }
    }

    /// Returns the type of the writer, with its width.
    fn writer_type(&self) -> (syn::Ident, Option<TokenStream>) {
        let name = match (self.bits.width(), self.named.access) {
            (1, Access::WriteOneActs | Access::WriteOneSets) => "BitWriter1S",
            (1, Access::WriteOneClears) => "BitWriter1C",
            (1, _) => "BitWriter",
            (width, _) => {
                let width = decimal(width);
                return (ident("FieldWriter"), Some(quote!(, #width)));
            }
        };
        (ident(name), None)
    }

    /// Returns the enum of the named values, with its conversion and the methods of reader and writer.
    fn values(&self) -> TokenStream {
        let Self { bits, named, .. } = self;
        let is_bit = bits.width() == 1;
        let all = 1 << bits.width() == named.values.len();
        let text = doc(&docs::paragraph(&if all {
            format!("The values of {}.", named.name)
        } else {
            format!("Values of {} that have a name. There can be others.", named.name)
        }));
        let (of, number) = (self.enumeration(), number_type(bits.width()));
        let variant = |value: &NamedValue| ident(&names::field_value(&value.name));
        let variants = named.values.iter().map(|value| {
            let text = doc(&docs::paragraph(&format!("{}: {}", value.value, value.doc)));
            let (name, number) = (variant(value), decimal(value.value));
            quote!(#text #name = #number,)
        });
        let representation = (!is_bit).then(|| quote!(#[repr(#number)]));
        let converted = if is_bit { quote!(variant as u8 != 0) } else { quote!(variant as _) };
        let into = if is_bit { ident("bool") } else { number.clone() };
        let specification = (!is_bit).then(|| {
            quote! {
                impl field::FieldSpec for #of {
                    type Ux = #number;
                }
            }
        });
        let reader = docs::reads_a_value(named).then(|| self.reader_of_values(all));
        let writer = named.access.can_write().then(|| {
            let (writer, width) = self.writer_type();
            let methods = named.values.iter().map(|value| {
                let name = variant(value);
                let text = doc(&docs::paragraph(&format!("Writes [`{}::{name}`].", quote!(#of))));
                let method = ident(&names::field_value_method(&value.name));
                quote! {
                    #text
                    #[inline(always)]
                    pub fn #method(self) -> &'a mut field::W<REG> {
                        self.variant(#of::#name)
                    }
                }
            });
            quote! {
                impl<'a, REG: field::Writable> field::#writer<'a, REG #width, #of> {
                    #(#methods)*
                }
            }
        });
        quote! {
            #text
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #representation
            pub enum #of {
                #(#variants)*
            }
            impl From<#of> for #into {
                #[inline(always)]
                fn from(variant: #of) -> Self {
                    #converted
                }
            }
            #specification
            #reader
            #writer
        }
    }

    fn reader_of_values(&self, all: bool) -> TokenStream {
        let of = self.enumeration();
        let is_bit = self.bits.width() == 1;
        let some = |value: &NamedValue| {
            let name = ident(&names::field_value(&value.name));
            if all { quote!(#of::#name) } else { quote!(Some(#of::#name)) }
        };
        let values = &self.named.values;
        let arms = values.iter().map(|value| {
            let (number, some) = (decimal(value.value), some(value));
            match (is_bit, value.value) {
                (false, _) => quote!(#number => #some,),
                (true, 0) => quote!(false => #some,),
                (true, _) => quote!(true => #some,),
            }
        });
        let (text, returned, rest) = match (all, is_bit) {
            (true, true) => ("Returns the value.", quote!(#of), None),
            (true, false) => {
                ("Returns the value.", quote!(#of), Some(quote!(_ => unreachable!(),)))
            }
            (false, _) => (
                "Returns the value, if it has a name.",
                quote!(Option<#of>),
                Some(quote!(_ => None,)),
            ),
        };
        let text = doc(&[text.to_owned()]);
        let methods = values.iter().map(|value| {
            let name = names::field_value(&value.name);
            let text =
                doc(&docs::paragraph(&format!("Whether it is [`{}::{name}`].", quote!(#of))));
            let method = ident(&format!("is_{}", names::field_value_method(&value.name)));
            let some = some(value);
            quote! {
                #text
                #[inline(always)]
                pub const fn #method(&self) -> bool {
                    matches!(self.variant(), #some)
                }
            }
        });
        let reader = ident(if is_bit { "BitReader" } else { "FieldReader" });
        quote! {
            impl field::#reader<#of> {
                #text
                #[inline(always)]
                pub const fn variant(&self) -> #returned {
                    match self.bits {
                        #(#arms)*
                        #rest
                    }
                }
                #(#methods)*
            }
        }
    }
}

/// Returns the smallest type for a number of this width.
fn number_type(width: u32) -> syn::Ident {
    ident(match width {
        0..=8 => "u8",
        9..=16 => "u16",
        17..=32 => "u32",
        _ => "u64",
    })
}

/// Returns a mask: small numbers in decimal, others in hexadecimal groups of four digits.
fn mask(mask: u64) -> LitInt {
    let groups = (0..4).rev().map(|part| mask >> (16 * part) & 0xFFFF);
    let groups: Vec<_> =
        groups.skip_while(|group| *group == 0).map(|of| format!("{of:04x}")).collect();
    let text = match mask {
        0..10 => mask.to_string(),
        10..256 => format!("0x{mask:02x}"),
        _ => format!("0x{}", groups.join("_")),
    };
    LitInt::new(&text, proc_macro2::Span::call_site())
}
