#!/bin/sh
# clock-mode: the clock over a pane, its styles, and what ends it.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m set-option -g status-right '' \; set-option -g status-left '[#S] ' \
		\; set-option -sg escape-time 20 \; set-option -g mouse on
	attach_in 60 12 "$(attach_command) -t s"
}

mode() {
	m display-message -p -t s '#{pane_in_mode} #{pane_mode}'
}

# in_mode N: as many modes lie over the pane.
in_mode() {
	wait_for "mode | grep -q '^$1'" || echo "modes: $(mode)"
}

# Cells with a background as "#", without the status line.
blocks() {
	outer_screen -e | sed '$d' | awk '{
		out = ""
		bg = 0
		for (s = $0; s != ""; s = substr(s, 2)) {
			if (substr(s, 1, 1) != "\033") {
				out = out (bg ? "#" : substr(s, 1, 1))
				continue
			}
			match(s, /m/)
			seq = substr(s, 1, RSTART)
			if (seq ~ /[[;]4[0-7][;m]/ || seq ~ /48;5/)
				bg = 1
			else if (seq ~ /49m/ || seq ~ /\[0?m/)
				bg = 0
			s = substr(s, RSTART)
		}
		print out
	}'
}

# shows COLUMNS: what stands there does not depend on the time.
shows() {
	wait_for 'blocks | grep -q "##"' || echo "no clock"
	blocks | cut -c "$1"
}

clock() {
	attach
	outer_keys C-b t
	in_mode 1
	mode
	# Between hours and minutes.
	shows 28-32
	run clock-mode -t s
	mode
	run send-keys -t s -X cancel
	outer_keys x
	in_mode 0
	mode
	# The key was for the clock alone.
	outer_keys y
	expect_pane s y
	run capture-pane -p -t s
	run send-keys -X -t s cancel
	detach
}
compare "a clock until a key" clock

styles() {
	attach
	m set-option -g clock-mode-style 12
	run clock-mode -t s
	# Between hours and minutes, and the half of the M of AM or PM, whose
	# last blocks tmux 3.3 leaves blank.
	shows 19-23,49-51
	m set-option -g clock-mode-colour red
	m resize-pane -t s -x 20
	m split-window -t s -l 8 cat
	m select-pane -t s:.0
	wait_for 'outer_screen | grep -q "[0-9]:[0-9][0-9] [AP]M"' ||
		echo "no small clock"
	outer_screen -e | grep ':[0-9][0-9] [AP]M' |
		sed -e 's/[0-9 ]*[0-9]:[0-9][0-9] [AP]M/TIME/' -e 's/\x1b\[39m//g'
	detach
}
compare_old "styles, colour and a small pane" styles

# A program that writes meanwhile is seen when the clock has gone.
below() {
	attach
	run clock-mode -t s
	in_mode 1
	m send-keys -t s:0 -l 'hidden' 2>/dev/null
	in_mode 0
	run clock-mode -t s
	m respawn-pane -k -t s 'echo below; cat'
	expect_pane s below
	mode
	detach
}
compare "keys sent to a clock" below

# Without colours the digits can be read, too; the mouse that only moves does
# not end the clock.
mouse() {
	outer_keys -l "$(printf '\033[<%d;%d;%d%s' "$1" "$2" "$3" "$4")"
}

plain() {
	attach
	outer_keys C-b t
	in_mode 1
	wait_for 'outer_screen | grep -q "##*  *##*"' || echo "no digits"
	mouse 35 5 5 M
	mouse 35 6 5 M
	outer_keys C-b ?
	in_mode 2
	outer_keys q
	in_mode 1
	mouse 0 6 5 M
	in_mode 0
	mouse 0 6 5 m
	detach
}
rmux_only "digits without colours; the mouse" plain ""

# Each second another picture.
seconds() {
	attach
	m set-option -g clock-mode-style 24-with-seconds
	run clock-mode -t s
	wait_for 'blocks | grep -q "##"' || echo "no clock"
	blocks >"$e2e_dir/first"
	wait_for 'blocks >"$e2e_dir/second"; ! cmp -s "$e2e_dir/first" "$e2e_dir/second"' ||
		echo "it stands still"
	outer_keys q
	in_mode 0
	detach
}
rmux_only "seconds go on" seconds "+ clock-mode -t s"

done_testing
