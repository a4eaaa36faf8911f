#!/bin/sh
# What sequences of a pane's program cause outside its screen: the pointer of
# the user's terminal, formats, hooks.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# Waits until FORMAT of the pane is TEXT.
becomes() {
	wait_for "[ \"\$(m display-message -p -t s: '$1')\" = '$2' ]" ||
		m display-message -p -t s: "$1, not $2"
}

# The last OSC 22 that the outer terminal got.
outer_pointer() {
	tr '\033' '\n' <raw | grep -a '^]22;' | tail -n 1
}

# OSC 22 follows the active pane, and the terminal has its own shape at the end.
pointer() {
	m set-option -s terminal-features '*:pointer'
	attach_in 60 11 "$(attach_command) -t s"
	expect_screen '\[s\]'
	outer pipe-pane "cat >>'$PWD/raw'"
	: >raw
	m respawn-pane -k -t s: 'printf "\033]22;hand2\007one"; cat'
	becomes '#{pane_pointer}' pointer
	wait_for '[ "$(outer_pointer)" = "]22;pointer" ]' || outer_pointer
	m split-window -t s:
	becomes '#{pane_pointer}' default
	wait_for '[ "$(outer_pointer)" = "]22;" ]' || outer_pointer
	m last-pane -t s:
	wait_for '[ "$(outer_pointer)" = "]22;pointer" ]' || outer_pointer
	detach
	wait_for '[ "$(outer_pointer)" = "]22;" ]' || outer_pointer
	# A terminal that does not know it gets nothing.
	m set-option -s terminal-features ''
	: >raw
	attach_in 60 11 "$(attach_command) -t s"
	outer pipe-pane "cat >>'$PWD/raw'"
	m respawn-pane -k -t s: 'printf "\033]22;wait\007two"; cat'
	becomes '#{pane_pointer}' wait
	expect_screen two
	outer_pointer
	detach
}
rmux_only "pointer shape" pointer ''
done_testing
