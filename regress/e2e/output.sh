#!/bin/sh
# Output of commands run by a key or at the prompt is shown in view mode.
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

mode() {
	wait_for "m display-message -p -t s: '#{pane_mode}' | grep -q '^$1$'" ||
		m display-message -p -t s: "not $1: #{pane_mode}"
}

# View mode has the keys of copy mode, and some that these leave free.
numbered() {
	m bind-key -n F5 run-shell 'seq 100'
	m bind-key -n F6 run-shell 'echo one line'
	attach 40 11
	outer_keys F5
	expect_screen '^1  *\[90/90\]$'
	expect_screen '^10$'
	mode view-mode
	outer_keys NPage
	expect_screen '^18$'
	outer_keys G
	expect_screen '^100$'
	expect_screen '\[0/90\]'
	outer_keys 'M-<'
	expect_screen '\[90/90\]'
	outer_keys /
	expect_screen '^(search down)'
	outer_keys 5.5 BSpace BSpace 5 Enter
	expect_screen '^55$'
	m display-message -p -t s: '#{copy_cursor_line}'
	# Text is selected and copied as in copy mode.
	outer_keys C-a C-Space C-e M-w
	mode ''
	m show-buffer
	echo
	# The prefix works, and the client may go and come back.
	outer_keys F5
	mode view-mode
	outer_keys C-b d
	wait_for '[ -z "$(m list-clients)" ]' || echo "client stays"
	attach 40 11
	expect_screen '\[90/90\]'
	# Later output goes below; what is shown stays.
	outer_keys F6
	expect_screen '^1  *\[91/91\]$'
	outer_keys G
	expect_screen '^one line'
	outer_keys q
	mode ''
	outer_keys F6
	expect_screen '^one line  *\[0/0\]$'
	outer_keys Escape
	mode ''
	outer_keys back Enter
	expect_screen '^back'
	detach
}
rmux_only "lines in view mode" numbered '55
55'

# Where the output of run-shell goes; errors of a file by a key; one key.
places() {
	printf 'set-option -g @a 1\nbind-key\nfrobnicate\n' >bad.conf
	m bind-key -n F5 run-shell 'echo oops; exit 3'
	m bind-key -n F6 source-file "$PWD/bad.conf"
	m bind-key -n F7 display-message -p 'hi #{session_name}'
	run run-shell 'exit 3'
	m run-shell 'kill -15 $$'; echo $?
	m run-shell -t s: 'echo to the pane'
	mode view-mode
	m run-shell -b 'echo from the back'
	attach 110 11
	expect_screen '^to the pane'
	expect_screen '^from the back'
	outer_keys F5
	expect_screen 'echo oops; exit 3. returned 3'
	outer_keys q
	mode ''
	outer_keys F6
	expect_screen 'bad.conf:2: command bind-key: too few arguments'
	mode view-mode
	outer_keys F7
	expect_screen '^hi s'
	outer_keys q
	mode ''
	outer_keys C-b /
	expect_screen '^key'
	outer_keys c
	expect_screen '^C-b c *Create a new window'
	mode ''
	detach
}
rmux_only "run-shell, source-file and display-message -p" places \
	"+ run-shell exit 3
'exit 3' returned 3
exit: 3
'kill -15 \$\$' terminated by signal 15
143"

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
	sed 's/ to .*//' err
	outer_start 100 6 "'$e2e_rmux' -L nobody list-sessions; cat"
	expect_screen '^error connecting to .*No such file'
	expect_screen '^rmux new-session starts one'
	outer_start 100 6 "'$e2e_rmux' -L nobody slipt-window; cat"
	expect_screen '^unknown command: slipt-window, did you mean: split-window?'
}
rmux_only "no server running" no_server 'error connecting'

# A host in the place of a command, and attach without a session.
newcomer() {
	outer_start 100 6 "'$e2e_rmux' -L $1 $2; cat"
	expect_screen "$3"
	expect_screen "$4"
}
newcomers() {
	m set-option -s exit-empty off
	for word in zzz.example.org me@zzz; do
		newcomer nobody $word '^error connecting to' "^if $word is a host: rmux attach $word"
		newcomer e2e $word '^unknown command' "^if $word is a host: rmux attach $word"
	done
	m zzz.example.org 2>err
	sed 's/^/scripts read: /' err
	# Not a host, a misspelt command, not the only word.
	for word in 'zzz/x' slipt-window 'zzz.example.org x'; do
		outer_start 100 6 "'$e2e_rmux' -L e2e $word; echo; echo end of it; cat"
		expect_screen 'end of it'
		outer_screen | grep 'is a host'
	done
	m kill-session -t s
	newcomer e2e attach '^no sessions' '^rmux new-session starts one'
	m attach-session </dev/null 2>err
	cat err
}
rmux_only "newcomers get a second line" newcomers 'scripts read: unknown command: zzz.example.org
no sessions'

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
