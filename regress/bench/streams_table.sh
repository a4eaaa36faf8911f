#!/bin/sh
# streams_table.py: a row of each system on an emulated link and without one, a
# trace that is not there, and that nothing of it is left running.
src=$(cd "${top_srcdir:-.}" && pwd)
bld=$(cd "${top_builddir:-.}" && pwd)
tool=$bld/regress/tools/link
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
"$tool" true true 2>/dev/null || {
	echo "1..0 # SKIP no networks of one's own"
	exit 0
}
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-streams.XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT
n=0
fail=0
tell() { # rc name
	n=$((n + 1))
	[ "$1" = 0 ] || { printf 'not '; fail=1; sed 's/^/# /' "$dir/out"; }
	echo "ok $n - $2"
}
table() {
	TMPDIR=$dir timeout 300 python3 -B "$src/regress/bench/streams_table.py" \
	    "$bld" "$dir" "$@" >"$dir/out" 2>&1
}
# row LINK [KEYS]: it has the rates of both systems and, if asked for, keys.
row() {
	grep -Eq "^\| $1 .*\| exec cat +\| +[0-9.]+ \| +[0-9.]+ \|.*\| +${2-}" "$dir/table"
}
ms='-?[0-9]+ / -?[0-9]+'
table -m 10 -o "$dir/table" loopback '40 ms, 1 %' exec && row loopback &&
    row '100 Mbit/s, 40 ms, 1 % lost' "$ms \| +$ms \|" &&
    [ "$(wc -l <"$dir/table")" = 4 ]
tell $? "rows of a link and of none, with keys meanwhile"
table -l 'Verizon' 'exec' && grep -q '^# Verizon LTE down: no trace' "$dir/out"
tell $? "a trace that is not there is named"
i=0
while [ "$i" -lt 50 ] && pgrep -f "$dir" >"$dir/left"; do
	i=$((i + 1))
	sleep .1
done
[ ! -s "$dir/left" ] && ! ls -d "$dir"/rmux-keys* 2>/dev/null
tell $? "nothing is left, no process and no file"
echo "1..$n"
exit $fail
