#!/bin/sh
# Troubles of a connection in a random order: new addresses, loss, cuts, UDP that is
# blocked, and ssh that is refused meanwhile.  After each one typing, a command and a
# forwarded port go on.
# E2E_LONG=1: forty of them, of up to 70 s; E2E_SEED: another order.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"
[ -x "$e2e_build/regress/tools/udp_relay" ] || skip_all "no udp_relay"
have python3 curl || skip_all "no python3 or no curl"

troubles=5 times='1 2 4'
[ -z "${E2E_LONG:-}" ] || troubles=40 times='1 4 12 40 70'
seed=${E2E_SEED:-1}

sed -i -e 's/-p) shift 2/-p | -o | -F | -i) shift 2/' -e '2i [ ! -e "'"$e2e_dir"'/refused" ] || exit 255' "$e2e_dir/ssh"
web "$e2e_dir"
echo here >"$e2e_dir/page"
read -r l _ <<END
$(free_ports)
END
far_start && far_learn_port || { not_ok "a remote server"; done_testing; exit 1; }
relay "$far_port" -b delay=20

# starts: $exec_pid is cat by rmux exec, between the files lines and answers.
starts() {
	outer_start 100 24 "$(remote_cmd "--again=1 --udp=127.0.0.1:$relay_port -L $l:127.0.0.1:$http")"
	expect_screen '\[far\]' 15 || return 1
	mkfifo "$e2e_dir/lines"
	"$e2e_rmux" exec --again=1 --ssh="$e2e_dir/ssh" --server="$e2e_rmux" --udp="127.0.0.1:$relay_port" h cat \
		<"$e2e_dir/lines" >"$e2e_dir/answers" 2>"$e2e_dir/errors" &
	exec_pid=$!
	e2e_pids="$e2e_pids $exec_pid"
	exec 7>"$e2e_dir/lines"
}
# works WORD SECS: all three go on, each within SECS.
works() {
	echo "$1" >&7
	echoes "$1-" "$2" || return 1
	wait_for "grep -q '^$1\$' '$e2e_dir/answers'" "$2" || { echo "exec: no answer"; cat "$e2e_dir/errors"; return 1; }
	[ "$(curl -sS --max-time "$2" "http://127.0.0.1:$l/page" 2>&1)" = here ] || { echo "no page"; return 1; }
}
lasts() {
	until=$(($(date +%s) + $1))
	wait_for '[ "$(date +%s)" -gt $until ]' $(($1 + 5))
}
# trouble WORD KIND SECS
trouble() {
	case $2 in
	move) relay_say rebind ;;
	loss) relay_say "both loss=0.3" && lasts "$3" && works "$1-lossy" 30 && relay_say "both loss=0" ;;
	cut)
		touch "$e2e_dir/refused"
		relay_say "both off=1"
		lasts "$3"
		relay_say "both off=0"
		rm "$e2e_dir/refused"
		;;
	blocked)
		relay_say "both off=1"
		works "$1-ssh" 30 || return 1
		lasts "$3"
		relay_say "both off=0"
		;;
	later) # ssh is let through after a while: by then its tries are up to 32 s apart
		touch "$e2e_dir/refused"
		relay_say "both off=1"
		lasts "$3"
		rm "$e2e_dir/refused"
		works "$1-ssh" 60 || return 1
		relay_say "both off=0"
		;;
	esac
	works "$1" 30
}

check "attach, exec and a forwarded port" starts
check "work" works first 15
awk -v n="$troubles" -v seed="$seed" -v times="$times" 'BEGIN {
	srand(seed); t = split(times, s, " "); k = split("move loss cut blocked later", kind, " ")
	while (i++ < n)
		print "w" i, kind[int(rand() * k) + 1], s[int(rand() * t) + 1]
}' >"$e2e_dir/troubles"
while read -r word kind secs <&9; do
	check "$kind, $secs s: typing, a command and a forwarded port go on" trouble "$word" "$kind" "$secs"
done 9<"$e2e_dir/troubles"
ends() {
	exec 7>&-
	wait_for "! alive $exec_pid" 15 || { echo "exec hangs"; return 1; }
	[ "$(grep -vc -- -ssh "$e2e_dir/answers")" -gt "$troubles" ]
}
check "the command ends with its input" ends
check "and leave" leaves
relay_stop
far_stop
kill "$web_pid" 2>/dev/null
done_testing
