use cci400::r0::{S0, SlaveEvent};

fn main() {
    let _ = S0.event(SlaveEvent::ReadIdHazardStall);
}
