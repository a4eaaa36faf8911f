#!/bin/sh
# fuzz-long.sh SECONDS [TARGET...] - fuzzes each target for SECONDS under ASan
# and UBSan, two at a time, and prints a table in Markdown.
#
# Run it in a folder that `configure --enable-asan --enable-fuzzing CC=clang` has
# set up; it builds the targets there.  A target starts from its corpus and from
# what earlier runs have found, in fuzz-long/TARGET.  An input that crashes, hangs
# for 20 s or takes more than 2 GiB is kept in fuzz-long/TARGET.bad, and the
# target goes on until its time is over.  FUZZ_JOBS: how many at a time.
# Exits with 1 if an input was bad.
set -u
seconds=${1:?usage: fuzz-long.sh SECONDS [TARGET...]}
shift
src=$(cd "$(dirname "$0")/.." && pwd) || exit 1
top=$PWD/fuzz-long

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
	mkdir -p "$own" "$finds"
	: >"$log"
	find "$src/regress/fuzz/corpus/$name" "$own" -type f | wc -l >"$top/$name.n"
	read -r before <"$top/$name.n"
	end=$(($(date +%s) + seconds))
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
	[ $bad = 0 ]
}

case ${1-} in
--one)
	one "$2"
	exit
	;;
esac
make -s fuzzers || exit 1
# shellcheck disable=SC2046 # a list
[ $# -gt 0 ] || set -- $(make -s -f Makefile -f - names <<'END'
names: ; @echo $(FUZZERS)
END
)
mkdir -p "$top"
code=0
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
