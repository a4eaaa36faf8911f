#!/bin/sh
# Ten configurations of people, loaded by tmux 3.8 and by rmux (configs.py).
. "${top_srcdir:-.}/regress/ecosystem/lib.sh"
python3 "$top/regress/ecosystem/configs.py" "$tmux" "$rmux"
