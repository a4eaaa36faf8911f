#!/bin/sh
# break-, join-, move-, swap-, split-, kill-, select- and last-pane.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

panes() {
	run list-panes -a -F '#S:#I.#P #D #{pane_active} #{pane_width}x#{pane_height}+#{pane_left}+#{pane_top} #{window_active}'
}

# Three panes in window 0, two in window 1.
five() {
	m split-window -h -t s:0 cat
	m split-window -v -t s:0 cat
	m new-window -d -t s:1 -n one cat
	m split-window -d -h -t s:1 cat
}

layout() {
	run list-windows -a -F '#S:#I #{window_layout} #{window_visible_layout}'
}

test_split() {
	run split-window -h -l 20 cat
	run split-window -v -l 25% cat
	run split-window -b -l 3 cat
	run split-window -f -l 5 cat
	run split-window -fh -b -l 10 cat
	panes
	layout
	run split-window -d cat
	run split-window -P cat
	run split-window -P -F '#D #{pane_start_path}' -c / cat
	run split-window -t s:0.9 cat
	run select-layout tiled
	for i in 1 2 3 4 5 6 7 8 9; do
		m split-window -t s:0.0 cat 2>/dev/null
	done
	run split-window -t s:0.0 cat
}

test_split_environment() {
	m split-window -e ONE=1 -e TWO='a b' \
		'echo "$ONE/$TWO" >out; exec cat' >/dev/null
	wait_for '[ -s out ]'
	cat out
	m new-window -e THREE=3 'echo "$THREE$ONE" >out2; exec cat'
	wait_for '[ -s out2 ]'
	cat out2
}

test_split_zoomed() {
	five
	run resize-pane -Z -t s:0.0
	run split-window -Z -t s:0.0 cat
	run display-message -p -t s:0 '#{window_zoomed_flag} #P'
	layout
	run split-window -t s:0.0 cat
	run display-message -p -t s:0 '#{window_zoomed_flag} #P'
	run resize-pane -Z -t s:0.2
	run split-window -d -t s:0.2 -l 50% cat
	run list-panes -t s:0 -F '#{pane_width}x#{pane_height}'
}

test_split_stdin() {
	printf 'first line\nsecond\n' | m split-window -d -I
	expect_pane s:0.1 second
	run capture-pane -p -t s:0.1 -E 1
}

test_break() {
	five
	run break-pane -d -s s:0.1
	panes
	layout
	run break-pane -s s:0.1 -n named -P
	panes
	run break-pane -d -s s:1.0 -t s:7 -P -F '#I #W'
	run break-pane -d -s s:1.0 -t s:7
	run break-pane -s s:1.0 -t s:9
	panes
	run break-pane -a -d -s s:0.0 -t s:7
	run new-session -d -s other cat
	run break-pane -s s:9.0 -t other:
	panes
	run break-pane -s s:33.0
}

test_join() {
	five
	run join-pane -s s:1.0 -t s:0.0
	panes
	layout
	run join-pane -d -h -l 10 -s s:1.0 -t s:0.0
	panes
	layout
	run join-pane -s s:0.0 -t s:0.0
	run move-pane -h -s s:0.3 -t s:0.0
	panes
	layout
	run join-pane -s s:9 -t s:0.2
	run join-pane -s s:0.1 -t s:0.22
}

test_join_marked() {
	five
	run select-pane -m -t s:1.1
	run display-message -p '#{pane_marked_set}'
	run join-pane -t s:0.0
	panes
	run join-pane -l 900 -s s:1.0 -t s:0.0
	panes
}

test_swap() {
	five
	run swap-pane -s s:0.0 -t s:0.2
	panes
	run swap-pane -d -s s:0.0 -t s:0.2
	panes
	run swap-pane -U -t s:0.1
	panes
	run swap-pane -D -t s:0.2
	panes
	run swap-pane -s s:0.0 -t s:1.1
	panes
	run swap-pane -d -s s:0.0 -t s:1.1
	panes
	layout
	run swap-pane -s s:0.0 -t s:0.0
	run swap-pane -s s:0.0 -t s:0.9
}

test_swap_zoomed() {
	five
	run resize-pane -Z -t s:0.1
	run swap-pane -s s:0.0 -t s:0.2
	run display-message -p -t s:0 '#{window_zoomed_flag} #P'
	run resize-pane -Z -t s:0.1
	run swap-pane -Z -s s:0.0 -t s:0.2
	run display-message -p -t s:0 '#{window_zoomed_flag} #P'
	panes
}

test_select() {
	five
	for way in -U -D -L -R -l; do
		run select-pane "$way" -t s:0
		run display-message -p -t s:0 '#D'
	done
	run last-pane -t s:0
	run last-pane -t s:0
	run display-message -p -t s:0 '#D'
	run select-pane -t s:0.1 -T 'a title'
	run display-message -p -t s:0.1 '#{pane_title}'
	run select-pane -d -t s:0.1
	run display-message -p -t s:0.1 '#{pane_input_off}'
	run last-pane -e -t s:0
	run select-pane -e -t s:0.1
	run display-message -p -t s:0.1 '#{pane_input_off}'
	run select-pane -t s:0.2
	run resize-pane -Z -t s:0.2
	run select-pane -t s:0.0
	run display-message -p -t s:0 '#{window_zoomed_flag} #P'
	run resize-pane -Z -t s:0.0
	run select-pane -Z -t s:0.1
	run display-message -p -t s:0 '#{window_zoomed_flag} #P'
	run last-pane -Z -t s:0
	run display-message -p -t s:0 '#{window_zoomed_flag} #P'
	run new-window -t s:5 cat
	run last-pane -t s:5
	run select-pane -t s:5.4
}

test_kill() {
	five
	run kill-pane -t s:0.0
	panes
	layout
	run kill-pane -a -t s:0.1
	panes
	run kill-pane -t s:0.0
	panes
	run kill-pane -t s:0.0
	run kill-pane -t s:1.1
	run kill-pane -t s:1.0
	wait_for "! alive $e2e_pid" # a server on its way out may still answer
	run has-session -t s
}

# With -f, tmux 3.3a takes a percentage of the pane, later versions of the window.
# As in 3.8, the pane is listed before its target.
test_join_full() {
	five
	m join-pane -b -f -l 25% -s s:0.1 -t s:0.2
	m list-panes -t s:0 -F '#P #D #{pane_width}x#{pane_height}'
	m split-window -l words cat
	m split-window -h -l 1000000000000 cat
}

recorded "split-window" test_split pane_move_split.rec
compare "split-window -e" test_split_environment
recorded "split-window -Z" test_split_zoomed pane_move_split_zoomed.rec
compare "split-window -I" test_split_stdin
recorded "break-pane" test_break pane_move_break.rec
recorded "join-pane, move-pane" test_join pane_move_join.rec
rmux_only "join-pane -f" test_join_full "0 %0 40x17
1 %1 80x6
2 %2 39x17
invalid tiled geometry invalid
invalid tiled geometry too large"
compare "join-pane from the marked pane" test_join_marked
recorded "swap-pane" test_swap pane_move_swap.rec
compare "swap-pane -Z" test_swap_zoomed
compare "select-pane, last-pane" test_select
recorded "kill-pane" test_kill pane_move_kill.rec
done_testing
