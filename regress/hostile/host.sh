#!/bin/sh
# Guests of hosts that do harm.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
have python3 || skip_all "no python3"
python3 "$e2e_src/regress/hostile/host.py" "$e2e_rmux" \
	"$e2e_build/regress/hostile/evil_host"
