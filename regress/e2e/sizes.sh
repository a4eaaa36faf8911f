#!/bin/sh
# Sizes and numbers of windows: default-size, window-size, base-index and more.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

numbers() {
	m set-option -g base-index 3
	m set-option -g pane-base-index 2
	m new-session -d -s n cat
	m new-window -d -t n: cat
	m split-window -d -t n:3 cat
	run list-windows -t n -F '#I'
	run list-panes -t n:3 -F '#P'
	run select-pane -t n:3.3
	run display-message -p -t n: '#I.#P'
	m set-option -t n renumber-windows on
	m new-window -d -t n:9 cat
	run kill-window -t n:4
	run list-windows -t n -F '#I'
	run move-window -r -t n
	run list-windows -t n -F '#I'
}
compare "base-index, pane-base-index, renumber-windows" numbers

# Text at other sizes: the rows on the screen, in the history, and the cursor.
# "reflow TEXT SIZE..." shows TEXT in 12x4 cells and then in each size.
reflow() {
	m resize-window -t s:1 -x 12 -y 4
	m respawn-pane -k -t s:1 \
	    "stty raw -echo; printf '\033c\033[3J$1'; printf '|'; exec cat"
	expect_pane s:1 '|'
	shift
	for size in "" "$@"; do
		[ -z "$size" ] || run resize-window -t s:1 -x "${size%x*}" -y "${size#*x}"
		run display-message -p -t s:1 '#{cursor_x} #{cursor_y} #{history_size}'
		run capture-pane -p -t s:1 -S -
	done
}

reflows() {
	m new-window -d -t s:1
	reflow 'abcdefghijklmnop' 7x4 5x4 20x4 12x4
	reflow 'one line\r\nabcdefghijk' 12x2 7x4 9x9 12x4
	reflow '1\r\n2\r\n3\r\n4\r\n5\r\nabcdefghijk' 12x7 6x4 12x12 12x2
	reflow '1\r\n2\r\n3\r\n4\r\n5\r\n\033[H\033[2Jcleared' 12x7 3x4 12x5
	reflow 'abcdefghi\r\nxyz\033[H' 5x4 12x4 4x3
	reflow '1\r\nabcdefghijklmnopqrstuvwxyz' 1x1 12x4 2x9
}
compare "text at other sizes" reflows

sizes() {
	m set-option -g default-size 33x7
	m new-session -d -s d cat
	run list-windows -t d -F '#{window_width}x#{window_height}'
	run resize-window -t d: -x 44 -y 9
	run display-message -p -t d: '#{window_width}x#{window_height} #{window-size}'
	run resize-window -t d: -R 3
	run resize-window -t d: -D 2
	run display-message -p -t d: '#{window_width}x#{window_height}'
	run resize-window -t d: -x 0
	run resize-window -t d: -A
	run display-message -p -t d: '#{window_width}x#{window_height}'
	m set-option -g history-limit 5
	m new-window -d -t d:5 'seq 100; cat'
	expect_pane d:5 100
	run display-message -p -t d:5 '#{history_limit}'
	run clear-history -t d:5
	run display-message -p -t d:5 '#{history_size}'
	m set-option -g default-command 'echo from default-command; cat'
	m new-window -d -t d:6
	expect_pane d:6 default-command
	run capture-pane -p -t d:6 -E 0
	m set-option -g word-separators ' @'
	run show-options -gv word-separators
}
compare "default-size, resize-window, history-limit, default-command" sizes

clients() {
	m set-option -g status off
	m new-session -d -s c -x 60 -y 20 cat
	outer_start 50 12 "$(attach_command) -t c"
	wait_for '[ -n "$(m list-clients)" ]' || echo "no client"
	client=$(m list-clients -F '#{client_name}')
	wait_for 'm display-message -p -t c: "#{window_width}" | grep -q 50'
	run display-message -p -t c: '#{window_width}x#{window_height}'
	m set-option -g status on
	wait_for 'm display-message -p -t c: "#{window_height}" | grep -q 11'
	run display-message -p -t c: '#{window_width}x#{window_height}'
	m set-option -g window-size manual
	outer resize-window -x 40 -y 10
	wait_for 'm list-clients -F "#{client_width}" | grep -q 40'
	run display-message -p -t c: '#{window_width}x#{window_height}'
	m set-option -g window-size latest
	wait_for 'm display-message -p -t c: "#{window_width}" | grep -q 40'
	run display-message -p -t c: '#{window_width}x#{window_height}'
	m refresh-client -t "$client" -f ignore-size
	m set-option -g window-size largest
	run list-clients -F '#{client_width}x#{client_height}'
	m detach-client -t "$client"
}

