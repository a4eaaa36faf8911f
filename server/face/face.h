/*
 * server/face/face.h - joins the files of this floor.
 *
 * Purpose:   fills in what a viewer calls: drawing, input, overlays.
 */
#ifndef SERVER_FACE_FACE_H
#define SERVER_FACE_FACE_H

#include "server/face/viewer.h"

/* All calls of OPS but gone, which is the caller's. */
void face_ops_init(struct viewer_ops *ops);

#endif
