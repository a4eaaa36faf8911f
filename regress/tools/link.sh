#!/bin/sh
# The bad network between two programs: it delays, loses and counts, and ends
# with the status of the near program.
bld=${top_builddir:-.}
tool=$bld/regress/tools/link
n=0
check() {
	n=$((n + 1))
	if "$2"; then echo "ok $n - $1"; else echo "not ok $n - $1"; fi
}
[ -x "$tool" ] || { echo "1..0 # SKIP no link"; exit 0; }
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
"$tool" true true 2>/dev/null || {
	echo "1..0 # SKIP no networks of one's own"
	exit 0
}
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-link.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cat >"$dir/echo.py" <<END
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(('10.99.0.2', 7))
open('$dir/ready', 'w').close()
while True:
    s.sendto(*s.recvfrom(2000))
END
# ask.py TIMES: prints the answers and the shortest time in ms.
cat >"$dir/ask.py" <<END
import os, socket, sys, time
while not os.path.exists('$dir/ready'):
    time.sleep(.01)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(('10.99.0.2', 7))
s.settimeout(1)
ms, n = [], 0
for i in range(int(sys.argv[1])):
    t = time.monotonic()
    s.send(b'%d' % i)
    try:
        while int(s.recv(99)) != i:
            pass
        ms.append((time.monotonic() - t) * 1000)
    except socket.timeout:
        pass
print(len(ms), int(min(ms)) if ms else -1)
END

# ask LINK TIMES: runs both
ask() {
	rm -f "$dir/ready"
	timeout 60 "$tool" -b "$1" -s 3 "python3 $dir/echo.py" \
		"python3 $dir/ask.py $2" >"$dir/out"
	read -r answers shortest <"$dir/out"
}
status() {
	"$tool" 'sleep 60' 'exit 7'
	[ $? = 7 ]
}
delays() {
	ask delay=40 3 && [ "$answers" = 3 ] && [ "$shortest" -ge 80 ]
}
loses() {
	ask loss=1 1 && [ "$answers" = 0 ]
}
# A chance every 100 ms.
traces() {
	echo 100 >"$dir/trace"
	ask "trace=$dir/trace" 3 && [ "$answers" = 3 ] && [ "$shortest" -ge 90 ]
}
refuses() {
	! "$tool" -b nonsense=1 true true 2>/dev/null &&
		! "$tool" -b trace=/nonexistent true true 2>/dev/null &&
		! "$tool" true 2>/dev/null
}
counts() {
	rm -f "$dir/ready"
	timeout 60 "$tool" -b loss=.5 -m 1 "python3 $dir/echo.py" \
		"python3 $dir/ask.py 3; sleep 1.2" >"$dir/out" &&
		grep -q '^up kbits=.* lost=[1-9]' "$dir/out" &&
		grep -q '^down kbits=' "$dir/out"
}
check "the status is the near program's" status
check "a delay, both ways" delays
check "loss" loses
check "a trace" traces
check "what is measured" counts
check "bad links are refused" refuses
echo "1..$n"
