#!/bin/sh
# The built-in bindings against "tmux list-keys"; where they differ,
# keys-tmux.why has the reason.  Skips without tmux 3.3.
case $(tmux -V 2>/dev/null) in
"tmux 3.3"*) ;;
*)
	echo "1..0 # SKIP needs tmux 3.3"
	exit 0
	;;
esac
dir=$(mktemp -d) || exit 99
TMUX_TMPDIR=$dir LC_ALL=C.UTF-8
export TMUX_TMPDIR LC_ALL
unset TMUX TMUX_PANE
trap 'tmux -L ref kill-server 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
tmux -L ref -f /dev/null new-session -d -x 80 -y 24 cat || exit 99
tmux -L ref list-keys >"$dir/keys" || exit 99
"$top_builddir/regress/ref/keys_tmux" \
    "$top_srcdir/regress/ref/keys-tmux.why" "$dir/keys"
