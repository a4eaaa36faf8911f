#!/bin/sh
# A paste longer than one message, at the terminal and by command.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%063d\n", i }' >"$e2e_dir/big"
bytes=1280000
M=rmux
start 80 24 "stty -echo; cat >'$e2e_dir/got'; exec cat" || exit 99
outer_start 80 24 "'$e2e_rmux' -L e2e -f /dev/null attach"
wait_for 'm list-clients | grep -q .'

got_all() {
	wait_for '[ "$(wc -c <"$e2e_dir/got")" -ge $bytes ]' 60 &&
		cmp "$e2e_dir/big" "$e2e_dir/got"
}
typed() {
	: >"$e2e_dir/got"
	outer load-buffer -b big "$e2e_dir/big"
	outer paste-buffer -p -b big
	got_all
}
check "a large paste at the terminal" typed
after() {
	outer_keys C-d
	outer_keys 'stty sane' Enter
	expect_screen 'stty sane'
}
check "and what is typed behind it" after
commanded() {
	rm -f "$e2e_dir/got"
	m respawn-pane -k "stty -echo; cat >'$e2e_dir/got'; exec cat"
	wait_for '[ -e "$e2e_dir/got" ]'
	m load-buffer "$e2e_dir/big" && m paste-buffer && got_all
}
check "a large buffer" commanded
# Each character is a key: more keys than the client queues at once.
bare() {
	head -n 3200 "$e2e_dir/big" >"$e2e_dir/less" &&
		mv "$e2e_dir/less" "$e2e_dir/big" && bytes=204800
	rm -f "$e2e_dir/got"
	m respawn-pane -k "stty -echo; cat >'$e2e_dir/got'; exec cat"
	wait_for '[ -e "$e2e_dir/got" ]'
	outer load-buffer -b big "$e2e_dir/big"
	outer paste-buffer -b big
	got_all
}
check "a large paste without brackets" bare
done_testing
