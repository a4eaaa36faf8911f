#!/bin/sh
# Sourced by every end-to-end script: private directories and sockets, polling
# with a deadline, an outer terminal to look at, the same commands under tmux
# and under rmux, TAP on standard output.
#
#	. "${top_srcdir:-.}/regress/e2e/lib.sh"
#	test_one() { run set-buffer -b a text; run show-buffer -b a; }
#	compare "a buffer is shown" test_one
#	done_testing
#
# run ARGS           runs $M (tmux or rmux) and prints arguments, both outputs
#                    and the exit code, as compare wants them
# m ARGS             runs $M and prints nothing of its own
# compare NAME FN    FN under tmux and under rmux, each with a new server that
#                    has one session; passes if they print the same
# compare_old NAME FN   the same with tmux 3.3, whose answer rmux keeps
# rmux_only NAME FN EXPECTED   FN under rmux prints EXPECTED
# recorded NAME FN FILE        FN under rmux prints the text in FILE, which is
#                    what tmux 3.8 prints (E2E_RECORD=1 with that tmux writes it)
# check NAME COMMAND...        passes if the command does
# wait_for CONDITION [SECONDS] polls until the shell condition is true
# outer_start COLS ROWS COMMAND, outer_keys KEYS..., outer_screen,
# expect_screen PATTERN [SECONDS]   a terminal that COMMAND runs in
# attach_in COLS ROWS COMMAND, detach   a client of $M there, named $client
#
# E2E_SHOW=1 shows what rmux printed in each comparison.
#
# A comparison is skipped, not failed, where no tmux 3.8 is at hand
# (regress/ref/peer.sh fetches one).

set -u
unset TMUX TMUX_PANE RMUX RMUX_PANE ENV DISPLAY SSH_CONNECTION XDG_RUNTIME_DIR \
	XDG_CONFIG_HOME EDITOR VISUAL
e2e_build=$(cd "${top_builddir:-.}" && pwd) || exit 99
e2e_src=$(cd "${top_srcdir:-.}" && pwd) || exit 99
e2e_rmux=${E2E_RMUX:-$e2e_build/rmux}
e2e_dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-e2e.XXXXXX") || exit 99
e2e_tmux=$(sh "$e2e_src/regress/ref/peer.sh" -n)
e2e_count=0
e2e_failed=0
e2e_pids=
e2e_outer=
M=rmux
export HOME="$e2e_dir/home" SHELL=/bin/sh LC_ALL=C.UTF-8 TERM=xterm-256color
export PS1='$ ' RMUX_TMPDIR="$e2e_dir/s" TMUX_TMPDIR="$e2e_dir/s"
mkdir -p "$HOME" "$RMUX_TMPDIR" "$e2e_dir/work"
chmod 700 "$RMUX_TMPDIR"
cd "$e2e_dir/work" || exit 99

# What draws the outer terminal: an installed tmux, or the reference, which
# scripts and panes find as "tmux".
e2e_have_tmux=yes
e2e_old_tmux=
case $(tmux -V 2>/dev/null) in
"tmux 3.3"*) e2e_outer_tmux=$(command -v tmux) e2e_old_tmux=$e2e_outer_tmux ;;
"tmux 3."[4-9]* | "tmux "[4-9]*) e2e_outer_tmux=$(command -v tmux) ;;
*)
	e2e_outer_tmux=$e2e_tmux
	[ -n "$e2e_tmux" ] || e2e_have_tmux=no
	;;
esac
if [ -n "$e2e_tmux" ]; then
	mkdir "$e2e_dir/bin"
	ln -s "$e2e_tmux" "$e2e_dir/bin/tmux"
	PATH=$e2e_dir/bin:$PATH
fi


# The program under comparison, the outer terminal, and one by name.
m() {
	case $M in
	tmux) "$e2e_tmux" -L e2e -f /dev/null "$@" ;;
	*) "$e2e_rmux" -L e2e -f /dev/null "$@" ;;
	esac
}

outer() {
	"$e2e_outer_tmux" -L outer -f /dev/null "$@"
}

