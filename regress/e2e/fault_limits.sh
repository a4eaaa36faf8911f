#!/bin/sh
# Resource limits: a clear message, nothing lost, other callers not affected.
#
# shellcheck disable=SC3045 # every sh that is about knows ulimit -n and -H
. "${top_srcdir:-.}/regress/e2e/lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

# open_connections NUMBER: opens idle connections and holds them until killed.
open_connections() {
	socket=$(m display-message -p '#{socket_path}')
	rm -f "$e2e_dir/held"
	python3 - "$socket" "$1" >"$e2e_dir/held" <<-'PY' &
		import resource, signal, socket, sys
		want = int(sys.argv[2])
		soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
		resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
		held = []
		for n in range(want):
		    s = socket.socket(socket.AF_UNIX)
		    s.connect(sys.argv[1])
		    held.append(s)
		print(len(held), flush=True)
		signal.pause()
	PY
	holder=$!
	wait_for "[ -s '$e2e_dir/held' ]" 60
}

fds() {
	find "/proc/$e2e_pid/fd" -mindepth 1 2>/dev/null | wc -l
}

ten_thousand() {
	before=$(fds)
	open_connections 10000
	m display-message -p alive
	m send-keys -l typed
	expect_pane s: typed
	cat "$e2e_dir/held"
	kill $holder
	wait $holder 2>/dev/null
	wait_for "[ \$(fds) -le $before ]" 30 || echo "$before, now $(fds)"
}
if [ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -ge 10100 ]; then
	rmux_only "10,000 silent connections" ten_thousand "alive
10000"
else
	skip "10,000 silent connections" "only $(ulimit -Hn) descriptors"
fi

# A server with few descriptors.
few() {
	stop
	(ulimit -n 48 && m new-session -d -s s -x 80 -y 24 cat)
	e2e_pid=$(m display-message -p '#{pid}')
	e2e_pids="$e2e_pids $e2e_pid"
}

no_pty() {
	few
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 \
		25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42; do
		m new-window -d cat 2>err || break
	done
	sed 's/.*\(cannot open a pty\|no descriptors\).*/clear/' err
	m send-keys -t s:0 -l typed
	expect_pane s:0 typed
	m kill-window -t s:3 && m new-window -d cat && echo again
}
rmux_only "no descriptors for windows" no_pty "clear
again"

# room N: leaves N free descriptors to the server.
room() {
	python3 - "$e2e_pid" "$1" <<-'PY'
		import os, resource, sys, time
		pid, want = int(sys.argv[1]), int(sys.argv[2])
		# The last command's connection may still be open.
		used, same = None, 0
		while same < 30:
		    now = sorted(int(n) for n in os.listdir("/proc/%d/fd" % pid))
		    used, same = now, same + 1 if now == used else 0
		    time.sleep(0.01)
		limit = 0
		while limit - sum(n < limit for n in used) < want:
		    limit += 1
		hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)[1]
		resource.prlimit(pid, resource.RLIMIT_NOFILE, (limit, hard))
	PY
}

# One descriptor for the caller, none for the output of a shell command.
no_shell() {
	run display-message -p alive
	room 2
	run run-shell 'echo ran'
	run run-shell -d 0.1 'echo ran'
	run run-shell -b 'echo ran'
	run if-shell true 'display-message -p yes' 'display-message -p no'
	run pipe-pane 'cat >/dev/null'
	run split-window cat
	run display-message -p '#(echo ran).'
	room 30
	run run-shell 'echo ran'
	run if-shell true 'display-message -p yes' 'display-message -p no'
}
rmux_only "no descriptors for shells" no_shell "+ display-message -p alive
alive
+ run-shell echo ran
err: cannot run echo ran: Too many open files
exit: 1
+ run-shell -d 0.1 echo ran
err: cannot run echo ran: Too many open files
exit: 1
+ run-shell -b echo ran
err: cannot run echo ran: Too many open files
exit: 1
+ if-shell true display-message -p yes display-message -p no
err: cannot run true: Too many open files
exit: 1
+ pipe-pane cat >/dev/null
err: socketpair error: Too many open files
exit: 1
+ split-window cat
err: create pane failed: cannot open a pty: Too many open files
exit: 1
+ display-message -p #(echo ran).
.
+ run-shell echo ran
ran
+ if-shell true display-message -p yes display-message -p no
yes"

