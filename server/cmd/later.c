#include "server/cmd/cmd.h"

/*
 * Commands without a body yet. They are parsed and checked like any other and
 * report an error when they are run.
 */
#define LATER(id)                                              \
 enum cmd_result cmd_exec_##id(struct cmd_context *c)          \
 {                                                             \
  return cmd_error(c, "%s: not built yet", c->cmd->row->name); \
 }

/* clang-format off */
LATER(switch_mode)
/* clang-format on */
