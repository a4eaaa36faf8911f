#!/bin/sh
# The keys of copy mode's tables that ask for something or belong to the mouse.
# regress/ref/copy-covers.list names this script
# for them; the other keys are in regress/ref/copy-tmux.list.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

table=copy-mode

# attach_keys TABLE: a client whose pane is in the mode, at the top.
attach_keys() {
	table=$1
	m set-option -g status-right '' \; set-option -g status-left '' \
		\; set-option -sg escape-time 20 \; set-option -g mouse on
	# Keys that arrive together count as a paste.
	m set-option -g assume-paste-time 0
	case $table in
	copy-mode) m set-option -g mode-keys emacs ;;
	*) m set-option -g mode-keys vi ;;
	esac
	attach_in 40 10 "$(attach_command) -t s"
	m respawn-pane -k -t s 'printf "one (two) three\nfour five six\n"; seq 20 60; cat'
	expect_pane s 60
	m copy-mode -t s
	m send-keys -t s -X history-top
	at 0,0
}

place() {
	m display-message -p -t s '#{copy_cursor_x},#{copy_cursor_y} #{scroll_position} #{pane_in_mode}'
}

at() {
	wait_for "place | grep -q '^$1 '" || echo "not at $1: $(place)"
}

# From the top of the text: the keys of "TABLE KEY more...", then the place.
key() {
	want=$1
	shift
	echo "$*"
	shift
	m send-keys -t s -X history-top
	at 0,0
	outer_keys "$@"
	at "$want"
	place
}

# The same from the end of the second line.
back() {
	want=$1
	shift
	echo "$*"
	shift
	m send-keys -t s -X history-top
	m send-keys -t s -X cursor-down
	m send-keys -t s -X end-of-line
	outer_keys "$@"
	at "$want"
	place
}

# A key that shows line numbers, and hides them when it is pressed again.
numbers() {
	echo "$1 $2"
	outer_keys "$2"
	wait_for 'outer_screen | grep -q "^ *[0-9][0-9]* one (two)"' &&
		echo numbers
	outer_keys "$2"
	wait_for 'outer_screen | grep -q "^one (two)"' && echo none
}

# A key that ends the mode.
leaves() {
	echo "$1 $2"
	outer_keys "$2"
	wait_for '[ "$(m display-message -p -t s "#{pane_in_mode}")" = 0 ]'
	m display-message -p -t s '#{pane_in_mode}'
}

