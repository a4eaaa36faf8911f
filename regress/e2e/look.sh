#!/bin/sh
# Options that change how panes, borders and status lines look.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# An attached client of 60x12 with a status line that has no clock.
attach() {
	m rename-window -t s:0 first
	m set-option -g status-right '' \; set-option -g status-left '[#S] ' \
		\; set-option -sg escape-time 20
	attach_in 60 12 "$(attach_command) -t s"
}

# dismiss PATTERN: a key removes the message before anything else is shown.
dismiss() {
	outer_keys F12
	wait_for "! outer_screen | grep -q '$1'" || echo "message stays: $1"
}

# Colours and attributes of the screen as the outer terminal has them, without
# closing sequences and empty lines.
colours() {
	outer_screen -e | sed -e 's/\x1b\[39m//g' -e 's/\x1b\[49m//g' \
		-e ':a' -e 's/\(\x1b\[[0-9;]*m\| \)$//' -e 'ta' |
		grep -v '^$'
}

# look NAME: the screen now.
look() {
	settle "$1"
	echo "-- $1"
	outer_screen
}

panes() {
	m bind-key -n F12 refresh-client
	m split-window -h -t s: cat
	m split-window -v -t s: cat
	attach
}

borders() {
	panes
	look plain
	for lines in double heavy simple number single; do
		m set-option -g pane-border-lines $lines
		look $lines
	done
	for i in arrows both off colour; do
		m set-option -g pane-border-indicators $i
		look $i
	done
	m set-option -g pane-border-status top
	m set-option -g pane-border-format '#{pane_index} #{?pane_active,on,off}'
	look top
	m set-option -g pane-border-status bottom
	look bottom
	m select-pane -t s:.0
	look first
	m resize-pane -Z -t s:.0
	look zoomed
	detach
}
compare "borders" borders

status_lines() {
	m bind-key -n F12 refresh-client
	m new-window -d -t s: -n second cat
	attach
	m set-option -g status-left 'LEFT' \; set-option -g status-right 'RIGHT'
	for j in left centre right absolute-centre; do
		m set-option -g status-justify $j
		look $j
	done
	m set-option -g status-justify left
	m set-option -g status-left-length 2 \; set-option -g status-right-length 3
	look lengths
	m set-option -g window-status-format '<#W>' \; \
		set-option -g window-status-current-format '{#W}' \; \
		set-option -g window-status-separator '|'
	look formats
	m set-option -g status-position top
	look top
	m set-option -g status 2
	m set-option -g 'status-format[1]' 'row two#[align=right]end'
	look two
	m set-option -g status-position bottom \; set-option -g status 3
	m set-option -g 'status-format[2]' '#[align=centre]row three'
	look three
	m set-option -g status off
	echo "-- off"
	wait_for '! outer_screen | grep -q row' || outer_screen
	run display-message -p '#{window_width}x#{window_height}'
	detach
}
compare "status lines" status_lines

styles() {
	m bind-key -n F12 refresh-client
	m new-window -d -t s: -n second cat
	attach
	m set-option -g status-style bg=blue,fg=white
	m set-option -g status-left-style fg=red,bold
	m set-option -g window-status-style underscore
	m set-option -g window-status-current-style reverse
	settle one
	colours
	m set-option -g status-bg green \; set-option -g status-fg black
	settle two
	colours
	m set-option -g window-status-last-style fg=yellow
	m select-window -t s:1
	settle three
	colours
	detach
}
compare "styles of the status line" styles

# The background of each pane's word.
grounds() {
	settle "$1"
	outer_screen -e | sed -e 's/\x1b\[3[79]m//g' | cat -v |
		grep -o '\^\[\[4[0-9;]*m\(left\|right\)'
}

window_style() {
	m bind-key -n F12 refresh-client
	m respawn-pane -k -t s: 'printf left; cat'
	m split-window -h -t s: 'printf right; cat'
	attach
	m set-option -g window-style bg=red
	m set-option -g window-active-style bg=blue,fg=white
	grounds one
	m select-pane -t s:.0
	grounds two
	m set-option -p -t s:.1 window-style bg=colour100
	grounds three
	m set-option -pu -t s:.1 window-style
	m set-option -gu window-style
	m set-option -gu window-active-style
	grounds four
	detach
}
compare "window-style, window-active-style" window_style

messages() {
	m bind-key -n F12 refresh-client
	attach
	m set-option -g message-style bg=red,fg=white
	m display-message -d 0 -c "$client" 'red message'
	expect_screen 'red message'
	colours | grep 'red message' | cat -v
	dismiss 'red message'
	settle one
	m set-option -g display-time 50
	m display-message -c "$client" 'short'
	wait_for '! outer_screen | grep -q short' || echo "message stays"
	detach
}
compare_old "message-style, display-time" messages

alerts() {
	m bind-key -n F12 refresh-client
	m new-window -d -t s: -n noisy 'read x; printf "\a"; cat'
	attach
	m set-option -g visual-bell on \; set-option -g display-time 0
	m send-keys -t s:noisy Enter
	expect_screen 'Bell in window 1'
	dismiss 'Bell in window 1'
	run list-windows -F '#{window_flags}'
	settle flags
	outer_screen | tail -n 1
	m set-option -g visual-activity on \; set-option -g monitor-activity on
	m new-window -d -t s: -n busy 'read x; echo output; cat'
	m send-keys -t s:busy Enter
	expect_screen 'Activity in window 2'
	dismiss 'Activity in window 2'
	run list-windows -F '#{window_flags}'
	m set-option -g visual-silence on
	m set-option -g silence-action any
	m set-option -t s:0 -w monitor-silence 1
	expect_screen 'Silence in current window'
	outer_keys F12
	m set-option -g bell-action none
	m respawn-window -k -t s:noisy 'read x; printf "\a"; echo rung; cat'
	m send-keys -t s:noisy Enter
	expect_pane s:noisy rung
	outer_screen | grep Bell
	detach
}
compare "alerts" alerts

