#!/bin/sh
# Hooks that free what their caller holds: hooks_free.py, some random rounds.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
have python3 || skip_all "no python3"
[ -w /dev/ptmx ] || skip_all "no pseudo terminals"
python3 "$e2e_src/regress/e2e/hooks_free.py" "$e2e_rmux" "$e2e_dir/h" \
	"$e2e_src/regress/e2e/hooks_free.list" "${HOOKS_FREE_ROUNDS:-30}"
