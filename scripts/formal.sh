#!/bin/sh
# formal.sh - checks the models in doc/formal with Verifpal, and prints TAP.
#
# usage: formal.sh [-i FOLDER]
#
# $VERIFPAL or verifpal of the PATH is used; -i builds it with cargo into FOLDER
# first (ten minutes).  The models take 30 s.  doc/formal/README.md explains the
# letters.
set -u
src=$(cd "$(dirname "$0")/.." && pwd) || exit 99
if [ "${1:-}" = -i ] && [ -n "${2:-}" ]; then
	CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
		cargo install verifpal --version 1.6.7 --locked \
		--ignore-rust-version --root "$2" || exit 1
	VERIFPAL=$2/bin/verifpal
fi
: "${VERIFPAL:=verifpal}"
if ! command -v "$VERIFPAL" >/dev/null; then
	echo "1..0 # SKIP no verifpal: set VERIFPAL, or run $0 -i FOLDER (needs cargo)"
	exit 0
fi
rows() {
	# model<TAB>sessions<TAB>result code
	cat <<-'END'
	handshake	1	c0c0c0c0a0a0a0a0
	handshake	2	c0c0c0c0a1a1a0a0
	forward	2	c1c0c0c0
	ticket	1	c0c0c0c0a0a0a0a0
	ticket	2	c0c0c0c0a1a0a0a0
	rekey	1	c0c0a0a0a0
	rekey	2	c0c0a1a0a0
	END
}
echo "1..$(rows | wc -l)"
rows | {
	n=0 bad=0
	while IFS='	' read -r model sessions code; do
		n=$((n + 1))
		got=$("$VERIFPAL" verify "$src/doc/formal/$model.vp" --quiet \
			--result-code --sessions "$sessions" 2>&1 | tail -n 1)
		if [ "$got" = "$code" ]; then
			echo "ok $n - $model, $sessions sessions: $got"
		else
			bad=1
			echo "not ok $n - $model, $sessions sessions: $got, not $code"
		fi
	done
	exit $bad
}
