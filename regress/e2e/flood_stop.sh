#!/bin/sh
# Control-C in the pane that floods: the program ends, the prompt returns, and
# the client does not show a backlog of output from before the key.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
command -v bash >/dev/null || skip_all "no bash"

# Each program floods for ever; the test starts when the pane's history is full.
floods() {
	awk 'BEGIN {
		for (i = 0; i < 30000; i++)
			printf "\033[38;5;%dm%d \342\224\202 a line of a log\033[m\n",
			    i % 256, i
	}' >big
	# One program each: a shell's loop would continue if a program ended by
	# itself at the moment of the key.
	for flood in yes "yes \"\$(head -n 300 big)\"" "seq 1 9999999999" \
		"tail -f -n +1 big | cat big - /dev/zero" \
		"base64 -w 0 /dev/zero"; do
		m respawn-window -k -t s:0 "PS1='rdy''> ' exec bash --norc -i"
		expect_screen 'rdy>'
		m clear-history -t s:0
		outer_keys "$flood" Enter
		case $flood in
		base64*) wait_for "outer_screen | grep -q AAAAAAAAAAAAAAA" ;;
		tail*) wait_for "outer_screen | grep -q 29999" ;;
		*) wait_for "[ \"\$(m display-message -p -t s:0 '#{history_size}')\" -ge 500 ]" ;;
		esac || echo "no flood: $flood"
		outer_keys C-c
		expect_screen 'rdy> *$' 20 && echo "ended: $flood"
		outer_keys "echo back \$((6*7))" Enter
		expect_screen '^back 42' && echo "and the shell is heard"
	done
}
ended() {
	attach_in 80 24 "$(attach_command)" && floods
}
compare "Control-C ends what floods" ended

# Counts the bytes that a terminal gets between the key and the prompt.
cat >"$e2e_dir/stop.py" <<'PY'
import fcntl, os, pty, select, struct, sys, termios, time
name, limit, argv = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    for v in ('TMUX', 'RMUX'):
        os.environ.pop(v, None)
    os.execvp(argv[0], argv)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))

def read_to(text, seconds=60):
    """The number of bytes until TEXT has come, or None."""
    seen, n, end = b'', 0, time.monotonic() + seconds
    while text not in seen and time.monotonic() < end:
        if select.select([fd], [], [], 0.1)[0]:
            data = os.read(fd, 65536)
            n += len(data)
            seen = seen[-100:] + data
    return n if text in seen else None

worst, slow = 0, 0.0
if read_to(b'rdy> ') is None:
    print('no prompt')
for i in range(5):
    os.write(fd, b'yes flood%d\r' % i)
    # Much of the output has been shown when the key is typed.
    for _ in range(20):
        if read_to(b'flood%d' % i) is None:
            print('no flood')
    t = time.monotonic()
    os.write(fd, b'\003')
    n = read_to(b'rdy> ')
    if n is None:
        print('no prompt behind the flood')
        break
    worst, slow = max(worst, n), max(slow, time.monotonic() - t)
print('# %s: at most %d bytes, %.0f ms' % (name, worst, slow * 1000),
      file=sys.stderr)
print('bounded' if worst < limit else 'backlog: %d' % worst)
os.close(fd)
PY
# A frame is some kB, and on a machine that is busy with other things a key may wait
# for hundreds; a backlog of all output would be many times the limit.
backlog() {
	m respawn-window -k -t s:0 "PS1='rdy''> ' exec bash --norc -i"
	expect_pane s:0 'rdy>'
	python3 "$e2e_dir/stop.py" rmux 8000000 "$e2e_rmux" -L e2e -f /dev/null \
		attach -t s 2>>"$e2e_dir/stop.err"
}
rmux_only "what is shown behind Control-C is bounded" backlog bounded
cat "$e2e_dir/stop.err"

done_testing
