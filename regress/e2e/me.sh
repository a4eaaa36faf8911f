#!/bin/sh
# me.conf: the options and keys of a person go along with the client, here and to
# another machine; what it may hold, and what guests may do with it.
. "${top_srcdir:-.}/regress/e2e/lib.sh"
. "$e2e_src/regress/e2e/remote_lib.sh"
. "$e2e_src/regress/e2e/people_lib.sh"
[ $e2e_have_tmux = yes ] || skip_all "no tmux to be the outer terminal"

me_file=$HOME/.config/rmux/me.conf
mkdir -p "$HOME/.config/rmux"

# me LINE...: writes the file.
me() {
	rm -rf "$me_file"
	printf '%s\n' "$@" >"$me_file"
	chmod 600 "$me_file"
}

# client NAME OPTIONS: a terminal attached to the private server; sets $who.
client() {
	# A message may lie over the status line.
	person "$1" 160 24 "$(attached -t s "${2-}")" &&
		sees "$1" '\[s\]\|me.conf' || return 1
	who=$(m list-clients -O creation -F '#{client_name}' | tail -n 1)
}

leave() {
	keys "$1" "${2:-C-b}" d
	sees "$1" 'exit=0' && outer kill-session -t "=$1:"
}

begin() {
	start 160 24 cat && m set-option -g prefix-panel-time 0 &&
		m set-option -g status-left '[s] ' &&
		person keep 20 5 cat
}
check "a server" begin

here() {
	me '# mine' 'set prefix C-a' 'set -C mouse off' \
		'bind y set-option -g @who me' \
		'bind -C -n M-y { set-option -g @who root }' \
		'bind -r -T mine -N note x new-window'
	client ana || return 1
	[ "$(m show-options -C "$who")" = "mouse off
prefix C-a" ] && [ "$(m list-keys -C "$who")" = "bind-key -r -T mine   x   new-window
bind-key    -T prefix y   set-option -g @who me
bind-key    -T root   M-y set-option -g @who root" ] || {
		m show-options -C "$who"
		m list-keys -C "$who"
		return 1
	}
	keys ana C-a y
	wait_for '[ "$(m show-options -gqv @who)" = me ]' || return 1
	keys ana M-y
	wait_for '[ "$(m show-options -gqv @who)" = root ]' || return 1
	# Only this client: another one has the keys of all.
	client bob --me=no || return 1
	[ -z "$(m show-options -C "$who")$(m list-keys -C "$who")" ] &&
		[ "$(m show-options -gv prefix)" = C-b ] &&
		! m list-keys | grep 'who me' && leave bob && leave ana C-a
}
check "options and keys of a person" here

# The file in the examples has no errors.
example() {
	cp "$e2e_src/doc/examples/me.conf" "$me_file" && chmod 600 "$me_file" &&
		client ana || return 1
	m list-keys -C "$who" -T root | grep -q 'M-Right next-window' &&
		! m show-messages | grep 'me.conf:' && leave ana C-a
}
check "the example" example

refused() {
	me 'set status off' "run-shell 'touch $e2e_dir/ran'" \
		"if-shell 'touch $e2e_dir/ran' { set prefix C-t }" \
		"set key-table '#(touch $e2e_dir/ran)'" \
		"%if '#(touch $e2e_dir/ran)'" '%endif' 'A=b' \
		'set-environment -g A b' \
		'source-file /etc/passwd' 'set prefix C-a'
	client ana || return 1
	sees ana '^me.conf:2: run-shell is not possible here: only set-option.* (and 7 more: show-messages)' || return 1
	m show-messages | grep -q "me.conf:1: status cannot be a client's own" &&
		m show-messages | grep -q 'me.conf:9: source-file is not' &&
		[ "$(m show-options -C "$who")" = 'prefix C-a' ] &&
		[ "$(m show-options -gv status)" = on ] &&
		! m show-environment -g A && [ ! -e "$e2e_dir/ran" ] || return 1
	leave ana C-a
}
check "other commands are refused, the rest applies" refused

# unused TEXT: the file cannot be used, and the client attaches.
unused() {
	client ana && sees ana "me.conf is not used: $1" &&
		[ -z "$(m show-options -C "$who")" ] &&
		leave ana
}

others() {
	me 'set prefix C-a'
	chmod 622 "$me_file"
	unused 'others may write it: chmod go-w ' || return 1
	chmod 600 "$me_file"
	chmod 777 "$HOME/.config/rmux"
	unused 'others may write its directory: chmod go-w ' || return 1
	chmod 700 "$HOME/.config/rmux"
	# Behind a link, too.
	mkdir -p "$e2e_dir/open" && chmod 777 "$e2e_dir/open"
	mv "$me_file" "$e2e_dir/open/me.conf"
	ln -s "$e2e_dir/open/me.conf" "$me_file"
	unused 'others may write its directory: chmod go-w '
}
check "a file that others may write" others

no_file() {
	rm -f "$me_file"
	mkfifo "$me_file"
	unused 'it is not a regular file' || return 1
	rm "$me_file"
	mkdir "$me_file"
	unused 'it is not a regular file' || return 1
	rmdir "$me_file"
	ln -s "$me_file" "$me_file"
	unused 'Too many levels' || return 1
	me x
	head -c 65537 /dev/zero >"$me_file"
	unused 'it has 65537 bytes, more than 65536: shorten it'
}
check "a FIFO, a directory, a loop, a huge file" no_file

# What the client lets through, the server looks at again.
bytes() {
	me 'set prefix C-a' "$(printf '\033[31m')"
	client ana && sees ana '^me.conf:2: not a line of UTF-8 text' && leave ana || return 1
	me
	yes '' | head -n 2001 >"$me_file"
	client ana && sees ana '^me.conf:2001: more than 2000 lines' && leave ana
}
check "bytes and lines of the file" bytes

