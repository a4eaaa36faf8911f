/*
 * A host that its guest must not obey.
 *
 * usage: evil_host ATTACK [MILLISECONDS [SEED]]
 *
 * It prints a ticket, lets one guest in, prints "in", attacks for so long (500)
 * and then goes on answering honestly until it is killed; it prints "out" and
 * what it learned of the guest's replies.  Attacks:
 *
 *   idle      none
 *   effects   every effect, and every control message but these:
 *   exec      asks the client to run a command
 *   farewell  ends the session with a text of control characters
 *   strings   control characters in titles, paths, features, keys and prompts
 *   modes     every mode of the terminal
 *   mutants   honest views with some bytes changed
 *   huge      the largest frames, at the strangest places
 *   objects   valid instructions that carry nonsense
 *   frames    valid datagrams that carry nonsense
 *   side      histories without end, and nonsense
 *   flood     a new screen as often as it goes
 */
#include <sys/socket.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/wire.h"
#include "mux/sync/control.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"
#include "regress/chance.h"
#include "regress/hostile/evil_end.h"
#include "ssp/ticket.h"

static const char sharp[] =
    "PWN\033]52;c;UFdO\a\033]0;PWN\a\033]9;PWN\a\033[21t\033P$qPWN\033\\"
    "\233"
    "6n\302\233"
    "6n\033[?1003h\033_GPWN\033\\\r\nPWN";

struct host {
	struct evil_end end;
	const char *attack;
	uint64_t chance;
	struct grapheme_table *gt;
	unsigned turns;
	uint64_t replies; /* of the guest's terminal */
};

/* --- honest views ------------------------------------------------------------------ */

static struct sync_view *
honest_view(struct host *h, const char *word)
{
	struct sync_view *v = sync_view_new(80, 24);
	struct vt_frame *pane = vt_frame_new(80, 23), *status;
	char text[200];
	unsigned y;
	int n;

	for (y = 0; y < 23; y++) {
		n = snprintf(text, sizeof(text), "QQQ line %u of %u", y,
		    chance_below(&h->chance, 100000));
		(void)vt_frame_text(
		    pane, h->gt, 0, y, 80, text, (size_t)n, NULL);
	}
	status = vt_frame_new(80, 1);
	(void)vt_frame_text(status, h->gt, 0, 0, 80, word, strlen(word), NULL);
	sync_view_add(v, 1, SYNC_SURFACE_PANE, 0, 0, pane);
	sync_view_add(
	    v, UINT64_C(1) << 32 | 1, SYNC_SURFACE_CHROME, 0, 23, status);
	vt_frame_unref(pane);
	vt_frame_unref(status);
	v->focus = 1;
	return v;
}

/* The new view continues the effects of the old one. */
static void
keep_effects(struct sync_view *v, const struct sync_view *old)
{
	size_t i;

	for (i = 0; i < old->neffects; i++) {
		v->effects[i] = old->effects[i];
		v->effects[i]->refs++;
	}
	v->neffects = old->neffects;
}

static void
show(struct host *h, struct sync_view *v)
{
	struct ssp_transport *tp = h->end.bind.tp;

	keep_effects(v, ssp_transport_current(tp));
	ssp_transport_set_current(tp, sys_now(), v);
	ssp_transport_changed(tp, sys_now());
}

/* --- attacks ------------------------------------------------------------------------ */

static void
attack_effects(struct host *h)
{
	struct sync_view *v = honest_view(h, "honest");
	struct control_msg m = { .id = 1 };
	struct buf b;

	show(h, v);
	buf_init(&b, 65536);
	m.type = strcmp(h->attack, "exec") == 0 ? CONTROL_EXEC
		 : strcmp(h->attack, "farewell") == 0
		     ? CONTROL_EXIT
		     : (enum control_code)(h->turns % 32);
	m.has = CONTROL_HAS_ID | CONTROL_HAS_CODE | CONTROL_HAS_TEXT |
		CONTROL_HAS_DATA;
	m.code = (int64_t)chance_below(&h->chance, 3);
	m.text.p = m.type == CONTROL_EXIT ? sharp : "touch $PWNED";
	m.text.len = strlen(m.text.p);
	m.data = (const uint8_t *)sharp;
	m.data_len = sizeof(sharp);
	/* A host may end or stop a session; that would end the attack. */
	if ((strcmp(h->attack, "effects") != 0 ||
		(m.type != CONTROL_EXIT && m.type != CONTROL_DETACH &&
		    m.type != CONTROL_EXEC && m.type != CONTROL_SUSPEND)) &&
	    control_encode(&m, &b) == 0)
		(void)sync_view_effect(v, SYNC_EFFECT_CONTROL, b.data, b.len);
	buf_fini(&b);
	(void)sync_view_effect(
	    v, (enum sync_effect_kind)(h->turns % 6 + 1), sharp, sizeof(sharp));
	(void)sync_view_effect(v,
	    (enum sync_effect_kind)(chance_below(&h->chance, 12)), "c;UFdO", 6);
	ssp_transport_changed(h->end.bind.tp, sys_now());
}

