# respawn-pane, respawn-window, remain-on-exit.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# tmux says that a pane is dead before it has reaped the program: wait for both.
dead() {
	wait_for "m display-message -p -t $1 '#{pane_dead}:#{pane_dead_status}#{pane_dead_signal}' | grep -q '^1:.'" ||
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

test_dead() {
	m set-option -g remain-on-exit on
	run new-window 'exit 3'
	dead s:1
	run list-panes -t s:1 -F '#{pane_dead} #{pane_dead_status} #{pane_dead_signal}'
	run respawn-pane -t s:1 'kill -9 $$'
	dead s:1
	run respawn-pane -t s:1 cat
	run list-panes -t s:1 -F '#{pane_dead} #{pane_dead_status}'
	run respawn-pane -t s:1 cat
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

compare "respawn-pane" test_pane
compare "respawn-pane of a dead one" test_dead
compare "respawn-window" test_window
done_testing
