#!/bin/sh
# check-unused.sh [BUILDDIR] - every exported function has a caller in another
# file of the product (scripts/symbols.py says how, scripts/unused has the
# exceptions).
bld=$(cd "${1:-build}" && pwd) || exit 1
cd "$(dirname "$0")/.." || exit 1
command -v python3 >/dev/null || exit 77
exec python3 scripts/symbols.py unused "$bld"