switched() {
	me 'set prefix C-a'
	m set-option -s accept-me-conf off
	client ana && sees ana "^me.conf is not used: the server.s accept-me-conf" ||
		return 1
	[ -z "$(m show-options -C "$who")" ] && leave ana ||
		return 1
	m set-option -s accept-me-conf on
	"$e2e_rmux" attach --me=what 2>&1 | grep -q -- '--me wants yes or no: what' &&
		"$e2e_rmux" --me=what attach 2>&1 | grep -q -- '--me wants yes' ||
		return 1
	mkdir -p "$e2e_dir/xdg/rmux"
	echo 'set prefix C-x' >"$e2e_dir/xdg/rmux/me.conf"
	chmod 700 "$e2e_dir/xdg" "$e2e_dir/xdg/rmux"
	chmod 600 "$e2e_dir/xdg/rmux/me.conf"
	person ana 160 24 "export XDG_CONFIG_HOME=$e2e_dir/xdg; $(attached -t s)"
	sees ana '\[s\]' && who=$(m list-clients -F '#{client_name}') &&
		[ "$(m show-options -C "$who" -v prefix)" = C-x ] &&
		leave ana C-x
}
check "accept-me-conf, --me, XDG_CONFIG_HOME" switched

# --- another machine -----------------------------------------------------------

remote() {
	me 'set prefix C-a' 'bind y set-option -g @who far' 'run-shell x'
	far_start cat || return 1
	far set-option -g prefix-panel-time 0
	person ana 160 24 "$(remote_cmd)" &&
		sees ana '^me.conf:3: run-shell is not possible here' || return 1
	keys ana C-a y
	wait_for '[ "$(far show-options -gqv @who)" = far ]' || return 1
	keys ana C-a d
	sees ana 'exit=0' || return 1
	outer kill-session -t =ana:
	# Without it, before and behind the command.
	person ana 160 24 "$(remote_cmd --me no)" && sees ana '\[far\]' ||
		return 1
	[ -z "$(far show-options -C "$(far list-clients -F '#{client_name}')")" ] ||
		return 1
	keys ana C-b d
	sees ana 'exit=0' && outer kill-session -t =ana:
}
check "a client of another machine" remote

# After the death of the server the client signs in again, and brings the file.
again() {
	person ana 160 24 "$(remote_cmd --again=1)" && sees ana 'far\|me.conf' ||
		return 1
	kill -9 "$far_pid"
	wait_for "! alive $far_pid" && far_start cat || return 1
	far set-option -g prefix-panel-time 0
	# An unanswered key makes the client notice the silence.
	keys ana x
	wait_for '[ "$(far list-clients | wc -l)" = 1 ]' 40 || return 1
	who=$(far list-clients -F '#{client_name}')
	wait_for '[ "$(far show-options -C "$who")" = "prefix C-a" ]' || return 1
	keys ana C-a d
	sees ana 'exit=0' && outer kill-session -t =ana:
}
check "a connection to a new server" again

# --- guests ---------------------------------------------------------------------

# guest NAME OPTIONS: joins with $ticket; sets $who.
guest() {
	guest_name=$1
	shift
	person "$guest_name" 160 24 "$(join "$guest_name" "$*")" &&
		sees "$guest_name" '\[s\]\|me.conf' || return 1
	who=$guest_name
}

# security: a guest's keys run what its role may when they are typed.
types() {
	me 'set prefix C-a' 'bind k set-option -g @who guest' \
		'bind -n M-k run-shell "touch ran"' \
		'bind r { refresh-client ; select-pane -t :.+ }' \
		'bind q detach-client' 'bind -n C-y send-prefix'
	m set-option -g @who none
	ticket --type --for 1h && guest eve --me=yes || return 1
	wait_for '[ "$(m show-options -C eve)" = "prefix C-a" ]' || return 1
	keys eve C-a k
	sees eve 'may view and type only' || return 1
	keys eve C-a r
	sees eve 'may view and type only' || return 1
	keys eve M-k C-y
	wait_for 'm capture-pane -p -t s | grep -q "\^\[k^A"' || {
		m capture-pane -p -t s
		return 1
	}
	[ "$(m show-options -gqv @who)" = none ] && [ ! -e ran ] || return 1
	keys eve C-a q
	sees eve 'exit=0' && outer kill-session -t =eve:
}
check "a guest that types" types

# The file of a viewer waits until it may type.
looks() {
	me 'set prefix C-a' 'bind q detach-client' 'kill-server'
	ticket --view --for 1h && guest ian --me=yes &&
		sees ian 'me.conf is not used while this client may only view' ||
		return 1
	keys ian x
	[ -z "$(m show-options -C ian)$(m list-keys -C ian)" ] || return 1
	m set-role -t ian type
	wait_for '[ "$(m show-options -C ian)" = "prefix C-a" ]' &&
		sees ian '^me.conf:3: kill-server is not possible here' || return 1
	keys ian C-a q
	sees ian 'exit=0' && outer kill-session -t =ian:
}
check "a guest that looks" looks

# A host learns the file only if the guest says so.
unsaid() {
	ticket --type --for 1h && guest eva || return 1
	keys eva x
	wait_for 'm capture-pane -p -t s | grep -q x$' &&
		[ -z "$(m show-options -C eva)$(m list-keys -C eva)" ] || return 1
	keys eva C-b d
	sees eva 'exit=0'
}
check "a guest sends nothing unasked" unsaid

far_stop
stop
done_testing
