#!/bin/sh
# Notifications of programs: who gets them, in which form; the list; limits;
# OSC 99; a guest gets none.  Each client has a terminal of outer.py.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"

# terminal NAME PROFILE COMMAND...: a terminal in which COMMAND runs.
terminal() {
	term=$e2e_dir/$1 term_profile=$2
	shift 2
	rm -rf "$term" && mkdir "$term"
	python3 "$e2e_src/regress/terminal/outer.py" -p "$term_profile" -s 60x12 \
		"$term" "$@" &
	e2e_pids="$e2e_pids $!"
}

# client NAME PROFILE SESSION: waits until it is attached and known.
client() {
	terminal "$1" "$2" "$e2e_rmux" -L e2e -f /dev/null attach -t "$3"
	shows "$1" "^\[$3\]"
}

shows() {
	wait_for "grep -q -- '$2' '$e2e_dir/$1/screen' 2>/dev/null" || {
		echo "$1 does not show: $2"
		cat "$e2e_dir/$1/screen"
		return 1
	}
}

# gets NAME PATTERN: its terminal has got that OSC string.
gets() {
	wait_for "grep -q -- '^osc $2' '$e2e_dir/$1/state'" || {
		echo "$1 has not got: $2"
		cat "$e2e_dir/$1/state"
		return 1
	}
}

got_nothing() {
	! grep -E '^osc (9|99|777);' "$e2e_dir/$1/state"
}

b64() { printf '%s' "$1" | base64 -w 0; }

# tells WINDOW BYTES: a program there writes BYTES and shows what it is sent.
tells() {
	m respawn-pane -k -t "x:$1" "stty raw -echo; printf '$2'; exec cat -v"
}

window() {
	m new-window -d -t "x:" -n "$1" cat
}

# count FORMAT VALUE [TARGET]
count() {
	wait_for "[ \"\$(m display-message -p -t '${3:-x:}' '#{$1}')\" = '$2' ]" || {
		echo "$1 is not $2: $(m display-message -p -t "${3:-x:}" "#{$1}")"
		return 1
	}
}

# known TYPE FEATURE: a client's terminal has said what it is and can.
known() {
	wait_for "m list-clients -F '#{client_termtype} ,#{client_termfeatures},' |
		grep -qi '^$1.*,$2,'"
}

begin() {
	M=rmux
	m new-session -d -s x -n main -x 60 -y 11 cat &&
		e2e_pid=$(m display-message -p '#{pid}') &&
		e2e_pids="$e2e_pids $e2e_pid" &&
		m new-session -d -s y -n other cat && window job && window two &&
		client kitty kitty x && client foot ghostty y && client iterm iterm2 x &&
		client old xterm y && known kitty notify-kitty && known ghostty notify-title &&
		known iterm notify && known xterm extkeys
}
check "four terminals" begin

# A program in a hidden window: each terminal gets it in its form, once.
forms() {
	tells job '\033]777;notify;Done;all;tests\007' &&
		gets kitty "99;i=rmux-[0-9a-f]*-1:d=0:e=1:p=title:u=1:a=report,focus;$(b64 'job: Done')" &&
		gets kitty "99;i=rmux-[0-9a-f]*-1:e=1:p=body;$(b64 'all;tests')" &&
		gets foot '777;notify;job: Done;all,tests$' &&
		gets iterm '9;job: Done: all;tests$' &&
		shows old 'job: Done: all;tests' &&
		[ "$(grep -c '^osc 777;' "$e2e_dir/foot/state")" = 1 ]
}
check "a hidden window's notification, in each form" forms

marks() {
	count notifications 1 && count window_notifications 1 x:job &&
		count window_notifications 0 x:main && count session_notifications 1 &&
		count session_notifications 0 y: &&
		count pane_notification 'Done: all;tests' x:job &&
		shows kitty ' 1 new ' && m show-notifications >list &&
		grep -qx '[0-9: ]*: + x:1\.0 job: Done: all;tests' list
}
check "is counted, marked and listed" marks

looks() {
	m select-window -t x:job && count notifications 0 &&
		wait_for '! grep -q " 1 new " "$e2e_dir/kitty/screen"' &&
		m show-notifications | grep -q ':   x:1.0 job' &&
		m select-window -t x:main
}
check "is seen with its window" looks

# OSC 9 has no title: the window's name is the title.
simple() {
	tells two '\033]9;ready\007' && gets foot '777;notify;two;ready$' &&
		gets iterm '9;two: ready$' && gets kitty "99;.*$(b64 two)" &&
		[ "$(m show-notifications -F '#{notification_kind} #{notification_title}|#{notification_body} #{window_name} #{notification_seen}' | head -1)" = 'osc9 |ready two 0' ]
}
check "OSC 9" simple

