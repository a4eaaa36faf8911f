#!/bin/sh
# Hooks: set-hook, show-hooks, after a command, by an event, their variables.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

hooks() {
	# Names of programs would come in between.
	m set-option -gw automatic-rename off
	run set-hook -g after-new-window 'set-option -gF @made "#{hook} #{window_index}"'
	m new-window -d -t s:3 cat
	run show-options -gqv @made
	run set-hook -ga after-new-window 'set-option -ga @made " again"'
	m new-window -d -t s:4 cat
	run show-options -gqv @made
	run show-hooks -g after-new-window
	run set-hook -gu after-new-window
	m set-option -g @made none
	m new-window -d -t s:5 cat
	run show-options -gqv @made
	m set-hook -g session-created 'set-option -gF @new "#{hook_session_name}"'
	m new-session -d -s fresh cat
	wait_for 'm show-options -gqv @new | grep -q fresh'
	run show-options -gqv @new
	m set-hook -g window-renamed 'set-option -gF @renamed "#{hook_window_name}"'
	m rename-window -t s:3 other
	wait_for 'm show-options -gqv @renamed | grep -q other'
	run show-options -gqv @renamed
	m set-hook -g session-closed 'set-option -gF @closed "#{hook_session_name}"'
	m kill-session -t fresh
	wait_for 'm show-options -gqv @closed | grep -q fresh'
	run show-options -gqv @closed
	m set-hook -t s session-renamed 'set-option -g @mine yes'
	m rename-session -t s t
	wait_for 'm show-options -gqv @mine | grep -q yes'
	run show-options -gqv @mine
	m set-hook -g pane-died 'set-option -gF @died "#{hook_pane}"'
	m set-option -g remain-on-exit on
	m new-window -d -t t:8 true
	wait_for 'm show-options -gqv @died | grep -q %'
	run set-hook -g nothing 'display-message x'
	m set-hook -g after-split-window 'set-option -gF @split "#{pane_index}"'
	m split-window -d -t t:4 cat
	run show-options -gqv @split
	run set-hook -R -t t: after-kill-pane
	run set-hook -g 'after-kill-pane[3]' 'set-option -g @killed yes'
	run show-hooks -g after-kill-pane
	m split-window -d -t t:3 cat
	m kill-pane -t t:3.1
	run show-options -gqv @killed
	# An assignment is one at once.
	run set-hook -g pane-exited 'HOOKED=yes ; display-message x'
	run show-environment -g HOOKED
	run show-hooks -g pane-exited
}
compare "hooks" hooks

# Hooks of one pane or window, also of one whose program ends.
scoped() {
	# shellcheck disable=SC2016
	log='set-option -gF @log "#{@log} #{hook_pane}#{hook_window}'
	m set-option -gw automatic-rename off
	m split-window -d -t s:0 cat \; new-window -d -t s:1 cat
	m set-hook -p -t s:0.1 pane-mode-entered "$log pane\""
	m set-hook -w -t s:0 pane-mode-exited "$log window\""
	m copy-mode -t s:0.0
	m copy-mode -t s:0.1
	m send-keys -t s:0.1 -X cancel
	m send-keys -t s:0.0 -X cancel
	run set-hook -R -p -t s:0.0 pane-mode-entered
	run set-hook -R -p -t s:0.1 pane-mode-entered
	run set-hook -R -w -t s:0 pane-mode-exited
	wait_for 'm show-options -gqv @log | grep -q "window  pane  window"'
	m set-hook -p -t s:0.1 pane-exited "$log own\""
	m set-hook -w -t s:0 pane-exited "$log other\""
	m set-hook -w -t s:1 pane-exited "$log window\""
	m set-hook -w -t s:1 window-layout-changed "$log layout\""
	m send-keys -t s:0.1 C-d
	wait_for 'm show-options -gqv @log | grep -q own'
	m send-keys -t s:1 C-d
	wait_for 'm show-options -gqv @log | grep -q layout'
	run show-options -gqv @log
}
compare "hooks of panes and windows" scoped

# ran COMMAND...: the hooks of what selects a window or a pane, run by it.
ran() {
	m set-option -g @ran none
	run "$@"
	m show-options -gqv @ran
}

