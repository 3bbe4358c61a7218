    "skeleton-ip" in_memory arm_pmu::skeleton_ip::registers:
        pmcr PmcrSpec, interface_monitor_control InterfaceMonitorControlSpec, pid4 Pid4Spec,
        pid5 Pid5Spec, pid6 Pid6Spec, pid7 Pid7Spec, pid0 Pid0Spec, pid1 Pid1Spec, pid2 Pid2Spec,
        pid3 Pid3Spec, cid0 Cid0Spec, cid1 Cid1Spec, cid2 Cid2Spec, cid3 Cid3Spec,
        event_select EventSelectSpec, event_count EventCountSpec, count_control CountControlSpec,
        overflow_status OverflowStatusSpec, slave_monitor SlaveMonitorSpec,
        secure_access SecureAccessSpec, master_monitor MasterMonitorSpec;
