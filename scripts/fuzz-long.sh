#!/bin/sh
# fuzz-long.sh SECONDS [TARGET...] - fuzzes each target for SECONDS under ASan
# and UBSan, two at a time, and prints a table in Markdown.
# fuzz-long.sh --sum - prints the sums of all runs for each target.
# fuzz-long.sh --merge [TARGET...] - adds to the corpora of the source the inputs
# that reach new edges: the FUZZ_ADD (8) smallest of at most FUZZ_BYTES (512).
#
# Run it in a folder that `configure --enable-asan --enable-fuzzing CC=clang` has
# set up; it builds the targets there.  A target starts from its corpus and from
# what earlier runs have found, in FUZZ_DIR/TARGET (FUZZ_DIR: fuzz-long).  An input
# that crashes, hangs for 20 s or takes more than 2 GiB is kept in
# FUZZ_DIR/TARGET.bad, and the target goes on until its time is over.  Each run
# adds a line to FUZZ_DIR/runs, so that many short runs add up: target, seconds,
# inputs, bad inputs, last edges, commit.  FUZZ_JOBS: how many at a time.
# Exits with 1 if an input was bad.
set -u
seconds=${1:?usage: fuzz-long.sh SECONDS|--sum|--merge [TARGET...]}
shift
src=$(cd "$(dirname "$0")/.." && pwd) || exit 1
top=${FUZZ_DIR:-$PWD/fuzz-long}
case $top in /*) ;; *) top=$PWD/$top ;; esac
runs=$top/runs
case $seconds in
--sum | --merge) ;;
0 | *[!0-9]*)
	echo "fuzz-long.sh: not a number of seconds: $seconds" >&2
	exit 2
	;;
esac

# field NAME LOG: the sum of a final statistic of libFuzzer over the runs.
field() { awk -v n="stat::$1:" '$1 == n { s += $2 } END { print s + 0 }' "$2"; }
most() { awk -v n="stat::$1:" '$1 == n && $2 > s { s = $2 } END { print s + 0 }' "$2"; }

# coverage LOG: "FIRST LAST", the edges at the start and at the end.
coverage() {
	awk '$3 == "cov:" && ($2 == "INITED" || $2 == "DONE" || $2 == "NEW" ||
		$2 == "REDUCE" || $2 == "pulse" || $2 == "RELOAD") {
		if (first == "" && $2 == "INITED") first = $4
		if ($4 > last) last = $4
	} END { print first + 0, last + 0 }' "$1"
}

# slowest PROGRAM DIR: the milliseconds of the slowest input in the corpus.
slowest() {
	find "$2" -type f -print0 | xargs -0 -n 500 "$1" -timeout=20 2>&1 |
		awk '/^Executed / { if ($(NF - 1) > s) s = $(NF - 1) } END { print s + 0 }'
}

# one NAME: fuzzes the target and prints its row.
one() {
	name=$1 bad=0
	program=$PWD/regress/fuzz/fuzz_$name
	own=$top/$name log=$top/$name.log finds=$top/$name.bad
	start=$(date +%s)
	mkdir -p "$own" "$finds"
	: >"$log"
	find "$src/regress/fuzz/corpus/$name" "$own" -type f | wc -l >"$top/$name.n"
	read -r before <"$top/$name.n"
	end=$((start + seconds))
	while left=$((end - $(date +%s))) && [ "$left" -gt 0 ]; do
		nice -n 19 "$program" -max_total_time="$left" -timeout=20 \
			-rss_limit_mb=2048 -artifact_prefix="$finds/" \
			-print_final_stats=1 "$own" \
			"$src/regress/fuzz/corpus/$name" >"$log.1" 2>&1
		code=$?
		cat "$log.1" >>"$log"
		rm -f "$log.1"
		[ $code = 0 ] || bad=$((bad + 1))
		# A target that does not start would run in a circle.
		[ $code = 0 ] || [ "$(find "$finds" -type f | wc -l)" -ge $bad ] ||
			break
	done
	# shellcheck disable=SC2046 # two words
	set -- $(coverage "$log")
	printf '| %s | %s | %s to %s | %s to %s | %s | %s ms | %s MB |\n' \
		"fuzz_$name" "$(field number_of_executed_units "$log")" \
		"$before" "$((before + $(field new_units_added "$log")))" \
		"$1" "$2" "$bad" "$(slowest "$program" "$own")" \
		"$(most peak_rss_mb "$log")" >"$top/$name.row"
	cat "$top/$name.row" >&2
	commit=$(git -C "$src" rev-parse --short HEAD 2>/dev/null || echo -)
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$(($(date +%s) - start))" \
		"$(field number_of_executed_units "$log")" "$bad" "$2" "$commit" \
		>>"$runs"
	[ $bad = 0 ]
}

# sums: prints the sums of all runs.
sums() {
	echo '| target | runs | seconds | inputs | bad | edges |'
	echo '|---|---|---|---|---|---|'
	[ ! -f "$runs" ] || awk -F '\t' 'NF == 6 {
		n[$1]++; s[$1] += $2; i[$1] += $3; b[$1] += $4
		if ($5 > e[$1]) e[$1] = $5
	} END { for (t in n) printf "| fuzz_%s | %d | %d | %.0f | %d | %d |\n",
		t, n[t], s[t], i[t], b[t], e[t] }' "$runs" | sort
}

# merge NAME: adds the inputs of new edges to the corpus of the source.
merge() {
	name=$1 corpus=$src/regress/fuzz/corpus/$1
	[ -d "$top/$name" ] || return 0
	work=$(mktemp -d "$top/merge.XXXXXX") || return 1
	mkdir "$work/old" "$work/new" "$work/small"
	cp "$corpus"/* "$work/old/"
	find "$top/$name" -type f -size "-$((${FUZZ_BYTES:-512} + 1))c" \
		-exec cp {} "$work/small/" \;
	# Without counters a feature is an edge.
	nice -n 19 "$PWD/regress/fuzz/fuzz_$name" -merge=1 -use_counters=0 \
		-timeout=20 "$work/old" "$work/small" >"$work/log" 2>&1
	code=$?
	[ $code = 0 ] || tail -n 5 "$work/log" >&2
	# Those that libFuzzer has added, the smallest first.
	find "$work/small" -type f -exec wc -c {} + | sort -n |
		awk '$2 ~ /\// { sub(/.*\//, "", $2); print $2 }' |
		while read -r f; do
			[ ! -f "$work/old/$f" ] || [ -f "$corpus/$f" ] || echo "$f"
		done | head -n "${FUZZ_ADD:-8}" >"$work/list"
	while read -r f; do
		cp "$work/small/$f" "$corpus/$f"
	done <"$work/list"
	echo "fuzz_$name: $(wc -l <"$work/list") inputs added"
	rm -rf "$work"
	return $code
}

case ${1-} in
--one)
	one "$2"
	exit
	;;
esac
if [ "$seconds" = --sum ]; then
	sums
	exit
fi
# shellcheck disable=SC2046 # a list
[ $# -gt 0 ] || set -- $(make -s -f Makefile -f - names <<'END'
names: ; @echo $(FUZZERS)
END
)
for t; do
	make -s "regress/fuzz/fuzz_${t##*fuzz_}" || exit 1
done
mkdir -p "$top"
code=0
if [ "$seconds" = --merge ]; then
	for t; do
		merge "${t##*fuzz_}" || code=1
	done
	exit $code
fi
for t; do
	t=${t##*/}
	echo "${t#fuzz_}"
done | xargs -P "${FUZZ_JOBS:-2}" -n 1 sh "$0" "$seconds" --one || code=1
echo '| target | inputs | corpus | edges | bad | slowest | memory |'
echo '|---|---|---|---|---|---|---|'
for t; do
	t=${t##*/}
	cat "$top/${t#fuzz_}.row"
done
exit $code
