//! The numbers in the generated files of an IP crate, read out of their Rust.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use arm_pmu_tables::Ip;
use syn::{BinOp, Expr, ImplItem, Item, ItemEnum, ItemImpl, ItemMod, Lit, Type};

/// A number, or what names a register of a core in assembly.
pub type Values = BTreeMap<String, Value>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Number(u64),
    Text(String),
}

/// Every number of an IP, by the name that it has in C; offsets on pages from the start of the page.
pub fn of_ip(ip: &Ip) -> Values {
    let generated = crates().join(ip.name).join("src/generated");
    let mut values = Values::new();
    let prefix = constant(ip.name);
    files(&generated, &prefix, &prefix, &groups(ip), &mut values);
    if !generated.join("registers.rs").exists() {
        of_architecture(ip, &prefix, &mut values);
    }
    values
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A name as constants have it.
pub fn constant(name: &str) -> String {
    name.replace('-', "_").to_ascii_uppercase()
}

/// The numbers in registers that the IP shares with others, if it does: some have values for each of them.
fn of_architecture(ip: &Ip, prefix: &str, values: &mut Values) {
    let generated = |krate: fs::DirEntry| krate.path().join("src/generated");
    let mut all =
        fs::read_dir(crates()).expect("the crates").map(|krate| generated(krate.expect("a crate")));
    let own = Path::new(ip.rust).join("registers.rs");
    let Some(generated) = all.find(|generated| generated.join(&own).exists()) else { return };
    let parse = |path: &Path| {
        syn::parse_file(&fs::read_to_string(path).expect("a file")).expect("Rust").items
    };
    let own = parse(&generated.join(own));
    let mut shared = parse(&generated.join("registers.rs"));
    // A register that differs in this IP has a module in both.
    let differ: Vec<_> = own.iter().filter_map(module_name).collect();
    shared.retain(|item| !matches!(item, Item::Mod(module) if differ.contains(&&module.ident)));
    for items in [&shared, &own] {
        registers(items, prefix, values);
    }
    let own = format!("_RESET_{prefix}");
    let resets: Vec<_> = values.keys().filter(|name| name.contains("_RESET_")).cloned().collect();
    for name in resets {
        let value = values.remove(&name).expect("a value");
        if let Some(register) = name.strip_suffix(&own) {
            values.insert(format!("{register}_RESET"), value);
        }
    }
}

fn module_name(item: &Item) -> Option<&syn::Ident> {
    match item {
        Item::Mod(module) => Some(&module.ident),
        _ => None,
    }
}

/// What groups of events are called in C, by the type of their events.
///
/// The type alone does not say it: the events of `slave_1` and of `slave1` would be `Slave1Event`.
type Groups = BTreeMap<String, String>;

fn groups(ip: &Ip) -> Groups {
    let of_groups = ip.groups.iter().map(|group| (group.rust, group.name));
    let of_units = ip.units.iter().filter_map(|unit| Some((unit.rust_events?, unit.name)));
    let all = of_groups.chain(of_units).filter(|(rust, _)| !rust.is_empty());
    all.map(|(rust, name)| (rust.to_owned(), constant(name))).collect()
}

fn files(directory: &Path, ip: &str, prefix: &str, groups: &Groups, values: &mut Values) {
    for entry in fs::read_dir(directory).expect("generated files") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            files(&path, ip, &format!("{ip}_{}", name.to_ascii_uppercase()), groups, values);
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file");
        let file = syn::parse_file(&text).expect("Rust");
        match &*name {
            "registers.rs" => registers(&file.items, prefix, values),
            "events.rs" => events(&file.items, ip, prefix, groups, values),
            _ => {}
        }
    }
}

fn put(values: &mut Values, name: String, number: u64) {
    let old = values.insert(name.clone(), Value::Number(number));
    assert!(old.is_none_or(|old| old == Value::Number(number)), "{name}");
}

