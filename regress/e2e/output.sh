#!/bin/sh
# Output of commands run by a key or at the prompt: one line is shown as a
# message, more lines cover the window until a key closes them.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m set-option -g status-right ''
	attach_in "$1" "$2" "$(attach_command) -t s"
	expect_screen '\[s\]'
}

gone() {
	wait_for "! outer_screen | grep -q -- '$1'" || echo "$1 stays"
}

# C-b ? and a few keys, compared with tmux, whose list differs further below.
listed() {
	attach 80 24
	outer_keys C-b '?'
	expect_screen '^C-b Space  *Select next layout'
	outer_keys NPage
	gone '^C-b Space '
	outer_keys PPage
	expect_screen '^C-b Space '
	outer_keys q
	gone '^C-b Space '
	outer_keys typed Enter
	expect_screen '^typed'
	detach
}
compare "C-b ?" listed

numbered() {
	m bind-key -n F5 run-shell 'seq 100'
	m bind-key -n F6 run-shell 'echo one line'
	attach 40 11
	outer_keys F5
	expect_screen '^1  *\[90/90\]$'
	expect_screen '^10$'
	outer_keys Down
	expect_screen '^11$'
	outer_keys G
	expect_screen '^100$'
	expect_screen '\[0/90\]'
	outer_keys g
	expect_screen '\[90/90\]'
	# The pager ignores unknown keys; the prefix works.
	outer_keys x y z
	outer_keys C-b d
	wait_for '[ -z "$(m list-clients)" ]' || echo "client stays"
	m capture-pane -p -t s: | grep .
	attach 40 11
	m set-option -g display-time 0
	outer_keys F6
	wait_for 'outer_screen | tail -n 1 | grep -q "one line"' || outer_screen
	outer_keys F5
	expect_screen '\[90/90\]'
	outer_keys Escape
	gone '\[90/90\]'
	outer_keys back Enter
	expect_screen '^back'
	detach
}
rmux_only "lines over the window" numbered ''

at_the_prompt() {
	m new-window -d -t s: -n second cat
	attach 60 11
	outer_keys C-b :
	expect_screen '^:'
	outer_keys 'list-windows -F "#{window_name}:#{window_index}"' Enter
	expect_screen '^second:1'
	outer_keys q
	gone '^second:1'
	detach
}
compare "list-windows at the prompt" at_the_prompt

# Errors are one line for scripts; a terminal also gets advice.
no_server() {
	"$e2e_rmux" -L nobody list-sessions 2>err
	sed 's/ on .*//' err
	outer_start 100 6 "'$e2e_rmux' -L nobody list-sessions; cat"
	expect_screen '^no server running on'
	expect_screen '^rmux new-session starts one'
	outer_start 100 6 "'$e2e_rmux' -L nobody slipt-window; cat"
	expect_screen '^unknown command: slipt-window, did you mean: split-window?'
}
rmux_only "no server running" no_server 'no server running'

# OSC 9;4 goes to a terminal that has a progress bar, and is reset afterwards.
progress() {
	m set-option -s terminal-features '*:progressbar'
	attach 60 11
	outer pipe-pane "cat >'$e2e_dir/raw'"
	m respawn-pane -k -t s: 'printf "\033]9;4;1;42\007set"; cat'
	expect_screen '^set'
	wait_for 'grep -qs "9;4;1;42" "$e2e_dir/raw"' || echo "no bar"
	detach
	wait_for 'grep -qs "9;4;0;0" "$e2e_dir/raw"' || echo "bar stays"
	m set-option -s terminal-features ''
	attach 60 11
	rm -f "$e2e_dir/raw"
	outer pipe-pane "cat >'$e2e_dir/raw'"
	m respawn-pane -k -t s: 'printf "\033]9;4;1;43\007again"; cat'
	expect_screen '^again'
	wait_for 'grep -qs again "$e2e_dir/raw"' || echo "nothing"
	grep "9;4;1;43" "$e2e_dir/raw"
	detach
}
rmux_only "progress" progress ''

# The pixel size of a cell is never 0, from the start and by every query, since
# programs divide by it.
pixels() {
	m new-window 'stty raw -echo; printf "\\033[14t\\033[16t\\033[?2048h"; dd bs=1 count=43 2>/dev/null | tr "\\033" "\\n" >pixels.new; mv pixels.new pixels; exec cat'
	wait_for '[ -e pixels ]'
	echo "$(tr '\n' ' ' <pixels)"
}
rmux_only "pixels of the window and of a cell" pixels \
	" [4;768;1280t [6;32;16t [48;24;80;768;1280t"

# A program that asked for size reports gets one when the size changes, not
# at its next output.
inband() {
	: >sizes
	m new-window 'stty raw -echo; printf "\\033[?2048h"; cat >sizes'
	wait_for 'grep -q "48;24;80;" sizes'
	m resize-window -x 60 -y 20
	wait_for 'grep -q "48;20;60;640;960t" sizes' && echo told
}
rmux_only "in-band reports of a new size" inband told

done_testing
