#!/bin/sh
# Every mode and overlay times every event that can pull its subject away
# (modes_bad.py): some random rounds, or all with MODES_BAD_ROUNDS=0. Regular
# expressions that explode, menus and popups without room.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
have python3 || skip_all "no python3"
[ -w /dev/ptmx ] || skip_all "no pseudo terminals"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

matrix() {
	python3 "$e2e_src/regress/e2e/modes_bad.py" "$e2e_rmux" "$e2e_dir/h" \
		"${MODES_BAD_ROUNDS:-25}"
}
check "modes and overlays whose subject goes" matrix
[ -z "${MODES_BAD_ROUNDS:-}" ] || sed 's/^/# /' "$e2e_dir/check.out"

attach() {
	m set-option -g status-right '' \; set-option -g status-left '[#S] ' \
		\; set-option -sg escape-time 20 \; rename-window -t s name
	attach_in "${1:-60}" "${2:-20}" "$(attach_command) -t s"
}

# quick COMMAND...: it and the next command take few seconds together.
quick() {
	e2e_begun=$(date +%s)
	m "$@" >"$e2e_dir/quick.out" 2>&1
	e2e_code=$?
	m display-message -p alive
	[ $(($(date +%s) - e2e_begun)) -le "${MODES_BAD_PATIENCE:-4}" ] ||
		echo "slow: $*"
	[ $e2e_code = 0 ] || cat "$e2e_dir/quick.out"
}

# Patterns that take exponential time or memory in some matchers.
explode='(a*)*(a|aa)*(a+)+\1b (((a{1,250}){1,250}){1,250}){1,250}
(x+x+)+y ((((((((((a*)*)*)*)*)*)*)*)*)*)*c a{1,99999} ( [ \'

searches() {
	attach
	m respawn-pane -k -t s: 'i=0; while [ $i -lt 40 ]; do
		printf "%0200d\n" 0 | tr 0 a; i=$((i + 1)); done; exec cat'
	expect_pane s aaaa
	m copy-mode -t s:
	for e in $explode; do
		quick send-keys -t s: -X search-backward "$e"
		quick send-keys -t s: -X search-forward "$e"
		quick send-keys -t s: -X search-backward-incremental -- "=$e"
	done >"$e2e_dir/said"
	# The C library has its own words for what is wrong.
	sed 's/: .*//' "$e2e_dir/said" | sort -u
	outer_keys q
	wait_for '[ "$(m display-message -p -t s: "#{pane_in_mode}")" = 0 ]' ||
		echo "copy mode stays"
	detach
}

filters() {
	attach
	m rename-window -t s: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
	for e in $explode; do
		quick display-message -p -t s: "#{m/r:$e,#{window_name}}"
		quick display-message -p -t s: "#{s/$e/x/:window_name}"
		quick display-message -p -t s: "#{C/r:$e}"
		quick find-window -r -t s: "$e"
		m send-keys -t s: q
		quick choose-tree -t s: -f "#{m/r:$e,#{window_name}}"
		m send-keys -t s: q
		quick list-windows -f "#{m/r:$e,#{window_name}}"
		quick search-panes -t s: "$e"
		m send-keys -t s: q
	done >"$e2e_dir/said"
	sort -u "$e2e_dir/said"
	outer_keys Escape q
	detach
}

# A menu of more rows than the screen has, at each size; it can be left, and
# its last row can be chosen.
menus() {
	attach 40 12
	rows=$(seq 300 | sed 's/.*/row& "" "set -g @row &"/' |
		tr '\n' ' ')
	for size in '40 12' '10 4' '3 3' '1 1' '200 60'; do
		outer resize-window -x "${size% *}" -y "${size#* }"
		wait_for "[ '$size' = \"\$(m list-clients -F \
			'#{client_width} #{client_height}')\" ]" || echo "no $size"
		eval "m display-menu -c '$client' -T title $rows"
		wait_for "outer_screen | grep -q ." 1
		outer_keys End Enter
		outer_keys q Escape
		m display-message -p alive
	done
	m show-options -gv @row
	detach
}

popups() {
	attach 1 1
	for size in '1 1' '2 2' '3 3' '10 3'; do
		outer resize-window -x "${size% *}" -y "${size#* }"
		wait_for "[ '$size' = \"\$(m list-clients -F \
			'#{client_width} #{client_height}')\" ]" || echo "no $size"
		timeout 10 "$e2e_rmux" -L e2e display-popup -c "$client" -E true
		timeout 10 "$e2e_rmux" -L e2e display-popup -c "$client" -B -E \
			-w 100% -h 100% 'exit 3'
		timeout 10 "$e2e_rmux" -L e2e display-popup -c "$client" -E \
			/nonexistent/program
		m display-message -p "alive $size"
	done 2>&1
	detach
}

rmux_only "searches for patterns that explode" searches "alive
back-references are not supported
bad regular expression
the expression repeats over 256 times"
rmux_only "filters with patterns that explode" filters "alive"
rmux_only "menus larger than the screen" menus "alive
alive
no room for a menu: the terminal has 3x3 cells, a menu needs 5x3
alive
no room for a menu: the terminal has 1x1 cells, a menu needs 5x3
alive
alive
300"
rmux_only "popups without room" popups "alive 1 1
alive 2 2
alive 3 3
alive 10 3"
done_testing
