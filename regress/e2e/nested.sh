#!/bin/sh
# A multiplexer in a pane: attach from a pane, pane_nested, nested-prefix, with an
# inner tmux 3.8 and an inner rmux, on this machine, behind a link like ssh's, and
# roaming; programs that only say that they are one.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
unset RMUX TMUX

# --- attach from a pane -------------------------------------------------------

# The server of the pane refuses, another one does not.
own() {
	n=TMUX
	[ $M = tmux ] || n=RMUX
	case $M in
	tmux) program=$e2e_tmux ;;
	*) program=$e2e_rmux ;;
	esac
	"$program" -L other -f /dev/null new-session -d -s there -x 70 -y 10 cat
	other=$("$program" -L other display-message -p '#{pid}')
	e2e_pids="$e2e_pids $other"
	m new-window -t s: sh
	m send-keys -t s: "'$program' -L e2e attach; echo code=\$?" Enter
	expect_pane s: '^code=1'
	m capture-pane -p -t s: | grep -o 'sessions should.*'
	m send-keys -t s: "clear; '$program' -L e2e new-session; echo code=\$?" Enter
	expect_pane s: '^code=1'
	m capture-pane -p -t s: | grep -o 'sessions should.*'
	m send-keys -t s: "clear; $n= '$program' -L other attach" Enter
	wait_for '[ -n "$("$program" -L other list-clients)" ]' || echo "no client"
	"$program" -L other detach-client -s there
	expect_pane s: 'detached (from session there'
	# The variable of this server does not keep it from another one.
	m send-keys -t s: "clear; '$program' -L other attach" Enter
	wait_for '[ -n "$("$program" -L other list-clients)" ]' || echo "no client"
	"$program" -L other kill-server
	wait_for "! alive $other"
}
compare "attach in a pane: to its own server, to another one" own

# --- the prefix -----------------------------------------------------------------

# in_m ARGS: a command to the inner server, $inner.
in_m() {
	case $inner in
	tmux) "$e2e_tmux" -L in -f /dev/null "$@" ;;
	far) far "$@" ;;
	*) "$e2e_rmux" -L in -f /dev/null "$@" ;;
	esac
}

in_start() {
	inner=$1
	[ $inner = far ] && {
		far_start sh
		far set-option -g assume-paste-time 0
		return
	}
	in_m new-session -d -s inside -x 80 -y 20 sh || return 1
	in_m set-option -g assume-paste-time 0
	in_pid=$(in_m display-message -p '#{pid}')
	e2e_pids="$e2e_pids $in_pid"
}

in_stop() {
	in_m kill-server >/dev/null 2>&1
	wait_for "! alive ${in_pid:-0}" 5
}

# outer_with OPTIONS...: a server with one shell, and a client.
outer_with() {
	M=rmux
	start 80 24 "env PS1='$ ' sh" || return 1
	m set-option -g assume-paste-time 0
	m bind-key -n F12 switch-client -T prefix
	m set-option -g status-left '[#{?pane_nested,inner,alone}]'
	m set-option -g status-interval 1
	[ $# = 0 ] || m set-option "$@"
	attach_in 80 24 "$(attach_command)"
	expect_screen '^\[alone\]'
}

nested_is() {
	wait_for '[ "$(m display-message -p -t s:0 "#{pane_nested}")" = '"$1"' ]' \
		"${2:-10}" || echo "pane_nested is not $1"
}
windows_are() {
	wait_for '[ "$(m display-message -p -t s: "#{session_windows}")" = '"$1"' ]' ||
		echo "outer windows: not $1"
	wait_for '[ "$(in_m display-message -p "#{session_windows}")" = '"$2"' ]' ||
		echo "inner windows: not $2"
}

# inside COMMAND: COMMAND in the pane attaches to the inner server.
inside() {
	m send-keys -t s:0 "$1" Enter
	nested_is 1
	expect_screen '^\[inner\]'
	# C-b is the inner one's key, F12 the outer one's.
	outer_keys C-b c
	windows_are 1 2
	outer_keys F12 c
	windows_are 2 2
	# No multiplexer runs in the new window.
	expect_screen '^\[alone\]'
	outer_keys C-b c
	windows_are 3 2
	outer_keys C-b 0
	expect_screen '^\[inner\]'
	outer_keys C-b c
	windows_are 3 3
	# In copy mode the outer prefix is the outer's.
	m copy-mode -t s:0
	outer_keys C-b c
	windows_are 4 3
	m send-keys -t s:0 -X cancel
	outer_keys C-b 0
	expect_screen '^\[inner\]'
	outer_keys C-b d
	nested_is 0
	expect_screen '^\[alone\]'
	outer_keys C-b c
	windows_are 5 3
}

# A link like ssh's: its name is not that of a multiplexer.
cat >"$e2e_dir/link.py" <<'END'
import os
import pty
import signal
import sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)
with open(sys.argv[1], "w") as f:
    f.write("%d\n" % os.getpid())
