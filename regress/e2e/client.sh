#!/bin/sh
# Attached clients: list-, switch-, refresh-, lock-client, display-panes.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# An attached client of 80x24, and its name.
attach() {
	m set-option -g status-right '' \; set-option -g status-left '[#S] '
	attach_in 80 24 "$(attach_command) -t ${1:-s}"
}

detach() {
	m detach-client -a 2>/dev/null
	m detach-client 2>/dev/null
	wait_for '[ -z "$(m list-clients)" ]' || echo "client stays"
}

test_none() {
	run switch-client -t s
	run refresh-client
	run lock-client
	run list-clients
	run switch-client -c nobody -t s
}

test_list() {
	attach
	run list-clients -F '#{client_session} #{client_width}x#{client_height} #{client_readonly}'
	run list-clients -t s -F '#{client_session}'
	m new-session -d -s other cat
	run list-clients -t other
	run list-clients -t nothing
	run refresh-client -f read-only
	run list-clients -F '#{client_readonly}'
	run refresh-client -f '!read-only'
	run list-clients -F '#{client_readonly}'
	run refresh-client -A '%0:on'
	run refresh-client -L words
	run refresh-client
	run refresh-client -S
	detach
}

where() {
	run list-clients -F '#{client_session} #{client_last_session} #{client_key_table}'
}

test_switch() {
	m new-session -d -s b cat
	m new-session -d -s c -x 80 -y 24 cat
	m split-window -t c: cat
	m new-window -d -t c: cat
	attach
	m switch-client -c "$client" -t b
	where
	expect_screen '^\[b\] '
	run switch-client -n
	where
	run switch-client -n
	where
	run switch-client -p
	where
	run switch-client -l
	where
	run switch-client -t c:0.0
	where
	run list-panes -t c:0 -F '#P #{pane_active}'
	run switch-client -t c:1
	run list-windows -t c -F '#I #{window_active}'
	run switch-client -T nothing
	run switch-client -T prefix
	where
	run switch-client -t nothing
	run switch-client -r
	run list-clients -F '#{client_readonly}'
	detach
}

test_lock() {
	attach
	m set-option -g lock-command 'touch locked; read answer'
	run lock-client
	wait_for '[ -e locked ]' || echo "not locked"
	outer_keys Enter
	rm -f locked
	expect_screen '^\[s\] '
	detach
}

test_panes() {
	attach
	m split-window -h -t s: cat
	run display-panes -d 0
	expect_screen '39x23'
	outer_keys 0
	wait_for "[ \"\$(m display-message -p -t s: '#P')\" = 0 ]" ||
		echo "pane 0 was not chosen"
	run display-panes -d 0 'set-option -g @chosen "%%"'
	expect_screen '39x23'
	outer_keys 1
	wait_for '[ -n "$(m show-options -gqv @chosen)" ]'
	run show-options -gv @chosen
	run display-panes -N -d 100
	detach
}

# A mode over one pane: zoomed unless -Z, of any window, killed with -k.
test_panes_mode() {
	attach
	m split-window -h -t s: cat
	m display-panes -d 0 -t s:.0
	run display-message -p -t s: '#{pane_mode} #P #{window_zoomed_flag}'
	expect_screen '40x23│  *39x23'
	outer_keys x
	wait_for '[ -z "$(m display-message -p -t s: "#{pane_mode}")" ]'
	run display-message -p -t s: '#P #{window_zoomed_flag}'
	m display-panes -Z -d 0 -t s:.0
	expect_screen '40x23│  *39x23│'
	run display-message -p -t s: '#{pane_mode} #{window_zoomed_flag}'
	outer_keys 1
	wait_for '[ "$(m display-message -p -t s: "#P")" = 1 ]' || echo "not 1"
	m new-window -t s: cat
	m display-panes -k -s s:0 -d 0 -t s:1 'set-option -g @chosen "%%"'
	expect_screen '40x23│  *39x23'
	outer_keys 1
	wait_for '[ "$(m show-options -gqv @chosen)" = %1 ]' || echo "not %1"
	wait_for '[ "$(m list-windows | wc -l)" = 1 ]' || echo "not killed"
	m new-window -t s: cat
	m display-panes -k -N -d 1 -t s:1
	wait_for '[ "$(m list-windows | wc -l)" = 1 ]' || echo "killed by no time"
	m display-panes -N -d 300 -t s:
	outer_keys 0
	wait_for '[ -z "$(m display-message -p -t s: "#{pane_mode}")" ]'
	run display-message -p -t s: '#P'
	# Another mode over it ends it with its zoom.
	m display-panes -d 0 -t s: \; copy-mode -t s:
	run display-message -p -t s: '#{pane_mode} #{window_zoomed_flag}'
	m send-keys -X -t s: cancel
	run display-message -p -t s: '#{pane_mode} #{window_zoomed_flag}'
	detach
}

