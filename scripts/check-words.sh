#!/bin/sh
# check-words.sh - no sleeping test, no typedef'd struct, no leftover mark, no
# question for several programs at once, no file named by a slip of a shell, no
# struct of one name in two files.
cd "$(dirname "$0")/.." || exit 1
{
	grep -rnE '^[[:space:]]*(sleep|usleep)[[:space:]]+[0-9]' regress --include='*.sh' --include='*.exp' |
	    grep -v 'sleep-ok:'
	grep -rnE 'typedef (struct|union|enum)[^(]*[;{]' base conf mux ssp predict server client --include='*.[ch]'
	grep -rnE '(XXX|FIXME|TODO)' base conf mux ssp predict server client --include='*.[ch]'
	# "command -v A B" asks for A alone, or for either, by the shell.
	grep -rnE 'command -v +[a-z0-9_.-]+ +[a-z0-9]' regress scripts quickstart --include='*.sh' --include=quickstart |
	    grep -v 'check-words'
	git ls-files 2>/dev/null | grep -E '[^A-Za-z0-9._/+-]'
	# A struct's name means one thing: one file defines it.
	find base conf mux ssp predict server client rmux.c -name '*.[ch]' | sort |
	    xargs awk '/^struct [a-z_0-9]+ \{/ {
		if ($2 in at && at[$2] != FILENAME)
			print FILENAME ": struct " $2 ": " at[$2] " has one of this name"
		at[$2] = FILENAME
	}'
} | { ! grep .; }
