#!/bin/sh
# Options about timers and attaching: alerts, sizes, times, the environment of a
# client, the second and third status line.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux 3.3 as outer terminal"

# attach [VARIABLES for the client]
attach() {
	m set-option -g status-right ''
	m set-option -sg escape-time 0
	attach_in 60 12 "export ${*:-A=b}; $(attach_command) -t s"
	expect_screen '\[s\]'
}

shows() {
	wait_for "m show-options -gqv $1 | grep -q '$2'" || echo "no $2 in $1"
	m set-option -gu "$1"
}

aliases() {
	m set-option -s command-alias[100] 'salute=display-message -p hello'
	run salute
	run salute -F there
	m set-option -s command-alias[101] 'two=set-buffer -b a;set-buffer -b b'
	run two text
	m set-option -su command-alias
	run salute
}
compare "command-alias" aliases

# Both clients show window 0, only the larger one shows window 1.
sizes() {
	m set-option -g window-size smallest
	m set-option -g status off
	m new-window -t s: cat
	m new-session -d -t s -s small
	m select-window -t small:0
	attach_in 60 16 "$(attach_command) -t s"
	outer split-window -l 5 "$(attach_command) -t small"
	wait_for '[ "$(m list-clients | wc -l)" = 2 ]' || echo "no second client"
	for value in off on off; do
		m set-option -g aggressive-resize $value
		case $value in
		on) lines=10 ;;
		*) lines=5 ;;
		esac
		wait_for '[ "$(m display-message -p -t s:1 "#{window_height}")" = $lines ]' ||
			echo "not $lines lines"
		run list-windows -t s -F '#I #{window_height}'
	done
}
compare "aggressive-resize" sizes

# rings NAME WHAT: makes a window NAME that runs WHAT.
rings() {
	m new-window -d -t s: -n "$1" "read x; printf '$2'; read x; echo done; cat"
	m send-keys -t "s:$1" Enter
	m send-keys -t "s:$1" Enter
	expect_pane "s:$1" 'done'
}

# The hooks record the alerts, in this order.
alerts() {
	m set-option -g status-interval 0
	m set-hook -g alert-bell 'set-option -agF @seen " #{hook_window_name}"'
	m set-hook -g alert-activity 'set-option -agF @seen " #{hook_window_name}"'
	attach
	m set-option -g monitor-activity on
	m set-option -g activity-action none
	rings one 'out\r\n'
	wait_for 'm list-windows -F "#{window_flags}" | grep -q "#"' ||
		echo "no activity flag"
	m set-option -g activity-action other
	rings two 'out\r\n'
	wait_for 'm show-options -gqv @seen | grep -q two' || echo "no alert"
	m set-option -g monitor-activity off
	m set-option -g monitor-bell off
	rings three '\a'
	m set-option -g monitor-bell on
	rings four '\a'
	wait_for 'm show-options -gqv @seen | grep -q four' || echo "no bell"
	run show-options -gqv @seen
	run list-windows -F '#I #{window_bell_flag}'
	detach
}
compare "activity-action, monitor-bell" alerts

# Draws the status line every second; the default is 15 seconds.
interval() {
	attach
	m set-option -g status-right "#(echo x >>'$PWD/made'; wc -l <'$PWD/made')"
	m set-option -g status-interval 1
	wait_for '[ "$(cat made 2>/dev/null | wc -l)" -ge 3 ]' ||
		echo "made $(cat made | wc -l) times"
	expect_screen '[3-9]$'
	detach
}
compare "status-interval" interval

# No key for a second.
locked() {
	m set-option -g lock-command 'echo >locked; read answer'
	attach
	m set-option -g lock-after-time 1
	# The time starts at the last key.
	outer_keys Enter
	wait_for '[ -e locked ]' || echo "not locked"
	m set-option -g lock-after-time 0
	outer_keys Enter
	expect_screen '\[s\]'
	outer_keys text Enter
	expect_pane s: '^text'
	detach
}
compare "lock-after-time" locked

