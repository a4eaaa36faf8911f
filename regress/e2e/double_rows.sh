#!/bin/sh
# DECDWL and DECDHL: what the outer terminal shows, the mouse, copies.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# put TEXT: a new window whose program prints it, then reads the mouse.
put() {
	m new-window -t s: "printf '\033[?1000h\033[?1006h$1'; exec cat -v"
}

shown() {
	put '\033#6Wide\r\nplain\r\n\033#3Tall\r\n\033#4Tall\r\n\033#6'
	m set-option -g status off
	attach_in 40 8 "$(attach_command) -t s"
	expect_screen '^W i d e'
	outer_screen | grep .
	# The mouse counts the columns of the row.
	outer send-keys -H 1b 5b 3c 30 3b 35 3b 31 4d
	expect_pane s: '<0;3;1M'
	# Text is whole in captures and in copies.
	m capture-pane -p -t s: | head -4
	m copy-mode -t s:
	m send-keys -t s: -X history-top
	m send-keys -t s: -X start-of-line
	m send-keys -t s: -X search-backward Wide
	m send-keys -t s: -X select-line
	m send-keys -t s: -X copy-selection-and-cancel
	m show-buffer
	echo
	# A pane beside it has room for the pairs that fit.
	m split-window -h -t s: cat
	expect_screen '^W i d e *│'
	detach
}
rmux_only "rows of double size are pairs of columns" shown 'W i d e
plain
T a l l
Wide
plain
Tall
Tall
Wide'

# A popup has no whole rows of the terminal.
popup() {
	m set-option -g status off
	m set-option -s terminal-features '*:doublesize'
	attach_in 40 8 "$(attach_command) -t s"
	# It waits until the popup closes.
	m display-popup -B -x 4 -y 4 -w 20 -h 3 -t s: -c "$client" \
		"printf '\\033[?1000h\\033[?1006h\\033#6Wide\\r\\n'; exec cat -v" &
	popup_pid=$!
	expect_screen '^    W i d e'
	# The fourth character is a click at its seventh column.
	outer send-keys -H 1b 5b 3c 30 3b 31 31 3b 32 4d
	expect_screen '<0;4;1M' || outer_screen
	m display-popup -C -c "$client"
	wait $popup_pid
	detach
}
rmux_only "rows of double size in a popup" popup ''

# A terminal that says it has them gets the attributes, and plain characters.
native() {
	put '\033#6Wide\r\n\033#3Tall\r\n\033#4Tall\r\n'
	m set-option -g status off
	attach_in 40 8 "$(attach_command) -t s"
	expect_screen '^T a l l'
	m set-option -s terminal-features '*:doublesize'
	wait_for '[ "$(outer_screen | grep -c Tall)" = 2 ]'
	outer_screen | grep .
	# A message over one of them shows its own columns.
	m set-option -g message-line 0 2>/dev/null
	m display-message -d 0 'a message'
	expect_screen 'a message'
	detach
}
rmux_only "rows of double size reach a terminal that has them" native 'Wide
Tall
Tall'
done_testing
