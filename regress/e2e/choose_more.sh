#!/bin/sh
# switch-mode, editors, menus of choosers, menus on several clients, and what
# the mouse points at as the target of commands.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

attach() {
	m set-option -g status-right '' \; set-option -sg escape-time 20 \
		\; set-option -g allow-rename off \; set-option -g mouse on
	attach_in "$1" "$2" "$(attach_command) -t s"
	wait_for 'outer_screen | grep -q "\[s\]"' || echo "no status line"
}

# SGR mouse events at column X and row Y, from 1.
press() { outer_keys -l "$(printf '\033[<%s;%s;%sM' "$1" "$2" "$3")"; }
release() { outer_keys -l "$(printf '\033[<%s;%s;%sm' "$1" "$2" "$3")"; }

# see TEXT: waits for it.
see() {
	wait_for "outer_screen | grep -qF -- '$1'" && echo "seen: $1" ||
		outer_screen
}

gone() {
	wait_for "! outer_screen | grep -qF -- '$1'" && echo "gone: $1" ||
		outer_screen
}

in_mode() {
	wait_for "[ \"\$(m display-message -p -t s: '#{pane_mode}')\" = '$1' ]" &&
		echo "mode: $1" || echo "not in $1"
}

switch() {
	m rename-window -t s:0 erst
	m new-window -d -t s: -n other cat
	m new-session -d -s zwei -n third cat
	attach 60 16
	run switch-mode -t s: -w
	in_mode switch-mode
	see '(search)'
	outer_keys t h i
	gone 'erst s:'
	outer_screen | sed -n 1,2p
	outer_keys -N 3 BSpace
	see 'erst s:'
	outer_keys o t h Enter
	wait_for '[ "$(m display-message -p -t s: "#W")" = other ]' ||
		echo "no other"
	m split-window -t s: cat
	run switch-mode -t s: -k -s -F '#{session_name}!'
	see 'zwei!'
	m set-option -gw switch-mode-match-style 'bg=red'
	outer_keys w e
	wait_for 'outer_screen -e | grep -q "\[.*41m"' || outer_screen -e
	outer_keys Escape
	wait_for '[ "$(m display-message -p -t s: "#{window_panes}")" = 1 ]' ||
		echo "not killed"
	detach
}
rmux_only "switch-mode" switch "+ switch-mode -t s: -w
mode: switch-mode
seen: (search)
gone: erst s:
third zwei:0* sh

seen: erst s:
+ switch-mode -t s: -k -s -F #{session_name}!
seen: zwei!"

# The floating pane of C-b Tab has rows for the windows in a low terminal, too.
low() {
	m rename-window -t s:0 erst
	m new-window -d -t s: -n other cat
	attach 40 12
	outer_keys C-b Tab
	in_mode switch-mode
	see '(search)'
	see 'erst s:0'
	see 'other s:1'
	outer_keys o t h
	gone 'erst s:'
	see 'other s:1'
	outer_keys Enter
	wait_for '[ "$(m display-message -p -t s: "#W")" = other ]' ||
		echo "no other"
	detach
}
rmux_only "switch-mode in 40x12" low "mode: switch-mode
seen: (search)
seen: erst s:0
seen: other s:1
gone: erst s:
seen: other s:1"

# New options, variables and keys; items of arrays; whose history the words are.
added() {
	m set-option -s command-alias 'a=list-keys' \; set-environment -r GONE
	attach 70 30
	m customize-mode -t s: \
		-f '#{||:#{m:@*,#{option_name}},#{==:#{option_name},command-alias}}'
	see '(0)   + Server'
	outer_keys Enter 'mine a b' Enter
	wait_for 'm show-options -sv @mine | grep -q "a b"' || echo "no option"
	outer_keys Right Down Down s C-u 'b=x' Enter
	wait_for 'm show-options -s command-alias | grep -q "1. b=x"' ||
		echo "not added"
	outer_keys Right Down
	see 'This is an array option, key 0.'
	outer_keys a C-u 1 Enter a C-u 7 Enter
	wait_for 'm show-options -s command-alias | grep -q 7' || echo "not moved"
	outer_keys d Down Enter
	see '(command-alias[7])'
	outer_keys C-c q
	gone '(0) '
	m show-options -s command-alias
	m customize-mode -t s: -f '#{==:#{key},F9}'
	see '(5)   Global Env'
	outer_keys End Enter 'F9 list-keys' Enter
	wait_for 'm list-keys -T root F9' || echo "no key"
	outer_keys Enter NoKey Enter
	see 'must be key command'
	outer_keys Up Up Up Up Up Enter 'NAME=a value' Enter
	wait_for 'm show-environment NAME | grep -q value' || echo "no variable"
	outer_keys C-s word Enter f C-u \
		'#{==:#{environment_name},GONE}' Enter
	see '+ Session Env'
	outer_keys Right Down
	see 'Variable is removed.'
	outer_keys q
	m show-prompt-history
	detach
}
rmux_only "customize-mode adds, and searches have their own history" added "seen: (0)   + Server
seen: This is an array option, key 0.
seen: (command-alias[7])
gone: (0) 
command-alias[1] b=x
command-alias[7] a=list-keys
seen: (5)   Global Env
bind-key  -T root F9 list-keys
seen: must be key command
seen: + Session Env
seen: Variable is removed.
History for command:

