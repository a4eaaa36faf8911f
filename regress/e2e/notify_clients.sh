#!/bin/sh
# A build in a window that nobody looks at ends: what each of three clients of
# one session gets (kitty and xterm here, ghostty over UDP with delay and loss)
# and what a guest gets, as a table.  Each client has a terminal of outer.py.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"
have python3 || skip_all "no python3"

# got.py FOLDER: what the terminal has got since the lines and bells that
# FOLDER/seen counts; with "next" as a second word, it counts anew.
cat >"$e2e_dir/got.py" <<'E2'
import base64
import re
import sys
folder = sys.argv[1]
with open(folder + "/state", encoding="utf-8") as f:
    state = f.read().splitlines()
with open(folder + "/screen", encoding="utf-8") as f:
    last = f.read().splitlines()[-1].strip()
osc = [l[4:] for l in state if re.match("osc (9|99|777);", l)]
bells = next(int(l[6:]) for l in state if l.startswith("bells "))
if sys.argv[2:] == ["next"]:
    with open(folder + "/seen", "w", encoding="ascii") as f:
        f.write("%d %d" % (len(osc), bells))
    sys.exit()
with open(folder + "/seen", encoding="ascii") as f:
    seen = [int(v) for v in f.read().split()]
out = []
for text in osc[seen[0]:]:
    m = re.match(r"99;i=rmux-[0-9a-f]+-\d+:?(.*);([^;]*)$", text)
    if m is None:
        out.append(text)
        continue
    words = dict(w.split("=") for w in m.group(1).split(":"))
    said = base64.b64decode(m.group(2)).decode()
    urgency = {"0": " low", "2": " critical"}.get(words.get("u"), "")
    out.append(("99 %s%s %s" % (words["p"], urgency, said)).strip())
if bells > seen[1]:
    out.append("bell x%d" % (bells - seen[1]) if bells - seen[1] > 1 else "bell")
if not last.startswith("["):
    out.append("message " + last)
print(" | ".join(out) or "-")
E2

# terminal NAME PROFILE COMMAND...
terminal() {
	term=$e2e_dir/$1 term_profile=$2
	shift 2
	mkdir "$term"
	python3 "$e2e_src/regress/terminal/outer.py" -p "$term_profile" -s 60x12 \
		"$term" "$@" &
	e2e_pids="$e2e_pids $!"
}

shows() {
	wait_for "grep -q -- '$2' '$e2e_dir/$1/screen' 2>/dev/null" 20 || {
		echo "$1 does not show: $2"
		cat "$e2e_dir/$1/screen"
		return 1
	}
}

got() { python3 "$e2e_dir/got.py" "$e2e_dir/$1"; }

# has NAME EXPECTED
has() {
	wait_for "[ \"\$(got $1)\" = '$2' ]" && return
	echo "$1 got: $(got "$1")"
	echo "instead of: $2"
	return 1
}

# A key ends a message; each terminal counts anew.
next() {
	for name in kitty xterm ghostty guest; do
		printf 'type \\e[24~\n' >"$e2e_dir/$name/in"
		shows $name '^\[far\]' || return 1
		python3 "$e2e_dir/got.py" "$e2e_dir/$name" next
	done
}

# row BYTES KITTY XTERM GHOSTTY: a build ends with BYTES.
row() {
	next && far respawn-pane -k -t far:build \
		"stty raw -echo; printf 'cc\r\nld\r\n$1'; exec cat" &&
		has kitty "$2" && has xterm "$3" && has ghostty "$4" && has guest -
}

# says NAME FEATURE: a client's terminal has told what it is and can.
says() {
	wait_for "far list-clients -F '#{client_termtype} ,#{client_termfeatures},' |
		grep -qi '^$1.*,$2,'" 20
}

