#!/bin/sh
# screenshot.sh BUILDDIR OUT.png - rmux really running, as a picture: a session
# reached by `rmux attach` over UDP, with three panes, inside a private tmux;
# captured, drawn by ansi2svg.py and rsvg-convert (librsvg2-bin).  Its ssh is a
# stand-in that stays on this machine.  Wants tmux and vim.
set -eu
bld=$(cd "$1" && pwd)
out=$2
top=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-shot.XXXXXX")
outer() { tmux -L "shot$$" -f /dev/null "$@"; }
clean() {
	trap - EXIT
	RMUX_TMPDIR=$dir "$bld/rmux" kill-server 2>/dev/null || true
	outer kill-server 2>/dev/null || true
	rm -rf "$dir"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
wait_for() {
	n=0
	until outer capture-pane -p | grep -q -- "$1"; do
		n=$((n + 1))
		[ $n -lt 100 ] || { echo "no '$1' on the screen" >&2; outer capture-pane -p >&2; exit 1; }
		sleep 0.1 # sleep-ok: polls
	done
}
ln -s "$bld/rmux" "$dir/rmux"
ln -s "$top" "$dir/src"
cat >"$dir/conf" <<'END'
set -g default-command sh
set -g status-right "%H:%M"
END
cat >"$dir/ssh" <<'END'
#!/bin/sh
# Whatever the host, the command runs here.
while [ $# -gt 0 ]; do
	case $1 in
	-G) echo hostname 127.0.0.1; exit 0 ;;
	-*) shift ;;
	*) break ;;
	esac
done
shift
exec sh -c "$*"
END
chmod +x "$dir/ssh"
shell="env -i HOME=$dir RMUX_TMPDIR=$dir PATH=$dir:$PATH TERM=tmux-256color \
LANG=C.UTF-8 SHELL=/bin/sh PS1=%"
# shellcheck disable=SC2086 # words
$shell rmux -f "$dir/conf" new-session -d -s work -n roaming -c "$top" -x 104 -y 28
outer new-session -d -x 104 -y 28 "cd $dir && exec $shell rmux attach host -t work"
outer set -g status off
wait_for '\[work\]'
outer send-keys C-b %
wait_for '│%'
outer send-keys "rmux list-clients -F 'by #{client_link}, #{client_rtt} ms there and back'" Enter
wait_for '^.*by udp, [0-9]'
outer send-keys C-b '"'
wait_for '──'
outer send-keys "cd $dir/src; clear; ls --color=always -C -w 50 predict client/term" Enter
wait_for 'probe.h'
outer send-keys C-b Left
outer send-keys "vim -n -u NONE -N +'syntax on' +'set bg=dark nowrap' '+normal 41Gzt' predict/predict.h" Enter
wait_for 'predict_new'
outer capture-pane -ep >"$dir/shot"
python3 "$top/scripts/ansi2svg.py" <"$dir/shot" >"$dir/shot.svg"
rsvg-convert -o "$out" "$dir/shot.svg"