fn registers(items: &[Item], prefix: &str, values: &mut Values) {
    constants(items, prefix, values);
    for item in items {
        let Item::Mod(module) = item else { continue };
        let items = &module.content.as_ref().expect("a module with content").1;
        let is_register = items.iter().any(|item| matches!(item, Item::Struct(_)));
        if is_register {
            register(module, items, prefix, values);
        } else {
            let unit = module.ident.to_string().to_ascii_uppercase();
            constants(items, &format!("{prefix}_{unit}"), values);
        }
    }
}

fn constants(items: &[Item], prefix: &str, values: &mut Values) {
    for item in items {
        if let Item::Const(constant) = item
            && let Some(number) = literal(&constant.expr)
        {
            put(values, format!("{prefix}_{}", constant.ident), number);
        }
    }
}

fn register(module: &ItemMod, items: &[Item], prefix: &str, values: &mut Values) {
    let doc = doc(&module.attrs);
    let (name, _) = doc.split_once(": ").expect("the name in front");
    let name = format!("{prefix}_{}", name.to_ascii_uppercase());
    constants(items, &name, values);
    for item in items {
        let Item::Impl(block) = item else { continue };
        match &block.trait_ {
            Some((path, _))
                if path.segments.last().is_some_and(|last| last.ident == "RegisterSpec") =>
            {
                register_spec(block, &name, values);
            }
            None => match of_values(block) {
                Some((reader, of)) if reader.ends_with("Reader") => {
                    named_values(block, items, &of, &name, values);
                }
                Some(_) => {}
                None => fields(block, &name, values),
            },
            Some(_) => {}
        }
    }
}

/// The type whose methods these are and the enum that it is for, as in `BitReader<Ccd>`.
fn of_values(block: &ItemImpl) -> Option<(String, String)> {
    let Type::Path(path) = &*block.self_ty else { return None };
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let Some(syn::GenericArgument::Type(Type::Path(of))) = arguments.args.last() else {
        return None;
    };
    Some((last.ident.to_string(), of.path.get_ident()?.to_string()))
}

/// The values of a field that have a name: each is in a method that asks for it.
fn named_values(block: &ItemImpl, items: &[Item], of: &str, name: &str, values: &mut Values) {
    let is_it = |item: &&Item| matches!(item, Item::Enum(one) if one.ident == of);
    let Some(Item::Enum(one)) = items.iter().find(is_it) else { panic!("there is no {of}") };
    let doc = doc(&one.attrs);
    let field = doc.split_once("alues of ").expect("the field").1.split([' ', '.']).next();
    let field = field.expect("the field").to_ascii_uppercase();
    let numbers: HashMap<_, _> = one
        .variants
        .iter()
        .map(|variant| {
            let (_, number) = variant.discriminant.as_ref().expect("a number");
            (variant.ident.to_string(), literal(number).expect("a number"))
        })
        .collect();
    let mut found = 0;
    for item in &block.items {
        let ImplItem::Fn(method) = item else { continue };
        let asks = method.sig.ident.to_string();
        let Some(value) = asks.strip_prefix("is_") else { continue };
        let [syn::Stmt::Expr(Expr::Binary(equal), None)] = &method.block.stmts[..] else {
            panic!("{asks}: another form");
        };
        let Expr::Path(variant) = &*equal.right else { panic!("{asks}: another form") };
        let variant = variant.path.segments.last().expect("a variant").ident.to_string();
        put(values, format!("{name}_{field}_{}", value.to_ascii_uppercase()), numbers[&variant]);
        found += 1;
    }
    assert_eq!(found, numbers.len(), "{name}_{field}");
}

fn register_spec(block: &ItemImpl, name: &str, values: &mut Values) {
    for item in &block.items {
        let ImplItem::Const(constant) = item else { continue };
        if constant.ident == "LOCATION" {
            let Expr::Call(call) = &constant.expr else { panic!("no location of {name}") };
            location(call, name, values);
            continue;
        }
        let number = literal(&constant.expr).expect("a number");
        put(values, format!("{name}_{}", constant.ident), number);
    }
}

