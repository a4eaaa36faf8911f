#!/bin/sh
# quarter.sh - prints every fourth line of its input.  Which quarter depends on the
# commit, so that .ci/run has covered all of a long list after a few commits.
cd "$(dirname "$0")" || exit 1
commit=$(git rev-parse --short=7 HEAD 2>/dev/null) || commit=0
awk -v turn="$((0x$commit % 4))" 'NR % 4 == turn'
