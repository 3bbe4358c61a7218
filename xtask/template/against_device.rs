device!(
    skeleton_ip: SkeletonIp, "skeleton-ip", None, SkeletonIp::new(), bus, LENGTH REGISTERS, switches: [], on: |_| {}
);
