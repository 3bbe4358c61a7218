# Memory in the place of a CCI-400's registers: four counters, cycles, and flags that are cleared by writing 1.
proc memory_read {address} {
    global memory
    set address [expr {$address + 0}]
    return [expr {[info exists memory($address)] ? $memory($address) : 0}]
}
proc memory_write {address value} {
    global memory
    set address [expr {$address + 0}]
    set value [expr {$value + 0}]
    if {($address & 0xFFF) == 0xC} {
        set value [expr {[memory_read $address] & ~$value}]
    }
    if {$address == 0x5F090100} {
        set value [expr {([memory_read $address] & ~0x39) | ($value & 0x39)}]
    }
    set memory($address) $value
}
proc must_be {found wanted} {
    if {$found ne $wanted} { error "found $found, not $wanted" }
}
