/* The stack of overlays: order, input, deadlines, closing. */
#include <string.h>

#include "base/mem.h"
#include "regress/unit/unit.h"
#include "server/face/overlay.h"

/* A log of events: the event and the overlay's name. */
static char did[256];
static mono_ms due_now;
static unsigned pictures;

struct fake {
	struct overlay over;
	char name;
	enum overlay_did answer;
	struct overlay *also; /* to close at the next key */
	bool opens;           /* open another overlay at the next key */
};

static void
note(const char *what, char name)
{
	size_t n = strlen(did);

	ck_assert_uint_lt(n + strlen(what) + 3, sizeof(did));
	(void)strcat(did, what);
	n = strlen(did);
	did[n] = name;
	did[n + 1] = ' ';
	did[n + 2] = '\0';
}

static struct fake *
fake(struct overlay *o)
{
	return container_of(o, struct fake, over);
}

static void
fake_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	(void)b;
	(void)v;
	note("draw ", fake(o)->name);
}

static struct fake *fake_open(
    struct overlays *os, char name, const struct overlay_ops *ops);

static const struct overlay_ops message, prompt, pager, numbers;

static enum overlay_did
fake_key(struct overlay *o, const struct key_event *key)
{
	struct fake *f = fake(o);
	enum overlay_did answer = f->answer;

	(void)key;
	note("key ", f->name);
	if (f->opens)
		(void)fake_open(o->stack, 'x', &numbers);
	if (f->also != NULL)
		overlay_close(f->also);
	return answer;
}

static enum overlay_did
fake_mouse(struct overlay *o, const struct mouse_event *ev)
{
	(void)ev;
	note("mouse ", fake(o)->name);
	return fake(o)->answer;
}

static enum overlay_did
fake_paste(struct overlay *o, const char *text, size_t n)
{
	ck_assert_uint_eq(n, strlen(text));
	note("paste ", fake(o)->name);
	return fake(o)->answer;
}

static void
fake_resize(struct overlay *o)
{
	note("resize ", fake(o)->name);
}

static void
fake_expire(struct overlay *o, mono_ms now)
{
	note("expire ", fake(o)->name);
	overlay_set_due(o, now + 5);
}

static void
fake_close(struct overlay *o)
{
	note("close ", fake(o)->name);
	mem_free(fake(o));
}

static const struct overlay_ops message = {
	.name = "message",
	.z = OVERLAY_MESSAGE,
	.layer = VIEW_LAYER_TOP,
	.flags = OVERLAY_LINE,
	.draw = fake_draw,
	.key = fake_key,
	.close = fake_close,
};

static const struct overlay_ops prompt = {
	.name = "prompt",
	.z = OVERLAY_PROMPT,
	.layer = VIEW_LAYER_TOP,
	.flags = OVERLAY_ADMIN | OVERLAY_LINE,
	.draw = fake_draw,
	.key = fake_key,
	.paste = fake_paste,
	.close = fake_close,
};

static const struct overlay_ops pager = {
	.name = "pager",
	.z = OVERLAY_PAGER,
	.layer = VIEW_LAYER_TOP,
	.flags = OVERLAY_COVERS,
	.draw = fake_draw,
	.key = fake_key,
	.mouse = fake_mouse,
	.resize = fake_resize,
	.expire = fake_expire,
	.close = fake_close,
};

static const struct overlay_ops numbers = {
	.name = "numbers",
	.z = OVERLAY_PAGER,
	.layer = VIEW_LAYER_WINDOW,
	.draw = fake_draw,
	.key = fake_key,
	.close = fake_close,
};

static struct fake *
fake_open(struct overlays *os, char name, const struct overlay_ops *ops)
{
	struct fake *f = mem_zalloc(sizeof(*f));

	f->name = name;
	overlay_open(os, &f->over, ops);
	return f;
}

static void
changed(struct viewer *vw, mono_ms due, bool picture)
{
	ck_assert_ptr_null(vw);
	due_now = due;
	pictures += picture;
}

static void
begin(struct overlays *os)
{
	did[0] = '\0';
	pictures = 0;
	due_now = 0;
	overlays_init(os, NULL, changed);
}

#define DID(text)                \
 do {                            \
  ck_assert_str_eq(did, (text)); \
  did[0] = '\0';                 \
 } while (0)

static const struct key_event a_key = { .key = 'k' };

START_TEST(the_order_is_that_of_z)
{
	struct overlays os;

	begin(&os);
	fake_open(&os, 'g', &pager);
	fake_open(&os, 'n', &numbers);
	fake_open(&os, 'm', &message);
	fake_open(&os, 'h', &pager);
	ck_assert_uint_eq(pictures, 4);
	ck_assert_uint_eq(due_now, MONO_NEVER);
	ck_assert(!overlays_key(&os, &a_key, true));
	DID("key m key h key n key g ");
	overlays_draw(&os, NULL, NULL, VIEW_LAYER_WINDOW);
	DID("draw n ");
	overlays_draw(&os, NULL, NULL, VIEW_LAYER_TOP);
	DID("draw g draw h draw m ");
	overlays_resize(&os);
	DID("resize h resize g ");
	overlays_close(&os, 0);
	DID("close m close h close n close g ");
	ck_assert(list_empty(&os.list));
}
END_TEST

