#!/bin/sh
# limit.sh COMMAND...: runs one test program with an end.
#
# A test that hangs would hold up all others for good.  RMUX_TEST_LIMIT is the
# longest time of one program in seconds, 600 unless set; the slowest take about
# 200 under AddressSanitizer on a busy machine with two cores.
# RMUX_TEST_TIMES names a file that gets a line for each: seconds and command.
start=$(date +%s)
rc=0
if command -v timeout >/dev/null 2>&1; then
	timeout -k 10 "${RMUX_TEST_LIMIT:-600}" "$@" || rc=$?
else
	"$@" || rc=$?
fi
if [ -n "${RMUX_TEST_TIMES-}" ]; then
	echo "$(($(date +%s) - start)) $*" >>"$RMUX_TEST_TIMES"
fi
exit $rc
