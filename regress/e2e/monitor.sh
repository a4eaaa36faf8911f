#!/bin/sh
# Events and monitors: set-hook -B -E -T, show-hooks -B -F, wait-for -E -F -l
# -v -w, show-options -F, the hook command-error.  tmux has these after 3.7.
. "${top_srcdir:-.}/regress/e2e/lib.sh"

# Runs a waiting client with these arguments; it prints a line when released.
waits() {
	rm -f woken
	(
		m wait-for "$@" >said 2>&1
		echo "woken: $?" >woken
	) &
	e2e_pids="$e2e_pids $!"
	for last in "$@"; do :; done
	case $1 in
	-E) wait_for "m wait-for -E -l '$last' | grep -q client" ;;
	*) wait_for "m wait-for -l '$last' | grep -q client" ;;
	esac
}
woken() {
	wait_for "[ -s woken ]"
	cat woken
}

channels() {
	waits chan
	m wait-for -l chan | sed 's/[0-9][0-9]*/PID/'
	run wait-for -w nobody chan
	m wait-for -w "$(m wait-for -l chan)" chan
	woken
	m wait-for -L lock
	waits -L lock
	m wait-for -w "$(m wait-for -l lock)" lock
	woken
	run wait-for -U lock
	run wait-for -l lock
}
rmux_only "who waits for a channel, and is let go alone" channels \
	"client-PID
+ wait-for -w nobody chan
woken: 0
woken: 0
+ wait-for -U lock
+ wait-for -l lock"

events() {
	run wait-for -E nothing
	run wait-for -E status
	run wait-for -E @
	waits -E session-renamed
	m rename-session -t s t
	woken
	waits -E -F '#{==:#{hook_window_name},right}' window-renamed
	m rename-window -t t: wrong
	m rename-window -t t: right
	woken
	waits -E -v window-renamed
	m rename-window -t t: told
	woken
	grep -e name said
	waits -E after-new-window
	m new-window -d -t t:7 cat
	woken
	waits -E @mine
	run wait-for -E -w nobody @mine
	m wait-for -E -w "$(m wait-for -E -l @mine)" @mine
	woken
	waits -E @mine
	run set-hook -E @mine
	woken
	run wait-for -E -l @mine
}
rmux_only "events" events \
	"+ wait-for -E nothing
err: invalid event: nothing
exit: 1
+ wait-for -E status
err: invalid event: status
exit: 1
+ wait-for -E @
err: invalid event: @
exit: 1
woken: 0
woken: 0
woken: 0
window_name=told
woken: 0
+ wait-for -E -w nobody @mine
err: waiter nobody not found
exit: 1
woken: 0
+ set-hook -E @mine
woken: 0
+ wait-for -E -l @mine"

user() {
	run set-hook -E mine
	m set-hook -g @mine 'set-option -gaF @log "#{hook} #{window_index},"'
	run set-hook -E -t s:0 @mine
	run set-hook -R -t s:0 @mine
	run show-options -gv @log
	m set-hook -w -t s:0 @mine 'set-option -ga @log near,'
	run set-hook -E -t s:0 @mine
	run show-options -gv @log
	run show-hooks -g -F '#{option_name} #{hook_fire_count}' @mine
	m set-hook -g command-error 'set-option -g @failed "#{hook}"'
	m kill-pane -t s:99
	run show-options -gv @failed
}
rmux_only "the user's events, and command-error" user \
	"+ set-hook -E mine
err: event name must start with @
exit: 1
+ set-hook -E -t s:0 @mine
+ set-hook -R -t s:0 @mine
+ show-options -gv @log
@mine 0,@mine 0,
+ set-hook -E -t s:0 @mine
+ show-options -gv @log
@mine 0,@mine 0,near,
+ show-hooks -g -F #{option_name} #{hook_fire_count} @mine
@mine 3
can't find window: 99
+ show-options -gv @failed
#{hook}"

logged() {
	wait_for "[ \"\$(m show-options -gqv @log)\" = '$1' ]"
	m show-options -gqv @log
}
# When a later monitor has reported, the earlier one has run once: with -T that
# is one change.
monitors() {
	run set-hook -B nonsense 'display-message x'
	run set-hook -B 'plain::#S' 'display-message x'
	m set-option -g @log ''
	m set-option -g @height 0
	m set-hook -g -B '@name::#{session_name}' \
		'set-option -gaF @log "#{hook_last}-#{hook_value},"'
	m set-hook -g -T -B '@level::#{@height}' \
		'set-option -gaF @log "#{hook_value}!"'
	run show-hooks -g -B
	run show-hooks -g -B @name
	run show-hooks -B
	run show-hooks -g -B -F '#{option_name} <#{hook_monitor_format}> #{hook_fire_count}'
	# The first value is the base of the comparison.
	waits -E @look
	m set-hook -g -B '@look::#{@seen}'
	n=0
	while [ ! -s woken ] && [ $n -lt 200 ]; do
		n=$((n + 1))
		m set-option -g @seen $n
		read -r _ <<-EOF
			$(m show-options -gv @seen)
		EOF
	done
	woken
	m rename-session -t s t
	logged 's-t,'
	m set-option -g @height 5
	logged 's-t,5!'
	m set-option -g @height 0
	waits -E @look
	m set-option -g @seen done
	woken
	m show-options -gv @log
	m set-hook -gu @name
	run show-hooks -g -B @name
	run show-hooks -g -B -F '#{hook_fire_count} #{?hook_fire_time,timed,}' @level
}
rmux_only "monitors of a session" monitors \
	"+ set-hook -B nonsense display-message x