/// `Location::at(PERMIT, offset)` and the like.
fn location(call: &syn::ExprCall, name: &str, values: &mut Values) {
    let arguments: Vec<_> = call.args.iter().skip(1).collect();
    if let [Expr::Struct(operands), count @ ..] = &arguments[..] {
        let of = |wanted: &str| {
            let is = |field: &&syn::FieldValue| matches!(&field.member, syn::Member::Named(name) if name == wanted);
            let field = operands.fields.iter().find(is).expect("an operand");
            literal(&field.expr).expect("a number")
        };
        let is_system =
            operands.path.segments.last().is_some_and(|of| of.ident == "SystemRegister");
        if is_system {
            let [op0, op1, crn, crm, op2] = ["op0", "op1", "crn", "crm", "op2"].map(of);
            let count = count.first().map(|count| literal(count).expect("a count"));
            if let Some(count) = count {
                put(values, format!("{name}_COUNT"), count);
            }
            for element in 0..count.unwrap_or(1) {
                let number = crm * 8 + op2 + element;
                let text = format!("S{op0}_{op1}_C{crn}_C{}_{}", number / 8, number % 8);
                let which = count.map_or(String::new(), |_| format!("_{element}"));
                values.insert(format!("{name}{which}_SYSREG"), Value::Text(text));
            }
            return;
        }
        let [opc1, crn, crm, opc2] = ["opc1", "crn", "crm", "opc2"].map(of);
        for (operand, number) in [("OPC1", opc1), ("CRN", crn), ("CRM", crm), ("OPC2", opc2)] {
            put(values, format!("{name}_{operand}"), number);
        }
        let text = format!("p15, {opc1}, %0, c{crn}, c{crm}, {opc2}");
        values.insert(format!("{name}_CP15"), Value::Text(text));
        return;
    }
    for (argument, what) in arguments.iter().zip(["OFFSET", "COUNT", "STRIDE"]) {
        put(values, format!("{name}_{what}"), literal(argument).expect("a number"));
    }
}

/// What readers and writers do with the bits of their fields, not what they say of them.
fn fields(block: &ItemImpl, name: &str, values: &mut Values) {
    for item in &block.items {
        let ImplItem::Fn(method) = item else { continue };
        let doc = doc(&method.attrs);
        let field = doc.split_once(", ").expect("the bits in front").1.trim_start_matches('[');
        let end = field.find(|c: char| c != '_' && !c.is_alphanumeric()).expect("an end");
        let field = format!("{name}_{}", field[..end].to_ascii_uppercase());
        let [syn::Stmt::Expr(Expr::Call(call), None)] = &method.block.stmts[..] else {
            panic!("{field}: another form");
        };
        let arguments: Vec<_> = call.args.iter().collect();
        let (shift, mask) = match arguments[..] {
            [value] => {
                let all =
                    if is_of_64_bits(&method.sig.output) { u64::MAX } else { u32::MAX.into() };
                let mut found = (0, all);
                reader(value, &mut found);
                found
            }
            [_, low] => {
                let syn::ReturnType::Type(_, writer) = &method.sig.output else {
                    panic!("{field}: another form")
                };
                (literal(low).expect("a bit"), u64::MAX >> (64 - width(writer)))
            }
            _ => panic!("{field}: another form"),
        };
        put(values, format!("{field}_SHIFT"), shift);
        put(values, format!("{field}_MASK"), mask << shift);
    }
}

/// Whether the field is `FieldReader<u64>`.
fn is_of_64_bits(output: &syn::ReturnType) -> bool {
    let syn::ReturnType::Type(_, reader) = output else { return false };
    let Type::Path(path) = &**reader else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return false };
    arguments.args.iter().any(|argument| {
        matches!(argument, syn::GenericArgument::Type(Type::Path(of)) if of.path.is_ident("u64"))
    })
}

/// Shift and mask in `((self.bits >> 3) & 7) as u8`.
fn reader(value: &Expr, found: &mut (u64, u64)) {
    match value {
        Expr::Cast(cast) => reader(&cast.expr, found),
        Expr::Paren(inner) => reader(&inner.expr, found),
        Expr::Binary(binary) => {
            reader(&binary.left, found);
            match binary.op {
                BinOp::Shr(_) => found.0 = literal(&binary.right).expect("a shift"),
                BinOp::BitAnd(_) => found.1 = literal(&binary.right).expect("a mask"),
                BinOp::Ne(_) => {}
                _ => panic!("another operator"),
            }
        }
        Expr::Field(_) => {}
        _ => panic!("another form"),
    }
}

