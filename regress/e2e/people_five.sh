#!/bin/sh
# Five people in one session: joining, leaving, own panes, following, sizes.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"

begin() {
	start 80 24 sh && m set-option -g status-left '[#S] ' &&
		m set-option -g status-right '' &&
		m set-option -g join-messages on &&
		m set-option -g display-time 60000 &&
		m set-option -g repeat-time 0 &&
		person one 80 24 "$(attached -t s)" && sees one '^\[s\]'
}

# --- two ------------------------------------------------------------------------

second() {
	person two 100 30 "$(attached -t s -f ignore-size)" &&
		sees two '^\[s\]' && sees one 'joined' && keys one Enter
}

roles_between() {
	two=$(m list-clients -F '#{client_name} #{client_width}' | sed -n 's/ 100$//p')
	one=$(m list-clients -F '#{client_name} #{client_width}' | sed -n 's/ 80$//p')
	m set-role -t "$two" view &&
		[ "$(clients '#{client_width}=#{client_role}' | tr ' ' '\n' | sort | tr '\n' ' ')" \
			= " 100=view 80=admin " ] || clients '#{client_width}=#{client_role}'
	keys two 'echo wrong' Enter C-b : && sees two 'read-only' &&
		! screen_of one | grep -q wrong
	# Do not end the message by a key: the key may arrive after the new role.
	wait_for '! screen_of two | grep -q read-only'
	m set-role -t "$two" admin && keys two 'echo right $((1+1))' Enter &&
		sees one 'right 2'
}

sees_all() {
	keys one C-b '"' && wait_for '[ "$(m list-panes | wc -l)" = 2 ]' &&
		keys one 'echo lower $((2+2))' Enter && sees two 'lower 4'
}
check "a session" begin
check "a second person, told to the first" second
check "a role is given, taken back and given again" roles_between
check "both see a split" sees_all

# --- an active pane, and a zoom, of one's own -----------------------------------------

pane_has() {
	wait_for "m capture-pane -p -t 's:0.$1' | grep -q -- '$2'" ||
		{ m capture-pane -p -t "s:0.$1"; return 1; }
}

own_panes() {
	m set-option -g own-panes on
	keys two C-b Up && keys two 'echo by-two $((3*3))' Enter &&
		keys one 'echo by-one $((4*4))' Enter &&
		pane_has 0 'by-two 9' && pane_has 1 'by-one 16' &&
		! m capture-pane -p -t s:0.1 | grep -q 'by-two' &&
		[ "$(m list-clients -F '#{pane_index}' | sort -u | tr -d '\n')" = 01 ]
}

own_zoom() {
	keys two C-b z && wait_for '! screen_of two | grep -q "by-one 16"' &&
		sees two 'by-two 9' && sees one 'by-one 16' &&
		sees one 'by-two 9' &&
		[ "$(m display-message -p -t s '#{window_zoomed_flag}')" = 0 ] &&
		keys two C-b z && sees two 'by-one 16'
}

last_one() {
	keys two C-b '\;' && keys two 'echo again-two $((5*5))' Enter &&
		pane_has 1 'again-two 25' && keys two C-b '\;'
}
check "each types into a pane of its own" own_panes
check "one zooms, the other sees all" own_zoom
check "back to its last pane" last_one

cursors() {
	m set-option -g other-cursors on
	keys two x
	wait_for 'outer capture-pane -p -e -t "=one:" | grep -q "48;5;\(33\|208\|133\|71\|167\|37\|178\|98\)m"'
	cursors_result=$?
	pane_has 0 '^[$] x$'
	keys two BSpace
	wait_for '! m capture-pane -p -t s:0.0 | grep -q "^[$] x\$"'
	m set-option -g other-cursors off
	return $cursors_result
}
check "the other's cursor is marked" cursors

# --- following ---------------------------------------------------------------------------

follows() {
	m new-session -d -s elsewhere 'echo another place; cat' &&
		m follow-client -c "$two" -t "$one" &&
		m switch-client -c "$one" -t elsewhere &&
		sees one 'another place' && sees two 'another place' &&
		m switch-client -c "$one" -t s && sees two 'by-one 16'
}

follows_pane() {
	keys one C-b Up
	wait_for '[ "$(m display-message -c "$two" -p "#{pane_index}")" = 0 ]'
	keys two 'echo with-one $((6*6))' Enter &&
		pane_has 0 'with-one 36'
}

unfollows() {
	m follow-client -u -c "$two" && m switch-client -c "$one" -t elsewhere &&
		sees one 'another place' && sees two 'by-one 16' &&
		m switch-client -c "$one" -t s && sees one 'by-one 16' &&
		! m follow-client -c "$two" -t "$two"
}
check "one follows the other from session to session" follows
check "and into its pane" follows_pane
check "until it does not" unfollows

# --- three more -----------------------------------------------------------------------------

five() {
	ticket --view && person three 50 10 "$(join Three)" &&
		sees three '\[s\]' && sees one 'Three joined to view' &&
		ticket --type && person four 132 43 "$(join Four)" &&
		sees four '\[s\]' && sees one 'Four joined to type' &&
		person five 90 20 "$(attached -r -t s)" && sees five '\[s\]' &&
		wait_for '[ "$(m list-clients | wc -l)" = 5 ]'
}

sizes() {
	[ "$(m display-message -p -t s '#{window_width}x#{window_height}')" = 80x23 ] &&
		sees four 'by-one 16' &&
		outer resize-window -t =three: -x 40 -y 8 &&
		wait_for 'm list-clients -F "#{client_width}" | grep -q "^40$"' &&
		[ "$(m display-message -p -t s '#{window_width}x#{window_height}')" = 80x23 ]
}

# The small client pans: its part of the window follows the cursor of its pane.
pans() {
	m select-pane -t s:0.1
	keys one C-b Down && keys one 'echo down there' Enter
	sees three 'down there'
}

guest_follows() {
	m follow-client -c Three -t "$one" &&
		m switch-client -c "$one" -t elsewhere && sees one 'another place' &&
		! screen_of three | grep -q 'another place' &&
		m switch-client -c "$one" -t s && sees one 'by-one 16'
}

all_type() {
	keys four 'echo from-four $((8*8))' Enter
	for name in one two four five; do
		sees $name 'from-four 64' || return 1
	done
}

leave() {
	keys four C-b d && sees one 'Four left' &&
		m detach-client -t Three && sees three 'detached' &&
		sees one 'Three left' && keys five C-b d && sees five 'detached' &&
		wait_for '[ "$(m list-clients | wc -l)" = 2 ]'
}
check "three more: two guests, one who only looks" five
check "nobody makes the window smaller" sizes
check "a small screen pans over a larger window" pans
check "a guest follows within its session only" guest_follows
check "what one types, all see" all_type
check "they leave, which is told" leave
done_testing
