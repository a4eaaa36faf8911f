#include "server/run/run.h"

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/mux.h"

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

void
run_drain(struct run *run)
{
	run->ops->drain(run->arg);
}

void
run_set_now(struct run *run)
{
	mux_set_now(run->mux, loop_now(run->loop), sys_wall() * 1000);
}
