#!/bin/sh
# Roles, invitations, and a guest who tries every forbidden action.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"

begin() {
	start 80 24 sh && m set-option -g display-time 30000 &&
		m set-option -g status-left '[#S] ' &&
		person host 80 24 "$(attached -t s)" && sees host '^\[s\]'
}
check "a host" begin

# --- joining --------------------------------------------------------------------

invited() {
	ticket --view --for 10m &&
		person ana 60 16 "$(join Ana)" && sees ana '[$#] *$' &&
		wait_for '[ "$(m list-clients -F "#{client_name}" | grep -c Ana)" = 1 ]' &&
		m invite -l | grep '^1: view, session s, many, ends in 0h0[0-9]m[0-9][0-9]s, 1 here: Ana$'
}

follows_output() {
	keys host 'echo seen $((6*7))' Enter
	sees ana 'seen 42'
}

keeps_size() {
	[ "$(m display-message -p -t s '#{window_width}x#{window_height}')" = 80x23 ]
}
check "a guest comes in, by datagrams alone" invited
# The host's screen says that somebody watches, whatever status-right is.
marked() {
	keys host Enter && m set-option -g status-right x && sees host ' guest Ana x$' &&
		m set-role -t Ana type && sees host ' guest Ana may type x$' &&
		[ "$(m display-message -p -t s '#{session_guests} #{session_guests_typing} #{pane_guests}')" = '1 1 1' ] &&
		m set-role -t Ana view && sees host ' guest Ana x$' &&
		[ "$(m display-message -p -t s '#{pane_guests}')" = 0 ]
}
check "the host's status line says so" marked
check "sees what the host does" follows_output
check "and makes nobody's window smaller" keeps_size

no_secret() {
	m show-messages | grep -F -e "$ticket" && return 1
	ps -A -o args | grep -F -e "$ticket" | grep -v grep && return 1
	wrong=$(echo "$ticket" | tr 'A-Za-z' 'B-ZAb-za')
	"$e2e_rmux" join "$wrong" 2>&1 | grep 'this is not a ticket' &&
		! m invite --view --type && ! m invite --for never &&
		! m invite -a '-x' && ! m invite -k 77 &&
		! "$e2e_rmux" join "$ticket" </dev/null
}
check "no secret in logs or arguments; wrong words are refused" no_secret

# --- actions forbidden to a viewer ---------------------------------------------------

# After its attempts, the guest sends a command that is refused with a message:
# the server has then handled everything before it.
settled() {
	keys "$1" C-b : && sees "$1" "$2" && keys "$1" x
}

nothing_happened() {
	[ "$(m list-windows -a | wc -l) $(m list-panes -a | wc -l) $(m list-sessions | wc -l)" = "1 1 1" ] &&
		! screen_of host | grep -q 'intruder' &&
		[ "$(m display-message -p -t s '#{pane_in_mode}#{window_name}')" = 0sh ] &&
		[ "$(clients '#{client_name}')" = "$before" ]
}

view_only() {
	before=$(clients)
	m set-option -g mouse on
	m bind-key -n F5 new-window
	m set-buffer 'intruder in a buffer'
	keys ana 'echo intruder' Enter F5 M-x
	raw ana '\033[200~echo intruder pasted\n\033[201~'
	raw ana '\033[<0;5;5M\033[<0;5;5m\033[<64;5;5M'
	raw ana '\033[<0;3;16M\033[<0;3;16m'
	raw ana '\033]52;c;aW50cnVkZXI=\007\033[I\033[O'
	for key in c % '"' x '&' n p l ! ',' . '$' '[' ] = '#' w s D q z '{' '}' Space t '~' i r 0 ')' L C-o M-1 Up C-Up; do
		keys ana C-b "$key" y Enter 1
	done
	settled ana 'read-only' && nothing_happened && keeps_size
	view_result=$?
	m set-option -g mouse off
	return $view_result
}
check "a viewer changes nothing, whatever it types" view_only

no_prompt() {
	m command-prompt -t Ana 'new-window %%'
	m confirm-before -t Ana kill-server
	keys ana y Enter 0
	settled ana 'read-only' && nothing_happened
}
check "no prompt opens for it, whoever asks" no_prompt

detaches_itself() {
	keys ana C-b d
	sees ana 'detached' && sees ana 'exit=0' && sees ana '^sane' &&
		wait_for '! m list-clients | grep -q Ana'
}
again() {
	outer kill-session -t =ana
	person ana 60 16 "$(join Ana)" && sees ana 'seen 42' &&
		wait_for 'm list-clients | grep -q "^Ana: "'
}
unmarked() {
	keys host Enter && wait_for '! screen_of host | grep -q guest' && sees host ' x$'
}
check "it may leave" detaches_itself
check "and the mark goes" unmarked
check "and come again while the invitation lasts" again

# --- another role, while attached ----------------------------------------------------

may_type() {
	m set-role -t Ana type
	keys ana 'echo typed $((3*5))' Enter
	sees host 'typed 15'
}

