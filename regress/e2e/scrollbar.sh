#!/bin/sh
# pane-scrollbars: columns, slider, clicks and drags.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# mouse BUTTON COLUMN ROW M|m, from 1
mouse() {
	outer_keys -l "$(printf '\033[<%d;%d;%d%s' "$1" "$2" "$3" "$4")"
}

# The column of the bar: # is the slider.
bar() {
	outer capture-pane -peN | awk '
	{
		n = split($0, part, /\033\[/); on = ""
		for (i = 1; i <= n; i++)
			if (part[i] ~ /^[0-9;]*41[;m0-9]*m/) on = "#"
			else if (part[i] ~ /^[0-9;]*44[;m0-9]*m/) on = "."
		printf "%s", on
	}
	END { print "" }'
}

expect_bar() {
	wait_for "[ \"\$(bar)\" = '$1' ]" && echo "bar $1" ||
		echo "bar is $(bar), not $1"
}

# scrollbar MODE: a pane of 20x8 with 24 rows of history.
scrollbar() {
	m set -g status off \; set -g pane-scrollbars-style 'fg=red,bg=blue' \; \
		set -g pane-scrollbars "$1"
	attach_in 20 8 "$(attach_command) -t s"
	m respawn-pane -k -t s: 'seq 31; exec cat'
	wait_for "[ \"\$(m display-message -p -t s: '#{history_size}')\" = 24 ]"
}

at() {
	m display-message -p -t s: '#{pane_in_mode} #{scroll_position}'
}

expect_at() {
	wait_for "[ \"\$(at)\" = '$1' ]" && echo "at $1" || echo "at $(at), not $1"
}

drags() {
	scrollbar on
	expect_bar '......##'
	m display-message -p -t s: '#{pane_width}'
	# Above the slider: a page up. Below it: a page down.
	mouse 0 20 1 M
	mouse 0 20 1 m
	expect_at '1 6'
	expect_bar '.....##.'
	mouse 0 20 8 M
	mouse 0 20 8 m
	expect_at '1 0'
	# A drag moves the slider, from the row where it was pressed.
	m copy-mode -q -t s:
	expect_bar '......##'
	mouse 0 20 8 M
	mouse 32 20 5 M
	expect_at '1 12'
	mouse 32 3 2 M
	expect_at '1 24'
	expect_bar '##......'
	mouse 32 20 8 M
	expect_at '1 0'
	mouse 0 20 8 m
	m copy-mode -q -t s:
	# -e leaves the mode at the end.
	m bind -n MouseDrag1ScrollbarSlider copy-mode -eS
	mouse 0 20 7 M
	mouse 32 20 1 M
	expect_at '1 24'
	mouse 32 20 6 M
	expect_at '1 4'
	mouse 32 20 8 M
	expect_at '0 '
	mouse 0 20 8 m
	m set -g pane-scrollbars-position left
	wait_for '[ "$(m display-message -p -t s: "#{pane_left}")" = 1 ]'
	expect_screen '^ 31'
	m set -g pane-scrollbars-style 'fg=red,bg=blue,width=2,pad=1'
	wait_for '[ "$(m display-message -p -t s: "#{pane_width}")" = 17 ]'
	m display-message -p -t s: '#{pane_left} #{pane_width}'
	expect_bar '......##'
	# The alternate screen has no history: the pane is wide.
	m respawn-pane -k -t s: 'tput smcup; echo alternate; exec cat'
	expect_screen '^alternate'
	m display-message -p -t s: '#{pane_left} #{pane_width}'
	expect_bar ''
	detach
}

hides() {
	scrollbar "$1"
	m set -g pane-scrollbars-timeout 1000
	expect_bar ''
	m display-message -p -t s: '#{pane_width}'
	m bind -n MouseDrag1ScrollbarSlider copy-mode -S
	# Motion over the hidden bar shows it.
	mouse 35 20 4 M
	[ "$1" = modal ] || expect_bar '......##'
	expect_bar ''
	m copy-mode -t s:
	expect_at '1 0'
	m send-keys -X -t s: history-top
	expect_bar '##......'
	expect_bar ''
	m set -g pane-scrollbars-timeout 0
	m send-keys -X -t s: history-bottom
	expect_at '1 0'
	expect_bar ''
	detach
}

modal() {
	hides modal
}

auto() {
	hides auto-hide
}

rmux_only "clicks and drags of a scrollbar" drags "bar ......##
19
at 1 6
bar .....##.
at 1 0
bar ......##
at 1 12
at 1 24
bar ##......
at 1 0
at 1 24
at 1 4
at 0 
3 17
bar ......##
0 20
bar "
rmux_only "modal scrollbars" modal "bar 
20
bar 
at 1 0
bar ##......
bar 
at 1 0
bar "
rmux_only "scrollbars that hide" auto "bar 
20
bar ......##
bar 
at 1 0
bar ##......
bar 
at 1 0
bar "
done_testing
