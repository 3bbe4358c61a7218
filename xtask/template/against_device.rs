struct OfSkeletonIp(SkeletonIp);
device!(
    OfSkeletonIp: "skeleton-ip", unit: None, length: SkeletonIp::LENGTH, registers: SkeletonIp::REGISTERS,
    switches: [], new: SkeletonIp::new(), bus: bus, on: |_| {}
);
