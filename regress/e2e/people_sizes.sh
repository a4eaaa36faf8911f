#!/bin/sh
# Sizes of windows that several clients show, and which session a client gets.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"

# comes NAME COLS ROWS ARGUMENTS...: a client in a terminal of its own.
comes() {
	comes_rows=$(m list-clients | wc -l)
	comes_name=$1 comes_cols=$2 comes_rows2=$3
	shift 3
	person "$comes_name" "$comes_cols" "$comes_rows2" \
	    "unset TMUX_PANE; $(attach_command) $*"
	wait_for "[ \$(m list-clients | wc -l) -gt $comes_rows ]" ||
		echo "$comes_name has not come"
}

goes() {
	outer kill-session -t "=$1"
	wait_for "[ \$(m list-clients | wc -l) -eq $2 ]" || echo "$1 has not gone"
}

# size TARGET WANTED: waits for it, prints what there is.
size() {
	wait_for "m display-message -p -t '$1' '#{window_width}x#{window_height}' |
	    grep -qx '$2'"
	m display-message -p -t "$1" '#W #{window_width}x#{window_height}'
}

sessions() {
	m rename-window -t s:0 one
	m new-window -d -t s: -n two cat
	m new-window -d -t s: -n three cat
	m new-session -d -s u -x 80 -y 24 -n other cat
	m set-option -g automatic-rename off
	m set-option -g status off
}

latest() {
	sessions
	comes A 70 20 -t s
	comes B 50 12 -t s
	size s: 50x12
	# The client that a key comes from decides the size of the window it selects.
	keys A C-b n
	size s: 70x20
	outer resize-window -t B: -x 40 -y 11
	size s: 40x11
	goes A 1
	goes B 0
}

ignoring() {
	sessions
	comes A 70 20 -t s -f ignore-size
	comes B 50 12 -t s -r
	size s: 50x12
	goes A 1
	goes B 0
}

new_window() {
	sessions
	comes A 70 20 -t s
	size s: 70x20
	m new-window -t u: -n new cat
	size u: 70x20
	m set-option -g window-size smallest
	m new-window -t u: -n newer cat
	size u: 70x20
	goes A 0
}

groups() {
	sessions
	m select-window -t s:1
	m new-session -d -t s -s g
	run list-windows -t g -F '#W #F'
	run new-session -d -t u -s g
	run list-sessions -F '#S #{session_group}'
}

which() {
	sessions
	comes A 70 20 -t s
	run switch-client
	run list-clients -F '#S'
	run switch-client -r
	run list-clients -F '#S #{client_readonly}'
	run switch-client -r -t s
	comes B 50 12
	run list-clients -F '#S'
	goes B 1
	m kill-session -t u
	run switch-client -p
	run switch-client -n
	run list-clients -F '#S'
	goes A 0
}

titles() {
	m new-session -d -s t "printf '\\033[22;0t\\033]2;one\\007\\033[23;0t\\033]2;end\\007'; cat"
	wait_for 'm display-message -p -t t: "#T" | grep -qx end'
	m set-option -g default-shell /bin/sh
	m new-window -t t: "printf '\\033[22;0t\\033]2;one\\007\\033[23;0t'; printf ready; cat"
	expect_pane t: ready
	m display-message -p -t t: '#{==:#T,#H}'
	m new-window -t t: "read x; printf '\\033[22;0t\\033]2;one\\007\\033[23;0t'; printf ready; cat"
	m select-pane -t t: -T chosen
	m send-keys -t t: Enter
	expect_pane t: ready
	run display-message -p -t t: '#T'
}

if [ $e2e_have_tmux = yes ]; then
	compare "the client used last decides" latest
	compare "clients that all ignore sizes" ignoring
	compare "a new window elsewhere" new_window
	compare "groups begin at their first window" groups
	compare "which session a client gets" which
	compare "titles that a program saves" titles
fi

done_testing
