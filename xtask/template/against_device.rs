struct OfSkeletonIp(SkeletonIp);
witness!(
    OfSkeletonIp: "skeleton-ip", unit: None, length: SkeletonIp::LENGTH, registers: SkeletonIp::REGISTERS,
    switches: [], new: SkeletonIp::new(), bus: bus, on: |_| {}
);