1: @mine a b
2: b=x
3: 1
4: 7
5: F9 list-keys
6: NoKey
7: NAME=a value

History for search:

1: word
2: #{==:#{environment_name},GONE}
"

# An editor that says that it runs and appends to its file on a key.
editor() {
	cat >"$e2e_dir/editor" <<-'END'
		#!/bin/sh
		echo "this edits"
		read -r answer
		[ "$answer" = no ] && exit 1
		printf '%s\n' "$answer" >>"$1"
	END
	chmod +x "$e2e_dir/editor"
	m set-option -s editor "$e2e_dir/editor"
}

edit() {
	editor
	m set-buffer -b old 'first'
	m set-buffer -b new "$(printf 'one\ntwo')"
	attach 60 9
	m choose-buffer -t s:
	see '(0) new'
	outer_keys e
	see 'this edits'
	outer_keys more Enter
	gone 'this edits'
	wait_for 'm show-buffer -b new | grep -q more' || echo "not edited"
	m show-buffer -b new
	echo
	m list-buffers -F '#{buffer_name}'
	outer_keys Down e
	see 'this edits'
	outer_keys no Enter
	gone 'this edits'
	m show-buffer -b old
	echo
	outer_keys e
	see 'this edits'
	m delete-buffer -b old
	outer_keys late Enter
	gone 'this edits'
	m list-buffers -F '#{buffer_name}'
	outer_keys q
	m customize-mode -t s: -f '#{==:#{option_name},status-left}'
	see 'Session Options'
	outer_keys Down Right Down e
	see 'this edits'
	outer_keys x Enter
	wait_for 'm show-options -gv status-left | grep -q "x$"' ||
		echo "not set"
	gone 'this edits'
	outer_keys q
	in_mode ''
	m set-option -s editor /nonexistent/editor
	m choose-buffer -t s:
	see '(0) new'
	outer_keys e
	gone '┐'
	in_mode buffer-mode
	ls /tmp/rmux.???????? 2>/dev/null
	detach
}
rmux_only "editors of buffers and options" edit "seen: (0) new
seen: this edits
gone: this edits
one
twomore
new
old
seen: this edits
gone: this edits
first
seen: this edits
gone: this edits
new
seen: Session Options
seen: this edits
gone: this edits
mode: 
seen: (0) new
gone: ┐
mode: buffer-mode"

menus() {
	m new-session -d -s zwei -n eins cat
	attach 70 24
	m choose-tree -t s: -s
	see '(1) + zwei'
	press 2 10 2
	see 'Kill Tagged'
	outer_keys x
	see 'Kill session zwei?'
	outer_keys y
	gone zwei
	outer_keys F
	see '(fuzzy)'
	outer_keys q x z
	gone '(0)'
	outer_keys C-c
	see '(0) + s'
	press 2 10 20
	see 'Scroll Left'
	outer_keys q
	gone 'Scroll Left'
	outer_keys q
	in_mode ''
	detach
}
rmux_only "menus and letters in choosers" menus "seen: (1) + zwei
seen: Kill Tagged
seen: Kill session zwei?
gone: zwei
seen: (fuzzy)
gone: (0)
seen: (0) + s
seen: Scroll Left
gone: Scroll Left
mode: "

# A menu is on all clients of its window; each may choose.
several() {
	attach 60 16
	outer new-session -d -s two -x 50 -y 14 "$(attach_command) -t s"
	wait_for '[ "$(m list-clients | wc -l)" = 2 ]' || echo "no second"
	m display-menu -c "$client" -x 3 -y 9 One 1 'set-option -g @did 1' \
		Two 2 'set-option -g @did 2' &
	for i in 0 two; do
		wait_for "outer capture-pane -p -t '$i:' | grep -q Two" ||
			echo "none on $i"
	done
	outer send-keys -t two: 2
	wait_for '[ "$(m show-options -gqv @did)" = 2 ]' || echo "not chosen"
	wait_for '! outer capture-pane -p -t 0: | grep -q Two' || echo "it stays"
	wait
	m kill-session -t s
}
rmux_only "a menu on two clients" several ""

