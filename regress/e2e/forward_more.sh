#!/bin/sh
# Forwards that are added, listed and cancelled while the client is attached: rmux
# forward-add, forward-cancel and forward-list here, list-forwards there.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
. "$e2e_src/regress/e2e/forward_lib.sh"

nobody() { ! py send "$1" 10 >/dev/null 2>&1; }

# here WORDS: a command of the client's user, on this machine.
here() { RMUX='' "$e2e_rmux" "$@" >"$e2e_dir/here" 2>&1; }
# fails PATTERN WORDS: it fails with 1 and says PATTERN.
fails() {
	pattern=$1
	shift
	here "$@"
	[ $? = 1 ] && grep -q -- "$pattern" "$e2e_dir/here"
}
lists() { here forward-list && grep -q -- "$1" "$e2e_dir/here"; }
doors() { find "$RMUX_TMPDIR"/rmux-*/forwards -type s 2>/dev/null; }

forward_begin || { not_ok "a remote server"; done_testing; exit 1; }

wait_for '[ -z "$(doors)" ]' 5
check "without a client: none is attached" fails 'no client here is attached.*; give this command where the client runs' forward-list
check "attach without a forward" over
empty() { here forward-list && [ ! -s "$e2e_dir/here" ]; }
check "there are none" empty
private() { [ "$(stat -c %a "$(doors)")" = 600 ] && [ "$(stat -c %a "$(dirname "$(doors)")")" = 700 ]; }
check "the door is for its user alone" private

local_one() { here forward-add -L "$l1:localhost:$tcp" && whole "$l1" 300000; }
check "-L while attached" local_one
local_path() { here forward-add -t 127.0.0.1 -L "$e2e_dir/l.sock:$sock" && whole "$e2e_dir/l.sock" 3000; }
check "-L at a Unix socket, -t host" local_path
remote_one() { here forward-add -R "$r1:127.0.0.1:$tcp" && whole "$r1" 300000; }
check "-R" remote_one
remote_path() { here forward-add -R "$e2e_dir/r.sock:$sock" && whole "$e2e_dir/r.sock" 3000; }
check "-R at a Unix socket" remote_path
dynamic_one() { here forward-add -D "$d1" && whole "$d1" 100000 5 "localhost:$tcp"; }
check "-D" dynamic_one
any_port() {
	here forward-add -R "0:127.0.0.1:$tcp" && any=$(sed -n 's/^port \([0-9]*\)$/\1/p' "$e2e_dir/here") && whole "$any" 100 &&
		lists "^-R localhost:$any:127.0.0.1:$tcp: 0 open, 100 bytes in" && here forward-cancel -R "$any" && nobody "$any"
}
check "-R 0: the port is told, listed and can be cancelled" any_port
check "keys go on" echoes typed
two() {
	free_port && l2=$port
	free_port && l3=$port
	here forward-add -L "$l2:localhost:$tcp" -L "$l3:localhost:$tcp" && whole "$l2" 100 && whole "$l3" 100
}
check "several at once" two

check "the list: -L" lists "^-L localhost:$l1:localhost:$tcp: 0 open, 3000[0-9]* bytes in, 300000 bytes out"
check "the list: -R" lists "^-R localhost:$r1:127.0.0.1:$tcp: 0 open, 300000 bytes in"
check "the list: -D" lists "^-D localhost:$d1: 0 open"
formatted() {
	here forward-list -t 127.0.0.1 -F '#{forward_kind} #{forward_place} #{forward_connections} #{forward_listen}|#{forward_connect}|#{none}' &&
		grep -qx -- "-L $e2e_dir/l.sock:$sock 0 $e2e_dir/l.sock|$sock|" "$e2e_dir/here" &&
		grep -qx -- "-D localhost:$d1 0 localhost:$d1||" "$e2e_dir/here"
}
check "the list: -F" formatted

