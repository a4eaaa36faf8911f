#!/bin/sh
# At the attach the client measures, invisibly, the widths of clusters on which
# terminals disagree; it trusts the cursor after a cluster of equal width.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"
script -qfc true "$e2e_dir/try" </dev/null >/dev/null 2>&1 ||
	skip_all "no script(1)"

# Writes the bytes that the client sends to its terminal to "sent".
client() {
	rm -f sent
	echo "script -qfc \"$(attach_command) -t s\" '$PWD/sent'"
}

# For each line of input, prints a line of clusters, a bar after each.
rows() {
	start 60 12 "stty -echo; while read -r x; do printf 'e\\314\\201|\\302\\247|\\346\\227\\245|\\n'; done" || return 1
	m set-option -g status off
}

# sent PATTERN: the bytes sent, with escapes as @, match PATTERN.
sent() {
	[ -f sent ] && tr "\033" @ <sent | grep -q -- "$1"
}

# row PATTERN: waits until such a row is painted; the replies may come later.
# An xterm takes many seconds to start on a busy machine.
row() {
	pattern=$1
	wait_for 'm send-keys -t s: Enter; sent "$pattern"' 60 && return 0
	echo "no row like $pattern"
	tr '\033' @ <sent | tail -n 5
	return 1
}

asked() {
	sent '@\[8m@\[2H' && sent '@\[2H@\[m@\[K'
}

ends() {
	m kill-server
	wait_for "! alive $e2e_pid"
}

in_tmux() {
	rows && outer_start 60 12 "$(client)" || return 1
	row 'e.|§|日|' || return 1
	wait_for asked || return 1
	# The measurement leaves no trace: the first rows are those of the pane.
	outer_screen | head -n 3
	outer_screen | head -n 3 | grep -q 👍 && return 1
	ends
}
check "under tmux: asked, unseen, trusted" in_tmux

# in_xterm OPTION PATTERN: with that option of xterm a row matches PATTERN.
in_xterm() {
	rows || return 1
	DISPLAY=:$display xterm -u8 $1 -geometry 60x12 -e sh -c "$(client)" \
		>xterm.out 2>&1 &
	pid=$!
	e2e_pids="$e2e_pids $pid"
	row "$2" || {
		cat xterm.out
		return 1
	}
	wait_for asked && ends && wait_for "! alive $pid"
}

# Ambiguous characters are narrow unless the user sets them wide.
if command -v Xvfb >/dev/null && command -v xterm >/dev/null; then
	Xvfb -displayfd 1 -screen 0 640x400x8 -nolisten tcp \
		>"$e2e_dir/display" 2>/dev/null &
	e2e_pids="$e2e_pids $!"
	wait_for '[ -s "$e2e_dir/display" ]' 60
	display=$(cat "$e2e_dir/display")
	check "under xterm" in_xterm +cjk_width 'e.|§|日|'
	check "under xterm -cjk_width" in_xterm -cjk_width \
		'e.|§@\[[0-9;]*H|日|'
else
	skip "under xterm" "no Xvfb and xterm"
fi

done_testing
