#!/bin/sh
# Programs that pour out text: keys in other windows, and the ends of theirs.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# A file that takes long; each system begins in an empty folder.
pour() {
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			printf "\033[38;2;9;8;%dm\342\224\202 %d\n", i % 256, i
	}' >in
}

flows() {
	wait_for "[ \"\$(m display-message -p -t $1 '#{history_size}')\" -ge 1000 ]"
}

beside() {
	pour
	for i in 1 2; do
		m new-window -d -n "f$i" "while :; do cat '$PWD/in'; done"
		flows "s:f$i" || echo "no flood $i"
	done
	m new-window -n c cat
	m send-keys -t s:c heard Enter
	expect_pane s:c heard && echo heard
	m kill-window -t s:f1
	m respawn-pane -k -t s:f2 "echo anew; exec cat"
	expect_pane s:f2 anew && echo anew
	m list-windows -F '#{window_index}'
}
compare "windows beside floods, and their ends" beside

done_testing