e2e_cleanup() {
	trap - EXIT HUP INT TERM
	# A child of bash has its parent's traps until its words are expanded.
	# shellcheck disable=SC3028 # it falls back where there is none
	[ "${BASHPID:-$$}" = $$ ] || return
	for M in rmux ${e2e_tmux:+tmux}; do
		m kill-server >/dev/null 2>&1
	done
	[ -z "$e2e_outer" ] || outer kill-server >/dev/null 2>&1
	for pid in $e2e_pids; do
		wait_for "! alive $pid" 3 ||
			kill -9 "$pid" 2>/dev/null
	done
	cd / && rm -rf "$e2e_dir"
}
trap e2e_cleanup EXIT
trap 'e2e_cleanup; exit 1' HUP INT TERM

# wait_for CONDITION [SECONDS]
wait_for() {
	e2e_end=$(($(date +%s) + ${2:-10}))
	until eval "$1"; do
		[ "$(date +%s)" -le "$e2e_end" ] || {
			echo "$1" >>"$e2e_dir/timeouts"
			return 1
		}
		sleep 0.02 # sleep-ok: the one poll of all end-to-end scripts
	done
	return 0
}

# True if a process runs; a zombie does not.
alive() {
	kill -0 "$1" 2>/dev/null || return 1
	case $(ps -o stat= -p "$1" 2>/dev/null) in
	Z* | "") return 1 ;;
	esac
	return 0
}

# --- TAP ----------------------------------------------------------------------

ok() {
	e2e_count=$((e2e_count + 1))
	echo "ok $e2e_count - $1"
}

# not_ok NAME [FILE with the reason]
not_ok() {
	e2e_count=$((e2e_count + 1))
	e2e_failed=$((e2e_failed + 1))
	echo "not ok $e2e_count - $1"
	[ -z "${2:-}" ] || sed 's/^/# /' "$2"
}

skip() {
	e2e_count=$((e2e_count + 1))
	echo "ok $e2e_count - $1 # SKIP $2"
}

