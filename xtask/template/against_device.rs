memory!(skeleton_ip: SkeletonIp.bus, "skeleton-ip", None, SkeletonIp::new(), LENGTH REGISTERS, [], []);
