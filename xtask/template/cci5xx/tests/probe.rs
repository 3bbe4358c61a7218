mod skeleton_ip {
    use arm_pmu_sim::SkeletonIp as Device;
    use skeleton_ip as product;

    const PART: u16 = 0x4FF;
    const OTHER: u16 = 0x422;

    include!("tests.rs");
}

