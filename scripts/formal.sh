#!/bin/sh
# formal.sh - checks the models in doc/formal with Verifpal, and prints TAP.
#
# usage: formal.sh [-i FOLDER] [MODEL...]
#
# $VERIFPAL or verifpal of the PATH is used; -i builds it with cargo into FOLDER
# first (ten minutes).  All models take three minutes.  doc/formal/README.md
# explains the letters and the variants.
set -u
src=$(cd "$(dirname "$0")/.." && pwd) || exit 99
if [ "${1:-}" = -i ] && [ -n "${2:-}" ]; then
	CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
		cargo install verifpal --version 1.6.7 --locked \
		--ignore-rust-version --root "$2" || exit 1
	VERIFPAL=$2/bin/verifpal
	shift 2
fi
: "${VERIFPAL:=verifpal}"
if ! command -v "$VERIFPAL" >/dev/null; then
	echo "1..0 # SKIP no verifpal: set VERIFPAL, or run $0 -i FOLDER (needs cargo)"
	exit 0
fi
rows() {
	# model<TAB>variant<TAB>sessions<TAB>result code
	cat <<-'END'
	handshake	-	1	c0c0c0c0a0a0a0a0
	handshake	-	2	c0c0c0c0a1a1a0a0
	forward	-	2	c1c0c0c0
	ticket	-	1	c0c0c0c0a0a0a0a0
	ticket	-	2	c0c0c0c0a1a0a0a0
	rekey	-	1	c0c0a0a0a0
	rekey	-	2	c0c0a1a0a0
	hybrid	-	1	c1c0c0c0a0a0e0e0
	hybrid	-	2	c1c0c0c0a0a0e0e0
	hybrid	x25519	1	c1c1c0c0a0a0e0e0
	hybrid	x25519	2	c1c1c0c0a0a0e0e0
	hybrid	mlkem	1	c1c0c0c0a0a0e0e0
	hybrid	mlkem	2	c1c0c0c0a0a0e0e0
	hybrid	both	1	c1c1c1c1a0a0e0e0
	hybrid	psk	1	c1c1c1c1a1a1e1e1
	words	-	1	c1c0c0a0a0
	words	-	2	c1c0c0a0a0
	words	unread	1	c1c1c1a1a1
	END
}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
# vary MODEL VARIANT: prints the model with one assumption less.
vary() {
	x='s/PUBKEY(e\([cs]\)/PUBKEY[weak](e\1/'
	m='s/KEM_ENCAP(/KEM_ENCAP[weak](/'
	case $2 in
	x25519) sed "$x" "$1" ;;
	mlkem) sed "$m" "$1" ;;
	both) sed "$x;$m" "$1" ;;
	psk) sed '0,/knows private psk/s//&\n\tleaks psk/' "$1" ;;
	unread) sed '/ASSERT(words/d' "$1" ;;
	*) cat "$1" ;;
	esac
}
wanted=" $* "
rows | while IFS='	' read -r model variant sessions code; do
	case $wanted in
	"  " | *" $model "*) printf '%s\t%s\t%s\t%s\n' "$model" "$variant" "$sessions" "$code" ;;
	esac
done >"$work/rows"
echo "1..$(wc -l <"$work/rows")"
n=0 bad=0
while IFS='	' read -r model variant sessions code; do
	n=$((n + 1))
	name="$model, $sessions sessions"
	vary "$src/doc/formal/$model.vp" "$variant" >"$work/$model.vp"
	if [ "$variant" != - ]; then
		name="$name, $variant"
		# A variant of nothing would prove nothing.
		cmp -s "$src/doc/formal/$model.vp" "$work/$model.vp" &&
			: >"$work/$model.vp"
	fi
	got=$("$VERIFPAL" verify "$work/$model.vp" --quiet --result-code \
		--sessions "$sessions" 2>&1 </dev/null | tail -n 1)
	if [ "$got" = "$code" ]; then
		echo "ok $n - $name: $got"
	else
		bad=1
		echo "not ok $n - $name: $got, not $code"
	fi
done <"$work/rows"
exit $bad
