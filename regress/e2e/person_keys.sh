#!/bin/sh
# Keys of a person: two clients of one session, one of another machine, with
# bindings of their own above those of the server.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"

# named FORMAT VALUE: the client whose FORMAT is VALUE.
named() {
	far list-clients -F "$1 #{client_name}" | sed -n "s/^$2 //p"
}

# who WORD: the option that the keys set.
who() {
	wait_for '[ "$(far show-options -gqv @who)" = "'"$1"'" ]' || {
		echo "not $1 but $(far show-options -gqv @who)"
		return 1
	}
}

begin() {
	far_start cat || return 1
	far set-option -g prefix-panel-time 0
	far set-option -g display-time 20000
	person bob 80 24 "RMUX= RMUX_TMPDIR='$far_dir' '$e2e_rmux' attach" &&
		sees bob '\[far\]' || return 1
	person ana 80 24 "$(remote_cmd)" && sees ana '\[far\]' || return 1
	bob=$(named '#{client_link}' local)
	ana=$(far list-clients -F '#{client_name}' | grep -Fxv -- "$bob")
	[ -n "$bob" ] && [ -n "$ana" ]
}
check "two people in a session, one of them remote" begin

# The same key has a command for all and one for ana.
own() {
	far bind-key y set-option -g @who all &&
		far bind-key -C "$ana" y set-option -g @who ana &&
		far bind-key -C "$bob" -n M-y set-option -g @who bob || return 1
	keys bob C-b y
	who all || return 1
	keys ana C-b y
	who ana || return 1
	keys bob M-y
	who bob || return 1
	# For ana the key of bob is one of the program.
	keys ana M-y Enter
	sees bob '^\^\[y' || return 1
	far unbind-key -C "$ana" y || return 1
	keys ana C-b y
	who all
}
check "a key runs its person's own binding" own

# A repeated key, and one that ends the repeat.
repeated() {
	far set-option -g repeat-time 5000
	far bind-key -C "$ana" -r u set-option -ga @who + &&
		far bind-key -C "$ana" -n o set-option -g @who root
	far set-option -g @who x
	keys ana C-b u u u
	who x+++ || return 1
	keys ana o
	who root || return 1
	far set-option -g repeat-time 500
	far unbind-key -C "$ana" -n o
}
check "own keys repeat" repeated

# A key table that only ana has.
table() {
	far bind-key -C "$ana" -T mine z set-option -g @who mine &&
		far bind-key Z switch-client -T mine || return 1
	keys ana C-b Z z
	who mine || return 1
	far set-option -g @who none
	keys bob C-b Z
	sees bob 'able mine doesn.t exist' && keys bob Escape || return 1
	[ "$(far show-options -gqv @who)" = none ] || return 1
	# As the first table of a person.
	far set-option -C "$ana" key-table mine
	keys ana z
	who mine || return 1
	far set-option -C "$ana" -u key-table
}
check "a key table of one person" table