# Windows that come to a session with a client have its size.
arrivals() {
	m new-session -d -s c -x 60 -y 20 cat
	m new-session -d -s o -x 60 -y 20 cat
	for n in 1 2 3; do
		m new-window -d -t "o:$n" cat
		m split-window -d -t "o:$n" cat
	done
	outer_start 50 12 "$(attach_command) -t c"
	wait_for 'm display-message -p -t c: "#{window_width}" | grep -q 50'
	m link-window -s o:1 -t c:5
	m move-window -s o:2 -t c:6
	m break-pane -s o:3.1 -t c:7
	m break-pane -s o:3.0 -t c:8
	run list-windows -t c -F '#{window_index} #{window_width}x#{window_height}'
	m detach-client -s c
}

# new_in WIDTH WORDS...: new-session in a terminal of 100x30; the hooks see the
# size that its window has once the client is there.
new_in() {
	wanted=$1
	shift
	for hook in pane-created session-created pane-resized window-resized \
		client-session-changed client-resized; do
		m set-hook -g $hook "set-option -agF @log \
			'$hook #{window_width}x#{window_height} #{client_width}x#{client_height};'"
	done
	new=$(attach_command)
	outer_start 100 30 "${new% attach} new-session -s new $*; cat"
	wait_for 'm list-windows -t new -F "#{window_width}" 2>/dev/null | grep -q "$wanted"'
	wait_for "m show-options -gv @log | grep -q '$last'"
	run show-options -gv @log
	run show-options -t new default-size
	m kill-session -t new
}
new_plain() {
	last="client-resized"
	new_in 100 "'stty size >$e2e_dir/tty; cat'"
	cat "$e2e_dir/tty"
	m set-option -g status off
	new_in 100 -x 50
	new_in 100 -x - -y -
}
new_behind() {
	last="session-created"
	new_in 100 -d -x - -y -
	new_in 50 -d -x 50 -y -
	new_in 80 -d
}
# A program that notes the pixels that it begins with, and each change until a key.
cat >"$e2e_dir/cells.py" <<'E2'
import fcntl
import os
import signal
import struct
import sys
import termios
import tty
log = []
def note(*_):
    log.append("%dx%d %dx%d" % struct.unpack(
        "HHHH", fcntl.ioctl(0, termios.TIOCGWINSZ, b"\0" * 8)))
signal.signal(signal.SIGWINCH, note)
note()
tty.setraw(0)
print("reads", end="", flush=True)
os.read(0, 1)
with open(sys.argv[1] + ".new", "w", encoding="ascii") as f:
    f.write("\n".join(log) + "\n")
os.rename(sys.argv[1] + ".new", sys.argv[1])
E2
new_cells() {
	new=$(attach_command)
	[ "${1-}" = "" ] || stop
	rm -rf "$e2e_dir/cells" "$e2e_dir/t"
	mkdir "$e2e_dir/t"
	python3 "$e2e_src/regress/terminal/outer.py" -p xterm -s 100x30x9x18 "$e2e_dir/t" \
		sh -c "${new% attach} new-session -s new 'exec python3 $e2e_dir/cells.py $e2e_dir/cells'" &
	e2e_pids="$e2e_pids $!"
	wait_for "grep -qs reads '$e2e_dir/t/screen'" && echo 'type x' >"$e2e_dir/t/in" &&
		wait_for "[ -e '$e2e_dir/cells' ]"
	cat "$e2e_dir/cells"
}
new_server() { new_cells first; }
new_manual() {
	m set-option -g window-size manual
	last="client-resized"
	new_in 80
}
if [ $e2e_have_tmux = yes ]; then
	compare "the first size in a terminal" new_plain
	compare "the first size beside a terminal" new_behind
	compare "the first size with window-size manual" new_manual
	compare "a program begins with the pixels of the terminal" new_cells
	compare "and with a server of its own" new_server
	compare "windows that are linked, moved or made of panes" arrivals
	compare "window-size follows clients" clients
fi

done_testing
