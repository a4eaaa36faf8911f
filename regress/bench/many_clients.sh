#!/bin/sh
# many_clients.sh BUILDDIR [SECONDS] [COUNTS] - one server, many clients, a
# screen that changes 30 times a second: rmux's local and UDP clients, its real
# client processes ("attach") and clients of tmux ($TMUX_BIN) and screen, interleaved.
set -u
bld=$(cd "${1:?many_clients.sh BUILDDIR [SECONDS] [COUNTS]}" && pwd) || exit 1
seconds=${2:-5}
counts=${3:-1 10 50 200}
bench=$bld/regress/bench/many_clients
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-many.XXXXXX") || exit 1
export RMUX_TMPDIR="$dir" TMUX_TMPDIR="$dir" SCREENDIR="$dir/screen"
export LC_ALL=C.UTF-8 TERM=xterm-256color
unset STY TMUX RMUX RMUX_PANE TMUX_PANE XDG_RUNTIME_DIR
chmod 700 "$dir"
mkdir -m 700 "$SCREENDIR" || exit 1
r() { "$bld/rmux" -L many -f /dev/null "$@"; }
t() { "${TMUX_BIN:-tmux}" -L many -f /dev/null "$@"; }
s() { screen -c /dev/null -S many "$@"; }
screen_pid() { s -ls | sed -n 's/^[[:space:]]*\([0-9]*\)\.many.*/\1/p'; }
# A command can take a minute when many clients have just left.
screen=
clean() {
	[ -z "$screen" ] || kill "$screen" 2>/dev/null
	r kill-server 2>/dev/null
	t kill-server 2>/dev/null
	rm -rf "$dir"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC3045 # every sh that can run this has it
ulimit -n "$(ulimit -H -n)"
for n in $counts; do
	for kind in tmux screen attach local udp; do
		case $kind in
		tmux)
			command -v tmux >/dev/null || continue
			t new-session -d -x 80 -y 24 "$bench draw 30"
			"$bench" tty "$n" "$seconds" "$(t display-message -p '#{pid}')" \
				"${TMUX_BIN:-tmux}" -L many attach | sed 's/^tty /tmux/'
			t kill-server
			;;
		screen)
			command -v screen >/dev/null || continue
			s -dm "$bench" draw 30
			i=0
			while [ -z "$(screen_pid)" ] && [ $((i += 1)) -lt 1000 ]; do
				:
			done
			screen=$(screen_pid)
			"$bench" tty "$n" "$seconds" "$screen" \
				screen -c /dev/null -x many | sed 's/^tty   /screen/'
			kill "$screen" && screen=
			;;
		attach)
			r new-session -d -x 80 -y 24 "$bench draw 30"
			"$bench" tty "$n" "$seconds" "$(r display-message -p '#{pid}')" \
				"$bld/rmux" -L many -f /dev/null attach | sed 's/^tty   /attach/'
			r kill-server
			;;
		*)
			r new-session -d -x 80 -y 24 "$bench draw 30"
			"$bench" $kind "$(r display-message -p '#{socket_path}')" \
				"$n" "$seconds" "$(r display-message -p '#{pid}')"
			r kill-server
			;;
		esac
	done
done
