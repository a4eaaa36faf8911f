#!/bin/sh
# Forwarded connections of `rmux attach -L -R -D`: TCP and Unix sockets, both ways,
# SOCKS, over a network that moves, stalls and loses.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
. "$e2e_src/regress/e2e/forward_lib.sh"

forward_begin || { not_ok "a remote server"; done_testing; exit 1; }

attaches() {
	over -L "$l1:localhost:$tcp" -L "$l2:$sock" -L "$e2e_dir/local.sock:127.0.0.1:$tcp" \
		-R "$r1:127.0.0.1:$tcp" -R "$e2e_dir/remote.sock:$sock" -D "$d1"
}
check "attach with -L, -R and -D" attaches
check "-L: a port there" whole "$l1" 3000000
check "-L: a Unix socket there" whole "$l2" 300000
check "-L: at a Unix socket here" whole "$e2e_dir/local.sock" 300000
check "-R: a port here" whole "$r1" 300000
check "-R: between Unix sockets" whole "$e2e_dir/remote.sock" 300000
check "-D: SOCKS 4a" whole "$d1" 100000 4a "localhost:$tcp"
check "-D: SOCKS 5 with a name" whole "$d1" 100000 5 "localhost:$tcp"
check "-D: SOCKS 5 with an IPv6 address" whole "$d1" 100000 6 "::1:$tcp"

many() {
	i=0 pids=
	while [ $i -lt 30 ]; do
		python3 -B "$e2e_src/regress/e2e/forward.py" send "$l1" $((i * 7000)) >"$e2e_dir/many.$i" 2>&1 &
		pids="$pids $!"
		i=$((i + 1))
	done
	for p in $pids; do wait "$p" || return 1; done
	cat "$e2e_dir"/many.* | sort -u | grep -qx whole
}
check "thirty at a time" many
check "keys go meanwhile" echoes typed

refused() { ! py send "$d1" 1000 5 "127.0.0.1:1" >"$e2e_dir/said" 2>&1; }
check "a port where nobody listens: the connection ends" refused
no_socks() {
	python3 -c 'import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10)
s.sendall(b"GET / HTTP/1.0\r\n\r\n")
sys.exit(s.recv(100) != b"")' "$d1"
}
check "-D: what is not SOCKS is hung up" no_socks
private() { [ "$(stat -c %a "$e2e_dir/remote.sock")" = 600 ]; }
check "a Unix socket is for its user alone" private

# Four seconds of silence, another address, a lossy link, in the middle of bytes.
survives() {
	relay_say "both rate=400000"
	python3 -B "$e2e_src/regress/e2e/forward.py" send "$l1" 1500000 >"$e2e_dir/long" 2>&1 &
	long=$!
	relay_stalls "$long" 0.1 || return 1
	wait "$long"
	relay_say "both loss=0"
	relay_say "both rate=0"
	grep -qx whole "$e2e_dir/long"
}
check "bytes survive silence, a new address and loss" survives

leaves_all() {
	leaves || return 1
	wait_for "[ ! -e '$e2e_dir/local.sock' ] && [ ! -e '$e2e_dir/remote.sock' ]" 5 &&
		! py send "$l1" 10 >/dev/null 2>&1 && ! py send "$r1" 10 >/dev/null 2>&1
}
check "after the detach nothing listens" leaves_all

in_use() {
	over -L "$busy:localhost:$tcp" -L "$l1:localhost:$tcp" || return 1
	expect_screen "forward -L localhost:$busy.*in use" 10 && whole "$l1" 1000
}
check "a port in use is told, the session goes on" in_use
check "and leaves" leaves
there_in_use() {
	over -R "$busy:localhost:$tcp" || return 1
	expect_screen "forward -R localhost:$busy.*in use" 10
}
check "a port in use there is told" there_in_use
check "and leaves" leaves

