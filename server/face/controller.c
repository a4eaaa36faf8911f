#include "server/face/controller.h"

#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/control/control_text.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/viewer.h"
#include "server/io/conn.h"
#include "server/run/cmdq.h"
#include "server/run/run.h"

/* Bytes on their way to one client, which gets no more in a turn; and to all. */
#define CONTROLLER_AHEAD ((size_t)64 << 10)
#define CONTROLLER_AHEAD_MIN ((size_t)8 << 10)
#define CONTROLLER_AHEAD_ALL ((size_t)512 << 10)

/* Bytes of output given to all in one turn. */
#define CONTROLLER_TURN ((size_t)64 << 10)

/*
 * Output soon after other output waits for a moment that grows with the number of
 * clients, or until so many bytes wait: waking a hundred clients for each line of a
 * flood would take all of the server's time.
 */
#define CONTROLLER_CLIENTS_A_MS 16
#define CONTROLLER_PAUSE_MS 8
#define CONTROLLER_BATCH ((size_t)8 << 10)

/* Lines taken in one turn; then others have theirs. */
#define CONTROLLER_LINES 64

/* Notifications that wait for the end of a block. */
#define CONTROLLER_HELD_MAX ((size_t)16 << 20)

static void queue_output(struct controller *ct);
static void wake(struct controller *ct);
static void wake_lines(struct controller *ct);
static void controller_finish(void *arg);

/* --- calls of the link ------------------------------------------------------- */

/* Returns the share of one client. */
static size_t
share(const struct controller *ct)
{
	return CLAMP(CONTROLLER_AHEAD_ALL / MAX_OF(ct->all->list.count, 1),
	    CONTROLLER_AHEAD_MIN, CONTROLLER_AHEAD);
}

size_t
controller_ahead(const struct controller *ct, size_t waiting)
{
	const size_t ahead = share(ct);

	return waiting < ahead ? ahead - waiting : 0;
}

void
controller_input(struct controller *ct, const uint8_t *p, size_t n)
{
	if (n == 0)
		ct->eof = true;
	else if (control_in_add(&ct->in, p, n) != 0)
		controller_leave(ct, 1, "too much input");
	if (control_in_full(&ct->in))
		ct->link->hold(ct->link_arg, true);
	wake_lines(ct);
}

void
controller_room(struct controller *ct)
{
	if (control_out_waiting(ct->out) > 0)
		queue_output(ct);
	else if (!control_out_empty(ct->out))
		wake(ct);
}

/* Takes the model's client away. */
static void
drop_client(struct controller *ct)
{
	struct client *c = ct->client;
	struct conn *cn = conn_find(ct->all->conns, ct->conn_id);

	ct->client = NULL;
	if (c == NULL)
		return;
	if (cn != NULL)
		conn_set_counter(cn, NULL);
	client_free(c);
	/* Panes that waited for this client go on. */
	pane_ios_watch(ct->all->panes, &ct->all->watch);
}

static void
controller_free(struct controller *ct)
{
	struct controllers *cs = ct->all;
	struct conn *cn = conn_find(cs->conns, ct->conn_id);

	drop_client(ct);
	if (cn != NULL)
		conn_set_rider(cn, NULL, NULL);
	if (ct->link->free != NULL)
		ct->link->free(ct->link_arg);
	list_remove(&cs->list, &ct->node);
	if (ct->queued)
		list_remove(&cs->bulk, &ct->bulk);
	if (list_empty(&cs->list))
		pane_ios_watch(cs->panes, NULL);
	lane_drop(cs->run->lane, &ct->job);
	loop_defer_cancel(cs->run->loop, ct);
	loop_timer_free(ct->timer);
	control_out_free(ct->out);
	control_in_fini(&ct->in);
	control_subs_fini(&ct->subs);
	buf_fini(&ct->held);
	mem_free(ct->last);
	mem_free(ct->reason);
	mem_free(ct->exec);
	mem_free(ct);
}

void
controller_lost(struct controller *ct)
{
	struct run *run = ct->all->run;

	controller_free(ct);
	run_drain(run);
}

/* --- calls of the connection --------------------------------------------------- */

