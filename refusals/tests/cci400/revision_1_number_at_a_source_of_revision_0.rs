use cci400::{MasterEvent, r0};

fn main() {
    let _ = r0::M0.event(MasterEvent::SpeculativeFetchRetry);
}
