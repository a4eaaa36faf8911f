#!/bin/sh
# pictures.sh BUILDDIR OUTDIR - draws the pictures of the documents from real
# runs: OUTDIR/NAME.svg for each NAME below.
#
# A client runs in a pane of a second rmux, gets keys, and its screen is captured
# and drawn by ansi2svg.py.  A key is sent only when the screen shows the effect
# of the last one, so the pictures do not depend on the machine's speed.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
bld=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-pictures.XXXXXX")
mkdir -m 700 "$dir/inner" "$dir/outer" "$dir/demo"
unset RMUX RMUX_PANE TMUX XDG_RUNTIME_DIR XDG_CONFIG_HOME
export HOME="$dir" LC_ALL=C.UTF-8 SHELL=/bin/sh PS1='$ ' TERM=xterm-256color

outer() { RMUX_TMPDIR=$dir/outer "$bld/rmux" -f /dev/null "$@"; }
inner() { RMUX_TMPDIR=$dir/inner "$bld/rmux" -f "$dir/conf" "$@"; }
clean() {
	trap - EXIT
	inner kill-server 2>/dev/null || true
	outer kill-server 2>/dev/null || true
	rm -rf "$dir"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# shows PATTERN: waits until the screen does; shows ! PATTERN: until it does not.
shows() {
	want=0
	[ "$1" != ! ] || { want=1 && shift; }
	n=0
	while :; do
		got=0
		outer capture-pane -p | grep -q -- "$1" || got=1
		[ $got != $want ] || return 0
		n=$((n + 1))
		[ $n -lt 400 ] || {
			echo "waited in vain for '$1'" >&2
			outer capture-pane -p >&2
			exit 1
		}
		sleep 0.05
	done
}

# keys PATTERN KEY...: sends keys and waits for their effect.
keys() {
	pattern=$1
	shift
	outer send-keys "$@"
	shows "$pattern"
}

# leave PATTERN KEY: until the screen does not show it.
leave() {
	outer send-keys "$2"
	shows ! "$1"
}

# draw NAME: the screen as a picture.
draw() {
	{
		outer display-message -p \
			'#{?cursor_flag,#{cursor_x} #{cursor_y},- -}' |
			{ printf '\f0 ' && cat; }
		outer capture-pane -epN
	} | python3 -B "$top/scripts/ansi2svg.py" -f 0 >"$out/$1.svg"
}

cat >"$dir/conf" <<'END'
set -g default-command sh
set -g status-right ''
set -g display-time 0
set -g automatic-rename off
END
cd "$dir/demo"
cat >log <<'END'
10:12:07 GET /index.html 200 from 192.0.2.17
10:12:09 GET /style.css 200 from 192.0.2.17
10:12:31 commit 7f3a91c, https://example.org/shop.git
10:12:44 error: ./shop/cart.py:118: no such item
10:13:02 order 20417 confirmed to ada@example.org
END

inner new-session -d -s work -n editor -x 80 -y 24
inner send-keys -t work 'clear; cat log' Enter
# shellcheck disable=SC2016 # the pane's shell expands it
inner split-window -d -h -l 22 -t work 'i=0; while [ $i -lt 12 ]; do
	i=$((i + 1)); echo "test $i of 12: ok"; done; exec cat'
inner new-window -d -n logs -t work
inner new-window -d -n build -t work
inner new-session -d -s mail -n inbox -x 80 -y 24
for pane in $(inner list-panes -a -F '#{pane_id}'); do
	inner select-pane -t "$pane" -T shop
done
inner select-window -t work:0
inner select-pane -t work:0.0
outer new-session -d -x 80 -y 24 "exec env -u RMUX -u RMUX_PANE \
	RMUX_TMPDIR='$dir/inner' '$bld/rmux' -f '$dir/conf' attach -t work"
outer set -g status off
shows 'test 12 of 12: ok'
shows 'order 20417'

keys 'Most used' C-b
draw panel
leave 'Most used' Escape
keys everything C-b e
keys '^.*> spl' s p l
draw palette
leave everything Escape
keys 'sort: index' C-b w
keys '2: build' Down
draw tree
leave 'sort: index' q
keys 'Select next layout' C-b '?'
keys '(search down)' /
outer send-keys -l 'pane'
keys 'results' Enter
draw keys
leave 'Select next layout' q
inner set-option -g copy-mode-line-numbers hybrid
keys '.1/23.' C-b '['
keys 'results' C-r G E T
outer send-keys Enter
shows ! 'search up'
draw copy
leave 'results' q
keys 'search all panes' C-b F
outer send-keys -l 'ok'
keys 'matches in' Enter
draw search
leave 'matches in' q
outer resize-window -x 80 -y 14
shows 'order 20417'
keys 'confirmed to [^a]da@example.org' C-b h
draw hints
leave 'confirmed to [^a]da@example.org' q
keys '┌' C-b '*'
inner send-keys -t work 'clear; date -u -d @0 +%F' Enter
shows '1970-01-01'
keys 'Respawn' C-b '>'
draw floating
