#!/bin/sh
# check-words.sh - no sleeping test, no typedef'd struct, no leftover mark, no
# file whose name a slip of a shell made.
cd "$(dirname "$0")/.." || exit 1
{
	grep -rnE '^[[:space:]]*(sleep|usleep)[[:space:]]+[0-9]' regress --include='*.sh' --include='*.exp' |
	    grep -v 'sleep-ok:'
	grep -rnE 'typedef (struct|union|enum)[^(]*[;{]' base conf mux ssp predict server client --include='*.[ch]'
	grep -rnE '(XXX|FIXME|TODO)' base conf mux ssp predict server client --include='*.[ch]'
	git ls-files 2>/dev/null | grep -E '[^A-Za-z0-9._/+-]'
} | { ! grep .; }
