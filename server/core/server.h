/*
 * server/core/server.h - all parts of one server.
 *
 * Purpose:   owns the model, the panes' programs, the connections and the
 *            attached clients.  server/server.c makes it and gives each floor
 *            the functions that the floor calls up.
 * Ownership: struct server owns everything below it.  The floors run, io and
 *            face never see it.
 */
#ifndef SERVER_CORE_SERVER_H
#define SERVER_CORE_SERVER_H

#include "server/core/end.h"
#include "server/face/controller.h"
#include "server/face/palette.h"
#include "server/face/viewer.h"
#include "server/io/carrier.h"
#include "server/io/conn.h"
#include "server/io/job.h"
#include "server/io/pane_io.h"
#include "server/run/logfile.h"
#include "server/run/run.h"

struct agents;
struct hooks;
struct invites;
struct listen;
struct monitors;
struct settings;
struct tick;
struct waits;
struct watch;

struct server {
	struct run run;
	struct pane_ios panes;
	struct jobs jobs;
	struct conns conns;
	struct remotes *remotes;
	struct agents *agents;
	struct listen *listen;
	struct scope *scope;
	struct viewer_ops viewer_ops;
	struct viewers viewers;
	struct controllers controllers;
	struct carriers carriers;
	struct palette_recent palette_recent; /* of command-palette */
	struct hooks *hooks;                  /* events and their waiters */
	struct list hooks_kept;               /* hook_keep */
	struct monitors *monitors;
	struct invites *invites;
	struct settings *settings;
	struct waits *waits;    /* of wait-for */
	struct list delays;     /* of run-shell -d */
	struct list copies;     /* of long texts */
	struct list pane_waits; /* of split-window -W */
	struct tick *tick;
	struct watch *watch; /* of config-watch */
	struct end end;
	struct logfile logfile;
	struct loop_signal *signals[8];
	bool foreground; /* -D: the server does not end when it is empty */
	bool draining;
	bool ticking; /* the tick is set */
	bool changed; /* events have come since the last one */
};

#endif
