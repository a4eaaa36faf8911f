#!/bin/sh
# Confined processes: a fault inside them (regress/hostile/try.c) does what is
# forbidden, and everything that they are for goes on.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -z "${RMUX_ASAN:-}" ] || skip_all "ASan comes before any other library"
try=$e2e_build/regress/hostile/try.so
[ -r "$try" ] || skip_all "no try.so"
"$e2e_rmux" doctor </dev/null 2>&1 | grep -q 'ok *sandbox' ||
	skip_all "this machine has no sandbox, or only a part"
err=$e2e_dir/tries

# provoke NAME: the server's screen does. The painter writes only cells that
# change: each time the text begins in another column.
pad=
provoke() {
	pad=$pad-=-
	far send-keys -t far: C-u "clear; echo $pad TRY:$1:" Enter
}

# tried NAME RESULT
tried() {
	provoke "$1"
	wait_for "grep -q '^$1 $2' '$err'" && return 0
	cat "$err"
	return 1
}

# status_has NAME VALUE PID: a line of a process' status.
status_has() {
	grep -q "^$1:[[:space:]]*$2\$" "/proc/$3/status" && return 0
	grep -E 'Seccomp|NoNewPrivs|Cap' "/proc/$3/status"
	return 1
}

confined() {
	status_has Seccomp 2 "$1" && status_has NoNewPrivs 1 "$1" &&
		status_has CapEff 0000000000000000 "$1"
}

# client_pid WORDS: of the older process with these arguments, the client.
client_pid() {
	ps -A -o pid= -o args= | awk -v s="$e2e_rmux $1" \
		'index($0, s) && !/tmux|sh -c|awk/ { print $1 }' | sort -n | head -1
}

child_of() {
	ps -A -o pid= -o ppid= | awk -v p="$1" '$2 == p { print $1; exit }'
}

# far_attach OPTIONS
far_attach() {
	: >"$err"
	# The last provocation must not meet the next client.
	far send-keys -t far: C-u clear Enter
	wait_for '! far capture-pane -p -t far: | grep -q TRY'
	outer_start 80 24 "(LD_PRELOAD='$try'; export LD_PRELOAD; $(remote_cmd "$@" 2>/dev/null)) 2>'$err'"
	expect_screen '\[far\]' 15
}

refuses() {
	tried open 'Operation not permitted' &&
		tried create 'Operation not permitted' &&
		tried unix 'Operation not permitted' &&
		tried tcp 'Operation not permitted' &&
		tried type 'Operation not permitted' &&
		tried kill 'Operation not permitted' &&
		tried code 'Operation not permitted' &&
		tried fork 'Operation not permitted' &&
		tried udp DONE && echoes goes-on
}
is_confined() {
	pid=$(client_pid "attach --ssh=$e2e_dir/ssh ")
	[ -n "$pid" ] && confined "$pid" || return 1
	# The launcher runs ssh, which may be set-user-ID: it is free.
	status_has Seccomp 0 "$(child_of "$pid")"
}
ends_on() {
	provoke "$1"
	expect_screen '^exit=159' && expect_screen '^sane' &&
		wait_for "grep -q 'ended by its sandbox: system call' '$err'"
}
far_start
pane_is_free() {
	pane_pid=$(far display-message -p -t far: '#{pane_pid}')
	status_has Seccomp 0 "$pane_pid" && status_has NoNewPrivs 0 "$pane_pid"
}
check "programs in panes are not confined: sudo works" pane_is_free
check "attach" far_attach
check "its client is confined, its launcher is not" is_confined
check "what the fault in it tries is refused" refuses
check "a program is its end, and the terminal is the user's" ends_on exec

