#!/bin/sh
# Keys and tickets in the memory of servers and clients, through the life of
# invitations and remote clients.  They must be nowhere but in locked memory,
# and nowhere at all after their end.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
have python3 || skip_all "needs python3"
[ -r /proc/self/smaps ] || skip_all "needs Linux"
if nm "$e2e_rmux" 2>/dev/null | grep -q __asan_; then
	skip_all "AddressSanitizer keeps freed memory"
fi

export RMUX_DUMPABLE=1

memory() {
	memory_what=$1
	shift
	python3 "$e2e_src/regress/hostile/memory.py" "$memory_what" "$@"
}

own_known=$e2e_dir/known
far_known=$e2e_dir/known.far
mkdir "$own_known" "$far_known"
known=$own_known
forget() {
	rm -f "$known"/*
}

# The process of the client that person NAME runs.
process_of() {
	outer display-message -p -t "=$1:" '#{pane_pid}' >"$e2e_dir/pane" &&
		client_pid=$(pgrep -P "$(cat "$e2e_dir/pane")" rmux | head -1) &&
		[ -n "$client_pid" ]
}

# That process's launcher (client/launch.h) has none of its keys.
launcher_has_none() {
	launcher_pid=$(pgrep -P "$client_pid") && [ -n "$launcher_pid" ] &&
		memory gone "$known" "$launcher_pid"
}

begin() {
	start 80 24 sh && m set-option -g display-time 30000
}
check "a server" begin

finds_what_is_there() {
	m set-buffer 'k7!Q-zW3_x(9Lm$2pT' &&
		memory add "$known" word 'k7!Q-zW3_x(9Lm$2pT' &&
		! memory search "$known" "$e2e_pid" && forget
}
check "the search finds a word in a buffer" finds_what_is_there

hidden() {
	env -u RMUX_DUMPABLE "$e2e_rmux" -L hidden -f /dev/null \
		new-session -d -s s 'ulimit -c >core; exec cat' || return 1
	hidden_pid=$("$e2e_rmux" -L hidden display-message -p '#{pid}')
	e2e_pids="$e2e_pids $hidden_pid"
	wait_for '[ -s core ]'
	hidden_core=$(sed -n 's/^Max core file size *\([^ ]*\).*/\1/p' \
		"/proc/$hidden_pid/limits")
	hidden_owner=$(stat -c %u "/proc/$hidden_pid/mem")
	"$e2e_rmux" -L hidden kill-server
	echo "core $hidden_core, owner $hidden_owner, pane $(cat core)"
	# shellcheck disable=SC3045 # dash and bash have it
	[ "$hidden_core" = 0 ] && [ "$hidden_owner" = 0 ] &&
		[ "$(cat core)" = "$(ulimit -c)" ]
}
check "a server has no core dumps, its memory is root's; its panes may" hidden

# --- a remote client -------------------------------------------------------------

# Learns the key of the client that person NAME runs, and all derived from it.
learn_far() {
	memory add "$known" key "$(sed -n \
		's/.*RMUX CONNECT 1 [0-9]* [0-9a-f]* \([^ ]*\) .*/\1/p' \
		"$e2e_dir/connect")" && process_of "$1" &&
		memory learn "$known" "$far_pid" "$client_pid"
}
# connects: prints the processes __connect of this script; others may run beside
# it.  Their environment names its folder.
connects() {
	for p in $(pgrep -f "$e2e_rmux __connect"); do
		[ "$(readlink "/proc/$p/exe")" = "$(readlink -f "$e2e_rmux")" ] &&
			tr '\0' '\n' 2>/dev/null <"/proc/$p/environ" |
			grep -qF "=$e2e_dir" && echo "$p"
	done
}
# With the process that ssh runs, which has passed the key on.
tunnelled() {
	forget
	far_start && touch "$e2e_dir/tee" &&
		person tun 80 24 "$(remote_cmd --udp=127.0.0.1:9)" &&
		sees tun '\[far\]' 15 || return 1
	connect_pid=$(connects)
	[ -n "$connect_pid" ] && learn_far tun &&
		memory search "$known" "$far_pid" "$client_pid" "$connect_pid" &&
		keys tun C-b d && sees tun 'exit=0' &&
		wait_for '[ "$(memory locked "$far_pid")" = 0 ]' 10
}
known=$far_known
check "a remote client through ssh" tunnelled
known=$own_known

# --- invitations ---------------------------------------------------------------

