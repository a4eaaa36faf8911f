#!/bin/sh
# xterm-compare.sh [CASES] - compare the screens of xterm and rmux.
#
# Without CASES: xterm.cases and 200 of xterm-random.py.  Runs Debian's xterm
# under Xvfb.  Prints each case whose screens differ with both screens; cases
# named in xterm.known are printed with their reason.  One TAP test: no
# difference without a reason.
here=$(dirname "$0")
known=$here/xterm.known
probe=${top_builddir:-.}/regress/ref/vt_probe
for tool in xterm Xvfb python3; do
	command -v $tool >/dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done
dir=$(mktemp -d) || exit 1
server=
trap 'test -z "$server" || kill "$server" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cases=${1:-$dir/cases}
if [ $# = 0 ]; then
	cp "$here/xterm.cases" "$cases" && chmod u+w "$cases" &&
	python3 "$here/xterm-random.py" 1 200 >>"$cases" || exit 1
fi
"$probe" vt "$cases" "$dir/rmux" || exit 1
# Xvfb writes the number of a free display once it is ready.
mkfifo "$dir/ready" || exit 1
Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp \
	3>"$dir/ready" >"$dir/xvfb.log" 2>&1 &
server=$!
read -r display <"$dir/ready" || { cat "$dir/xvfb.log"; exit 1; }
LC_ALL=C.UTF-8 DISPLAY=:$display timeout 300 xterm -geometry 20x6 -u8 \
	-xrm '*allowWindowOps: true' -xrm '*disallowedWindowOps:' \
	-xrm '*checksumExtension: 55' -xrm '*decTerminalID: 420' \
	-xrm '*allowC1Printable: false' -xrm '*utf8Title: true' \
	-e "$probe" tty "$cases" "$dir/xterm" || exit 1
awk -v known="$known" '
# Erased cells keep the foreground in xterm; here only the background, and a
# foreground that draws nothing is no difference.
function plain(line) {
	gsub(/_<(3[0-7]|9[0-7]|38:[0-9:]+)>/, "_", line)
	gsub(/_<(3[0-7]|9[0-7]|38:[0-9:]+);/, "_<", line)
	return line
}
function flush(	i) {
	if (name == "" || !(name in want))
		return
	total++
	if (want[name] == text)
		same++
	else if (name in reason)
		printf "known: %s: %s\n", name, reason[name]
	else {
		differ++
		printf "%s\n--- rmux\n%s--- xterm\n%s\n", head, want[name], text
	}
}
BEGIN {
	while ((getline line < known) > 0) {
		if (line ~ /^#/ || index(line, " | ") == 0)
			continue
		split(line, f, " \\| ")
		reason[f[1]] = f[2]
	}
}
/^== / {
	if (FNR == NR) { name = $2; want[name] = ""; head = $0; next }
	if (FNR == 1)
		name = ""
	flush(); name = $2; text = ""; head = $0; next
}
/^done/ { next }
{ if (FNR == NR) want[name] = want[name] plain($0) "\n"; else text = text plain($0) "\n" }
END {
	flush()
	printf "1..1\n%sok 1 - %d cases, %d alike, %d without a reason\n",
	    differ ? "not " : "", total, same, differ
}' "$dir/rmux" "$dir/xterm"
