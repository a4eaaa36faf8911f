#!/bin/sh
# check-drain.sh - no pointer to an object of the model is used behind a call
# that may run hooks and commands (HACKING.md, "Hooks free what they like").
#
# A rough reading of server/: in each function, behind a line with one of the
# calls below, a use "p->" of a local pointer to a pane, window, session or
# winlink is an error, unless the branch of the call has ended with a return, the
# pointer was assigned again since, or the line or the one before it says
# "drain-ok:" with a reason.
cd "${top_srcdir:-$(dirname "$0")/..}" || exit 1
find server -name '*.c' | sort | xargs awk '
function indent(s) { match(s, /^\t*/); return RLENGTH }
FNR == 1 || /^}/ { after = 0; split("", model); split("", gone) }
# A branch that ends here does not go on behind it.
after && /^\t+(return|break|continue|goto)[ ;]/ && indent($0) >= at { after = 0 }
after && !/drain-ok:/ && last !~ /drain-ok:/ {
	for (v in model) {
		if ($0 ~ ("[^a-z_>.]" v " = "))
			gone[v] = 0
		else if (gone[v] && $0 ~ ("[^a-z_>.]" v "->")) {
			print FILENAME ":" FNR ": " v " is used behind " call
			bad = 1
		}
	}
}
match($0, /struct (pane|window|session|winlink) \*[a-z]+/) {
	v = substr($0, RSTART, RLENGTH)
	sub(/.*\*/, "", v)
	model[v] = 1
	gone[v] = 0
}
!/^[a-z]/ && match($0, /[^a-z_](run_drain|cmdq_turn|cmdq_continue|requests_run|overlays_key|overlays_mouse|overlays_paste|keys_lookup|hooks_tell|ops->output|ops->exited)\(/) {
	call = substr($0, RSTART + 1, RLENGTH - 2)
	after = 1
	at = indent($0)
	for (v in model)
		gone[v] = 1
}
{ last = $0 }
END { exit bad }
'
