#!/bin/sh
# copy-output: by its key and with each flag, and select-output of copy mode.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# shows COLS ROWS TEXT: a client, and a program that has printed TEXT (printf).
shows() {
	printf '%s' "$3" >"$e2e_dir/text"
	m set-option -g status-right '' \; set-option -g status-left '[#S] ' \
		\; set-option -g mouse on
	attach_in "$1" "$2" "$(attach_command) -t s"
	m respawn-pane -k -t s "printf \"\$(cat '$e2e_dir/text')\"; echo end; cat"
	expect_pane s end
}

buffer() {
	wait_for "[ \"\$(m show-buffer 2>/dev/null)\" = '$1' ]" ||
		echo "buffer: $(m show-buffer)"
}

screen() {
	wait_for "outer_screen | grep -qF '$1'" || outer_screen
}

marks='\033]133;A\007$ one\r\n\033]133;C\007first\nlong %s\n\033]133;D;0\007\033]133;A\007$ two\r\n\033]133;C\007no newline\033]133;D;0\007\033]133;A\007$ three\r\n\033]133;C\007\033]133;D;0\007\033]133;A\007$ four\r\n\033]133;C\007last\n\033]133;D;0\007'

outputs() {
	run copy-output -t s
	long=$(printf 'x%.0s' $(seq 100))
	shows 60 12 "$(printf "$marks" "$long" | sed 's/\\/\\\\/g')"
	outer_keys C-b y
	buffer last
	screen 'copied: 1 line'
	run copy-output -t s -p
	run copy-output -t s -p -n 2
	run copy-output -t s -p -i -n 3
	run copy-output -t s -b here -n 99
	run show-buffer -b here
	echo
	run copy-output -t s -n 0
	run copy-output -t s -s -n 3
	m send-keys -t s -X copy-selection-and-cancel
	run show-buffer
	echo
	m set-window-option -g mode-keys vi
	m copy-mode -t s
	m send-keys -t s -X -N 3 select-output
	m send-keys -t s -X copy-selection-and-cancel
	m show-buffer | cut -c 1-9
	detach
}
x=$(printf 'x%.0s' $(seq 100))
rmux_only "outputs of commands" outputs "+ copy-output -t s
err: the shell marks no commands (OSC 133): see the tutorial, Hints and outputs
exit: 1
+ copy-output -t s -p
last
+ copy-output -t s -p -n 2
last
+ copy-output -t s -p -i -n 3
\$ two
no newline\$ three
\$ four
last
+ copy-output -t s -b here -n 99
+ show-buffer -b here
first
long $x
no newline
last
+ copy-output -t s -n 0
err: count too small
exit: 1
+ copy-output -t s -s -n 3
+ show-buffer
no newline\$ three
\$ four
last
no newlin"

done_testing