type_only() {
	before=$(clients)
	m set-option -g mouse on
	keys ana F5
	raw ana '\033[<0;3;16M\033[<0;3;16m'
	for key in c % x '&' ! '$' '[' ] w s q z '{' t '~' 0 ')'; do
		keys ana C-b "$key"
	done
	settled ana 'view and type only'
	type_result=$?
	m set-option -g mouse off
	keys ana C-c && keys ana Enter
	[ $type_result = 0 ] && nothing_happened
}

viewer_again() {
	m set-role -t Ana view
	keys ana 'echo intruder' Enter
	settled ana 'read-only' && nothing_happened
}

an_admin() {
	m set-role -t Ana admin
	keys ana C-b : && sees ana '^:' &&
		keys ana 'rename-window by-ana' Enter &&
		wait_for '[ "$(m display-message -p -t s "#{window_name}")" = by-ana ]' &&
		keys ana C-b : && sees ana '^:' && m set-role -t Ana view &&
		keys ana 'kill-server' Enter && settled ana 'read-only' &&
		m rename-window -t s sh && ! m set-role -t Ana king
}

# The new pane is active; Ana may type into the first one only.
one_pane() {
	p0=$(m display-message -p -t s '#{pane_id}')
	m split-window -t s sh && p1=$(m display-message -p -t s '#{pane_id}') &&
		! m set-role -t Ana type:%999 && ! m set-role -t Ana type:3 &&
		m set-role -t Ana "type:$p0" &&
		[ "$(m list-clients -F '#{client_role}' -f '#{==:#{client_name},Ana}')" = "type:$p0" ] &&
		wait_for 'm capture-pane -p -t "$p1" | grep -q "[\$]"' || return 1
	keys ana 'echo intruder' Enter
	settled ana 'view and type only' &&
		! m capture-pane -p -t "$p1" | grep intruder &&
		m select-pane -t "$p0" &&
		keys ana 'echo pane $((4*6))' Enter && sees host 'pane 24'
}

# The new pane is active, and stays so under the pointer of a guest.
no_focus() {
	m select-pane -t "$p1"
	m set-option -g mouse on
	m set-option -g focus-follows-mouse on
	raw ana '\033[<35;5;2M\033[<35;6;2M'
	settled ana 'view and type only' &&
		[ "$(m display-message -p -t s '#{pane_id}')" = "$p1" ]
	no_focus_result=$?
	m set-option -g focus-follows-mouse off
	m set-option -g mouse off
	m select-pane -t "$p0"
	return $no_focus_result
}

# It moves with the pane, and ends with it.
one_pane_ends() {
	m set-role -t Ana "type:$p1" && m break-pane -s "$p1" -n other &&
		keys ana 'echo moved $((4*7))' Enter && sees ana 'moved 28' &&
		m kill-pane -t "$p1" &&
		wait_for '[ "$(m list-clients -F "#{client_role}" -f "#{==:#{client_name},Ana}")" = view ]' &&
		m set-role -t Ana "type:$(m display-message -p -t s '#{window_id}')" &&
		keys ana 'echo window $((4*8))' Enter && sees host 'window 32' &&
		m set-role -t Ana type
}
check "types when it may" may_type
check "into one pane, if only this is allowed" one_pane
check "its pointer moves nobody's active pane" no_focus
check "the pane may move, and ends the role" one_pane_ends
check "and does no more than that" type_only
check "its role is taken back while it is there" viewer_again
check "an admin may all; a prompt that is open ends with the role" an_admin

# --- the end of an invitation ------------------------------------------------------------

revoked() {
	m invite -k 1 && sees ana 'invitation was revoked' && sees ana '^sane' &&
		wait_for '! m list-clients | grep -q Ana' && [ -z "$(m invite -l)" ] &&
		outer kill-session -t =ana && person ana 60 16 "$(join Ana)"
}

once() {
	ticket --type --once --for 1h &&
		person ben 60 16 "$(join Ben)" && sees ben 'seen 42' &&
		wait_for 'm invite -l | grep -q "once (used).*: Ben$"' &&
		person eve 60 16 "$(join Eve)"
}

refused() {
	for name in ana eve; do
		sees $name 'no answer' 30 && sees $name 'exit=1' &&
			sees $name '^sane' || return 1
	done
	! m list-clients | grep -q 'Ana\|Eve'
}

expires() {
	ticket --view --for 3s && person dan 60 16 "$(join Dan)" &&
		sees dan 'invitation has ended' 20 && sees dan '^sane' &&
		wait_for '! m list-clients | grep -q Dan' &&
		! m invite -l | grep -q view
}

session_ends() {
	m new-session -d -s other cat && m kill-session -t s &&
		sees ben 'exit=0' && wait_for '! m list-clients | grep -q Ben'
}
check "revoking cuts the guest off" revoked
check "--once lets one in" once
check "--for ends it" expires
check "tickets that were revoked or used open nothing" refused
check "the session's end is the guest's, other sessions or not" session_ends
done_testing
