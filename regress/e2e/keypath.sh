#!/bin/sh
# The functions of a key's way lie together in the program, and their list is
# not out of date.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
list="$e2e_src/keypath.ld"

# Names of the list that no source defines any more.
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
check "few of them are gone" [ "$(stale)" -lt 40 ]

# The section holds something: else nothing was compiled for it.
size=$(readelf -SW "$e2e_rmux" 2>/dev/null |
	sed -n 's/.* \.text\.keypath *PROGBITS *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p')
if [ $((0x${size:-0})) -eq 0 ]; then
	echo "# this program is linked without it"
else
	check "a key's code is less than 256 KiB" [ $((0x$size)) -lt 262144 ]
	check "and more than 16" [ $((0x$size)) -gt 16384 ]
fi
done_testing