# An agent here, for programs in panes there.
agent_starts() {
	eval "$(ssh-agent -s -a "$e2e_dir/agent.sock")" >/dev/null &&
		e2e_pids="$e2e_pids $SSH_AGENT_PID" &&
		ssh-keygen -q -t ed25519 -N '' -C "a key of mine" -f "$e2e_dir/key" &&
		ssh-add -q "$e2e_dir/key"
}
# agent_says WORD: in the pane there, ssh-add lists the key; or, none WORD, it lists nothing.
agent_says() {
	outer_keys C-u "ssh-add -l 2>&1 | grep 'a key of mine' && echo $1\$((6*7))" Enter
	expect_screen "${1}42" 15
}
agent_says_none() {
	outer_keys C-u "ssh-add -l 2>&1 | grep 'a key of mine' || echo $1\$((6*7))" Enter
	expect_screen "${1}42" 15
}
agent_offered() {
	outer_start 100 24 "SSH_AUTH_SOCK='$e2e_dir/agent.sock' $(remote_cmd -A --udp=127.0.0.1:"$relay_port" | sed 's/^RMUX= //')"
	expect_screen '\[far\]' 15 || return 1
	outer_keys C-b c
	expect_screen '1:sh\*' && agent_says first
}
signs() {
	outer_keys clear Enter "ssh-keygen -Y sign -f '$e2e_dir/key.pub' -n file <'$e2e_dir/key.pub' >'$e2e_dir/sig'; echo rc=\$?" Enter
	expect_screen 'rc=0' 15 && grep -q 'BEGIN SSH SIGNATURE' "$e2e_dir/sig"
}
agent_again() {
	relay_say rebind
	agent_says moved && leaves &&
		wait_for '[ "$(far list-clients | wc -l)" = 0 ]' || return 1
	# The same pane, with another client that offers nothing, and then one that does.
	over && agent_says_none without && leaves && agent_attached && agent_says again
}
agent_attached() {
	outer_start 100 24 "SSH_AUTH_SOCK='$e2e_dir/agent.sock' $(remote_cmd -A --udp=127.0.0.1:"$relay_port" | sed 's/^RMUX= //')"
	expect_screen '\[far\]' 15
}
if command -v ssh-agent >/dev/null; then
	check "an agent starts" agent_starts
	check "-A: ssh-add there lists the keys here" agent_offered
	mv "$e2e_dir/key" "$e2e_dir/key.away"
	check "and signs" signs
	check "one path, whoever is attached" agent_again
	check "and leaves" leaves
	far kill-window -t :1
else
	skip "-A" "no ssh-agent"
fi

# ssh's own configuration; ssh itself opens none of it.
sed -i "s|-G) exit 1|-G) cat '$e2e_dir/ssh_config'; exit|; 2i echo \"\$*\" >>'$e2e_dir/ssh.args'" "$e2e_dir/ssh"
cat >"$e2e_dir/ssh_config" <<END
hostname 127.0.0.1
exitonforwardfailure no
dynamicforward /tmp/a.sock
dynamicforward [localhost]:$d1
localforward [127.0.0.1]:$l1 [localhost]:$tcp
remoteforward $r1 [localhost]:$tcp
END
configured() {
	rm -f "$e2e_dir/ssh.args"
	over && whole "$l1" 1000 && whole "$r1" 1000 &&
		whole "$d1" 1000 5 "localhost:$tcp" &&
		grep -q ClearAllForwardings=yes "$e2e_dir/ssh.args"
}
check "LocalForward, RemoteForward and DynamicForward hold" configured
check "and leaves" leaves
off() {
	over --ssh-forwards=off && ! py send "$l1" 10 >/dev/null 2>&1
}
check "--ssh-forwards=off" off
check "and leaves" leaves
strict() {
	sed -i 's/failure no/failure yes/; s/:'"$l1"' /:'"$busy"' /' "$e2e_dir/ssh_config"
	outer_start 100 24 "$(remote_cmd --udp=127.0.0.1:"$relay_port")"
	expect_screen 'in use' 15 && expect_screen 'exit=1'
}
check "ExitOnForwardFailure ends the client" strict

wrong() { # OPTION WORDS
	"$e2e_rmux" attach "$1" "$2" 127.0.0.1 2>"$e2e_dir/said"
	[ $? = 1 ] && grep -q "$3" "$e2e_dir/said"
}
check "wrong: no port" wrong -L nonsense "expected"
check "wrong: a port that is none" wrong -L 99999:host:80 "is no port"
check "wrong: -D with a host" wrong -D 1:2:3 "expected"
here() { ! "$e2e_rmux" attach -L 80:host:80 2>"$e2e_dir/said" && grep -q "another machine" "$e2e_dir/said"; }
check "without a host" here

far_stop
done_testing