# Commands that select run the hook of select-window or select-pane.
selects() {
	m new-window -d -t s:1 cat
	m split-window -d -t s:0 cat
	m set-hook -g after-select-window 'set-option -g @ran window'
	m set-hook -g after-select-pane 'set-option -g @ran pane'
	ran select-window -t s:0
	ran select-window -t s:1
	ran next-window -t s
	ran previous-window -t s
	ran last-window -t s
	ran next-window -a -t s
	ran select-window -n -t s
	ran select-pane -t s:0.1
	ran select-pane -t s:0.1
	ran select-pane -l -t s:0
	ran last-pane -t s:0
	ran select-pane -U -t s:0
	ran select-pane -t s:0.0
	ran select-pane -m -t s:0.1
	ran select-pane -T title -t s:0.1
	ran select-pane -d -t s:0.1
}
compare "what selects runs the hook of select-window or -pane" selects

# fired COMMAND...: the hooks that it runs, in order, with what they are told.
fired() {
	m set-option -g @log ''
	run "$@"
	# The last ones may come in a later turn.
	wait_for 'm show-options -gqv @log | grep -q "end "
		m set-hook -E @end' 5
	m show-options -gqv @log | sed 's/@end.*//; s/after-set-[a-z]*[^ ]* //g'
}

in_order() {
	m rename-window -t s:0 one \; new-window -d -t s:1 -n two cat \; \
		split-window -d -t s:1 cat
	for h in $({
		m show-hooks -g
		m show-hooks -gw
	} | sed 's/[[ ].*//' | grep -v '^after-set'; echo @end); do
		m set-hook -g "$h" 'set-option -gF @log "#{@log}#{hook}:#{hook_session_name}:#{hook_window_name}:#{hook_window}:#{hook_pane}:#{hook_session} #{?#{==:#{hook},@end},end ,}"'
	done
	fired new-window -d -t s:5 -n w cat
	fired split-window -d -t s:1 cat
	fired kill-pane -t s:1.1
	fired resize-pane -Z -t s:1
	fired resize-pane -Z -t s:1
	fired resize-window -t s:0 -x 50
	fired select-layout -t s:1 even-horizontal
	m resize-window -t s:1 -x 50
	fired select-layout -o -t s:1
	fired select-window -t s:1
	fired select-pane -t s:1.1
	fired rename-window -t s:0 other
	fired copy-mode -t s:0
	fired respawn-pane -k -t s:0 cat
	fired new-pane -d -t s:0 cat
	fired kill-window -t s:5
	fired link-window -d -s s:0 -t s:7
	fired unlink-window -t s:7
	fired rename-session -t s x
}
compare "all hooks of a command run in order" in_order

# A client that attaches, and windows that replace others.
arrives() {
	m rename-window -t s:0 one \; new-window -d -t s:1 -n two cat \; \
		split-window -d -t s:1 cat \; new-session -d -s o -n three cat \; \
		new-session -d -s g -t s \; set-option -s focus-events on
	for h in client-created client-attached client-session-changed \
		session-window-changed window-pane-changed window-linked \
		window-unlinked window-closed; do
		m set-hook -g "$h" 'set-option -gF @log "#{@log}#{hook}:#{hook_session_name}:#{hook_window_name}:#{hook_window}:#{hook_pane}:#{hook_session} "'
	done
	m set-option -g @log ''
	outer_start 80 24 "$(attach_command) -t s:1.1"
	wait_for 'm show-options -gqv @log | grep -q client-attached'
	run show-options -gqv @log
	m set-option -g @log ''
	run new-window -k -t s:1 -n four cat
	wait_for 'm show-options -gqv @log | grep -q window-closed'
	run show-options -gqv @log
	m detach-client -s s
}
[ $e2e_have_tmux != yes ] ||
	compare "a client that attaches and a window that is replaced" arrives

# caused COMMANDS: the hooks of window-linked that run when the hook of an event,
# of a command, a monitor or a user's event runs COMMANDS.
caused() {
	m set-option -gw automatic-rename off
	m set-option -g @done ''
	m set-hook -g window-linked 'set-option -gaF @linked " #{hook_window}"'
	for how in window-renamed after-rename-window @mine; do
		m set-option -g @linked "$how:"
		m set-hook -g "$how" "$1; set-option -g @done $how"
		if [ "$how" = @mine ]; then
			m set-hook -E @mine
		else
			m rename-window -t s:0 "for $how"
		fi
		wait_for "m show-options -gqv @done | grep -q '^$how'"
		# What comes late: the event of the last command of all.
		m new-window -d cat
		wait_for 'm show-options -gqv @linked | grep -q " "'
		m show-options -gqv @linked
		m set-hook -gu "$how"
	done
}
event_causes() {
	caused 'new-window -d cat'
	caused 'run-shell true ; new-window -d cat'
	caused 'if-shell true { new-window -d cat }'
	caused 'run-shell -bC "new-window -d cat"'
}
compare "what the hook of an event causes runs no hooks" event_causes

done_testing
