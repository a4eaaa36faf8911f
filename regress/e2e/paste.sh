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
# More than a program's queue holds, of a program that reads after a while.
huge() {
	head -n 19500 "$e2e_dir/big" >"$e2e_dir/part"
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		cat "$e2e_dir/part"
	done >"$e2e_dir/huge"
	rm -f "$e2e_dir/got"
	m respawn-pane -k "stty -echo; printf ready; sleep 1; head -c 14976000 >'$e2e_dir/got'; exec cat"
	expect_pane : ready
	m load-buffer "$e2e_dir/huge" && m paste-buffer &&
		wait_for '[ "$(wc -c <"$e2e_dir/got")" -ge 14976000 ]' 60 &&
		cmp "$e2e_dir/huge" "$e2e_dir/got"
}
check "a buffer of 15 MB" huge
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