# have PROGRAM...: all of them are installed.
have() {
	for e2e_need; do command -v "$e2e_need" >/dev/null || return 1; done
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

done_testing() {
	echo "1..$e2e_count"
	[ "$e2e_failed" = 0 ]
	exit
}

# check NAME COMMAND...
check() {
	e2e_name=$1
	shift
	if "$@" >"$e2e_dir/check.out" 2>&1; then
		ok "$e2e_name"
	else
		not_ok "$e2e_name" "$e2e_dir/check.out"
	fi
}

# --- servers ------------------------------------------------------------------

# A new server with one session "s" of COLSxROWS and a quiet shell.
start() {
	m new-session -d -s s -x "${1:-80}" -y "${2:-24}" "${3:-cat}" || return 1
	e2e_pid=$(m display-message -p '#{pid}')
	e2e_pids="$e2e_pids $e2e_pid"
}

stop() {
	m kill-server >/dev/null 2>&1
	wait_for "! alive ${e2e_pid:-0}" 10 && return
	# A failed test must not affect the next one.
	kill -9 "$e2e_pid"
	return 1
}

# Replaces the names of the program and of the directory, which differ.
e2e_plain() {
	sed -e 's/tmux/rmux/g' -e 's/TMUX/RMUX/g' \
		-e "s|$e2e_dir/work|DIR|g" -e "s|$e2e_dir|TOP|g"
}

# The program gets the standard input.
run() {
	echo "+ $*"
	m "$@" >"$e2e_dir/run.out" 2>"$e2e_dir/run.err"
	e2e_code=$?
	cat "$e2e_dir/run.out"
	sed 's/^/err: /' "$e2e_dir/run.err"
	[ "$e2e_code" = 0 ] || echo "exit: $e2e_code"
}

# Runs FN with a server of its own and prints its output.
e2e_run_in() {
	M=$1
	rm -rf "$e2e_dir/work"
	mkdir "$e2e_dir/work"
	cd "$e2e_dir/work" || exit 99
	start || echo "server did not start"
	"$2" </dev/null 2>&1
	stop || echo "server did not end"
}

compare() {
	if [ -z "$e2e_tmux" ]; then
		skip "$1" "no such tmux to compare with"
		return
	fi
	e2e_run_in tmux "$2" >"$e2e_dir/tmux.raw" 2>&1
	e2e_plain <"$e2e_dir/tmux.raw" >"$e2e_dir/tmux.out"
	rm -f "$e2e_dir/timeouts"
	e2e_run_in rmux "$2" >"$e2e_dir/rmux.raw" 2>&1
	e2e_plain <"$e2e_dir/rmux.raw" >"$e2e_dir/rmux.out"
	if [ -s "$e2e_dir/timeouts" ]; then
		# A timeout on both sides is a failure, too.
		not_ok "$1: waited in vain" "$e2e_dir/timeouts"
	elif diff -u "$e2e_dir/tmux.out" "$e2e_dir/rmux.out" \
		>"$e2e_dir/diff" 2>&1; then
		ok "$1"
	else
		not_ok "$1" "$e2e_dir/diff"
	fi
	[ -z "${E2E_SHOW:-}" ] || sed 's/^/#| /' "$e2e_dir/rmux.raw"
}

# compare_old NAME FN: for what rmux keeps as it was in tmux 3.3.
compare_old() {
	e2e_new_tmux=$e2e_tmux
	e2e_tmux=$e2e_old_tmux
	compare "$1, as in tmux 3.3" "$2"
	e2e_tmux=$e2e_new_tmux
}

# recorded NAME FN FILE
recorded() {
	e2e_record=$e2e_src/regress/e2e/$3
	if [ -n "${E2E_RECORD:-}" ]; then
		e2e_run_in tmux "$2" >"$e2e_dir/tmux.raw" 2>&1
		e2e_plain <"$e2e_dir/tmux.raw" >"$e2e_record"
	fi
	rmux_only "$1" "$2" "$(cat "$e2e_record")"
}

# rmux_only NAME FN EXPECTED
rmux_only() {
	e2e_run_in rmux "$2" >"$e2e_dir/rmux.raw" 2>&1
	e2e_plain <"$e2e_dir/rmux.raw" >"$e2e_dir/rmux.out"
	: >"$e2e_dir/expected"
	[ -z "$3" ] || printf '%s\n' "$3" >"$e2e_dir/expected"
	if diff -u "$e2e_dir/expected" "$e2e_dir/rmux.out" \
		>"$e2e_dir/diff" 2>&1; then
		ok "$1"
	else
		not_ok "$1" "$e2e_dir/diff"
	fi
}

# Waits until pane TARGET of $M shows PATTERN.
expect_pane() {
	wait_for "m capture-pane -p -t '$1' 2>/dev/null | grep -q -- '$2'" \
		"${3:-10}" || echo "pane $1 does not show: $2"
}

# --- an outer terminal ----------------------------------------------------------

# outer_start COLS ROWS COMMAND
outer_start() {
	if [ -n "$e2e_outer" ]; then
		outer kill-server >/dev/null 2>&1
		wait_for "! alive $e2e_outer" 5
	fi
	outer new-session -d -x "$1" -y "$2" "$3" || return 1
	e2e_outer=$(outer display-message -p '#{pid}')
	e2e_pids="$e2e_pids $e2e_outer"
	outer set -g status off
	outer set -sg escape-time 0
}

# How a client of $M is started inside the outer terminal.
attach_command() {
	case $M in
	tmux) echo "TMUX= '$e2e_tmux' -L e2e -f /dev/null attach" ;;
	*) echo "RMUX= '$e2e_rmux' -L e2e -f /dev/null attach" ;;
	esac
}

# attach_in COLS ROWS COMMAND
attach_in() {
	outer_start "$1" "$2" "$3"
	wait_for '[ -n "$(m list-clients)" ]' || echo "no client"
	client=$(m list-clients -F '#{client_name}')
}

detach() {
	m detach-client -t "$client"
	wait_for '[ -z "$(m list-clients)" ]' || echo "client stays"
}

outer_keys() {
	outer send-keys "$@"
}

outer_screen() {
	outer capture-pane -p "$@" 2>/dev/null
}

# expect_screen PATTERN [SECONDS]; prints the screen if PATTERN is missing.
expect_screen() {
	wait_for "outer_screen | grep -q -- '$1'" "${2:-10}" && return 0
	echo "screen does not show: $1"
	outer_screen
	return 1
}

# settle WORD: shows a message to know that everything before it is drawn, then
# removes the message.
settle() {
	m display-message -d 0 -c "$client" "settled $1"
	wait_for "outer_screen | grep -q 'settled $1'" || echo "no message $1"
	outer_keys F12
	wait_for "! outer_screen | grep -q 'settled'" || echo "message stays $1"
}
