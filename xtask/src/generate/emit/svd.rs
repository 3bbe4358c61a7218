//! Renders a register of the model with svd2rust.

use std::cell::RefCell;
use std::sync::Once;

use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;
use svd_parser::expand::{BlockPath, Index};
use svd_parser::svd::{
    self, BitRange, FieldInfo, ModifiedWriteValues, RegisterInfo, RegisterProperties,
    ValidateLevel, WriteConstraint, WriteConstraintRange,
};

use super::prelude::*;

/// Returns the items of the module that svd2rust generates for a register.
pub fn render(register: &Register) -> Result<TokenStream> {
    let (svd, access) = convert(register)?;
    let mut config = names::svd2rust_config();
    // For a write-only register, `Debug` would be implemented on a type that does not exist here.
    config.impl_debug = register.access.can_read();
    let path = BlockPath::new("").new_register(&register.name);
    let (rendered, warnings) = listening(|| {
        svd2rust::generate::register::render_register_mod(
            &svd,
            access,
            &path,
            &Index::default(),
            &config,
        )
    });
    let rendered = rendered.with_context(|| format!("svd2rust failed on {}", register.name))?;
    match warnings.first() {
        Some(warning) => bail!("svd2rust warns about {}: {warning}", register.name),
        None => Ok(rendered),
    }
}

fn convert(register: &Register) -> Result<(svd::Register, svd::Access)> {
    let access = match (register.access.can_read(), register.access.can_write()) {
        (true, true) => svd::Access::ReadWrite,
        (true, false) => svd::Access::ReadOnly,
        (false, _) => svd::Access::WriteOnly,
    };
    let fields = register.named().map(|(bits, named)| field(bits, named));
    let fields = fields.collect::<Result<Vec<_>>>()?;
    let info = RegisterInfo::builder()
        .name(register.name.clone())
        .description(Some(register.title.clone()))
        // The contents do not depend on the offset.
        .address_offset(0)
        // The reset value is left out. With it, svd2rust would generate a method `reset`, whose
        // write can have other effects.
        .properties(RegisterProperties::new().size(Some(register.width)).access(Some(access)))
        // Without fields, svd2rust shows the whole value.
        .fields(Some(fields).filter(|fields| !fields.is_empty()))
        .build(ValidateLevel::Strict)?;
    Ok((info.single(), access))
}

fn field(bits: Bits, named: &Named) -> Result<svd::Field> {
    let (access, modified) = match named.access {
        Access::ReadWrite => (svd::Access::ReadWrite, None),
        Access::ReadOnly => (svd::Access::ReadOnly, None),
        Access::WriteOnly => (svd::Access::WriteOnly, None),
        Access::WriteOneActs => (svd::Access::WriteOnly, Some(ModifiedWriteValues::OneToSet)),
        Access::WriteOneClears => (svd::Access::ReadWrite, Some(ModifiedWriteValues::OneToClear)),
        Access::WriteOneSets => (svd::Access::ReadWrite, Some(ModifiedWriteValues::OneToSet)),
    };
    // In a field without a list of values, every value is legal.
    let any = WriteConstraintRange { min: 0, max: bits.mask() >> bits.low };
    let constraint = (access != svd::Access::ReadOnly && bits.width() > 1)
        .then_some(WriteConstraint::Range(any));
    let info = FieldInfo::builder()
        .name(named.name.clone())
        .description(Some(named.doc.clone()))
        .bit_range(BitRange::from_offset_width(bits.low, bits.width()))
        .access(Some(access))
        .modified_write_values(modified)
        .write_constraint(constraint)
        .enumerated_values(values(named)?)
        .build(ValidateLevel::Strict)?;
    Ok(info.single())
}

/// Returns the named values, from which svd2rust makes an enum.
fn values(named: &Named) -> Result<Vec<svd::EnumeratedValues>> {
    let value = |of: &NamedValue| {
        svd::EnumeratedValue::builder()
            .name(of.name.clone())
            .description(Some(of.doc.clone()))
            .value(Some(of.value.into()))
            .build(ValidateLevel::Strict)
    };
    let values = named.values.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let all = svd::EnumeratedValues::builder().values(values).build(ValidateLevel::Strict)?;
    Ok(vec![all])
}

thread_local! {
    /// Warnings of the current call on this thread.
    static WARNINGS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

struct Listener;

impl log::Log for Listener {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            WARNINGS.with_borrow_mut(|warnings| warnings.push(record.args().to_string()));
        }
    }

    fn flush(&self) {}
}

/// Runs `work` and returns its warnings, because svd2rust warns where it should fail.
fn listening<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        // Only a second logger could make this fail, and there is none.
        let _ = log::set_logger(&Listener);
        log::set_max_level(log::LevelFilter::Warn);
    });
    WARNINGS.with_borrow_mut(Vec::clear);
    let result = work();
    (result, WARNINGS.with_borrow_mut(std::mem::take))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn svd2rust_warnings_are_returned() {
        let (result, warnings) = listening(|| {
            log::warn!("mind the gap");
            log::info!("all is well");
            7
        });
        assert_eq!((result, warnings), (7, vec!["mind the gap".to_owned()]));
        assert!(listening(|| ()).1.is_empty());
    }
}