test_drag() {
	m set-option -g mouse on
	m split-window -h cat
	attach
	expect_screen '│'
	outer_keys -l "$(printf '\033[<0;41;5M')"
	outer_keys -l "$(printf '\033[<32;36;5M')"
	outer_keys -l "$(printf '\033[<32;31;5M')"
	outer_keys -l "$(printf '\033[<0;31;5m')"
	wait_for "[ \"\$(m display-message -p -t s:0.0 '#{pane_width}')\" = 30 ]"
	run list-panes -F '#P #{pane_width}'
	detach
}

# click X Y: a press and its release there, counted from 1.
click() {
	outer_keys -l "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$1" "$2" "$1" "$2")"
}

# at KEY X Y: prints the mouse variables that the binding of KEY sees for a
# click there.
at() {
	m set-option -gu @at
	for kind in MouseDown1 SecondClick1 TripleClick1; do
		m bind-key -n "$kind${1#MouseDown1}" "set-option -gF @at '#{mouse_x},#{mouse_y} #{mouse_line}|#{mouse_word}|#{mouse_status_line} #{mouse_status_range}'"
		m unbind-key -n "DoubleClick1${1#MouseDown1}"
	done
	click "$2" "$3"
	wait_for '[ -n "$(m show-options -gqv @at)" ]' ||
		echo "$1 did not come"
	echo "$1 $2,$3: $(m show-options -gqv @at)"
	m unbind-key -n "$1"
}

# Mouse positions count from the corner of the pane, wherever the pane lies.
test_at() {
	m set-option -g mouse on
	m set-option -g status-position "$1"
	m respawn-pane -k -t s: 'printf "one two-three\nleft"; cat'
	m split-window -v -t s: 'printf "below it\nsecond row"; cat'
	m split-window -h -t s: 'printf "the right one\nwords in it"; cat'
	attach
	expect_screen 'words in it'
	expect_screen 'second row'
	at MouseDown1Pane 6 $((1 + $2))
	at MouseDown1Pane 2 $((14 + $2))
	at MouseDown1Pane 48 $((14 + $2))
	at MouseDown1Pane 80 $((15 + $2))
	at MouseDown1Border 20 $((12 + $2))
	detach
}
test_at_top() {
	test_at top 1
}
test_at_bottom() {
	test_at bottom 0
}

# The identity of a client, and the terminal that it reports.
test_who() {
	attach
	wait_for '[ -n "$(m list-clients -F "#{client_termtype}")" ]'
	run list-clients -F '#{client_user} #{client_termtype}'
	run display-message -p '#{config_files}'
	detach
}

# Parts of the status line, and the target that -t = gives for a click on them.
test_ranges() {
	m set-option -g mouse on
	m set-option -g status 2
	m new-session -d -s other cat
	m split-window -d -t s: cat
	m new-window -d -t s: cat
	m set-option -g 'status-format[1]' "#[range=session|$(m display-message -p -t other: '#{session_id}')]SESSION#[norange] #[range=pane|$(m display-message -p -t s:0.1 '#D')]PANE#[norange] #[range=user|mine]USER#[norange] #[range=window|1]WIN#[norange] #[range=left]LEFT#[norange]"
	attach
	expect_screen '^SESSION PANE'
	at MouseDown1Status 2 24
	at MouseDown1Status 9 24
	at MouseDown1Status 14 24
	at MouseDown1Status 19 24
	at MouseDown1StatusLeft 24 24
	at MouseDown1StatusDefault 60 24
	m bind-key -n MouseDown1Status switch-client -t =
	click 9 24
	wait_for '[ "$(m display-message -p -t s: "#I.#P")" = 0.1 ]' &&
		echo pane
	click 19 24
	wait_for '[ "$(m display-message -p -t s: "#I")" = 1 ]' && echo window
	click 2 24
	wait_for '[ "$(m list-clients -F "#S")" = other ]' && echo session
	detach
}

