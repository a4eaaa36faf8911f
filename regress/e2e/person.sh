#!/bin/sh
# Options of a person: two clients of one session, one of another machine, with
# prefixes of their own.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"

# named FORMAT VALUE: the client whose FORMAT is VALUE.
named() {
	far list-clients -F "$1 #{client_name}" | sed -n "s/^$2 //p"
}

begin() {
	far_start cat || return 1
	person bob 80 24 "RMUX= RMUX_TMPDIR='$far_dir' '$e2e_rmux' attach" &&
		sees bob '\[far\]' || return 1
	person ana 80 24 "$(remote_cmd)" && sees ana '\[far\]' || return 1
	bob=$(named '#{client_link}' local)
	ana=$(far list-clients -F '#{client_name}' | grep -Fxv -- "$bob")
	[ -n "$bob" ] && [ -n "$ana" ]
}
check "two people in a session, one of them remote" begin

prefixes() {
	far set-option -C "$ana" prefix C-a &&
		far set-option -C "$bob" prefix C-t || return 1
	far bind-key y 'set-option -gF @who "#{client_name}"'
	keys ana C-a y
	wait_for '[ "$(far show-options -gqv @who)" = "$ana" ]' || return 1
	keys bob C-t y
	wait_for '[ "$(far show-options -gqv @who)" = "$bob" ]' || return 1
	# The session's prefix, and the other's, are keys for the program.
	keys ana C-b C-t y Enter
	sees bob '^\^B\^Ty' && [ "$(far show-options -gqv @who)" = "$bob" ] &&
		[ "$(far show-options -gv prefix)" = C-b ]
}
check "each has a prefix of its own" prefixes

# send-prefix gives the person's own one.
sent() {
	keys ana C-a C-b C-u
	far bind-key p send-prefix
	keys ana C-a p Enter
	sees bob '\^A$'
}
check "send-prefix sends the person's" sent

shown() {
	far set-option -C "$ana" mouse off
	[ "$(far show-options -C "$ana")" = "mouse off
prefix C-a" ] || return 1
	far show-options -C "$ana" -A | grep -q '^status-keys\* emacs$' || return 1
	[ "$(far show-options -C "$bob" -v prefix)" = C-t ] || return 1
	far set-option -C "$bob" -u prefix || return 1
	[ -z "$(far show-options -C "$bob")" ]
}
check "show-options -C" shown

refused() {
	while IFS='|' read -r command words; do
		# shellcheck disable=SC2086
		far $command >"$e2e_dir/said" 2>&1 && return 1
		grep -q -- "$words" "$e2e_dir/said" || {
			cat "$e2e_dir/said"
			return 1
		}
	done <<END
set-option -C $ana status off|status cannot be a client's own
set-option -C $ana @x y|@x cannot be a client's own
set-option -C $ana default-command x|cannot be a client's own
set-option -C nobody prefix C-a|can't find client: nobody
set-option -g -C $ana prefix C-a|-C and -g cannot be used together
set-option -C $ana prefix no-such-key|no-such-key
show-options -C $ana status|status cannot be a client's own
END
}
check "what is not a person's is refused" refused

far_stop
done_testing
