mod skeleton_ip {
    use arm_pmu_sim::SkeletonIp as Device;
    use skeleton_ip as product;

    include!("core.rs");
}

