#!/bin/sh
# What sequences of a pane's program cause outside its screen: the pointer of
# the user's terminal, formats, hooks.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# Waits until FORMAT of the pane is TEXT.
becomes() {
	wait_for "[ \"\$(m display-message -p -t s: '$1')\" = '$2' ]" ||
		m display-message -p -t s: "$1, not $2"
}

# The last OSC 22 that the outer terminal got.
outer_pointer() {
	tr '\033' '\n' <raw | grep -a '^]22;' | tail -n 1
}

# OSC 22 follows the active pane, and the terminal has its own shape at the end.
pointer() {
	m set-option -s terminal-features '*:pointer'
	attach_in 60 11 "$(attach_command) -t s"
	expect_screen '\[s\]'
	outer pipe-pane "cat >>'$PWD/raw'"
	: >raw
	m respawn-pane -k -t s: 'printf "\033]22;hand2\007one"; cat'
	becomes '#{pane_pointer}' pointer
	wait_for '[ "$(outer_pointer)" = "]22;pointer" ]' || outer_pointer
	m split-window -t s:
	becomes '#{pane_pointer}' default
	wait_for '[ "$(outer_pointer)" = "]22;" ]' || outer_pointer
	m last-pane -t s:
	wait_for '[ "$(outer_pointer)" = "]22;pointer" ]' || outer_pointer
	detach
	wait_for '[ "$(outer_pointer)" = "]22;" ]' || outer_pointer
	# A terminal that does not know it gets nothing.
	m set-option -s terminal-features ''
	: >raw
	attach_in 60 11 "$(attach_command) -t s"
	outer pipe-pane "cat >>'$PWD/raw'"
	m respawn-pane -k -t s: 'printf "\033]22;wait\007two"; cat'
	becomes '#{pane_pointer}' wait
	expect_screen two
	outer_pointer
	detach
}
rmux_only "pointer shape" pointer ''
# Variables of a program are formats and run a hook; @options stay the user's.
user_vars() {
	m set-option -pt s: @who user
	m set-hook -g pane-user-var-changed \
		'set-option -gaF @seen "#{hook_user_var}=#{hook_pane} "'
	m respawn-pane -k -t s: 'printf "\033]1337;SetUserVar=who=cHJvZ3JhbQ==\007"; cat'
	becomes '#{pane_uservar_who} #{@who} #{pane_uservars}' 'program user who'
	becomes '#{@seen}' 'who=%0 '
	attach_in 60 11 "$(attach_command) -t s"
	m set-option -g status-right '<#{pane_uservar_b}>'
	expect_screen '<>'
	m respawn-pane -k -t s: 'printf "\033]1337;SetUserVar=b=YmI=\007"; cat'
	expect_screen '<bb>'
	detach
	# A respawned pane keeps them; an empty value removes one.
	becomes '#{pane_uservars}' 'b who'
	m respawn-pane -k -t s: 'printf "\033]1337;SetUserVar=who=\007"; cat'
	becomes '#{pane_uservars}' 'b'
}
rmux_only "user variables" user_vars ''

# A directory of another machine is not that of new panes.
directory() {
	mkdir here
	m respawn-pane -k -c "$PWD/here" -t s: 'printf "\033]7;file://far.example/usr/a%%20b\007"; cat'
	becomes '#{pane_host} #{pane_directory}' 'far.example /usr/a b'
	becomes '#{pane_path} #{pane_current_path}' \
		"file://far.example/usr/a%20b $PWD/here"
	m split-window -t s: -c '#{pane_current_path}' cat
	becomes '#{pane_current_path}' "$PWD/here"
	m kill-pane -t s:
	m respawn-pane -k -t s: 'printf "\033]1337;RemoteHost=me@near\007\033]1337;CurrentDir=/opt\007"; cat'
	becomes '#{pane_host} #{pane_directory}' 'near /opt'
}
rmux_only "directory and machine" directory ''

# previous-prompt stops at the mark of OSC 1337, too.
mark() {
	m respawn-pane -k -t s: 'seq 30; printf "\033]1337;SetMark\007here\n"; seq 40; cat'
	expect_pane s: '^40'
	m copy-mode -t s:
	m send-keys -t s: -X previous-prompt
	m display-message -p -t s: '#{copy_cursor_line}'
}
rmux_only "a mark" mark 'here'
# The shell's last command: its line, its status, and the hook that tells both.
command_line() {
	m set-hook -g pane-command-finished \
		'set-option -gF @ended "#{pane_command_line}: #{pane_command_status}"'
	m respawn-pane -k -t s: 'printf "\033]133;A\007$ \033]133;B\007x\033]133;C;cmdline_url=make%%20all\007\n"; read -r go; printf "\033]133;D;2\007"; cat'
	becomes '#{pane_command_running} #{pane_command_line}' '1 make all'
	m send-keys -t s: Enter
	becomes '#{@ended}' 'make all: 2'
	becomes '#{pane_command_running}' 0
	m respawn-pane -k -t s: 'printf "\033]133;C\007go"; cat'
	becomes '#{pane_command_running}#{pane_command_line}' 1
}
rmux_only "command line and status" command_line ''

# A click into the line that the shell edits moves the cursor by its keys.
clicks() {
	m set-option -g mouse on
	attach_in 60 11 "$(attach_command) -t s"
	expect_screen '\[s\]'
	m respawn-pane -k -t s: 'stty raw -echo; printf "\033]133;A;cl=line\007$ \033]133;B\007abcdef"; dd bs=1 count=12 2>/dev/null | tr "\033" "^" >clicked; exec cat'
	expect_screen 'abcdef'
	outer_click() {
		outer send-keys -l "$(printf '\033[<0;%d;1M\033[<0;%d;1m' "$1" "$1")"
	}
	outer_click 5
	wait_for '[ -e clicked ]'
	outer_click 30
	m send-keys -t s: x
	wait_for '[ -s clicked ]'
	cat clicked
	echo
	detach
}
rmux_only "clicks at the prompt" clicks '^[D^[D^[D^[D'
# title-report: a program may read its title only where the user says so.
titles() {
	m respawn-pane -k -t s: 'printf "\033]2;secret\007"; stty raw -echo; while read -r line; do printf "\033[21t"; dd bs=1 count=$line 2>/dev/null | tr "\033" "^" >told.new; mv told.new told; done'
	becomes '#{pane_title}' secret
	m send-keys -t s: 5 C-j
	wait_for '[ -e told ]'
	cat told
	echo
	rm told
	m set-option -p -t s: title-report on
	m send-keys -t s: 11 C-j
	wait_for '[ -e told ]'
	cat told
	echo
}
rmux_only "titles" titles '^]l^\
^]lsecret^\'
done_testing
