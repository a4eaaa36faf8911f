#!/bin/sh
# check-hacking.sh [BUILDDIR] - HACKING.md's first changes, made as it says, in
# TAP.  In a copy of this tree, each block behind a mark
#
#   <!-- into: FILE -->                 goes to the end of FILE, or makes it
#   <!-- into: FILE | behind: TEXT -->  goes behind the row or line with TEXT;
#                                       behind a row that begins with X( means
#                                       before the next one
#
# and each block of commands behind a mark that names this script runs there, as
# the manual's does; in the end lint looks at what came of it.  BUILDDIR lends
# its objects, which saves a build.  Minutes, so not a part of ./quickstart check.
set -u
top=$(cd "$(dirname "$0")/.." && pwd) || exit 99
dir=$(mktemp -d "${TMPDIR:-/tmp}/rmux-hacking.XXXXXX") || exit 99
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
trap 'cd / && rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

# The tree, and the objects with their times, so that make sees what is new.
mkdir "$dir/rmux" || exit 99
(cd "$top" && { git ls-files 2>/dev/null || find . -type f ! -path './build*/*'; } |
    tar -cf - -T - configure Makefile.in config.h.in aclocal.m4 build-aux 2>/dev/null) |
    tar -xpf - -C "$dir/rmux"
[ -z "${1-}" ] || cp -a "$1" "$dir/rmux/build"
cd "$dir/rmux" || exit 99

python3 - "$dir" <<'END' || exit 99
"""Writes DIR/N.apply, which makes a change, or DIR/N.run, for each block."""
import re
import sys

BLOCK = re.compile(r'<!-- (into: [^\n]*?|not run: scripts/check-hacking.sh '
                   r'[^\n]*?) -->\n```(?:text)?\n(.*?)^```$', re.M | re.S)
APPLY = '''
import sys
path, behind, text = %r, %r, %r
try:
    with open(path, encoding='utf-8') as f:
        old = f.read()
except FileNotFoundError:
    old = ''
if not behind:
    at = len(old)
    if old:
        text = '\\n' + text
else:
    if old.count(behind) != 1:
        sys.exit('%%s: "%%s" stands there %%d times' %%
                 (path, behind, old.count(behind)))
    at = old.index('\\n', old.index(behind)) + 1
    if behind.startswith('X('):
        at = old.index('X(', at)
with open(path, 'w', encoding='utf-8') as f:
    f.write(old[:at] + text + old[at:])
'''
with open('HACKING.md', encoding='utf-8') as f:
    page = f.read()
for n, m in enumerate(BLOCK.finditer(page)):
    what, text = m.groups()
    name = '%s/%02d.' % (sys.argv[1], n)
    if what.startswith('into: '):
        path, _, behind = what[6:].partition(' | behind: ')
        with open(name + 'apply', 'w', encoding='utf-8') as f:
            f.write(APPLY % (path, behind, text))
    else:
        with open(name + 'run', 'w', encoding='utf-8') as f:
            f.write(text)
END

n=0 failed=0
# try NAME COMMAND...: one line of TAP, with its seconds.
try() {
	name=$1
	shift
	n=$((n + 1))
	began=$(date +%s)
	if "$@" >"$dir/log" 2>&1; then
		echo "ok $n - $name ($(($(date +%s) - began)) s)"
	else
		tail -n 40 "$dir/log" | sed 's/^/# /'
		echo "not ok $n - $name ($(($(date +%s) - began)) s)"
		failed=1
	fi
}
built() {
	[ -x configure ] || ./autogen.sh || return
	mkdir -p build
	[ -f build/Makefile ] || (cd build && ../configure -q --enable-werror) || return
	make -s -C build -j"$jobs" && make -s -C build -j"$jobs" check TESTS=
}
try "the tree as it is" built
for f in "$dir"/*.apply "$dir"/*.run; do echo "$f"; done | sort >"$dir/order"
MAKEFLAGS=-j$jobs
export MAKEFLAGS
while read -r f; do
	case $f in
	*.apply) try "$(sed -nE "s/^path, behind, text = '([^']*)'.*/into \1/p" "$f")" python3 "$f" ;;
	*.run) try "$(head -n 1 "$f")" sh -e "$f" ;;
	esac
done <"$dir/order"
# The lent Makefile has its own folder for abs_builddir.
try "make -C build manual" make -s -C build manual abs_builddir="$dir/rmux/build"
for check in contract fields layers manual words format; do
	try "scripts/check-$check.sh" "scripts/check-$check.sh" build
done
try "what looks at whole tables" make -s -C build check TESTS="$(cd build &&
    find regress/unit -name 'check_*' -type f -perm -u+x | sort | tr '\n' ' ') \
	regress/e2e/options.sh regress/e2e/commands.sh regress/e2e/help.sh regress/e2e/manual.sh"
echo "1..$n"
[ $failed = 0 ] && [ -s "$dir/order" ]