/// How many bits a writer writes: `FieldWriter<'_, Spec, 2, u8>`.
fn width(writer: &Type) -> u32 {
    let Type::Path(path) = writer else { panic!("another form") };
    let last = path.path.segments.last().expect("a type");
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return 1 };
    let number = arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Const(number) => literal(number),
        _ => None,
    });
    number.map_or(1, |number| number as u32)
}

fn events(items: &[Item], ip: &str, prefix: &str, groups: &Groups, values: &mut Values) {
    constants(items, ip, values);
    // Units that have sources have groups of the same names.
    let is_of_sources =
        |item: &Item| matches!(item, Item::Enum(one) if one.ident.to_string().ends_with("Source"));
    let of = if items.iter().any(is_of_sources) { prefix } else { ip };
    for item in items {
        match item {
            Item::Enum(one) => enumeration(one, of, groups, values),
            Item::Impl(block) => selection(block, ip, values),
            _ => {}
        }
    }
}

fn enumeration(one: &ItemEnum, ip: &str, groups: &Groups, values: &mut Values) {
    let ident = one.ident.to_string();
    for variant in &one.variants {
        let Some((_, number)) = &variant.discriminant else { continue };
        let number = literal(number).expect("a code");
        if ident.ends_with("Event") {
            let group = groups.get(&ident).unwrap_or_else(|| panic!("no group has {ident}"));
            let mut name = String::new();
            for attribute in variant.attrs.iter().filter(|a| a.path().is_ident("event")) {
                let _ = attribute.parse_nested_meta(|meta| {
                    if meta.path.is_ident("name") {
                        name = meta.value()?.parse::<syn::LitStr>()?.value();
                    }
                    Ok(())
                });
            }
            assert!(!name.is_empty(), "{ident}::{} has no name", variant.ident);
            // The only group of a core is not named twice.
            let of = if group == ip { ip.to_owned() } else { format!("{ip}_{group}") };
            put(values, format!("{of}_EVENT_{name}"), number);
        } else if ident.ends_with("Source") {
            let name = variant.ident.to_string().to_ascii_uppercase();
            put(values, format!("{ip}_SOURCE_{name}"), number);
        }
    }
}

/// `Selection(EventId::new(self.id() << 5 | event.code()))`: an id for the test of the macro that makes one.
fn selection(block: &ItemImpl, ip: &str, values: &mut Values) {
    for item in &block.items {
        let ImplItem::Fn(method) = item else { continue };
        let [syn::Stmt::Expr(Expr::Call(call), None)] = &method.block.stmts[..] else { continue };
        let Some(Expr::Call(new)) = call.args.first() else { continue };
        let Some(Expr::Binary(or)) = new.args.first() else { continue };
        if method.sig.ident != "event" || !matches!(or.op, BinOp::BitOr(_)) {
            continue;
        }
        let shifted = |part: &Expr, number: u64| match part {
            Expr::Binary(shift) => number << literal(&shift.right).expect("a shift"),
            _ => number,
        };
        let id = shifted(&or.left, SOURCE) | shifted(&or.right, CODE);
        put(values, format!("{ip}_EVENT_ID"), id);
    }
}

/// The source and the code of which `.._EVENT_ID` is the id.
pub const SOURCE: u64 = 0x5;
pub const CODE: u64 = 0x13;

fn literal(expression: &Expr) -> Option<u64> {
    let Expr::Lit(literal) = expression else { return None };
    match &literal.lit {
        Lit::Int(number) => number.base10_parse().ok(),
        _ => None,
    }
}

/// The first line of a documentation.
fn doc(attributes: &[syn::Attribute]) -> String {
    let line = attributes.iter().find_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    line.unwrap_or_default().trim().to_owned()
}
