#!/bin/sh
# The distribution's rustdoc, with flags that are not stable yet. Build scripts must not see the variable: they would run
# again, and all that depends on macros would be compiled again.
RUSTC_BOOTSTRAP=1 exec /usr/bin/rustdoc "$@"
