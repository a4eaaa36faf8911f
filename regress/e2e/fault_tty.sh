#!/bin/sh
# Every end of a client restores its terminal: modes, flags, screen.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

cat >"$e2e_dir/giveback.py" <<'PY'
import fcntl, os, pty, select, signal, sys, termios, time
rmux, server, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
master, tty = pty.openpty()
fcntl.ioctl(tty, termios.TIOCSWINSZ, b'\x18\0\x50\0\0\0\0\0')
before = termios.tcgetattr(tty), fcntl.fcntl(tty, fcntl.F_GETFL)
# The shell that remains, and the client that it starts.
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(tty, termios.TIOCSCTTY, 0)
    for n in (0, 1, 2):
        os.dup2(tty, n)
    child = os.fork()
    if child == 0:
        os.execv(rmux, [rmux, '-L', 'e2e', 'attach'])
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    print('client=%d.' % child, flush=True)
    os.waitpid(child, 0)
    signal.pause()
out = b''
def read(seconds, *texts):
    global out
    end = time.monotonic() + seconds
    while time.monotonic() < end and not all(t in out for t in texts):
        if select.select([master], [], [], 0.1)[0]:
            out += os.read(master, 65536)
    return all(t in out for t in texts)
if not read(20, b'client=', b'\x1b[?1049h', b'[s]'):
    print('not attached', out)
client = int(out.split(b'client=')[1].split(b'.')[0])
out = b''
if how == 'SERVER':
    os.kill(server, signal.SIGKILL)
else:
    os.kill(client, getattr(signal, how))
end = time.monotonic() + 20
while time.monotonic() < end:
    read(0.1, b'\0')
    now = termios.tcgetattr(tty), fcntl.fcntl(tty, fcntl.F_GETFL)
    if now == before and b'\x1b[?1049l' in out:
        break
print(now[0] == before[0], now[1] == before[1], b'\x1b[?1049l' in out,
      b'\x1b[?25h' in out)
os.kill(pid, signal.SIGKILL)
PY

ends() {
	python3 "$e2e_dir/giveback.py" "$e2e_rmux" \
		"$(m display-message -p '#{pid}')" "$1"
}

for how in SERVER SIGTERM SIGHUP SIGINT SIGQUIT SIGSEGV SIGABRT SIGUSR1; do
	# The sanitizers print their own report of a crash.
	case $how-${RMUX_ASAN:-} in
	SIGSEGV-?* | SIGABRT-?*) continue ;;
	esac
	eval "end_$how() { ends $how; }"
	rmux_only "the terminal is given back: $how" "end_$how" \
		"True True True True"
done
done_testing
