#!/bin/sh
# Sourced by the scripts about many people, after lib.sh: each person has a
# terminal of an outer tmux.
#
# person NAME COLS ROWS COMMAND   a terminal that COMMAND runs in
# sees NAME PATTERN [SECONDS]     polls the terminal of NAME
# keys NAME KEYS...               types there
# raw NAME BYTES                  sends bytes as its terminal would
# ticket OPTIONS...               makes an invitation; sets $ticket
# join NAME [OPTIONS]             the command of a guest with $ticket

person() {
	outer new-session -d -s "$1" -x "$2" -y "$3" "$4" || return 1
	if [ -z "$e2e_outer" ]; then
		e2e_outer=$(outer display-message -p '#{pid}')
		e2e_pids="$e2e_pids $e2e_outer"
		outer set -g status off
		outer set -g remain-on-exit on
		outer set -sg escape-time 0
		outer resize-window -t "$1" -x "$2" -y "$3"
	fi
}

screen_of() {
	outer capture-pane -p -t "=$1:"
}

sees() {
	wait_for "screen_of '$1' | grep -q -- '$2'" "${3:-10}" && return 0
	echo "$1 does not see: $2"
	screen_of "$1"
	return 1
}

keys() {
	person_to=$1
	shift
	outer send-keys -t "=$person_to:" "$@"
}

raw() {
	outer send-keys -t "=$1:" -l "$(printf "$2")"
}

ticket() {
	ticket=$(m invite -a 127.0.0.1 "$@") || return 1
	case $ticket in
	"rmux join "*) ticket=${ticket#rmux join } ;;
	*) return 1 ;;
	esac
}

join() {
	person_name=$1
	shift
	echo "RMUX= RMUX_TMPDIR=/nonexistent '$e2e_rmux' join --name $person_name $* '$ticket'; echo exit=\$?; stty -a | grep -q ' echo ' && echo sane; cat"
}

attached() {
	echo "$(attach_command) $*; echo exit=\$?; cat"
}

clients() {
	m list-clients -O name -F "${1:-#{client_name\}}" 2>/dev/null | tr '\n' ' '
}
