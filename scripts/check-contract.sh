#!/bin/sh
# check-contract.sh - every header states its contract, every .c has a header
# or is named in one; see HACKING.md.
cd "$(dirname "$0")/.." || exit 1
find base conf mux ssp predict server client -name '*.h' | sort | while read -r f; do
	for field in Purpose Ownership Units Errors Source Tests; do
		head -n 40 "$f" | grep -q "^ \* $field:" || echo "$f: no '$field:' in its first block"
	done
done | { ! grep .; }