jumps() {
	type kitty '\x02u' && count window_name two && count notifications 0 &&
		m show-notifications -j 2>err
	grep -q 'no new notifications' err && m select-window -t x:main &&
		m select-window -t x:main
}
type() { printf 'type %s\n' "$2" >"$e2e_dir/$1/in"; }
check "a key goes to the one that spoke" jumps

# From another session, to a pane that is not the active one.
jumps_far() {
	m split-window -d -t x:two 'stty raw -echo; printf "\033]9;here\007"; exec cat' &&
		count notifications 1 && m show-notifications -j -t "$(m list-clients -F '#{client_name} #{client_session}' | sed -n 's/ y$//p' | head -1)" &&
		count notifications 0 &&
		wait_for '[ "$(m list-clients -F "#{session_name}:#{window_name}.#{pane_index}" | grep -c "^x:two.1$")" -ge 1 ]' &&
		m kill-pane -t x:two.1
	m list-clients -F '#{client_name} #{client_termtype}' | while read -r name kind; do
		case $kind in
		ghostty* | XTerm*) m switch-client -c "$name" -t y: ;;
		esac
	done
	m select-window -t x:main
	wait_for '[ "$(m list-clients -t y -F x | grep -c x)" = 2 ]'
}
check "and finds it in another session" jumps_far

# --- the option ---------------------------------------------------------------------