err: invalid subscription: nonsense
exit: 1
+ set-hook -B plain::#S display-message x
err: monitor hook name must start with @
exit: 1
+ show-hooks -g -B
@level::#{@height}
@name::#{session_name}
+ show-hooks -g -B @name
@name::#{session_name}
+ show-hooks -B
+ show-hooks -g -B -F #{option_name} <#{hook_monitor_format}> #{hook_fire_count}
@level <#{@height}> 0
@name <#{session_name}> 0
woken: 0
s-t,
s-t,5!
woken: 0
s-t,5!
+ show-hooks -g -B @name
+ show-hooks -g -B -F #{hook_fire_count} #{?hook_fire_time,timed,} @level
1 timed"

panes() {
	m set-option -g @log ''
	m set-hook -t s -B '@all:@*:#{window_name}' \
		'set-option -gaF @log "#{window_index}=#{hook_value},"'
	m set-hook -t s -B "@one:$(m display-message -p '#{pane_id}'):#{pane_title}" \
		'set-option -gaF @log "#{pane_index}:#{hook_value},"'
	m new-window -d -t s:5 -n five cat
	n=0
	# A change before the first look does not count.
	while [ -z "$(m show-options -gv @log)" ] && [ $n -lt 300 ]; do
		n=$((n + 1))
		m select-pane -t s:0.0 -T "t$n"
		m display-message -p '#{pane_title}' >/dev/null
	done
	m show-options -gv @log | grep -c '^0:t'
	m set-option -g @log ''
	m rename-window -t s:5 six
	wait_for "m show-options -gv @log | grep -q '5=six,'"
	m show-options -gv @log | grep -o '5=six,'
	m kill-window -t s:5
	m kill-session -t s
	m new-session -d -s s cat
	run show-hooks -t s -B
	m display-message -p alive
}
rmux_only "monitors of windows and of a pane" panes \
	"1
5=six,
+ show-hooks -t s -B
alive"

formats() {
	run show-options -g -F '#{option_name}=#{option_value}' status-left
	run show-options -F '#{option_name} #{option_is_parent}' -A -t s status
	run show-options -s -F '#{option_name}[#{option_array_key}] #{option_is_array}' command-alias
	run show-window-options -g -F '#{option_name} #{option_is_string}#{option_is_hook}#{option_is_user}' mode-keys
	m set-option -g @u 1
	run show-options -g -F '#{option_name} #{option_is_user}' @u
}
rmux_only "show-options -F" formats \
	"+ show-options -g -F #{option_name}=#{option_value} status-left
status-left=[#{session_name}] 
+ show-options -F #{option_name} #{option_is_parent} -A -t s status
status 1
+ show-options -s -F #{option_name}[#{option_array_key}] #{option_is_array} command-alias
command-alias[0] 1
command-alias[1] 1
command-alias[2] 1
command-alias[3] 1
command-alias[4] 1
command-alias[5] 1
+ show-window-options -g -F #{option_name} #{option_is_string}#{option_is_hook}#{option_is_user} mode-keys
mode-keys 000
+ show-options -g -F #{option_name} #{option_is_user} @u
@u 1"

# A monitor is among the hooks and not among the options; its subject is checked.
listed() {
	for what in '' % @ '%*' '@*' '%0' '@0' '%99' '$0' x '*' '%x'; do
		run set-hook -g -B "@m:$what:#{pane_id}" 'display-message y'
		run show-hooks -gB
		m set-hook -gu @m
	done
	run set-hook -g -B @m x
	run set-hook -g -B '@m:' x
	run set-hook -g -B ':%*:x' x
	m set-hook -g -B '@m:%*:#{pane_id}' 'display-message y'
	m show-options -g | grep @m
	m show-options -gH | grep @m
	m show-hooks -g | grep @m
	run show-hooks -g -F '#{option_name} #{option_is_hook} #{hook_fire_count}' @m
	run show-options -g -F '#{option_name} #{hook_fire_count}' status
}
compare "monitors are listed as hooks" listed

done_testing
