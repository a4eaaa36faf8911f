#!/bin/sh
# The ssh agent behind SSH_AUTH_SOCK of panes: one path for ever, the agent of the client
# used last, the option forward-agent.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
command -v ssh-agent >/dev/null || skip_all "no ssh-agent"

# agent NAME: an agent with a key of that name.
agent() {
	eval "$(ssh-agent -s -a "$e2e_dir/$1.agent")" >/dev/null || return 1
	e2e_pids="$e2e_pids $SSH_AGENT_PID"
	unset SSH_AGENT_PID
	ssh-keygen -q -t ed25519 -N '' -C "key-$1" -f "$e2e_dir/$1" &&
		SSH_AUTH_SOCK="$e2e_dir/$1.agent" ssh-add -q "$e2e_dir/$1"
}
agent one && agent two || { not_ok "two agents"; done_testing; exit 1; }
r() { "$e2e_rmux" -L agent -f /dev/null "$@"; }
# attach NAME: a client whose environment names that agent ("": none).
attach() {
	outer_start 90 24 "SSH_AUTH_SOCK='$1' RMUX= '$e2e_rmux' -L agent -f /dev/null attach; cat"
	wait_for '[ "$(r list-clients 2>/dev/null | wc -l)" = 1 ]' 10
}
# lists WORD in the pane: what ssh-add says there.
lists() {
	r send-keys -t a "ssh-add -l 2>&1 | sed 's/.*\\(key-[a-z]*\\).*/<\\1>/; s/.*[Ee]rror.*/<none>/'" Enter
	wait_for "r capture-pane -p -t a | grep -v '^\$' | tail -2 | grep -q '<$1>'" 10 ||
		{ r capture-pane -p -t a | sed 's/^/# /'; false; }
	r send-keys -t a clear Enter
}

SSH_AUTH_SOCK="$e2e_dir/one.agent" r new-session -d -s a -x 80 -y 24 sh
e2e_pids="$e2e_pids $(r display-message -p '#{pid}')"
path=$(r show-environment -t a SSH_AUTH_SOCK)
check "one path" [ "$path" = "SSH_AUTH_SOCK=$(r display-message -p '#{socket_path}').agent" ]
private() { [ "$(stat -c %a "${path#*=}")" = 600 ]; }
check "for the user alone" private
check "before any attach: the agent of the caller" lists key-one
attach "$e2e_dir/two.agent"
check "the agent of the client used last" lists key-two
told() { r show-messages | grep -q 'agent: ssh-add (process [0-9]*) uses that of /dev/'; }
check "each use is told" told
attach "$e2e_dir/one.agent"
check "another client, the same pane" lists key-one
same() { [ "$(r show-environment -t a SSH_AUTH_SOCK)" = "$path" ]; }
check "and the same path" same
signs() {
	mv "$e2e_dir/one" "$e2e_dir/one.away"
	r send-keys -t a "ssh-keygen -Y sign -f '$e2e_dir/one.pub' -n file <'$e2e_dir/one.pub' >'$e2e_dir/sig' 2>/dev/null; echo rc=\$?" Enter
	wait_for "r capture-pane -p -t a | grep -q rc=0" 10 && grep -q 'BEGIN SSH SIGNATURE' "$e2e_dir/sig"
}
check "a signature" signs
attach ""
check "a client without one: that of the last caller" lists key-one

attach "$e2e_dir/two.agent"
r set -s forward-agent ask
asked() {
	r send-keys -t a "ssh-add -l 2>&1 | sed 's/.*\\(key-[a-z]*\\).*/<\\1>/; s/.*[Ee]rror.*/<none>/'" Enter
	expect_screen 'Let ssh-add (process [0-9]*) use your ssh agent' 10 && outer_keys "$1" &&
		wait_for "r capture-pane -p -t a | grep -q '<$2>'" 10 && r send-keys -t a clear Enter
}
check "ask: yes" asked y key-two
check "ask: no" asked n none
gone() {
	r send-keys -t a "ssh-add -l 2>&1 | sed 's/.*[Ee]rror.*/<none>/'" Enter
	expect_screen 'Let ssh-add' 10 && r detach-client -a \; detach-client -s a
	wait_for "r capture-pane -p -t a | grep -q '^<none>'" 10 && r send-keys -t a clear Enter
}
check "ask: the client goes" gone
# Refused in the agent's words, also one that writes late: it would die of SIGPIPE.
unasked() {
	r send-keys -t a "ssh-add -l 2>&1 | sed 's/.*[Ee]rror.*/<none>/'" Enter
	wait_for "r capture-pane -p -t a | grep -q '^<none>'" 10
}
check "ask: nobody to be asked" unasked
late() {
	refused=$(python3 - "${path#*=}" <<'END'
import socket, sys, time
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.settimeout(20)
time.sleep(0.3)  # sleep-ok: the server would close it meanwhile
s.sendall(b'\0\0\0\1\13' + b'\0\0\1\0' + bytes(255))
first = s.recv(5)
s.sendall(bytes(1))
while len(first) < 10:
    first += s.recv(10)
print(first.hex())
END
	) && [ "$refused" = 00000001050000000105 ]
}
check "in the words of its protocol" late

r set -s forward-agent off
off() {
	SSH_AUTH_SOCK="$e2e_dir/one.agent" r new-session -d -s b sh
	[ "$(r show-environment -t b SSH_AUTH_SOCK)" = "SSH_AUTH_SOCK=$e2e_dir/one.agent" ]
}
check "off: as in tmux, the agent that the environment names" off
none() { r send-keys -t a clear Enter; lists none; }
check "and the socket leads nowhere" none
r set -s forward-agent on
dead() {
	SSH_AUTH_SOCK=/nothing/there r new-session -d -s c sh && lists none
}
check "an agent that has gone" dead
r kill-server
check "the socket goes with the server" wait_for '[ ! -e "${path#*=}" ]' 5
done_testing
