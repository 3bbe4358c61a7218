use cci500::{MI6, MasterEvent};

fn main() {
    let _ = MI6.event(MasterEvent::ReadDataBeat);
}
