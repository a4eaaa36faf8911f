#!/bin/sh
# The server is silent: the client runs ssh again, by itself or on request.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"

# The fake ssh records its arguments, and fails on request.
mv "$e2e_dir/ssh" "$e2e_dir/ssh.real"
cat >"$e2e_dir/ssh" <<END
#!/bin/sh
echo "\$*" >>"$e2e_dir/ssh.calls"
[ ! -f "$e2e_dir/ssh.fails" ] || {
	echo "kex: no route" >&2
	exit 255
}
while [ -f "$e2e_dir/ssh.waits" ]; do :; done
exec "$e2e_dir/ssh.real" "\$@"
END
chmod +x "$e2e_dir/ssh"

# over OPTIONS: --again=1 tries after a second, =0 only when asked.
over() {
	outer_start 100 24 "$(remote_cmd "$1" --udp=127.0.0.1:"$relay_port")"
	expect_screen '\[far\]' 15
}

# The server is still there: keys typed during the silence arrive.  An
# unanswered key makes the client notice the silence at once.
cut() {
	echoes before || return 1
	rm -f "$e2e_dir/ssh.calls"
	relay_say "both off=1"
	outer_keys C-u 'echo typed$((1+1))' Enter
}

# The server has the same client, over another path, and no second one.
through_ssh() {
	expect_screen typed2 30 &&
		[ "$(far list-clients | wc -l)" = 1 ] &&
		[ "$(far list-clients -F '#{client_link}')" = ssh ]
}

resumes() {
	cut && through_ssh && grep -q BatchMode "$e2e_dir/ssh.calls"
}

resumes_asked() {
	outer_keys clear Enter
	cut || return 1
	touch "$e2e_dir/ssh.waits"
	# The client refuses until it has noticed the silence.
	wait_for 'outer_keys C-^ r; [ -s "$e2e_dir/ssh.calls" ]' 20
	# Pressed again while ssh works: it is not run anew.
	outer_keys C-^ r C-^ r C-^ r
	rm "$e2e_dir/ssh.waits"
	through_ssh && ! grep -q BatchMode "$e2e_dir/ssh.calls" &&
		[ "$(wc -l <"$e2e_dir/ssh.calls")" = 1 ]
}

goes_back_to_udp() {
	relay_say "both off=0"
	wait_for '[ "$(far list-clients -F "#{client_link}")" = udp ]' 30 &&
		wait_for "! alive $(cat "$e2e_dir/ssh.pid")" 20 && echoes after
}

# The ssh that carries the session dies while UDP is still blocked.
ssh_dies() {
	over --again=20 && echoes carried || return 1
	[ "$(far list-clients -F '#{client_link}')" = ssh ] || return 1
	rm -f "$e2e_dir/ssh.calls"
	# Its shell may wait for a child that holds the pipes.
	ssh_now=$(cat "$e2e_dir/ssh.pid")
	ps -A -o pid= -o ppid= | while read -r ssh_child ssh_parent; do
		[ "$ssh_parent" != "$ssh_now" ] || kill -9 "$ssh_child"
	done
	kill -9 "$ssh_now"
	outer_keys 'echo held$((6*7))' Enter
	expect_screen 'ssh has ended' && expect_screen held42 15 &&
		grep -q BatchMode "$e2e_dir/ssh.calls" &&
		[ "$(far list-clients | wc -l)" = 1 ]
}

# The server is gone: another server, another key, the same terminal.
again() {
	rm -f "$e2e_dir/ssh.calls"
	kill -9 "$far_pid"
	wait_for "! alive $far_pid"
	far_start
	# The unanswered key is lost with its server.
	outer_keys x
	expect_screen 'signed in again' 40 && echoes renewed &&
		grep -q BatchMode "$e2e_dir/ssh.calls"
}

asks() {
	touch "$e2e_dir/ssh.fails"
	kill -9 "$far_pid"
	wait_for "! alive $far_pid"
	outer_keys x
	expect_screen 'to sign in again: Ctrl-^ r' 20 || return 1
	rm -f "$e2e_dir/ssh.calls"
	outer_keys C-^ r
	expect_screen 'signing in again failed: ssh could not reach' 20 ||
		return 1
	rm -f "$e2e_dir/ssh.fails"
	far_start
	outer_keys C-^ r
	# Keys typed earlier go to ssh.
	expect_screen 'signed in again' 20 && echoes asked 20 &&
		expect_screen '\[far\]' &&
		head -1 "$e2e_dir/ssh.calls" | grep -vq BatchMode
}

# The detaching client reports whether the server has confirmed.
left() {
	outer_keys C-^ .
	expect_screen '\[left; the session goes on\]' && expect_screen '^sane'
}

left_dead() {
	kill -9 "$far_pid"
	wait_for "! alive $far_pid"
	outer_keys C-^ .
	expect_screen '\[left; no answer (last heard [0-9]* s ago): the session' &&
		expect_screen '^sane'
}

needless() {
	outer_keys C-^ r
	expect_screen 'no need to sign in again' && echoes needless
}

# One free port for all servers of the test; the relay leads to it.
port=$((61001 + $$ % 4000))
far_start() {
	far new-session -d -s far -x 80 -y 24 sh || return 1
	far set-option -s remote-ports $port
	far_pid=$(far display-message -p '#{pid}')
	e2e_pids="$e2e_pids $far_pid"
}

far_start
check "the server's port" far_learn_port
relay "$far_port"
check "a session over UDP" over --again=1
check "UDP is cut: the same session goes through ssh" resumes
check "UDP works again" goes_back_to_udp
check "the server was started anew: a new key" again
check "and the terminal is the user's again" leaves
check "one that does so only when asked" over --again=0
check "UDP is cut: through ssh when asked with Ctrl-^ r" resumes_asked
check "UDP works again" goes_back_to_udp
check "asked for with Ctrl-^ r, which says why it fails" asks
check "not while the server answers" needless
check "left with Ctrl-^ .: the session goes on, and that is said" left
check "one more" over --again=0
check "left when the server is dead: that is said, too" left_dead
relay_stop
far_start
relay "$far_port" -b off=1
check "the ssh that carries the session dies: another one" ssh_dies
check "and the terminal is the user's again" leaves
relay_stop
far_stop

seconds() {
	"$e2e_rmux" attach --again=soon 127.0.0.1 2>&1 |
		grep -q 'again wants seconds'
}
check "seconds that are none" seconds

done_testing
