#!/bin/sh
# The tables in README and BENCHMARKS hold the results of the last bench: they
# agree with doc/bench.json, and tables.py takes over a whole run and no other.
src=$(cd "${top_srcdir:-.}" && pwd)
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-tables.XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT
tables() { TABLES_TOP=${TABLES_TOP-$dir} python3 -B "$src/regress/bench/tables.py" "$@"; }
n=0
tell() { # rc name
	n=$((n + 1))
	[ "$1" = 0 ] || { printf 'not '; fail=1; }
	echo "ok $n - $2"
}
fail=0
# edit EXPRESSION: doc/bench.json as d, changed, into $dir/new.json.
edit() {
	python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
exec(sys.argv[3])
json.dump(d, open(sys.argv[2], "w"))' "$src/doc/bench.json" "$dir/new.json" "$1"
}
refuses() { # words
	! tables "$dir/new.json" >"$dir/out" 2>&1 && grep -q "$1" "$dir/out" &&
	    cmp -s "$src/README.md" "$dir/README.md"
}
mkdir "$dir/doc"
for f in README.md doc/BENCHMARKS.md doc/bench.json; do
	cp "$src/$f" "$dir/$f" && chmod u+w "$dir/$f"
done

(TABLES_TOP=$src && tables --check)
tell $? "README and BENCHMARKS say what doc/bench.json says"
edit 'd["failed"] = ["wire"]'
refuses 'wire'
tell $? "a run of which a part failed is refused"
edit 'd["table"] = [r for r in d["table"] if r["what"] != "start, ms"]'
refuses 'start, ms'
tell $? "a run that lacks a row is refused"

edit '
for r in d["table"]:
    r.pop("screen", None)
    if r["what"] == "start, ms":
        r["rmux"], r["tmux"], r["mosh"] = "1234.5", "12.3", "5.48e+03"
    if r["what"].startswith("throughput"):
        r["rmux"], r["tmux"] = "5", "6"'
tables "$dir/new.json" >/dev/null && grep -q '^| start, ms | 1,23[45] | 12.3 |  | 5,480 |$' "$dir/README.md" &&
    grep -q '^start, ms *1,23[45] *12.3 *5,480' "$dir/doc/BENCHMARKS.md"
tell $? "a run is taken over: a row, with a system that was not there"
tr '\n' ' ' <"$dir/README.md" | grep -q 'start, ms: 1,23[45] (tmux 12.3)' &&
    tr '\n' ' ' <"$dir/README.md" | grep -q 'MB/s: 5 (mosh [0-9.]*, tmux 6)'
tell $? "and where others are better, less or more"
tables --check && tables "$dir/new.json" >"$dir/out" && [ ! -s "$dir/out" ]
tell $? "a second time nothing changes"
sed 's/| 12.3 |/| 12.4 |/' "$dir/README.md" >"$dir/x" && mv "$dir/x" "$dir/README.md"
! tables --check >"$dir/out" && grep -q '^README.md' "$dir/out"
tell $? "a number changed by hand is seen"
echo "1..$n"
exit $fail
