/*
 * conf/mode_format.h - the formats in which choosers show their rows.
 *
 * Purpose:   the choosers and the variables tree_mode_format, client_mode_format and
 *            buffer_mode_format have the same text, so that `choose-tree -F` can add
 *            to it.
 * Source:    what tmux 3.8 shows; tmux(1), choose-tree.
 * Tests:     regress/e2e/choose.sh, regress/unit/check_vars.c
 */
#ifndef CONF_MODE_FORMAT_H
#define CONF_MODE_FORMAT_H

/* The title of a pane, unless it is the host's, where PANES holds. */
#define MODE_FORMAT_TITLE(panes)                                   \
 "#{?#{&&:" panes ",#{&&:#{!=:#{pane_title},},#{!=:#{pane_title}," \
 "#{host_short}}}},: #[fg=default]\"#{pane_title}\",}"

#define MODE_FORMAT_SESSION                       \
 "#[fg=themelightgrey]#{session_windows} windows" \
 "#{?session_grouped, (group #{session_group}: "  \
 "#{session_group_list}),}#{?session_attached, (attached),}"

#define MODE_FORMAT_WINDOW                                         \
 "#[fg=#{?window_marked_flag,thememagenta,default}]#{window_name}" \
 "#[fg=themelightgrey]#{window_flags}" MODE_FORMAT_TITLE(          \
     "#{==:#{window_panes},1}")

#define MODE_FORMAT_PANE                                        \
 "#[fg=#{?pane_marked,thememagenta,default}]"                   \
 "#{?pane_floating_flag,#[underscore],}#{pane_current_command}" \
 "#[fg=themelightgrey]#{pane_flags}" MODE_FORMAT_TITLE("1")

#define MODE_FORMAT_TREE                                                    \
 "#{?pane_format," MODE_FORMAT_PANE ",#{?window_format," MODE_FORMAT_WINDOW \
 "," MODE_FORMAT_SESSION "}}"

#define MODE_FORMAT_CLIENT                      \
 "#[fg=themelightgrey]#{t/p:client_activity}: " \
 "session #[fg=default]#{session_name}"

#define MODE_FORMAT_BUFFER "#{t/p:buffer_created}: #{buffer_sample}"

#endif
