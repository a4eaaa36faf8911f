#!/bin/sh
# Sockets behind variables of panes: one path for ever, the socket of the client used
# last, on this machine and elsewhere (option follow-sockets, --follow-socket).
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"
command -v python3 >/dev/null || skip_all "no python3"

# A socket whose program answers each line with its own name.
answers() {
	python3 -c 'import socket, sys, threading
def talk(c):
	with c:
		while True:
			b = c.recv(4096)
			if not b:
				return
			c.sendall(sys.argv[2].encode() + b":" + b)
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()
while True:
	threading.Thread(target=talk, args=(s.accept()[0],), daemon=True).start()' \
		"$e2e_dir/$1.sock" "$1" >/dev/null 2>&1 &
	e2e_pids="$e2e_pids $!"
	wait_for "[ -S '$e2e_dir/$1.sock' ]" 10
}
answers one && answers two || { not_ok "two programs"; done_testing; exit 1; }

cat >"$e2e_dir/ask.py" <<'END'
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.settimeout(10)
try:
    s.connect(os.environ[sys.argv[1]])
    s.sendall(b"hello")
    b = s.recv(100)
    print("<%s>" % (b.decode() or "closed"))
except OSError:
    print("<closed>")
except KeyError:
    print("<unset>")
END

# over OPTIONS: attaches through the relay.
over() {
	outer_start 100 24 "$(remote_cmd "$*" --udp=127.0.0.1:"$relay_port")"
	expect_screen '\[far\]' 15
}
# says TEXT: in a new window there a program asks the socket of MY_SOCK.
says() {
	far kill-window -a -t far:0 2>/dev/null
	far new-window -t far:5 sh && far send-keys -t far:5 "python3 '$e2e_dir/ask.py' ${2:-MY_SOCK}" Enter
	wait_for "far capture-pane -p -t far:5 | grep -q '<$1>'" 15 || { far capture-pane -p -t far:5 | sed 's/^/# /'; false; }
}
value() { far show-environment -g MY_SOCK 2>/dev/null; }
here() { RMUX='' "$e2e_rmux" "$@" >"$e2e_dir/here" 2>&1; }