# There: the server sees what listens for its clients, and what its clients say that
# listens at them.
there() { far list-forwards >"$e2e_dir/there" 2>&1 && grep -q -- "$1" "$e2e_dir/there"; }
client=$(far list-clients -F '#{client_name}')
check "there: -R" there "^$client: -R localhost:$r1: 0 open, 3000[0-9]* bytes in, 300000 bytes out\$"
check "there: -R at a Unix socket" there ": -R $e2e_dir/r.sock: 0 open"
there_formatted() {
	[ "$(far list-forwards -f "#{==:#{forward_place},localhost:$r1}" -t "$client" \
		-F '#{client_name} #{client_link} #{forward_kind} #{forward_place} #{forward_connections} #{forward_bytes_out}')" = \
		"$client udp -R localhost:$r1 0 300000" ] &&
		[ "$(far list-clients -F '#{client_forwards}')" = 7 ]
}
there_local() {
	there "^$client: -L localhost:$tcp from localhost:$l1: 0 open, 300000 bytes in, 3000[0-9]* bytes out\$" &&
		there "^$client: -L $sock from $e2e_dir/l.sock: 0 open, 3000 bytes in, 30[0-9]* bytes out\$" &&
		there "^$client: -L localhost:$tcp from localhost:$l3: 0 open, 100 bytes in, 1[0-9]* bytes out\$"
}
check "there: -L, which the client announces, with bytes of connections that have ended" there_local
there_dynamic() { there "^$client: -D localhost:$d1: 0 open, 100000 bytes in, 1000[0-9]* bytes out\$"; }
check "there: -D" there_dynamic
there_places() {
	[ "$(far list-forwards -f "#{==:#{forward_listen},localhost:$l1}" \
		-F '#{forward_kind} #{forward_place} #{forward_listen} #{forward_connect} #{client_user}')" = \
		"-L localhost:$tcp localhost:$l1 localhost:$tcp $(id -un)" ] &&
		[ "$(far list-forwards -f '#{==:#{forward_kind},-D}' -F '#{forward_listen}|#{forward_connect}|')" = "localhost:$d1||" ]
}
check "there: forward_listen, forward_connect, whose it is" there_places
check "there: -F, -f, -t, client_forwards" there_formatted
there_wrong() { ! far list-forwards -t nobody 2>"$e2e_dir/there" && grep -q "can't find client: nobody" "$e2e_dir/there"; }
check "there: a client that is none" there_wrong

check "a port in use" fails "listen localhost:$busy: .*in use" forward-add -L "$busy:localhost:$tcp"
check "a port in use there" fails 'in use' forward-add -R "$busy:localhost:$tcp"
check "neither is listed" sh -c "! '$e2e_rmux' forward-list | grep -q $busy"
check "no permission" fails 'ermission denied\|No such file' forward-add -L "/proc/none/x.sock:$sock"
check "a wrong spec" fails 'expected' forward-add -L nonsense
check "a wrong port" fails 'is no port' forward-cancel -L 99999:host:80
check "no spec" fails usage forward-add
check "-a and a spec" fails usage forward-cancel -a -L "$l1"
check "-A without an agent" env SSH_AUTH_SOCK= sh -c "! '$e2e_rmux' forward-add -A 2>&1 | grep -v 'SSH_AUTH_SOCK names no agent'"
check "a host that no client is attached to" fails 'no client is attached to elsewhere; there are:' \
	forward-list -t elsewhere

