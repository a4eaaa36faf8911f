#!/bin/sh
# fuzz.sh - runs every fuzz target over its corpus and prints TAP.
# Built with --enable-fuzzing, each target also fuzzes for FUZZ_SECONDS (10),
# from FUZZ_SEED (1), so that a short run repeats; long runs by hand vary it.
set -- ${FUZZERS-}
: "${FUZZ_SECONDS:=10}" "${FUZZ_SEED:=1}"
src=${top_srcdir:-.} bld=${top_builddir:-.}
echo "1..$#"
n=0
for t; do
	n=$((n + 1))
	name=${t##*/fuzz_}
	corpus=$src/regress/fuzz/corpus/$name
	[ -d "$corpus" ] || { echo "not ok $n - $name # no corpus folder"; continue; }
	if [ -n "${RMUX_FUZZING-}" ]; then
		tmp=$(mktemp -d "${TMPDIR:-/tmp}/rmux-fuzz.XXXXXX")
		"$bld/$t" -seed="$FUZZ_SEED" \
		    -max_total_time="$FUZZ_SECONDS" -rss_limit_mb=2048 \
		    -timeout=20 -artifact_prefix="$tmp/" -print_final_stats=0 \
		    -verbosity=0 "$tmp" "$corpus" >"$tmp.log" 2>&1
	else
		tmp=$(mktemp -d "${TMPDIR:-/tmp}/rmux-fuzz.XXXXXX")
		"$bld/$t" "$corpus" >"$tmp.log" 2>&1
	fi
	rc=$?
	if [ $rc -eq 0 ]; then
		echo "ok $n - $name $(sed -n 's/^# //p' "$tmp.log" | tail -n 1)"
		rm -rf "$tmp" "$tmp.log"
	else
		echo "not ok $n - $name (exit $rc, log $tmp.log, inputs $tmp)"
		sed 's/^/# /' "$tmp.log" | tail -n 40
	fi
done