far_start && far_learn_port || { not_ok "a remote server"; done_testing; exit 1; }
relay "$far_port" -b delay=20
[ -z "$(value)" ] || not_ok "a name before any client"
check "--follow-socket" over --follow-socket=MY_SOCK="$e2e_dir/one.sock"
path=$(value)
check "one path" [ "$path" = "MY_SOCK=$(far display-message -p '#{socket_path}').MY_SOCK" ]
private() { [ "$(stat -c %a "${path#*=}")" = 600 ]; }
check "for the user alone" private
check "a program in a pane there reaches the socket here" says one:hello
listed() {
	[ "$(far list-forwards -F '#{forward_kind} #{forward_place}')" = "--follow-socket MY_SOCK" ] &&
		here forward-list && grep -q "^--follow-socket MY_SOCK=$e2e_dir/one.sock: 0 open, 5 bytes in, 9 bytes out" "$e2e_dir/here"
}
check "it is listed, there and here" wait_for listed 5
told() { far show-messages | grep -q 'MY_SOCK: python3 (process [0-9]*) uses that of '; }
check "each use is told" told
moved() { relay_say rebind && says one:hello; }
check "after a new address" moved
cancelled() { here forward-cancel --follow-socket MY_SOCK && says closed; }
check "cancelled: as if there were none" cancelled
added() { here forward-add --follow-socket "MY_SOCK=$e2e_dir/two.sock" && says two:hello; }
check "added while attached: another one" added
unknown() { ! here forward-add --follow-socket "OTHER=$e2e_dir/two.sock" && grep -q 'no socket of that name is wanted there' "$e2e_dir/here"; }
check "a name that the server does not follow is refused" unknown
leave() { outer_keys C-b d && expect_screen 'exit=0' 15; }
check "leaves" leave
check "without a client: as if there were none" says closed
again() { over --follow-socket=MY_SOCK="$e2e_dir/one.sock" && says one:hello && [ "$(value)" = "$path" ] &&
	[ "$(far show-options -sv follow-sockets)" = " MY_SOCK" ]; }
check "again: the same path, the name once" again
check "leaves" leave

# The first session that an attach makes has the variable, too.
far kill-server && wait_for "! alive $far_pid" 5
first() {
	outer_start 100 24 "$(remote_cmd --follow-socket=MY_SOCK="$e2e_dir/one.sock" | sed 's/127.0.0.1;/127.0.0.1 -- sh;/')"
	expect_screen '0:sh\*' 15 || return 1
	e2e_pids="$e2e_pids $(far display-message -p '#{pid}')"
	outer_keys "python3 '$e2e_dir/ask.py' MY_SOCK" Enter
	expect_screen '<one:hello>' 10
}
check "a session that the attach makes" first
far kill-server >/dev/null 2>&1

wrong() { # VALUE TEXT
	"$e2e_rmux" attach --follow-socket="$1" 127.0.0.1 2>"$e2e_dir/said"
	[ $? = 1 ] && grep -q "$2" "$e2e_dir/said"
}
check "wrong: no path" wrong NAME 'expected NAME=/path'
check "wrong: a relative path" wrong NAME=x 'expected NAME=/path'
check "wrong: PATH" wrong PATH=/x 'no name for a variable of a socket'
check "wrong: LD_PRELOAD" wrong LD_PRELOAD=/x 'no name for a variable of a socket'
check "wrong: no name" wrong "A B=/x" 'no name for a variable of a socket'

# On one machine: the option alone.
r() { "$e2e_rmux" -L follow -f /dev/null "$@"; }
r new-session -d -s a -x 80 -y 24 sh
e2e_pids="$e2e_pids $(r display-message -p '#{pid}')"
r set -s follow-sockets 'MY_SOCK LD_PRELOAD'
local_path=$(r show-environment -g MY_SOCK)
refused() { r show-messages | grep -q 'follow-sockets: LD_PRELOAD: no name' && ! r show-environment -g LD_PRELOAD 2>/dev/null; }
check "here: the option refuses some names" refused
local_says() { r new-window -t a sh && r send-keys -t a "python3 '$e2e_dir/ask.py' MY_SOCK" Enter
	wait_for "r capture-pane -p -t a | grep -q '<$1>'" 15; }
attach() {
	outer_start 90 24 "MY_SOCK='$1' RMUX= '$e2e_rmux' -L follow -f /dev/null attach; cat"
	wait_for '[ "$(r list-clients 2>/dev/null | wc -l)" = 1 ]' 10
}
check "here: a client" attach "$e2e_dir/two.sock"
check "here: the socket of its environment" local_says two:hello
r set -s forward-agent ask
asks() {
	r new-window -t a sh && r send-keys -t a "python3 '$e2e_dir/ask.py' MY_SOCK" Enter
	expect_screen 'Let python3 (process [0-9]*) use your MY_SOCK' 10 && outer_keys n && wait_for "r capture-pane -p -t a | grep -q '<closed>'" 10
}
check "here: forward-agent ask" asks
r set -s forward-agent on
dropped() {
	r set -s follow-sockets '' && [ ! -e "${local_path#*=}" ] && ! r show-environment -g MY_SOCK 2>/dev/null
}
check "here: a name that is taken out" dropped
many() {
	r set -s follow-sockets "$(seq -s ' ' -f 'S%g' 1 40)" && [ "$(find "$(dirname "${local_path#*=}")" -name 'follow.S*' -type s | wc -l)" = 16 ] &&
		r show-messages | grep -q 'follow-sockets: more than 16 names'
}
check "here: sixteen names at most" many
r kill-server
gone() { wait_for '[ -z "$(find "$(dirname "${local_path#*=}")" -name "follow.S*" -type s)" ]' 5; }
check "the sockets go with the server" gone
done_testing
