#!/bin/sh
# Sessions: new-, has-, kill-, rename-, list-session, groups; shell commands, files, messages, orders.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

sessions() {
	run new-session -d -s two -n first -x 50 -y 10 cat
	run list-windows -t two -F '#{window_name} #{window_width}x#{window_height}'
	run new-session -d -s two
	run new-session -d -s 'a:b.c' cat
	run new-session -d -P -F '#{session_name}!' -s three cat
	run new-session -d -P -s four cat
	run list-sessions -F '#{session_name} #{session_windows}'
	run has-session -t two
	run has-session -t nothing
	run has-session -t =tw
	run has-session -t tw
	run rename-session -t two second
	run rename-session -t second three
	run rename-session -t second ''
	run list-sessions -F '#{session_name}' -f '#{m:t*,#{session_name}}'
	run kill-session -t second
	run kill-session -t second
	run kill-session -a -t three
	run list-sessions -F '#{session_name}'
	run new-session -d -s e -e NAME=value -c / 'echo $NAME; pwd; cat'
	expect_pane e value
	run capture-pane -p -t e -E 1
	run show-environment -t e NAME
	run new-session -d -s x -x nothing
	run new-session -d -s x -y -1
	run attach-session -t nothing
	run new-session -A -d -s e
}
compare "sessions" sessions

groups() {
	m new-window -d -t s:1 -n one cat
	run new-session -d -t s -s twin
	run list-sessions -F '#{session_name} #{session_group} #{session_grouped} #{session_group_size} #{session_windows}'
	m new-window -d -t twin:5 -n five cat
	run list-windows -t s -F '#{window_index} #{window_linked}'
	run select-window -t twin:5
	run display-message -p -t s: '#{window_index}'
	run display-message -p -t twin: '#{window_index}'
	run kill-window -t s:1
	run list-windows -t twin -F '#{window_index}'
	run new-session -d -t newgroup -s lone cat
	run list-sessions -F '#{session_name} #{session_group}'
	run new-session -d -t s -s third
	run kill-session -t s
	run list-sessions -F '#{session_name} #{session_group_list}'
}
compare "groups" groups

shells() {
	run if-shell true 'display-message -p yes' 'display-message -p no'
	run if-shell false 'display-message -p yes' 'display-message -p no'
	run if-shell -F '#{==:a,a}' 'display-message -p yes' 'display-message -p no'
	run if-shell -F 0 'display-message -p yes'
	run if-shell -b true 'set-option -g @b yes'
	wait_for 'm show-options -gqv @b | grep -q yes'
	run if-shell true 'no-such'
	run if-shell true
	m run-shell 'echo out; exit 3' >/dev/null
	echo "exit: $?"
	run run-shell -b 'echo unseen'
	run run-shell -C 'display-message -p command'
	m run-shell -d 0.1 true
	echo "exit: $?"
	run run-shell -d x 'echo'
	echo 'display-message -p sourced' >conf
	run source-file conf
	run source-file conf conf
	run source-file nothing
	run source-file -q nothing
	run source-file -n conf
	run source-file -v conf
	echo 'display-message -p "from stdin"' | run source-file -
	printf 'set -g @x 1\nnonsense\nset -g @y 2\n' >bad
	m source-file bad 2>&1
	run show-options -gqv @x
	run set-environment -g VAR value
	run show-environment -g VAR
	run set-environment -gh HID secret
	run show-environment -g HID
	run show-environment -gh HID
	run set-environment -gF FMT '#{session_name}'
	run show-environment -gs FMT
	run set-environment -gr VAR
	run show-environment -g VAR
	run set-environment -gu VAR
	run show-environment -g VAR
}
compare "if-shell, run-shell, source-file, set-environment" shells

messages() {
	run display-message -p '#{session_name}:#{window_index}'
	run display-message -p -t s:0 -F '#{pane_index}'
	run display-message -p -F a b
	run display-message -p -d x text
	run display-message -p -t nothing text
	run display-message -p '#{?pane_active,yes,no} #{e|+:1,2}'
	m display-message -a | grep -c '^session_name=s$'
	m display-message -v -p '#{session_name}' | tail -n 1
	run display-message -I -t s:
}
compare "display-message" messages

# A target that does not exist still names its session or its window.
half() {
	m split-window -d -t s: cat
	m new-window -d -t s:3 cat
	m split-window -d -t s:3 cat
	for t in s:nosuch s:3 s:9 :9 s:0.9 s:3.9 @1.9 @0.9 s:nosuch.0 nosuch \
		nosuch:0 %99 @99 '$99' '=nosuch:' '{mouse}' '~'; do
		run display-message -p -t "$t" '[#S:#I.#P]'
	done
	run set-option -t s:nosuch @half yes
	run show-options -v -t s @half
	run set-option -w -t s:nosuch mode-keys vi
	run set-option -p -t s:3.9 @half yes
	run show-hooks -t s:9
	run if-shell -F -t s:9 '#{session_name}' 'display-message -p yes'
	run run-shell -C -t s:9 'display-message -p ran'
	run select-pane -t s:9
	run set-environment -t s:9 HALF yes
	run show-environment -t s HALF
	run show-options -p -t s:3.9
	run show-options -w -t s:9 mode-keys
	run set-option -U -t s:9 mode-keys
}
compare "targets that are not there" half

