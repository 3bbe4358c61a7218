in_memory!(SkeletonIp bus);
memory!(skeleton_ip: SkeletonIp, "skeleton-ip", None, SkeletonIp::new(), LENGTH REGISTERS, [], []);
