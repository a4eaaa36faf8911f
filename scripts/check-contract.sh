#!/bin/sh
# check-contract.sh - every header states its purpose (see HACKING.md), and the
# tests and documents that it names exist.
cd "$(dirname "$0")/.." || exit 1
find base conf mux ssp predict server client -name '*.h' | sort | while read -r f; do
	head -n 60 "$f" | grep -q '^ \* Purpose:' ||
	    echo "$f: no 'Purpose:' in its first block"
	head -n 60 "$f" | sed -n '/^ \* Tests:/,/^ \*[ ]*$\|^ \*\//p' |
	    grep -oE '(regress|doc)/[A-Za-z0-9_./-]+' | sed 's/[.,]$//' | while read -r t; do
		[ -e "$t" ] || echo "$f: names $t, which is not there"
	done
	# Names after the first may leave the folder out.
	head -n 60 "$f" | sed -n '/^ \* Tests:/,/^ \*[ ]*$\|^ \*\//p' |
	    grep -oE '(^|[ ,])check_[a-z0-9_]+\.c' | tr -d ' ,' | while read -r t; do
		[ -e "regress/unit/$t" ] || [ -n "$(find regress -name "$t")" ] ||
		    echo "$f: names $t, which is not there"
	done
done | { ! grep .; }