orders() {
	m new-session -d -s b -x 20 -y 5 cat
	m new-session -d -s a -n cat -x 30 -y 5 cat
	m new-window -d -t a: -n z cat
	m new-window -d -t a: -n y cat
	for o in name index creation; do
		m list-sessions -O $o -F '#S' | paste -s -d ' '
		m list-windows -t a -O $o -F '#I #W' | paste -s -d ' '
	done
	m list-sessions -r -F '#S' | paste -s -d ' '
	m list-windows -t a -r -O index -F '#S:#I' | paste -s -d ' '
	m split-window -d -h -l 5 -t b: cat
	m list-panes -t b: -O size -F '#P' | paste -s -d ' '
	m list-panes -t b: -O index -r -F '#P' | paste -s -d ' '
	m list-panes -O nothing 2>&1
	m list-sessions -O nothing 2>&1
}
compare "orders of lists" orders

# A server without sessions and clients exits by default.
gone() {
	wait_for '! m list-sessions >/dev/null 2>&1' || echo "stays"
}

empties() {
	stop
	m new-session -d -Q >/dev/null 2>&1 && echo "taken"
	gone
	run start-server
	gone
	run start-server \; attach-session
	gone
	run start-server \; attach-session -t nothing
	gone
	run start-server \; new-window
	gone
	run start-server \; show-options -g status
	gone
	# A running job may still make a session.
	mkfifo "$e2e_dir/$M.go"
	run start-server \; if-shell -b "cat '$e2e_dir/$M.go'" \
		'new-session -d -s late cat'
	run list-sessions
	echo >"$e2e_dir/$M.go"
	wait_for 'm has-session -t late 2>/dev/null' || echo "no session"
	m kill-server
	gone
	# exit-empty off keeps the server.
	run start-server \; set-option -s exit-empty off
	run list-sessions
	run attach-session
	run new-session -d -s s cat
	run list-sessions -F '#S'
}
# tmux does the same, but it can lose a client that connects while it exits.
rmux_only "a server without sessions" empties "+ start-server
+ start-server ; attach-session
err: no sessions
exit: 1
+ start-server ; attach-session -t nothing
err: no sessions
exit: 1
+ start-server ; new-window
err: no current target
exit: 1
+ start-server ; show-options -g status
status on
+ start-server ; if-shell -b cat 'TOP/rmux.go' new-session -d -s late cat
+ list-sessions
+ start-server ; set-option -s exit-empty off
+ list-sessions
+ attach-session
err: no sessions
exit: 1
+ new-session -d -s s cat
+ list-sessions -F #S
s"

# -x and -y apply to later windows as well.
later_windows() {
	m new-session -d -s both -x 100 -y 30 cat
	m new-session -d -s wide -x 100 cat
	m new-session -d -s high -y 33 cat
	m new-session -d -s group -t both -x 90 -y 40
	m new-session -d -s plain cat
	for s in both wide high group plain; do
		run show-options -t "$s" default-size
		m new-window -d -t "$s:" cat
		run list-windows -t "$s" -F '#{window_width}x#{window_height}'
	done
	run new-session -d -s bad -x 0 cat
	run new-session -d -s bad -y many cat
	run list-sessions -F '#S'
}
compare "the size of later windows" later_windows

# Lists without -F; the bytes of a history differ between tmux and rmux.
lists() {
	m new-session -d -s other -x 90 -y 20 cat
	m split-window -d -t other: cat
	m split-window -d -t s: cat
	m new-window -d -t s: cat
	for words in '-t other:' '-s -t s:' '-s -t other:' -a; do
		echo "+ list-panes $words"
		# shellcheck disable=SC2086 # words they are
		m list-panes $words | sed 's/[0-9]* bytes/N bytes/'
	done
	run list-sessions -F '#S'
	m list-sessions | sed 's/created [^)]*/created T/'
	# Window names follow the running programs; the reference runs under the
	# loader's name, ld-linux-x86-64.so.2.
	m list-windows -a | sed 's/ \[layout .*//
	s/: [a-z]*\(-linux-[^ *]*\.so\.[0-9]*\)*/: NAME/'
}
compare "lists as they are" lists

# Commands that start a server when there is none, each its own.
starts() {
	nth=0
	echo 'new-session -d -s fromconf cat' >conf
	while read -r file words; do
		nth=$((nth + 1))
		echo "+ $words"
		case $M in
		tmux) program=tmux ;;
		*) program=$e2e_rmux ;;
		esac
		eval '$program -L "e2e$nth" -f $file '"$words" 2>err </dev/null |
			grep -c '^bind-key.* C-b \|^kill-pane ('
		sed "s/^error connecting .*/no server/; s/^no server .*/no server/" err
		$program -L "e2e$nth" list-sessions -F '#{session_name}' 2>/dev/null
		$program -L "e2e$nth" kill-server 2>/dev/null
	done <<-'END'
		/dev/null list-commands
		/dev/null list-keys -T prefix
		/dev/null lsk
		conf attach-session -t fromconf
		conf a
		/dev/null attach
		/dev/null list-buffers \; list-commands kill-pane
		conf -N list-keys
		conf list-sessions
		conf list-
	END
}
compare "commands that start a server" starts

done_testing
