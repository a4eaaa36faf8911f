#!/bin/sh
# manual.sh BUILDDIR [--check] - puts the tables of the program into the manual:
# what stands in doc/*.[1-9] between
#     .\" BEGIN TABLE name      and      .\" END TABLE
# is replaced by what scripts/manual_tables prints.  With --check nothing is
# written; the differences are printed and the exit code is 1.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
bld=$(cd "${1:?manual.sh BUILDDIR}" && pwd)
mode=${2-}
make -s -C "$bld" scripts/manual_tables >&2
tables=$bld/scripts/manual_tables
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-manual.XXXXXX")
trap 'rm -rf "$dir"' EXIT
rc=0
for s in $("$tables"); do
	"$tables" "$s" >"$dir/$s"
done
for page in "$top"/doc/*.[1-9]; do
	awk -v dir="$dir" -v seen="$dir/seen" '
	/^\.\\" END TABLE/ { inside = 0 }
	!inside { print }
	/^\.\\" BEGIN TABLE / {
		inside = 1
		print $4 >>seen
		file = dir "/" $4
		if ((getline line <file) <= 0)
			print "no table " $4
		else
			do print line; while ((getline line <file) > 0)
		close(file)
	}' "$page" >"$dir/page"
	cmp -s "$dir/page" "$page" && continue
	if [ "$mode" = --check ]; then
		diff -u "$page" "$dir/page" || :
		echo "${page#"$top"/} and the tables differ: make manual, and commit it"
		rc=1
	else
		cat "$dir/page" >"$page"
		echo "${page#"$top"/}: renewed"
	fi
done
# No table of the program is left out of the manual.
for s in $("$tables"); do
	grep -qx "$s" "$dir/seen" || { echo "no page has the table $s"; rc=1; }
done
exit $rc
