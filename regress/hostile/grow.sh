#!/bin/sh
# grow.sh - looks in each decoder for work that grows faster than its input, and
# for more than 512 bytes of memory for a byte of it, and prints TAP.
# GROW_SECONDS (0.5) for each, from GROW_SEED (1).
: "${GROW_SECONDS:=0.5}" "${GROW_SEED:=1}"
src=${top_srcdir:-.} bld=${top_builddir:-.}
rows() {
	# program<TAB>corpus<TAB>time of the long form that is fine, in us<TAB>its size
	# Not here: ssp_payload, ssp_lib and ssp_datagram, whose inputs set the clock.
	# format: values that contain each other may expand to the limit of work.
	# conf_option: a value is set as often as the file says, whole each time.
	cat <<-'END'
	regress/hostile/grow_vt	vt_write	2000	131072
	regress/hostile/grow_vt	vt_long	2000	2097152
	regress/hostile/grow_layout	layout_text	2000	4096
	regress/fuzz/fuzz_ask	ask	2000	8192
	regress/fuzz/fuzz_changes	changes	200000	131072
	regress/fuzz/fuzz_conf_option	conf_option	200000	131072
	regress/fuzz/fuzz_conf_parse	conf_parse	20000	131072
	regress/fuzz/fuzz_control	control	2000	131072
	regress/fuzz/fuzz_control_mode	control_mode	20000	131072
	regress/fuzz/fuzz_copy_wire	copy_wire	2000	8192
	regress/fuzz/fuzz_far	far	2000	131072
	regress/fuzz/fuzz_format	format	200000	131072
	regress/fuzz/fuzz_hints	hints	20000	131072
	regress/fuzz/fuzz_history	history	20000	131072
	regress/fuzz/fuzz_input_encode	input_encode	20000	131072
	regress/fuzz/fuzz_json	json	2000	131072
	regress/fuzz/fuzz_key_name	key_name	2000	131072
	regress/fuzz/fuzz_layout_text	layout_text	2000	131072
	regress/fuzz/fuzz_me	me	2000	65536
	regress/fuzz/fuzz_mode	mode	200000	8192
	regress/fuzz/fuzz_pack	pack	2000	131072
	regress/fuzz/fuzz_palette	palette	2000	8192
	regress/fuzz/fuzz_pick	pick	2000	8192
	regress/fuzz/fuzz_predict	predict	100000	131072
	regress/fuzz/fuzz_ssp_fragment	ssp_fragment	2000	131072
	regress/fuzz/fuzz_ssp_handshake	ssp_handshake	2000	131072
	regress/fuzz/fuzz_ssp_instruction	ssp_instruction	2000	131072
	regress/fuzz/fuzz_ssp_kem	ssp_kem	20000	131072
	regress/fuzz/fuzz_cp	cp	2000	8192
	regress/fuzz/fuzz_desk	desk	2000	65536
	regress/fuzz/fuzz_ssp_purpose	ssp_purpose	2000	8192
	regress/fuzz/fuzz_ssp_stream_link	ssp_stream_link	2000	131072
	regress/fuzz/fuzz_ssp_ticket	ssp_ticket	2000	131072
	regress/fuzz/fuzz_ssp_zip	ssp_zip	2000	131072
	regress/fuzz/fuzz_style	style	2000	131072
	regress/fuzz/fuzz_sync_frame	sync_frame	20000	131072
	regress/fuzz/fuzz_sync_input	sync_input	20000	131072
	regress/fuzz/fuzz_sync_switch	sync_switch	2000	131072
	regress/fuzz/fuzz_sync_tail	sync_tail	20000	131072
	regress/fuzz/fuzz_sync_view	sync_view	20000	131072
	regress/fuzz/fuzz_sync_window	sync_window	100000	131072
	regress/fuzz/fuzz_target	target	2000	131072
	regress/fuzz/fuzz_term_in	term_in	2000	131072
	regress/fuzz/fuzz_utf8	utf8	20000	131072
	regress/fuzz/fuzz_words	words	20000	131072
	END
}
# ASan's allocator costs more for larger blocks.
if grep -q 'fsanitize=address' "$bld/Makefile" 2>/dev/null; then
	echo "1..0 # SKIP times under ASan are not those of the program"
	exit 0
fi
echo "1..$(($(rows | wc -l) + 3))"

# The search finds what is quadratic, and not what is dear from some byte on.
self=$(mktemp -d "${TMPDIR:-/tmp}/rmux-grow.XXXXXX") || exit 1
trap 'rm -rf "$self"' EXIT
trap 'exit 1' HUP INT TERM
# grows BYTE: whether it finds something in inputs of BYTE.
grows() {
	printf '%s' "$1" >"$self/one"
	! "$bld/regress/hostile/grow_self" -grow=0.2 -floor=300 -size=8192 \
		-seed="$GROW_SEED" "$self/one" >"$self/out"
}
if grows q; then
	echo "ok 1 - quadratic work is found"
else
	echo "not ok 1 - quadratic work is found"
	cat "$self/out"
fi
if ! grows d && grep -q '^# [1-9][0-9]* inputs grown' "$self/out"; then
	echo "ok 2 - work that is dear from some byte on is none"
else
	echo "not ok 2 - work that is dear from some byte on is none"
	cat "$self/out"
fi
if grows m && grep -q '^# more than 512$' "$self/out"; then
	echo "ok 3 - much memory is found"
else
	echo "not ok 3 - much memory is found"
	cat "$self/out"
fi
n=3
rows | while IFS='	' read -r program corpus floor size; do
	n=$((n + 1))
	if out=$("$bld/$program" -grow="$GROW_SECONDS" -floor="$floor" \
		-size="$size" -seed="$GROW_SEED" "$src/regress/fuzz/corpus/$corpus" 2>&1); then
		echo "ok $n - $corpus: $(echo "$out" | sed -n 's/^# //p' | head -n 1)"
	else
		echo "not ok $n - $corpus"
		printf "%s\n" "$out"
	fi
done
