#!/bin/sh
# Help for newcomers: the first line, the panel of keys after the prefix; and
# the timeouts of key tables.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	attach_in 80 24 "$(attach_command) -t s"
}

test_panel() {
	m set-option -g prefix-panel-time 50
	attach
	outer_keys C-b
	expect_screen 'c *Create a new window'
	expect_screen 'd *Detach the current client'
	expect_screen '^ page 1 of [0-9]*   PageDown: next page   ?: all keys   e: find'
	outer_keys NPage
	expect_screen '^ page 2 of'
	expect_screen 'm *Toggle the marked pane'
	# After the last page comes the first one.
	i=0
	while ! outer_screen | grep -q '^ page 1 of' && [ $i -lt 9 ]; do
		i=$((i + 1))
		before=$(outer_screen | grep '^ page')
		outer_keys NPage
		wait_for '[ "$(outer_screen | grep "^ page")" != "$before" ]'
	done
	expect_screen '^ page 1 of'
	# The most used keys come first at every size; half of it stays free.
	expect_screen 'p *Select the previous window'
	outer resize-window -x 40 -y 12
	expect_screen 'c *Create a new window'
	expect_screen '^ page 1 of [0-9]*   PageDown: next page$'
	outer_screen | grep -cE '^ (Most used|[^ ]+ +[A-Z])'
	outer resize-window -x 80 -y 24
	expect_screen 'p *Select the previous window'
	outer_keys c
	wait_for '! outer_screen | grep -q Create' || echo "panel stays"
	run list-windows -F '#I'
	# A user's key table, without notes.
	m bind-key -T mine x set-option -g @done yes
	m bind-key -T mine y 'display-message hello'
	m switch-client -c "$client" -T mine
	expect_screen 'x *set-option -g @done yes'
	outer_keys x
	wait_for 'm show-options -gqv @done | grep -q yes' || echo "not run"
	m set-option -g prefix-panel-time 0
	outer_keys C-b
	wait_for 'm list-clients -F "#{client_prefix}" | grep -q 1'
	m display-message -c "$client" 'no panel'
	expect_screen '^no panel'
	outer_screen | grep -c 'Create a new window'
	m detach-client -t "$client"
}
rmux_only "keys that can follow" test_panel "5
+ list-windows -F #I
0
1
0"

prefix_of() {
	wait_for "m list-clients -F '#{client_prefix}' | grep -q $1" ||
		echo "client_prefix is not $1"
}

# The prefix is on for a short time that a slow poll can miss: one of ten tries
# must see it.
prefix_seen() {
	for try in 1 2 3 4 5 6 7 8 9 10; do
		outer_keys C-b
		wait_for "m list-clients -F '#{client_prefix}' | grep -q 1" 1 &&
			return
	done
	echo "no prefix in $try tries"
}

test_times() {
	m set-option -sg prefix-timeout 500
	attach
	prefix_seen
	prefix_of 0
	m set-option -sg prefix-timeout 0
	outer_keys C-b
	prefix_of 1
	outer_keys n
	prefix_of 0
	# The repeat time ends without a key.
	m set-option -g repeat-time 100
	outer_keys C-b
	prefix_of 1
	outer_keys Up
	prefix_of 0
	m detach-client -t "$client"
}
rmux_only "prefix-timeout, repeat-time" test_times ''

test_first() {
	outer_start 80 24 "RMUX= '$e2e_rmux' -L first new-session -s hi cat"
	expect_screen '^C-b d detaches, C-b ? lists the keys, C-b : takes commands'
	outer_keys C-b
	outer_keys d
	wait_for '! alive $e2e_outer' || echo "not detached"
	"$e2e_rmux" -L first kill-server
	outer_start 40 12 "RMUX= '$e2e_rmux' -L first new-session -s hi cat"
	expect_screen '^C-b d detaches, C-b ? lists the keys'
	"$e2e_rmux" -L first kill-server
	: >"$HOME/.tmux.conf"
	outer_start 80 24 "RMUX= '$e2e_rmux' -L first new-session -s hi cat"
	expect_screen 'put "source-file'
	"$e2e_rmux" -L first kill-server
	rm "$HOME/.tmux.conf"
	mkdir -p "$HOME/.config/rmux"
	: >"$HOME/.config/rmux/rmux.conf"
	outer_start 80 24 "RMUX= '$e2e_rmux' -L first new-session -s hi cat"
	expect_screen '^\[hi\]'
	outer_screen | grep detaches
	"$e2e_rmux" -L first kill-server
	rm -r "$HOME/.config"
}
rmux_only "the first line" test_first ''

done_testing
