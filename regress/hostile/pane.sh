#!/bin/sh
# Programs in panes that do harm: the server lives, other panes and clients are
# served, memory is bounded, nothing reaches the user's terminal or a shell.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
have python3 || skip_all "no python3"
python=$(python3 -c 'import sys; print(sys.executable)')
export PWNED="$e2e_dir/pwned"
grow_max=131072 # KiB that all attacks may add to the largest size
case $(nm "$e2e_rmux" 2>/dev/null | grep -c __asan_init) in
0) ;;
*) grow_max=1500000 ;; # ASan keeps freed memory
esac

peak() {
	sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/${1:-$e2e_pid}/status"
}

# A client that shows everything; its terminal reads and says nothing.
watch() {
	python3 - "$e2e_rmux" <<-'PY' &
		import fcntl, os, pty, struct, sys, termios
		pid, fd = pty.fork()
		if pid == 0:
		    os.execv(sys.argv[1], [sys.argv[1], "-L", "e2e", "attach", "-t", "s"])
		fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
		try:
		    while os.read(fd, 65536):
		        pass
		except OSError:
		    pass
	PY
	e2e_pids="$e2e_pids $!"
	wait_for '[ "$(m list-clients | wc -l)" = 1 ]' 20 &&
		client_pid=$(m list-clients -F '#{client_pid}')
}

begin() {
	start 80 24 cat && m new-session -d -s own cat &&
		m set-option -g status-left '#{pane_title} #{pane_path} ' &&
		m set-option -g set-titles on && [ -r "/proc/$e2e_pid/status" ]
	first=$(peak)
	watch
}

served() {
	served_n=$((${served_n:-0} + 1))
	[ "$(m display-message -p -t own '#{session_name}')" = own ] &&
		m send-keys -t own "owner$served_n" Enter &&
		wait_for "m capture-pane -p -t own: | grep -q owner$served_n"
}

# attack NAME: its pane ends well; the owner is served meanwhile and later.
attack() {
	m new-window -t s: -n evil "exec '$python' '$e2e_src/regress/hostile/pane.py' $1 0.1" &&
		served &&
		wait_for "m capture-pane -p -t s:evil | grep -q 'DONE $1'" 20 || {
		m capture-pane -p -t s:evil
		return 1
	}
	served && m kill-window -t s:evil &&
		[ "$(m display-message -p '#{pid}')" = "$e2e_pid" ] &&
		[ "$(m list-clients -F '#{client_pid}')" = "$client_pid" ] &&
		[ ! -e "$PWNED" ]
}

# The same in a pane that changes its size all the time.
storm() {
	m new-window -t s: -n evil "exec '$python' '$e2e_src/regress/hostile/pane.py' scroll 1" || return 1
	for size in 1x1 500x300 2x200 200x2 80x24 10000x1 1x10000 3x3 120x40; do
		m resize-window -t s:evil -x "${size%x*}" -y "${size#*x}" || return 1
	done
	m set-option -u -w -t s:evil window-size
	wait_for "m capture-pane -p -t s:evil | grep -q 'DONE scroll'" 20 &&
		served && m kill-window -t s:evil
}

bounded() {
	last=$(peak)
	shown=$(peak "$client_pid")
	echo "server $first KiB, then $last; client $shown"
	[ "$last" -le $((first + grow_max)) ] && [ "$shown" -le "$grow_max" ]
}

check "a server" begin
for what in numbers parameters endless strings queries screens modes keyboards \
	titles links clusters sixel repeat scroll noise forks settings; do
	check "$what" attack $what
done
check "sizes of every kind meanwhile" storm
check "memory is bounded" bounded
done_testing
