#!/bin/sh
# check-lists.sh [TOP] - which list lacks a new command, option, fuzz target or file.
#
# The names come from conf/command.def, conf/option.def, and the FUZZERS and files of the
# Makefile.inc's.  Each line found names the list and the word.  Takes seconds, needs no build.
cd "${1:-$(dirname "$0")/..}" || exit 1
[ -f conf/option.def ] || { echo "$PWD is no tree of rmux"; exit 1; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
LC_ALL=C
export LC_ALL

{
# lacks LIST WHY: the names in $tmp/want must be among those of standard input.
lacks() {
	sort -u >"$tmp/has"
	sort -u "$tmp/want" >"$tmp/all"
	[ -s "$tmp/all" ] || echo "$1: no names found to look for"
	comm -23 "$tmp/all" "$tmp/has" | sed "s|.*|$1 lacks & ($2)|"
}
# same LIST WHY: and no others.
same() {
	lacks "$1" "$2"
	comm -13 "$tmp/all" "$tmp/has" | sed "s|.*|$1 has &, which is none ($2)|"
}
# first FILE: the first word of each line that is no comment.
first() { sed -e '/^#/d' -e '/^$/d' -e 's/[ 	].*//' "$1"; }

# --- options and hooks: "name flags" -----------------------------------------------

awk '
	function row() { if (name != "") print name, flags " " }
	/^X\(/ { row(); split($0, q, "\""); name = q[2]; flags = "" }
	name == "" { next }
	{
		s = $0
		gsub(/"[^"]*"/, "", s)
		while (match(s, /OPT_(OWN|HOOK|PERSON)/)) {
			flags = flags " " substr(s, RSTART, RLENGTH)
			s = substr(s, RSTART + RLENGTH)
		}
	}
	END { row() }' conf/option.def >"$tmp/options"
# having FLAG, not_having FLAG: their names.
having() { sed -n "s/ .* $1 .*//p" "$tmp/options"; }
not_having() { sed -n "/ $1 /!s/ .*//p" "$tmp/options"; }

not_having OPT_HOOK >"$tmp/want"
first regress/e2e/options.list | same regress/e2e/options.list "options"

sed 's/ .*//' "$tmp/options" >"$tmp/want"
# An empty array is the name alone, an item NAME[N] VALUE.
first regress/conf/defaults.opt | sed -e '/^>/d' -e 's/\[.*//' |
	same regress/conf/defaults.opt "options and hooks"

having OPT_PERSON >"$tmp/want"
awk '/^START_TEST\(options_of_a_person_are_a_sessions\)/ { on = 1 }
	on && /names\[\] = / { list = 1 }
	list { n = split($0, q, "\""); for (i = 2; i <= n; i += 2) print q[i] }
	list && /;/ { exit }' regress/unit/check_client.c |
	same regress/unit/check_client.c "options_of_a_person_are_a_sessions: OPT_PERSON"

# What tmux 3.8 does not have; regress/diff/side.py goes by the flag.
sed 's/ .*//' "$tmp/options" | sort >"$tmp/all"
cat regress/diff/options.names regress/diff/hooks.names | sort >"$tmp/tmux"
comm -23 "$tmp/all" "$tmp/tmux" >"$tmp/want"
having OPT_OWN | same conf/option.def "OPT_OWN: not in regress/diff/*.names"

# --- commands ----------------------------------------------------------------------

sed -n 's/^X([a-z_]*, "\([a-z-]*\)".*/\1/p' conf/command.def >"$tmp/want"
first regress/e2e/commands.list | same regress/e2e/commands.list "commands"
first regress/unit/roles.golden | sed '/^event$/d' |
	same regress/unit/roles.golden "commands; check_role_table.c writes it"

# Each flag that a usage names: "command -flag".
awk 'function row(  n, q, i, f, flags, usage) {
		# Texts that touch are one; the usage is the last but one.
		gsub(/" *"/, "", rest)
		n = split(rest, q, "\"")
		flags = q[3] ~ /NULL/ ? q[4] : q[6]
		usage = q[n - 3]
		gsub(/:/, "", flags)
		for (i = 1; i <= length(flags); i++) {
			f = substr(flags, i, 1)
			if (usage ~ "(^|[ [])-[A-Za-z0-9]*" f)
				print q[2], "-" f
		}
	}
	/^X\(/ { if (rest != "") row(); rest = "" }
	/^X\(/ || rest != "" { rest = rest $0 }
	END { row() }' conf/command.def >"$tmp/want"
sed -n "s/^F(\([a-z_]*\), '\(.\)',.*/\1 -\2/p" conf/command_flag.def |
	awk '{ gsub(/_/, "-", $1); print }' |
	lacks conf/command_flag.def "flags that a usage names"

# --- values of options with two dashes that are options of the configuration, too -----

sed -n 's/^X([A-Z_]*, "\([a-z-]*\)", "\([a-z|]*|[a-z|]*\)",.*/\1 \2/p' base/client_long.def |
	awk '{ n = split($2, v, "|"); for (i = 1; i <= n; i++) print $1, v[i] }' >"$tmp/long"
awk -F'"' '
	/^X\(/ { name = $2; choice = /CHOICE/ }
	choice { s = $0; while (match(s, /C\([A-Z_0-9]*, "[^"]*"\)/)) {
		split(substr(s, RSTART, RLENGTH), q, "\""); print name, q[2]
		s = substr(s, RSTART + RLENGTH) } }' conf/option.def |
	awk -v long="$tmp/long" '
		BEGIN { while ((getline w < long) > 0) { split(w, q, " "); has[q[1]] = 1 } }
		$1 in has' >"$tmp/want"
lacks base/client_long.def "values of conf/option.def" <"$tmp/long"

# --- fuzz targets ------------------------------------------------------------------

find . -name Makefile.inc -o -name Makefile.am | grep -v '^\./build' | sort |
	xargs cat | sed -e ':a' -e '/\\$/N' -e 's/\\\n//' -e 'ta' >"$tmp/make"
sed -n 's/^FUZZERS += *//p' "$tmp/make" | tr -s ' \t' '\n\n' |
	sed -n 's,.*/fuzz_,,p' >"$tmp/fuzzers"
sed -n 's/^regress_fuzz_fuzz_\([a-z_0-9]*\)_SOURCES.*/\1/p' "$tmp/make" >"$tmp/want"
same "FUZZERS of the Makefile.inc's" "fuzz targets" <"$tmp/fuzzers"
cp "$tmp/fuzzers" "$tmp/want"
for f in regress/fuzz/corpus/*/*; do
	[ -f "$f" ] && echo "$f"
done | sed 's,.*/\([^/]*\)/[^/]*$,\1,' | lacks regress/fuzz/corpus "fuzz targets"

# --- files -------------------------------------------------------------------------

# A folder stands for all that is in it.
tr -s ' \t' '\n\n' <"$tmp/make" | sed 's,^\$(srcdir)/,,' | sort -u >"$tmp/words"
{ git ls-files -co --exclude-standard -- regress scripts 2>/dev/null ||
	find regress scripts -type f; } | sort -u | awk -v words="$tmp/words" '
	BEGIN { while ((getline w < words) > 0) named[w] = 1 }
	/(^|\/)\.gitignore$/ || /\/__pycache__\// { next }
	{
		for (f = $0; f != "" && !(f in named); )
			if (!sub(/\/[^\/]*$/, "", f)) f = ""
		if (f == "") print "no Makefile.inc names " $0
	}'
} | { ! grep .; }
