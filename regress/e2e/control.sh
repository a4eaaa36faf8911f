#!/bin/sh
# Control mode: conversations as tmux 3.8 has them (control_say.rec and
# control_random.rec, recorded with that tmux by E2E_RECORD=1), bad input, slow
# clients, hooks, a terminal.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
python=$(command -v python3) || {
	echo "1..0 # SKIP no python3"
	exit 0
}
program=$e2e_rmux
[ "${E2E_RECORD:-}" != 1 ] || program=$(command -v tmux)

# drive NAME COMMAND ARGS: runs the driver in a folder of its own.
drive() {
	name=$1 what=$2
	shift 2
	mkdir -p "$e2e_dir/$name"
	"$python" "$e2e_src/regress/e2e/control.py" "$what" "$program" \
		"$e2e_dir/$name" "$@" >"$e2e_dir/$name.out" 2>&1
	echo $? >"$e2e_dir/$name.code"
}

# Most of the time they wait: side by side.
drive say say &
say=$!
drive random random 40 1 2 3 4 &
random=$!
[ "${E2E_RECORD:-}" = 1 ] || drive hard hard
wait "$say" "$random"
if [ "${E2E_RECORD:-}" = 1 ]; then
	cp "$e2e_dir/say.out" "$e2e_src/regress/e2e/control_say.rec"
	cp "$e2e_dir/random.out" "$e2e_src/regress/e2e/control_random.rec"
	exit 0
fi
cat "$e2e_dir/hard.out"
check "commands, notifications, output and ends are tmux's" \
	diff -u "$e2e_src/regress/e2e/control_say.rec" "$e2e_dir/say.out"
check "random commands are answered as by tmux" \
	diff -u "$e2e_src/regress/e2e/control_random.rec" "$e2e_dir/random.out"
check "bad input, slow clients, hooks, a terminal" \
	grep -qx 0 "$e2e_dir/hard.code"
done_testing
