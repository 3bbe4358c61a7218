use cci550::{MI0, SlaveEvent};

fn main() {
    let _ = MI0.event(SlaveEvent::ReadRequestAny);
}
