#!/bin/sh
# A terminal that answers wrongly, endlessly, late or not at all.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
have python3 || skip_all "no python3"
export RMUX_DUMPABLE=1 # memory of the client is read
start || skip_all "no server"
[ -r "/proc/$e2e_pid/status" ] || skip_all "no /proc"
python3 -B "$e2e_src/regress/hostile/terminal.py" "$e2e_rmux" \
	"$(m display-message -p '#{socket_path}')"
