//! The simulated devices: in memory, in CP15, and among the AArch64 system registers.

use arm_pmu_core::bus::{Bus as _, Operands, SystemRegister};
use arm_pmu_sim::{AnyOffset, AnyOperands, AnySystemRegister, Mmu600, Mmu700, Noise};

use super::{Comparison, ip, length, packed, row};

/// Returns part `nth` of a packed address; part 0 is the lowest byte.
fn part(at: u64, nth: u32) -> u8 {
    (at >> (8 * nth)) as u8
}

fn operands(at: u64) -> Operands {
    Operands { opc1: part(at, 3), crn: part(at, 2), crm: part(at, 1), opc2: part(at, 0) }
}

fn register(at: u64) -> SystemRegister {
    let [op0, op1, crn, crm, op2] = [4, 3, 2, 1, 0].map(|nth| part(at, nth));
    SystemRegister { op0, op1, crn, crm, op2 }
}

/// Registers that select a counter, in an ARMv7 core and in a cluster.
const PMSELR: u64 = packed(&[0, 9, 12, 5]);
const CLUSTERPMSELR: u64 = packed(&[3, 0, 15, 5, 5]);

/// The register that tells how many bits PMEVTYPER has for a threshold.
const PMMIR: u64 = packed(&[3, 0, 9, 14, 6]);

macro_rules! memory {
    (
        $test:ident: $Device:ident.$bus:ident, $ip:literal, $unit:expr, $new:expr, $length:ident $registers:ident,
        $switches:expr, $prepared:expr
    ) => {
        #[test]
        fn $test() {
            use arm_pmu_sim::$Device;

            assert_eq!(length(ip($ip), $unit), $Device::$length);
            let rows = $Device::$registers.iter();
            Comparison {
                ip: $ip,
                unit: $unit,
                new: || $new,
                poke: |device, at, value| device.poke(at as usize, value as u32),
                load: |device, at| device.$bus().read(at as usize).into(),
                store: |device, at, value| {
                    device.$bus().write(at as usize, value as u32);
                    device.$bus::<AnyOffset>().synchronize();
                },
                set_noise: |_, _| {},
                clears_while: 0,
                switches: &$switches,
                prepared: &$prepared,
                rows: rows.flat_map(|of| of.elements().map(|at| (at as u64, row!(of)))).collect(),
            }
            .run();
        }
    };
}

macro_rules! cp15 {
    ($test:ident: $Device:ident, $ip:literal, $unit:expr, $new:ident $registers:ident, $clears_while:literal) => {
        #[test]
        fn $test() {
            let rows = arm_pmu_sim::$Device::$registers.iter().map(|of| {
                let at = of.operands;
                let row = row!(
                    of unpredictable: of.unpredictable.into(),
                    should_be_zero: of.should_be_zero.into(),
                    should_be_zero_or_preserved: of.should_be_zero_or_preserved.into(),
                    user: Some(of.user)
                );
                (packed(&[at.opc1, at.crn, at.crm, at.opc2]), row)
            });
            Comparison {
                ip: $ip,
                unit: $unit,
                new: arm_pmu_sim::$Device::$new,
                poke: |device, at, value| device.poke(operands(at), value as u32),
                load: |device, at| device.bus::<AnyOperands>().mrc(operands(at)).into(),
                store: |device, at, value| {
                    device.bus::<AnyOperands>().mcr(operands(at), value as u32);
                    device.bus::<AnyOperands>().synchronize();
                },
                set_noise: |device, ones| {
                    device.set_noise(if ones { Noise::Ones } else { Noise::Zeros });
                },
                clears_while: $clears_while,
                switches: &[PMSELR],
                prepared: &[(PMSELR, 0)],
                rows: rows.collect(),
            }
            .run();
        }
    };
}

