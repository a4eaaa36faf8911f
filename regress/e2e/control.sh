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

# Errors of the configuration come before the first block of the client that
# started the server, and behind the first notifications of another one.
# Before a program runs, a window may have the name of the loader of peer.sh's tmux.
told_plain() {
	sed -E '/^%window-renamed .* ld-linux/d
		s/^%(begin|end|error) .* /%\1 /; s|error /.*/|error |'
}

told() {
	own="-L told -f $e2e_dir/bad.conf"
	case $M in
	tmux) set -- "$e2e_tmux" ;;
	*) set -- "$e2e_rmux" ;;
	esac
	for words in "new-session -s s cat" start-server "new-session -x none"; do
		echo "+ $words"
		# shellcheck disable=SC2086 # words
		echo | "$1" $own -C $words 2>&1 |
			told_plain
		# shellcheck disable=SC2086
		"$1" $own kill-server 2>/dev/null
	done
	echo "+ attach"
	# shellcheck disable=SC2086
	"$1" $own new-session -d -s s cat
	# shellcheck disable=SC2086
	echo | "$1" $own -C attach-session 2>&1 |
		told_plain
	# shellcheck disable=SC2086
	"$1" $own kill-server
}
echo bind-key >"$e2e_dir/bad.conf"
compare "errors of the configuration have tmux's places" told
done_testing
