#!/bin/sh
# OSC 66: text in blocks of cells, in terminals with and without them; copies.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# put TEXT: a new window whose program prints it, and then what it reads.
put() {
	m new-window -t s: "printf '$1'; exec cat -v"
}

plain() {
	put '\033]66;s=2;Big\a text\r\n\n\033]66;n=1:d=2:w=1;Ha\a\033]66;n=1:d=2:w=1;lf\a\r\n\033]66;w=2;x\a|\r\n'
	m set-option -g status off
	attach_in 40 8 "$(attach_command) -t s"
	expect_screen '^x |'
	outer_screen | grep .
	# The text is whole in captures, searches and copies.
	m capture-pane -p -t s: | grep .
	m capture-pane -ep -t s: | head -1
	m copy-mode -t s:
	m send-keys -t s: -X history-top
	m send-keys -t s: -X start-of-line
	m send-keys -t s: -X search-forward Half
	m send-keys -t s: -X select-line
	m send-keys -t s: -X copy-selection-and-cancel
	m show-buffer
	echo
	detach
}
rmux_only "blocks are text of the usual size in a terminal without them" plain 'B i g  text
Hl
x |
Big text
Half
x|
Big text
Half'

# Another rmux is the terminal: in its cells are blocks, of which it says the text
# once, and plain text when something lies over them.
far() {
	"$e2e_rmux" -L outer -f /dev/null "$@"
}
far_screen() {
	far capture-pane -p -t o: 2>/dev/null
}
native() {
	put '\033]66;s=2;Big\a text\r\n\nrow'
	m set-option -g status off
	m set-option -s terminal-features '*:textsize'
	far new-session -d -x 40 -y 8 -s o "$(attach_command) -t s"
	wait_for 'far_screen | grep -q "^Big text"'
	far_screen | grep .
	m display-popup -t s: -x 3 -y 3 -w 10 -h 3 cat &
	wait_for 'far_screen | grep -q "^B i"'
	m display-popup -C -t s:
	wait_for 'far_screen | grep -q "^Big text"'
	far_screen | grep .
	m copy-mode -t s:
	wait_for 'far_screen | grep -q "^Big text.*\["'
	m display-popup -t s: -w 20 -h 5 "printf '\033]66;s=2;Pop\a'; exec cat" &
	wait_for 'far_screen | grep -q Pop'
	far kill-server
}
rmux_only "blocks reach a terminal that has them" native 'Big text
row
Big text
row'

# A resize keeps them; the history, too.
kept() {
	put '\033]66;s=2;Big\a text\r\n\nrow'
	m set-option -g status off
	m set-option -s terminal-features '*:textsize'
	m new-window -t s: 'cat'
	m capture-pane -p -t s:1 | head -1
	m resize-window -t s:1 -x 30 -y 6
	m capture-pane -p -t s:1 | head -1
}
rmux_only "a resize keeps them" kept 'Big text
Big text'
done_testing
