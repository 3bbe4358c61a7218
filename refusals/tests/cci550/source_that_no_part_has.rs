use cci550::{SI7, SlaveEvent};

fn main() {
    let _ = SI7.event(SlaveEvent::ReadRequestAny);
}
