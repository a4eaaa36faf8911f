#!/bin/sh
# Titles, names, buffers and variables with any bytes, wherever they are shown.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
have python3 || skip_all "no python3"
python3 -B "$e2e_src/regress/hostile/names.py" "$e2e_rmux" "$e2e_dir"