static void
rider_payload(UNUSED void *arg, UNUSED const uint8_t *p, UNUSED size_t n)
{
}

static void
rider_unlocked(UNUSED void *arg)
{
}

static bool
rider_send(UNUSED void *arg, UNUSED enum control_code type, UNUSED int64_t code,
    UNUSED const char *text)
{
	return false;
}

static void
rider_input(void *arg, const uint8_t *p, size_t n)
{
	struct controller *ct = arg;

	if (!ct->link->far)
		controller_input(ct, p, n);
}

static void
rider_room(void *arg)
{
	struct controller *ct = arg;

	if (!ct->link->far)
		controller_room(ct);
}

static void
rider_lost(void *arg)
{
	controller_lost(arg);
}

static const struct conn_rider controller_rider = {
	.payload = rider_payload,
	.unlocked = rider_unlocked,
	.lost = rider_lost,
	.send = rider_send,
	.input = rider_input,
	.room = rider_room,
};

/* --- output ------------------------------------------------------------------------ */

/* Notes that the client has taken N bytes; programs may wait or go on. */
static void
set_pace(struct controller *ct, size_t n)
{
	const size_t waiting = control_out_waiting(ct->out);
	const bool held = control_pace_holds(&ct->pace), slow = ct->slow;

	ct->slow = waiting >= (slow ? CONTROLLER_QUICK : CONTROLLER_SLOW);
	control_pace_note(&ct->pace, ct->pumped, n, waiting);
	if (ct->slow != slow || control_pace_holds(&ct->pace) != held)
		pane_ios_watch(ct->all->panes, &ct->all->watch);
}

/* Gives out the share of one turn; returns the bytes. */
static size_t
pump(struct controller *ct)
{
	mono_ms now = loop_now(ct->all->run->loop);
	struct buf b;
	const size_t most = share(ct);
	size_t room, taken = 0;

	if (ct->ended)
		return 0;
	buf_init(&b, BUF_MAX);
	while ((room = ct->link->room(ct->link_arg)) > 0) {
		if (taken >= most) {
			queue_output(ct);
			break;
		}
		buf_clear(&b);
		if (control_out_take(ct->out, now, &b, room) == 0)
			break;
		ct->link->write(ct->link_arg, b.data, b.len);
		taken += b.len;
	}
	buf_fini(&b);
	control_out_tick(ct->out, now);
	if (control_out_failed(ct->out)) {
		ct->behind = true;
		controller_leave(ct, ct->code, "too far behind");
	}
	ct->pumped = now;
	ct->later = false;
	set_pace(ct, taken);
	loop_timer_set(ct->timer, MIN_OF(control_out_deadline(ct->out),
				      control_pace_deadline(&ct->pace)));
	return taken;
}

static void
controller_pump(void *arg)
{
	(void)pump(arg);
}

static void
wake(struct controller *ct)
{
	loop_defer(ct->all->run->loop, controller_pump, ct);
}

/* Keys and replies have their turns between those of output. */
static void
pump_bulk(void *arg)
{
	struct controllers *cs = arg;
	struct controller *ct;
	size_t n = 0;

	while (n < CONTROLLER_TURN && !list_empty(&cs->bulk)) {
		ct = container_of(cs->bulk.head.next, struct controller, bulk);
		list_remove(&cs->bulk, &ct->bulk);
		ct->queued = false;
		n += pump(ct);
	}
	if (!list_empty(&cs->bulk))
		loop_defer(cs->run->loop, pump_bulk, cs);
}

static void
queue_output(struct controller *ct)
{
	struct controllers *cs = ct->all;

	if (ct->queued)
		return;
	if (list_empty(&cs->bulk))
		loop_defer(cs->run->loop, pump_bulk, cs);
	ct->queued = true;
	list_push_back(&cs->bulk, &ct->bulk);
}

/* Output waits in CT: gives it out soon, with the output that follows. */
static void
wake_output(struct controller *ct)
{
	const mono_ms pause = MIN_OF(
	    ct->all->list.count / CONTROLLER_CLIENTS_A_MS, CONTROLLER_PAUSE_MS);
	const mono_ms due = mono_add(ct->pumped, pause);

	if (loop_now(ct->all->run->loop) >= due ||
	    control_out_waiting(ct->out) >= CONTROLLER_BATCH)
		queue_output(ct);
	else if (!ct->later) {
		ct->later = true;
		loop_timer_set(ct->timer, due);
	}
}