static void
attack_strings(struct host *h)
{
	struct sync_view *v = honest_view(h, "honest");
	struct vt_frame *f = v->surfaces[0].frame;
	size_t cut = chance_below(&h->chance, sizeof(sharp));
	struct sync_prompt p = { .surface = 1, .x = 3 };
	const char *s = sharp + cut;
	size_t n = sizeof(sharp) - cut;

	v->tty.flags = SYNC_TTY_TITLE;
	v->tty.title = vt_str_new(s, n);
	v->tty.path = vt_str_new(s, n);
	v->tty.caps = vt_str_new(s, n);
	v->tty.keys = vt_str_new(s, n);
	v->setup = vt_str_new(s, n);
	f->state.title = vt_str_new(s, n);
	f->state.icon = vt_str_new(s, n);
	f->state.cwd = vt_str_new(s, n);
	p.text = vt_str_new(s, n);
	p.separators = vt_str_new(s, n);
	p.at = (uint32_t)chance_below(&h->chance, (unsigned)n);
	v->prompt = sync_prompt_new(&p);
	show(h, v);
}

static void
attack_modes(struct host *h)
{
	struct sync_view *v = honest_view(h, "honest");
	struct vt_frame_state *st = &v->surfaces[0].frame->state;

	v->tty.flags =
	    chance_below(&h->chance, 512) & ~(unsigned)SYNC_TTY_SPENT;
	v->tty.mouse = (uint8_t)chance_below(&h->chance, 5);
	v->tty.kitty = (uint8_t)chance_below(&h->chance, 32);
	v->tty.modify_other = (uint8_t)chance_below(&h->chance, 3);
	v->tty.predict = (uint8_t)chance_below(&h->chance, 4);
	v->tty.escape_ms = chance_below(&h->chance, 0x7fffffff);
	st->modes = chance_below(&h->chance, 1u << 20);
	st->cursor_shape = (uint8_t)chance_below(&h->chance, 4);
	st->mouse_mode = (uint8_t)chance_below(&h->chance, 5);
	st->kitty_flags = (uint8_t)chance_below(&h->chance, 32);
	st->progress = (uint8_t)chance_below(&h->chance, 5);
	st->progress_percent = (uint8_t)chance_below(&h->chance, 101);
	st->pointer = (uint8_t)chance_below(&h->chance, 256);
	st->bells = h->turns;
	vt_palette_own(&st->palette)->rgb[chance_below(&h->chance, 256)] =
	    chance_below(&h->chance, 0xffffff);
	v->focus = chance_below(&h->chance, 3);
	v->echo_ack = UINT64_MAX >> chance_below(&h->chance, 64);
	show(h, v);
}

static void
attack_huge(struct host *h)
{
	struct sync_view *v = honest_view(h, "honest");
	unsigned n = chance_below(&h->chance, 3), i;
	struct vt_frame *f = n == 0   ? vt_frame_new(10000, 419)
			     : n == 1 ? vt_frame_new(400, 10000)
				      : vt_frame_new(1, 1);

	for (i = 0; i < (n == 2 ? 1000u : 2u); i++)
		sync_view_add(v, 100 + i, SYNC_SURFACE_OVERLAY,
		    (int)chance_below(&h->chance, 0x7fffffff) - 0x3fffffff,
		    (int)chance_below(&h->chance, 50) - 25, f);
	vt_frame_unref(f);
	show(h, v);
}

