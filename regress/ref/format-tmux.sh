#!/bin/sh
# Every format of format-tmux.list is expanded by tmux and by us; differences
# are written down in the list, one by one, with their reason.
# Skips where tmux 3.3 is not installed: the list was made against it.
list=$top_srcdir/regress/ref/format-tmux.list
tool=$top_builddir/regress/ref/format_tmux
tmux=$(sh "$top_srcdir/regress/ref/peer.sh" -n) || {
	echo "1..0 # SKIP needs tmux 3.8 (regress/ref/peer.sh)"
	exit 0
}
dir=$(mktemp -d) || exit 99
TMUX_TMPDIR=$dir TZ=UTC LC_ALL=C.UTF-8 HOME=$dir
export TMUX_TMPDIR TZ LC_ALL HOME
unset TMUX TMUX_PANE
trap '"$tmux" -L ref kill-server 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
"$tmux" -L ref -f /dev/null new-session -d -x 80 -y 24 -s ses -n win cat || exit 99
"$tmux" -L ref new-window -d -n alpha cat || exit 99
"$tmux" -L ref new-window -d -n beta cat || exit 99
"$tool" batch "$list" >"$dir/batch" || exit 99
"$tmux" -L ref source-file "$dir/batch" >"$dir/out" || exit 99
"$tool" compare "$list" "$dir/out"
