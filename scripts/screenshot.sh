#!/bin/sh
# screenshot.sh BUILDDIR OUT.png - rmux really running, as a picture: three
# panes inside a private tmux, captured, drawn by ansi2svg.py and rsvg-convert (librsvg2-bin).
set -eu
bld=$(cd "$1" && pwd)
out=$2
top=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-shot.XXXXXX")
outer() { tmux -L "shot$$" -f /dev/null "$@"; }
trap 'RMUX_TMPDIR=$dir "$bld/rmux" kill-server 2>/dev/null; outer kill-server 2>/dev/null; rm -rf "$dir"' EXIT
wait_for() {
	n=0
	until outer capture-pane -p | grep -q "$1"; do
		n=$((n + 1))
		[ $n -lt 100 ] || { echo "no '$1' on the screen" >&2; exit 1; }
		sleep 0.1 # sleep-ok: polls
	done
}
ln -s "$bld/rmux" "$dir/rmux"
ln -s "$top" "$dir/src"
echo 'set -g default-command sh' >"$dir/conf"
outer new-session -d -x 110 -y 30 "cd $dir && env -i HOME=$dir RMUX_TMPDIR=$dir \
    PATH=$dir:$PATH TERM=tmux-256color LANG=C.UTF-8 SHELL=/bin/sh \
    rmux -f conf new-session -s work -n roaming -c src"
wait_for '\[work\]'
outer send-keys C-b %
outer send-keys "cd $dir/src; clear; sed -n 16,34p ssp/object.h" Enter
wait_for 'stdbool'
outer send-keys C-b '"'
outer send-keys "clear; rmux list-panes -F '#{pane_id} #{pane_width}x#{pane_height} #{pane_current_command}'; echo 'one server, any network'" Enter
wait_for 'one server, any network$'
outer send-keys C-b Left
outer send-keys "cd $dir/src; clear; ls --color=always -C -w 54 mux ssp" Enter
wait_for 'transport_out'
outer capture-pane -ep >"$dir/shot"
python3 "$top/scripts/ansi2svg.py" <"$dir/shot" >"$dir/shot.svg"
rsvg-convert -o "$out" "$dir/shot.svg"