option() {
	m set-option -w -t x:two notify current
	tells two '\033]9;for nobody\007' && count notifications 1 &&
		m select-window -t x:two && count notifications 0 &&
		tells two '\033]9;for x\007' && gets iterm '9;two: for x$' &&
		m set-option -w -t x:two notify none &&
		tells two '\033]9;not at all\007\033]2;said\007' &&
		count pane_title said x:two && m select-window -t x:main &&
		! grep -E 'for nobody|not at all' "$e2e_dir"/*/state &&
		! m show-notifications | grep 'not at all' &&
		! grep 'for x' "$e2e_dir/foot/state" &&
		m set-option -wu -t x:two notify
}
check "notify current, none" option

# --- OSC 99 --------------------------------------------------------------------------

says() {
	wait_for "m capture-pane -p -J -t 'x:$1' | grep -qF -- '$2'" || {
		echo "$1 is not told: $2"
		m capture-pane -p -t "x:$1"
		return 1
	}
}

queries() {
	tells job '\033]99;i=q:p=?;\033\\' &&
		says job '^[]99;i=q:p=?;a=focus,report:c=1:o=always,unfocused,invisible:p=title,body,?,close,alive,buttons:u=0,1,2^[\'
}
check "a program asks what there is" queries

# The newest id that the kitty terminal has got.
last_id() { sed -n 's/^osc 99;i=\(rmux-[^:]*\):.*/\1/p' "$e2e_dir/kitty/state" | tail -1; }

activated() {
	tells job '\033]99;i=a1:d=0:a=report:c=1:u=2;Build\033\\\033]99;i=a1:p=body;failed\033\\' &&
		gets kitty "99;i=rmux-[^:]*:d=0:e=1:p=title:u=2:a=report,focus:c=1;$(b64 'job: Build')" &&
		count notifications 1 && type kitty "\\e]99;i=$(last_id);\\e\\\\" &&
		says job '^[]99;i=a1;^[\' && count window_name job &&
		count notifications 0 && m select-window -t x:main
}
check "the terminal activates it: the client goes there, the program is told" activated

closed_outside() {
	type kitty "\\e]99;i=$(last_id):p=close;\\e\\\\" &&
		says job '^[]99;i=a1:p=close;^[\' &&
		[ "$(m capture-pane -p -J -t x:job | grep -oF 'p=close' | wc -l)" = 1 ]
}
check "the terminal closes it" closed_outside

closes() {
	tells job '\033]99;i=b1:c=1;one\033\\\033]99;i=b2;two\033\\\033]99;i=p:p=alive;\033\\' &&
		says job '^[]99;i=p:p=alive;b1,b2^[\' && count notifications 2 &&
		m send-keys -t x:job x &&
		id=$(last_id) && m respawn-pane -k -t x:job \
		"stty raw -echo; printf '\033]99;i=b1:p=close;\033\\\\\033]99;i=p:p=alive;\033\\\\'; exec cat -v" &&
		says job '^[]99;i=b1:p=close;^[\^[]99;i=p:p=alive;b2^[\' &&
		gets kitty "99;i=${id%-*}-$((${id##*-} - 1)):p=close;" &&
		count notifications 1
}
check "the program closes it" closes

# Updates keep one entry; buttons go to kitty, whose number comes back.
updates() {
	window up && m show-notifications -c &&
		tells up '\033]99;i=u:d=0:a=report;0%%\033\\\033]99;i=u:p=buttons;Yes\033\\' &&
		gets kitty "99;i=rmux-[^:]*:d=0:e=1:p=buttons;$(b64 Yes)" && id=$(last_id) &&
		tells up '\033]99;i=u:a=report;99%%\033\\' &&
		gets kitty "99;i=$id:d=0:.*;$(b64 up)" && count notifications 1 &&
		count pane_notification '99%' x:up &&
		type kitty "\\e]99;i=$id;1\\e\\\\" && says up '^[]99;i=u;1^[\' &&
		count window_name main && count notifications 0
}
check "updates and buttons" updates

occasions() {
	window occ && m select-window -t x:occ && type kitty '\e[I' &&
		tells occ '\033]99;o=invisible;no1\033\\\033]99;o=unfocused;no2\033\\\033]99;o=always;yes1\033\\' &&
		gets kitty "99;.*p=body;$(b64 yes1)" && m select-window -t x:main &&
		tells occ '\033]99;o=invisible;yes2\033\\' &&
		gets kitty "99;.*p=body;$(b64 yes2)" &&
		! grep -e "$(b64 no1)" -e "$(b64 no2)" "$e2e_dir/kitty/state"
}
check "o=unfocused, o=invisible" occasions

# --- limits ---------------------------------------------------------------------------

floods() {
	m show-notifications -c && before=$(grep -c '^osc 777' "$e2e_dir/foot/state")
	window flood
	m respawn-pane -k -t x:flood 'i=0; while [ $i -lt 200 ]; do printf "\033]9;flood $i\007"; i=$((i+1)); done; printf "\033]2;end\007"; exec cat' &&
		count pane_title end x:flood
	now=$(m display-message -p -t x:flood '#{pane_notifications} #{pane_notifications_dropped} #{notifications_dropped}')
	# shellcheck disable=SC2086 # three numbers
	set -- $now
	sum=$(($1 + $2)) want=$((before + $1))
	[ "$1" -ge 1 ] && [ "$1" -le 20 ] && [ "$sum" = 200 ] && [ "$2" = "$3" ] &&
		m show-notifications | grep -qx "too many at once: $3 dropped (%[0-9]* $2)" &&
		wait_for '[ "$(grep -c "^osc 777" "$e2e_dir/foot/state")" = "$want" ]' &&
		m show-notifications -c && count notifications_dropped 0 && count notifications 0
}
check "floods are limited and counted" floods

hostile() {
	window evil && tells evil '\033]99;i=x;a\233b\033]777;notify;\033]9;t\001x\377\007\033]99;\030\033]9;cut' &&
		count pane_notification tx x:evil && m show-notifications -c
}
check "hostile bytes" hostile

# The list holds 200: an entry that falls off it is closed, its program is told.  The
# bells of a hidden session's windows have no limit of rate.
falls() {
	m show-notifications -c && tells job '\033]99;i=f:c=1;first\033\\' &&
		gets kitty "99;i=rmux-.*:p=body;$(b64 first)" && id=$(last_id) &&
		m new-session -d -s z -x 60 -y 11 cat || return 1
	i=0
	while [ $((i += 1)) -le 200 ]; do
		printf '%s\n' "new-window -d -t z: 'printf \"\\007\"; exec cat'"
	done >bells
	sed 1d bells >most && m source-file most && lists 200 &&
		! grep -q "$id:p=close" "$e2e_dir/kitty/state" &&
		sed 1q bells >one && m source-file one && lists 200 &&
		gets kitty "99;i=$id:p=close;" && says job '^[]99;i=f:p=close;^[\' &&
		m kill-session -t z && m show-notifications -c
}
lists() {
	wait_for "[ \"\$(m show-notifications -F x | wc -l)\" = $1 ]" 30
}
check "the oldest of 200 makes room, and is closed" falls

# --- bell, progress, clipboard ----------------------------------------------------------

bells() {
	tells job '\007' && count pane_notification bell x:job &&
		m show-notifications | grep -q '+ x:1.0 job: bell$' &&
		count notifications 0 && tells job '\007\007' &&
		wait_for '[ "$(m show-notifications | wc -l)" = 1 ]' &&
		m show-notifications -c
}
check "a hidden window's bells are one entry" bells

progress() {
	m set-option -s terminal-features '*:progressbar' &&
		tells main '\033]9;4;1;30\007' && gets kitty '9;4;1;30$' &&
		tells two '\033]9;4;2;50\007\033]2;two set\007' && count pane_title 'two set' x:two &&
		! grep '^osc 9;4;2;50' "$e2e_dir/kitty/state" &&
		m select-window -t x:two && gets kitty '9;4;2;50$' &&
		m select-window -t x:job && gets kitty '9;4;0;0$' &&
		m select-window -t x:main && tells main '\033]9;4;0\007'
}
check "the terminal shows the current pane's progress" progress

# Its name, which tells that it has a bar, arrives after the progress.
later() {
	m set-option -s terminal-features '' && tells main '\033]9;4;1;35\007' &&
		count pane_pb_progress 35 x:main && client later kitty x &&
		gets later '9;4;1;35$' && tells main '\033]9;4;0\007' &&
		gets later '9;4;0;0$' && kill $! &&
		wait_for "[ \"\$(m list-clients -F x | wc -l)\" = $1 ]"
}
check "a terminal that is attached later shows it" later "$(m list-clients -F x | wc -l)"

clipboard() {
	m set-option -s set-clipboard on && tells job '\033]52;c;aGlkZGVu\007' &&
		gets kitty '52;c;aGlkZGVu$' && [ "$(m show-buffer)" = hidden ] &&
		! grep '^osc 52' "$e2e_dir/foot/state" &&
		m set-option -w -t x:job notify current &&
		tells job '\033]52;c;bm90\007' &&
		wait_for '[ "$(m show-buffer)" = not ]' &&
		! grep '^osc 52;c;bm90' "$e2e_dir/kitty/state" &&
		m set-option -wu -t x:job notify
}
check "a hidden window's clipboard" clipboard

# A pane of its own has not used up its notifications.
hooks() {
	window hook && m set-hook -gw pane-notification 'set-option -gF @said "#{hook_pane} #{notification_kind} #{notification_title}|#{notification_body} #{notification_urgency}"' &&
		tells hook '\033]99;i=h:d=0:u=0;T\033\\\033]99;i=h:p=body;B\033\\' &&
		wait_for '[ "$(m show-options -gv @said)" = "$(m display-message -p -t x:hook "#{pane_id}") osc99 T|B low" ]' &&
		m set-hook -guw pane-notification && m kill-window -t x:hook
}
check "the hook pane-notification" hooks

# --- guests ------------------------------------------------------------------------------

guest() {
	ticket --$1 --for 10m -t x &&
		terminal "$1" kitty env RMUX= RMUX_TMPDIR=/nonexistent "$e2e_rmux" join \
			--name "$1" "$ticket" && shows "$1" '\[x\]'
}

guests() {
	m show-notifications -c && guest view && guest type &&
		m set-option -g status-right 'n#{notifications} #{pane_notification}' &&
		tells job '\033]9;secret\007\033]52;c;Z3Vlc3Q=\007' &&
		gets iterm '9;job: secret$' && shows kitty 'n1' &&
		for g in view type; do
			type $g "\\e]99;i=$(last_id);\\e\\\\"
			shows $g '\[x\].* n0' && got_nothing $g &&
				! grep -e secret -e '^osc 52' "$e2e_dir/$g/state" \
					"$e2e_dir/$g/screen" || return 1
		done
	[ "$(m display-message -p -t x: '#{window_name}')" = main ]
}
check "guests get none, and activate none" guests

# --- other machines ----------------------------------------------------------------------

# A client that comes back from a silence gets nothing old, but sees the mark.
away() {
	far_start cat && far new-window -d -n job cat || return 1
	terminal afar kitty env RMUX= "$e2e_rmux" attach --ssh="$e2e_dir/ssh" \
		--server="$e2e_rmux" 127.0.0.1
	far_terminal=$!
	shows afar '^\[far\]' &&
		wait_for 'far list-clients -F "#{client_termfeatures}" | grep -q notify-kitty' &&
		far respawn-pane -k -t far:job 'printf "\033]9;new\007"; exec cat' &&
		gets afar "99;.*p=body;$(b64 new)" || return 1
	far_client=$(ps -o pid= --ppid "$far_terminal" | head -1)
	kill -STOP $far_client
	wait_for '[ "$(far list-clients -F "#{client_silence}")" -gt 15000 ]' 25 &&
		far respawn-pane -k -t far:job 'printf "\033]9;old\007"; exec cat' &&
		wait_for '[ "$(far display-message -p -t far:job "#{pane_notification}")" = old ]'
	kill -CONT $far_client
	shows afar ' 2 new ' &&
		! grep "$(b64 old)" "$e2e_dir/afar/state" && far kill-server
}
. "$e2e_src/regress/e2e/remote_lib.sh"
check "a client that was away gets nothing old" away

done_testing
