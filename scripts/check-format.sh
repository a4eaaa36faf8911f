#!/bin/sh
# check-format.sh - code that clang-format would change.
cd "$(dirname "$0")/.." || exit 1
find base conf mux ssp predict server client regress rmux.c -name '*.[ch]' | sort |
    xargs clang-format --dry-run -Werror 2>&1 | grep -E 'error:' | sort -u | head -n 40 | { ! grep .; }
