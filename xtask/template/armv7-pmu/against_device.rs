device!(
    OfSkeletonIp(SkeletonIp): "skeleton-ip", unit: None, registers: REGISTERS, not_of_the_pmu: 0,
    clears_while: 0, selector: Some((Operands { opc1: 0, crn: 9, crm: 12, opc2: 5 }, 0)), new: new
);
