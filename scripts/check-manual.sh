#!/bin/sh
# check-manual.sh - every command of the table is in rmux.1, and no other.
cd "$(dirname "$0")/.." || exit 1
rows=$(sed -n 's/^X([a-z_]*, "\([a-z-]*\)".*/\1/p' conf/command.def | sort)
man=$(sed -n 's/^\.It Xo Ic \([a-z-]*\)$/\1/p' doc/rmux.1 | sort)
[ "$rows" = "$man" ] && exit 0
printf '%s\n' "$rows" >"${TMPDIR:-/tmp}/rmux-rows.$$"
printf '%s\n' "$man" >"${TMPDIR:-/tmp}/rmux-man.$$"
diff "${TMPDIR:-/tmp}/rmux-rows.$$" "${TMPDIR:-/tmp}/rmux-man.$$"
rm -f "${TMPDIR:-/tmp}/rmux-rows.$$" "${TMPDIR:-/tmp}/rmux-man.$$"
exit 1
