#!/bin/sh
# golden.sh - rmux answers the recorded probes as tmux 3.8 did (golden.txt).
#
# To record again: diff.py --record golden.txt TMUX RMUX, with the program that
# regress/ref/peer.sh prints.
: "${top_srcdir:=.}" "${top_builddir:=.}"
command -v python3 >/dev/null || {
	echo '1..0 # SKIP no python3'
	exit 0
}
exec python3 "$top_srcdir/regress/diff/diff.py" \
	--golden "$top_srcdir/regress/diff/golden.txt" \
	"${E2E_RMUX:-$top_builddir/rmux}"
