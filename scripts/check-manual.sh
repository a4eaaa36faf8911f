#!/bin/sh
# check-manual.sh [BUILDDIR] - the manual and the tables say the same: commands,
# options, hooks, format variables, keys, control functions (scripts/manual.sh);
# types of datagrams and frames in rmux-protocol.7 are those of PROTOCOL.md.
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
rc=0
"$top/scripts/manual.sh" "${1:-$top/build}" --check || rc=1
types() { sed -n "$1" "$2" | sort; }
spec=$(types 's/^| \([0-9a-fx]*\) | \([A-Z]*\) | .*/\1 \2/p' "$top/doc/PROTOCOL.md" |
	grep -v ' \(DIFF\|ZDIFF\|ZNEW\|FULL\|ZFULL\)$')
page=$(types 's/^\.It Li \([0-9a-fx]*\) Ta Sy \([A-Z]*\) .*/\1 \2/p' "$top/doc/rmux-protocol.7")
[ "$spec" = "$page" ] || {
	echo "rmux-protocol.7 has other types than PROTOCOL.md:"
	printf '%s\n--\n%s\n' "$spec" "$page"
	rc=1
}
exit $rc