compare "where the mouse is, status line at the bottom" test_at_bottom
compare "where the mouse is, status line at the top" test_at_top
compare "who a client is" test_who
rmux_only "parts of the status line" test_ranges "MouseDown1Status 2,24: 1,1 ||1 session
MouseDown1Status 9,24: 8,1 ||1 pane
MouseDown1Status 14,24: 13,1 ||1 mine
MouseDown1Status 19,24: 18,1 ||1 window
MouseDown1StatusLeft 24,24: 23,1 ||1 left
MouseDown1StatusDefault 60,24: 59,1 ||1 
pane
window
session"
# In the background, also where somebody types: SIGTERM ends it.
background() {
	outer_start 80 24 "set -m; '$e2e_rmux' -L e2e attach-session & echo \$! >'$e2e_dir/pid'; wait; cat"
	wait_for '[ -n "$(m list-clients)" ]' || echo "no client"
	pid=$(cat "$e2e_dir/pid")
	outer_keys typed Enter
	kill -TERM "$pid"
	wait_for "! alive $pid" 5 || {
		echo "the client lives"
		kill -9 "$pid"
	}
	m list-clients
}

empty_names() {
	for flag in -S -L; do
		"$e2e_rmux" $flag '' new-session -d 2>&1 && echo "no error"
	done
}

# The log's file lies in the directory that the server was started in.
log_toggles() {
	log=rmux-server-$e2e_pid.log
	kill -USR2 "$e2e_pid"
	wait_for '[ -s "$log" ]' || echo "no log"
	m set-buffer -b logged text
	kill -USR2 "$e2e_pid"
	wait_for 'm show-messages | grep -q "the log is off"' || echo "it is on"
	m set-buffer -b unlogged text
	kill -USR2 "$e2e_pid"
	wait_for '[ "$(grep -c "rmux 0.* begins" "$log")" = 2 ]' || echo "it is off"
	grep -c 'set-buffer -b logged' "$log"
	grep -c 'set-buffer -b unlogged' "$log"
	m show-messages | sed -n "s|.*the log is on: $(pwd -P)/rmux-server-.*.log|on|p"
}

compare "without a client" test_none
compare "list-clients, refresh-client" test_list
compare "switch-client" test_switch
compare "lock-client" test_lock
compare "display-panes" test_panes
rmux_only "display-panes is a mode" test_panes_mode \
	"+ display-message -p -t s: #{pane_mode} #P #{window_zoomed_flag}
panes-mode 0 1
+ display-message -p -t s: #P #{window_zoomed_flag}
0 0
+ display-message -p -t s: #{pane_mode} #{window_zoomed_flag}
panes-mode 0
+ display-message -p -t s: #P
1
+ display-message -p -t s: #{pane_mode} #{window_zoomed_flag}
copy-mode 0
+ display-message -p -t s: #{pane_mode} #{window_zoomed_flag}
 0"
compare "resize-pane -M" test_drag
rmux_only "SIGTERM ends a client in the background" background ""
rmux_only "empty -S and -L are refused" empty_names \
	"-S is empty: give the path of a socket, or leave it out
-L is empty: give the name of a server, or leave it out"
rmux_only "SIGUSR2 switches the log on and off" log_toggles "1
0
on
on"
# A pane may show another server, but not its own.
nested() {
	start 80 10 cat
	outer_start 80 10 \
		"RMUX=/another,1,0 '$e2e_rmux' -L e2e -f /dev/null attach"
	wait_for '[ -n "$(m list-clients)" ]' || return 1
	m new-window "'$e2e_rmux' -L e2e attach; cat"
	expect_pane : 'nested with care'
	stop
}
M=rmux
check "a client in another server's pane attaches" nested

# A server that ends holds the lock when its socket has gone: a client that comes
# then tries again.
locked() {
	python3 - "$e2e_rmux" "$e2e_dir/locked" <<'EOF'
import fcntl
import os
import subprocess
import sys

rmux, socket = sys.argv[1:]
lock = open(socket + '.lock', 'w')
fcntl.flock(lock, fcntl.LOCK_EX)
client = subprocess.Popen([rmux, '-S', socket, '-f', '/dev/null', 'new-session',
                           '-d', 'cat'])
tries = set()
while len(tries) < 4 and client.poll() is None:
    path = '/proc/%d/task/%d/children' % (client.pid, client.pid)
    try:
        with open(path, encoding='ascii') as f:
            tries |= set(f.read().split())
    except (FileNotFoundError, ProcessLookupError):
        pass
fcntl.flock(lock, fcntl.LOCK_UN)
print('exit:', client.wait())
subprocess.run([rmux, '-S', socket, 'kill-server'])
EOF
}
if [ -r "/proc/$$/task/$$/children" ]; then
	rmux_only "a server that ends has the lock" locked "exit: 0"
fi

done_testing
