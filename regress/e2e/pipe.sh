#!/bin/sh
# pipe-pane, send-keys, hooks.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

pipes() {
	run pipe-pane "cat >'$PWD/log'"
	run display-message -p '#{pane_pipe}'
	m send-keys hello Enter
	wait_for "[ \"\$(grep -c hello log 2>/dev/null)\" = 2 ]" || echo nothing came
	run pipe-pane -o "cat >'$PWD/other'"
	run display-message -p '#{pane_pipe}'
	m send-keys unheard Enter
	expect_pane s: unheard
	grep -c unheard log
	[ -e other ] || echo "no other"
	run pipe-pane -o "cat >'$PWD/#{session_name}.log'"
	m send-keys again Enter
	wait_for "grep -q again s.log 2>/dev/null" && echo came
	run pipe-pane
	# tmux may lose the last output of a pipe that ended: this one keeps running.
	run pipe-pane -I "echo typed; echo more; timeout 2 tail -f /dev/null"
	expect_pane s: more
	run pipe-pane -IO "echo ready; cat >'$PWD/both'"
	wait_for "grep -q ready both 2>/dev/null" && echo both
	run pipe-pane
}
compare "pipe-pane" pipes

flood() {
	m pipe-pane "cat >'$PWD/log'"
	m new-window "cat"
	m pipe-pane -t s:0 "cat >'$PWD/log'"
	m run-shell "seq 1 200000 >'$PWD/in'"
	m new-window -n f "cat; exec cat"
	m pipe-pane -t s:f "cat >'$PWD/log'"
	m send-keys -t s:f "" ""
	m new-window -n g "stty -opost -echo; printf rdy; read x; cat in; printf end; exec cat"
	expect_pane s:g rdy
	m pipe-pane -t s:g "cat >'$PWD/big'"
	m send-keys -t s:g Enter
	expect_pane s:g end
	wait_for "tail -c 3 big 2>/dev/null | grep -q end"
	printf end >>in
	cmp in big && echo same
}
compare "nothing of a flood is lost" flood

hooks() {
	m set-hook -g after-new-window 'set -g @x 1'
	run set-hook -R -g after-new-window
	run show -g @x
	m set -g @x 0
	m new-window -d cat
	run show -g @x
	run set-hook -gu after-new-window
	m set -g @x 2
	m new-window -d cat
	run show -g @x
	run set-hook
}
compare "hooks" hooks

# Without echo, which the tty mixes into the output of cat.
sent() {
	m respawn-pane -k 'stty -echo; echo ready; exec cat'
	expect_pane s: ready
	m send-keys sx Enter
	expect_pane s: sx
	m send-keys -F -N '#{l:3}' ab Enter
	wait_for "[ \$(m capture-pane -p | grep -c ab) = 3 ]"
	m send-keys -l 'Enter #{x}'
	m send-keys -H 21 22
	m send-keys Enter
	expect_pane s: Enter
	m capture-pane -p | grep .
}
rmux_only "send-keys" sent 'ready
sx
ab
ab
ab
Enter #{x}!"'

done_testing
