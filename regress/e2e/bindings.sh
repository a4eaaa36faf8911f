#!/bin/sh
# The default key bindings are tmux 3.8's (bindings.rec), in all tables, with
# their notes; bindings.why has the keys that differ on purpose.
# E2E_RECORD=1 with tmux 3.8 writes bindings.rec.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
here=$e2e_src/regress/e2e

bindings() {
	m list-keys
	m list-keys -N
}

# The rows of a list that differ, as "table key".
keys_of() {
	awk '$1 == "bind-key" {
		for (i = 2; $i != "-T"; i++)
			;
		print $(i + 1), $(i + 2)
		next
	}
	{ print "prefix", $2 }' "$1" | sort -u
}

listed() {
	e2e_run_in rmux bindings | e2e_plain >"$e2e_dir/ours"
	sort "$here/bindings.rec" >"$e2e_dir/a"
	sort "$e2e_dir/ours" >"$e2e_dir/b"
	comm -3 "$e2e_dir/a" "$e2e_dir/b" | sed 's/^	//' >"$e2e_dir/differ"
	keys_of "$e2e_dir/differ" >"$e2e_dir/keys"
	sed -n 's/^\([^# ]* [^ ]*\): ..*/\1/p' "$here/bindings.why" |
		sort -u >"$e2e_dir/reasons"
	diff "$e2e_dir/keys" "$e2e_dir/reasons"
}

# The same keys in the same order.
ordered() {
	awk '$1 == "bind-key"' "$here/bindings.rec" >"$e2e_dir/c"
	awk '$1 == "bind-key"' "$e2e_dir/ours" >"$e2e_dir/d"
	for f in c d; do
		awk '{ for (i = 2; $i != "-T"; i++); print $(i + 1), $(i + 2) }' \
			"$e2e_dir/$f" | grep -vxFf "$e2e_dir/reasons" \
			>"$e2e_dir/$f.keys"
	done
	diff "$e2e_dir/c.keys" "$e2e_dir/d.keys"
}

if [ -n "${E2E_RECORD:-}" ]; then
	e2e_run_in tmux bindings | e2e_plain >"$here/bindings.rec"
fi
check "bindings are tmux 3.8's but for those with a reason" listed
check "they have its order" ordered
done_testing
