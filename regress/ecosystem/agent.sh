#!/bin/sh
# An agent types, waits, reads and listens for AGENT_SECONDS under tmux 3.8 and
# under rmux, side by side; both must have the same outcomes (agent.py).
# AGENT_SECONDS=3600 AGENT_KEEP=DIR make check TESTS=regress/ecosystem/agent.sh
# keeps the outcomes in DIR.
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
seconds=${AGENT_SECONDS:-8}
all=
for side in tmux rmux; do
	in_side $side python3 "$top/regress/ecosystem/agent.py" "$seconds" \
		>"$dir/$side.out" 2>"$dir/$side.err" &
	all="$all $!"
done
# shellcheck disable=SC2086 # a list
wait $all
[ -z "${AGENT_KEEP:-}" ] || cp "$dir"/*.out "$dir"/*.err "$AGENT_KEEP"
count=1
if python3 "$top/regress/ecosystem/agent.py" compare "$dir/tmux.out" \
	"$dir/rmux.out" >"$dir/diff" 2>&1; then
	echo "ok 1 - an agent's outcomes in $seconds seconds"
else
	failed=1
	echo "not ok 1 - an agent's outcomes in $seconds seconds"
fi
cat "$dir/diff" "$dir/tmux.err" "$dir/rmux.err" | sed 's/^/# /'
done_testing