invited() {
	forget
	ticket --view --for 10m && memory add "$known" ticket "$ticket" &&
		[ "$(memory locked "$e2e_pid")" = 2 ] &&
		memory search "$known" "$e2e_pid"
}
joined() {
	person ana 60 16 "$(join Ana)" && sees ana '[$#] *$' &&
		wait_for 'm list-clients | grep -q Ana' && process_of ana &&
		memory learn "$known" "$e2e_pid" "$client_pid" &&
		[ "$(wc -l <"$known/known")" -ge 10 ] &&
		memory search "$known" "$e2e_pid" "$client_pid" &&
		launcher_has_none
}
revoked() {
	m invite -k 1 && sees ana 'invitation was revoked' &&
		wait_for '[ "$(memory locked "$e2e_pid")" = 0 ]' 40 &&
		memory gone "$known" "$e2e_pid"
}
expired() {
	forget
	ticket --view --for 1s && memory add "$known" ticket "$ticket" &&
		wait_for '[ -z "$(m invite -l)" ]' &&
		memory gone "$known" "$e2e_pid"
}
# The text is read from the terminal, and then of no use to anybody.
once() {
	forget
	ticket --type --once && memory add "$known" ticket "$ticket" &&
		person bob 60 16 "RMUX= '$e2e_rmux' join --name Bob -; echo exit=\$?; cat" &&
		sees bob 'ticket:' && keys bob -l "$ticket" && keys bob Enter &&
		wait_for 'm list-clients | grep -q Bob' && process_of bob &&
		wait_for '[ "$(memory locked "$client_pid")" = "$(memory locked "$e2e_pid")" ]' &&
		memory gone "$known" "$e2e_pid" "$client_pid"
}
typed() {
	memory learn "$known" "$e2e_pid" "$client_pid" &&
		keys bob 'echo typed $((6*7))' Enter && sees bob 'typed 42' &&
		memory search "$known" "$e2e_pid" "$client_pid"
}
# The words are arguments.
spoken() {
	forget
	ticket --view --once -w && memory add "$known" spoken "$ticket" &&
		memory search "$known" "$e2e_pid" &&
		person cat 60 16 "RMUX= '$e2e_rmux' join --name Cat $ticket; echo exit=\$?; cat" &&
		wait_for 'm list-clients | grep -q Cat' && process_of cat &&
		wait_for '[ "$(memory locked "$client_pid")" = "$(memory locked "$e2e_pid")" ]' &&
		memory gone "$known" "$e2e_pid" "$client_pid" && launcher_has_none &&
		m detach-client -t Cat &&
		wait_for '[ "$(memory locked "$e2e_pid")" = 0 ]' 20
}
check "an invitation" invited
check "a guest" joined
check "revoked: nothing is left" revoked
check "expired: nothing is left" expired
check "spoken and used once: nothing is left at either end" spoken
check "used once: nothing is left at either end" once
check "and its session" typed

# Freed memory is filled: a use of it ends the server with a signal.
ends_with_one() {
	MALLOC_PERTURB_=165 "$e2e_rmux" -L end -f /dev/null -D &
	end_pid=$!
	e2e_pids="$e2e_pids $end_pid"
	wait_for '"$e2e_rmux" -N -L end new-session -d -s s cat 2>/dev/null' &&
		"$e2e_rmux" -L end invite -t s -a 127.0.0.1 >/dev/null &&
		"$e2e_rmux" -L end kill-server && wait $end_pid
}
check "a server ends in order while an invitation is open" ends_with_one

# --- over UDP -------------------------------------------------------------------

attached_far() {
	person far 80 24 "$(remote_cmd --rekey=1)" && sees far '\[far\]' &&
		learn_far far &&
		memory search "$known" "$far_pid" "$client_pid" &&
		launcher_has_none
}
rekeyed() {
	for _ in 1 2; do
		# shellcheck disable=SC2034 # wait_for reads it
		rekeyed_lines=$(wc -l <"$known/known")
		wait_for 'memory learn "$known" "$far_pid" "$client_pid"
			[ "$(wc -l <"$known/known")" -ge $((rekeyed_lines + 6)) ]' ||
			return 1
	done
	keys far 'echo after $((6*7))' Enter
	sees far 'after 42' &&
		memory search "$known" "$far_pid" "$client_pid"
}
detached_far() {
	keys far C-b d
	sees far 'exit=0' &&
		wait_for '[ "$(memory locked "$far_pid")" = 0 ]' 40 &&
		memory gone "$known" "$far_pid"
}
known=$far_known
check "one over UDP" attached_far
check "two new keys" rekeyed
check "detached: nothing is left" detached_far
far_stop
done_testing
