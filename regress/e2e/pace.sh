#!/bin/sh
# How bulk is paced: --pace of the client, the option pace of the server, and
# both ends' report.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"

# attached OPTIONS: a client at the far session
attached() {
	outer_start 120 24 "$(remote_cmd "$*")" && expect_screen '\[far\]' 15
}

# both TEXT: the server and the report of the client say so.  The next datagram
# after the server's choice brings it along: another key makes one.
both() {
	outer_keys C-u
	wait_for "far list-clients -F '#{client_pace}' | grep -q '^$1'" || {
		echo "# the server: $(far list-clients -F '#{client_pace}')"
		return 1
	}
	wait_for "reports '$1'" 20 || {
		echo "# the report lacks: pace $1"
		outer_screen
		return 1
	}
	outer_keys x
	wait_for '! outer_screen | grep -q "RTT.*, pace "' 12 && outer_keys C-u
}

reports() {
	outer_keys C-u C-^ '?'
	outer_screen | grep -q "pace $1"
}

refused() {
	"$e2e_rmux" attach --pace=cubic localhost 2>&1 |
		grep -qx 'rmux: --pace wants auto, window, follow, sprout, remy or mosh: cubic'
}

# One choice after the other, while the client is attached.
option() {
	for choice in remy sprout mosh follow window; do
		far set-option -g pace $choice && both $choice || return 1
	done
	far set-option -gu pace && both 'auto: '
}

# A choice of the client's own options goes before the session's.
own() {
	far set-option -g pace remy && both remy &&
		far set-option -C "$(far list-clients -F '#{client_name}')" pace mosh &&
		both mosh
}

far_start || skip_all "no far server"
check "--pace of an unknown name is refused" refused
check "nobody chooses" attached
check "auto begins with the window" both 'auto: window'
check "the option pace, at both ends" option
check "set-option -C pace" own
check "detach" leaves
far set-option -g pace remy
check "--pace=sprout" attached --pace=sprout
check "goes before the option, at both ends" both sprout
check "and carries keys" echoes sprouted
check "detach again" leaves
check "--pace=auto" attached --pace=auto
check "is a choice, too" both 'auto: window'
check "detach at last" leaves
far_stop
done_testing