# Without -t, commands of mouse keys act on what is under the mouse.
pointed() {
	m split-window -h -t s: 'seq 50; cat'
	m select-pane -t s:0.0
	attach 60 12
	see 50
	press 64 50 5
	wait_for 'outer_screen | grep -q "/"' || echo "not scrolled"
	m list-panes -t s: -F '#{pane_index} #{pane_mode}'
	m set-option -g @x 5
	m run-shell -C 'set-option -g @y "#{@x}#{e|+:#{@x},1}"'
	m show-options -gv @y
	detach
}
rmux_only "targets of mouse keys; run-shell -C" pointed "seen: 50
0 
1 copy-mode
56"

# Names that are commands to a shell, a format or the parser: a chooser does its
# own command on the one that was chosen, and nothing else runs.
sees() {
	want=$1
	wait_for 'outer_screen | grep -qF -- "$want"' || {
		echo "no $1"
		outer_screen | grep .
	}
}

hostile() {
	name='a"b'\''c;#{pid}#(touch "$RAN")$(touch "$RAN")`touch "$RAN"`%H{}%%'
	m set-environment -g RAN "$e2e_dir/ran"
	m display-message -p '#(touch "$RAN"2)' >/dev/null
	wait_for '[ -e "$e2e_dir/ran2" ]' || echo "commands of formats do not run"
	format=$(printf '%s' "$name" | sed 's/#/##/g')
	m new-session -d -s "$format" -n "$(printf 'x\ny\033]0;z\007')$format" cat
	m set-buffer -b "$name" text
	attach 110 24
	m choose-tree -s -t s:
	sees 'a"b'
	outer_keys G x
	sees "Kill session $name?"
	outer_keys n
	wait_for '! outer_screen | grep -q "Kill session"' || outer_screen
	outer_keys :
	sees '(current)'
	outer_keys -l 'set-option -g @x "%%"'
	outer_keys Enter
	wait_for 'm show-options -gqv @x | grep -q .' || echo "no target"
	[ "$(m show-options -gv @x)" = "=$name:" ] || m show-options -gv @x
	press 2 5 2
	sees "#(touch"
	outer_keys Escape G Enter
	wait_for '[ "$(m list-clients -F "#{client_session}")" = "$name" ]' ||
		m list-clients
	m choose-tree -w -t "=$name:" 'rename-window -t "%%" done'
	sees 'index'
	outer_keys G Enter
	wait_for '[ "$(m list-windows -t "=$name:" -F "#W")" = done ]' ||
		m list-windows -a
	m rename-window -t "=$name:" "$format"
	m switch-mode -w -t "=$name:" 'set-option -g @y "%%"'
	sees '(search)'
	outer_keys p i d Enter
	wait_for '[ "$(m show-options -gqv @y)" = "=$name:0." ]' ||
		m show-options -gqv @y
	m choose-buffer -t "=$name:" 'set-option -g @z "%%"'
	sees '(sort:'
	outer_keys Enter
	wait_for '[ "$(m show-options -gqv @z)" = "$name" ]' ||
		m show-options -gqv @z
	m choose-buffer -t "=$name:"
	sees '(sort:'
	outer_keys d
	wait_for '! m list-buffers | grep -q .' || m list-buffers
	wait_for '[ "$(m display-message -p -t "=$name:" "#{pane_in_mode}")" = 0 ]'
	m choose-tree -s -t s:
	wait_for '[ "$(m display-message -p -t s: "#{pane_mode}")" = tree-mode ]'
	m switch-client -t s
	sees '1 windows'
	outer_keys G x
	sees "Kill session $name?"
	outer_keys y
	wait_for '[ "$(m list-sessions -F "#S")" = s ]' || m list-sessions
	[ ! -e "$e2e_dir/ran" ] || echo "a name has run a command"
	detach
}
rmux_only "names that look like commands" hostile ""

# H goes to the starting pane; to its window, which it expands, where -h hides
# the pane.
starts() {
	m rename-window -t s: first
	m split-window -d -t s: cat
	m new-session -d -s b -n bw cat
	attach 60 16
	for f in -w -wh; do
		m choose-tree $f -N -t s:
		sees 'bw'
		outer_keys End H
		wait_for 'outer_screen | grep -q "^([0-9]).*→ 1: "' || outer_screen
		outer_screen | grep '^([0-9])'
		outer_keys q
		in_mode ''
	done
	detach
}
compare "H of choose-tree" starts

done_testing
