#!/bin/sh
# move-, link-, unlink-, swap-, rotate-, resize-, new- and kill-window.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# Windows a to d at 1 to 4 beside the first one, named z.
four() {
	m rename-window -t s:0 z
	for w in a b c d; do
		m new-window -d -n "$w" -t s: cat
	done
}

list() {
	run list-windows -t "${1:-s}" -F '#I #W #{window_active} #{window_flags}'
}

test_move() {
	four
	run move-window -s s:1 -t s:7
	list
	run move-window -s s:7 -t s:2
	run move-window -d -s s:4 -t s:9
	run move-window -k -s s:9 -t s:2
	list
	run move-window -a -s s:7 -t s:0
	list
	run move-window -b -s s:3 -t s:0
	list
	run move-window -r
	list
	run move-window -s s:9
	run move-window -t nothing:4
	run move-window -s s:1 -t s:1
}

test_move_sessions() {
	four
	run new-session -d -s other -n first cat
	run move-window -s s:2 -t other:
	list other
	run move-window -d -s s:1 -t other:5
	run move-window -a -s s:3 -t other:0
	list other
	list
	run set-option -t s renumber-windows on
	run move-window -t other:
	list
	list other
	run move-window -s s:0 -t other:
	run has-session -t s
	list other
}

test_link() {
	four
	run new-session -d -s other -n first cat
	run link-window -s s:1 -t other:3
	run link-window -d -s s:2 -t other:3
	run link-window -dk -s s:2 -t other:3
	run link-window -a -s s:3 -t other:0
	list other
	run list-windows -a -F '#S #I #W #{window_linked} #{window_linked_sessions}'
	run unlink-window -t other:3
	run unlink-window -t other:0
	run unlink-window -k -t other:0
	list other
	list
	run link-window -s s:1 -t s:1
	run link-window -s s:1 -t s:8
	list
	run unlink-window -t s:8
}

test_swap() {
	four
	run swap-window -s s:1 -t s:3
	list
	run swap-window -d -s s:1 -t s:4
	list
	run new-session -d -s other -n first cat
	run swap-window -s s:2 -t other:0
	list
	list other
	run swap-window -s s:9 -t s:1
	run swap-window -s s:1 -t s:9
	run swap-window -s s:1 -t s:1
	run new-session -d -s third -t s
	run swap-window -s s:1 -t third:2
}

panes() {
	run list-panes -F '#P #D #{pane_active} #{pane_width}x#{pane_height}+#{pane_left}+#{pane_top}'
}

test_rotate() {
	m split-window -h cat
	m split-window -v cat
	panes
	run rotate-window
	panes
	run rotate-window -U
	panes
	run rotate-window -D
	panes
	run resize-pane -Z
	run rotate-window
	run display-message -p '#{window_zoomed_flag}'
	run resize-pane -Z
	run rotate-window -Z
	run display-message -p '#{window_zoomed_flag}'
	run rotate-window -t s:9
}

size() {
	run display-message -p '#{window_width}x#{window_height} #{window-size}'
}

test_resize() {
	run resize-window -x 50 -y 10
	size
	run resize-window -R 7
	size
	run resize-window -L
	size
	run resize-window -D 3
	run resize-window -U
	size
	run resize-window -L 1000
	size
	run resize-window -x 0
	run resize-window -x 10001
	run resize-window -y words
	run resize-window -U words
	run resize-window -R 0
	run resize-window -A
	run resize-window -a
	run resize-window -t s:4
}

test_new() {
	m set-option -g automatic-rename off
	four
	run new-window -t s:2 cat
	run new-window -kt s:2 -n new cat
	list
	run new-window -a -t s:1 -n after cat
	list
	run new-window -b -t s:1 -n before cat
	list
	run new-window -d -n apart cat
	run new-window -P cat
	run new-window -P -F '#{window_index}/#{pane_start_path}' -c / cat
	run new-window -S -n a cat
	list
	run new-window -dS -n d cat
	run new-window -n a cat
	run new-window -S -n a cat
	list
	run new-window -t nothing: cat
	run new-window -kt s: -n free cat
	list
}

test_kill() {
	four
	run kill-window -t s:2
	list
	run set-option -g renumber-windows on
	run kill-window -t s:1
	list
	run kill-window -a -t s:1
	list
	run kill-window -t s:9
	run kill-window -t s:0
	wait_for "! alive $e2e_pid" # a server on its way out may still answer
	run has-session -t s
}

test_select() {
	four
	run select-window -t s:3
	run last-window
	run last-window
	list
	run next-window
	run next-window
	run previous-window
	run select-window -n
	run select-window -p
	run select-window -l
	list
	run select-window -T -t s:1
	run select-window -T -t s:1
	list
	run next-window -a
	run previous-window -a
	run select-window -t s:22
	run new-session -d -s one cat
	run last-window -t one
	run next-window -t one
	run previous-window -t one
	run select-window -t s:1 \; new-window -n here cat \; list-windows -F '#I #W #{window_active}'
}

compare "move-window" test_move
compare "move-window between sessions" test_move_sessions
compare "link-window, unlink-window" test_link
compare "swap-window" test_swap
compare "rotate-window" test_rotate
compare "resize-window" test_resize
compare "new-window" test_new
compare "kill-window" test_kill
compare "select-window and its like" test_select
done_testing