free() {
	far_attach --sandbox=off || return 1
	tried open DONE && tried unix DONE && leaves
}
check "--sandbox=off confines nothing" free
required() {
	far_attach --sandbox=require && outer_keys C-^ '?' &&
		expect_screen ', sandbox' && leaves
}
check "--sandbox=require, and Ctrl-^ ? tells of it" required
# A kernel without Landlock (its first call is 444 on every processor).
older() {
	RMUX_TRY_OLD=444 LD_PRELOAD="$try" "$e2e_rmux" doctor </dev/null 2>&1 |
		grep -q 'note *sandbox *the kernel has no Landlock' || return 1
	outer_start 100 24 "RMUX_TRY_OLD=444 LD_PRELOAD='$try'; export RMUX_TRY_OLD LD_PRELOAD; $(remote_cmd)"
	expect_screen '\[far\]' 15 && echoes less && outer_keys C-^ '?' &&
		expect_screen 'sandbox lacks: the kernel has no Landlock' &&
		leaves || return 1
	outer_start 100 24 "RMUX_TRY_OLD=444 LD_PRELOAD='$try'; export RMUX_TRY_OLD LD_PRELOAD; $(remote_cmd --sandbox=require)"
	expect_screen 'sandbox=require, but the kernel has no Landlock' &&
		expect_screen '^exit=1' && expect_screen '^sane'
}
check "an older kernel confines less, and rmux says so" older
word() {
	"$e2e_rmux" attach --sandbox=maybe 127.0.0.1 2>&1 |
		grep -q 'sandbox wants auto, require or off: maybe'
}
check "a word that is none" word
suspends() {
	outer_start 80 24 "PS1='\$ ' TERM=xterm-256color sh -m"
	expect_screen '^\$' || return 1
	outer_keys "$(remote_cmd | sed 's/;.*//')" Enter
	expect_screen '\[far\]' 15 || return 1
	outer_keys C-^ C-z
	expect_screen 'Stopped\|suspended' || return 1
	outer_keys 'fg' Enter
	echoes back && outer_keys C-b d && expect_screen 'detached'
}
check "suspended and continued" suspends

# --- code in memory ------------------------------------------------------------

# The server and a program in its pane write a line each.
makes_code() {
	RMUX_TMPDIR="$far_dir" RMUX_TRY_CODE="$e2e_dir/code" \
		LD_PRELOAD="$try" "$e2e_rmux" -L code -f /dev/null -D &
	code_pid=$!
	e2e_pids="$e2e_pids $code_pid"
	wait_for 'far -N -L code new-session -d -s code /bin/true' &&
		wait_for "! alive $code_pid" &&
		grep -q '^rmux' "$e2e_dir/code" &&
		grep -q '^true DONE' "$e2e_dir/code" || return 1
	# Linux 6.6 has it.
	[ "$(printf '6.6\n%s\n' "$(uname -r)" | sort -V | head -1)" != 6.6 ] ||
		! grep '^rmux DONE' "$e2e_dir/code"
}
check "rmux makes no code in memory, programs in panes do" makes_code

# --- the far side of ssh -------------------------------------------------------

mv "$e2e_dir/ssh" "$e2e_dir/ssh.real"
cat >"$e2e_dir/ssh" <<END
#!/bin/sh
exec "$e2e_dir/ssh.real" "\$@" 2>>"$err"
END
chmod +x "$e2e_dir/ssh"

at_end() {
	wait_for "grep -q '^end-$1 Operation not permitted' '$err'" && return 0
	cat "$err"
	return 1
}
# The outer server has no environment of this shell.
relay_started() {
	: >"$err"
	outer_start 80 24 "RMUX_TRY_END=relay LD_PRELOAD='$try'; export RMUX_TRY_END LD_PRELOAD; $(remote_cmd --udp=127.0.0.1:9)"
	expect_screen '\[far\]' 15 && echoes through && leaves && at_end relay
}
check "the far end of ssh is confined, and carries the session" relay_started

doctors() {
	: >"$err"
	RMUX_TRY_END=doctor LD_PRELOAD="$try" "$e2e_rmux" doctor \
		--ssh="$e2e_dir/ssh" --server="$e2e_rmux" 127.0.0.1 \
		>"$e2e_dir/doctor.out" 2>>"$err" </dev/null
	grep -q 'ok *UDP' "$e2e_dir/doctor.out" || {
		cat "$e2e_dir/doctor.out"
		return 1
	}
	# Both ends.
	wait_for "[ \$(grep -c '^end-doctor Operation not permitted' '$err') = 2 ]" ||
		{ cat "$err"; return 1; }
}
check "both ends of doctor are confined, and it finds what it did" doctors
far_stop
mv "$e2e_dir/ssh.real" "$e2e_dir/ssh"

# --- a guest -------------------------------------------------------------------

far() {
	m "$@"
}
guest() {
	: >"$err"
	start 80 24 sh && m rename-session far && ticket --type &&
		person bob 90 24 "(LD_PRELOAD='$try'; export LD_PRELOAD; $(join "bob$$")) 2>'$err'" &&
		sees bob '\[far\]'
}
guest_confined() {
	pid=$(client_pid "join --name bob$$")
	confined "$pid" && confined "$(child_of "$pid")"
}
guest_refuses() {
	tried open 'Operation not permitted' &&
		tried unix 'Operation not permitted' &&
		keys bob C-u 'echo typed$((6*7))' Enter && sees bob typed42
}
guest_ends() {
	provoke exec
	sees bob 'exit=159' && sees bob '^sane'
}
check "a guest joins" guest
check "its client and its launcher are confined" guest_confined
check "what the fault in it tries is refused" guest_refuses
check "a program is its end" guest_ends
stop

done_testing
