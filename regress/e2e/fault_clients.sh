#!/bin/sh
# Clients that are stopped, never read, or are killed, while a window floods:
# the server's memory does not grow and other clients are not delayed.
# RMUX_LONG=1: for a minute.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

cat >"$e2e_dir/clients.py" <<'PY'
import fcntl, os, pty, select, signal, struct, subprocess, sys, termios, time
rmux, how, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
asan = 'RMUX_ASAN' in os.environ

def run(*args):
    return subprocess.run([rmux, '-L', 'e2e', *args], capture_output=True,
                          text=True, check=False, timeout=120).stdout.strip()

server = int(run('display-message', '-p', '#{pid}'))

def rss():
    with open('/proc/%d/statm' % server) as f:
        return int(f.read().split()[1]) * 4096 >> 20

class Client:
    def __init__(self, session):
        self.out = b''
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execv(rmux, [rmux, '-L', 'e2e', 'attach', '-t', session])
        os.set_inheritable(self.fd, False)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack('HHHH', 24, 80, 0, 0))
    def read(self, text, seconds=30):
        end = time.monotonic() + seconds
        while text not in self.out and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                self.out += os.read(self.fd, 65536)
        return text in self.out
    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)

run('new-session', '-d', '-s', 'work', 'cat')
bad, good = Client('s'), Client('work')
if not bad.read(b'[s]') or not good.read(b'[work]'):
    print('not attached')
if how == 'STOPPED':
    os.kill(bad.pid, signal.SIGSTOP)
first = rss()
# The window shown floods, and the client does not read.
run('new-window', '-t', 's:', 'yes "$(seq -s " " 1 200)"')
begin, slow, peak, n = time.monotonic(), 0.0, 0, 0
while time.monotonic() - begin < seconds:
    n += 1
    word = b'k%dk' % n
    good.out = b''
    t = time.monotonic()
    os.write(good.fd, word)
    # One line for each key, so every letter is new on the screen.
    if not good.read(word[-1:]):
        print('no echo of', word)
        break
    slow = max(slow, time.monotonic() - t)
    os.write(good.fd, b'\r')
    peak = max(peak, rss())
    time.sleep(0.01)
if how == 'KILLED':
    bad.kill()
limit = 400 if asan else 32
print('echoed:', slow < 5)
print('memory:', peak - first < limit or (first, peak))
if how == 'STOPPED':
    # A client that reads again is shown the current screen.
    run('respawn-window', '-k', '-t', 's:', 'echo now $((6*7)); exec cat')
    os.kill(bad.pid, signal.SIGCONT)
    print('back:', bad.read(b'now 42'))
if how == 'KILLED':
    end = time.monotonic() + 30
    while time.monotonic() < end and len(run('list-clients').split('\n')) > 1:
        pass
    print('left:', len(run('list-clients').split('\n')))
else:
    bad.kill()
good.kill()
print('# %d keys, the slowest %.1f ms; memory %d, at most %d MB' % (
    n, slow * 1000, first, peak), file=sys.stderr)
PY

seconds=2
[ -z "${RMUX_LONG:-}" ] || seconds=60
clients() {
	python3 "$e2e_dir/clients.py" "$e2e_rmux" "$1" $seconds 2>"$e2e_dir/figures"
	# Prints the measurements beside the TAP lines.
	cat "$e2e_dir/figures" >&3
}
exec 3>"$e2e_dir/said"
stopped() { clients STOPPED; }
unread() { clients UNREAD; }
killed() { clients KILLED; }
rmux_only "a stopped client under a flood" stopped "echoed: True
memory: True
back: True"
rmux_only "a client that never reads, under a flood" unread "echoed: True
memory: True"
rmux_only "a client that is killed under a flood" killed "echoed: True
memory: True
left: 1"
cat "$e2e_dir/said"

# All clients are killed, one after the other.
crowd() {
	python3 - "$e2e_rmux" <<-'PY'
		import os, pty, signal, subprocess, sys, time
		def clients():
		    return int(subprocess.run(
		        [sys.argv[1], '-L', 'e2e', 'display-message', '-p',
		         '-t', 's:', '#{session_attached}'], capture_output=True,
		        text=True, check=False).stdout or 0)
		all = []
		for n in range(20):
		    pid, fd = pty.fork()
		    if pid == 0:
		        os.execv(sys.argv[1], [sys.argv[1], '-L', 'e2e', 'attach',
		                               '-t', 's'])
		    os.set_inheritable(fd, False)
		    all.append((pid, fd))
		end = time.monotonic() + 60
		while time.monotonic() < end and clients() != 20:
		    pass
		print(clients())
		for pid, fd in all:
		    os.kill(pid, signal.SIGKILL)
		for pid, fd in all:
		    os.waitpid(pid, 0)
		    os.close(fd)
		end = time.monotonic() + 60
		while time.monotonic() < end and clients() != 0:
		    pass
		print(clients())
	PY
	m send-keys -l typed
	expect_pane s: typed
}
rmux_only "twenty clients are killed at once" crowd "20
0"
done_testing