brought() {
	m set-option -ag update-environment NEWS
	m set-environment -t s OLD kept
	m set-environment -t s DISPLAY gone
	attach NEWS=today OLD=today
	run show-environment -t s NEWS
	run show-environment -t s OLD
	run show-environment -t s DISPLAY
	detach
	m set-option -gu update-environment
	m set-option -g update-environment OLD
	attach NEWS=tomorrow OLD=tomorrow
	run show-environment -t s NEWS
	run show-environment -t s OLD
	detach
}
compare "update-environment" brought

# The first key may be repeated for longer than the following ones.
repeats() {
	m set-option -g repeat-time 60000
	m set-option -g initial-repeat-time 1
	m bind-key -r x set-option -ag @x 1
	m bind-key -n x set-option -g @root typed
	attach
	outer_keys C-b
	outer_keys x
	wait_for 'm list-clients -F "#{client_key_table}" | grep -q root' ||
		echo "still in the prefix table"
	outer_keys x
	shows @root typed
	m set-option -g repeat-time 1
	m set-option -g initial-repeat-time 60000
	outer_keys C-b
	outer_keys x
	outer_keys x
	wait_for 'm show-options -gv @x | grep -q 111' || echo "no repeat"
	wait_for 'm list-clients -F "#{client_key_table}" | grep -q root' ||
		echo "still in the prefix table"
	m set-option -g @root no
	outer_keys x
	shows @root typed
	detach
}
rmux_only "initial-repeat-time" repeats ''

styled() {
	wait_for "outer_screen -e | tail -n ${2:-1} | sed 's/\\x1b\\[39m//g' |
		grep -q '$1'" || {
		echo "no $1"
		outer_screen -e | tail -n "${2:-1}"
	}
}

status_styles() {
	m new-window -d -t s: -n bell 'read x; printf "\a"; cat'
	m new-window -d -t s: -n act 'read x; echo out; cat'
	m set-option -g monitor-activity on
	m set-option -g window-status-bell-style fg=red,bg=default
	m set-option -g window-status-activity-style fg=blue,bg=default
	attach
	m set-option -g status-style default
	m set-option -g status-right RIGHT
	m set-option -g status-right-style fg=yellow
	m send-keys -t s:bell Enter
	m send-keys -t s:act Enter
	styled '31m1:bell#!'
	styled '34m2:act#'
	styled '33mRIGHT'
	detach
}
compare "window-status-bell-style, -activity-style, status-right-style" \
	status_styles

panes_below() {
	m split-window -t s: cat
	m new-session -d -s second cat
	attach
	m set-option -g status-style default
	m set-option -g status 3
	m set-option -g pane-status-style fg=red
	m set-option -g pane-status-current-style fg=blue
	m set-option -g window-pane-status-format 'idle #P'
	m set-option -g window-pane-current-status-format 'here #P'
	m set-option -g session-status-style fg=green
	m set-option -g session-status-current-style fg=yellow
	styled '31midle 0' 2
	styled '34mhere 1' 2
	styled '32msecond' 1
	styled '33ms' 1
	detach
}
rmux_only "pane-status-..., session-status-..., window-pane-..." panes_below ''

layouts() {
	for i in 1 2 3 4; do
		m split-window -t s: cat
		m select-layout -t s: tiled
	done
	m set-option -w -t s: main-pane-width 30
	for width in 0 40 20; do
		m set-option -w -t s: other-pane-width $width
		m select-layout -t s: main-vertical
		run display-message -p -t s: '#{window_layout}'
	done
}
recorded "other-pane-width" layouts options_time_layouts.rec

tiles() {
	for i in 1 2 3 4; do
		m split-window -t s: cat
		m select-layout -t s: tiled
	done
	for columns in 0 1 3; do
		m set-option -w -t s: tiled-layout-max-columns $columns
		m select-layout -t s: tiled
		m list-panes -t s: -F '#{pane_left}' | sort -u | wc -l
	done
}
rmux_only "tiled-layout-max-columns" tiles '2
1
2'

