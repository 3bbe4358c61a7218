# Runs the recipe of a core, and counts on its first counter.
set "cp15(9 12 1)" 0
proc count {events} {
    global cp15 counter
    set cp15($counter) [expr {$cp15($counter) + $events}]
}
pmu_start
count 5
pmu_read
count 2
pmu_stop
