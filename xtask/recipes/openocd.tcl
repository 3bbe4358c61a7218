# Stand-ins for the commands of OpenOCD that recipes use; memory and CP15 are arrays.
proc find {file} { return /dev/null }
proc echo {text} { puts $text }
proc mrw {address} { return [memory_read $address] }
proc mww {address value} { memory_write $address $value }

proc arm {what coprocessor opc1 crn crm opc2 {value 0}} {
    global cp15
    set register "$crn $crm $opc2"
    if {$what eq "mrc"} {
        return [expr {[info exists cp15($register)] ? $cp15($register) : 0}]
    }
    set old [expr {[info exists cp15($register)] ? $cp15($register) : 0}]
    switch $register {
        "15 12 0" {
            # PMNC: C and P read as 0, and reset; flags are cleared by 1.
            if {$value & 4} { set "cp15(15 12 1)" 0 }
            if {$value & 2} { set "cp15(15 12 2)" 0 }
            set flags [expr {$old & ~$value & 0x700}]
            set cp15($register) [expr {($value & ~0x706) | $flags}]
        }
        "9 12 1" { set cp15($register) [expr {$old | $value}] }
        "9 12 2" { set "cp15(9 12 1)" [expr {$cp15(9 12 1) & ~$value}] }
        "9 12 3" { set cp15($register) [expr {$old & ~$value}] }
        default { set cp15($register) [expr {$value}] }
    }
}
