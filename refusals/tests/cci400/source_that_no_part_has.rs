use cci400::{S5, SlaveEvent};

fn main() {
    let _ = S5.event(SlaveEvent::ReadRequestAny);
}
