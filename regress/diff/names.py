"""tmux 3.8's names: what the generators combine."""

# name: flags without and with a value, fewest and most arguments (-1: any),
# and for flags with a value the kind of it.
COMMANDS = '''
attach-session dErx c=dir,f=word,t=session 0 0
bind-key nr T=table,N=word 1 -1
break-pane abdPW F=format,n=word,s=pane,t=window,x=size,y=size,X=size,Y=size 0 0
capture-pane aCeFHIJLMNpPqRT b=buffer,E=line,S=line,t=pane 0 0
choose-buffer kNrZ F=format,f=filter,K=format,O=order,t=pane 0 1
choose-client hikNrZ F=format,f=filter,K=format,O=order,t=pane 0 1
choose-tree GhkNrswZ F=format,f=filter,K=format,O=order,t=pane 0 1
clear-history H t=pane 0 0
clear-prompt-history - T=prompt 0 0
clock-mode - t=pane 0 0
command-prompt 1CbeFiklNP I=word,p=word,t=client,T=prompt 0 1
confirm-before by c=word,p=word,t=client 1 1
copy-mode dekHMqSu s=pane,t=pane 0 0
customize-mode kNZ F=format,f=filter,t=pane 0 0
delete-buffer - b=buffer 0 0
detach-client aP E=word,s=session,t=client 0 0
display-menu MO b=lines,c=client,C=number,H=style,s=style,S=style,t=pane,T=word,x=size,y=size 1 -1
display-message aCIjlNpv c=client,d=number,F=format,t=pane 0 1
display-popup BCEkN b=lines,c=client,d=dir,e=env,h=size,s=style,S=style,t=pane,T=word,w=size,x=size,y=size 0 -1
display-panes kNZ d=number,s=window,t=pane 0 1
find-window CiNrTZ t=pane 1 1
has-session - t=session 0 0
if-shell bF t=pane 2 3
join-pane bdfhv l=size,s=pane,t=pane 0 0
kill-pane a f=filter,t=pane 0 0
kill-session aCg f=filter,t=session 0 0
kill-window a f=filter,t=window 0 0
last-pane deZ t=window 0 0
last-window - t=session 0 0
link-window abdk s=window,t=window 0 0
list-buffers - F=format,f=filter,O=order 0 0
list-clients - F=format,f=filter,O=order,t=session 0 0
list-commands - F=format 0 1
list-keys 1aNr F=format,O=order,P=word,T=table 0 1
list-panes asr F=format,f=filter,O=order,t=window 0 0
list-sessions r F=format,f=filter,O=order 0 0
list-windows ar F=format,f=filter,O=order,t=session 0 0
load-buffer - b=buffer,t=client 1 1
lock-client - t=client 0 0
lock-session - t=session 0 0
move-pane bdfhMv D=number,l=size,L=number,P=position,R=number,s=pane,t=pane,U=number,X=size,Y=size,z=number 0 0
move-window abdkr s=window,t=window 0 0
new-pane AbCDefhIkKLMOPvWZ B=lines,c=dir,F=format,l=size,m=word,p=number,s=style,S=style,R=style,T=word,x=size,y=size,X=size,Y=size,t=pane 0 -1
new-session dEP c=dir,e=env,F=format,f=flags,n=word,s=word,t=session,x=size,y=size 0 -1
new-window abdEkPS c=dir,e=env,F=format,n=word,t=window 0 -1
next-layout - t=window 0 0
next-window a t=session 0 0
paste-buffer dprS s=word,b=buffer,t=pane 0 0
pipe-pane IOo t=pane 0 1
previous-layout - t=window 0 0
previous-window a t=session 0 0
rename-session - t=session 1 1
rename-window - t=window 1 1
resize-pane MTZ D=number,L=number,R=number,U=number,x=size,y=size,t=pane 0 1
resize-window aADLRU x=size,y=size,t=window 0 1
respawn-pane Ek c=dir,e=env,t=pane 0 -1
respawn-window Ek c=dir,e=env,t=window 0 -1
rotate-window DUZ t=window 0 0
run-shell bCE c=dir,d=number,t=pane 0 -1
save-buffer a b=buffer 1 1
select-layout Enop t=pane 0 1
select-pane DdeLlMmRUZ T=word,t=pane 0 0
select-window lnpT t=window 0 0
send-keys FHKlMRX c=client,N=number,t=pane 0 -1
send-prefix 2 t=pane 0 0
server-access adglrw t=pane 0 1
set-buffer aw b=buffer,n=word,t=client 0 1
set-environment Fhgru t=session 1 2
set-hook agpERTuw B=word,t=pane 0 2
set-option aFgopqsuUw t=pane 1 2
set-window-option aFgoqu t=window 1 2
show-buffer - b=buffer 0 0
show-environment hgs t=session 0 1
show-hooks Bgpw F=format,t=pane 0 1
show-messages JT t=client 0 0
show-options AgHpqsvw F=format,t=pane 0 1
show-prompt-history - T=prompt 0 0
show-window-options gv F=format,t=window 0 1
source-file Fnqv t=pane 1 -1
split-window bdefhIklPvWZ B=lines,c=dir,F=format,m=word,p=number,s=style,S=style,R=style,T=word,t=pane 0 -1
start-server - - 0 0
suspend-client - t=client 0 0
swap-pane dDUZ s=pane,t=pane 0 0
swap-window d s=window,t=window 0 0
switch-client ElnprZ c=client,t=session,T=table,O=order 0 0
switch-mode kswZ F=format,t=pane 0 1
unbind-key anq T=table 0 1
unlink-window k t=window 0 0
'''