emacs() {
	attach_keys copy-mode
	key 4,0 copy-mode f '('
	key 3,0 copy-mode t '('
	back 5,1 copy-mode F f
	back 6,1 copy-mode T f
	key 0,0 copy-mode g 3 Enter
	key 9,1 copy-mode C-s f i v e Enter
	back 5,1 copy-mode C-r f i v e Enter
	numbers copy-mode L
	key 1,0 copy-mode M-1 Right
	key 2,0 copy-mode M-2 Right
	key 3,0 copy-mode M-3 Right
	key 4,0 copy-mode M-4 Right
	key 5,0 copy-mode M-5 Right
	key 6,0 copy-mode M-6 Right
	key 7,0 copy-mode M-7 Right
	key 8,0 copy-mode M-8 Right
	key 9,0 copy-mode M-9 Right
	detach
}
rmux_only "keys of emacs that ask" emacs "copy-mode f (
4,0 35 1
copy-mode t (
3,0 35 1
copy-mode F f
5,1 35 1
copy-mode T f
6,1 35 1
copy-mode g 3 Enter
0,0 3 1
copy-mode C-s f i v e Enter
9,1 35 1
copy-mode C-r f i v e Enter
5,1 35 1
copy-mode L
numbers
none
copy-mode M-1 Right
1,0 35 1
copy-mode M-2 Right
2,0 35 1
copy-mode M-3 Right
3,0 35 1
copy-mode M-4 Right
4,0 35 1
copy-mode M-5 Right
5,0 35 1
copy-mode M-6 Right
6,0 35 1
copy-mode M-7 Right
7,0 35 1
copy-mode M-8 Right
8,0 35 1
copy-mode M-9 Right
9,0 35 1"

vi() {
	attach_keys copy-mode-vi
	key 4,0 copy-mode-vi f '('
	key 3,0 copy-mode-vi t '('
	back 5,1 copy-mode-vi F f
	back 6,1 copy-mode-vi T f
	key 0,0 copy-mode-vi : 3 Enter
	key 5,1 copy-mode-vi / f i v e Enter
	back 5,1 copy-mode-vi ? f i v e Enter
	key 1,0 copy-mode-vi 1 l
	key 2,0 copy-mode-vi 2 l
	key 3,0 copy-mode-vi 3 l
	key 4,0 copy-mode-vi 4 l
	key 5,0 copy-mode-vi 5 l
	key 6,0 copy-mode-vi 6 l
	key 7,0 copy-mode-vi 7 l
	key 8,0 copy-mode-vi 8 l
	key 9,0 copy-mode-vi 9 l
	leaves copy-mode-vi C-c
	detach
}
rmux_only "keys of vi that ask" vi "copy-mode-vi f (
4,0 35 1
copy-mode-vi t (
3,0 35 1
copy-mode-vi F f
5,1 35 1
copy-mode-vi T f
6,1 35 1
copy-mode-vi : 3 Enter
0,0 3 1
copy-mode-vi / f i v e Enter
5,1 35 1
copy-mode-vi ? f i v e Enter
5,1 35 1
copy-mode-vi 1 l
1,0 35 1
copy-mode-vi 2 l
2,0 35 1
copy-mode-vi 3 l
3,0 35 1
copy-mode-vi 4 l
4,0 35 1
copy-mode-vi 5 l
5,0 35 1
copy-mode-vi 6 l
6,0 35 1
copy-mode-vi 7 l
7,0 35 1
copy-mode-vi 8 l
8,0 35 1
copy-mode-vi 9 l
9,0 35 1
copy-mode-vi C-c
0"

# mouse BUTTON X Y M|m: the bytes of an event.
mouse() {
	# shellcheck disable=SC2046 # one word a byte
	outer_keys -H $(printf '\033[<%d;%d;%d%s' "$1" "$2" "$3" "$4" |
		od -An -v -tx1)
}

scrolled() {
	wait_for "place | grep -q ' $1 1\$'" || place
}

# clicks N X Y: what N quick clicks at the top of the text select and copy. The
# selection is seen for a moment, then the mode ends.
clicks() {
	m copy-mode -t s
	m send-keys -t s -X history-top
	at 0,0
	m set-buffer -b buffer0 none
	# The time of a click must pass before the next one.
	m run-shell -d 0.4 true
	e2e_click=$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$2" "$3" "$2" "$3")
	[ "$1" = 2 ] || e2e_click=$e2e_click$e2e_click
	outer_keys -l "$e2e_click$e2e_click"
	wait_for '[ "$(m display-message -p -t s "#{pane_in_mode}")" = 0 ]' ||
		echo "the mode stays"
	m show-buffer
	echo
}

# What a drag copies, and how far the wheel goes.
mice() {
	mouse 0 2 1 M
	mouse 32 4 1 M
	mouse 32 8 2 M
	mouse 0 8 2 m
	wait_for '[ -n "$(m list-buffers)" ]' || echo "no buffer"
	m show-buffer
	echo
	m copy-mode -t s
	m send-keys -t s -X history-top
	at 0,0
	mouse 65 5 5 M
	scrolled 30
	mouse 64 5 5 M
	scrolled 35
	clicks 2 6 1
	clicks 3 6 1
	detach
}

mice_emacs() {
	attach_keys copy-mode
	echo 'copy-mode MouseDown1Pane'
	echo 'copy-mode MouseDrag1Pane'
	echo 'copy-mode MouseDragEnd1Pane'
	echo 'copy-mode WheelDownPane'
	echo 'copy-mode WheelUpPane'
	echo 'copy-mode DoubleClick1Pane'
	echo 'copy-mode TripleClick1Pane'
	mice
}
rmux_only "the mouse with the keys of emacs" mice_emacs "copy-mode MouseDown1Pane
copy-mode MouseDrag1Pane
copy-mode MouseDragEnd1Pane
copy-mode WheelDownPane
copy-mode WheelUpPane
copy-mode DoubleClick1Pane
copy-mode TripleClick1Pane
ne (two) three
four fi
two
one (two) three"

mice_vi() {
	attach_keys copy-mode-vi
	echo 'copy-mode-vi MouseDown1Pane'
	echo 'copy-mode-vi MouseDrag1Pane'
	echo 'copy-mode-vi MouseDragEnd1Pane'
	echo 'copy-mode-vi WheelDownPane'
	echo 'copy-mode-vi WheelUpPane'
	echo 'copy-mode-vi DoubleClick1Pane'
	echo 'copy-mode-vi TripleClick1Pane'
	mice
}
rmux_only "the mouse with the keys of vi" mice_vi "copy-mode-vi MouseDown1Pane
copy-mode-vi MouseDrag1Pane
copy-mode-vi MouseDragEnd1Pane
copy-mode-vi WheelDownPane
copy-mode-vi WheelUpPane
copy-mode-vi DoubleClick1Pane
copy-mode-vi TripleClick1Pane
ne (two) three
four fiv
two
one (two) three
"

done_testing
