#!/bin/sh
# check-circles.sh [BUILDDIR] - no circle of more than three object files
# (scripts/symbols.py says how, scripts/circles has the exceptions).
bld=$(cd "${1:-build}" && pwd) || exit 1
cd "$(dirname "$0")/.." || exit 1
command -v python3 >/dev/null || exit 77
exec python3 scripts/symbols.py circles "$bld"
