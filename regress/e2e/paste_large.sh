#!/bin/sh
# Pastes of many megabytes at the terminal: whole, in bounded memory, and
# stopped by Escape; on this machine and over links with delay, loss, a rate.
# PASTE_MB="1 5 50 500" pastes these sizes over the slow link (default: 1 5);
# PASTE_LINK is that link, for udp_relay.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
have python3 || skip_all "no python3"

here=$e2e_dir/paste
mkdir "$here"
cat >"$here/reads.py" <<'EOF2'
# reads.py END SECONDS [once|sum]: a program that reads its input into the file
# "got", with a pause after each piece, until END stands in it; with "sum" only
# its SHA-256 goes there.
import hashlib
import os
import sys
import time
end = sys.argv[1].encode().decode("unicode_escape").encode("latin1")
how = sys.argv[3] if len(sys.argv) > 3 else ""
with open("got", "wb", buffering=0) as got:
    last, h = b"", hashlib.sha256()
    while end not in last:
        piece = os.read(0, 65536)
        h.update(piece)
        if how != "sum":
            got.write(piece)
        last = last[-16:] + piece
        time.sleep(float(sys.argv[2]))
    if how == "sum":
        got.write(h.hexdigest().encode())
open("done", "w").close()
if how != "once":
    time.sleep(3600)
EOF2
# The end marker of bracketed paste; the program's source must not hold it.
end='\x1b[201~'

# pane COMMAND...: what COMMAND (m or far) starts reads.py in its first pane.
pane() {
	rm -f "$here/got" "$here/done"
	"$1" respawn-pane -k -t "$2" "cd '$here' && stty raw -echo && printf '\\033[?2004hready' && exec python3 reads.py $3"
}

# paste SIZE OPTIONS -- COMMAND: a terminal that pastes.
paste() {
	paste_size=$1
	shift
	timeout "$((paste_time + 30))" python3 "$e2e_src/regress/e2e/paste_large.py" \
		-s "$paste_size" -t "$paste_time" -d "$here/done" "$@" >"$here/said"
}
paste_time=120

whole() {
	python3 - "$e2e_src/regress/e2e" "$1" "$here/got" <<'EOF2'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import paste_large
want = b"\033[200~" + b"".join(paste_large.blocks(int(sys.argv[2]))) + \
    b"\033[201~"
with open(sys.argv[3], "rb") as f:
    got = f.read()
if not got.startswith(want):
    same = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b),
                min(len(want), len(got)))
    sys.exit("%d bytes of %d, equal up to %d" % (len(got), len(want), same))
EOF2
}

# small KIB: no process needed more memory.
small() {
	# The sanitizers need memory of their own.
	[ -z "${RMUX_ASAN:-}" ] || set -- 500000 "$2"
	awk -v max="$1" '$1 == "peak" { ok = $2 > 0 && $2 < max }
		END { exit !ok }' "$here/said" || return 1
	awk -v max="$1" '$1 == "VmHWM:" { exit $2 >= max }' \
		"/proc/$2/status"
}

# stopped BYTES: few bytes have come, and the end marker, and the key behind.
stopped() {
	grep -q 'said the paste was stopped' "$here/said" &&
		[ "$(wc -c <"$here/got")" -lt "$1" ] &&
		tail -c 7 "$here/got" | od -An -c | tr -d ' \n' |
		grep -qF '033[201~Z'
}

start 80 24 || exit 99
pid=$(m display-message -p '#{pid}')
M=rmux

local_whole() {
	pane m : "'$end' 0"
	paste 12000000 -- "$e2e_rmux" -L e2e -f /dev/null attach
	whole 12000000
}
check "12 MB, whole" local_whole
check "in little memory" small 40000 "$pid"

local_slow() {
	pane m : "Q 0.001"
	paste 3000000 -k Q -- "$e2e_rmux" -L e2e -f /dev/null attach
	whole 3000000 && [ "$(tail -c 1 "$here/got")" = Q ]
}
check "what is typed behind it stays behind it" local_slow

local_stop() {
	pane m : "Z 0.02"
	paste 12000000 -k '\x1b' --then Z -- \
		"$e2e_rmux" -L e2e -f /dev/null attach
	stopped 9000000
}
check "Escape stops it" local_stop

# The program ends after a part; the next one must not get the rest.
local_ends() {
	m set-option -g remain-on-exit on
	pane m : "0000100 0 once"
	paste 12000000 --say "the pane's program has ended" -- \
		"$e2e_rmux" -L e2e -f /dev/null attach
	m set-option -gu remain-on-exit
	grep -q "said the pane's program has ended" "$here/said"
}
check "the program ends meanwhile" local_ends

# --- far -----------------------------------------------------------------------

far_start
far_learn_port && relay "$far_port" -b delay=50,loss=0.05
far_attach() {
	echo "'$e2e_rmux' attach --ssh='$e2e_dir/ssh' --server='$e2e_rmux' --udp=127.0.0.1:$relay_port 127.0.0.1"
}
far_whole() {
	pane far far: "'$end' 0"
	paste 4000000 -- sh -c "$(far_attach)"
	whole 4000000 && grep -q 'said pasting: N MB of' "$here/said"
}
check "4 MB over 100 ms with loss, whole" far_whole
check "in little memory there" small 60000 "$far_pid"
far_stop_it() {
	pane far far: "Z 0.02"
	paste 12000000 -k '\x1b' --then Z -- sh -c "$(far_attach)"
	stopped 9000000
}
check "and stopped" far_stop_it
relay_stop

# --- sizes over a slow link ------------------------------------------------------

# same SIZE: the program has read the paste, and nothing else.
same() {
	(cd "$e2e_src/regress/e2e" && python3 -B -c '
import paste_large
import sys
want = paste_large.pasted(int(sys.argv[1]))
with open(sys.argv[2], encoding="ascii") as f:
    got = f.read()
sys.exit(0 if got == want else "SHA-256 %s instead of %s" % (got, want))
' "$1" "$here/got")
}

slow_link=${PASTE_LINK:-delay=50,rate=2500000,queue=250000}
slow_whole() {
	pane far far: "'$end' 0 sum"
	paste_time=$(($1 * 2 + 60))
	paste "${1}000000" -m -- sh -c "$(far_attach)"
	paste_time=120
	sed -n "s/^took /# $1 MB over $slow_link: seconds /p
		s/^peak /# $1 MB: KiB of the client /p" "$here/said" >&3
	sed -n "s/^VmHWM:[ \t]*/# $1 MB: KiB of the server /p" \
		"/proc/$far_pid/status" >&3
	same "${1}000000"
}
exec 3>&1
relay "$far_port" -b "$slow_link"
for mb in ${PASTE_MB:-1 5}; do
	check "$mb MB over $slow_link, whole" slow_whole "$mb"
	check "$mb MB in little memory" small 60000 "$far_pid"
done
slow_stop() {
	pane far far: "'${end}Z' 0"
	paste 50000000 -m -k '\x1b' --then Z -- sh -c "$(far_attach)"
	stopped 40000000
}
check "50 MB over it, stopped" slow_stop
relay_stop
far_stop
done_testing
