#!/bin/sh
# The server of churn.sh under valgrind: no error, no leak, no open descriptor
# at the end.  A short run; RMUX_LONG=1: an hour of one operation every five
# seconds; RMUX_LONG=day: 24 of them.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
command -v valgrind >/dev/null || skip_all "no valgrind"
[ -z "${RMUX_ASAN:-}" ] || skip_all "the sanitizers look for the same"

ops=30 hours=1
case ${RMUX_LONG:-} in
'') ;;
day) ops=17280 hours=24 ;;
*) ops=720 ;;
esac
echo 'set -s exit-empty off' >conf
# A child that is killed before it runs its program writes a log of its own.
valgrind --log-file="$e2e_dir/valgrind.%p" --track-fds=yes --leak-check=full \
	--show-leak-kinds=definite,indirect,possible --error-exitcode=99 \
	--suppressions="$e2e_src/scripts/valgrind.supp" \
	"$e2e_rmux" -L e2e -f "$e2e_dir/work/conf" -D >/dev/null 2>&1 &
server=$!
e2e_pids="$e2e_pids $server"
begun() {
	wait_for 'm -N new-session -d -s s cat 2>/dev/null' 60 &&
		[ "$(m display-message -p '#{pid}')" = $server ]
}
check "a server under valgrind" begun
keys() {
	m send-keys -t s: x && m copy-mode -t s: && m send-keys -t s: -X cancel
}
check "keys, also without a count" keys
churn() {
	RMUX_ASAN=1 python3 "$e2e_src/regress/e2e/churn.py" "$e2e_rmux" \
		-s "${RMUX_SEED:-2}" -n $ops -b $hours -v >churn.out
	! grep -qE '^(failed|descriptors or)' churn.out &&
		grep -q '^grown' churn.out
}
check "$ops operations leave nothing behind" churn
sed 's/^/# /' churn.out
ended() {
	m kill-server
	wait $server
}
check "no error until its end" ended
# The descriptors open at the end were open at the start.
inherited() {
	grep -E 'Open (file descriptor|AF_UNIX|AF_INET)' -A1 "$e2e_dir/valgrind.$server" |
		grep -vE 'Open |inherited|^--' && return 1
	return 0
}
check "no descriptor stays" inherited
check "all memory is given back" grep -E \
	'All heap blocks were freed|definitely lost: 0 bytes' "$e2e_dir/valgrind.$server"
[ "$e2e_failed" = 0 ] || sed 's/^/# /' "$e2e_dir/valgrind.$server"
done_testing