silent() {
	few
	open_connections 200
	wait_for "m display-message -p alive 2>/dev/null" 60
	kill $holder
	wait $holder 2>/dev/null
	wait_for "m display-message -p alive 2>/dev/null" 60
}
rmux_only "silent connections make room" silent "alive
alive"

waiting() {
	few
	pids=
	for i in $(seq 60); do
		"$e2e_rmux" -L e2e wait-for "c$i" 2>>err &
		pids="$pids $!"
	done
	wait_for "grep -q 'no descriptors' err" 60 && echo told
	m send-keys -l typed 2>>err
	# shellcheck disable=SC2086
	kill $pids 2>/dev/null
	wait_for "m display-message -p alive 2>/dev/null" 60
}
rmux_only "callers that wait are many: the next is told" waiting "told
alive"

# A child has the limit that the server was started with, and inherits no
# descriptor.
limits() {
	stop
	(ulimit -S -n 200 && m new-session -d -s s -x 80 -y 24 sh)
	e2e_pid=$(m display-message -p '#{pid}')
	e2e_pids="$e2e_pids $e2e_pid"
	m send-keys 'ulimit -n; ls /proc/self/fd | wc -l' Enter
	expect_pane s: '200$'
	expect_pane s: '^4$'
	m run-shell 'ulimit -n; ls /proc/self/fd | wc -l'
}
rmux_only "what programs inherit" limits "200
4"

# A full disk (a file size limit gives the same error): the log is cut, the
# server lives.
full() {
	stop
	(ulimit -f 1 && m -vv new-session -d -s s -x 80 -y 24 cat)
	e2e_pid=$(m display-message -p '#{pid}')
	e2e_pids="$e2e_pids $e2e_pid"
	for i in $(seq 40); do
		m display-message -p "a line for the log $i" >/dev/null
	done
	m send-keys -l typed
	expect_pane s: typed
	m set-buffer "$(seq 3000)"
	m save-buffer full.txt 2>&1 | sed 's/: .*//'
	m display-message -p alive
}
rmux_only "a full disk" full "alive"

directory() {
	: >file
	RMUX_TMPDIR=$PWD/file m new-session -d 2>&1 | sed 's/.*\(file\)/\1/'
	mkdir open && mkdir -m 777 "open/rmux-$(id -u)"
	chmod 777 "open/rmux-$(id -u)"
	RMUX_TMPDIR=$PWD/open m new-session -d 2>&1 | sed "s|[^ ]*/rmux-[0-9]*|it|g"
	if [ "$(id -u)" != 0 ]; then
		mkdir -m 500 shut
		RMUX_TMPDIR=$PWD/shut m new-session -d 2>&1 |
			grep -c 'Permission denied'
	else
		echo 1
	fi
}
rmux_only "directories that will not do" directory \
	"file/rmux-$(id -u) (Not a directory): set RMUX_TMPDIR to one that you can write
directory it has unsafe permissions: others may enter it (mode 777); run chmod 700 it
1"

# A caller that requests much output and reads none of it.
deaf() {
	seq 2000000 >much
	m load-buffer -b much much
	m show-buffer -b much 2>/dev/null | {
		read -r line
		echo "$line" >reader
		exec sleep 1000
	} &
	wait_for '[ -s reader ]'
	m send-keys -l typed
	expect_pane s: typed
	m display-message -p alive
	kill $!
}
rmux_only "a caller that does not read" deaf alive
done_testing
