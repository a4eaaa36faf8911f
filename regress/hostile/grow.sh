#!/bin/sh
# grow.sh - looks in each decoder for work that grows faster than its input, and
# prints TAP.  GROW_SECONDS (1) for each, from GROW_SEED (1).
: "${GROW_SECONDS:=1}" "${GROW_SEED:=1}"
src=${top_srcdir:-.} bld=${top_builddir:-.}
rows() {
	# program<TAB>corpus<TAB>time of the long form that is fine, in us<TAB>its size
	# Not here: ssp_payload and ssp_datagram, whose inputs set the clock.
	# format: values that contain each other may expand to the limit of work.
	# conf_option: a value is set as often as the file says, whole each time.
	cat <<-'END'
	regress/hostile/grow_vt	vt_write	2000	131072
	regress/hostile/grow_vt	vt_long	2000	2097152
	regress/fuzz/fuzz_conf_option	conf_option	200000	131072
	regress/fuzz/fuzz_conf_parse	conf_parse	20000	131072
	regress/fuzz/fuzz_control	control	2000	131072
	regress/fuzz/fuzz_format	format	200000	131072
	regress/fuzz/fuzz_hints	hints	20000	131072
	regress/fuzz/fuzz_input_encode	input_encode	20000	131072
	regress/fuzz/fuzz_layout_text	layout_text	2000	131072
	regress/fuzz/fuzz_pack	pack	2000	131072
	regress/fuzz/fuzz_predict	predict	100000	131072
	regress/fuzz/fuzz_ssp_fragment	ssp_fragment	2000	131072
	regress/fuzz/fuzz_ssp_handshake	ssp_handshake	2000	131072
	regress/fuzz/fuzz_ssp_instruction	ssp_instruction	2000	131072
	regress/fuzz/fuzz_ssp_stream_link	ssp_stream_link	2000	131072
	regress/fuzz/fuzz_ssp_zip	ssp_zip	2000	131072
	regress/fuzz/fuzz_style	style	2000	131072
	regress/fuzz/fuzz_sync_frame	sync_frame	20000	131072
	regress/fuzz/fuzz_sync_input	sync_input	20000	131072
	regress/fuzz/fuzz_sync_switch	sync_switch	2000	131072
	regress/fuzz/fuzz_sync_tail	sync_tail	20000	131072
	regress/fuzz/fuzz_sync_view	sync_view	20000	131072
	regress/fuzz/fuzz_sync_window	sync_window	100000	131072
	regress/fuzz/fuzz_term_in	term_in	2000	131072
	END
}
# ASan's allocator costs more for larger blocks.
if grep -q 'fsanitize=address' "$bld/Makefile" 2>/dev/null; then
	echo "1..0 # SKIP times under ASan are not those of the program"
	exit 0
fi
echo "1..$(rows | wc -l)"
n=0
rows | while IFS='	' read -r program corpus floor size; do
	n=$((n + 1))
	if out=$("$bld/$program" -grow="$GROW_SECONDS" -floor="$floor" \
		-size="$size" -seed="$GROW_SEED" "$src/regress/fuzz/corpus/$corpus" 2>&1); then
		echo "ok $n - $corpus: $(echo "$out" | sed -n 's/^# //p' | head -n 1)"
	else
		echo "not ok $n - $corpus"
		echo "$out"
	fi
done
