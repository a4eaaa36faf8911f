/*
 * base/tmux.h - the tmux that rmux is compatible with.
 *
 * Purpose:   one place for the version that `-V` under the name tmux, #{version}
 *            and TERM_PROGRAM_VERSION tell.
 */
#ifndef BASE_TMUX_H
#define BASE_TMUX_H

#define TMUX_VERSION "3.8"

#endif