/* Whether C could show the window of P. */
static bool
could_show(const struct client *c, const struct pane *p)
{
	return c->session != NULL &&
	       session_link_to(c->session, p->window) != NULL;
}

static void
watch_bytes(void *arg, uint32_t pane, const void *p, size_t n)
{
	struct controllers *cs = arg;
	const struct pane *wp = mux_pane(cs->run->mux, pane);
	struct control_chunk *chunk = NULL;
	struct list_node *node;
	struct controller *ct;

	if (wp == NULL)
		return;
	LIST_FOREACH(node, &cs->list) {
		ct = container_of(node, struct controller, node);
		if (ct->client == NULL || ct->ending ||
		    !could_show(ct->client, wp) ||
		    control_out_drops(ct->out, pane))
			continue;
		if (chunk == NULL)
			chunk = control_chunk_new(p, n);
		control_out_pane(ct->out, pane, loop_now(cs->run->loop), chunk);
		wake_output(ct);
	}
	control_chunk_unref(chunk);
}

/*
 * A pane is not read if a client holds it up, or if all clients that could show
 * it are in control mode and are slow or have turned it off. Users with read
 * access hold up no program.
 */
static bool
watch_full(void *arg, uint32_t pane)
{
	const struct controllers *cs = arg;
	const struct pane *p = mux_pane(cs->run->mux, pane);
	const struct list_node *n;
	const struct map_entry *e;
	const struct controller *ct;
	size_t full = 0, ready = 0;

	if (p == NULL)
		return false;
	LIST_FOREACH(n, &cs->list) {
		ct = container_of(n, struct controller, node);
		if (ct->client == NULL || ct->client->guest ||
		    !could_show(ct->client, p))
			continue;
		if (control_out_is_off(ct->out, pane))
			full++;
		else if (control_out_drops(ct->out, pane) || !ct->slow)
			ready++;
		else if (control_pace_holds(&ct->pace))
			return true;
		else
			full++;
	}
	if (full == 0 || ready > 0)
		return false;
	MAP_FOREACH(e, &cs->run->mux->clients) {
		const struct client *c = e->value;

		if ((c->flags & CLIENT_CONTROL) == 0 && could_show(c, p))
			return false;
	}
	return true;
}

void
controller_pane(
    struct controller *ct, uint32_t pane, enum control_pane_state state)
{
	struct buf line;

	if (control_out_state(ct->out, pane, state)) {
		buf_init(&line, 64);
		(void)buf_addf(&line, "%%%s %%%u\n",
		    state == CONTROL_PANE_PAUSE ? "pause" : "continue", pane);
		controller_notify(ct, buf_cstr(&line), line.len);
		buf_fini(&line);
	}
	pane_ios_watch(ct->all->panes, &ct->all->watch);
	wake(ct);
}

/* --- lines out ---------------------------------------------------------------------- */

void
controller_say(struct controller *ct, const char *p, size_t n)
{
	control_out_lines(ct->out, p, n);
	if (n > 0 && p[n - 1] != '\n')
		control_out_lines(ct->out, "\n", 1);
	wake(ct);
}

void
controller_word(struct controller *ct, const char *word, const char *text)
{
	struct buf b;

	buf_init(&b, CONTROL_LINES_MAX);
	(void)buf_addf(&b, "%%%s ", word);
	control_text_add(&b, text);
	(void)buf_add_u8(&b, '\n');
	controller_say(ct, buf_cstr(&b), b.len);
	buf_fini(&b);
}

void
controller_notify(struct controller *ct, const char *p, size_t n)
{
	if (ct->ending)
		return;
	if (ct->depth > 0) {
		(void)buf_add(&ct->held, p, n);
		return;
	}
	control_out_lines(ct->out, p, n);
	wake(ct);
}

static void
guard(struct controller *ct, const char *word)
{
	struct buf b;

	buf_init(&b, 256);
	(void)buf_addf(&b, "%%%s %lld %u %u\n", word, (long long)ct->block_time,
	    ct->block, ct->block_flag);
	control_out_lines(ct->out, b.data, b.len);
	buf_fini(&b);
	wake(ct);
}

