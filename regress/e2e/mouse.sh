#!/bin/sh
# The mouse: double and triple clicks, drags that scroll on, line numbers.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# mouse BUTTON COLUMN ROW M|m, from 1
mouse() {
	outer_keys -l "$(printf '\033[<%d;%d;%d%s' "$1" "$2" "$3" "$4")"
}

# clicks N COLUMN ROW: N clicks in a row.
clicks() {
	e2e_click=$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$2" "$3" "$2" "$3")
	case $1 in
	1) outer_keys -l "$e2e_click" ;;
	2) outer_keys -l "$e2e_click$e2e_click" ;;
	*) outer_keys -l "$e2e_click$e2e_click$e2e_click" ;;
	esac
}

# text: a pane of 40x10 with 60 lines.
text() {
	m set -g status off
	attach_in 40 10 "$(attach_command) -t s"
	m respawn-pane -k -t s: \
		'for i in $(seq 60); do echo "line $i alpha beta"; done; exec cat'
	expect_screen 'line 60'
}

at() {
	m display-message -p -t s: "$1"
}

expect_at() {
	wait_for "[ \"\$(at '$1')\" = '$2' ]" && echo "$2" ||
		echo "$1 is $(at "$1"), not $2"
}

expect_buffer() {
	wait_for "[ \"\$(m show-buffer 2>/dev/null)\" = '$1' ]" && echo "copied $1" ||
		echo "buffer is $(m show-buffer), not $1"
	m delete-buffer
}

keys() {
	text
	for kind in MouseDown1 MouseUp1 SecondClick1 DoubleClick1 TripleClick1 \
		MouseDrag1 MouseDragEnd1; do
		m bind -n "${kind}Pane" set -gaF @log "$kind "
	done
	for n in 1 2 3; do
		m set -g @log ''
		clicks $n 3 3
		case $n in
		1) wait_for 'at "#{@log}" | grep -q Up' ;;
		2) wait_for 'at "#{@log}" | grep -q Double' ;;
		3) wait_for 'at "#{@log}" | grep -q "Triple.*Up"' ;;
		esac
		at '#{@log}'
		# The time of a click must pass before the next one.
		m run-shell -d 0.4 true
	done
	detach
}

copies() {
	text
	clicks 2 9 3
	expect_buffer alpha
	expect_at '#{pane_in_mode}' 0
	clicks 3 9 3
	expect_buffer 'line 54 alpha beta'
	expect_at '#{pane_in_mode}' 0
	mouse 0 6 4 M
	mouse 32 8 4 M
	mouse 32 13 4 M
	expect_at '#{selection_end_x}' 12
	mouse 0 13 4 m
	expect_buffer '55 alph'
	# A drag that ends elsewhere copies as well.
	m split-window -d -h -t s: cat
	mouse 0 1 2 M
	mouse 32 3 2 M
	mouse 32 30 3 M
	mouse 0 30 3 m
	expect_buffer 'line 53 alpha beta
line 54 alpha beta'
	detach
}

# A drag held at an edge scrolls on, and stops at the end or when it leaves.
edges() {
	text
	mouse 0 6 5 M
	mouse 32 6 3 M
	mouse 32 6 1 M
	expect_at '#{scroll_position}' 51
	mouse 32 6 4 M
	expect_at '#{copy_cursor_y}' 3
	mouse 32 6 10 M
	expect_at '#{scroll_position}' 0
	mouse 32 6 1 M
	wait_for '[ "$(at "#{scroll_position}")" -gt 3 ]'
	mouse 32 6 5 M
	expect_at '#{copy_cursor_y}' 4
	before=$(at '#{scroll_position}')
	m run-shell -d 0.3 true
	[ "$before" = "$(at '#{scroll_position}')" ] && echo stopped
	mouse 0 6 5 m
	expect_at '#{pane_in_mode}' 0
	m delete-buffer
	detach
}

