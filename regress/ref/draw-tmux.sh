#!/bin/sh
# Lines of draw-tmux.list as tmux draws them in its status line, 40 columns
# wide, and as conf/format_draw does.  One tmux shows the other in a pane; the
# second status row says which line the first one shows, so nothing sleeps.
# A line after "~ reason" is meant to differ.
tmux=$(sh "$top_srcdir/regress/ref/peer.sh" -n) || {
	echo "1..0 # SKIP needs tmux 3.8 (regress/ref/peer.sh)"
	exit 0
}
list=$top_srcdir/regress/ref/draw-tmux.list
dir=$(mktemp -d) || exit 99
TMUX_TMPDIR=$dir LC_ALL=C.UTF-8 TERM=screen
export TMUX_TMPDIR LC_ALL TERM
unset TMUX TMUX_PANE
trap '"$tmux" -L in kill-server 2>/dev/null; "$tmux" -L out kill-server 2>/dev/null
rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cols=40
"$tmux" -L in -f /dev/null new-session -d -x $cols -y 5 cat || exit 99
"$tmux" -L in set -g status 2 \; set -g status-interval 0 \; \
    set -g status-style default || exit 99
"$tmux" -L out -f /dev/null new-session -d -x $cols -y 5 \
    "TMUX= exec '$tmux' -u -L in attach" || exit 99
"$tmux" -L out set -g status off
"$top_builddir/regress/ref/draw_tmux" $cols <"$list" >"$dir/ours" || exit 99
n=0 failed=0 why=
while IFS= read -r line; do
	case $line in
	"") continue ;;
	"~ "*) why=${line#??} && continue ;;
	esac
	n=$((n + 1))
	"$tmux" -L in set -g 'status-format[0]' "$line" \; \
	    set -g 'status-format[1]' "case $n." || exit 99
	tries=0
	until "$tmux" -L out capture-pane -p >"$dir/screen" &&
	    grep -q "^case $n\\.\$" "$dir/screen"; do
		tries=$((tries + 1))
		[ $tries -lt 2000 ] || { echo "Bail out! no case $n"; exit 1; }
	done
	theirs=$(sed -n 4p "$dir/screen")
	ours=$(sed -n "${n}p" "$dir/ours")
	same=no
	[ "$theirs" = "$ours" ] && same=
	if [ -z "$same$why" ] || [ -n "$same" -a -n "$why" ]; then
		echo "ok $n - $line${why:+: $why}"
	else
		failed=$((failed + 1))
		echo "not ok $n - $line"
		echo "# tmux [$theirs]"
		echo "# ours [$ours]"
	fi
	why=
done <"$list"
echo "1..$n"
[ $failed -eq 0 ]
