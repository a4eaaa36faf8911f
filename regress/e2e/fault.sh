#!/bin/sh
# Faults around a server must not harm it or its other callers.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

command -v python3 >/dev/null || {
	echo "1..0 # SKIP no python3"
	exit 0
}

socket_path() {
	m display-message -p '#{socket_path}'
}

# A new server takes over the socket of one that was killed.
stale() {
	pid=$(m display-message -p '#{pid}')
	kill -9 "$pid"
	wait_for "! alive $pid"
	m new-session -d -s again && m list-sessions -F '#{session_name}'
}
rmux_only "a stale socket is taken over" stale again

# A server that is ending frees its socket at once, before it has exited.
ends() {
	for i in 1 2 3 4 5; do
		m kill-server
		m list-sessions 2>&1 | sed 's| on .*||'
		m new-session -d -s "n$i" && m list-sessions -F '#{session_name}'
	done | sort | uniq -c | sed 's/^ *//'
}
rmux_only "after kill-server there is none, and room for another" ends \
	"1 n1
1 n2
1 n3
1 n4
1 n5
5 no server running"

garbage() {
	sock=$(socket_path)
	python3 - "$sock" <<-'PY'
		import os, socket, sys
		for n in range(200):
		    s = socket.socket(socket.AF_UNIX)
		    s.connect(sys.argv[1])
		    try:
		        s.sendall(os.urandom(1 + n * 7))
		        s.sendall(b'\xff' * 64)
		    except OSError:
		        pass
		    s.close()
	PY
	m display-message -p alive
}
rmux_only "garbage on the control socket" garbage alive

connections() {
	sock=$(socket_path)
	python3 - "$sock" <<-'PY'
		import socket, sys
		for n in range(2000):
		    s = socket.socket(socket.AF_UNIX)
		    s.connect(sys.argv[1])
		    s.close()
	PY
	m display-message -p alive
}
rmux_only "2,000 quick connections" connections alive

child() {
	m new-window -d -n victim 'exec sleep 1000'
	kill -9 "$(m display-message -p -t victim '#{pane_pid}')"
	wait_for "! m list-windows -F '#{window_name}' | grep -q victim" &&
		m display-message -p alive
}
rmux_only "a killed child takes its window along" child alive

# attached SCRIPT: python lines with a client on a pty (fd, pid) and the
# server's pid (server).
attached() {
	python3 - "$e2e_rmux" "$(m display-message -p '#{pid}')" <<-PY
		import os, pty, select, signal, sys, termios, time
		server = int(sys.argv[2])
		master, tty = pty.openpty()
		before = termios.tcgetattr(tty)
		pid = os.fork()
		if pid == 0:
		    os.setsid()
		    os.login_tty(tty) if hasattr(os, 'login_tty') else [
		        os.dup2(tty, n) for n in (0, 1, 2)]
		    os.execv(sys.argv[1], [sys.argv[1], '-L', 'e2e', 'attach'])
		def read(text, seconds=10):
		    out, end = b'', time.monotonic() + seconds
		    while text not in out and time.monotonic() < end:
		        if select.select([master], [], [], 0.1)[0]:
		            out += os.read(master, 65536)
		    return text in out
		def rss():
		    with open('/proc/%d/statm' % server) as f:
		        return int(f.read().split()[1]) * 4096 >> 20
		if not read(b'\\x1b[?1049h'):
		    print('not attached')
		$(printf '%s\n' "$1" | tr -d '\t')
		os.kill(pid, signal.SIGKILL)
	PY
}

killed_server() {
	attached "os.kill(server, 9)
		print(read(b'server exited unexpectedly'))
		os.waitpid(pid, 0)
		print(termios.tcgetattr(tty) == before)
		sys.exit()"
}
rmux_only "a killed server gives the terminal back" killed_server "True
True"

stopped_client() {
	attached "os.kill(pid, signal.SIGSTOP)
		first = rss()
		os.system('%s -L e2e new-window \"seq 1 3000000; exec cat\"' % sys.argv[1])
		os.system('%s -L e2e run-shell true' % sys.argv[1])
		end = time.monotonic() + 30
		while time.monotonic() < end and os.popen(
		    '%s -L e2e capture-pane -p' % sys.argv[1]).read().find('3000000') < 0:
		    pass
		print(time.monotonic() < end, rss() - first <
		    (400 if 'RMUX_ASAN' in os.environ else 32))
		written = os.popen('%s -L e2e list-clients -F \"#{client_written}\"'
		    % sys.argv[1]).read()
		print(0 < int(written) < 20000)
		os.kill(pid, signal.SIGCONT)"
}
rmux_only "a stopped client under a flood" stopped_client "True True
True"

done_testing