# Along the first row text is selected and nothing scrolls.
first_row() {
	text
	mouse 0 6 1 M
	mouse 32 9 1 M
	m run-shell -d 0.2 true
	expect_at '#{pane_in_mode} #{scroll_position}' '1 0'
	mouse 0 9 1 m
	expect_at '#{pane_in_mode}' 0
	detach
}

# A drag begins where the button was pressed. Then its key is of the place where
# the mouse is in that pane; it has none below, above or right of the pane.
places() {
	text
	m split-window -d -h -t s: cat
	for place in Pane Border; do
		m bind -n "MouseDrag1$place" set -ga @log "$place "
	done
	m bind -n MouseUp1Pane set -ga @log 'released '
	for drag in '21,3 21,4 19,4 21,5 30,5' '5,3 6,3 30,3 21,3' \
		'30,3 31,3 5,3 30,4'; do
		m set -g @log ''
		kind=0
		for at in $drag; do
			mouse $kind "${at%,*}" "${at#*,}" M
			kind=32
		done
		mouse 0 1 10 m
		mouse 0 1 10 M
		mouse 0 1 10 m
		wait_for 'at "#{@log}" | grep -q released'
		at '#{@log}'
		m run-shell -d 0.4 true
	done
	detach
}

wheel() {
	text
	mouse 64 3 3 M
	expect_at '#{pane_in_mode} #{scroll_position}' '1 0'
	# Some terminals send a release.
	mouse 64 3 3 m
	mouse 64 3 3 M
	expect_at '#{scroll_position}' 5
	mouse 65 3 3 M
	expect_at '#{pane_in_mode}' 0
	# A key of root works in copy mode, and so does the status line.
	m bind -n F5 set -g @key root
	m copy-mode -t s:
	outer_keys F5
	expect_at '#{@key}' root
	detach
}

numbers() {
	text
	m set -g copy-mode-line-numbers "$1"
	m copy-mode -t s: \; send-keys -X -t s: cursor-up
	expect_screen "$2"
	outer_screen | sed -n '1,2p;9,10p'
	m set -g copy-mode-line-number-style fg=green \; \
		set -g copy-mode-current-line-number-style fg=red
	wait_for "outer_screen -e | grep -q '\[31m *60 '" && echo red
	wait_for "outer_screen -e | grep -q '\[32m *$3 '" && echo green
	mouse 0 6 4 M
	mouse 32 8 4 M
	mouse 32 13 4 M
	mouse 0 13 4 m
	expect_buffer 'ine 55 '
	detach
}

absolute() {
	m set -g copy-mode-position-format '#[align=right]#{copy_position}/#{copy_position_limit}'
	numbers absolute '^ 60 ' 54
}

hybrid() {
	m set -g copy-mode-position-format ''
	numbers hybrid '^ 60 ' 7
}

rmux_only "keys of clicks" keys "MouseDown1 MouseUp1 
MouseDown1 MouseUp1 SecondClick1 MouseUp1 DoubleClick1 
MouseDown1 MouseUp1 SecondClick1 MouseUp1 TripleClick1 MouseUp1 "
rmux_only "clicks and drags copy" copies "copied alpha
0
copied line 54 alpha beta
0
12
copied 55 alph
copied line 53 alpha beta
line 54 alpha beta"
rmux_only "a drag along the first row" first_row "1 0
0"
rmux_only "the places of a drag" places "Border Pane Border released 
Pane Border released 
Pane Pane Pane released "
rmux_only "a drag at an edge scrolls on" edges "51
3
0
4
stopped
0"
rmux_only "the wheel" wheel "1 0
5
0
root"
rmux_only "absolute line numbers" absolute " 52 line 52 alpha beta             52/61
 53 line 53 alpha beta
 60 line 60 alpha beta
 61
red
green
copied ine 55 "
rmux_only "hybrid line numbers" hybrid "  8 line 52 alpha beta
  7 line 53 alpha beta
 60 line 60 alpha beta
  1
red
green
copied ine 55 "
done_testing