begin() {
	far_start cat && far set-option -g display-time 0 &&
		far set-option -g status-right '#{notifications}' &&
		far new-window -d -n build cat && far_learn_port &&
		relay "$far_port" -s 3 -b delay=50,loss=0.05 &&
		terminal kitty kitty env RMUX= RMUX_TMPDIR="$far_dir" \
			"$e2e_rmux" -f /dev/null attach &&
		terminal xterm xterm env RMUX= RMUX_TMPDIR="$far_dir" \
			"$e2e_rmux" -f /dev/null attach &&
		terminal ghostty ghostty env RMUX= "$e2e_rmux" attach \
			--ssh="$e2e_dir/ssh" --server="$e2e_rmux" \
			--udp=127.0.0.1:"$relay_port" 127.0.0.1 &&
		for name in kitty xterm ghostty; do
			shows $name '^\[far\]' || return 1
		done &&
		ticket=$(far invite -a 127.0.0.1 --type --for 10m -t far) &&
		terminal guest kitty env RMUX= RMUX_TMPDIR=/nonexistent \
			"$e2e_rmux" join --name guest "${ticket#rmux join }" &&
		shows guest '^\[far\]' && shows kitty 'guest joined'
	says kitty notify-kitty && says ghostty notify-title && says xterm extkeys &&
		[ "$(far list-clients -F x | wc -l)" = 4 ]
}
check "kitty, xterm, ghostty over UDP, a guest" begin

check "OSC 9" row '\033]9;all tests pass\007' \
	'99 title build | 99 body all tests pass' \
	'bell | message build: all tests pass' \
	'777;notify;build;all tests pass'
check "OSC 777" row '\033]777;notify;Built;all tests pass\007' \
	'99 title build: Built | 99 body all tests pass' \
	'bell | message build: Built: all tests pass' \
	'777;notify;build: Built;all tests pass'
check "OSC 99" row \
	'\033]99;i=b:d=0:u=2;Broken\033\\\033]99;i=b:p=body;3 tests fail\033\\' \
	'99 title critical build: Broken | 99 body 3 tests fail' \
	'bell | message build: Broken: 3 tests fail' \
	'777;notify;build: Broken;3 tests fail'
check "OSC 99, low" row '\033]99;u=0;a remark\033\\' \
	'99 title low build | 99 body a remark' 'bell' \
	'777;notify;build;a remark'
check "the bell" row '\007' bell bell bell
check "what is no notification" row '\033]2;title\007\033]9;4;0\007' - - -

# A progress that ends after more than five seconds is an entry and a mark; what
# the terminal shows is the progress of the window in sight.
progress() {
	next && far show-notifications -c &&
		has kitty '99 close | 99 close | 99 close | 99 close' && next &&
		far respawn-pane -k -t far:build "stty -echo; printf '\033]9;4;1;40\007'
			read x; printf '\033]9;4;1;90\007'; read x; printf '\033]9;4;0\007'; exec cat" &&
		wait_for '[ "$(far display-message -p -t far:build "#{pane_pb_progress}")" = 40 ]' &&
		begun=$(date +%s) && far select-window -t far:build &&
		has ghostty '9;4;1;40' && far send-keys -t far:build Enter &&
		has ghostty '9;4;1;40 | 9;4;1;90' && far select-window -t far:0 &&
		has ghostty '9;4;1;40 | 9;4;1;90 | 9;4;0;0' &&
		has kitty '9;4;1;40 | 9;4;1;90 | 9;4;0;0' &&
		has xterm - && has guest - && next &&
		wait_for '[ "$(date +%s)" -gt $((begun + 6)) ]' &&
		far send-keys -t far:build Enter &&
		wait_for 'far show-notifications | grep -q "+ far:1.0 build: progress ended"' &&
		shows kitty ' 1$' && has ghostty - && has kitty - && has xterm -
}
check "progress" progress

# Each terminal has got all; nothing is late.
settled() {
	far set-option -g status-left '[far] done ' &&
		for name in kitty xterm ghostty guest; do
			shows $name '^\[far\] done' || return 1
		done &&
		has kitty - && has xterm - && has ghostty - && has guest - &&
		! grep -E '^osc (9|99|777);' "$e2e_dir/guest/state" &&
		[ ! -s "$e2e_dir/guest/bad" ] && [ ! -s "$e2e_dir/xterm/bad" ] &&
		[ ! -s "$e2e_dir/kitty/bad" ] && [ ! -s "$e2e_dir/ghostty/bad" ]
}
check "nothing else came, and the guest got none" settled
relay_stop
far_stop
done_testing