static void
attack_side(struct host *h)
{
	uint8_t bytes[600];
	struct buf b;
	struct wr w;
	unsigned i;

	wr_init(&w, bytes, sizeof(bytes));
	wr_u8(&w, (uint8_t)chance_below(&h->chance, 6));
	for (i = chance_below(&h->chance, 9); i > 0; i--)
		wr_varint(&w, chance_below(&h->chance, 4) == 0
				  ? UINT64_MAX >> 2
				  : chance_below(&h->chance, 3000));
	while (wr_len(&w) < 100 + chance_below(&h->chance, 400))
		wr_u8(&w, (uint8_t)chance_below(&h->chance, 256));
	buf_init(&b, 65536);
	(void)ssp_transport_side_put(
	    h->end.bind.tp, sys_now(), bytes, wr_len(&w));
	ssp_transport_side_wanted(h->end.bind.tp, true);
	buf_fini(&b);
}

/* The object is any bytes: those of an honest view with changes, or none. */
static void
attack_bytes(struct host *h)
{
	struct evil_bytes *e = ssp_transport_current(h->end.bind.tp);
	struct sync_view *old = sync_view_new(0, 0),
			 *v = honest_view(h, "honest");
	static const char swaps[] = "\033\a\n\233\0\177\302";
	unsigned i, n = chance_below(&h->chance, 4);

	e->version++;
	if (strcmp(h->attack, "objects") == 0)
		evil_nonsense(&h->chance, &e->bytes);
	else {
		buf_clear(&e->bytes);
		(void)sync_view_ops.diff(old, v, &e->bytes);
		for (i = 0; i < e->bytes.len && n > 0; i++)
			if (n > 1 && e->bytes.data[i] == 'Q' &&
			    chance_below(&h->chance, 9) == 0)
				e->bytes.data[i] =
				    (uint8_t)swaps[chance_below(&h->chance, 7)];
		for (; n > 0; n--)
			e->bytes.data[chance_below(
			    &h->chance, (unsigned)e->bytes.len)] =
			    (uint8_t)chance_below(&h->chance, 256);
	}
	ssp_transport_changed(h->end.bind.tp, sys_now());
	sync_view_free(old);
	sync_view_free(v);
}

static void
attack_flood(struct host *h)
{
	show(h, honest_view(h, "honest"));
}

static void
attack_frames(struct host *h)
{
	h->end.burst = 100;
}

static void
attack_none(UNUSED struct host *h)
{
}

static const struct {
	const char *name;
	void (*fn)(struct host *h);
	const struct ssp_object_ops *ops; /* NULL: random frames */
} attacks[] = {
	{ "idle", attack_none, &sync_view_ops },
	{ "effects", attack_effects, &sync_view_ops },
	{ "exec", attack_effects, &sync_view_ops },
	{ "farewell", attack_effects, &sync_view_ops },
	{ "strings", attack_strings, &sync_view_ops },
	{ "modes", attack_modes, &sync_view_ops },
	{ "mutants", attack_bytes, &evil_bytes_ops },
	{ "huge", attack_huge, &sync_view_ops },
	{ "objects", attack_bytes, &evil_bytes_ops },
	{ "frames", attack_frames, NULL },
	{ "side", attack_side, &sync_view_ops },
	{ "flood", attack_flood, &sync_view_ops },
};

/* --- the host ---------------------------------------------------------------------- */

struct door {
	const struct ssp_ticket *t;
	uint64_t cid; /* of the first INIT; 0: none yet */
	struct ssp_path_addr from;
	uint8_t init[1500];
	size_t len;
};

static void
knock(void *arg, struct udp_msg *m)
{
	struct door *door = arg;
	struct ssp_dgram d;

	if (door->cid != 0 || m->len > sizeof(door->init) ||
	    ssp_dgram_parse(m->data, m->len, &d) != 0 ||
	    d.type != SSP_DGRAM_INIT || ssp_ticket_tag(d.cid) != door->t->tag)
		return;
	door->cid = d.cid;
	door->from = udp_link_from(m);
	door->len = m->len;
	memcpy(door->init, m->data, m->len);
}

static void
print_ticket(struct ssp_ticket *t, uint16_t port)
{
	struct buf b;

	sys_random(t->key, sizeof(t->key));
	sys_random(&t->tag, sizeof(t->tag));
	t->naddrs = 1;
	t->addrs[0].port = port;
	strcpy(t->addrs[0].host, "127.0.0.1");
	buf_init(&b, SSP_TICKET_TEXT_MAX);
	if (ssp_ticket_format(t, &b) == 0)
		printf("%.*s\n", (int)b.len, (const char *)b.data);
	fflush(stdout);
	buf_fini(&b);
}

