#include "server/cmd/sink.h"

#include "mux/client.h"
#include "mux/mux.h"
#include "server/core/server.h"
#include "server/face/client_sink.h"
#include "server/face/controller_sink.h"
#include "server/io/conn_sink.h"

static bool
find_caller(struct server *sv, const struct cmd_ids *ids, struct sink *s)
{
	struct conn *cn = conn_find(&sv->conns, ids->conn);

	if (!conn_reads(cn))
		return false;
	*s = conn_sink(&sv->run, cn);
	return true;
}

static bool
find_controller(struct server *sv, const struct cmd_ids *ids, struct sink *s)
{
	struct controller *ct = controller_find(&sv->controllers, ids->conn);

	if (ct == NULL)
		return false;
	*s = controller_sink(ct);
	return true;
}

static bool
find_client(struct server *sv, const struct cmd_ids *ids, struct sink *s)
{
	struct client *c = mux_client(sv->run.mux, ids->client);
	struct viewer *vw = c == NULL ? NULL : viewer_find(&sv->viewers, c);

	if (vw == NULL)
		return false;
	*s = client_sink(vw);
	return true;
}

static bool
find_config(struct server *sv, const struct cmd_ids *ids, struct sink *s)
{
	if ((ids->flags & CMD_STATE_CONFIG) == 0)
		return false;
	*s = sink_config(&sv->run);
	return true;
}

/* A row for each kind of caller; the first that exists is taken. */
static bool (*const kinds[])(
    struct server *sv, const struct cmd_ids *ids, struct sink *s) = {
	find_caller,
	find_controller,
	find_client,
	find_config,
};

struct sink
cmd_sink(struct server *sv, const struct cmd_ids *ids)
{
	struct sink s;
	size_t i;

	for (i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i](sv, ids, &s))
			return s;
	return sink_nobody(&sv->run);
}
