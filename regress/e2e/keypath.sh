#!/bin/sh
# The linker places the functions that a key enters side by side, and their list
# is not out of date.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
list="$e2e_src/keypath.ld"

# Counts the names of the list that no source defines.
stale() {
	find "$e2e_src/base" "$e2e_src/conf" "$e2e_src/mux" "$e2e_src/ssp" \
		"$e2e_src/server" "$e2e_src/client" "$e2e_src/rmux.c" \
		-name '*.c' -exec sed -n 's/^\([a-z_0-9]*\)(.*/\1/p' {} + |
		sort -u >"$e2e_dir/defined"
	sed -n 's/.*(\.text\.\([a-z_0-9]*\) .*/\1/p' "$list" | sort -u \
		>"$e2e_dir/listed"
	comm -13 "$e2e_dir/defined" "$e2e_dir/listed" | wc -l
}
listed() {
	grep -c '(.text' "$list"
}
check "the list has functions" [ "$(listed)" -gt 200 ]
# Else: make keypath.
check "few of them are gone" [ "$(stale)" -lt 40 ]

# section NAME: prints its size in bytes.
section() {
	echo $((0x$(readelf -SW "$e2e_rmux" 2>/dev/null | sed -n \
		"s/.* \\.$1 *PROGBITS *[0-9a-f]* [0-9a-f]* \\([0-9a-f]*\\) .*/\\1/p" |
		grep . || echo 0)))
}

# The section is not empty: the compiler emitted one section for each function.
size=$(section text.keypath)
if [ "$size" -eq 0 ]; then
	echo "# this program is linked without it"
else
	check "a key's code is a small part of all" \
		[ $((size * 2)) -lt "$(section text)" ]
	check "and no empty one" [ "$size" -gt 16384 ]
fi
done_testing
