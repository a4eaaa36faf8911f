#!/bin/sh
# check-fields.sh [BUILDDIR] - doc/PROTOCOL.md has every number that objects and
# control messages are made of, and no other: each enum of mux/sync and
# of the wires of mux/mode, mux/view and client/cp marked there
# with <!-- enum NAME -->, in rows | number | `NAME` |.
top=$(dirname "$0")/..
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$top" || exit 1

# What is not on the wire, or said by another table of the document.
skip='sync_tail_kind control_has control_code control_flag control_mode frame_number cp_field'

# "enum NAME value" of each enumerator with a number.
for f in mux/sync/*.[ch] mux/mode/*_wire.c mux/mode/list_ask.c mux/view/pick.h \
	mux/mode/switch_replay.c mux/view/*_replay.c client/cp/wire.h; do
	awk -v skip=" $skip " 'BEGIN { RS = "\001" }
	{
		s = $0
		while ((a = index(s, "/*")) > 0) {
			t = substr(s, a + 2)
			s = substr(s, 1, a - 1) " " substr(t, index(t, "*/") + 2)
		}
		gsub(/[\t\n ]+/, " ", s)
		while (match(s, /enum [a-z_0-9]+ \{[^}]*\}/)) {
			e = substr(s, RSTART, RLENGTH)
			s = substr(s, RSTART + RLENGTH)
			name = e
			sub(/^enum /, "", name)
			sub(/ \{.*/, "", name)
			if (index(skip, " " name " "))
				continue
			sub(/^[^{]*\{/, "", e)
			sub(/\}$/, "", e)
			n = split(e, x, ",")
			for (i = 1; i <= n; i++)
				if (split(x[i], kv, "=") == 2) {
					gsub(/ /, "", kv[1])
					gsub(/ /, "", kv[2])
					print name, kv[1], kv[2]
				}
		}
	}' "$f"
done | sort -u >"$tmp/code"
# Hexadecimal or not.
awk '{ v = $3; if (v ~ /^0x/) { n = 0; h = "0123456789abcdef"
		for (i = 3; i <= length(v); i++)
			n = n * 16 + index(h, substr(v, i, 1)) - 1
		v = n }
	print $1, $2, v }' "$tmp/code" | sort -u >"$tmp/code.n"

awk '/^<!-- enum / { e = $3; next }
	/^#/ { e = "" }
	e != "" && /^\| [0-9]+ \| `/ {
		split($0, c, "|")
		gsub(/[ `]/, "", c[2]); gsub(/[ `]/, "", c[3])
		print e, c[3], c[2]
	}' doc/PROTOCOL.md | sort -u >"$tmp/doc"

[ -s "$tmp/code.n" ] || { echo "no enums found"; exit 1; }
diff "$tmp/code.n" "$tmp/doc" | sed -n 's/^</not in doc\/PROTOCOL.md:/p
	s/^>/not in mux\/sync:/p' >"$tmp/out"
cat "$tmp/out"
[ ! -s "$tmp/out" ]