void
controller_begin(struct controller *ct, bool line)
{
	if (ct->depth++ > 0)
		return;
	ct->block = ++ct->all->blocks;
	ct->block_time = sys_wall();
	ct->block_flag = line;
	guard(ct, "begin");
}

void
controller_end_block(struct controller *ct, bool failed)
{
	if (ct->depth == 0 || --ct->depth > 0)
		return;
	guard(ct, failed ? "error" : "end");
	control_out_lines(ct->out, ct->held.data, ct->held.len);
	buf_clear(&ct->held);
}

/* --- lines in -------------------------------------------------------------------------- */

/* A block for a line that is no command. */
static void
refuse(struct controller *ct, const char *text)
{
	struct buf b;

	buf_init(&b, 1024);
	(void)buf_addf(&b, "parse error: %s\n", text);
	controller_begin(ct, true);
	controller_say(ct, buf_cstr(&b), b.len);
	controller_end_block(ct, true);
	buf_fini(&b);
}

static bool
busy(const struct controller *ct)
{
	return ct->all->ops->busy(ct->all->arg, ct->conn_id);
}

/*
 * Takes MOST lines, or until one waits: then controller_dry goes on. Returns
 * whether more may be there.
 */
static bool
take_lines(struct controller *ct, unsigned most)
{
	struct controllers *cs = ct->all;
	const uint64_t id = ct->conn_id;
	enum control_in_got got = CONTROL_IN_NONE;
	unsigned i;
	const char *line;

	for (i = 0; i < most; i++) {
		/* A command may have freed it. */
		if ((ct = controller_find(cs, id)) == NULL || ct->ending ||
		    !ct->lines || busy(ct))
			break;
		got = control_in_next(&ct->in, &line);
		if (got == CONTROL_IN_NONE)
			break;
		if (got == CONTROL_IN_EMPTY)
			controller_leave(ct, ct->code, NULL);
		else if (got == CONTROL_IN_TOO_LONG)
			refuse(ct, "line too long: at most 1048576 bytes");
		else if (got == CONTROL_IN_BAD)
			refuse(ct, "the line has a NUL byte");
		else
			cs->ops->command(cs->arg, ct, line);
	}
	if ((ct = controller_find(cs, id)) == NULL || ct->ending)
		return false;
	if (!control_in_full(&ct->in))
		ct->link->hold(ct->link_arg, false);
	if (i == most)
		return true;
	if (ct->eof && ct->lines)
		controller_leave(ct, ct->code, NULL);
	return false;
}

static void
controller_lines(void *arg)
{
	struct controller *ct = arg;
	struct loop *loop = ct->all->run->loop;

	if (take_lines(ct, CONTROLLER_LINES))
		loop_defer(loop, controller_lines, ct);
}

static bool
controller_step(struct lane_job *job)
{
	return take_lines(container_of(job, struct controller, job), 1);
}

/* Lines may wait. */
static void
wake_lines(struct controller *ct)
{
	struct run *run = ct->all->run;

	/* security: who only reads waits behind the owner, as guests do. */
	if (conn_access(conn_find(ct->all->conns, ct->conn_id)) != ACCESS_WRITE)
		lane_add(run->lane, &ct->job);
	else
		loop_defer(run->loop, controller_lines, ct);
}

void
controller_dry(struct controller *ct)
{
	if (ct->ending)
		return;
	if (!ct->lines && ct->client == NULL) {
		controller_leave(ct, ct->code, NULL);
		return;
	}
	ct->lines = true;
	wake_lines(ct);
}

/* --- life --------------------------------------------------------------------------------- */

static void
controller_timer(void *arg)
{
	controller_pump(arg);
}