pty.spawn(sys.argv[2:])
END
link="python3 '$e2e_dir/link.py' '$e2e_dir/link.pid' env -u RMUX -u TMUX"

in_rmux() {
	in_start rmux && outer_with -wg nested-prefix on || return 1
	inside "'$e2e_rmux' -L in attach"
	stop && in_stop
}
in_tmux() {
	in_start tmux && outer_with -wg nested-prefix on || return 1
	inside "TMUX= '$e2e_tmux' -L in attach"
	stop && in_stop
}
in_link() {
	in_start rmux && outer_with -wg nested-prefix on || return 1
	inside "$link '$e2e_rmux' -L in attach"
	# A link that breaks takes the word back, a new one gives it again.
	for round in 1 2; do
		# The terminal may be raw.
		m send-keys -t s:0 "stty sane; $link '$e2e_rmux' -L in attach" C-j
		nested_is 1
		kill -9 "$(cat "$e2e_dir/link.pid")"
		nested_is 0
	done
	stop && in_stop
}
in_far() {
	in_start far && outer_with -wg nested-prefix on || return 1
	inside "'$e2e_rmux' attach --ssh='$e2e_dir/ssh' --server='$e2e_rmux' 127.0.0.1"
	stop && far_stop
}
# tmux behind a link is not recognised: always.
in_always() {
	in_start tmux && outer_with -wg nested-prefix off || return 1
	m send-keys -t s:0 "$link '$e2e_tmux' -L in attach" Enter
	expect_screen '^\[inside\]'
	m bind-key -n F11 set-option -p nested-prefix always
	m bind-key -n F10 set-option -pu nested-prefix
	outer_keys C-b c
	windows_are 2 1
	outer_keys C-b 0
	outer_keys F11 C-b c
	windows_are 2 2
	outer_keys F10 C-b c
	windows_are 3 2
	stop && in_stop
}
rmux_part() {
	rm -f "$e2e_dir/timeouts"
	"$1" >"$e2e_dir/part" 2>&1 && [ ! -s "$e2e_dir/part" ] ||
		{ cat "$e2e_dir/part"; false; }
}
check "an inner rmux gets the prefix" rmux_part in_rmux
if [ -n "$e2e_tmux" ]; then
	check "an inner tmux gets the prefix" rmux_part in_tmux
else
	skip "an inner tmux gets the prefix" "no tmux 3.8"
fi
if have python3; then
	check "an inner rmux behind a link gets the prefix" rmux_part in_link
	if [ -n "$e2e_tmux" ]; then
		check "nested-prefix always" rmux_part in_always
	fi
fi
check "an inner rmux that roams gets the prefix" rmux_part in_far

# --- programs that only say so ----------------------------------------------------

# Without the option nothing happens; with it prefix2 and keys of root stay.
liar() {
	outer_with || return 1
	m send-keys -t s:0 "printf '\\033[?2079h'; cat" Enter
	m set-option -g prefix2 C-g
	outer_keys C-b c
	wait_for '[ "$(m display-message -p -t s: "#{session_windows}")" = 2 ]' ||
		echo "the prefix is gone"
	m set-option -wg nested-prefix on
	m respawn-pane -k -t s:0 "sh -c 'printf \"\\033[?2079h\"; exec cat'"
	outer_keys C-b 0
	nested_is 1
	outer_keys C-b x
	expect_pane s:0 '\^Bx'
	outer_keys C-g c
	wait_for '[ "$(m display-message -p -t s: "#{session_windows}")" = 3 ]' ||
		echo "prefix2 is gone"
	outer_keys C-g 0
	outer_keys F12 c
	wait_for '[ "$(m display-message -p -t s: "#{session_windows}")" = 4 ]' ||
		echo "F12 is gone"
	# A reset of the terminal takes the word back; so does a new program.
	m send-keys -t s:0 -R
	nested_is 0
	# Words without end cost no memory.
	m respawn-pane -k -t s:0 "sh -c 'while :; do printf \"\\033[?2079h\\033[?2079l\"; done'"
	was=$(m display-message -p -t s:0 '#{pane_output_generation}')
	wait_for '[ "$(m display-message -p -t s:0 "#{pane_output_generation}")" -gt $((was + 100)) ]' ||
		echo "no output"
	outer_keys C-g c
	wait_for '[ "$(m display-message -p -t s: "#{session_windows}")" = 5 ]' ||
		echo "no answer under a flood"
	stop
}
check "a program that only says so gains nothing" rmux_part liar
done_testing
