# keys_lib.sh - what the benchmarks of keys over a bad link share: sourced with
# $top_srcdir set; a relay is to have $link.  tmux_ref: the tmux to compare with.
# shellcheck shell=sh disable=SC2034,SC2154 # the scripts use and set these
. "$top_srcdir/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
tmux_ref=${TMUX_REF:-tmux}
link=delay=250,loss=0.1
command -v mosh-server >/dev/null || skip_all "no mosh"

ms() {
	echo $(($(date +%s%N) / 1000000))
}

# shown PATTERN: waits for it without a pause, 30 s from t0 at most.
shown() {
	until outer_screen | grep -q "$1"; do
		[ $(($(ms) - t0)) -lt 30000 ] || return 1
	done
}

# took NAME: adds the times to the table.
took() {
	sort -n "$e2e_dir/times" | awk -v name="$1" '
		{ t[NR] = $1; if ($1 <= 50) fast++; if ($1 <= 100) near++ }
		END { printf "# %s: %d keys, median %d ms, worst %d ms, within 50 ms: %.2f, within 100 ms: %.2f\n",
			name, NR, t[int((NR + 1) / 2)], t[NR], fast / NR, near / NR }' \
		>>"$e2e_dir/table"
}
