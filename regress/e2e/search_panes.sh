#!/bin/sh
# search-panes: by its key and with each flag; Enter goes to a match.
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

mode() {
	m display-message -p -t s: '#{pane_mode}'
}

in_mode() {
	wait_for "[ \"\$(mode)\" = '$1' ]" || echo "mode: $(mode), not $1"
}

screen() {
	wait_for "outer_screen | grep -qF '$1'" || outer_screen
}

searches() {
	shows 60 14 'one needle\n'
	m new-window -d -t s:5 'seq -f "line %g of many" 300; echo "a needle there"; cat'
	expect_pane s:5 'needle there'
	m new-session -d -s other 'echo "Needle elsewhere"; cat'
	expect_pane other: elsewhere
	outer_keys C-b F
	screen 'search all panes'
	outer_keys n e e d l e Enter
	in_mode search-mode
	screen 'needle: 2 matches in 2 of 2 panes'
	outer_screen | sed -n '2,5p' | sed 's/: .*, 1 match/: 1 match/;s/ *$//'
	outer_keys 4
	wait_for '[ "$(m display-message -p -t s:5 "#{pane_mode}")" = copy-mode ]' ||
		echo "not there"
	m display-message -p -t s: '#{window_index} #{selection_present} #{copy_cursor_line}'
	m send-keys -t s:5 -X copy-selection-and-cancel
	run show-buffer
	echo
	run search-panes -a -t s:5 'needle'
	screen 'needle: 3 matches in 3 of 3 panes'
	m send-keys -t s:5 q
	run search-panes -w -i -t s:5 'NEEDLE'
	screen 'NEEDLE: 1 match in 1 of 1 pane'
	m send-keys -t s:5 q
	run search-panes -Z -s -r -t s:5 'ne+dle (x|there)'
	screen '(x|there): 1 match in'
	m send-keys -t s:5 C-c q
	run search-panes -r -t s:5 '(a'
	run search-panes -t s:5 ''
	detach
	run search-panes -t s:5 'needle'
}
rmux_only "searches in all panes" searches '(1) - s:0.0: 1 match
(2) └─→ 1: one needle
(3) - s:5.0: 1 match
(4) └─→ 301: a needle there
5 1 a needle there
+ show-buffer
needle
+ search-panes -a -t s:5 needle
+ search-panes -w -i -t s:5 NEEDLE
+ search-panes -Z -s -r -t s:5 ne+dle (x|there)
+ search-panes -r -t s:5 (a
err: bad regular expression: Unmatched ( or \(
exit: 1
+ search-panes -t s:5 
err: the pattern to search for is empty
exit: 1
+ search-panes -t s:5 needle
err: no client shows the list of matches
exit: 1'

done_testing
