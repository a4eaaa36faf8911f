#include "server/run/run.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/grapheme.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "conf/bind.h"
#include "conf/keytable.h"
#include "mux/mux.h"
#include "mux/vt/pool.h"
#include "server/run/cmdq.h"
#include "server/run/compat.h"
#include "server/run/lane.h"
#include "server/run/notes.h"
#include "server/run/trim.h"

void
run_init(struct run *run, const struct run_ops *ops, void *arg)
{
	struct mux_setup setup;
	struct cause c = { NULL };
	size_t i;

	run->ops = ops;
	run->arg = arg;
	run->loop = loop_new();
	run->start_wall = sys_wall();
	list_init(&run->queues);
	run->pool = vt_pool_new();
	run->graphemes = grapheme_table_new(NULL);
	setup.pool = run->pool;
	setup.graphemes = run->graphemes;
	run->mux = mux_new(&setup);
	for (i = 0; environ[i] != NULL; i++)
		environ_put(&run->mux->environ, environ[i]);
	run_set_now(run);
	run->keys = keytables_new(&bind_ops);
	if (bind_load_defaults(run->keys, &c) != 0)
		log_write(&run->log, LOG_ERROR, LOG_CONF, "%s", cause_text(&c));
	cause_fini(&c);
	run->notes = notes_new();
	run->queue = cmdq_new(run, 0);
	run->lane = lane_new(run->loop, NULL);
	run->compat_dir = compat_find_new();
	run->trim = trim_new(run->loop, run->pool, TRIM_QUIET_MS);
}

void
run_fini(struct run *run)
{
	mem_free(run->compat_dir);
	messages_fini(&run->messages);
	prompt_log_fini(&run->prompts);
	access_fini(&run->access);
	mux_free(run->mux);
	keytables_free(run->keys);
	grapheme_table_free(run->graphemes);
	vt_pool_free(run->pool);
	trim_free(run->trim);
	lane_free(run->lane);
	notes_free(run->notes);
	loop_free(run->loop);
}

void
run_message(struct run *run, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	messages_add(&run->messages,
	    (size_t)options_number(
		&run->mux->server_options, OPTION_MESSAGE_LIMIT),
	    sys_wall(), "%s", text);
	log_write(&run->log, LOG_INFO, LOG_SERVER, "%s", text);
	mem_free(text);
}
