struct OfSkeletonIp(SkeletonIp);
device!(
    OfSkeletonIp: "skeleton-ip", unit: None, length: SkeletonIp::LENGTH, registers: SkeletonIp::REGISTERS,
    switches: [0x100, 0x104], new: SkeletonIp::new(), bus: bus, on: |device| {
        device.poke(0x100, 1);
        device.poke(0x104, 1);
        for block in 1..=8 {
            device.poke(0x1_0000 * block + 0x8, 1);
        }
    }
);
