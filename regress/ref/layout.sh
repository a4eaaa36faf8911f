#!/bin/sh
# layout.sh - layouts of tmux and of the model after the same operations.
# Seeds: $LAYOUT_SEEDS, or four fixed ones.  Not every seed will do: some full
# splits leave tmux 3.3a with a tree whose sizes do not add up, and some seeds
# make it crash.  Skips without tmux.

command -v tmux >/dev/null 2>&1 || { echo '1..0 # SKIP needs tmux 3.3a'; exit 77; }
case $(tmux -V) in 'tmux 3.3a') ;; *) echo '1..0 # SKIP needs tmux 3.3a'; exit 77 ;; esac
echo 1..1
ref=${top_builddir:-.}/regress/ref/layout_ref
dir=$(mktemp -d) || exit 1
unset TMUX
tm() { tmux -S "$dir/s$seed" "$@"; }
trap 'tm kill-server 2>/dev/null; rm -rf "$dir"' EXIT
rc=0
for seed in ${LAYOUT_SEEDS:-1 2 4 6}; do
	printf '%s\n' "set -g default-command 'exec cat'" 'set -g status off' 'set -g remain-on-exit off' >"$dir/conf"
	tm -f "$dir/conf" new-session -d -s ref -x 80 -y 24 'exec cat' || exit 1
	"$ref" tmux "$seed" >"$dir/cmds"
	"$ref" model "$seed" >"$dir/ours"
	tm source-file "$dir/cmds" >"$dir/theirs" 2>"$dir/errors"
	tm kill-server
	grep -vE '^(no space|create pane failed|.*: (no space|source and target|size))' "$dir/theirs" >"$dir/theirs.1"
	if ! cmp -s "$dir/ours" "$dir/theirs.1"; then
		echo "# seed $seed: < model, > tmux"
		diff "$dir/ours" "$dir/theirs.1" | head -n 20 | sed 's/^/# /'
		rc=1
	fi
	[ -s "$dir/ours" ] || rc=1
	echo "# seed $seed: $(wc -l <"$dir/ours") layouts compared"
done
[ $rc = 0 ] && echo 'ok 1 - layouts are those of tmux' || echo 'not ok 1 - layouts differ from those of tmux'
exit $rc
