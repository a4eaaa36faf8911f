#!/bin/sh
# Choosers, menus and popups show what tmux 3.8 has shown for the same keys:
# face.list has scripts and sums of its screens (regress/ref/face_random.py).
. "${top_srcdir:-.}/regress/e2e/lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"
have python3 || skip_all "no python3"
python3 "$e2e_src/regress/ref/face_random.py" \
	--replay "$e2e_src/regress/e2e/face.list" "$e2e_rmux"
