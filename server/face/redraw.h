/*
 * server/face/redraw.h - the view of one attached client.
 *
 * Purpose:   builds the view and gives the view builder (mux/view/build.h)
 *            expanded formats, modes of ptys, shared frames and overlays.
 * Tests:     regress/e2e/look.sh, regress/e2e/prompt.sh, regress/e2e/panel.sh
 */
#ifndef SERVER_FACE_REDRAW_H
#define SERVER_FACE_REDRAW_H

#include "mux/view/host.h"

struct viewer;

/* The functions' argument is the viewer. */
extern const struct view_host redraw_host;

/* Builds the viewer's view again. */
void redraw_view(struct viewer *vw);

#endif
