#!/bin/sh
# A remote client on a bad network: cuts, new addresses, UDP blocked.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"

over() {
	outer_start 80 24 "$(remote_cmd --udp=127.0.0.1:"$relay_port")"
	expect_screen '\[far\]' 15
}

session() {
	over && echoes "$1" 20 && leaves
}

# The server cannot use a port that is taken for IPv4 alone.
for e2e_port in 60000 60001 60002; do
	"$e2e_build/regress/tools/udp_relay" $e2e_port 9 </dev/null \
		>/dev/null 2>&1 &
	e2e_pids="$e2e_pids $!"
	e2e_held="${e2e_held:-} $!"
done
# Either these processes hold the ports, or others do.
for e2e_port in EA60 EA61 EA62; do
	[ ! -r /proc/net/udp ] ||
		wait_for "cat /proc/net/udp* | grep -q ':$e2e_port '"
done
far_start
check "the server's port" far_learn_port
# A process that did not get its port has ended; the port may be free by now.
free_port() {
	for e2e_port in $e2e_held; do
		alive "$e2e_port" || return 0
	done
	[ "${far_port:-0}" -gt 60002 ]
}
check "which nobody else holds" free_port
for e2e_port in $e2e_held; do
	kill "$e2e_port" 2>/dev/null
done

# --- cut off for a while, and another address ----------------------------------------

# Keys typed during the silence, which is long enough for the client to show its
# banner and to hop to another port.
told() {
	relay_say "both off=1"
	outer_keys C-u 'echo typed$((1+1))' Enter
	outer_keys 'echo blind$((2+2))' Enter
	expect_screen 'last contact' 15 || return 1
	! outer_screen | grep -q typed2
}

back() {
	relay_say "both off=0"
	expect_screen typed2 5 && expect_screen blind4 5 &&
		wait_for "! outer_screen | grep -q 'last contact'"
}

rebound() {
	relay_say rebind
	echoes rebound 5
}
relay "$far_port" -b delay=10
check "through a relay" over
check "a dead link is told" told
check "a cut of seconds: what was typed arrives, and no word more" back
check "another source port, as a NAT may choose" rebound
check "and detach" leaves
relay_stop

# --- the link is dead: commands to the client ----------------------------------------------

reports() {
	outer_keys C-^ '?'
	expect_screen 'RTT'
}

# How long ago the report says that the far side was heard.
age() {
	outer_screen | tr -s '\n ' '  ' | sed -n 's/.*heard \([0-9]*\) ms ago.*/\1/p'
}

renewed() {
	outer_keys C-^ '?'
	expect_screen 'RTT' && was=$(age) &&
		wait_for '[ "$(age)" != "$was" ]' 4 &&
		outer_keys x && wait_for '! outer_screen | grep -q RTT' 3 &&
		outer_keys C-u
}

literal() {
	# Not Ctrl-C: the tty may discard other input of the same read with it.
	outer_keys C-u 'cat -v' Enter
	outer_keys C-^ '^' x Enter
	expect_screen '^^^x' && outer_keys C-d && echoes over
}

quits() {
	relay_say "both off=1"
	outer_keys C-^ .
	expect_screen 'the session goes on' 5 && expect_screen 'exit=0' &&
		expect_screen '^sane'
}

killed() {
	kill -9 "$far_pid"
	outer_keys x
	expect_screen 'last contact' 15 && outer_keys C-^ . &&
		expect_screen '^sane'
}
relay "$far_port" -b delay=5
check "through a relay" over
check "a report on the link" reports
check "the report is renewed, and goes at the next key" renewed
check "the escape key itself" literal
check "quitting over a dead link" quits
relay_stop

# --- bad, but not cut -------------------------------------------------------------------

relay "$far_port" -s 7 -b delay=50,loss=0.29
check "100 ms and 29 % loss each way" session lossy
# The status line tells of the link, and of the keys predicted once they are many.
badge() {
	far set-option -g status-interval 1
	over && expect_screen 'udp [0-9]*ms [0-9]*% lost .*[0-9]$' 20 || return 1
	for e2e_i in 1 2 3 4 5 6; do
		outer_keys 'echo abcdefghijklmnopqrstuvwxyz' Enter
	done
	expect_screen '[0-9]*% lost [0-9]*% predicted' 30 &&
		far list-clients -F '#{client_predicted}' | grep -q '^[0-9]*$' &&
		outer_keys C-u && leaves
}
check "the status line tells of it" badge
relay_stop
relay "$far_port" -b delay=5,hole=600
check "datagrams above 600 bytes vanish" session narrow
relay_stop

# --- UDP blocked -----------------------------------------------------------------------------

by_ssh() {
	over && alive "$(cat "$e2e_dir/ssh.pid")" && echoes tunnel &&
		expect_screen ' ssh [0-9]*ms ' 20
}

unblocked() {
	relay_say "both off=0"
	expect_screen 'rmux: UDP answers' 40 &&
		! outer_screen | grep -q 'does not answer' || return 1
	wait_for "! alive $(cat "$e2e_dir/ssh.pid")" 40 && echoes direct
}
relay "$far_port" -b off=1
check "UDP blocked from the start: through ssh" by_ssh
check "UDP answers: ssh is left" unblocked
check "and detach" leaves
relay_say "both off=1"
check "blocked again" by_ssh
check "detach through ssh" leaves
relay_stop

# --- the server lets a client go ---------------------------------------------------------------

listed() {
	far list-clients |
		grep -q "udp 127.0.0.1:[0-9]* [0-9]* ms, [0-9.]* %, heard [0-9]* ms ago" &&
		far list-clients -F '#{client_link} #{?client_last_heard,heard,}' |
		grep -q '^udp heard$'
}

# The server drops the client while the link is cut: later keys are discarded.
cut_off() {
	relay_say "both off=1"
	far detach-client -s far
	wait_for '[ -z "$(far list-clients)" ]' || return 1
	outer_keys 'echo ghost' Enter
	relay_say "both off=0"
	expect_screen 'exit=' 30 && expect_screen '^sane' || return 1
	far capture-pane -p -t far | grep -q ghost && return 1
	return 0
}

reaped() {
	far set-option -s silence-timeout 2
	relay_say "both off=1"
	wait_for '[ -z "$(far list-clients)" ]' 15 || return 1
	relay_say "both off=0"
	# The client may hear of it before the keys, which the terminal then shows.
	outer_keys C-^ .
	expect_screen 'sane$' && far set-option -su silence-timeout
}

relay "$far_port" -b delay=5
check "through a relay" over
check "keys and their echo" echoes listed
check "list-clients says how it is reached" wait_for listed
check "detach-client while the link is dead: cut off for good" cut_off
check "through the relay again" over
check "a client silent for silence-timeout is gone" reaped
relay_stop

# --- the server is killed ----------------------------------------------------------------------

relay "$far_port" -b delay=5
check "through a relay" over
check "the server is killed: told, and the terminal is sane" killed
relay_stop

done_testing
