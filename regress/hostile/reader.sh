#!/bin/sh
# A user whom server-access lets in to read, with a program of its own in place of
# our client.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ "$(id -u)" = 0 ] || skip_all "only root can be another user"
have python3 || skip_all "no python3"
id nobody >/dev/null 2>&1 || skip_all "no user nobody"
export RMUX_DUMPABLE=1 # its descriptors are counted
chmod 711 "$e2e_dir"
pub=$e2e_dir/pub
mkdir -m 711 "$pub"
o() {
	"$e2e_rmux" -f /dev/null -S "$pub/s" "$@" </dev/null
}
# The names are given: a busy machine would show the shell in place of cat.
o new-session -d -s own -n cat -x 60 -y 10 cat || skip_all "no server"
pid=$(o display-message -p '#{pid}')
e2e_pids="$e2e_pids $pid"
[ -r "/proc/$pid/status" ] || skip_all "no /proc"
o new-session -d -s keys -n cat cat
o set-option -g window-size manual
# A program that writes 3 MiB once the readers are there, and says when it is done.
mkdir -m 777 "$pub/open"
o new-window -d -t own: "until [ -e '$pub/open/ready' ]; do sleep 0.1; done # sleep-ok
	head -c 3000000 /dev/zero | tr '\\0' x; rm '$pub/open/ready'; exec cat"
o set-environment -g SECRET sesame
o set-option -g status-left '#(echo #{client_name} #{client_termname}) '
o set-option -g automatic-rename off
o server-access -ar nobody
chmod 666 "$pub/s"
o list-commands -F '#{command_list_name}' >"$pub/commands"
chmod 644 "$pub/commands"
python3 -B "$e2e_src/regress/hostile/reader.py" "$e2e_rmux" "$pub/s" "$pid" \
	"$(id -u nobody)" "$(id -g nobody)" "$pub/commands"
code=$?
o kill-server
wait_for "! alive $pid"
exit $code
