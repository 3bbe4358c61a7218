    "skeleton-ip" in_memory arm_pmu::skeleton_ip::registers:
        control ControlSpec, pid0 Pid0Spec, pid1 Pid1Spec, event_select EventSelectSpec,
        event_count EventCountSpec, count_control CountControlSpec,
        overflow_status OverflowStatusSpec;