# A client's own setting (attach --predict) overrides the option.
guesses() {
	far_start cat
	far set-option -g predict "$1"
	far_learn_port || echo "no port"
	relay "$far_port" -b delay=100
	outer_start 80 24 "$(remote_cmd --udp=127.0.0.1:"$relay_port")"
	expect_screen '\[far\]' 20
	outer_keys word Enter
	expect_screen '^word' 20
	wait_for 'far capture-pane -p -t far | grep -c "^word$" | grep -q 2' ||
		echo "not echoed"
	relay_say "both off=1"
	outer_keys guessed
	if [ "$1" = always ]; then
		expect_screen '^guessed'
	else
		# The banner shows that the client knows of the dead link.
		expect_screen 'last contact' 20
		outer_screen | grep '^guessed'
	fi
	relay_say "both off=0"
	expect_screen '^guessed' 20
	far_stop
	kill "$relay_pid"
}
always() {
	guesses always
}
never() {
	guesses never
}
if [ -x "$e2e_build/regress/tools/udp_relay" ]; then
	rmux_only "predict always" always ''
	rmux_only "predict never" never ''
else
	skip "predict" "no udp_relay"
fi

ports() {
	far_start cat
	far set-option -s remote-ports 61001-61009
	far_learn_port || echo "no port"
	[ "$far_port" -ge 61001 ] && [ "$far_port" -le 61009 ] ||
		echo "port $far_port"
	far_stop
}
rmux_only "remote-ports" ports ''

# An address that the machine lacks is refused; the port closes after the last
# client.
bound() {
	far_start cat
	far set-option -s remote-bind '127.0.0.1 192.0.2.77'
	far invite -t far 2>&1
	far set-option -s remote-bind '127.0.0.1'
	far_learn_port || echo "no port"
	far invite -k all
	bound_port=$(printf '%04X' "$far_port")
	wait_for "! grep -qi ':$bound_port ' /proc/net/udp" ||
		echo "port $far_port stays"
	far invite -t far -a 127.0.0.1 >/dev/null
	grep -qi " 0100007F:$bound_port " /proc/net/udp ||
		echo "the port does not come back"
	far invite -k all
	wait_for "! grep -qi ':$bound_port ' /proc/net/udp" ||
		echo "port $far_port stays after the invitation"
	far_stop
}

# Builds with ML-KEM use it; others refuse to promise it.
quantum() {
	far_start cat
	if "$e2e_rmux" doctor | grep -q ML-KEM-768; then
		far set-option -s require-post-quantum on
		outer_start 80 24 "$(remote_cmd --post-quantum=require)"
		expect_screen '\[far\]'
		far list-clients -F '#{client_key_exchange}'
		outer_keys C-b d
		expect_screen 'exit=0'
	else
		outer_start 80 24 "$(remote_cmd --post-quantum=require)"
		expect_screen 'post-quantum=require: this rmux has no'
		outer_start 80 24 "$(remote_cmd)"
		expect_screen '\[far\]'
		[ "$(far list-clients -F '#{client_key_exchange}')" = x25519 ] ||
			echo "another key exchange"
		outer_keys C-b d
		expect_screen 'exit=0'
		far set-option -s require-post-quantum on
		outer_start 80 24 "$(remote_cmd)"
		expect_screen 'require-post-quantum is on, but' &&
			echo x25519+mlkem768
	fi
	"$e2e_rmux" attach --post-quantum=maybe localhost 2>&1 | head -1
	far_stop
}
rmux_only "require-post-quantum" quantum "x25519+mlkem768
rmux: --post-quantum wants auto or require: maybe"

if [ -r /proc/net/udp ]; then
	rmux_only "remote-bind" bound "remote-bind: this machine cannot listen on 192.0.2.77 (ip address lists its addresses)"
else
	skip "remote-bind" "no /proc/net/udp"
fi

done_testing
