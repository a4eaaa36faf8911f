#!/bin/sh
# Processes that do harm through the server's Unix socket.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
have python3 || skip_all "no python3"
export RMUX_DUMPABLE=1 # its descriptors are counted
start || skip_all "no server"
[ -r "/proc/$e2e_pid/status" ] || skip_all "no /proc"
python3 -B "$e2e_src/regress/hostile/client.py" "$e2e_rmux" \
	"$(m display-message -p '#{socket_path}')" "$e2e_pid"
