#!/bin/sh
# The search for rules gets better, gives the same for the same seed with any
# number of processes, and goes on from its file.
bld=${top_builddir:-.}
tool=$bld/regress/tools/remy
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-remy.XXXXXX")
trap 'rm -rf "$dir"' EXIT
n=0
check() {
	n=$((n + 1))
	if "$2"; then echo "ok $n - $1"; else echo "not ok $n - $1"; fi
}
search() { # FILE TURNS [OPTIONS]
	file=$1 turns=$2
	shift 2
	"$tool" -m rate=1-10,rtt=20-100,senders=1-2,on=3000,off=1000 -n 6 -l 4000 \
		-g "$turns" -t 100 "$@" "$dir/$file" >"$dir/$file.log"
}
rules() {
	sed '/^cpu/d' "$dir/$1"
}
score() {
	"$tool" -e rate=1-10,rtt=20-100,senders=1-2,on=3000,off=1000 "$dir/$1" |
		sed -n 's/.*score \(-*[0-9.]*\),.*/\1/p'
}

same() {
	search one 4 && search two 4 -j 3 && rules one >"$dir/a" &&
		rules two >"$dir/b" && cmp "$dir/a" "$dir/b"
}
better() {
	search begin 0 -t 0 && awk -v a="$(score begin)" -v b="$(score one)" \
		'BEGIN { print "# from " a " to " b; exit !(b > a + .2) }'
}
# Four turns in two runs, split in between.
again() {
	search three 2 && search three 2 &&
		[ "$(sed -n 's/^turn //p' "$dir/three")" = 4 ]
}
prints() {
	"$tool" -p "$dir/one" >"$dir/def" &&
		grep -q 'model   rate=1-10' "$dir/def" &&
		grep -q 'core-hours' "$dir/def" &&
		[ "$(grep -c '^R(' "$dir/def")" = \
			"$(sed -n 's/^rules //p' "$dir/one")" ]
}
refuses() {
	echo 'remy 1 model x' >"$dir/bad"
	! "$tool" -t 1 "$dir/bad" 2>/dev/null &&
		! "$tool" -m rate=0 -t 1 "$dir/none" 2>/dev/null &&
		! "$tool" -m rain=1 -t 1 "$dir/none" 2>/dev/null
}
check "one process or three: the same rules" same
check "the search gets better" better
check "it goes on from its file" again
check "the table says where it is from" prints
check "a damaged file, a bad model" refuses
echo "1..$n"
