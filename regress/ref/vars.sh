#!/bin/sh
# vars.sh - the same format variables in tmux and in the model.  Layouts have the
# form of tmux 3.8: floats.sh compares them.
. "${top_srcdir:-.}/regress/ref/lib.sh"
ref=${top_builddir:-.}/regress/ref/vars_ref
tm -f /dev/null new-session -d -s alpha -n one -x 80 -y 24 cat || exit 99
tm split-window -d -h -t %0 cat
tm split-window -d -v -t %1 cat
tm new-window -d -t alpha:1 -n two cat
tm new-window -d -t alpha:5 -n three cat
tm split-window -d -v -t %4 cat
tm new-session -d -s beta -n only -x 80 -y 24 cat
tm link-window -d -s alpha:1 -t beta:9
tm select-window -t alpha:5
tm select-window -t alpha:0
tm select-pane -t %1
tm select-pane -t %2
tm select-pane -m -t %4
tm resize-pane -Z -t %5
for p in 0 2 3 4 5 6; do tm select-pane -T box -t %$p; done
tm select-pane -t %2 # -T selects
tm select-pane -T 'a title' -t %1
tm select-pane -t %1
tm select-pane -t %2
tm resize-pane -Z -t %5
tm resize-pane -Z -t %5
tm set-option -w -t alpha:0 @mine w
tm set-option -t alpha @other s
tm set-option -gw @all g
tm select-pane -d -t %0
tm select-pane -t %2
tm set-option -w -t alpha:1 synchronize-panes on
tm set-buffer 'text of it'
tm select-pane -t %1
tm select-pane -t %2

{
	for name in session_id session_name session_attached session_many_attached session_windows \
		session_stack session_group session_grouped session_alerts session_marked session_format \
		window_index window_name window_id window_active window_width window_height window_panes \
		window_flags window_raw_flags window_activity_flag \
		window_bell_flag window_silence_flag window_last_flag window_marked_flag window_zoomed_flag \
		window_start_flag window_end_flag window_stack_index window_linked window_linked_sessions \
		window_linked_sessions_list window_active_sessions window_active_sessions_list \
		window_active_clients window_format pane_format \
		pane_id pane_index pane_active pane_last pane_marked pane_marked_set pane_title pane_dead \
		pane_dead_status pane_input_off pane_synchronized pane_pipe pane_in_mode pane_mode \
		pane_width pane_height pane_left pane_right pane_top pane_bottom \
		pane_at_left pane_at_right pane_at_top pane_at_bottom pane_start_command pane_tabs \
		cursor_x cursor_y cursor_flag cursor_character alternate_on scroll_region_upper \
		scroll_region_lower insert_flag origin_flag wrap_flag keypad_flag keypad_cursor_flag \
		mouse_any_flag mouse_all_flag mouse_button_flag mouse_standard_flag mouse_sgr_flag \
		mouse_utf8_flag history_size history_limit next_session_id buffer_name \
		active_window_index last_window_index pane_fg pane_bg pane_search_string client_name \
		status-left base-index main-pane-height @mine @other @all @none nothing \
		status monitor-bell window-size; do
		echo "#{$name}"
	done
	cat <<'LIST'
#S:#I.#P #W #F #D #T
#{S:#{session_name} }
#{W:#{window_index}#{window_flags} }
#{W:#{window_name} ,[#{window_name}] }
#{P:#{pane_id} }
#{P:#{pane_index},<#{pane_index}>}
#{S:#{session_name}(#{W:#I[#{P:#P}]})}
#{W:#{?window_end_flag,last,more} }
#{?pane_active,yes,no}
#{?window_zoomed_flag,Z,}#{?pane_marked,M,}
#{N/w:two}#{N/w:tw}#{N/s:beta}#{N/s:be}
#{==:#{session_name},alpha}
#{e|+:#{pane_width},#{pane_height}}
#{m:al*,#{session_name}}
#{=3:window_name}
#{T:status-left}
#{E:window-status-format}
#{E:window-status-current-format}
LIST
} >"$dir/formats"
# Not compared: pane_at_* of a pane behind a zoomed one, window_layout there.
for t in %0 %1 %2 %3 %4 %5 %6 beta:9; do
	sed "s/^/$t /" "$dir/formats"
done | grep -vE '^%4 #\{(pane_(at_|width|height|left|right|top|bottom|tabs)|scroll_|e\|)' >"$dir/list"
"$ref" "$dir/list" >"$dir/ours" || exit 99
while read -r t format; do
	printf '%s %s => %s\n' "$t" "$format" "$(tm display-message -p -t "$t" "$format")"
done <"$dir/list" >"$dir/theirs"
verdict "formats have the value they have in tmux" "variables differ from those of tmux"
