#!/bin/sh
# The parse of configurations, and the errors of wrong ones, by tmux and by
# us.  Lines are not compared: tmux names the last line of a command, we the
# first.  Skips where tmux 3.3 is not installed.
: "${top_srcdir:=.}" "${top_builddir:=.}"
run=$top_builddir/regress/conf/conf_run
tmux=$(sh "$top_srcdir/regress/ref/peer.sh" -n) || {
	echo "1..0 # SKIP needs tmux 3.8 (regress/ref/peer.sh)"
	exit 0
}
dir=$(mktemp -d) || exit 99
TMUX_TMPDIR=$dir LC_ALL=C.UTF-8 HOME=/home/me
export TMUX_TMPDIR LC_ALL HOME
unset TMUX TMUX_PANE
trap '"$tmux" -L ref kill-server 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
"$tmux" -L ref -f /dev/null new-session -d -x 80 -y 24 cat || exit 99

# theirs FILE: tmux's print of it, in our spelling.
theirs()
{
	"$tmux" -L ref source-file -nv "$1" 2>&1 |
	    sed -e 's,^[^ ]*:[0-9]*: ,,' -e 's,-U -- ;,-U ;,'
}

n=0
verdict()
{
	n=$((n + 1))
	if cmp -s "$dir/ours" "$dir/theirs"; then
		printf "%s\n" "ok $n - $1"
	else
		printf "%s\n" "not ok $n - $1"
		diff "$dir/ours" "$dir/theirs" | sed 's/^/# /'
	fi
}

errors=$top_srcdir/regress/ref/conf-errors.list
echo "1..$((2 + $(grep -vc '^#' "$errors")))"
for name in everyday corners; do
	file=$top_srcdir/regress/conf/$name.conf
	# Since tmux 3.8 a flag whose value is left out is printed with --.
	"$run" print "$file" | sed -E 's/( -[DLRU]) --( |$)/\1\2/g' >"$dir/ours"
	theirs "$file" >"$dir/theirs"
	verdict "$name.conf"
done
grep -v '^#' "$errors" >"$dir/list"
while IFS= read -r line; do
	printf '%s\n' "$line" >"$dir/conf"
	"$run" print "$dir/conf" |
	    sed -e 's,^[^ ]*:[0-9]*: ,,' -e 's,-U -- ;,-U ;,' -e '/^list-sessions$/d' >"$dir/ours"
	theirs "$dir/conf" | sed '/^list-sessions$/d' >"$dir/theirs"
	verdict "$line"
done <"$dir/list"
