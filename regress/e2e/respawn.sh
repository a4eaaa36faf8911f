#!/bin/sh
# respawn-pane, respawn-window, remain-on-exit.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

dead() {
	wait_for "[ \"\$(m display-message -p -t $1 '#{pane_dead}')\" = 1 ]" ||
		echo "$1 is not dead"
}

test_pane() {
	run respawn-pane
	run respawn-pane -t s:0.4
	run respawn-pane -k 'echo again; exec cat'
	expect_pane s:0.0 again
	run list-panes -F '#P #D #{pane_dead}'
	run respawn-pane -k -c / -e V=1 'pwd; echo "v$V"; exec cat'
	expect_pane s:0.0 v1
	run capture-pane -p -E 3
	run respawn-pane -k
	expect_pane s:0.0 v
	run capture-pane -p -E 3
}

# tmux 3.3a may lose the status of a program that it reaps before the pty ends,
# so only rmux's status is checked.
test_dead() {
	m set-option -g remain-on-exit on
	run new-window 'exit 3'
	dead s:1
	run respawn-pane -t s:1 'kill -9 $$'
	dead s:1
	run respawn-pane -t s:1 cat
	run list-panes -t s:1 -F '#{pane_dead}'
	run respawn-pane -t s:1 cat
}

# Panes where no program runs have a title, and the name of their command.
test_names() {
	m set-option -g remain-on-exit on
	# tmux may have named it after the loader that ran before cat.
	m rename-window first
	m set-option -g automatic-rename off
	run new-window 'exec /bin/sleep 0'
	dead s:1
	run split-window -t s:1 sh -c 'exit 2'
	dead s:1.1
	run split-window -t s:1 /bin/echo "a'b" 'c d'
	dead s:1.2
	run new-window -E
	run new-window ''
	run split-window -E
	m list-panes -a -F '#{pane_title}' | sort -u | wc -l
	run list-panes -a -F \
	    '#D #{pane_current_command} #{pane_start_command} #W'
}

test_status() {
	m set-option -g remain-on-exit on
	m new-window 'exit 3'
	dead s:1
	m list-panes -t s:1 -F '#{pane_dead} #{pane_dead_status}'
	m respawn-pane -t s:1 'kill -9 $$'
	dead s:1
	m list-panes -t s:1 -F '#{pane_dead} #{pane_dead_signal}'
}

test_window() {
	m split-window -h cat
	m split-window cat
	m resize-pane -Z
	run respawn-window
	run list-panes -F '#P #D #{pane_active}'
	run respawn-window -k 'echo anew; exec cat'
	expect_pane s:0.0 anew
	run list-panes -F '#P #{pane_width}x#{pane_height} #{pane_active}'
	run respawn-window -t s:5
}

# Programs end just after their last output.
test_together() {
	m set-option -g remain-on-exit "$1"
	rm -f go
	for i in 1 2 3 4 5 6 7 8; do
		m new-window -d -n "w$i" 'until [ -e go ]; do sleep 0.02; done; echo out; exit 3' # sleep-ok
	done
	children=$(m list-panes -a -F '#{pane_pid}' | tail -n +2)
	kill -STOP "$e2e_pid"
	: >go
	# None of them runs; a zombie may remain.
	for i in $children; do
		wait_for "! alive $i"
	done
	kill -CONT "$e2e_pid"
}

test_together_stay() {
	test_together on
	for i in 1 2 3 4 5 6 7 8; do
		dead "s:w$i"
		m capture-pane -p -S - -t "s:w$i" | grep -c '^out$'
		m capture-pane -p -S - -t "s:w$i" | grep -c 'Pane is dead'
	done | sort | uniq -c | tr -d ' '
	[ "$(m display-message -p '#{pid}')" = "$e2e_pid" ] && echo same
}

test_together_go() {
	test_together off
	wait_for '[ "$(m list-windows | wc -l)" = 1 ]'
	m list-windows -F '#{window_index}'
	[ "$(m display-message -p '#{pid}')" = "$e2e_pid" ] && echo same
}

# -W: the command ends with the program; the codes are those of tmux 3.8.
code() {
	m "$@"
	echo "$?"
}

test_waits() {
	m new-window -d cat
	for how in split-window new-pane; do
		code "$how" -W -t s:1 'exit 3'
		code "$how" -W -d -P -F '#{window_panes}' -t s:1 'kill -TERM $$'
		code "$how" -W -t s:1 'exit 4' ';' display-message -p after
	done
	code split-window -W -t s:1 'exit 5' ';' new-pane -W 'exit 0'
	code split-window -W -t s:1 'exit 5' ';' kill-window -t s:9
	for end in kill-pane 'respawn-pane -k'; do
		code split-window -W -t s:1 cat >code &
		wait_for '[ "$(m display-message -p -t s:1 "#{window_panes}")" = 2 ]'
		m $end -t s:1.1 'exit 6' 2>/dev/null || m $end -t s:1.1
		wait $!
		cat code
	done
	m set-option -g remain-on-exit on
	code split-window -W -t s:1 'exit 9'
	m display-message -p -t s:1.1 '#{pane_dead} #{pane_dead_status}'
	m set-option -g remain-on-exit off
	m kill-pane -t s:1.1
	echo text | code split-window -W -I -t s:1
	code split-window -W -t s:1 cat >code &
	wait_for '[ "$(m display-message -p -t s:1 "#{window_panes}")" = 3 ]'
	m kill-window -t s:1
	wait $!
	cat code
}

compare "respawn-pane" test_pane
compare "respawn-pane of a dead one" test_dead
rmux_only "split-window -W waits" test_waits "3
2
143
after
4
3
2
143
after
4
0
can't find window: 9
1
129
6
9
1 9
0
129"
rmux_only "status and signal of a dead pane" test_status "1 3
1 9"
rmux_only "programs that end together and stay" test_together_stay "161
same"
rmux_only "programs that end together and go" test_together_go "0
same"
compare "respawn-window" test_window
compare "names of panes without a program" test_names
done_testing
