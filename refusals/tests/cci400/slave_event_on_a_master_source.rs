use cci400::{M0, SlaveEvent};

fn main() {
    let _ = M0.event(SlaveEvent::ReadRequestAny);
}
