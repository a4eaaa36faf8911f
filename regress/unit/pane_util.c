#include "regress/unit/pane_util.h"

#include <check.h>
#include <signal.h>
#include <string.h>

#include "mux/vt/dump.h"
#include "regress/unit/mux_util.h"

static void
util_output(void *arg, uint32_t pane)
{
	struct pane_util *pu = arg;

	ck_assert_uint_eq(pane, pu->p->id);
	pu->outputs++;
	if (pu->free_on_output)
		pane_io_free(pane_io_find(&pu->ios, pane));
}

static void
util_effect(void *arg, uint32_t pane, const struct vt_effect *e)
{
	static const char *const names[] = {
#define X(kind, name, merge) name,
#include "mux/vt/effects.def"
#undef X
	};
	struct pane_util *pu = arg;

	ck_assert_uint_eq(pane, pu->p->id);
	(void)buf_addf(&pu->effects, "%s %s|", names[e->kind],
	    e->data == NULL ? "" : e->data);
}

static void
util_exited(void *arg, uint32_t pane)
{
	struct pane_util *pu = arg;

	pu->exits++;
	if (pu->free_on_exit)
		pane_io_free(pane_io_find(&pu->ios, pane));
}

static void
util_reaped(struct run_util *u, pid_t pid, int status)
{
	struct pane_util *pu = container_of(u, struct pane_util, u);

	(void)pane_io_reaped(&pu->ios, pid, status);
}

void
pane_util_init(struct pane_util *pu)
{
	static const struct pane_io_ops ops = {
		.output = util_output,
		.effect = util_effect,
		.exited = util_exited,
	};

	memset(pu, 0, sizeof(*pu));
	run_util_init(&pu->u);
	buf_init(&pu->effects, 1 << 20);
	pu->u.reaped = util_reaped;
	pane_ios_init(&pu->ios, &pu->u.run, &ops, pu);
	pu->s = mux_util_session(pu->u.run.mux, "s");
	pu->p = pu->s->current->window->active;
}

void
pane_util_fini(struct pane_util *pu)
{
	const struct pane_io *io = pane_io_find(&pu->ios, pu->p->id);

	if (io != NULL && io->pid > 0)
		(void)kill(io->pid, SIGKILL);
	pane_ios_fini(&pu->ios);
	buf_fini(&pu->effects);
	run_util_fini(&pu->u);
}

struct pane_io *
pane_util_start(struct pane_util *pu, const char *script)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	const struct pty_spec spec = {
		.argv = argv,
		.envp = env,
		.cwd = "/",
		.size = { 80, 24 },
	};
	struct cause c = { NULL };
	struct pane_io *io =
	    pane_io_new(&pu->ios, pu->p->id, pu->p->term, &spec, &c);

	ck_assert_msg(io != NULL, "%s", cause_text(&c));
	return io;
}

bool
pane_util_shows(struct pane_util *pu, const char *text)
{
	struct vt_frame *f = vt_term_frame(pu->p->term, 0);
	struct buf b;
	bool shows;

	buf_init(&b, 1 << 20);
	(void)vt_dump_frame(&b, f, VT_DUMP_TRIM);
	shows = strstr(buf_cstr(&b), text) != NULL;
	buf_fini(&b);
	vt_frame_unref(f);
	return shows;
}
