#!/bin/sh
# The transcript of option commands (regress/conf/options.opt), run by tmux.
# Skips (77) where tmux 3.3 is not installed: it was recorded against it.
case $(tmux -V 2>/dev/null) in
"tmux 3.3"*) ;;
*)
	echo "1..0 # SKIP needs tmux 3.3"
	exit 77
	;;
esac
want=$top_srcdir/regress/conf/options.opt
dir=$(mktemp -d) || exit 99
TMUX_TMPDIR=$dir LC_ALL=C.UTF-8 HOME=/home/me
export TMUX_TMPDIR LC_ALL HOME
unset TMUX TMUX_PANE
trap 'tmux -L ref kill-server 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
tmux -L ref -f /dev/null new-session -d -x 80 -y 24 cat || exit 99
echo 1..1
while IFS= read -r line; do
	case $line in
	'> '*)
		printf '%s\n' "$line"
		printf '%s\n' "${line#> }" >"$dir/conf"
		tmux -L ref source-file "$dir/conf" 2>&1 |
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
