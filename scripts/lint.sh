#!/bin/sh
# lint.sh [BUILDDIR] - everything a reviewer should not have to look for.
# One line a check: "ok - name" or "not ok - name" with what was found before.
# LINT_PATHS=no leaves out clang's analyzer, which follows every path through every
# function (nearly all of clang-tidy's time), and the comparison of two archives.
# LINT_PATHS=quarter runs clang-tidy, with the analyzer, over a quarter of the sources
# alone (quarter.sh).
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
bld=$(cd "${1:-$top/build}" && pwd) || exit 1
cd "$top" || exit 1
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
rc=0
run() {
	name=$1
	shift
	if out=$("$@" 2>&1); then
		echo "ok - lint $name"
	elif [ $? = 77 ]; then
		echo "skip - lint $name"
	else
		printf '%s\n' "$out"
		echo "not ok - lint $name"
		rc=1
	fi
}
sources() { find base conf mux ssp predict server client rmux.c -name '*.c' | sort; }
# tidy_files CHECKS: names of sources on standard input.
tidy_files() {
	xargs -P "$jobs" -n 4 sh -c 'clang-tidy --quiet '"$1"' "$@" -- -std=c11 \
	    -D_GNU_SOURCE -DRMUX_LIBEXECDIR="\"/libexec\"" -I. -I'"$bld"' $(pkg-config --cflags libevent_core libsodium libzstd tickit libutf8proc check $(pkg-config --exists fribidi && echo fribidi)) \
	    2>/dev/null' tidy
}
tidy_all() {
	no_paths='--checks=-clang-analyzer-*'
	case ${LINT_PATHS-} in
	no) sources | tidy_files "$no_paths" ;;
	quarter) sources | scripts/quarter.sh | tidy_files '' ;;
	*) sources | tidy_files '' ;;
	esac
}
tidy() { tidy_all | grep -E '(warning|error):' | sort -u | { ! grep .; }; }
check_cpp() {
	cppcheck -q -j "$jobs" --std=c11 --enable=warning,performance,portability \
	    --inline-suppr --error-exitcode=1 --suppressions-list=scripts/cppcheck.txt \
	    -D__GNUC__ -I. base conf mux ssp predict server client rmux.c
}
shell() {
	{ echo quickstart; echo autogen.sh; echo .ci/run; find scripts regress -name '*.sh'; } |
	    xargs shellcheck -S warning -e SC3043,SC2154,SC2166,SC1010,SC2034,SC2120,SC2033,SC2119
}
manuals() {
	find doc -name '*.[1-9]' | while read -r f; do mandoc -T lint -W warning "$f" || echo bad; done | { ! grep .; }
}
run layers scripts/check-layers.sh
run pure scripts/check-pure.sh "$bld"
run contract scripts/check-contract.sh
run words scripts/check-words.sh
run format scripts/check-format.sh
run shell shell
run manuals manuals
run manual-tables scripts/check-manual.sh "$bld"
run circles scripts/check-circles.sh "$bld"
run unused scripts/check-unused.sh "$bld"
run fields scripts/check-fields.sh
run lists scripts/check-lists.sh
run drain scripts/check-drain.sh
run dist scripts/check-release.sh -l "$bld"
[ "${LINT_PATHS-}" = no ] || run release scripts/check-release.sh
run musl scripts/check-musl.sh "$bld"
run cppcheck check_cpp
run clang-tidy tidy
exit $rc
