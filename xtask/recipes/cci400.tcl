# Runs the recipe of a CCI-400 and plays its device.
set base 0x5F090000
proc count {events} {
    global base
    if {[memory_read [expr {$base + 0x100}]] & 1} {
        set place [expr {$base + 0xA004}]
        memory_write $place [expr {[memory_read $place] + $events}]
    }
}
if {![catch {pmu_start} problem]} { error "memory without identification is taken for a CCI-400" }
must_be [array size memory] 0
puts $problem
foreach {offset value} {0xFE0 0x20 0xFE4 0xB4 0xFE8 0x6B 0x100 0x2010 0xA00C 1} {
    set place [expr {$base + $offset}]
    set memory($place) [expr {$value + 0}]
}
pmu_start
count 5
pmu_read
count 2
pmu_stop
count 3
must_be [memory_read [expr {$base + 0xA004}]] 7
# EX is another owner's.
must_be [memory_read [expr {$base + 0x100}]] [expr {0x2010 + 0}]