ALIASES = '''
attach bind breakp capturep clearhist clearphist confirm deleteb detach menu
display popup displayp findw has if joinp killp killw lastp last linkw lsb lsc
lscm lsk lsp ls lsw loadb lockc lock locks movep movew newp new neww nextl next
pasteb pipep prevl prev refresh rename renamew resizep resizew respawnp
respawnw rotatew run saveb selectl selectp selectw send setb setenv set setw
showb showenv showmsgs show showphist showw source splitw start suspendc swapp
swapw switchc unbind unlinkw wait
'''.split()

VARIABLES = '''
active_window_index alternate_on alternate_saved_x alternate_saved_y
bracket_paste_flag buffer_created buffer_full buffer_name buffer_sample
buffer_size client_activity client_cell_height client_cell_width client_colours
client_control_mode client_created client_discarded client_flags client_height
client_key_table client_last_session client_name client_pid client_prefix
client_readonly client_session client_termfeatures client_termname
client_termtype client_tty client_uid client_user client_utf8 client_width
client_theme client_mode_format
client_written command command_list_alias command_list_name command_list_usage
config_files cursor_blinking copy_cursor_hyperlink copy_cursor_line
copy_cursor_word copy_cursor_x copy_cursor_y copy_line_numbers copy_position
copy_position_limit current_file cursor_character cursor_colour cursor_flag
cursor_shape cursor_very_visible cursor_x cursor_y history_added history_bytes
history_all_bytes
history_collected history_generation history_limit history_size hook
hook_client hook_fire_count hook_fire_time hook_last hook_monitor_format
hook_monitor_target hook_pane hook_session hook_session_name hook_value
hook_window hook_window_index hook_window_name host host_short insert_flag
key_string key_repeat key_note key_prefix key_table key_command key_has_repeat
key_string_width key_table_width keypad_cursor_flag keypad_flag
last_session_index last_window_index
line loop_index loop_last_flag mouse_all_flag mouse_any_flag mouse_button_flag
mouse_hyperlink mouse_line mouse_sgr_flag mouse_standard_flag mouse_pane
mouse_status_line mouse_status_range mouse_utf8_flag mouse_word mouse_x mouse_y
next_session_id next_window_active next_window_index option_array_key
option_has_array_key option_has_value option_is_array option_is_hook
option_is_parent option_is_string option_is_user option_name option_value
option_value_only origin_flag pane_active pane_at_bottom pane_at_left
pane_at_right pane_at_top pane_bg pane_bottom pane_command_duration
pane_command_end_time pane_command_running pane_command_start_time
pane_command_status pane_current_command pane_current_path pane_dead
pane_dead_signal pane_dead_status pane_dead_time pane_fg pane_flags
pane_floating_flag pane_format pane_height pane_id pane_in_mode pane_index
pane_input_off pane_key_mode pane_last pane_last_output_time
pane_last_prompt_time pane_left pane_marked pane_marked_set pane_modal_flag
pane_mode pane_output_generation pane_path pane_pid pane_pipe pane_pipe_pid
pane_private_modes pane_pb_state pane_pb_progress pane_right
pane_search_string pane_start_command pane_start_command_list pane_start_path
pane_synchronized pane_tabs pane_title pane_top pane_tty pane_unseen_changes
pane_unzoomed_height pane_unzoomed_width pane_width pane_x pane_y pane_z
pane_zoomed_flag pid prev_window_active prev_window_index rectangle_toggle
refresh_active scroll_position scroll_region_lower scroll_region_upper
search_count search_count_partial search_match search_present selection_active
selection_end_x selection_end_y selection_mode selection_present
selection_start_x selection_start_y server_sessions session_active
session_activity session_activity_flag session_alert session_alerts
session_attached
session_attached_list session_bell_flag session_created session_format
session_group session_group_attached session_group_attached_list
session_group_list session_group_many_attached session_group_size
session_grouped session_id session_last_attached session_many_attached
session_marked session_name session_path session_silence_flag session_stack
session_windows socket_path sixel_support start_time synchronized_output_flag
uid user version window_active window_active_clients window_active_clients_list
window_active_sessions window_active_sessions_list window_activity
window_activity_flag window_bell_flag window_bigger window_cell_height
window_cell_width window_end_flag window_flags window_format window_height
window_id window_index window_last_flag window_layout window_linked
window_linked_sessions window_linked_sessions_list window_manual_height
window_manual_width window_marked_flag window_modal_pane window_name
window_offset_x window_offset_y window_panes window_raw_flags
window_silence_flag window_stack_index window_start_flag window_visible_layout
window_width window_zoomed_flag wrap_flag
next_@all prev_@all @all @mine @other @none GLOBAL LOCAL PROBE status
base-index status-left pane-border-format command-alias update-environment
user-keys copy-mode-match-style
'''.split()

