#!/bin/sh
# bind-key, unbind-key and list-keys; list-commands.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# The default tables of two versions differ; the test uses a table of its own.
tables() {
	run bind-key -T mine a display-message -p x
	run bind-key -T mine -N 'a note' C-b display-message
	run bind-key -r -T mine M-Left select-pane -L \\\; display-message 'a b'
	run bind-key -T mine '"' set -g @x '$y'
	# Versions after 3.3 list in another order.
	run list-keys -T mine | sort
	run list-keys -T mine a
	run list-keys -T mine -N
	m list-keys -T mine -N -a | tr -s ' ' | sed 's/^M-Left */M-Left/' | sort
	run list-keys -T mine -N -P 'C-x '
	run list-keys -T mine -1N
	run list-keys -T nope
	run list-keys nope
	run list-keys -T mine z
	run unbind-key -T mine a
	run list-keys -T mine | sort
	run unbind-key -a -T mine
	run list-keys -T mine
	run unbind-key -T mine a
	run unbind-key
	run bind-key nope x
	run bind-key -T mine z no-such-command
	run send-keys -N x a
}
compare "a table" tables

notes() {
	run list-keys -N c
	m list-keys -1N | wc -l
	run list-keys -N -P 'C-x ' c
	m list-keys -N | grep -E 'Create a new window|Send the prefix' | sort
	run bind-key -n -N 'of root' F12 display-message
	m list-keys -N | grep 'of root'
}
compare "notes" notes

commands() {
	run list-commands -F '#{command_list_name}|#{command_list_alias}' lsk
	run list-commands kill-server
	m list-commands | wc -l | tr -d ' ' >/dev/null
	run list-commands -F '#{command_list_name} #{command_list_usage}' start
}
compare "list-commands" commands

# A terminal sends the same bytes for both names of these keys.
twins() {
	attach_in 80 10 "$(attach_command)"
	m bind-key C-m set-option -g @m typed
	m unbind-key Tab
	m bind-key C-i set-option -g @i typed
	m bind-key -n C-@ set-option -g @space typed
	# Keys that arrive together count as a paste.
	m set-option -g assume-paste-time 0
	for o in 'm C-b Enter' 'i C-b Tab' 'space C-Space'; do
		outer_keys ${o#* }
		wait_for "m show-options -gqv @${o%% *} | grep -q typed"
		run show-options -gqv "@${o%% *}"
	done
}
rmux_only "C-m, C-i and C-@ are Enter, Tab and C-Space" twins \
	"+ show-options -gqv @m
typed
+ show-options -gqv @i
typed
+ show-options -gqv @space
typed"

# Programs turn off the ESC of Meta by modes 1036 and 1039; 1034 is set.
meta() {
	m respawn-pane -k -t s: \
		"printf '\\033[?1036l\\033[?1039lready\\n'; exec cat -v"
	expect_pane s: ready
	m send-keys -t s: M-a Enter
	expect_pane s: 'M-CM-!'
}
rmux_only "Meta without ESC" meta ""
done_testing
