#!/bin/sh
# A full disk under logs, prompt history, buffers and captures: the server
# reports it, keeps the existing files, and the session continues.
#
# As root a file system of 256 kB is made in a mount namespace of its own; for
# others /dev/full stands in where a file is named.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

full=$e2e_dir/full
mkdir "$full"
space=no
# The keeper process holds the namespace; a command that enters it sees the
# small disk.
if [ "$(id -u)" = 0 ] && have unshare nsenter; then
	unshare -m sh -c "cd / && mount -t tmpfs -o size=256k small '$full' &&
		: >'$e2e_dir/mounted' && exec sleep 1000" 2>/dev/null &
	keeper=$!
	wait_for "[ -e '$e2e_dir/mounted' ] || ! alive $keeper" 10
	[ ! -e "$e2e_dir/mounted" ] || space=yes
fi

# inside COMMAND...: runs it in the namespace with the small disk
inside() {
	nsenter -t "$keeper" -m -w "$@"
}

# A server whose directory is the empty small disk.
start_inside() {
	stop
	mkdir -p "$e2e_dir/work"
	inside sh -c 'cd "$1" && shift && exec "$@"' sh "$full" \
		"$e2e_rmux" -L e2e -f "${2:-/dev/null}" ${1:+"$1"} \
		new-session -d -s s -x 80 -y 24 cat
	e2e_pid=$(m display-message -p '#{pid}')
	e2e_pids="$e2e_pids $e2e_pid"
}

fill() {
	inside sh -c 'cat /dev/zero >"$1/filler"' sh "$full" 2>/dev/null
}

empty() {
	inside sh -c 'rm -f "$1"/filler' sh "$full"
}

log() {
	start_inside -vv
	m display-message -p before >/dev/null
	fill
	# The last page of the log still has room.
	wait_for 'm display-message -p "$(seq 100)" >/dev/null
		m show-messages | grep -q "cannot write"' 20
	m show-messages | sed -n 's/.*cannot write rmux-server-[0-9]*/told/p'
	m send-keys -l typed
	expect_pane s: typed
	empty
	m display-message -p after
	# The log holds whole lines only and counts the missing ones.
	inside sh -c 'cat "$1"/rmux-server-*.log' sh "$full" >log
	grep -c 'lines lost before this one' log
	grep -cvE '^[0-9]+ (error|warn|info|debug) [a-z]+: ' log
}

# The old prompt history survives a server that could not write a new one.
history() {
	inside sh -c 'rm -f "$1"/*; echo "command:old one" >"$1/history"' sh "$full"
	echo "set -s history-file '$full/history'" >conf
	start_inside "" "$PWD/conf"
	m show-prompt-history -T command | grep -c 'old one'
	fill
	m kill-server
	wait_for "! alive $e2e_pid"
	inside cat "$full/history"
	inside sh -c 'ls "$1"' sh "$full"
	empty
	m start-server
}

# The directory of sockets on a file system that cannot be written.
read_only() {
	inside mount -o remount,ro "$full"
	inside env RMUX_TMPDIR="$full" "$e2e_rmux" -L other new-session -d \
		2>&1 | sed "s|$full|FULL|"
	inside mount -o remount,rw "$full"
}

if [ $space = yes ]; then
	rmux_only "a full disk: the log is cut, told, and goes on" log \
		"told.log: No space left on device; its lines are lost until there is room
after
1
0"
	rmux_only "a full disk: the history of prompts stays" history \
		"1
command:old one
filler
history"
	rmux_only "a directory on a read-only file system" read_only \
		"couldn't create directory FULL/rmux-0 (Read-only file system): set RMUX_TMPDIR to one that you can write"
	kill "$keeper"
else
	skip "a full disk" "no mount namespace here"
fi

buffers() {
	m set-buffer -b b "$(seq 3000)"
	m save-buffer -b b /dev/full 2>&1
	echo "$?"
	m show-buffer -b b >/dev/full 2>err
	echo "$?"
	cat err
	m pipe-pane 'exec cat >/dev/full' && m send-keys -l typed
	expect_pane s: typed
	m send-keys -l ' on'
	expect_pane s: 'typed on'
	# shellcheck disable=SC2016
	m run-shell 'echo x' \; save-buffer -b b /dev/full \; \
		set-buffer -b not x 2>/dev/null
	m list-buffers -F '#{buffer_name} #{buffer_size}'
}
[ ! -c /dev/full ] || rmux_only "buffers onto a full disk" buffers \
	"No space left on device: /dev/full
1
1
rmux: standard output: No space left on device
x
b 13892"

# The command that starts the server reports a log that cannot be opened.
no_log() {
	stop
	mkdir closed && chmod 500 closed
	closed=closed
	[ "$(id -u)" != 0 ] || closed=/proc
	(cd "$closed" && m -v new-session -d -s s cat 2>&1) |
		sed 's/server-[0-9]*/server-N/; s/log: [A-Z].*(/log: WHY (/'
	m display-message -p alive
}
rmux_only "a log that cannot be begun" no_log \
	"rmux: no log: /proc/rmux-server-N.log: WHY (-v writes it in the current directory)
alive"
done_testing
