#!/bin/sh
# limit.sh COMMAND...: runs one test program with an end.
#
# A test that hangs would hold up all others for good.  RMUX_TEST_LIMIT is the
# longest time of one program in seconds, 900 unless set; the slowest take about
# 200 under AddressSanitizer on a busy machine with two cores.
if command -v timeout >/dev/null 2>&1; then
	exec timeout -k 10 "${RMUX_TEST_LIMIT:-900}" "$@"
fi
exec "$@"