macro_rules! sysreg {
    // The simulated device has the registers of any core, but the spec has only the common ones.
    (false $($every_core:tt)*) => {};
    (true $pmu:ident $name:literal $Device:ident $registers:ident) => {
        #[test]
        fn $pmu() {
            let rows = arm_pmu_sim::$Device::$registers.iter().flat_map(|of| {
                let elements = (0..of.count).map(|number| of.register.plus(number));
                elements.map(|at| {
                    (packed(&[at.op0, at.op1, at.crn, at.crm, at.op2]), row!(of user: Some(of.user)))
                })
            });
            Comparison {
                ip: $name,
                unit: None,
                new: arm_pmu_sim::$Device::new,
                poke: |device, at, value| device.poke(register(at), value),
                load: |device, at| device.bus::<AnySystemRegister>().mrs(register(at)),
                store: |device, at, value| {
                    device.bus::<AnySystemRegister>().msr(register(at), value);
                    device.bus::<AnySystemRegister>().synchronize();
                },
                set_noise: |_, _| {},
                clears_while: 0,
                switches: &[CLUSTERPMSELR],
                prepared: &[(PMMIR, 12 << 20), (CLUSTERPMSELR, 0)],
                rows: rows.collect(),
            }
            .run();
        }
    };
}

/// A counter has a clock only while it and the PMU are enabled; a monitor shows values only while
/// it is enabled.
const ENABLED: [u64; 10] =
    [0x100, 0x104, 0x1_0008, 0x2_0008, 0x3_0008, 0x4_0008, 0x5_0008, 0x6_0008, 0x7_0008, 0x8_0008];

macro_rules! pmus {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, $($rest:tt)*
    })*) => { $( pmus!(@ $kind $product $pmu $name $Device $registers); )* };
    (@ cci5xx $product:ident $pmu:ident $name:literal $Device:ident $registers:ident) => {
        memory!($pmu: $Device.bus, $name, None, $Device::new(), LENGTH $registers, [0x100, 0x104], ENABLED.map(|at| (at, 1)));
    };
    (@ armv7_pmu $product:ident $pmu:ident $name:literal $Device:ident $registers:ident) => {
        cp15!($pmu: $Device, $name, None, new $registers, 0);
    };
    (@ $kind:ident $($core:tt)*) => { sysreg!($($core)*); };
}

arm_pmu::for_each_pmu!(cci5xx => pmus);
arm_pmu::for_each_pmu!(armv7_pmu => pmus);
arm_pmu::for_each_pmu!(arm_pmuv3 => pmus);
arm_pmu::for_each_pmu!(dsu => pmus);

cp15!(arm1136: Arm11, "arm11", Some(0), arm1136 ARM1136_REGISTERS, 1);
cp15!(arm1156: Arm11, "arm11", Some(1), arm1156 ARM1156_REGISTERS, 1);
cp15!(arm1176: Arm11, "arm11", Some(2), arm1176 ARM1176_REGISTERS, 1);

memory!(cci400: Cci400.bus, "cci400", None, Cci400::new(), LENGTH REGISTERS, [0x100], [(0x100, 1)]);
memory!(l2c_310: L2c310.bus, "l2c-310", None, L2c310::new(), LENGTH REGISTERS, [], []);
memory!(mmu600_tcu: Mmu600.region, "mmu600", Some(0), with_32_bits(Mmu600::tcu()), TCU_LENGTH TCU_REGISTERS, [], []);
memory!(mmu600_tbu: Mmu600.region, "mmu600", Some(1), with_32_bits(Mmu600::tbu()), TBU_LENGTH TBU_REGISTERS, [], []);
memory!(mmu700_tcu: Mmu700.region, "mmu700", Some(0), with_32_counters(Mmu700::tcu()), TCU_LENGTH TCU_REGISTERS, [], []);
memory!(mmu700_tbu: Mmu700.region, "mmu700", Some(1), with_32_counters(Mmu700::tbu()), TBU_LENGTH TBU_REGISTERS, [], []);

/// Returns the device with as many StreamID bits as the spec describes.
fn with_32_bits(device: Mmu600) -> Mmu600 {
    device.set_stream_bits(32);
    device
}

/// Returns the device with as many counters as the spec describes.
fn with_32_counters(device: Mmu700) -> Mmu700 {
    device.set_counters(32);
    device
}