SERVER_OPTIONS = '''
backspace buffer-limit clear-on-attach codepoint-widths command-alias
copy-command default-client-command default-terminal editor escape-time
exit-empty exit-unattached extended-keys extended-keys-format focus-events
get-clipboard history-file input-buffer-size message-limit prefix-timeout
prompt-history-limit set-clipboard terminal-features terminal-overrides theme
user-keys variation-selector-always-wide dark-theme-black light-theme-red
'''.split()


def commands():
    """(name, flags, {flag: kind}, fewest, most) of each command."""
    rows = []
    for line in COMMANDS.strip().split('\n'):
        name, flags, values, fewest, most = line.split()
        kinds = {}
        if values != '-':
            for v in values.split(','):
                kinds[v[0]] = v[2:]
        rows.append((name, flags.replace('-', ''), kinds, int(fewest),
                     int(most)))
    return rows


KEYS = ('a A z Z 0 9 ; : \' " \\ / ? . , - + = [ ] { } ( ) < > | ~ ` ! @ # $ % '
        '^ & * _ Space Tab BTab Enter Escape BSpace Up Down Left Right Home End '
        'PageUp PageDown PgUp PgDn PPage NPage Insert IC Delete DC F1 F2 F4 F5 '
        'F8 F9 F10 F11 F12 KP0 KP1 KP9 KP/ KP* KP- KP+ KP. KPEnter User0 User12 '
        'MouseDown1Pane WheelUpStatus DoubleClick3Border MouseDrag1ScrollbarSlider '
        'SecondClick2StatusLeft TripleClick1Control5 MouseUp2Empty Any None '
        'FocusIn FocusOut PasteStart PasteEnd é 你 0x41 0x1b 0xe9 U+41 Nope F13 '
        'F20 ^A ^? C-^ ^ \x01 ab').split(' ')

MODIFIERS = ('', 'C-', 'M-', 'S-', 'C-M-', 'C-S-', 'M-S-', 'C-M-S-')
