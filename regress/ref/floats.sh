#!/bin/sh
# floats.sh - random commands on panes, floating ones among them, against the
# states that tmux 3.8 had (floats.list, made by floats.py record): every third
# script, under AddressSanitizer every tenth.  RMUX_LONG=1: all.
command -v python3 >/dev/null 2>&1 || { echo '1..0 # SKIP needs python3'; exit 77; }
src=${top_srcdir:-.}/regress/ref
step=3
[ -z "${RMUX_ASAN-}" ] || step=10
[ -z "${RMUX_LONG-}" ] || step=1
echo 1..1
if python3 "$src/floats.py" check "${top_builddir:-.}/rmux" "$src/floats.list" $step; then
	echo 'ok 1 - panes are where tmux 3.8 has them'
else
	echo 'not ok 1 - panes are elsewhere than in tmux 3.8'
	exit 1
fi
