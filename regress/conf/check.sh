#!/bin/sh
# rmux -n: good files pass silently, wrong ones have each error told and
# status 1; sizes and nesting are bounded, in time too.
: "${top_srcdir:=.}" "${top_builddir:=.}"
rmux=$top_builddir/rmux
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
HOME=$dir LC_ALL=C
export HOME LC_ALL
unset XDG_CONFIG_HOME
n=0
echo 1..8
result()
{
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		head -20 "$dir/out" | sed 's/^/# /'
	fi
}

"$rmux" -n -f "$top_srcdir/regress/conf/everyday.conf" >"$dir/out" 2>&1 &&
    [ ! -s "$dir/out" ]
result $? "everyday.conf is good"

"$rmux" -n -f "$top_srcdir/conf/default.conf" >"$dir/out" 2>&1 &&
    [ ! -s "$dir/out" ]
result $? "default.conf is good"

cp "$top_srcdir/regress/conf/wrong.conf" "$dir"
(
	cd "$dir" || exit 1
	rmux=$(case $rmux in /*) echo "$rmux" ;; *) echo "$OLDPWD/$rmux" ;; esac)
	"$rmux" -n -f wrong.conf 2>out
	[ $? = 1 ]
) && cmp -s "$dir/out" "$top_srcdir/regress/conf/wrong.check"
result $? "each error of wrong.conf is told with its line"

"$rmux" -n -f "$dir/none" >"$dir/out" 2>&1
[ $? = 1 ] && grep -q 'none: No such file or directory' "$dir/out"
result $? "a file that is not there"

# These two hold only where the machine has no configuration of its own.
own=0
[ -e /etc/rmux.conf ] || [ -e /etc/tmux.conf ] && own=1

{ "$rmux" -n >"$dir/out" 2>&1 && grep -q 'no configuration' "$dir/out"; } ||
    [ $own = 1 ]
result $? "no file at all"

echo 'set -g mouse nope' >"$dir/.tmux.conf"
"$rmux" -n >"$dir/out" 2>&1
{ [ $? = 1 ] && grep -q '\.tmux\.conf:1: bad value: nope' "$dir/out"; } ||
    [ $own = 1 ]
result $? "tmux's file is found when there is none of ours"

head -c 100000000 /dev/zero | tr '\0' x >"$dir/long"
"$rmux" -n -f "$dir/long" >"$dir/out" 2>&1
[ $? = 1 ] && grep -q 'long: file over 16 megabytes' "$dir/out"
result $? "a file of 100 megabytes"
rm "$dir/long"

i=0
while [ $i -lt 10000 ]; do
	printf 'if 1 {\n'
	i=$((i + 1))
done >"$dir/deep"
"$rmux" -n -f "$dir/deep" >"$dir/out" 2>&1
[ $? = 1 ] && grep -q 'deep:51: blocks nested over 50 deep' "$dir/out"
result $? "10,000 nested blocks"
