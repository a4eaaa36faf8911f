#!/bin/sh
# The transcript of option commands (regress/conf/options.opt), run by tmux;
# and the options that a whole configuration leaves, in tmux and here.
# Skips where tmux 3.3 is not installed: it was recorded against it.
: "${top_srcdir:=.}" "${top_builddir:=.}"
tmux=$(sh "$top_srcdir/regress/ref/peer.sh" -n) || {
	echo "1..0 # SKIP needs tmux 3.8 (regress/ref/peer.sh)"
	exit 0
}
want=$top_srcdir/regress/conf/options.opt
dir=$(mktemp -d) || exit 99
TMUX_TMPDIR=$dir LC_ALL=C.UTF-8 HOME=/home/me
export TMUX_TMPDIR LC_ALL HOME
unset TMUX TMUX_PANE
trap '"$tmux" -L ref kill-server 2>/dev/null
    "$tmux" -L two kill-server 2>/dev/null
    rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
"$tmux" -L ref -f /dev/null new-session -d -x 80 -y 24 cat || exit 99
# The default since tmux 3.8.
"$tmux" -L ref set-option -g mouse on
echo 1..2
while IFS= read -r line; do
	case $line in
	'> '*)
		printf '%s\n' "$line"
		printf '%s\n' "${line#> }" >"$dir/conf"
		"$tmux" -L ref source-file "$dir/conf" 2>&1 |
		    sed 's,^[^ ]*/conf:[0-9]*: ,,'
		;;
	'' | '#'*) printf '%s\n' "$line" ;;
	esac
done <"$want" >"$dir/got"
if cmp -s "$want" "$dir/got"; then
	echo "ok 1 - transcript"
else
	echo "not ok 1 - transcript"
	diff "$want" "$dir/got" | sed 's/^/# /'
fi

# Compares only values that differ from the defaults, here 3.7's.  Omits
# escape-time, whose default the file sets, terminal-overrides, whose default
# has one item more, mouse, which is on since tmux 3.8, and colours, which it
# prints as they were written.
show="show-options -s ; show-options -g ; show-options -gw"
run=$top_builddir/regress/conf/conf_run
conf=$top_srcdir/regress/conf/everyday.conf
: >"$dir/none"
"$run" load "$dir/none" >"$dir/ours0"
"$run" load "$conf" >"$dir/ours1"
"$tmux" -L two -f /dev/null new-session -d -x 80 -y 24 cat || exit 99
printf '%s\n' "$show" >"$dir/show"
"$tmux" -L two source-file "$dir/show" >"$dir/theirs0"
"$tmux" -L two source-file "$conf"
"$tmux" -L two source-file "$dir/show" >"$dir/theirs1"
for who in ours theirs; do
	diff "$dir/${who}0" "$dir/${who}1" | grep '^>' |
	    grep -v -e escape-time -e display-panes-active-colour -e terminal-overrides -e "mouse on" |
	    sort >"$dir/$who"
done
if [ -s "$dir/ours" ] && cmp -s "$dir/ours" "$dir/theirs"; then
	echo "ok 2 - everyday.conf leaves $(wc -l <"$dir/ours") options changed"
else
	echo "not ok 2 - everyday.conf"
	diff "$dir/ours" "$dir/theirs" | sed 's/^/# /'
fi
