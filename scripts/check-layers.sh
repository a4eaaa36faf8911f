#!/bin/sh
# check-layers.sh - every #include must be allowed by scripts/layers.
cd "$(dirname "$0")/.." || exit 1
re='^[[:space:]]*#[[:space:]]*include[[:space:]]*("|<(event2/|sodium|msgpack|utf8proc|fribidi|tickit|zstd))'
find base conf mux ssp predict server client -name '*.[ch]' | sort | while read -r f; do
	dir=${f%/*}
	allow=$(sed -n "s|^${dir}[[:space:]][[:space:]]*||p" scripts/layers)
	[ -n "$allow" ] || { echo "$f: no row for $dir in scripts/layers"; continue; }
	grep -nE "$re" "$f" | sed -E 's/^([0-9]+):.*["<]([^">]*)[">].*/\1 \2/' |
	while read -r line inc; do
		case $inc in config.h) continue ;; esac
		for a in $allow; do
			[ "$a" = "${inc%/*}" ] || [ "$a" = "$inc" ] && continue 2
		done
		echo "$f:$line: $dir may not include $inc"
	done
done | { ! grep .; }