# A connection that is open when its forward is cancelled.
held() {
	python3 -c 'import socket, sys, time
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10)
s.sendall(b"first"); s.recv(100)
open(sys.argv[2], "w").close()
sys.stdin.readline()
s.sendall(b"second")
sys.exit(s.recv(100) != b"second")' "$l1" "$e2e_dir/held.up" <"$e2e_dir/held.in" &
	held=$!
	exec 7>"$e2e_dir/held.in"
	wait_for "[ -e '$e2e_dir/held.up' ]" 10
}
mkfifo "$e2e_dir/held.in"
check "a connection" held
check "there: it is open" there ": -L localhost:$tcp from localhost:$l1: 1 open, 300005 bytes in, 3000[0-9]* bytes out"
check "is open in the list" lists "^-L localhost:$l1:.*: 1 open"
shown() {
	outer_keys C-^ '?'
	expect_screen "localhost:$l1" 10
}
check "and in the report on the link" shown
outer_keys q
cancel_local() { here forward-cancel -L "$l1:localhost:$tcp" && nobody "$l1"; }
check "cancel -L: nobody listens" cancel_local
goes_on() { echo >&7 && wait "$held"; }
check "the connection goes on" goes_on
exec 7>&-
there_cancelled() { wait_for "far list-forwards >'$e2e_dir/there' && ! grep -q localhost:$l1 '$e2e_dir/there'" 5; }
check "there: it is no longer listed" there_cancelled
check "and is no longer listed" sh -c "! '$e2e_rmux' forward-list | grep -q 'localhost:$l1:'"
check "cancelled twice" fails "no such forward: -L localhost:$l1:localhost:$tcp" forward-cancel -L "$l1:localhost:$tcp"
cancel_remote() { here forward-cancel -R "$r1" && wait_for "! python3 -B '$e2e_src/regress/e2e/forward.py' send $r1 1 >/dev/null 2>&1" 5; }
check "cancel -R by its port alone" cancel_remote
cancel_path() { here forward-cancel -L "$e2e_dir/l.sock" && [ ! -e "$e2e_dir/l.sock" ]; }
check "cancel a Unix socket: its file goes" cancel_path
cancel_dynamic() { here forward-cancel -D "$d1" && nobody "$d1"; }
check "cancel -D" cancel_dynamic
again() { here forward-add -L "$l1:localhost:$tcp" && whole "$l1" 1000 && here forward-cancel -L "$l1"; }
check "added again, and cancelled" again

# The user there ends a listener, and a connection.
kills() {
	here forward-add -R "$r1:127.0.0.1:$tcp" && whole "$r1" 100 || return 1
	far kill-forward -t "$client" "localhost:$r1" && nobody "$r1" &&
		expect_screen "forward -R localhost:$r1:127.0.0.1:$tcp: ended by the user there" 10 &&
		! here forward-cancel -R "$r1"
}
check "kill-forward there ends -R, and tells" kills
kills_connection() {
	here forward-add -L "$l1:localhost:$tcp" || return 1
	python3 -c 'import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10)
s.sendall(b"first"); s.recv(100)
open(sys.argv[2], "w").close()
try:
	sys.exit(s.recv(100) != b"")
except OSError:
	pass' "$l1" "$e2e_dir/killed.up" &
	held=$!
	wait_for "[ -e '$e2e_dir/killed.up' ]" 10 && far kill-forward "localhost:$tcp" && wait "$held" &&
		whole "$l1" 100 && here forward-cancel -L "$l1"
}
# The same for one that came by SOCKS: by the place of -D.
kills_dynamic() {
	here forward-add -D "$d1" || return 1
	python3 -c 'import socket, sys, struct
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10)
s.sendall(b"\5\1\0"); s.recv(2)
s.sendall(b"\5\1\0\1\x7f\0\0\1" + struct.pack(">H", int(sys.argv[2]))); s.recv(10)
s.sendall(b"first"); s.recv(100)
open(sys.argv[3], "w").close()
try:
	sys.exit(s.recv(100) != b"")
except OSError:
	pass' "$d1" "$tcp" "$e2e_dir/socks.up" &
	held=$!
	wait_for "[ -e '$e2e_dir/socks.up' ]" 10 && there "-D localhost:$d1: 1 open, 5 bytes in" &&
		far kill-forward "localhost:$d1" && wait "$held" && here forward-cancel -D "$d1"
}
check "and a connection to a place" kills_connection
check "and a connection of -D" kills_dynamic
kills_nothing() { ! far kill-forward "localhost:$r1" 2>"$e2e_dir/there" && grep -q "no forward at or to localhost:$r1" "$e2e_dir/there"; }
check "a place that is none" kills_nothing

