#!/bin/sh
# The palette: typing filters one list of keys, windows, commands and options.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	attach_in "$1" "$2" "$(attach_command) -t s"
	expect_screen '\[s\]'
}

gone() {
	wait_for "! outer_screen | grep -q -- '$1'" || echo "$1 stays"
}

open() {
	outer_keys C-b e
	expect_screen 'everything .* 1/'
}

# By C-b e: a key's binding, a command, a window, an option.
does_it() {
	attach 80 24
	open
	expect_screen 'Create a new window *new-window *C-b c'
	outer_keys 'split hor'
	expect_screen '> split hor'
	expect_screen 'Split window horizontally *split-window -h *C-b %'
	outer_keys Enter
	wait_for '[ "$(m list-panes -t s: | wc -l)" = 2 ]' || echo "not split"
	gone everything
	# A command that needs nothing runs.
	open
	outer_keys 'next-layout' Enter
	gone everything
	# What was used lately comes first.
	open
	outer_screen | sed -n '4,5s/^ *│ \([a-zA-Z-]*\) .*/\1/p'
	outer_keys Escape
	gone everything
	# A command that needs arguments is put into the prompt.
	open
	outer_keys 'rename-window' Enter
	expect_screen '^:rename-window'
	outer_keys 'other' Enter
	wait_for 'm list-windows -t s: -F "#W" | grep -q other' ||
		echo "not renamed"
	m new-window -d -t s: -n logs cat
	open
	outer_keys 'logs' Enter
	wait_for 'm display-message -p -t s: "#W" | grep -q logs' ||
		echo "not selected"
	# The value of an option; a semicolon and a format stay as they are.
	open
	outer_keys 'status-left-length'
	expect_screen 'status-left-length .* option'
	outer_keys Enter
	expect_screen '^(status-left-length) 10$'
	outer_keys BSpace BSpace 25 Enter
	wait_for '[ "$(m show-options -gv status-left-length)" = 25 ]' ||
		echo "not set"
	open
	outer_keys status-left Enter
	expect_screen '^(status-left) .#{session_name}'
	outer_keys C-u
	outer_keys -l '#S x\;'
	outer_keys Enter
	wait_for '[ "$(m show-options -gv status-left)" = "#S x;" ]' ||
		m show-options -g status-left
	expect_screen '^s x;'
	detach
}
rmux_only "it does what is chosen" does_it 'next-layout
Split'

moves() {
	kills=$(grep -c '^X(kill_' "$e2e_src/conf/command.def")
	attach 60 14
	m command-palette -t "$client" -k commands -f 'kill-' &
	expect_screen '> kill-'
	expect_screen "everything .* 1/$kills"
	outer_keys Down C-n
	expect_screen "3/$kills"
	outer_keys C-p
	expect_screen "2/$kills"
	outer_keys Up Up
	expect_screen "$kills/$kills"
	# What destroys something is shown first, as is all with C-o.
	outer_keys C-u 'kill-window' Enter
	expect_screen '^:kill-window'
	outer_keys Escape
	gone ':kill'
	m command-palette -t "$client" -f 'clock-mode' &
	expect_screen 'clock-mode'
	outer_keys C-o
	expect_screen '^:clock-mode'
	outer_keys Escape
	gone ':clock'
	m command-palette -t "$client" &
	expect_screen 'everything'
	outer_keys Tab
	expect_screen 'keys .* 1/'
	outer_keys Tab
	expect_screen 'windows .* 1/1'
	outer_keys BTab BTab
	expect_screen 'everything'
	outer_keys 'zzzz'
	expect_screen 'nothing matches'
	outer_keys Enter C-c
	gone everything
	# A resize moves it.
	m command-palette -t "$client" &
	expect_screen 'everything'
	outer resize-window -x 40 -y 12
	expect_screen '^╭─ everything'
	outer resize-window -x 80 -y 24
	expect_screen '^  ╭─ everything'
	outer_keys Escape
	gone everything
	wait
	m command-palette -t "$client" -k keys,other
	detach
	run command-palette
}
rmux_only "it moves and edits" moves "unknown kind: other (keys, windows, sessions, panes, commands or options)
+ command-palette
err: no current client
exit: 1"

looks() {
	m set-option -g palette-border-lines simple
	m set-option -g palette-style bg=blue
	m set-option -g palette-selected-style bg=red
	m set-option -g palette-match-style fg=green
	m set-option -g palette-border-style fg=magenta
	attach 60 14
	m command-palette -t "$client" -f 'clock-mode' &
	expect_screen '+- everything -'
	wait_for 'outer capture-pane -pe | grep -q "44m+-"' ||
		outer capture-pane -pe | cat -v
	wait_for 'outer capture-pane -pe | grep -q "41m .*32mclock-mode"' ||
		outer capture-pane -pe | cat -v
	outer_keys Escape
	gone everything
	wait
	detach
}
rmux_only "styles" looks ''
done_testing