static bool
host_make(struct host *h, size_t row, struct ssp_keyring *keys, struct udp *u,
    const struct door *door)
{
	struct ssp_transport_cfg tc;
	uint8_t psk[SSP_KEY_LEN];

	ssp_ticket_psk(psk, door->t->key, door->cid);
	h->end.chance = h->chance;
	if (attacks[row].ops == NULL)
		return evil_end_open(
			   &h->end, u, keys, door->cid, psk, NULL, NULL) == 0;
	ssp_transport_cfg_init(&tc, SSP_LINK_DATAGRAM);
	tc.local_ops = attacks[row].ops;
	tc.local = tc.local_ops == &sync_view_ops ? (void *)sync_view_new(0, 0)
						  : (void *)evil_bytes_new();
	tc.remote_ops = &sync_input_ops;
	tc.remote = sync_input_new();
	tc.flow_tx = SSP_FLOW_SCREEN;
	return evil_end_open(&h->end, u, keys, door->cid, psk, NULL, &tc) == 0;
}

/* Lets the guest in. */
static bool
host_open(struct host *h, size_t row, struct ssp_keyring *keys)
{
	mono_ms end = sys_now() + 20000;
	struct ssp_conn_stats st;
	struct ssp_ticket t = { 0 };
	struct cause why = { NULL };
	struct door door = { .t = &t };
	struct udp *u;

	if (udp_bind(AF_INET, 0, 0, &u, &why) != 0)
		return false;
	print_ticket(&t, udp_port(u));
	while (door.cid == 0) {
		if (poll(&(struct pollfd){ udp_fd(u), POLLIN, 0 }, 1, 20000) <=
		    0)
			return false;
		udp_recv_batch(u, 1, knock, &door);
	}
	if (!host_make(h, row, keys, u, &door) ||
	    ssp_conn_input(h->end.at.conn, sys_now(), &door.from, 0, door.init,
		door.len) != 0)
		return false;
	do {
		evil_turn(&h->end, 1, 10);
		ssp_conn_stats(h->end.at.conn, &st);
	} while (st.state != SSP_CONN_UP && sys_now() < end);
	return st.state == SSP_CONN_UP;
}

/* Counts what the guest's terminal has told. */
static void
host_listen(struct host *h)
{
	const struct sync_input *in;
	const struct sync_event *ev;
	uint64_t i, num;

	if (h->end.bind.tp == NULL)
		return;
	in = ssp_transport_remote(h->end.bind.tp, &num);
	for (i = sync_input_first(in); i < sync_input_end(in); i++) {
		ev = sync_input_get(in, i);
		h->replies += ev != NULL && ev->kind == SYNC_REPLY &&
			      ev->flags != SYNC_REPLY_VERSION;
	}
	(void)ssp_transport_remote_seen(h->end.bind.tp);
}

int
main(int argc, char **argv)
{
	static struct host h = { .chance = 1 };
	struct ssp_keyring *keys;
	mono_ms end, next = 0;
	size_t row = 0;

	if (argc < 2 || ssp_crypto_init() != 0)
		return 2;
	h.attack = argv[1];
	while (row < ARRAY_LEN(attacks) &&
	       strcmp(attacks[row].name, h.attack) != 0)
		row++;
	if (row == ARRAY_LEN(attacks))
		return 2;
	if (argc > 3)
		h.chance = strtoull(argv[3], NULL, 10);
	h.gt = grapheme_table_new(NULL);
	keys = ssp_keyring_new(SSP_SECRETS_LEN, 8, 8);
	if (!host_open(&h, row, keys))
		return 3;
	printf("in\n");
	fflush(stdout);
	end = sys_now() + (argc > 2 ? (mono_ms)atoi(argv[2]) : 500);
	for (; sys_now() < end; h.turns++) {
		if (sys_now() >= next)
			attacks[row].fn(&h);
		next = sys_now() + 2;
		evil_turn(&h.end, 1, 2);
		host_listen(&h);
	}
	if (attacks[row].ops == &sync_view_ops)
		show(&h, honest_view(&h, "goodbye"));
	printf("out replies %llu\n", (unsigned long long)h.replies);
	fflush(stdout);
	for (end = sys_now() + 20000; sys_now() < end;)
		evil_turn(&h.end, 1, 100);
	return 0;
}
