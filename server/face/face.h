/*
 * server/face/face.h - the viewer's calls to drawing, input and deadlines.
 *
 * Purpose:   fills in struct viewer_ops.
 */
#ifndef SERVER_FACE_FACE_H
#define SERVER_FACE_FACE_H

#include "server/face/viewer.h"

/* Sets all calls of OPS except gone, which the caller sets. */
void face_ops_init(struct viewer_ops *ops);

#endif