START_TEST(input_stops_where_it_is_taken)
{
	const struct mouse_event ev = { .x = 1 };
	struct overlays os;
	struct fake *g, *m;

	begin(&os);
	ck_assert(!overlays_key(&os, &a_key, true));
	ck_assert(!overlays_cover(&os));
	fake_open(&os, 'n', &numbers);
	g = fake_open(&os, 'g', &pager);
	m = fake_open(&os, 'm', &message);
	ck_assert(overlays_cover(&os));
	g->answer = OVERLAY_TAKEN;
	m->answer = OVERLAY_LEFT;
	ck_assert(overlays_key(&os, &a_key, true));
	DID("key m close m key g ");
	ck_assert_ptr_null(overlays_find(&os, &message));
	ck_assert_ptr_eq(overlays_find(&os, &pager), &g->over);
	ck_assert(overlays_mouse(&os, &ev));
	DID("mouse g ");
	ck_assert(!overlays_paste(&os, "text", 4, true));
	DID("");
	overlays_close(&os, 0);
}
END_TEST

/* security: guests do not answer prompts. */
START_TEST(some_are_for_admins)
{
	struct overlays os;
	struct fake *p;

	begin(&os);
	p = fake_open(&os, 'p', &prompt);
	p->answer = OVERLAY_TAKEN;
	fake_open(&os, 'g', &pager);
	ck_assert(overlays_key(&os, &a_key, true));
	DID("key p ");
	ck_assert(!overlays_key(&os, &a_key, false));
	DID("key g ");
	ck_assert(overlays_paste(&os, "text", 4, true));
	DID("paste p ");
	ck_assert(!overlays_paste(&os, "text", 4, false));
	overlays_close(&os, OVERLAY_ADMIN);
	DID("close p ");
	overlays_close(&os, 0);
}
END_TEST

/* A key's callback may change the stack. */
START_TEST(the_stack_may_change_meanwhile)
{
	struct overlays os;
	struct fake *m, *p;

	begin(&os);
	fake_open(&os, 'n', &numbers);
	p = fake_open(&os, 'p', &prompt);
	m = fake_open(&os, 'm', &message);
	m->also = &p->over;
	m->opens = true;
	ck_assert(!overlays_key(&os, &a_key, true));
	/* An overlay opened by the event does not get the event. */
	DID("key m close p key n ");
	m->also = NULL;
	m->opens = false;
	ck_assert(!overlays_key(&os, &a_key, true));
	DID("key m key x key n ");
	/* An overlay closes itself and passes the key on. */
	m->also = &m->over;
	ck_assert(!overlays_key(&os, &a_key, true));
	DID("key m close m key x key n ");
	overlays_close(&os, 0);
}
END_TEST

START_TEST(the_lowest_has_the_line)
{
	struct overlays os;

	begin(&os);
	fake_open(&os, 'm', &message);
	fake_open(&os, 'p', &prompt);
	overlays_draw(&os, NULL, NULL, VIEW_LAYER_TOP);
	DID("draw p ");
	overlays_close(&os, OVERLAY_ADMIN);
	did[0] = '\0';
	overlays_draw(&os, NULL, NULL, VIEW_LAYER_TOP);
	DID("draw m ");
	overlays_close(&os, 0);
}
END_TEST

START_TEST(deadlines_are_those_of_the_stack)
{
	struct overlays os;
	struct fake *m, *g;

	begin(&os);
	g = fake_open(&os, 'g', &pager);
	m = fake_open(&os, 'm', &message);
	pictures = 0;
	overlay_set_due(&g->over, 20);
	overlay_set_due(&m->over, 10);
	ck_assert_uint_eq(due_now, 10);
	ck_assert_uint_eq(pictures, 0);
	overlays_expire(&os, 9);
	DID("");
	/* Without ops->expire the deadline closes the overlay. */
	overlays_expire(&os, 10);
	DID("close m ");
	ck_assert_uint_eq(due_now, 20);
	overlays_expire(&os, 30);
	DID("expire g ");
	ck_assert_uint_eq(due_now, 35);
	overlay_dirty(&g->over);
	ck_assert_uint_eq(pictures, 2);
	overlays_close(&os, 0);
	ck_assert_uint_eq(due_now, MONO_NEVER);
}
END_TEST

START_TEST(the_top_grab_counts)
{
	struct overlays os;
	struct fake *n, *p;

	begin(&os);
	ck_assert_int_eq(overlays_grab(&os), OVERLAY_GRAB_NOTHING);
	n = fake_open(&os, 'n', &numbers);
	n->over.grab = OVERLAY_GRAB_ALL;
	p = fake_open(&os, 'p', &prompt);
	fake_open(&os, 'm', &message);
	ck_assert_int_eq(overlays_grab(&os), OVERLAY_GRAB_ALL);
	p->over.grab = OVERLAY_GRAB_TEXT;
	ck_assert_int_eq(overlays_grab(&os), OVERLAY_GRAB_TEXT);
	overlays_close(&os, 0);
}
END_TEST

UNIT_SUITE(overlay)
{
	Suite *s = suite_create("overlay");
	TCase *tc = tcase_create("overlay");

	tcase_add_test(tc, the_order_is_that_of_z);
	tcase_add_test(tc, input_stops_where_it_is_taken);
	tcase_add_test(tc, some_are_for_admins);
	tcase_add_test(tc, the_stack_may_change_meanwhile);
	tcase_add_test(tc, the_lowest_has_the_line);
	tcase_add_test(tc, deadlines_are_those_of_the_stack);
	tcase_add_test(tc, the_top_grab_counts);
	suite_add_tcase(s, tc);
	return s;
}
