#!/bin/sh
# Programs that flood: keys in other windows, and the last lines of the output.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# A file large enough to take long; each system begins in an empty folder.
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

# The server pauses a flood while keys arrive (server/io/pace.h): no output may
# be lost, and the flood continues when the keys end.
typing() {
	m set-option -g history-limit 200000
	attach_in 80 24 "$(attach_command)"
	m respawn-window -k -t s:0 cat
	m split-window -d -t s:0 "seq 1000001 1100000; printf 'fi''n\n'; exec cat"
	for i in 1 2 3 4 5 6 7 8; do
		outer_keys "typed $i" Enter
		expect_pane s:0.0 "^typed $i" && echo "heard $i"
	done
	expect_pane s:0.1 '^fin' 60 && echo "went on"
	m capture-pane -p -S - -t s:0.1 | grep -c '^1[01]'
	m capture-pane -p -S - -t s:0.1 | grep '^1[01]' | sort -C && echo "in order"
}
compare "a flood beside somebody who types loses nothing" typing

# A terminal gets the difference between frames, not the whole output.
frames() {
	m respawn-window -k -t s:0 cat
	attach_in 80 24 "$(attach_command)"
	before=$(m list-clients -F '#{client_written}')
	m respawn-window -k -t s:0 \
		"seq -f 'line %.0f of a flood' 500000; printf 'E''ND\\n'; exec cat"
	expect_screen '^END' 60
	after=$(m list-clients -F '#{client_written}')
	echo "11,388,895 bytes of a program, $((after - before)) for the terminal" \
		>"$e2e_dir/frames"
	[ $((after - before)) -lt 3000000 ] && echo few
}
rmux_only "the terminal is given frames, not bytes" frames few
sed 's/^/# /' "$e2e_dir/frames"

done_testing