# The keys of a mode, typed and sent.
mode() {
	far bind-key -C "$ana" -T copy-mode X 'set-option -g @who mode'
	keys ana C-b [
	wait_for '[ "$(far display-message -p "#{pane_in_mode}")" = 1 ]' ||
		return 1
	keys ana X
	who mode || return 1
	far set-option -g @who none
	keys bob X
	far bind-key -C "$ana" i send-keys X
	keys ana C-b i
	who mode || return 1
	far send-keys -X cancel
}
check "keys of a mode" mode

# What the panel, C-b ? and the palette say.
shown() {
	far bind-key -C "$ana" -N 'The key of ana' c new-window
	far set-option -C "$ana" prefix-panel-time 20
	far set-option -C "$bob" prefix-panel-time 20
	keys ana C-b
	sees ana 'The key of ana' || return 1
	keys ana Escape
	keys bob C-b
	sees bob 'Create a new window' || return 1
	screen_of bob | grep 'The key of ana' && return 1
	keys bob Escape
	far set-option -C "$ana" -u prefix-panel-time
	far set-option -C "$bob" -u prefix-panel-time
	far bind-key h list-keys -N c
	keys ana C-b h
	sees ana '^C-b c  *The key of ana' || return 1
	keys ana q
	keys bob C-b h
	sees bob '^C-b c  *Create a new window' || return 1
	keys bob q
	wait_for '[ "$(far display-message -p "#{pane_in_mode}")" = 0 ]' ||
		return 1
	keys ana C-b e 'key of ana'
	sees ana 'The key of ana.*C-b c' || return 1
	keys ana Enter
	wait_for '[ "$(far list-windows | wc -l)" = 2 ]' && far kill-window ||
		return 1
	keys ana C-b / c
	sees ana 'C-b c The key of ana' && keys ana Escape
}
check "lists of keys on the screen" shown

listed() {
	far unbind-key -C "$ana" -a -T prefix
	far unbind-key -C "$ana" -a -T copy-mode
	far bind-key -C "$ana" -r c new-window
	[ "$(far list-keys -C "$ana")" = "bind-key    -T mine   z set-option -g @who mine
bind-key -r -T prefix c new-window" ] || return 1
	[ "$(far list-keys -C "$ana" -T mine -F '#{key_string}')" = z ] ||
		return 1
	# The list for all has none of them.
	far list-keys | grep '@who mine' && return 1
	far list-keys -T prefix c | grep -q -- '-T prefix c new-window$' ||
		return 1
	far unbind-key -C "$ana" c || return 1
	far unbind-key -C "$ana" -a -T mine || return 1
	[ -z "$(far list-keys -C "$ana")" ]
}
check "list-keys -C" listed

# The current client is a point: for a key the one at which it was typed.
current() {
	far bind-key F5 'bind-key -C . j set-option -g @who "#{client_name}"' &&
		far bind-key F6 'set-option -C . prefix C-t'
	keys ana C-b F5
	wait_for '[ -n "$(far list-keys -C "$ana")" ]' || return 1
	[ -z "$(far list-keys -C "$bob" -T prefix 2>/dev/null)" ] || return 1
	keys ana C-b F6
	wait_for '[ "$(far show-options -C "$ana")" = "prefix C-t" ]' || return 1
	keys ana C-t j
	wait_for 'far show-options -gqv @who | grep -q client_name' || return 1
	far set-option -C "$ana" -u prefix
	far unbind-key -C "$ana" j
}
check "the current client" current

refused() {
	while IFS='|' read -r command words; do
		# shellcheck disable=SC2086
		far $command >"$e2e_dir/said" 2>&1 && return 1
		grep -q -- "$words" "$e2e_dir/said" || {
			cat "$e2e_dir/said"
			return 1
		}
	done <<END
bind-key -C nobody x clock-mode|can't find client: nobody
unbind-key -C nobody x|can't find client: nobody
list-keys -C nobody|can't find client: nobody
unbind-key -C $ana x|$ana has no keys of its own in table prefix
list-keys -C $ana -T prefix|table prefix doesn't exist
bind-key -C $ana no-such-key clock-mode|unknown key: no-such-key
bind-key -C $ana x no-such-command|unknown command: no-such-command
END
}
check "what is refused" refused

# A client has at most 1024 bindings.
bounded() {
	i=0
	while [ $i -lt 1030 ]; do
		echo "bind-key -C '$ana' -T t$((i / 10)) $((i % 10)) clock-mode"
		i=$((i + 1))
	done >"$e2e_dir/many.conf"
	far source-file "$e2e_dir/many.conf" >"$e2e_dir/said" 2>&1
	grep -q 'too many key bindings of .*(1024; at most 1024 of 1 MiB): remove' "$e2e_dir/said" || return 1
	[ "$(far list-keys -C "$ana" | wc -l)" = 1024 ]
}
check "their number is bounded" bounded

# They go with the client.
gone() {
	keys ana C-b d
	sees ana exit=0 || return 1
	outer respawn-pane -k -t =ana: "$(remote_cmd)"
	sees ana '\[far\]' || return 1
	wait_for '[ "$(far list-clients | wc -l)" = 2 ]' || return 1
	ana=$(far list-clients -F '#{client_name}' | grep -Fxv -- "$bob")
	[ -z "$(far list-keys -C "$ana")" ] &&
		[ -n "$(far list-keys -C "$bob")" ]
}
check "they end with the client" gone

# security: a guest runs no command that its role forbids, whoever bound it.
guests() {
	ticket=$(far invite -a 127.0.0.1 --type --for 1h) || return 1
	ticket=${ticket#rmux join }
	person eve 80 24 "$(join eve)" && sees eve '\[far\]' || return 1
	eve=$(far list-clients -F '#{client_name}' | grep -Fxv -- "$bob" |
		grep -Fxv -- "$ana")
	far bind-key -C "$eve" k 'set-option -g @who eve' &&
		far bind-key -C "$eve" -n M-k 'set-option -g @who eve' &&
		far bind-key -C "$eve" b 'bind-key -C . x clock-mode' &&
		far bind-key -C "$eve" q detach-client || return 1
	far set-option -g @who none
	keys eve C-b k
	sees eve 'may view and type only' || return 1
	keys eve M-k Enter
	sees bob '\^\[k' || return 1
	keys eve C-b b
	sees eve 'may view and type only' || return 1
	[ "$(far show-options -gqv @who)" = none ] || return 1
	far list-keys -C "$eve" | grep 'prefix x' && return 1
	keys eve C-b q
	sees eve 'exit=0'
}
check "keys of a guest run what its role may" guests

far_stop
done_testing
