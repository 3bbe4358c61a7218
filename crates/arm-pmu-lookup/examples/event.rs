//! Prints the data that a profiler needs for one event: `cargo run --example event -- cci550 SI3:READ_DATA_SNOOP_HIT`.

use arm_pmu_lookup::perf::{LinuxPmu, stat_command};
use arm_pmu_lookup::perf_name::What;
use arm_pmu_lookup::{Error, name, programming, words};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let ip = arguments.next().unwrap_or("cci550".to_owned());
    let event = arguments.next().unwrap_or("SI3:READ_DATA_SNOOP_HIT".to_owned());

    let pmu = name::one_unit(name::pmu(&ip)?)?;
    let selection = name::selection(pmu, &event)?;
    println!("{pmu} {selection}: {}", words::event_data(selection.of.event, selection.of.group));

    for write in programming::writes(&selection, 0).into_iter().flatten() {
        println!("{} = 0x{:08X}", write.name(), write.value());
    }

    let linux = LinuxPmu::new(pmu, None)?;
    let term = linux.term(What::Event(selection), None)?;
    println!("{}", stat_command(&linux, &[vec![term.into()]], &[]));
    Ok(())
}
