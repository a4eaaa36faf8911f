# Sourced by the scripts here that ask a tmux server of their own: $dir is a
# folder that goes with it, tm ARGS the server's tmux, verdict FILES their end.
#
# shellcheck shell=sh
tmux=$(sh "${top_srcdir:-.}/regress/ref/peer.sh" -n) || {
	echo '1..0 # SKIP needs tmux 3.8 (regress/ref/peer.sh)'
	exit 77
}
echo 1..1
unset TMUX TMUX_PANE
export LC_ALL=C.UTF-8
dir=$(mktemp -d) || exit 99
tm() { "$tmux" -S "$dir/s" "$@"; }
trap 'tm kill-server 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM

# verdict GOOD BAD: whether $dir/ours and theirs are the same lines; GOOD is
# told behind their number.
verdict() {
	n=$(wc -l <"$dir/ours")
	if [ "$n" -gt 0 ] && diff "$dir/ours" "$dir/theirs" >"$dir/diff"; then
		echo "ok 1 - $n $1"
	else
		sed 's/^/# /' "$dir/diff"
		echo "not ok 1 - $2"
		exit 1
	fi
}
