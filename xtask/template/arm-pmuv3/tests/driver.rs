mod skeleton_ip {
    use arm_pmu_sim::SkeletonIp as Device;
    use skeleton_ip as product;
    use product::{SkeletonIpEvent as ProductEvent, is_skeleton_ip as is_product};

    const PART: u32 = 0xFED;

    include!("core.rs");
}

