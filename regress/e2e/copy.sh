#!/bin/sh
# copy-mode: moving, selecting, copying, searching, and what ends the mode.
# regress/ref/copy_random.py compares random commands with a newer tmux.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m set-option -g status-right '' \; set-option -g status-left '[#S] ' \
		\; set-option -sg escape-time 20 \; set-option -g mouse on \
		\; set-option -g mode-keys emacs
	# Keys that arrive together count as a paste.
	m set-option -g assume-paste-time 0
	# Without the time of the first line.
	m set-option -gw copy-mode-position-format \
		"#[align=right][#{copy_position}/#{copy_position_limit}]"
	attach_in 60 12 "$(attach_command) -t s"
	m respawn-pane -k -t s 'seq -f "line %g of (many)" 40; echo end; cat'
	expect_pane s end
}

mode() {
	m display-message -p -t s '#{pane_in_mode} #{pane_mode}'
}

in_mode() {
	wait_for "mode | grep -q '^$1'" || echo "modes: $(mode)"
}

place() {
	m display-message -p -t s '#{copy_cursor_x},#{copy_cursor_y} #{scroll_position} #{copy_cursor_word} #{selection_present} #{rectangle_toggle}'
}

# at TEXT: the cursor is there.
at() {
	wait_for "place | grep -q '^$1 '" || echo "not at $1: $(place)"
	place
}

keys() {
	attach
	outer_keys C-b '['
	in_mode 1
	at 0,10
	outer_keys Up
	at 3,9
	outer_keys C-a
	at 0,9
	outer_keys C-Space M-f
	at 3,9
	outer_keys M-w
	in_mode 0
	run show-buffer
	outer_keys C-b '['
	in_mode 1
	outer_keys PageUp
	wait_for 'outer_screen | grep -q "\[9/"' || echo "not scrolled"
	outer_screen | sed '$d'
	outer_keys Escape
	in_mode 0
	detach
}
compare "keys of emacs" keys

vi() {
	attach
	m set-window-option -g mode-keys vi
	outer_keys C-b '['
	in_mode 1
	outer_keys g
	at 0,0
	outer_keys w w
	at 7,0
	outer_keys Space e y
	outer_keys Enter
	in_mode 0
	run show-buffer
	detach
}
compare "keys of vi" vi

flags() {
	attach
	run copy-mode -u -t s
	place
	run copy-mode -q -t s
	mode
	run copy-mode -eu -t s
	run send-keys -t s -X page-down
	mode
	# Without a mouse, -S drags the slider to the top.
	run copy-mode -S -t s
	run display-message -p -t s '#{scroll_position}'
	run copy-mode -q -t s
	m clear-history -t s
	run copy-mode -S -e -t s
	mode
	run send-keys -M -N 0 -t s
	run copy-mode -H -t s
	in_mode 1
	wait_for '! outer_screen | grep -q "\[0/"' || echo "position shown"
	m send-keys -t s -X cancel
	detach
}
compare "flags of copy-mode" flags

# -k ends the pane with the mode, -s shows the text of another pane; tmux 3.8
# does so, too.
kills() {
	m split-window -d -t s: 'echo lower; exec cat'
	wait_for 'm capture-pane -p -t s:.1 | grep -q lower' || echo "no text"
	run copy-mode -s s:.1 -t s:.0
	m send-keys -t s:.0 -X history-top
	run display-message -p -t s:.0 '#{copy_cursor_line}'
	run copy-mode -q -t s:.0
	run copy-mode -k -t s:.1
	m send-keys -t s:.1 -X cancel
	run list-panes -t s: -F '#{pane_index}'
	for end in 'copy-mode -q' 'copy-mode -d -e' clear-history; do
		m split-window -d -t s: cat
		m copy-mode -k -u -t s:.1
		m $end -t s:.1
		m list-panes -t s: | wc -l
	done
}
rmux_only "copy-mode -k and -s" kills "+ copy-mode -s s:.1 -t s:.0
+ display-message -p -t s:.0 #{copy_cursor_line}
lower
+ copy-mode -q -t s:.0
+ copy-mode -k -t s:.1
+ list-panes -t s: -F #{pane_index}
0
1
1
1"

copies() {
	attach
	run copy-mode -t s
	m send-keys -t s -X history-top
	m send-keys -t s -X begin-selection
	m send-keys -t s -X -N 3 cursor-down
	m send-keys -t s -X copy-selection-no-clear first
	run list-buffers -F '#{buffer_name} #{buffer_size} #{buffer_sample}'
	m send-keys -t s -X rectangle-toggle
	m send-keys -t s -X begin-selection
	m send-keys -t s -X -N 4 cursor-right
	m send-keys -t s -X -N 2 cursor-down
	m send-keys -t s -X copy-pipe "cat >'$e2e_dir/piped'"
	wait_for 'test -s "$e2e_dir/piped"' || echo "nothing piped"
	cat "$e2e_dir/piped"
	rm -f "$e2e_dir/piped"
	m set-option -s copy-command "cat >'$e2e_dir/piped'"
	m send-keys -t s -X begin-selection
	m send-keys -t s -X cursor-down
	m send-keys -t s -X copy-pipe-and-cancel
	wait_for 'test -s "$e2e_dir/piped"' || echo "nothing piped"
	cat "$e2e_dir/piped"
	rm -f "$e2e_dir/piped"
	mode
	detach
}
compare "copying and piping" copies

searches() {
	attach
	run copy-mode -t s
	m send-keys -t s -X search-backward 'line 1[0-9]'
	place
	m send-keys -t s -X search-again
	place
	m set-window-option -g wrap-search off
	m send-keys -t s -X history-top
	m send-keys -t s -X search-backward-text 'line'
	place
	m send-keys -t s -X cancel
	outer_keys C-b '['
	in_mode 1
	outer_keys C-r
	wait_for 'outer_screen | grep -q "search up"' || outer_screen
	outer_keys l i n e ' ' 3 3
	wait_for 'place | grep -q "line"' || place
	outer_keys Enter
	place
	outer_keys q
	in_mode 0
	detach
}
compare "searching" searches

# The rows of the pane below the position; not the status line, whose window
# name follows the program.
text() {
	outer_screen | sed '1d;$d'
}

# Output goes on below, and the view stands still.
still() {
	attach
	run copy-mode -t s
	m send-keys -t s -X scroll-up
	wait_for 'outer_screen | grep -q "\[1/"' || echo "not scrolled"
	before=$(text)
	m send-keys -t s -X cancel
	m respawn-pane -k -t s 'seq -f "line %g of (many)" 40; echo end; sleep 1; seq 50; cat'
	expect_pane s end
	run copy-mode -t s
	m send-keys -t s -X scroll-up
	wait_for '[ "$(m display-message -p -t s "#{history_size}")" -gt 70 ]' ||
		echo "no output"
	wait_for '[ "$(text)" = "$before" ]' || outer_screen
	run capture-pane -p -M -t s -S -1 -E 9
	m send-keys -t s -X refresh-now
	m send-keys -t s -X history-bottom
	place
	run resize-pane -t s -y 5
	place
	m send-keys -t s -X cancel
	detach
}
rmux_only "the view stands still" still "+ copy-mode -t s
+ copy-mode -t s
+ capture-pane -p -M -t s -S -1 -E 9
line 31 of (many)
line 32 of (many)
line 33 of (many)
line 34 of (many)
line 35 of (many)
line 36 of (many)
line 37 of (many)
line 38 of (many)
line 39 of (many)
line 40 of (many)
end
0,10 0  0 0
+ resize-pane -t s -y 5
0,10 0  0 0"

done_testing