struct controller *
controller_make(struct controllers *cs, struct conn *cn,
    const struct controller_link *link, void *arg)
{
	struct controller *ct = mem_zalloc(sizeof(*ct));

	ct->all = cs;
	ct->conn_id = conn_id(cn);
	ct->job.fn = controller_step;
	ct->link = link;
	ct->link_arg = arg == NULL ? ct : arg;
	ct->out = control_out_new();
	control_in_init(&ct->in);
	control_subs_init(&ct->subs);
	buf_init(&ct->held, CONTROLLER_HELD_MAX);
	ct->session = MUX_NONE;
	ct->timer = loop_timer_new(cs->run->loop, controller_timer, ct);
	list_push_back(&cs->list, &ct->node);
	if (link->far)
		conn_set_rider(cn, &controller_rider, ct);
	else
		conn_set_controller(cn, &controller_rider, ct);
	return ct;
}

struct controller *
controller_of_conn(const struct conn *cn)
{
	return cn == NULL ? NULL : conn_rider(cn, &controller_rider);
}

struct controller *
controller_find(const struct controllers *cs, uint64_t conn)
{
	return controller_of_conn(conn_find(cs->conns, conn));
}

struct controller *
controller_of(const struct controllers *cs, const struct client *c)
{
	struct list_node *n;
	struct controller *ct;

	if (c == NULL || (c->flags & CLIENT_CONTROL) == 0)
		return NULL;
	LIST_FOREACH(n, &cs->list) {
		ct = container_of(n, struct controller, node);
		if (ct->client == c)
			return ct;
	}
	return NULL;
}

struct client *
controller_client(const struct conn *cn)
{
	const struct controller *ct = controller_of_conn(cn);
	const struct viewer *vw = viewer_of_conn(cn);

	return ct != NULL ? ct->client : vw != NULL ? vw->client : NULL;
}

void
controller_flags(struct controller *ct)
{
	const struct client *c = ct->client;

	if (c == NULL)
		return;
	control_out_set_quiet(ct->out, (c->flags & CLIENT_NO_OUTPUT) != 0);
	control_out_set_pause(ct->out, (c->flags & CLIENT_PAUSE_AFTER) != 0,
	    (mono_ms)c->pause_after * 1000);
	ct->link->wait_exit(ct->link_arg, (c->flags & CLIENT_WAIT_EXIT) != 0);
	pane_ios_watch(ct->all->panes, &ct->all->watch);
	wake(ct);
}

void
controller_attach(struct controller *ct, struct client *c)
{
	struct conn *cn = conn_find(ct->all->conns, ct->conn_id);

	ct->client = c;
	if (cn != NULL && !ct->link->far)
		conn_set_counter(cn, &c->written);
	controller_flags(ct);
}

/* The end of a turn: sends the rest and lets the client go. */
static void
controller_finish(void *arg)
{
	struct controller *ct = arg;
	struct run *run = ct->all->run;
	struct buf b;

	if (ct->ended)
		return;
	control_out_discard(ct->out);
	buf_init(&b, BUF_MAX);
	(void)control_out_take(ct->out, loop_now(run->loop), &b, SIZE_MAX);
	if (b.len > 0)
		ct->link->write(ct->link_arg, b.data, b.len);
	buf_fini(&b);
	ct->ended = true;
	loop_timer_set(ct->timer, MONO_NEVER);
	drop_client(ct);
	if (ct->exec != NULL)
		ct->link->exec(ct->link_arg, ct->exec);
	ct->link->end(ct->link_arg, ct->code, ct->reason);
	cmdq_forget(run, ct->conn_id);
	run_drain(run);
}

void
controller_leave(struct controller *ct, int code, const char *reason)
{
	if (ct->ending)
		return;
	ct->ending = true;
	ct->code = code;
	ct->reason = reason == NULL ? NULL : mem_strdup(reason);
	loop_defer(ct->all->run->loop, controller_finish, ct);
}

void
controllers_init(struct controllers *cs, struct run *run,
    const struct controller_ops *ops, void *arg)
{
	memset(cs, 0, sizeof(*cs));
	cs->run = run;
	cs->ops = ops;
	cs->arg = arg;
	list_init(&cs->list);
	list_init(&cs->bulk);
	cs->fresh = MUX_NONE;
	cs->watch = (struct pane_watch){ watch_bytes, watch_full, cs };
}

void
controllers_fini(struct controllers *cs)
{
	while (!list_empty(&cs->list))
		controller_free(
		    container_of(cs->list.head.next, struct controller, node));
	loop_defer_cancel(cs->run->loop, cs);
}
