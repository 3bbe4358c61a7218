# Stand-ins for the commands of xsdb that recipes use.
proc mrd {force value address} { return [memory_read $address] }
proc mwr {force address value} { memory_write $address $value }