dead() {
	m rename-window -t s:0 first
	m set-option -g remain-on-exit on
	m new-window -d -t s: -n d 'echo out; exit 3'
	# tmux reads the pane once more at the end of the output, maybe later.
	m set-option -w -t s:d remain-on-exit on
	wait_for 'm list-panes -t s:d -F "#{pane_dead}" | grep -q 1'
	run list-windows -F '#{window_name} #{pane_dead}'
	m set-option -g remain-on-exit off
	m set-option -g renumber-windows on
	m new-window -d -t s:7 -n end 'read x'
	m new-window -d -t s:9 -n last cat
	m send-keys -t s:end Enter
	wait_for '! m list-windows -F "#W" | grep -q end' || echo "end stays"
	run list-windows -F '#{window_index} #{window_name}'
}
compare "remain-on-exit, renumber-windows" dead

# tmux 3.3a sometimes says nothing, when the output ends before the status.
dead_words() {
	m set-option -g remain-on-exit on
	m set-option -g remain-on-exit-format 'gone: #{pane_dead_status}'
	m new-window -d -t s: -n d 'echo out; exit 3'
	expect_pane s:d gone
	m capture-pane -p -S - -t s:d | grep .
	m new-window -d -t s: -n k 'kill -9 $$'
	wait_for 'm list-panes -t s:k -F "#{pane_dead}" | grep -q 1'
	m list-panes -t s:k -F '#{pane_dead} #{pane_dead_signal}'
}
rmux_only "remain-on-exit-format" dead_words "out
gone: 3
1 9"

# (A tmux that is busy may see the end of the pty before that of the program,
# and knows no status then: not compared.)
dead_how() {
	m set-option -g remain-on-exit on
	m new-window -d -t s: -n k 'kill -9 $$'
	wait_for 'm list-panes -t s:k -F "#{pane_dead_signal}" | grep -q 9'
	m list-panes -t s:k -F '#{pane_dead} #{pane_dead_signal}'
	m set-option -g remain-on-exit failed
	m new-window -d -t s: -n ok true
	m new-window -d -t s: -n bad false
	wait_for '! m list-windows -F "#W" | grep -q ok' || echo "ok stays"
	wait_for 'm list-panes -t s:bad -F "#{pane_dead}" | grep -q 1'
	m list-windows -F '#{window_name} #{pane_dead}' | sed 1d
}
rmux_only "remain-on-exit failed, pane_dead_signal" dead_how '1 9
k 1
bad 1'

names() {
	m set-option -g automatic-rename-format 'auto-#{pane_index}'
	m new-window -t s:5 cat
	attach
	wait_for 'm list-windows -F "#W" | grep -q auto-0' || echo "not named"
	m set-option -wu -t s:5 automatic-rename
	run list-windows -F '#{window_index} #{window_name}'
	m set-option -w -t s:5 allow-set-title off 2>/dev/null
	m set-option -g set-titles on \; set-option -g set-titles-string 'T:#S:#W'
	wait_for 'outer display-message -p "#{pane_title}" | grep -q T:s:' ||
		echo "no title"
	outer display-message -p '#{pane_title}'
	detach
}
compare "automatic-rename-format, set-titles" names


key_exit() {
	m bind-key -n F12 refresh-client
	m set-option -g remain-on-exit key
	m new-window -t s: -n k 'echo done'
	attach
	wait_for 'm list-panes -t s:k -F "#{pane_dead}" | grep -q 1'
	expect_screen 'Pane is dead'
	outer_keys x
	wait_for '! m list-windows -F "#W" | grep -q k' || echo "k stays"
	m set-option -g remain-on-exit failed-key
	m new-window -d -t s: -n well true
	m new-window -t s: -n bad false
	wait_for '! m list-windows -F "#W" | grep -q well' || echo "well stays"
	expect_screen 'Pane is dead'
	outer_keys x
	wait_for '! m list-windows -F "#W" | grep -q bad' || echo "bad stays"
	m set-option -sg exit-unattached on
	pid=$(m display-message -p '#{pid}')
	m detach-client -t "$client"
	wait_for "! alive $pid" || echo "server stays"
}
rmux_only "remain-on-exit key, failed-key, exit-unattached" key_exit ''

# Flags of split-window in newer tmux that set options of the new pane.
born_with() {
	m new-window -n b -t s: cat
	run split-window -t s:b -B double -R fg=red -S fg=green -s bg=blue -k -m ended 'echo done'
	m show-options -p -t s:b.1 | sort
	wait_for 'm list-panes -t s:b -F "#{pane_dead}" | grep -q 1'
	attach
	expect_screen '^ended'
	run split-window -t s:b -s nosuchstyle cat
	m kill-pane -t s:b
	m list-panes -t s:b | wc -l
	outer_keys x
	wait_for '[ "$(m list-panes -t s:b | wc -l)" = 1 ]' || echo stays
	detach
}
rmux_only "split-window -kmsSRB" born_with "+ split-window -t s:b -B double -R fg=red -S fg=green -s bg=blue -k -m ended echo done
pane-active-border-style fg=green
pane-border-lines double
pane-border-style fg=red
remain-on-exit key
remain-on-exit-format ended
window-active-style bg=blue
window-style bg=blue
+ split-window -t s:b -s nosuchstyle cat
2"

done_testing
