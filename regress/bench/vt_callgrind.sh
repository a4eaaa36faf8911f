#!/bin/sh
# vt_callgrind.sh BUILDDIR - instructions per byte of each payload, as a table.
# With -w the table is written to vt_callgrind.txt; otherwise it is compared
# with that file and a payload that costs 5 % more fails.
set -e
write=
[ "$1" = -w ] && { write=1; shift; }
bld=${1:-.} src=$(cd "$(dirname "$0")" && pwd)
feed=$bld/regress/bench/vt_feed
[ -x "$feed" ] || { echo "no $feed: run make vt_bench there"; exit 2; }
command -v valgrind >/dev/null || { echo "valgrind is missing"; exit 77; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/rmux-cg.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
# Counts only the calls below vt_term_write.
for p in $("$feed"); do
	valgrind --tool=callgrind --toggle-collect=vt_term_write \
	    --callgrind-out-file="$tmp/out" "$feed" "$p" 1024 >"$tmp/n" 2>"$tmp/err"
	sed -n "s/.*Collected : //p" "$tmp/err" >"$tmp/i"
	echo "$p $(awk -v n="$(cat "$tmp/n")" '{ printf "%.2f", $1 / n }' "$tmp/i")"
done >"$tmp/table"
if [ -n "$write" ]; then
	{
		echo "# Instructions per byte of vt_term_write (callgrind, gcc -O2)."
		cat "$tmp/table"
	} >"$src/vt_callgrind.txt"
	cat "$src/vt_callgrind.txt"
	exit 0
fi
awk 'NR == FNR { if ($1 != "#") old[$1] = $2; next }
	{ o = old[$1]; r = o > 0 ? 100 * ($2 / o - 1) : 0
	  printf "%-11s %7.2f was %7.2f  %+5.1f%%\n", $1, $2, o, r
	  if (r > 5) bad = 1 }
	END { exit bad }' "$src/vt_callgrind.txt" "$tmp/table"
