use arm_pmu_sim::L2c310;
use l2c_310::Pmu;

fn main() {
    let device = L2c310::new();
    let mut pmu = Pmu::new(device.bus());
    let control = pmu.registers().reg2_ev_counter_ctrl();
    let _running = pmu.start();
    control.write(|w| w.reset_0().set_bit());
}
