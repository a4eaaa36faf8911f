#include "server/cmd/cmd.h"

/*
 * Commands whose bodies are still to be built.  They are parsed and checked
 * like any other and say so when they are run.
 */
#define LATER(id)                                              \
 enum cmd_result cmd_exec_##id(struct cmd_context *c)          \
 {                                                             \
  return cmd_error(c, "%s: not built yet", c->cmd->row->name); \
 }

/* clang-format off */
LATER(break_pane)
LATER(choose_buffer)
LATER(choose_client)
LATER(choose_tree)
LATER(clock_mode)
LATER(copy_mode)
LATER(customize_mode)
LATER(display_menu)
LATER(display_panes)
LATER(display_popup)
LATER(find_window)
LATER(join_pane)
LATER(link_window)
LATER(list_clients)
LATER(lock_client)
LATER(lock_server)
LATER(lock_session)
LATER(move_pane)
LATER(move_window)
LATER(new_pane)
LATER(next_layout)
LATER(pipe_pane)
LATER(previous_layout)
LATER(refresh_client)
LATER(resize_window)
LATER(respawn_pane)
LATER(respawn_window)
LATER(rotate_window)
LATER(select_layout)
LATER(swap_pane)
LATER(swap_window)
LATER(switch_client)
LATER(switch_mode)
LATER(unlink_window)
/* clang-format on */
