#!/bin/sh
# keyrec and keyplay: the player types the recorded keys, and reports answered,
# wrong and unanswered ones.
set -u
tools=$(cd "${top_builddir:-.}" && pwd)/regress/tools
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-keys.XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT
n=0

t() { # NAME CONDITION
	n=$((n + 1))
	if eval "$2" >"$dir/said" 2>&1; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# /' "$dir/said" "$dir"/*.out
	fi
}

# Keys of a pipe: text, an arrow, two bytes of UTF-8, a control, the end.
printf 'ab\033[Cé\001\004' |
	"$tools/keyrec" -n -r '% ' "$dir/a.keys" sh -c \
		'stty raw -echo; printf "%% "; dd bs=1 count=9 >/dev/null 2>&1' \
		>/dev/null
sed -n 's/^k [0-9.]* //p' "$dir/a.keys" >"$dir/a.out"
printf '"a"\n"b"\n"\\e[C"\n"é"\n"\\x01"\n"\\x04"\n' >"$dir/a.want"
t "keyrec writes one line a key" "cmp '$dir/a.out' '$dir/a.want'"
t "and the size, the program and the prompt" \
	"grep -q '^size 80 24' '$dir/a.keys' && grep -q '^ready \"% \"' '$dir/a.keys'"
printf 'xy\n\004' | "$tools/keyrec" "$dir/b.keys" cat >/dev/null
t "the program as a shell reads it" \
	"grep -q \"^name sh -c 'stty raw\" '$dir/a.keys' && grep -q '^name cat$' '$dir/b.keys'"
t "with output" "grep -q '^o ' '$dir/b.keys'"

cat >"$dir/c.keys" <<'END'
keys 1
size 40 10
ready "% "
k 10 "a"
k 20 "b"
k 20 "c"
END
echo="stty raw -echo; printf '%% '; exec cat"
t "the right screens" \
	"'$tools/keyplay' -q 100 -T '$dir/c.truth' '$dir/c.keys' sh -c \"$echo\""

play() { # NAME COMMAND
	"$tools/keyplay" -w 3 -t "$dir/c.truth" -o "$dir/$1.out" "$dir/c.keys" \
		sh -c "$2" >/dev/null
}
t "a program that echoes" "play good \"$echo\""
t "all keys are answered, nothing is wrong" \
	"[ \"\$(grep -c ' answered ' '$dir/good.out')\" = 3 ] && ! grep -q ^wrong '$dir/good.out' && grep -q '^end .* 1' '$dir/good.out'"
play wrong "stty raw -echo; printf '%% '; dd bs=1 count=1 2>/dev/null; printf '\\0337\\033[5;7HZ\\0338'; exec cat"
t "a character out of place is told, the keys are answered" \
	"[ \"\$(grep -c ' answered ' '$dir/wrong.out')\" = 3 ] && grep -q '^wrong .* -1.000 6 4 [123] \"Z\"' '$dir/wrong.out' && grep -q '^end .* 0' '$dir/wrong.out'"
play mute "stty raw -echo; printf '%% '; dd bs=1 count=1 2>/dev/null; exec cat >/dev/null"
t "keys without an answer are told" \
	"[ \"\$(grep -c ' waiting ' '$dir/mute.out')\" = 2 ]"
printf 'keys 1\nk x "a"\n' >"$dir/bad.keys"
t "a broken recording is refused by line" \
	"'$tools/keyplay' '$dir/bad.keys' true 2>&1 | grep -q ':2: not understood'"
# One's own recording, over a link of 10 ms.
if command -v python3 >/dev/null && [ -x "$tools/../../rmux" ] && [ -x "$tools/udp_relay" ]; then
	sed "s|^ready|name sh -c 'stty raw -echo; printf \"%% \"; exec cat'\n&|" "$dir/c.keys" >"$dir/own.keys"
	python3 "${top_srcdir:-.}/regress/bench/people_keys.py" -m never --only rmux \
		-o "$dir/own" -r "$dir/own.keys" "$tools/../.." rtt10 >"$dir/own.out" 2>&1
	t "a recording of one's own over a bad link" \
		"grep -q '^rtt10 *rmux *never *3 ' '$dir/own.out'"
else
	n=$((n + 1))
	echo "ok $n - a recording of one's own over a bad link # SKIP no python3"
fi
echo "1..$n"
