#!/bin/sh
# status-position left and right: rows of windows and panes, and clicks there.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# click COLUMN ROW, from 1
click() {
	outer_keys -l "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$1" "$2" "$1" "$2")"
}

side() {
	m set -g mouse on \; set -g status-position "$1" \; set -g status-column-width 10 \; \
		set -g status-left '<#S>' \; set -g status-right 'end' \; \
		set -g status-column-format '#I:#W#{?window_active,*,}' \; \
		rename-window -t s:0 one \; new-window -d -t s:1 -n two cat \; \
		split-window -d -t s:1 cat
	attach_in 40 8 "$(attach_command) -t s"
	expect_screen '<s>'
}

windows() {
	side left
	m send-keys -t s:0 text Enter
	expect_screen '^0:one\* *text'
	outer_screen
	m list-panes -t s:0 -F '#{pane_width}x#{pane_height}'
	click 5 3
	expect_screen '^1:two\*'
	m display-message -p -t s: '#I'
	click 9 2
	expect_screen '^0:one\*'
	m display-message -p -t s: '#I'
	detach
}

panes() {
	side right
	m set -g status-column-pane-format '  #D'
	expect_screen ' %2$'
	outer_screen
	click 33 6
	expect_screen '1:two\*'
	m display-message -p -t s: '#I #D'
	outer_keys -l "$(printf '\033[<64;35;2M')"
	expect_screen '0:one\*'
	m set -g status-column-width 4
	wait_for "[ \"\$(m display-message -p -t s: '#{pane_width}')\" = 36 ]" &&
		echo narrow
	m set -g status off
	wait_for "[ \"\$(m display-message -p -t s: '#{pane_width}')\" = 40 ]" &&
		echo off
	detach
}

# Words that do not fit in the first or last row go to further ones.
ends() {
	side left
	m resize-window -t s -A \; set -g status-left 'longer #S name' \; \
		set -g status-right 'host 12:34 24-Nov-26'
	expect_screen '^host'
	outer_screen
	m set -g status-right 'averylongword'
	expect_screen '^averylongw'
	outer_screen
	detach
}

rmux_only "a row for each window" windows "<s>       text
0:one*    text
1:two




end
30x8
1
0"
rmux_only "a row for each pane" panes "                              <s>
                              0:one*
                                %0
                              1:two
                                %1
                                %2

                              end
1 %2
narrow
off"
rmux_only "long ends have more rows" ends "longer s
name
0:one*
1:two


host 12:34
24-Nov-26
longer s
name
0:one*
1:two


averylongw
ord"
done_testing
