#!/bin/sh
# Windows, panes, clients, resizes and floods at random must leak nothing.
# RMUX_LONG=1: as much as a day of one operation every five seconds.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

ops=60 batches=2
[ -z "${RMUX_LONG:-}" ] || ops=17280 batches=24
start 80 24 cat
churn() {
	python3 "$e2e_src/regress/e2e/churn.py" "$e2e_rmux" \
		-s "${RMUX_SEED:-1}" -n $ops -b $batches | tee churn.out
	! grep -qE '^(failed|descriptors or|memory grows)' churn.out &&
		grep -q '^grown' churn.out
}
check "$ops operations leave nothing behind" churn
sed 's/^/# /' churn.out
check "the server lives" m display-message -p alive
stop
done_testing