# Silence, a new address: a cancelled forward stays away, the others stay.
resumed() {
	here forward-add -R "$r1:127.0.0.1:$tcp" || return 1
	relay_say rebind
	echoes moved && whole "$r1" 1000 && whole "$l2" 1000 && nobody "$l1" &&
		there "-L localhost:$tcp from localhost:$l2: 0 open, 1100 bytes in" && ! there "from localhost:$l1"
}
check "after a new address: what was added stays, what was cancelled is gone" resumed

# Two clients: the target must be clear.
second() {
	first=$(doors)
	outer_run "$(remote_cmd --udp=127.0.0.1:"$relay_port")"
	wait_for '[ "$(doors | wc -l)" = 2 ]' 15
}
if command -v script >/dev/null; then
	outer_run() {
		script -qfc "stty rows 24 cols 80; $1" /dev/null >"$e2e_dir/second.out" 2>&1 <"$e2e_dir/second.in" &
		e2e_pids="$e2e_pids $!"
		exec 6>"$e2e_dir/second.in"
	}
	mkfifo "$e2e_dir/second.in"
	check "a second client" second
	ambiguous() { fails 'which client?' forward-list && [ "$(grep -c '127.0.0.1 (process' "$e2e_dir/here")" = 2 ]; }
	check "which one is asked" ambiguous
	by_pid() {
		here forward-list -t "${first##*.}" && grep -q -- "-L localhost:$l2" "$e2e_dir/here"
	}
	check "-t pid" by_pid
	# Killed, with its launcher: the socket stays.
	killed() {
		late=$(doors | grep -v "$first")
		pid=${late##*.}
		family=$(ps -o pid= --ppid "$pid")
		for p in $family "$pid"; do kill -9 "$p" 2>/dev/null; done
		wait_for "! alive $pid" 5
		exec 6>&-
		[ -S "$late" ] || return 1
		fails 'has ended without taking its socket away' forward-list -t "$pid" && [ ! -e "$late" ]
	}
	check "a dead client's socket is told and removed" killed
else
	skip "two clients" "no script"
fi

# A client that is stopped: the one that asks is told, and it goes on later.
stopped() {
	pid=$(doors) pid=${pid##*.}
	kill -STOP "$pid" || return 1
	fails 'the client does not answer' forward-list
	stopped_rc=$?
	kill -CONT "$pid"
	return $stopped_rc
}
check "a client that is stopped" stopped
check "and goes on" lists "-L localhost:$l2:"

# The agent of the user's shell, in a session that was begun without one.
with_agent() { SSH_AUTH_SOCK=$e2e_dir/agent here "$@"; }
agent_begin() {
	eval "$(ssh-agent -s -a "$e2e_dir/agent")" >/dev/null || return 1
	e2e_pids="$e2e_pids $SSH_AGENT_PID"
	unset SSH_AGENT_PID
	ssh-keygen -q -t ed25519 -N '' -C key-one -f "$e2e_dir/key" &&
		SSH_AUTH_SOCK="$e2e_dir/agent" ssh-add -q "$e2e_dir/key"
	unset SSH_AUTH_SOCK
}
# pane_asks, pane_lists WORD: ssh-add in a new pane there says that.
pane_asks() {
	rm -f "$e2e_dir/keys"
	far new-window -d -t far: "ssh-add -l >'$e2e_dir/keys.new' 2>&1; mv '$e2e_dir/keys.new' '$e2e_dir/keys'"
	wait_for "[ -e '$e2e_dir/keys' ]" 10
}
pane_lists() { pane_asks && grep -q -- "$1" "$e2e_dir/keys" || { sed 's/^/# /' "$e2e_dir/keys"; false; }; }
if command -v ssh-agent >/dev/null && agent_begin; then
	check "no agent in panes there" pane_lists 'authentication agent'
	# An offer has no answer: it is there when the server lists it.
	offered() { wait_for "[ \"\$(far list-forwards -f '#{==:#{forward_kind},-A}' | wc -l)\" = $1 ]" 5; }
	agent_added() { with_agent forward-add -A && lists '^-A: 0 open' && offered 1 && pane_lists key-one; }
	check "forward-add -A: new panes there have it" agent_added
	check "there: -A" wait_for 'there "^$client: -A: 0 open, [1-9][0-9]* bytes in"' 5
	agent_twice() { ! with_agent forward-add -A && grep -q 'an agent is offered already' "$e2e_dir/here"; }
	check "a second agent is refused" agent_twice
	agent_ended() { here forward-cancel -A && ! lists '^-A' && offered 0 && pane_asks && ! grep -q key-one "$e2e_dir/keys"; }
	check "forward-cancel -A: it is as if none ran" agent_ended
	check "cancelled twice" fails 'no such forward: -A' forward-cancel -A
	agent_again() { with_agent forward-add -A && offered 1 && pane_lists key-one && relay_say rebind && echoes moved2 && pane_lists key-one; }
	check "added again, with a new address" agent_again
	kept=1
else
	skip "forward-add -A" "no ssh-agent"
	kept=0
fi
all() {
	here forward-cancel -a && here forward-list && [ "$(wc -l <"$e2e_dir/here")" = "$kept" ] && nobody "$l2" && nobody "$l3" &&
		wait_for "[ ! -e '$e2e_dir/r.sock' ]" 5
}
check "cancel -a: all but the agent" all
check "leaves" leaves
gone() { wait_for '[ -z "$(doors)" ]' 5; }
check "the door goes with the client" gone

# With forwards at the start; later ones join them.
started() { over -L "$l1:localhost:$tcp" -R "$r1:127.0.0.1:$tcp" && here forward-add -L "$l2:localhost:$tcp" && whole "$l2" 100; }
check "attach -L -R, and one more" started
three() { here forward-list && [ "$(wc -l <"$e2e_dir/here")" = 3 ] && [ "$(far list-forwards | wc -l)" = 3 ]; }
check "all three are listed" three
cancel_first() { here forward-cancel -L "$l1" -R "$r1" && nobody "$l1" && whole "$l2" 100; }
check "those of the start are cancelled, too" cancel_first
check "leaves" leaves

# rmux forward: no terminal at all.
alone() {
	RMUX='' "$e2e_rmux" forward --ssh="$e2e_dir/ssh" --server="$e2e_rmux" -L "$l1:localhost:$tcp" 127.0.0.1 \
		>"$e2e_dir/alone.out" 2>&1 </dev/null &
	alone=$!
	wait_for '[ -n "$(doors)" ]' 10 || return 1
	wait_for "'$e2e_rmux' forward-add -L $l2:localhost:$tcp" 10 && whole "$l2" 1000
}
check "rmux forward without a terminal" alone
there_alone() {
	here forward-add -R "$r1:127.0.0.1:$tcp" && far list-forwards -F '#{client_name} #{forward_kind} #{forward_place} #{forward_listen}' >"$e2e_dir/there" &&
		[ "$(wc -l <"$e2e_dir/there")" = 3 ] && grep -qx -- "- -R localhost:$r1 localhost:$r1" "$e2e_dir/there" &&
		grep -qx -- "- -L localhost:$tcp localhost:$l2" "$e2e_dir/there"
}
check "there: a client without a view" there_alone
kill "$alone"
check "and its door goes" gone

guest() {
	ticket=$(far invite -a 127.0.0.1 --for 1d) && ticket=${ticket#rmux join } &&
		outer_start 90 24 "RMUX= '$e2e_rmux' join --name Ana '$ticket'; cat" && expect_screen '\[far\]' 15
}
check "a guest joins" guest
guest_nothing() { ! here forward-add -L "$l1:localhost:$tcp" && nobody "$l1" && [ -z "$(far list-forwards)" ]; }
check "a guest has no forwards, and announces none" guest_nothing

far_stop
done_testing
