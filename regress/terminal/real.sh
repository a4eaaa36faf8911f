#!/bin/sh
# rmux in real terminals: regress/terminal/real.py with what is installed.  The step
# "./quickstart check terminals" installs them.
top=$(cd "${top_srcdir:-.}" && pwd) || exit 99
rmux=$(cd "${top_builddir:-.}" && pwd)/rmux || exit 99
for p in python3 Xvfb xdotool import; do
	command -v $p >/dev/null 2>&1 || { echo "1..0 # SKIP no $p"; exit 0; }
done
tmux=$(sh "$top/regress/ref/peer.sh" -n 2>/dev/null) # or nothing
exec python3 "$top/regress/terminal/real.py" "$rmux" ${tmux:+"$tmux"}
